#!/bin/sh
# pyboolnet 3.0.16 and biodivine_aeon 1.4.2 (PyPI): words of a .bnet file that a reader does not know become variables.
#
# The format names no header and no constants but 0 and 1. A good guess is that a header in capitals is a header or an
# error, and that TRUE is a constant or an error. Each unknown word becomes an input, a variable that keeps any value,
# without a message, and the state space doubles with each: a header `Targets,Factors` gives pyboolnet two inputs, of
# which every attractor has four copies; `true` is a constant to AEON and an input to pyboolnet; `TRUE` is an input to
# both, while `True` is a constant to AEON. `-b` for "not b" is an input called -b to pyboolnet, and an error to AEON.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet pyboolnet==3.0.16 biodivine_aeon==1.4.2
"$work/venv/bin/python" - <<'PYTHON'
import logging
logging.disable(logging.CRITICAL)
import biodivine_aeon
from pyboolnet.file_exchange import bnet2primes

RING = "a, b\nb, !a\n"
CASES = [
    # text, variables of pyboolnet, variables of AEON
    ("targets, factors\n" + RING, ["a", "b"], ["a", "b"]),
    ("Targets,Factors\n" + RING, ["Factors", "Targets", "a", "b"], ["a", "b"]),
    ("a, true\nb, a\n", ["a", "b", "true"], ["a", "b"]),
    ("a, True\nb, a\n", ["True", "a", "b"], ["a", "b"]),
    ("a, TRUE\nb, a\n", ["TRUE", "a", "b"], ["TRUE", "a", "b"]),
    ("a, -b\nb, a\n", ["-b", "a", "b"], None),
]
for text, pyboolnet, aeon in CASES:
    here = sorted(bnet2primes(text))
    try:
        network = biodivine_aeon.BooleanNetwork.from_bnet(text)
        there = sorted(network.get_variable_name(variable) for variable in network.variables())
    except RuntimeError:
        there = None
    print(repr(text), "pyboolnet:", here, "AEON:", there or "an error")
    assert (here, there) == (pyboolnet, aeon)
PYTHON

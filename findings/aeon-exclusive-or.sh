#!/bin/sh
# AEON 1.4.2 (PyPI, biodivine_aeon): `a ^ b & c` is (a ^ b) & c in a function of a network and a ^ (b & c) in a
# formula.
#
# A good guess is one order for both notations, which have the same signs otherwise, and that of C, of Rust and of
# Python: & above ^ above |. So it is in formulas of HCTL. In functions, those of .aeon and of .bnet files alike, ^ is
# above &. Whoever asks a model checker whether a variable is where its function wants it to be, by the text of the
# function, asks something else: `v <=> a ^ b & c` is not true in all fixed points of the network with the line `v, a
# ^ b & c`.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet biodivine_aeon==1.4.2
"$work/venv/bin/python" - <<'PYTHON'
from biodivine_aeon import AsynchronousGraph, BooleanNetwork, FixedPoints, HctlFormula, ModelChecking

for text, function, formula in [
    ("a ^ b & c", "(a ^ b) & c", "(a ^ (b & c))"),
    ("a & b ^ c", "a & (b ^ c)", "((a & b) ^ c)"),
    ("a | b ^ c", "a | (b ^ c)", "(a | (b ^ c))"),
]:
    network = BooleanNetwork.from_bnet(f"targets, factors\na, a\nb, b\nc, c\nv, {text}\n")
    in_file = str(network.get_update_function(network.find_variable("v")))
    asked = str(HctlFormula(text))
    print(f"AEON 1.4.2: {text} is {in_file} in a function, and {asked} in a formula")
    assert (in_file, asked) == (function, formula)
    graph = AsynchronousGraph(network)
    points = FixedPoints.symbolic(graph)
    agree = points.intersect(ModelChecking.verify(graph, HctlFormula(f"v <=> {text}")))
    count = (agree.vertices().cardinality(), points.vertices().cardinality())
    print(f"  v <=> {text} is true in {count[0]} of the {count[1]} fixed points")
    assert count[1] == 8 and (count[0] == 8) == (text == "a | b ^ c")
PYTHON

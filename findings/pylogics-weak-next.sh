#!/bin/sh
# pylogics 0.2.1 (PyPI): `X a` is the weak next, which is true in the last position of a finite word; the strong one is `X[!] a`,
# and needs a blank after it.
#
# A good guess is that X is the strong next, as for ltlf2dfa (where WX is the weak one), a sister project with the same
# grammar otherwise, and as in the papers of De Giacomo and Vardi. Spot has the same convention as pylogics for
# finite words, so the two sister tools answer differently for one text: `X true` is a tautology here, and the length of a word there.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet ltlf2dfa==2.0.0 pylogics==0.2.1 lark==1.3.1
"$work/venv/bin/python" - <<'PYTHON'
from ltlf2dfa.parser.ltlf import LTLfParser
from pylogics.parsers import parse_ltl

weak, strong = parse_ltl("X a"), parse_ltl("X[!] a")
print("pylogics 0.2.1: X a is", weak, "and X[!] a is", strong)
assert str(weak) == "(weak_next a)" and str(strong) == "(next a)"
try:
    parse_ltl("X[!]a")
    raise SystemExit("X[!]a is read now")
except Exception as error:
    print("pylogics 0.2.1: X[!]a without a blank:", type(error).__name__)
next_, weak_next = LTLfParser()("X a"), LTLfParser()("WX a")
print("ltlf2dfa 2.0.0: X a is", type(next_).__name__, "and WX a is", type(weak_next).__name__)
assert (type(next_).__name__, type(weak_next).__name__) == ("LTLfNext", "LTLfWeakNext")
PYTHON

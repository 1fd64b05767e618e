#!/bin/sh
# ltlf2dfa 2.0.0 (PyPI): `a -> b -> c` is (a -> b) -> c.
#
# A good guess is a -> (b -> c): that is how Spot and NuSMV group implications, and printing
# the parsed formula gives `(a -> b -> c)`, which shows no grouping at all. Its negation normal form shows it.
# The word on which the two differ is the one without a, b and c: a -> (b -> c) is true there, (a -> b) -> c false.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet ltlf2dfa==2.0.0 lark==1.3.1
"$work/venv/bin/python" - <<'PYTHON'
from ltlf2dfa.parser.ltlf import LTLfParser

parse = LTLfParser()
chain = parse("a -> b -> c")
left, right = parse("(a -> b) -> c"), parse("a -> (b -> c)")
print("ltlf2dfa 2.0.0: parsed:", chain)
print("  negation normal form:", chain.to_nnf())
print("  of (a -> b) -> c:    ", left.to_nnf())
print("  of a -> (b -> c):    ", right.to_nnf())
assert str(chain) == "(a -> b -> c)"
assert str(chain.to_nnf()) == str(left.to_nnf()) != str(right.to_nnf())
PYTHON

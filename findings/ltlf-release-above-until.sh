#!/bin/sh
# ltlf2dfa 2.0.0 and pylogics 0.2.1 (PyPI): R binds tighter than U, and in pylogics M tighter than R and U tighter than W.
#
# A good guess is that the binary temporal operators share one level and group to the right, as for Spot (`a R b U c` is
# a R (b U c)), or to the left, as for Spin's U and V. Here each has a level of its own: `a R b U c` is (a R b) U c,
# and `a U b R c` is a U (b R c), so that neither "to the left" nor "to the right" describes both.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet ltlf2dfa==2.0.0 pylogics==0.2.1 lark==1.3.1
"$work/venv/bin/python" - <<'PYTHON'
from ltlf2dfa.parser.ltlf import LTLfParser
from pylogics.parsers import parse_ltl

for text, expected in [("a R b U c", "((a R b) U c)"), ("a U b R c", "(a U (b R c))")]:
    read = str(LTLfParser()(text))
    print("ltlf2dfa 2.0.0:", text, "is", read)
    assert read == expected
for text, expected in [
    ("a R b U c", "(until (release a b) c)"),
    ("a U b R c", "(until a (release b c))"),
    ("a M b R c", "(release (strong_release a b) c)"),
    ("a U b W c", "(weak_until (until a b) c)"),
    ("a W b U c", "(weak_until a (until b c))"),
]:
    read = str(parse_ltl(text))
    print("pylogics 0.2.1:", text, "is", read)
    assert read == expected
PYTHON

#!/bin/sh
# PySMT 0.9.6 (PyPI): `a -> b -> c` is (a -> b) -> c, and `a <-> b -> c` is (a <-> b) -> c.
#
# A good guess is to the right, as in logic and in the SMT-LIB standard, where (=> a b c) is right associative by its
# declaration. The printer puts brackets around everything, so that a text written by PySMT reads back right, and only people are
# misled. `->` and `<->` share a level, to the left; for Spot they share one to the right.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet PySMT==0.9.6
"$work/venv/bin/python" - <<'PYTHON'
from pysmt.parsing import parse
from pysmt.shortcuts import Symbol

for name in "abc":
    Symbol(name)
for text, expected in [
    ("a -> b -> c", "((a -> b) -> c)"),
    ("a -> b <-> c", "((a -> b) <-> c)"),
    ("a <-> b -> c", "((a <-> b) -> c)"),
]:
    read = parse(text).serialize()
    print("PySMT 0.9.6:", text, "is", read)
    assert read == expected
PYTHON

#!/bin/sh
# AEON 1.4.2 (PyPI, biodivine_aeon): `a EW b` and `a AW b` of its HCTL are the release, E(a R b) and A(a R b), not weak until.
#
# A good guess is weak until, as the methods for these operators are called (`is_exist_weak_until`), so that `a EW b` is
# `(a EU b) | (EG a)`: wherever b holds it is true at once, and wherever a can hold for ever. The tool itself gives other
# states for the two formulas: where b holds and a does not, `a EW b` is false. What it gives is the negation of
# `(~a) AU (~b)`: b has to hold up to a state where both do.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet biodivine_aeon==1.4.2
"$work/venv/bin/python" - <<'PYTHON'
from biodivine_aeon import AsynchronousGraph, BooleanNetwork, HctlFormula, ModelChecking

graph = AsynchronousGraph(BooleanNetwork.from_bnet("targets, factors\na, !b\nb, a & !b\n"))


def states(formula):
    found = ModelChecking.verify(graph, HctlFormula(formula)).vertices()
    return sorted(tuple(int(value) for value in state.values()) for state in found)


assert HctlFormula("a EW b").is_exist_weak_until()
for weak, meant, release in [
    ("a EW b", "(a EU b) | (EG a)", "~((~a) AU (~b))"),
    ("a AW b", "~((~b) EU ((~a) & (~b)))", "~((~a) EU (~b))"),
]:
    print(f"AEON 1.4.2: {weak} in {states(weak)}, weak until by its other operators in {states(meant)}")
    assert states(weak) == states(release) == [(1, 1)]
    assert states(meant) == [(0, 1), (1, 0), (1, 1)]
PYTHON

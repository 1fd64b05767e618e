#!/bin/sh
# pyModelChecking 1.3.4: formulas of LTL and CTL* with one temporal operator inside of another get other answers than their
# meaning; those of CTL that say the same get the right ones.
#
# A Kripke structure with one state that leads to itself and has the labels p and q has one path, on which p and q are always
# true. A guess: A (G (F q)) is true there, as A G (A F q) is, which CTL has for the same property. LTL and CTLS say that no
# state satisfies it, nor the response A (G (p --> (F q))). Of a state that leads to itself without labels CTLS says that it
# satisfies E ((F p) and (F q)), where E F p is false. Who compares with this package takes formulas of CTL, or flat ones.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyModelChecking==1.3.4
cat > "$folder/run.py" <<'PYTHON'
from pyModelChecking import CTL, CTLS, LTL, Kripke

both = Kripke(R=[(0, 0)], S0=[0], L={0: {"p", "q"}})
none = Kripke(R=[(0, 0)], S0=[0], L={0: set()})
questions = [
    (both, CTL, "A G (A F q)"),
    (both, LTL, "A (G (F q))"),
    (both, CTLS, "A (G (F q))"),
    (both, CTL, "A G (p --> A F q)"),
    (both, LTL, "A (G (p --> (F q)))"),
    (none, CTL, "E F p"),
    (none, CTLS, "E ((F p) and (F q))"),
]
for kripke, logic, text in questions:
    formula = logic.Parser()(text)
    print(logic.__name__.split(".")[-1], text, sorted(logic.modelcheck(kripke, formula)))
PYTHON
seen=$("$folder/venv/bin/python" "$folder/run.py")
expected="CTL A G (A F q) [0]
LTL A (G (F q)) []
CTLS A (G (F q)) []
CTL A G (p --> A F q) [0]
LTL A (G (p --> (F q))) []
CTL E F p []
CTLS E ((F p) and (F q)) [0]"
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected:"; printf '%s\n' "$expected"; exit 1; }

#!/bin/sh
# Spot 2.13 (PyPI: spottl 2.13.0.1): F[3:2] a and G[3:2] a have their ends exchanged; they are F[2:3] a and G[2:3] a.
#
# A good guess is that an interval without a moment is an error, or that F over it is false and G over it is true, as in
# metric temporal logic. There is no message, while the same interval of a repetition, {a[*3:2]}!, is refused as a
# "reversed range". F[2] a, with one bound, is an error, while X[2] a is not.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet spottl==2.13.0.1
"$work/venv/bin/python" - <<'PYTHON'
import spot

print("Spot", spot.version())
for empty, exchanged in [("F[3:2] a", "F[2:3] a"), ("G[3:2] a", "G[2:3] a")]:
    print(empty, "is", spot.formula(empty))
    assert spot.formula(empty) == spot.formula(exchanged)
    assert spot.formula(empty) not in (spot.formula("0"), spot.formula("1"))
try:
    spot.formula("{a[*3:2]}!")
    raise SystemExit("{a[*3:2]}! is read now")
except SyntaxError as error:
    print("{a[*3:2]}! is refused:", str(error).split()[-2:])
    assert "reversed range" in str(error)
try:
    spot.formula("F[2] a")
    raise SystemExit("F[2] a is read now")
except SyntaxError as error:
    print("F[2] a is refused; X[2] a is", spot.formula("X[2] a"))
PYTHON

#!/bin/sh
# py-aiger 8.1.0 (PyPI): a latch that may begin with either value begins with 1.
#
# AIGER 1.9: a latch has the reset 0, 1, or its own literal, which says that it begins with any value. py-aiger reads
# resets, so a good guess is that the third one is refused, as the bad states and constraints of 1.9 are, or that the
# latch begins with 0, as all did before 1.9. Instead any literal but 0 is 1: what is read and written again has the
# reset 1. Here the output is the latch, which keeps its value: it may be 0 for ever, and is always 1 in what py-aiger
# writes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet py-aiger==8.1.0
"$work/venv/bin/python" - <<'PYTHON'
import aiger

for name, reset, value in [("0", "0", False), ("1", "1", True), ("its own literal", "2", True)]:
    circuit = aiger.parse(f"aag 1 0 1 1 0\n2 2 {reset}\n2\no0 out\nl0 latch\n")
    outputs, _ = circuit({})
    written = str(circuit).splitlines()[1]
    print(f"py-aiger 8.1.0: reset to {name}: first output {outputs['out']}, the latch is written as {written!r}")
    assert outputs["out"] is value
    assert written == ("2 2 1" if value else "2 2 0")
PYTHON

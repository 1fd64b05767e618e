#!/bin/sh
# BenchExec takes "false(…)" for the result false, and every other result with something in brackets behind it for an error.
#
# Version: BenchExec 3.29.
#
# Guess: a tool-info module may return one of the RESULT_* strings with details in brackets, as "false(no-overflow)" and "OUT OF MEMORY (x)"
# in tables suggest; so "done (5)" counts as done, and "true (by induction)" as true.
#
# Seen: "done (5)", "true (x)", "true(x)" and "unknown (x)" are of the category `error`, where "done" is `missing`, "true" of a task with
# expected verdict true `correct`, and "unknown" is `unknown`. In summaries the runs stand among those that failed, and a right answer with
# details scores nothing. A second surprise: where the expected verdict is false *with a subproperty*, a plain "false" is neither
# correct nor wrong, but `unknown`; where it is false without one, "false(anything)" is correct.
#
# Why it matters: values do not belong into the status. They go into columns, by get_value_from_output of the module.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet BenchExec==3.29
printf 'CHECK( init(main()), LTL(G valid) )\n' > "$folder/valid.prp"
"$folder/venv/bin/python" - "$folder/valid.prp" <<'PYTHON'
import sys

from benchexec.result import ExpectedResult, Property, get_result_category

prop = Property.create(sys.argv[1])
right = [
    ("true", "done", "missing"),
    ("true", "done (5)", "error"),
    ("true", "true", "correct"),
    ("true", "true (x)", "error"),
    ("true", "true(x)", "error"),
    ("true", "unknown", "unknown"),
    ("true", "unknown (x)", "error"),
    ("false", "false", "correct"),
    ("false", "false(x)", "correct"),
    ("false(y)", "false(y)", "correct"),
    ("false(y)", "false", "unknown"),
    ("false(y)", "false(x)", "unknown"),
]
same = True
for expected, status, category in right:
    seen = get_result_category({prop.filename: ExpectedResult.from_str(expected)}, status, [prop])
    print(f"expected {expected:9} status {status:12} category {seen}")
    same &= seen == category
sys.exit(0 if same else 1)
PYTHON

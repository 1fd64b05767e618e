#!/usr/bin/env python3
"""Writes task definitions for BenchExec: one per question of an instance, with the answer that is expected.

    contrib/benchexec_tasks.py INSTANCES TASKS

INSTANCES has a folder per instance (model.pnml and the property files) and expected.csv, a table with the columns
instance, examination, formula_id and expected. TASKS gets a folder per examination with a file INSTANCE.QUESTION.yml per
question: names that differ, and so do those of the logs. Paths in them lead from TASKS to INSTANCES, so that both can be
moved together. Questions whose answer is a number have no verdict, which BenchExec does not know: `starset batch` compares
them. See contrib/starset.xml for the benchmark.
"""
import argparse
import csv
import os
import sys

# Examinations that ask one question, about the net alone, and what it is.
GLOBAL = {
    "ReachabilityDeadlock": "Can a marking without enabled transitions be reached?",
    "OneSafe": "Has no place ever more than one token?",
    "QuasiLiveness": "Can each transition be enabled?",
    "Liveness": "Can each transition always become enabled again?",
    "StableMarking": "Has some place the same number of tokens in all reachable markings?",
}
# Examinations with a file of properties.
PROPERTIES = [
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
    "UpperBounds",
]
VERDICTS = {"T": "true", "TRUE": "true", "F": "false", "FALSE": "false"}


def quoted(text):
    """A string of YAML."""
    return "'" + text.replace("'", "''") + "'"


def task(instance, examination, formula, expected, files, prp):
    """The text of a task definition."""
    lines = ["format_version: '2.0'", "input_files:", *(f"  - {quoted(file)}" for file in files)]
    lines += ["properties:", f"  - property_file: {quoted(prp)}"]
    if expected in VERDICTS:
        lines.append(f"    expected_verdict: {VERDICTS[expected]}")
    lines += ["options:", f"  examination: {quoted(examination)}"]
    if formula:
        lines.append(f"  formula: {quoted(formula)}")
    return "\n".join(lines) + "\n"


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def tasks(instances, table, out):
    """Writes the tasks of a table and says how many there are."""
    seen = {}
    with open(table, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        missing = {"instance", "examination", "formula_id", "expected"} - set(rows.fieldnames or ())
        if missing:
            sys.exit(f"{table}:1: no column {', '.join(sorted(missing))}")
        for row in rows:
            instance, examination = row["instance"].strip(), row["examination"].strip()
            formula, expected = row["formula_id"].strip(), row["expected"].strip().upper()
            if examination not in GLOBAL and examination not in PROPERTIES:
                continue
            folder = os.path.join(instances, instance)
            net = os.path.join(folder, "model.pnml")
            xml = os.path.join(folder, examination + ".xml")
            with_formula = examination in PROPERTIES
            if not os.path.exists(net) or with_formula and not os.path.exists(xml):
                print(f"{table}:{rows.line_num}: left out: {instance} has no files for {examination}", file=sys.stderr)
                continue
            # INSTANCE-EXAMINATION-2024-07 is 2024-07 of the examination.
            short = formula.removeprefix(f"{instance}-").removeprefix(f"{examination}-")
            name = f"{instance}.{examination}" + (f".{short}" if with_formula else "")
            name = "".join(c if c.isalnum() or c in "-_." else "_" for c in name) + ".yml"
            where = os.path.join(out, examination)
            if name in seen:
                sys.exit(f"{table}:{rows.line_num}: the second {formula} of {instance}; the first is in line {seen[name]}")
            seen[name] = rows.line_num
            files = [os.path.relpath(path, where) for path in ([net, xml] if with_formula else [net])]
            prp = os.path.join("..", "properties", examination + ".prp")
            write(os.path.join(where, name), task(instance, examination, with_formula and formula, expected, files, prp))
            about = GLOBAL.get(examination, "What the formula says that the option `formula` names.")
            write(os.path.join(out, "properties", examination + ".prp"), about + "\n")
    return len(seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("instances", metavar="INSTANCES", help="folder of instances")
    parser.add_argument("tasks", metavar="TASKS", help="folder to write to")
    parser.add_argument("--expected", metavar="FILE", help="the table [default: INSTANCES/expected.csv]")
    args = parser.parse_args()
    table = args.expected or os.path.join(args.instances, "expected.csv")
    try:
        number = tasks(args.instances, table, args.tasks)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    if not number:
        sys.exit(f"{table}: no question of an instance in {args.instances}")
    print(f"{number} tasks in {args.tasks}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Run the examinations of the Model Checking Contest and compare with the expected answers.

    benches/mcc.py SAMPLE [--tier tiny,small] [--only PATTERN] [--examinations A,B] [--time 60]
                   [--memory 8192] [--log FILE] [--command CMD]

SAMPLE is the folder with the instances, instances.csv and expected.csv. CMD is what runs one examination;
the words {dir}, {examination}, {time} and {memory} are replaced in it (seconds, MB). Prints one table: right,
wrong, unknown and unasked (nobody knows) answers by examination and tier, then the wrong ones and the slow
runs. The exit status is 1 if an answer is wrong. Needs nothing but Python 3.9.
"""
import argparse
import collections
import csv
import fnmatch
import os
import resource
import shlex
import subprocess
import sys
import time

EXAMINATIONS = [
    "StateSpace", "OneSafe", "StableMarking", "QuasiLiveness", "Liveness", "ReachabilityDeadlock", "UpperBounds",
    "ReachabilityCardinality", "ReachabilityFireability", "CTLCardinality", "CTLFireability", "LTLCardinality",
    "LTLFireability",
]
TIERS = ["tiny", "small", "medium", "large", "unbounded"]
DEFAULT = os.path.join(os.path.dirname(__file__), "..", "target", "release", "starset")
COMMAND = DEFAULT + " mcc {dir} --examination {examination} --time {time} --memory {memory}M"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sample")
    parser.add_argument("--tier", default="tiny,small,medium")
    parser.add_argument("--kind", default="PT", help="PT, COL or PT,COL")
    parser.add_argument("--only", default="*", help="pattern of instance names")
    parser.add_argument("--examinations", default=",".join(EXAMINATIONS))
    parser.add_argument("--time", type=float, default=60)
    parser.add_argument("--memory", type=int, default=8192)
    parser.add_argument("--log", help="append every answer as a line of CSV")
    parser.add_argument("--command", default=COMMAND)
    return parser.parse_args()


def read_expected(sample):
    expected = collections.defaultdict(dict)
    with open(os.path.join(sample, "expected.csv"), newline="") as file:
        for row in csv.DictReader(file):
            expected[row["instance"], row["examination"]][row["formula_id"]] = (row["expected"], row["support"])
    return expected


def agrees(answer, expected):
    """Whether an answer is the expected one; rounded expectations have five significant digits."""
    if expected.startswith("~"):
        return answer.isdigit() and abs(int(answer) - float(expected[1:])) <= float(expected[1:]) * 1e-4
    return answer == expected


def run(command, limit, memory):
    """The answers by identifier, the time at which each came, the total time, and an error if there was one."""
    start = time.monotonic()
    answers, times, error = {}, {}, ""

    def confine():
        # Reserved address space counts too, so the limit is only a safeguard against running wild.
        os.nice(10)
        resource.setrlimit(resource.RLIMIT_CPU, (int(4 * limit + 60), int(4 * limit + 60)))

    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=confine)
    for line in process.stdout:
        words = line.split()
        if len(words) >= 3 and words[0] in ("FORMULA", "STATE_SPACE"):
            if words[1] in answers:
                error = f"two answers to {words[1]}"
            answers[words[1]] = words[2]
            times[words[1]] = time.monotonic() - start
    messages = process.stderr.read()
    status = process.wait()
    if status not in (0, 3):
        error = f"exit status {status}: {messages.strip().splitlines()[-1:] or ''}"
    return answers, times, time.monotonic() - start, error


def main():
    options = arguments()
    expected = read_expected(options.sample)
    with open(os.path.join(options.sample, "instances.csv"), newline="") as file:
        instances = [row for row in csv.DictReader(file)
                     if row["tier"] in options.tier.split(",") and row["kind"] in options.kind.split(",")
                     and fnmatch.fnmatch(row["instance"], options.only)]
    instances.sort(key=lambda row: TIERS.index(row["tier"]))
    log = open(options.log, "a", newline="") if options.log else None
    counts = collections.Counter()
    wrong, slow, errors = [], [], []
    for row in instances:
        for examination in options.examinations.split(","):
            instance, tier = row["instance"], row["tier"]
            words = {"dir": os.path.join(options.sample, instance), "examination": examination,
                     "time": f"{options.time:g}", "memory": options.memory}
            command = [word.format(**words) for word in shlex.split(options.command)]
            answers, times, total, error = run(command, options.time, options.memory)
            if error:
                errors.append((instance, examination, error))
            counts[examination, tier, "seconds"] += total
            missing = 0
            for formula, (value, support) in expected[instance, examination].items():
                answer = answers.get(formula, "CANNOT_COMPUTE")
                if answer in ("CANNOT_COMPUTE", "-1"):
                    outcome = "unknown" if value != "?" else "unasked"
                    missing += 1
                elif value == "?":
                    outcome = "unasked"
                else:
                    outcome = "right" if agrees(answer, value) else "wrong"
                if outcome == "wrong":
                    wrong.append((instance, examination, formula, answer, value, support))
                counts[examination, tier, outcome] += 1
                if log:
                    seconds = f"{times.get(formula, total):.3f}"
                    csv.writer(log).writerow([instance, tier, examination, formula, answer, value, support, outcome,
                                              seconds])
            if missing or total > options.time / 2:
                slow.append((instance, examination, missing, total))
            if log:
                log.flush()
    report(options, counts, wrong, slow, errors)
    return 1 if wrong or errors else 0


def report(options, counts, wrong, slow, errors):
    print(f"{'examination':<25} {'tier':<9} {'right':>6} {'wrong':>6} {'unknown':>8} {'unasked':>8} {'answered':>9}"
          f" {'seconds':>8}")
    for examination in options.examinations.split(","):
        for tier in TIERS:
            right, bad, unknown, unasked = (counts[examination, tier, outcome]
                                            for outcome in ("right", "wrong", "unknown", "unasked"))
            asked = right + bad + unknown
            if asked + unasked == 0:
                continue
            share = f"{100 * (right + bad) / asked:.1f} %" if asked else "-"
            print(f"{examination:<25} {tier:<9} {right:>6} {bad:>6} {unknown:>8} {unasked:>8} {share:>9}"
                  f" {counts[examination, tier, 'seconds']:>8.1f}")
    for title, rows in (("wrong", wrong), ("errors", errors)):
        print(f"\n{title}: {len(rows)}")
        for row in rows:
            print("  " + " ".join(row))
    print(f"\nunanswered or slow: {len(slow)}")
    for instance, examination, missing, total in slow:
        print(f"  {instance} {examination}: {missing} unknown, {total:.1f} s")


if __name__ == "__main__":
    sys.exit(main())

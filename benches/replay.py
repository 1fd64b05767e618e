#!/usr/bin/env python3
"""Replay the witness of every false formula of LTL and CTL, by a reader and a firing rule of its own.

    benches/replay.py SAMPLE [--tier tiny] [--only PATTERN] [--engine symbolic] [--time 60] [--starset FILE]

SAMPLE is the folder of the contest's instances, with instances.csv. Asks starset for the witnesses of all formulas of
the P/T nets of the tier, and checks of each false one that there is a witness; of each run that its transitions
are enabled and lead to the markings shown, that a loop closes, that a deadlock is one; and that runs start where
they are referred to. What holds along a run is checked by starset itself before it shows the witness. Prints a line
per file and the totals. The exit status is 1 if anything is wrong. Needs nothing but Python 3.9.
"""
import argparse
import collections
import csv
import fnmatch
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ["LTLCardinality", "LTLFireability", "CTLCardinality", "CTLFireability"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sample")
    parser.add_argument("--tier", default="tiny")
    parser.add_argument("--only", default="*", help="pattern of instance names")
    parser.add_argument("--engine", default="symbolic")
    parser.add_argument("--time", default="60", help="seconds per file")
    parser.add_argument("--starset", default=os.path.join(HERE, "..", "target", "release", "starset"))
    return parser.parse_args()


class Net:
    """A P/T net as its file says."""

    def __init__(self, path):
        self.initial, self.pre, self.post = {}, collections.defaultdict(dict), collections.defaultdict(dict)
        arcs = []
        for element in ElementTree.parse(path).iter():
            kind = element.tag.split("}")[-1]
            if kind == "place":
                tokens = number(element, "initialMarking", 0)
                if tokens:
                    self.initial[element.get("id")] = tokens
            elif kind == "transition":
                self.pre[element.get("id")], self.post[element.get("id")] = {}, {}
            elif kind == "arc":
                arcs.append((element.get("source"), element.get("target"), number(element, "inscription", 1)))
        for source, target, weight in arcs:
            if target in self.pre:
                self.pre[target][source] = self.pre[target].get(source, 0) + weight
            else:
                self.post[source][target] = self.post[source].get(target, 0) + weight

    def enabled(self, transition, marking):
        return all(marking.get(place, 0) >= weight for place, weight in self.pre[transition].items())

    def fire(self, transition, marking):
        after = collections.Counter(marking)
        after.subtract(self.pre[transition])
        after.update(self.post[transition])
        return {place: tokens for place, tokens in after.items() if tokens}


def number(element, tag, otherwise):
    for child in element:
        if child.tag.split("}")[-1] == tag:
            return int("".join(child.itertext()).strip() or otherwise)
    return otherwise


def check_run(net, run):
    """What is wrong with a run, or None."""
    markings = [{place: int(tokens) for place, tokens in state["marking"].items()} for state in run["states"]]
    for at, label in enumerate(run["labels"]):
        if label not in net.pre:
            return f"no transition {label}"
        if not net.enabled(label, markings[at]):
            return f"{label} is not enabled at {at}"
        following = at + 1 if at + 1 < len(markings) else run["loop_index"]
        if following is None or net.fire(label, markings[at]) != markings[following]:
            return f"{label} leads elsewhere than to {following}"
    if run["end"] == "loop" and len(run["labels"]) != len(markings):
        return "the loop is not closed"
    if run["end"] != "loop" and len(run["labels"]) + 1 != len(markings):
        return "the run is not connected"
    if run["end"] == "deadlock" and any(net.enabled(label, markings[-1]) for label in net.pre):
        return "its end is no deadlock"
    return None


def starts(net, witness):
    """Pairs of the number of a run and the marking that it has to start in."""
    waiting = [(witness["reason"], net.initial)]
    for run in witness["runs"]:
        for state in run["states"]:
            marking = {place: int(tokens) for place, tokens in state["marking"].items()}
            waiting += [(part["reason"], marking) for part in state["parts"] if part.get("reason")]
    while waiting:
        reason, marking = waiting.pop()
        if reason["because"] == "run":
            yield reason["run"], marking
        waiting += [(part, marking) for part in reason.get("parts") or []]


def check_witness(net, answer):
    """What is wrong with the witness of an answer, or None."""
    witness = answer.get("witness")
    if witness is None:
        return answer.get("witness_message") or "no witness"
    if witness["reason"]["holds"] != answer["verdict"]:
        return "it explains the opposite"
    for index, run in enumerate(witness["runs"]):
        wrong = check_run(net, run)
        if wrong:
            return f"run {index}: {wrong}"
    for index, marking in starts(net, witness):
        first = {place: int(tokens) for place, tokens in witness["runs"][index]["states"][0]["marking"].items()}
        if first != marking:
            return f"run {index} starts elsewhere"
    return None


def main():
    args = arguments()
    totals = collections.Counter()
    with open(os.path.join(args.sample, "instances.csv"), newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["tier"] == args.tier and row["kind"] == "PT"]
    for row in rows:
        if not fnmatch.fnmatch(row["instance"], args.only):
            continue
        folder = os.path.join(args.sample, row["instance"])
        net = Net(os.path.join(folder, "model.pnml"))
        for name in FILES:
            command = [args.starset, "check", folder, "-x", os.path.join(folder, name + ".xml"), "--witness", "--json"]
            command += ["-q", "--engine", args.engine, "--time", args.time]
            result = subprocess.run(command, capture_output=True, text=True)
            counts = collections.Counter()
            for line in result.stdout.splitlines():
                answer = json.loads(line)
                if answer["verdict"] is not False:
                    counts["true" if answer["verdict"] else "unknown"] += 1
                    continue
                wrong = check_witness(net, answer)
                counts["false"] += 1
                counts["replayed" if wrong is None else "wrong"] += 1
                counts["runs"] += len((answer.get("witness") or {}).get("runs", []))
                if wrong:
                    print(f"{answer['id']}: {wrong}")
            if result.returncode not in (0, 3):
                print(f"{row['instance']} {name}: status {result.returncode}: {result.stderr.strip()[:200]}")
                counts["wrong"] += 1
            print(f"{row['instance']} {name}: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
            totals.update(counts)
    print("all: " + ", ".join(f"{n} {what}" for what, n in sorted(totals.items())))
    return 1 if totals["wrong"] or totals["replayed"] != totals["false"] else 0


if __name__ == "__main__":
    sys.exit(main())

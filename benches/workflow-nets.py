#!/usr/bin/env python3
"""Ask starset and pm4py for the soundness of random workflow nets, and decide by a search of all markings who is right.

    benches/workflow-nets.py [--nets 500] [--seed 1] [--seconds 20] [--keep FOLDER] [--starset FILE]

A net begins as one transition between source and sink. Places and transitions are refined by sequences, choices, parallel
branches and loops; then some nets get arcs at random, which most are not sound with. The search lists markings until one is
covered by an earlier one on its way (the net is unbounded, so not sound), and asks the definition. Prints what they answer
how often, and the nets of which somebody says something else than the search; `--keep` writes these as PNML. The exit status
is 1 if that is starset. Where pm4py is not installed that is said, and starset alone is held against the search.
"""
import argparse
import collections
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
MOST = 20_000


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nets", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=20, help="for pm4py, each net")
    parser.add_argument("--keep", help="folder for the nets that somebody is wrong about")
    parser.add_argument("--starset", default=os.path.join(HERE, "..", "target", "release", "starset"))
    return parser.parse_args()


class Net:
    """Places by number, the source 0 and the sink 1; of each transition its places before and after it."""

    def __init__(self, rng):
        self.rng, self.places, self.before, self.after = rng, 2, [{0}], [{1}]
        for _ in range(rng.randint(2, 9)):
            self.refine()
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
            self.disturb()

    def place(self):
        self.places += 1
        return self.places - 1

    def transition(self, before, after):
        self.before.append(set(before))
        self.after.append(set(after))

    def refine(self):
        at, kind = self.rng.randrange(len(self.before)), self.rng.randrange(5)
        if kind == 0:  # A transition becomes two, one after the other.
            place, after = self.place(), self.after[at]
            self.after[at] = {place}
            self.transition([place], after)
        elif kind == 1:  # Another way to do the same.
            self.transition(self.before[at], self.after[at])
        elif kind == 2:  # A branch beside what is between two transitions.
            place, other, after = self.place(), self.place(), self.after[at]
            self.after[at] = {place, other}
            self.transition([place, other], after)
        elif kind == 3:  # A transition is a branch of its own.
            first, last, place, other = (self.place() for _ in range(4))
            before, after = self.before[at], self.after[at]
            self.before[at], self.after[at] = {first}, {last}
            self.transition(before, {first, place})
            self.transition([place], [other])
            self.transition({last, other}, after)
        else:  # A loop at a place inside.
            inside = [place for place in range(2, self.places)]
            if inside:
                place, other = self.rng.choice(inside), self.place()
                self.transition([place], [other])
                self.transition([other], [place])

    def disturb(self):
        at, place = self.rng.randrange(len(self.before)), self.rng.randrange(self.places)
        if self.rng.random() < 0.5:
            if place != 1:
                self.before[at].add(place)
        elif place != 0:
            self.after[at].add(place)

    def sound(self):
        """By the definition; None if there are too many markings."""
        first = tuple(int(place == 0) for place in range(self.places))
        end = tuple(int(place == 1) for place in range(self.places))
        numbers, markings, parents, edges = {first: 0}, [first], [None], []
        for number, marking in enumerate(markings):
            for at, (before, after) in enumerate(zip(self.before, self.after)):
                if not all(marking[place] for place in before):
                    continue
                later = tuple(n - (p in before) + (p in after) for p, n in enumerate(marking))
                if later not in numbers:
                    numbers[later] = len(markings)
                    markings.append(later)
                    parents.append(number)
                    earlier = number
                    while earlier is not None:
                        if all(a <= b for a, b in zip(markings[earlier], later)):
                            return False
                        earlier = parents[earlier]
                edges.append((number, at, numbers[later]))
            if len(markings) > MOST:
                return None
        if {at for _, at, _ in edges} != set(range(len(self.before))) or end not in numbers:
            return False
        if any(marking[1] and marking != end for marking in markings):
            return False
        sources = collections.defaultdict(list)
        for source, _, target in edges:
            sources[target].append(source)
        seen, open_ones = {numbers[end]}, [numbers[end]]
        while open_ones:
            for source in sources[open_ones.pop()]:
                if source not in seen:
                    seen.add(source)
                    open_ones.append(source)
        return len(seen) == len(markings)

    def pnml(self):
        text = ['<?xml version="1.0"?><pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" '
                'type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="page">']
        for place in range(self.places):
            tokens = "<initialMarking><text>1</text></initialMarking>" if place == 0 else ""
            text.append(f'<place id="p{place}">{tokens}</place>')
        for at, (before, after) in enumerate(zip(self.before, self.after)):
            text.append(f'<transition id="t{at}"/>')
            text += [f'<arc id="p{p}-t{at}" source="p{p}" target="t{at}"/>' for p in sorted(before)]
            text += [f'<arc id="t{at}-p{p}" source="t{at}" target="p{p}"/>' for p in sorted(after)]
        return "\n".join(text + ["</page></net></pnml>\n"])


def by_starset(program, path):
    done = subprocess.run([program, "soundness", path, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout)["classical"] if done.stdout else f"status {done.returncode}: {done.stderr.strip()}"


class TooLong(Exception):
    """pm4py takes longer than it may."""


def by_pm4py(net, seconds):
    import pm4py
    from pm4py.objects.petri_net.obj import Marking, PetriNet
    from pm4py.objects.petri_net.utils import petri_utils

    theirs = PetriNet("n")
    places = [PetriNet.Place(f"p{place}") for place in range(net.places)]
    theirs.places.update(places)
    for at, (before, after) in enumerate(zip(net.before, net.after)):
        transition = PetriNet.Transition(f"t{at}", f"t{at}")
        theirs.transitions.add(transition)
        for place in sorted(before):
            petri_utils.add_arc_from_to(places[place], transition, theirs)
        for place in sorted(after):
            petri_utils.add_arc_from_to(transition, places[place], theirs)

    def end(*_):
        raise TooLong

    signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        found = pm4py.check_soundness(theirs, Marking({places[0]: 1}), Marking({places[1]: 1}), print_diagnostics=False)
        return found[0] if isinstance(found, tuple) else found
    except TooLong:
        return "too long"
    except Exception as error:  # Whatever it ends with is no answer.
        return type(error).__name__
    finally:
        signal.alarm(0)


def main():
    asked = arguments()
    warnings.filterwarnings("ignore")
    try:
        import pm4py
        print(f"pm4py {pm4py.__version__}, {asked.nets} nets, seed {asked.seed}")
    except ImportError:
        pm4py = None
        print(f"pm4py is not installed: starset alone, {asked.nets} nets, seed {asked.seed}")
    rng, counts, wrong = random.Random(asked.seed), collections.Counter(), False
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.nets):
            net = Net(rng)
            path = os.path.join(folder, f"net-{asked.seed}-{number}.pnml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(net.pnml())
            right, ours = net.sound(), by_starset(asked.starset, path)
            theirs = by_pm4py(net, asked.seconds) if pm4py else None
            counts[right, ours, theirs] += 1
            differs = right is not None and (ours != right or isinstance(theirs, bool) and theirs != right)
            if differs:
                print(f"net {number}: by the search {right}, starset {ours}, pm4py {theirs}")
                if asked.keep:
                    os.makedirs(asked.keep, exist_ok=True)
                    os.replace(path, os.path.join(asked.keep, os.path.basename(path)))
            wrong |= right is not None and ours != right
    print("search  starset  pm4py     nets")
    for (right, ours, theirs), count in sorted(counts.items(), key=str):
        print(f"{right!s:7} {ours!s:8} {theirs!s:9} {count}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())

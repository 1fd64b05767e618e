#!/bin/sh
# pm4py's check_soundness takes an initial and a final marking, and does not look at what the final marking is.
#
# Version: pm4py 2.7.23.11.
#
# Guess: `check_soundness(net, initial, final)` asks whether the run from `initial` can always come to `final`, as its signature
# and "option to complete" say; so a final marking that no run reaches makes the net unsound.
#
# Seen: the net i -> a -> p -> b -> o from one token in i is called sound for the final marking [o], for [2 o] and for [p]. From [i] no run
# reaches [2 o], and [p] is left again at once. WOFLAN adds a transition from the one sink place of the net back to its one source
# place and asks for liveness and boundedness of that; where the tokens are to be in the end is a matter of the net's form alone.
# Of the initial marking the tokens count: without any, the same net is not sound.
#
# Why it matters: nets whose final marking is not one token in the sink (several ends, weighted last arcs) are judged by another question
# than the one that was asked. Whoever compares with pm4py must give both tools the marking [o], or ask reachability themselves.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pm4py==2.7.23.11
"$folder/venv/bin/python" - <<'PYTHON'
import collections
import sys
import warnings

warnings.filterwarnings("ignore")
import pm4py
from pm4py.objects.petri_net import semantics
from pm4py.objects.petri_net.obj import Marking, PetriNet
from pm4py.objects.petri_net.utils import petri_utils

net = PetriNet("line")
places = {name: PetriNet.Place(name) for name in ("i", "p", "o")}
net.places.update(places.values())
for name, before, after in (("a", "i", "p"), ("b", "p", "o")):
    transition = PetriNet.Transition(name, name)
    net.transitions.add(transition)
    petri_utils.add_arc_from_to(places[before], transition, net)
    petri_utils.add_arc_from_to(transition, places[after], net)


def marking(**tokens):
    return Marking({places[name]: n for name, n in tokens.items()})


def reachable(initial):
    seen, queue = [initial], collections.deque([initial])
    while queue:
        current = queue.popleft()
        for transition in semantics.enabled_transitions(net, current):
            later = semantics.execute(transition, net, current)
            if later not in seen:
                seen.append(later)
                queue.append(later)
    return seen


initial = marking(i=1)
seen = []
for final in (marking(o=1), marking(o=2), marking(p=1)):
    sound = pm4py.check_soundness(net, initial, final, print_diagnostics=False)
    sound = sound[0] if isinstance(sound, tuple) else sound
    is_reached = final in reachable(initial)
    print(f"from {initial} to {final}: sound {sound}, the final marking is {'' if is_reached else 'not '}reachable")
    seen.append((sound, is_reached))
sys.exit(0 if seen == [(True, True), (True, False), (True, True)] else 1)
PYTHON

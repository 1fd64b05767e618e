#!/bin/sh
# pm4py's check_soundness calls a sound net unsound where no S-components cover it.
#
# Version: pm4py 2.7.23.11.
#
# Guess: WOFLAN reports places that no S-component covers as a hint. A sound net is covered by S-components if it is free-choice
# (van der Aalst, "Workflow verification", 2000), and need not be otherwise: so the check goes on to the state space, where soundness
# is decided.
#
# Seen: the net i -> t1 -> {a, b}, in which `a` and `b` each lead by a transition of their own to a token in the same place z, from
# where two others, told apart by one place each, lead on to `ya` and `yb`, and these together to o. From every state the end can be
# reached with nothing left over, and every transition fires; the check ends at the cover and says False.
#
# Why it matters: `soundness` of starset says sound for such nets (miners of pm4py make them: heuristics), and whoever compares finds a
# difference that is none of the net.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pm4py==2.7.23.11
"$folder/venv/bin/python" - <<'PYTHON'
import sys
import warnings

warnings.filterwarnings("ignore")
import pm4py
from pm4py.objects.petri_net import semantics
from pm4py.objects.petri_net.obj import Marking, PetriNet
from pm4py.objects.petri_net.utils import petri_utils

net, nodes = PetriNet("two in one place"), {}
for arc in "i t1, t1 a, t1 b, a t2, t2 z, t2 ra, b t3, t3 z, t3 rb, z t4, ra t4, t4 ya, z t5, rb t5, t5 yb, ya t6, yb t6, t6 o".split(", "):
    for name in arc.split():
        if name not in nodes:
            is_transition = name.startswith("t")
            nodes[name] = PetriNet.Transition(name, name) if is_transition else PetriNet.Place(name)
            (net.transitions if is_transition else net.places).add(nodes[name])
    petri_utils.add_arc_from_to(*(nodes[name] for name in arc.split()), net)
initial, final = Marking({nodes["i"]: 1}), Marking({nodes["o"]: 1})

states, edges = [initial], []
for state in states:
    for transition in semantics.enabled_transitions(net, state):
        later = semantics.execute(transition, net, state)
        if later not in states:
            states.append(later)
        edges.append((states.index(state), transition, states.index(later)))
completes = {states.index(final)}
for _ in states:
    completes |= {source for source, _, target in edges if target in completes}
sound = (
    len(completes) == len(states)
    and {transition for _, transition, _ in edges} == set(net.transitions)
    and all(state == final or nodes["o"] not in state for state in states)
)
called = pm4py.check_soundness(net, initial, final, print_diagnostics=False)
called = called[0] if isinstance(called, tuple) else called
print(f"{len(states)} states, by their definition sound: {sound}; check_soundness: {called}")
sys.exit(0 if (sound, called) == (True, False) else 1)
PYTHON

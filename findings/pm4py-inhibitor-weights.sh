#!/bin/sh
# pm4py 2.7.23.11: an inhibitor arc of weight 2 keeps its weight in files, and disables its transition from one token on.
#
# An inhibitor arc of weight w disables its transition where the place has w tokens or more (Hack 1975, "Petri net
# languages"; TAPAAL, GreatSPN, TINA). `InhibitorNet` takes arcs with weights, `write_pnml` and `read_pnml` keep them. A
# guess: `InhibitorResetSemantics` compares with the weight, as it does for arcs that consume. Instead any token disables
# the transition, so that a buffer of two that fills itself has two markings in pm4py, and three in tools that read
# its file.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pm4py==2.7.23.11
cat > "$folder/run.py" <<'PYTHON'
import os, sys, warnings
warnings.simplefilter("ignore")
import pm4py
from pm4py.objects.petri_net.inhibitor_reset.semantics import InhibitorResetSemantics
from pm4py.objects.petri_net.obj import InhibitorNet, Marking
from pm4py.objects.petri_net.utils import petri_utils

net = InhibitorNet("buffer")
free, full, fill = net.Place("free"), net.Place("full"), net.Transition("fill", "fill")
net.places.update([free, full])
net.transitions.add(fill)
petri_utils.add_arc_from_to(free, fill, net)
petri_utils.add_arc_from_to(fill, full, net)
petri_utils.add_arc_from_to(full, fill, net, weight=2, type="inhibitor")
path = os.path.join(sys.argv[1], "buffer.pnml")
pm4py.write_pnml(net, Marking({free: 5}), Marking(), path)
net, marking, _ = pm4py.read_pnml(path)
[weight] = [arc.weight for arc in net.arcs if (arc.properties or {}).get("arctype") == "inhibitor"]
[fill] = net.transitions
semantics, fired = InhibitorResetSemantics(), 0
while semantics.is_enabled(fill, net, marking):
    marking, fired = semantics.execute(fill, net, marking), fired + 1
print(f"inhibitor arc of weight {weight}: filled {fired} times")
PYTHON
seen=$("$folder/venv/bin/python" "$folder/run.py" "$folder" | grep filled)
expected="inhibitor arc of weight 2: filled 1 times"
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected: $expected"; exit 1; }

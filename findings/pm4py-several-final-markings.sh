#!/bin/sh
# pm4py reads several final markings of a PNML file, each of which ends a run, as one marking with all their tokens.
#
# Version: pm4py 2.7.23.11.
#
# Guess: the element <finalmarkings> holds a list of <marking>s, since a net may end in several ways (ProM writes one for each).
# A reader with room for one would take the first, or the last, or refuse the file.
#
# Seen: for a net that ends in a or in b, `read_pnml` gives the final marking {a: 1, b: 1}. No run reaches it, as one token is chosen from.
# So a log of one activity that the net allows does not fit it: alignments end with the message that the net is not "easy sound", where with
# the final marking [a] alone the fitness is 1.
#
# Why it matters: files are valid for both tools and mean another language in each; nothing is said. A file with several final markings
# must be written with one of them, or its ends joined in one place, before pm4py reads it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pm4py==2.7.23.11
cat > "$folder/choice.pnml" <<'PNML'
<?xml version="1.0" encoding="UTF-8"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="choice" type="http://www.pnml.org/version-2009/grammar/pnmlcoremodel"><page id="page">
<place id="i"><initialMarking><text>1</text></initialMarking></place><place id="a"/><place id="b"/>
<transition id="x"><name><text>x</text></name></transition><transition id="y"><name><text>y</text></name></transition>
<arc id="e1" source="i" target="x"/><arc id="e2" source="x" target="a"/>
<arc id="e3" source="i" target="y"/><arc id="e4" source="y" target="b"/></page>
<finalmarkings>
<marking><place idref="a"><text>1</text></place></marking>
<marking><place idref="b"><text>1</text></place></marking>
</finalmarkings></net></pnml>
PNML
"$folder/venv/bin/python" - "$folder/choice.pnml" <<'PYTHON'
import sys
import warnings

warnings.filterwarnings("ignore")
import pm4py
from pm4py.objects.log.obj import Event, EventLog, Trace
from pm4py.objects.petri_net.obj import Marking

net, initial, final = pm4py.read_pnml(sys.argv[1])
tokens = sorted((place.name, n) for place, n in final.items())
log = EventLog([Trace([Event({"concept:name": "x"})])])


def fitness(final):
    return pm4py.algo.conformance.alignments.petri_net.algorithm.apply(log, net, initial, final)[0]["fitness"]


one = Marking({place: n for place, n in final.items() if place.name == "a"})
print(f"final marking {tokens}")
seen = []
for name, marking in (("the marking that was read", final), ("[a] alone", one)):
    try:
        value = fitness(marking)
    except Exception as error:  # no way to the final marking at all
        value = f"{type(error).__name__}: {error}"
    print(f"fitness of the trace x with {name}: {value}")
    seen.append(value)
sys.exit(0 if tokens == [("a", 1), ("b", 1)] and seen[0] != 1.0 and seen[1] == 1.0 else 1)
PYTHON

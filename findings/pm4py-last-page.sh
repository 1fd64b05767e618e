#!/bin/sh
# pm4py 2.7.23.11: of a net with several pages the last one is read, and reference nodes are passed over.
#
# PNML: pages only group the nodes of one net, and a reference place stands for the place that it names. Files of the Model Checking
# Contest and of PNML Framework have both. A guess: pages are put together. Instead the last page is the net, and an arc that
# begins at a reference place is dropped. Neither is said.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pm4py==2.7.23.11
cat > "$folder/pages.pnml" <<'PNML'
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<page id="one"><place id="p"><initialMarking><text>1</text></initialMarking></place><transition id="t"/>
<arc id="a" source="p" target="t"/></page>
<page id="two"><place id="q"/><transition id="u"/><referencePlace id="r" ref="p"/>
<arc id="b" source="r" target="u"/><arc id="c" source="u" target="q"/></page>
</net></pnml>
PNML
cat > "$folder/run.py" <<'PYTHON'
import sys, warnings
warnings.simplefilter("ignore")
import pm4py
net, initial, _ = pm4py.read_pnml(sys.argv[1])
print("places:", sorted(place.name for place in net.places), "transitions:", sorted(t.name for t in net.transitions))
print("arcs:", sorted((arc.source.name, arc.target.name) for arc in net.arcs), "initial:", dict(initial))
PYTHON
seen=$("$folder/venv/bin/python" "$folder/run.py" "$folder/pages.pnml")
expected="places: ['q'] transitions: ['u']
arcs: [('u', 'q')] initial: {}"
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected:"; printf '%s\n' "$expected"; exit 1; }

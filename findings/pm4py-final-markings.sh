#!/bin/sh
# pm4py 2.7.23.11: several final markings are read as one.
#
# ProM's `<finalmarkings>` lists markings, in any of which a process may end: {p}, or two tokens on q. A guess: pm4py, which has one
# final marking, takes the first or refuses. Instead all of them become a single marking with the tokens of each, in which neither
# of the two is.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pm4py==2.7.23.11
cat > "$folder/net.pnml" <<'PNML'
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>1</text></initialMarking></place><place id="q"/><transition id="t"/>
<arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"><inscription><text>2</text></inscription></arc></page>
<finalmarkings><marking><place idref="p"><text>1</text></place></marking>
<marking><place idref="q"><text>2</text></place></marking></finalmarkings></net></pnml>
PNML
cat > "$folder/run.py" <<'PYTHON'
import sys, warnings
warnings.simplefilter("ignore")
import pm4py
_, _, final = pm4py.read_pnml(sys.argv[1])
print("the final marking:", sorted((place.name, n) for place, n in final.items()))
PYTHON
seen=$("$folder/venv/bin/python" "$folder/run.py" "$folder/net.pnml")
expected="the final marking: [('p', 1), ('q', 2)]"
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected:"; printf '%s\n' "$expected"; exit 1; }

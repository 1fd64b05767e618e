#!/bin/sh
# pm4py 2.7.23.11: parallel arcs need one token between them and take one each.
#
# PNML: two arcs from a place to a transition are arcs of a multiset; together they have the weight 2. A guess: pm4py adds their
# weights, or keeps the last. Instead it keeps both, asks whether the place has enough tokens for each of them alone, and takes the
# tokens of both. So a transition fires that must not, and the place is left with -1 token.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pm4py==2.7.23.11
cat > "$folder/net.pnml" <<'PNML'
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>1</text></initialMarking></place><place id="q"/><transition id="t"/>
<arc id="a1" source="p" target="t"/><arc id="a2" source="p" target="t"/><arc id="b" source="t" target="q"/>
</page></net></pnml>
PNML
cat > "$folder/run.py" <<'PYTHON'
import sys, warnings
warnings.simplefilter("ignore")
import pm4py
from pm4py.objects.petri_net import semantics
net, initial, _ = pm4py.read_pnml(sys.argv[1])
(t,) = net.transitions
print("enabled with one token:", semantics.is_enabled(t, net, initial))
print("after it:", sorted((place.name, n) for place, n in semantics.execute(t, net, initial).items()))
PYTHON
seen=$("$folder/venv/bin/python" "$folder/run.py" "$folder/net.pnml")
expected="enabled with one token: True
after it: [('p', -1), ('q', 1)]"
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected:"; printf '%s\n' "$expected"; exit 1; }

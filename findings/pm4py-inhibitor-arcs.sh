#!/bin/sh
# pm4py 2.7.23.11: an inhibitor arc is one only with <arctype>; marked in any other way it is an ordinary arc.
#
# The standard has no inhibitor arcs; tools mark them with an attribute (TAPAAL: `type`), with `<type value="inhibitor"/>` (PIPE,
# GreatSPN, TINA), or with `<arctype><text>inhibitor</text></arctype>` (the extension of van der Werf and Hillah). A guess: pm4py,
# which has inhibitor nets, knows the marks of the others, or refuses them. Instead they are passed over, and a transition that
# must wait until a place is empty takes a token from it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pm4py==2.7.23.11
cat > "$folder/run.py" <<'PYTHON'
import os, sys, warnings
warnings.simplefilter("ignore")
import pm4py
marks = {
    "attribute": ("type='inhibitor'", ""),
    "type": ("", "<type value='inhibitor'/>"),
    "arctype": ("", "<arctype><text>inhibitor</text></arctype>"),
}
for name, (attribute, element) in marks.items():
    path = os.path.join(sys.argv[1], name + ".pnml")
    with open(path, "w") as file:
        file.write("<pnml xmlns='http://www.pnml.org/version-2009/grammar/pnml'><net id='n' "
                   "type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'><place id='p'/><transition id='t'/>"
                   f"<arc id='a' source='p' target='t' {attribute}>{element}</arc></page></net></pnml>")
    net, _, _ = pm4py.read_pnml(path)
    print(name + ":", type(net).__name__, [type(arc).__name__ for arc in net.arcs])
PYTHON
seen=$("$folder/venv/bin/python" "$folder/run.py" "$folder")
expected="attribute: PetriNet ['Arc']
type: PetriNet ['Arc']
arctype: InhibitorNet ['InhibitorArc']"
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected:"; printf '%s\n' "$expected"; exit 1; }

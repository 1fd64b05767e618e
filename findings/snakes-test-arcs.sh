#!/bin/sh
# SNAKES 0.9.33: a test arc inside a MultiArc is an ordinary arc once the net has been written as PNML.
#
# An arc of SNAKES may take one token and test for another: MultiArc([Value(dot), Test(Value(dot))]). Test arcs alone are written as
# <test>. A guess: inside a MultiArc they are, too. Instead the annotation is written as the weight 2, and the net that is read
# back takes both tokens.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check SNAKES==0.9.33
cat > "$folder/run.py" <<'PYTHON'
import re
from snakes.nets import MultiArc, PetriNet, Place, Test, Transition, Value, dot, tBlackToken
from snakes.pnml import dumps, loads

def fired(net):
    transition = net.transition("t")
    transition.fire(transition.modes()[0])
    return net.place("p").tokens.size()

def net():
    net = PetriNet("n")
    net.add_place(Place("p", [dot, dot], tBlackToken))
    net.add_transition(Transition("t"))
    net.add_input("p", "t", MultiArc([Value(dot), Test(Value(dot))]))
    return net

print("tokens left:", fired(net()))
text = dumps(net())
print("written:", re.search(r"<inscription>\s*(\S+)\s*</inscription>", text).group(1))
print("tokens left in the net that was read back:", fired(loads(text)))
PYTHON
seen=$("$folder/venv/bin/python" "$folder/run.py")
expected="tokens left: 1
written: <text>2</text>
tokens left in the net that was read back: 0"
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected:"; printf '%s\n' "$expected"; exit 1; }

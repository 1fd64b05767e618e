#!/bin/sh
# pm4py 2.7.23.11: an inclusive gateway of BPMN may take no way at all where an inclusive one joins, and must take all
# where none does.
#
# BPMN 2.0: behind an inclusive gateway one or more ways are taken (13.4.3), whatever comes later in the diagram; a
# token on each way goes through an exclusive join by itself. A guess: `convert_to_petri_net` has a run for each set
# of ways but the empty one, or refuses the gateway. Instead, with an inclusive join, each way may be passed over, all
# of them in one run, so that a process which always does something has the empty trace. With an exclusive join the
# gateway is a parallel one: the traces with one activity, which are those of a process that ends properly, are not
# there.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pm4py==2.7.23.11
cat > "$folder/run.py" <<'PYTHON'
import os, sys, warnings
warnings.simplefilter("ignore")
import pm4py
from pm4py.objects.petri_net import semantics


def traces(net, marking, trace):
    enabled = semantics.enabled_transitions(net, marking)
    if not enabled:
        return {trace or "nothing"}
    return set().union(*(traces(net, semantics.execute(t, net, marking), trace + (t.label or "")) for t in enabled))


for join in ("inclusive", "exclusive"):
    path = os.path.join(sys.argv[1], "diagram.bpmn")
    with open(path, "w") as file:
        file.write("<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' id='d' targetNamespace='urn:example'>"
                   f"<process id='p'><startEvent id='start'/><inclusiveGateway id='split'/><{join}Gateway id='join'/>"
                   "<task id='a' name='a'/><task id='b' name='b'/><endEvent id='end'/>")
        for index, flow in enumerate(["start split", "split a", "split b", "a join", "b join", "join end"]):
            source, target = flow.split()
            file.write(f"<sequenceFlow id='f{index}' sourceRef='{source}' targetRef='{target}'/>")
        file.write("</process></definitions>")
    net, initial, _ = pm4py.convert_to_petri_net(pm4py.read_bpmn(path))
    print(f"{join} join: traces {', '.join(sorted(traces(net, initial, '')))}")
PYTHON
seen=$("$folder/venv/bin/python" "$folder/run.py" "$folder" | grep traces)
expected="inclusive join: traces a, ab, b, ba, nothing
exclusive join: traces ab, ba"
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected:"; printf '%s\n' "$expected"; exit 1; }

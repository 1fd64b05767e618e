#!/bin/sh
# bpmn-moddle 10.3.1 (npm), which bpmn.io and Camunda's Modeler read diagrams with: the boolean attribute "1" is false.
#
# BPMN's schema gives such attributes the type xs:boolean, whose true is written `true` or `1`. A good guess is that both
# are read, or that 1 gets a warning, as unresolved references do. Anything but the word `true` is false, without a
# warning, and the file that is written again says so: an event on a border with cancelActivity="1" no longer
# interrupts its activity, an event sub-process with triggeredByEvent="1" becomes an ordinary one, that begins in the
# flow, and a receive task that starts the process does not. "0" is right by chance. Writers of XML that bind to the
# schema may write either.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund bpmn-moddle@10.3.1 moddle@8.2.1 moddle-xml@12.3.2 >npm.log 2>&1
cat >run.mjs <<'JAVASCRIPT'
import { BpmnModdle } from 'bpmn-moddle';

for (const yes of ['true', '1']) {
  const text = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="urn:example">
    <process id="p">
     <receiveTask id="begin" instantiate="${yes}"/>
     <boundaryEvent id="border" attachedToRef="begin" cancelActivity="${yes}"><messageEventDefinition/></boundaryEvent>
     <subProcess id="sub" triggeredByEvent="${yes}"/>
    </process>
   </definitions>`;
  const moddle = new BpmnModdle();
  const { rootElement, warnings } = await moddle.fromXML(text);
  const [begin, border, sub] = rootElement.rootElements[0].flowElements;
  const { xml } = await moddle.toXML(rootElement);
  const written = xml.match(/(instantiate|cancelActivity|triggeredByEvent)="[^"]*"/g);
  console.log(`${yes}: ${begin.instantiate} ${border.cancelActivity} ${sub.triggeredByEvent}, ${warnings.length} warnings, ` +
    `written: ${written.join(' ')}`);
}
JAVASCRIPT
seen=$(node run.mjs)
expected='true: true true true, 0 warnings, written: instantiate="true" triggeredByEvent="true"
1: false false false, 0 warnings, written: cancelActivity="false"'
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected:"; printf '%s\n' "$expected"; exit 1; }

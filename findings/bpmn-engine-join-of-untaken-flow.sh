#!/bin/sh
# bpmn-engine 25.0.1 (npm; bpmn-elements 17.3.0): a parallel join does not wait for a flow that an exclusive gateway
# has not taken.
#
# An exclusive gateway that leads to a parallel one on both ways is the textbook's deadlock: one token comes, and the
# join needs two. BPMN 2.0 has it so (13.4.1), and SpiffWorkflow 3.2.0 waits for ever. A good guess is that an engine
# that runs BPMN does, too. Here what is not taken is passed on as discarded, and a discarded flow counts as one that
# has come: the join goes on after one of its two activities, and the process ends as if nothing were wrong. An
# inclusive join, on the other hand, does not wait for what will still come: behind a parallel split it goes on once
# for each of its two tokens.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund bpmn-engine@25.0.1 bpmn-elements@17.3.0 >npm.log 2>&1
cat >run.cjs <<'JAVASCRIPT'
const { Engine } = require('bpmn-engine');
const { EventEmitter } = require('events');

const condition =
  '<conditionExpression xsi:type="tFormalExpression">${environment.variables.never}</conditionExpression>';
const process_ = (split, join) => `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="d" targetNamespace="urn:example">
 <process id="p" isExecutable="true">
  <startEvent id="start"/><task id="a"/><task id="b"/><task id="after"/><endEvent id="end"/>
  <${split}Gateway id="split" ${split === 'exclusive' ? 'default="to_a"' : ''}/><${join}Gateway id="join"/>
  <sequenceFlow id="to_split" sourceRef="start" targetRef="split"/>
  <sequenceFlow id="to_a" sourceRef="split" targetRef="a"/>
  <sequenceFlow id="to_b" sourceRef="split" targetRef="b">${split === 'exclusive'
    ? condition : ''}</sequenceFlow>
  <sequenceFlow id="from_a" sourceRef="a" targetRef="join"/>
  <sequenceFlow id="from_b" sourceRef="b" targetRef="join"/>
  <sequenceFlow id="from_join" sourceRef="join" targetRef="after"/>
  <sequenceFlow id="to_end" sourceRef="after" targetRef="end"/>
 </process>
</definitions>`;

const run = async (split, join) => {
  const engine = new Engine({ name: 'engine', source: process_(split, join) });
  const listener = new EventEmitter();
  const ended = [];
  listener.on('activity.end', (activity) => ended.push(activity.id));
  let state = 'runs';
  engine.on('end', () => { state = 'completed'; });
  const execution = await engine.execute({ listener });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  if (state === 'runs') await execution.stop();
  console.log(`${split} split, ${join} join: ${ended.join(' ')}: ${state}`);
};

(async () => {
  await run('parallel', 'parallel');
  await run('exclusive', 'parallel');
  await run('parallel', 'inclusive');
})();
JAVASCRIPT
seen=$(node run.cjs)
expected='parallel split, parallel join: start split a b join after end: completed
exclusive split, parallel join: start split a join after end: completed
parallel split, inclusive join: start split a join after end b join after end: completed'
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected:"; printf '%s\n' "$expected"; exit 1; }

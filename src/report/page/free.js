// The reader's own runs: enabled transitions fire when they are clicked, and runs are saved to files and loaded.
const MOST_OFFERED = 60;
const canPlay = data.playable || canMove;
const NOT_PLAYED = data.places.length === 0 || network !== null ? "The page does not know the language of this model: its steps cannot be taken by hand."
  : data.places.length > 0 && variables.length > 0 ? "Time passes in this net, too, so that its transitions cannot be fired by hand."
  : data.arcs ? "This model is no Petri net: its picture is a drawing of it, in which transitions cannot be fired by hand."
  : "This net has too many arcs for a page to fire its transitions.";
const isOwn = (one) => one.run.end === "own";

/** The menu of all that can be played. */
const menu = () => fill("runs", ...games.map((g, index) => {
  const short = g.run.formula && g.run.formula.length > 70 ? `${g.run.formula.slice(0, 70)}…` : g.run.formula;
  return make("option", { value: index }, `${g.result && data.results.length > 1 ? `${g.answer}, ` : ""}${g.title}${short ? `: ${short}` : ""}`);
}));

/** What may happen next, as buttons: the enabled transitions, or the steps of a network. */
const offer = (enabled) => {
  const moves = canMove ? movesFrom(configuration(shownMarking())) : enabled.map((transition) => ({ text: transitionName(transition), transition }));
  const what = network ? "step" : "transition";
  fill("may", !canPlay ? NOT_PLAYED : moves.length === 0 ? `No ${what} is enabled: a deadlock.` : `${plural(moves.length, what)} enabled:`);
  fill("enabled", ...moves.slice(0, MOST_OFFERED).map((move) => make("button", { type: "button", onclick: () => (network ? goOn(move.label, markingAt(move.later)) : fireHere(move.transition)) }, move.text)),
    ...(moves.length > MOST_OFFERED ? [make("span", { class: "soft" }, `and ${number(moves.length - MOST_OFFERED)} more`)] : []));
  byId("save").disabled = game().run.end === "list";
  byId("restart").hidden = byId("load").parentElement.hidden = !canPlay;
};

/** Fire a transition in the marking that is shown. */
const fireHere = (transition) => {
  const current = tokensIn(shownMarking());
  if (obstacle(current, transition) !== null) return choose(PLACES + transition);
  goOn(data.transitions[transition], markingOf(fire(current, transition)));
};
/** The run goes on from the marking that is shown, with a step to another. */
const goOn = (label, marking) => {
  play(false);
  if (!isOwn(game())) {
    const { run } = game(), begin = run.labels.length === 0 ? now.step : 0;
    const states = run.states.slice(begin, now.step + 1).map(({ marking }) => ({ marking, parts: [] }));
    const own = { answer: "own", title: "your run", run: { formula: null, states, labels: run.labels.slice(0, now.step), end: "own", loop_index: null } };
    const old = games.findIndex((g) => g.answer === "own");
    if (old >= 0) games[old] = own; else games.push(own);
    menu();
    now = { game: games.indexOf(own), step: states.length - 1 };
  }
  const { run } = game();
  run.states.length = now.step + 1;
  run.labels.length = now.step;
  run.states.push({ marking, parts: [] });
  run.labels.push(label);
  forward();
};

/** Say what a node is. */
const choose = (node) => {
  const around = data.arcs ? make("button", { type: "button", onclick: () => drawAround(node) }, "draw what is around it") : null;
  const name = make("code", {}, node < PLACES ? placeName(node) : transitionName(node - PLACES));
  if (node < PLACES) {
    const n = held(shownMarking(), data.places[node][0]);
    return fill("chosen", name, `: a place with ${n === "1" ? "1 token" : `${number(n)} tokens`} `, around);
  }
  if (!data.playable) return fill("chosen", name, `: ${NOT_PLAYED} `, around || "");
  const why = obstacle(tokensIn(shownMarking()), node - PLACES);
  return fill("chosen", name, why === null ? ": enabled " : `: not enabled, since ${why} `, around);
};
const click = (event) => {
  const group = dragged ? null : event.target.closest("g[id]");
  if (!group) return;
  const index = Number(group.id.slice(1));
  if (group.id[0] === "p") {
    if (area.extent !== "whole") drawAround(index);
    choose(index);
  } else if (group.hasAttribute("data-enabled")) fireHere(index);
  else choose(PLACES + index);
};

/** The run as a file. */
const saved = () => {
  const { run } = game();
  const end = { end: isOwn(game()) ? "open" : run.end, loop_index: run.loop_index };
  return { schema: "starset/run/1", model: data.net.name, states: run.states.map(({ marking }) => ({ marking })), labels: run.labels, ...end };
};
const save = () => {
  const address = URL.createObjectURL(new Blob([`${JSON.stringify(saved())}\n`], { type: "application/json" }));
  make("a", { href: address, download: "run.json" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

/** The runs in a file: saved here, or of `starset check --witness --json`. */
const runsIn = (content) => {
  let values;
  try { values = [JSON.parse(content)]; } catch {
    try { values = content.split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line)); } catch { throw new Error("this is no JSON; give a run that was saved here, or what starset check --witness --json prints"); }
  }
  const runs = values.flat().flatMap((value) => (value && value.witness ? value.witness.runs : value && value.runs ? value.runs : [value]));
  const found = runs.filter((run) => run && Array.isArray(run.labels));
  if (found.length === 0) throw new Error("there is no run in this file: a run is an object with a list of labels, the transitions that fire");
  return found;
};
const markingIn = (values, where) => {
  if (typeof values !== "object" || values === null) throw new Error(`${where}: the marking is no object of places and tokens`);
  for (const [id, n] of Object.entries(values)) {
    if (!placeNumbers.has(id)) throw new Error(`${where}: the net has no place ${id}`);
    if (!/^\d+$/.test(String(n))) throw new Error(`${where}: ${id} has ${n}, which is no number of tokens`);
  }
  return tokensIn(Object.fromEntries(Object.entries(values).map(([id, n]) => [id, String(n)])));
};
/** A run of a file, fired step by step. It is refused where a step cannot be, or leads to another marking than the file says. */
const replayed = (run) => {
  const said = Array.isArray(run.states) ? run.states : [], loop = run.end === "loop" && Number.isInteger(run.loop_index) && said[run.loop_index] ? run.loop_index : null;
  const result = (states, labels) => ({ formula: null, states: states.map((marking) => ({ marking, parts: [] })), labels, end: loop === null ? "own" : "loop", loop_index: loop });
  if (network) return result(...replayedMoves(run, said, loop));
  let current = said[0] ? markingIn(said[0].marking, "step 0") : tokensIn(initial);
  const states = [current], labels = run.labels.map(String);
  for (const [at, label] of labels.entries()) {
    const where = `step ${at + 1}`, transition = numbers.get(label);
    if (transition === undefined) throw new Error(`${where}: the net has no transition ${label}`);
    const why = obstacle(current, transition);
    if (why !== null) throw new Error(`${where}: ${label} is not enabled, since ${why}`);
    current = fire(current, transition);
    const back = loop !== null && at + 1 === labels.length, expected = said[back ? loop : at + 1];
    if (expected) {
      const wanted = markingIn(expected.marking, where), place = wanted.findIndex((n, index) => n !== current[index]);
      if (place >= 0) throw new Error(`${where}: after ${label} ${placeName(place)} has ${current[place]} tokens, the file says ${wanted[place]}`);
    }
    if (!back) states.push(current);
  }
  return result(states.map(markingOf), labels);
};
const load = async () => {
  const [file] = byId("load").files;
  byId("load").value = "";
  if (!file) return;
  play(false);
  try {
    if (!canPlay) throw new Error(NOT_PLAYED);
    const runs = runsIn(await file.text()).map(replayed);
    const first = games.length;
    runs.forEach((run, n) => games.push({ answer: `file ${games.length}`, title: runs.length > 1 ? `${file.name}, run ${n + 1}` : file.name, run }));
    menu();
    show(first, 0);
    fill("refused");
  } catch (error) {
    fill("refused", `${file.name}: ${error.message}`);
  }
};
const restart = () => { play(false); show(games.findIndex((g) => g.answer === "initial"), 0); };

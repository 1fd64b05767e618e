// What can be played: runs of witnesses, markings, and runs of the reader's own.
const games = [];
/** Where a value has a name, there is a place for it. */
const tokensOf = (values) => Object.fromEntries(Object.entries(values).map(([id, value]) => (placeNumbers.has(`${id}=${value}`) ? [`${id}=${value}`, "1"] : [id, value])));
const markings = (answer, title, list) => {
  const states = list.map((values) => ({ marking: tokensOf(values), parts: [] }));
  games.push({ answer, title, run: { formula: null, states, labels: [], end: "list", loop_index: null } });
};
for (const [index, result] of data.results.entries()) {
  for (const [number, run] of (result.witness ? result.witness.runs : []).entries()) {
    const { sources } = data.beside[index] || {};
    games.push({ answer: result.id, number, title: `run ${number + 1}`, run, result, sources: sources && sources[number] });
  }
  if (result.deadlock) markings("deadlock", "a deadlock", [result.deadlock]);
  if (Array.isArray(result.markings) && result.schema.startsWith("starset/states/") && result.markings.length > 0) {
    markings("markings", `the ${terms.state}s listed`, result.markings);
  }
  const members = data.beside[index] && data.beside[index].members;
  if (members) markings(`set ${result.id}`, `${result.id}: ${terms.state}s of the set`, members);
}
const initial = Object.fromEntries([...data.places.filter(([, n]) => n !== "0"), ...variables.map(([id, value]) => [id, value])]);
games.push({ answer: "initial", title: `the initial ${terms.state}`, run: { formula: null, states: [{ marking: initial, parts: [] }], labels: [], end: "list", loop_index: null } });

let now = { game: 0, step: 0 };
const game = () => games[now.game];
const shownMarking = () => game().run.states[now.step].marking;
const after = (run, step) => (step + 1 < run.states.length ? step + 1 : run.end === "loop" ? run.loop_index : null);

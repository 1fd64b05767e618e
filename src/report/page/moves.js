// The steps of a network: all components that have a label take an edge with it, the others stay where they are.
const MOST_MOVES = 200;
/** The components that have each label. */
const sharing = network ? network.labels.map(() => new Set()) : [];
if (network) network.components.forEach((component, at) => component.edges.forEach(([, label]) => sharing[label].add(at)));
const configuration = (marking) => network.components.map((component) => currentOf(component, marking));
const markingAt = (states) => Object.fromEntries(network.components.map((component, at) => [`${component.name}=${component.states[states[at]]}`, "1"]));

/** The steps that are possible: their label, the states that they lead to, and a text that tells them apart. */
const movesFrom = (states) => {
  const moves = [];
  for (const [label, components] of sharing.entries()) {
    const ways = [...components].map((at) => network.components[at].edges.filter(([source, name]) => name === label && source === states[at]).map(([, , target]) => [at, target]));
    if (ways.some((way) => way.length === 0)) continue;
    let all = [[]];
    for (const way of ways) all = all.flatMap((begin) => way.map((one) => [...begin, one])).slice(0, MOST_MOVES);
    for (const taken of all) {
      const later = [...states];
      taken.forEach(([at, target]) => { later[at] = target; });
      const choice = all.length < 2 ? "" : ` (${taken.filter((_, n) => ways[n].length > 1).map(([at, target]) => `${network.components[at].name}=${network.components[at].states[target]}`).join(", ")})`;
      moves.push({ label: network.labels[label], later, taken, text: `${network.labels[label]}${choice}` });
    }
    if (moves.length >= MOST_MOVES) break;
  }
  return moves;
};

/** A run of a file, step by step; refused where no step has the label and leads where the file says. */
const replayedMoves = (run, said, loop) => {
  const stated = (values, where) => network.components.map((component) => {
    const state = component.states.findIndex((name) => held(values, `${component.name}=${name}`) !== "0" || values[component.name] === name);
    if (state < 0) throw new Error(`${where}: the marking does not say where ${component.name} is`);
    return state;
  });
  const same = (one, other) => one.every((state, at) => state === other[at]);
  let current = said[0] ? stated(said[0].marking, "step 0") : network.components.map((component) => component.initial);
  const states = [current], labels = run.labels.map(String);
  for (const [at, label] of labels.entries()) {
    const where = `step ${at + 1}`, back = loop !== null && at + 1 === labels.length, expected = said[back ? loop : at + 1];
    if (!network.labels.includes(label)) throw new Error(`${where}: the network has no label ${label}`);
    const moves = movesFrom(current).filter((move) => move.label === label);
    if (moves.length === 0) throw new Error(`${where}: ${label} is not enabled, since a component that has it cannot take it`);
    const wanted = expected ? stated(expected.marking, where) : null, fits = wanted ? moves.filter((move) => same(move.later, wanted)) : moves;
    if (fits.length === 0) throw new Error(`${where}: ${label} does not lead to the marking that the file says`);
    if (fits.length > 1 && !wanted) throw new Error(`${where}: there are several steps ${label}; the file does not say which, since it has no markings`);
    current = fits[0].later;
    if (!back) states.push(current);
  }
  return [states.map(markingAt), labels];
};

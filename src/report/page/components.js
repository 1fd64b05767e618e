// The components of a network: an automaton each, with its current state marked. A large one shows what is near to that state.
const MOST_COMPONENTS = 40, MOST_STATES = 24, MOST_NEAR = 12, MOST_LABELLED = 24, STEP_ACROSS = 140, STEP_DOWN = 84, STEP_TALL = 60, MOST_LAYERS = 7, BALL = 17;
// Letters of the name of a state, and pixels of one; pixels of a letter of a label, and from label to label.
const MOST_LETTERS = 16, LETTER = 6.2, SMALL = 6, LINE = 12;
const network = data.network || null;
// The ends of arrows, for drawings outside of the picture, which is hidden.
if (network) document.body.append(shape("svg", { class: "net ends", width: 0, height: 0 }, picture.querySelector("defs")));
let wantedComponent = "";

/** The number of the state that a component is in; -1 if the marking does not say. */
const currentOf = (component, marking) => component.states.findIndex((state) => held(marking, `${component.name}=${state}`) !== "0" || marking[component.name] === state);
/** Are the edges of components all that there is to know of steps? Of a program they are not. */
const canMove = network !== null && network.moves;
/** Edges out of and into each state. */
const atStates = (component) => {
  if (!component.near) {
    component.near = component.states.map(() => []);
    component.edges.forEach(([source, , target], edge) => { component.near[source].push(edge); if (target !== source) component.near[target].push(edge); });
  }
  return component.near;
};
/** States to draw with their layers: all, by distance from the initial one; of many those near to the current one. */
const layersOf = (component, current) => {
  const all = component.states.length <= MOST_STATES, begin = all ? component.initial : Math.max(current, 0), layer = new Map([[begin, 0]]), queue = [begin];
  const most = all ? Infinity : MOST_NEAR;
  for (let at = 0; at < queue.length && layer.size < most; at += 1) {
    for (const edge of atStates(component)[queue[at]]) {
      const [source, , target] = component.edges[edge], forward = source === queue[at], other = forward ? target : source;
      if (layer.has(other) || layer.size >= most || (all && !forward)) continue;
      layer.set(other, layer.get(queue[at]) + (forward ? 1 : -1));
      queue.push(other);
    }
  }
  if (all) component.states.forEach((_, state) => { if (!layer.has(state)) layer.set(state, 0); });
  return layer;
};
const shortened = (name, most) => name.length > most ? `${name.slice(0, most - 1)}…` : name;
/** Half the width of a state: a ball, or what its name takes. */
const halfOf = (name) => Math.max(BALL, (shortened(name, MOST_LETTERS).length * LETTER) / 2 + 7);
const positions = (component, current) => {
  const layer = layersOf(component, current), least = Math.min(...layer.values()), rows = [];
  for (const [state, at] of layer) (rows[at - least] = rows[at - least] || []).push(state);
  const used = rows.filter((row) => row), x = new Map();
  used.forEach((row) => row.forEach((state, at) => x.set(state, at - (row.length - 1) / 2)));
  for (let sweep = 0; sweep < 6; sweep += 1) {
    for (const row of sweep % 2 === 0 ? used : [...used].reverse()) {
      const wanted = new Map(row.map((state) => {
        const near = atStates(component)[state].flatMap((edge) => [component.edges[edge][0], component.edges[edge][2]]).map((other) => x.get(other)).filter((at) => at !== undefined);
        return [state, near.length > 0 ? near.reduce((sum, at) => sum + at, 0) / near.length : x.get(state)];
      }));
      row.sort((a, b) => wanted.get(a) - wanted.get(b));
      spread(row, wanted, x);
    }
  }
  const across = Math.max(STEP_ACROSS, 2 * Math.max(...[...layer.keys()].map((state) => halfOf(component.states[state]))) + 40);
  const down = used.length > MOST_LAYERS ? STEP_TALL : STEP_DOWN;
  return new Map(used.flatMap((row, at) => row.map((state) => [state, [x.get(state) * across, at * down, halfOf(component.states[state])]])));
};
/** How far it is from the middle of a state to its border, in a direction of length 1. */
const reach = (half, x, y) => {
  const flat = half - BALL, straight = BALL / Math.max(Math.abs(y), 1e-9);
  if (straight * Math.abs(x) <= flat) return straight;
  const along = Math.abs(x) * flat;
  return along + Math.sqrt(Math.max(along * along - flat * flat + BALL * BALL, 0));
};
/** Where a label is drawn: as near to its place as no state and no other label is. */
const labelled = (label, taken) => {
  const width = label.text.length * SMALL, left = label.x - (label.anchor === "end" ? width : label.anchor === "middle" ? width / 2 : 0);
  const at = (shift) => [left, label.y + shift - 6, left + width, label.y + shift + 6];
  const isFree = (box) => taken.every((other) => box[2] <= other[0] || box[0] >= other[2] || box[3] <= other[1] || box[1] >= other[3]);
  const shift = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6].map((lines) => lines * LINE).find((each) => isFree(at(each))) || 0;
  taken.push(at(shift));
  return shape("text", { class: "l", x: label.x, y: label.y + shift + 3, "text-anchor": label.anchor }, label.text);
};

/** An arrow between states, with its labels; in a crowded drawing those at the current state alone have them. */
const arrow = ([source, target], titles, words, at, hot, move, quiet) => {
  const labels = [...new Set(words)].filter((word) => word !== "");
  const a = at.get(source), b = at.get(target), name = labels.length > 3 ? `${labels.slice(0, 3).join(", ")}, …` : labels.join(", ");
  const group = shape("g", { class: `edge${hot ? " hot" : ""}${move ? " on" : ""}${quiet ? " quiet" : ""}` }, shape("title", {}, titles.join(", ")));
  if (move) group.addEventListener("click", () => goOn(move.label, markingAt(move.later)));
  let path, middle, anchor = "middle";
  if (source === target) {
    path = `M${a[0] - 6} ${a[1] - BALL}C${a[0] - 26} ${a[1] - BALL - 30} ${a[0] + 26} ${a[1] - BALL - 30} ${a[0] + 6} ${a[1] - BALL - 1}`;
    middle = [a[0], a[1] - BALL - 26];
  } else {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(dx, dy), bend = Math.min(34, length / 5);
    const control = [(a[0] + b[0]) / 2 + (dy / length) * bend, (a[1] + b[1]) / 2 - (dx / length) * bend];
    const leave = (from) => { const [x, y] = [control[0] - from[0], control[1] - from[1]], far = Math.hypot(x, y) || 1, out = reach(from[2], x / far, y / far) + 1; return [from[0] + (x / far) * out, from[1] + (y / far) * out]; };
    path = `M${leave(a).join(" ")}Q${control.join(" ")} ${leave(b).join(" ")}`;
    // The label lies outside of the curve, so that those of the ways there and back are apart.
    const [nx, ny] = [dy / length, -dx / length];
    middle = [(a[0] + b[0]) / 4 + control[0] / 2 + 7 * nx, (a[1] + b[1]) / 4 + control[1] / 2 + 9 * ny];
    anchor = nx > 0.3 ? "start" : nx < -0.3 ? "end" : "middle";
  }
  group.append(shape("path", { d: path, "marker-end": "url(#net-to)", class: "a" }));
  return { group, label: quiet || name === "" ? null : { x: middle[0], y: middle[1], anchor, text: shortened(name, 22) } };
};
const drawComponent = (component, marking, before, label, moves) => {
  const current = currentOf(component, marking), old = before ? currentOf(component, before) : -1, at = positions(component, current);
  const merged = new Map();
  for (const [edge, [source, name, target]] of component.edges.entries()) {
    if (!at.has(source) || !at.has(target)) continue;
    const key = `${source} ${target}`;
    if (!merged.has(key)) merged.set(key, { ends: [source, target], labels: [], words: [], hot: false });
    const one = merged.get(key);
    one.labels.push(data.network.labels[name]);
    one.words.push(component.words ? component.words[edge] : data.network.labels[name]);
    one.hot = one.hot || (before !== null && source === old && target === current && data.network.labels[name] === label);
  }
  const moved = [...merged.values()].some((one) => one.hot);
  const arrows = [...merged.values()].map((one) => arrow(one.ends, one.labels, one.words, at, one.hot, one.ends[0] === current && moves.find((move) => one.labels.includes(move.label) && move.taken.some(([at, target]) => network.components[at] === component && target === one.ends[1])), merged.size > MOST_LABELLED && !one.hot && !one.ends.includes(current)));
  const taken = [...at.values()].map(([x, y, half]) => [x - half, y - BALL, x + half, y + BALL]);
  for (const { group, label } of arrows) if (label) group.append(labelled(label, taken));
  // Loops are above their states, and the arrow to the initial state before it.
  const [left, top, right, bottom] = [0, 1, 2, 3].map((side) => (side < 2 ? Math.min : Math.max)(...taken.map((each) => each[side])));
  const box = [left - 30, top - 36, right - left + 48, bottom - top + 54];
  const svg = shape("svg", { class: "net component", viewBox: box.join(" "), width: box[2], role: "img", "aria-label": `${component.name}: in ${current >= 0 ? component.states[current] : "an unknown state"}` },
    ...arrows.map(({ group }) => group),
    ...[...at].map(([state, [x, y, half]]) => {
      const name = component.states[state], group = shape("g", { class: state === current ? "state current" : state === old && moved ? "state left" : "state" }, shape("title", {}, name),
        shape("rect", { class: "p", x: x - half, y: y - BALL, width: 2 * half, height: 2 * BALL, rx: BALL }), shape("text", { x, y: y + 4, "text-anchor": "middle", class: "s" }, shortened(name, MOST_LETTERS)));
      if (state === component.initial) group.append(shape("path", { class: "a", d: `M${x - half - 20} ${y}L${x - half - 2} ${y}`, "marker-end": "url(#net-to)" }));
      return group;
    }));
  const part = at.size < component.states.length ? `, ${number(at.size)} of ${plural(component.states.length, "state")} drawn` : "";
  return make("figure", { class: moved ? "moved" : null }, make("figcaption", {}, make("b", {}, component.name), make("span", { class: "soft" }, `: ${current >= 0 ? component.states[current] : "?"}${part}`)), svg);
};
/** All components in a marking; those that took part in the step come first if there are many. */
const paintComponents = (marking, before, label) => {
  const wanted = wantedComponent.toLowerCase(), all = network.components.filter((component) => component.name.toLowerCase().includes(wanted) || component.states.some((state) => wanted !== "" && state.toLowerCase().includes(wanted)));
  const moves = (component) => Number(before !== null && component.edges.some(([source, name, target]) => network.labels[name] === label && source === currentOf(component, before) && target === currentOf(component, marking)));
  const shown = all.length > MOST_COMPONENTS ? [...all].sort((a, b) => moves(b) - moves(a)).slice(0, MOST_COMPONENTS) : all;
  const possible = canMove ? movesFrom(configuration(marking)) : [];
  fill("components", ...shown.map((component) => drawComponent(component, marking, before, label, possible)));
  fill("components-note", shown.length < network.components.length ? `${number(shown.length)} of ${plural(network.components.length, "component")}` : "");
};

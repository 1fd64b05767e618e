// What is near to a node: drawn here, since a net may be too large to be drawn as a whole.
// Nodes are numbered: the places, then the transitions.
const PLACES = data.places.length, SIZES = [20, 40, 80, 200], ACROSS = 112, DOWN = 78, MOST_ACROSS = 12, RADIUS = 15, BAR = [20, 8];
const silent = new Set(data.silent || []);
/** Half the width of a transition. */
const barOf = (node) => silent.has(node - PLACES) ? BAR[1] : BAR[0];
const isWhole = pane.dataset.whole === "yes";
const nodeName = (node) => (node < PLACES ? placeName(node) : transitionName(node - PLACES));
const nodeId = (node) => (node < PLACES ? placeId(node) : data.transitions[node - PLACES]);
const groupOf = (node) => byId(node < PLACES ? `p${node}` : `t${node - PLACES}`);
let area = { extent: isWhole || !data.arcs ? "whole" : String(SIZES[innerWidth > 900 ? 2 : 0]), centres: [] };

/** The arcs at each node: the other one, whether it lies behind (1) or before (-1), and the arc. */
let links = null;
const linked = () => {
  if (links) return links;
  links = Array.from({ length: PLACES + data.transitions.length }, () => []);
  data.arcs.forEach((lists, transition) => {
    const [pre, post, not] = [lists[0], lists[1], lists[2] || []], into = new Map(), t = PLACES + transition;
    const add = (from, to, way, weight) => {
      const arc = { from, to, way, weight, transition };
      links[from].push([to, 1, arc]);
      links[to].push([from, -1, arc]);
    };
    for (let at = 0; at < post.length; at += 2) into.set(post[at], String(post[at + 1]));
    for (let at = 0; at < pre.length; at += 2) {
      const reads = into.get(pre[at]) === String(pre[at + 1]);
      if (reads) into.delete(pre[at]);
      add(pre[at], t, reads ? "read" : "in", String(pre[at + 1]));
    }
    into.forEach((weight, place) => add(t, place, "out", weight));
    for (let at = 0; at < not.length; at += 2) add(not[at], t, "not", String(not[at + 1]));
  });
  return links;
};

/** The nodes nearest to these, each on a layer: what lies behind is below. One with many neighbours shows some first. */
const nearest = (centres, most) => {
  const layer = new Map(centres.map((node) => [node, 0])), queue = [...centres];
  for (const each of [Math.max(6, most / 8), Infinity]) {
    for (let at = 0; at < queue.length && layer.size < most; at += 1) {
      let some = 0;
      for (const [other, way] of linked()[queue[at]]) {
        if (layer.has(other)) continue;
        if (layer.size >= most || some >= each) break;
        some += 1;
        layer.set(other, layer.get(queue[at]) + way);
        queue.push(other);
      }
    }
  }
  return layer;
};
/** Positions near the wanted ones, in this order and at least one apart. */
const spread = (row, wanted, x) => {
  let least = -Infinity, most = Infinity;
  const right = row.map((node) => { const at = Math.max(wanted.get(node), least); least = at + 1; return at; });
  for (let at = row.length - 1; at >= 0; at -= 1) {
    const left = Math.min(wanted.get(row[at]), most);
    most = left - 1;
    x.set(row[at], (left + right[at]) / 2);
  }
};
const placed = (layer) => {
  const byLayer = new Map();
  for (const [node, at] of layer) byLayer.set(at, [...(byLayer.get(at) || []), node]);
  const rows = [...byLayer.keys()].sort((a, b) => a - b).flatMap((at) => {
    const all = byLayer.get(at), each = Math.ceil(all.length / Math.ceil(all.length / MOST_ACROSS));
    return Array.from({ length: Math.ceil(all.length / each) }, (_, n) => all.slice(n * each, (n + 1) * each));
  });
  const x = new Map();
  rows.forEach((row) => row.forEach((node, at) => x.set(node, at - row.length / 2)));
  for (let sweep = 0; sweep < 10; sweep += 1) {
    for (const row of sweep % 2 === 0 ? rows : [...rows].reverse()) {
      const wanted = new Map(row.map((node) => {
        const near = linked()[node].map(([other]) => x.get(other)).filter((at) => at !== undefined);
        return [node, near.length > 0 ? near.reduce((sum, at) => sum + at, 0) / near.length : x.get(node)];
      }));
      if (sweep < 8) row.sort((a, b) => wanted.get(a) - wanted.get(b));
      spread(row, wanted, x);
    }
  }
  return new Map(rows.flatMap((row, at) => row.map((node) => [node, [x.get(node) * ACROSS, at * DOWN]])));
};

/** Where a line from the middle of a node leaves it. */
const border = (node, [x, y], [dx, dy]) => {
  const length = Math.hypot(dx, dy) || 1, out = node < PLACES ? RADIUS + 1 : Math.min((barOf(node) + 1) / Math.abs(dx / length || 1e-9), (BAR[1] + 1) / Math.abs(dy / length || 1e-9));
  return [x + (dx / length) * out, y + (dy / length) * out];
};
const arcShape = ({ from, to, way, weight, transition }, at) => {
  const a = at.get(from), b = at.get(to), [dx, dy] = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(dx, dy) || 1;
  // A little to the left, so that the arcs there and back lie apart.
  const bend = Math.min(16, length / 8), control = [(a[0] + b[0]) / 2 + (dy / length) * bend, (a[1] + b[1]) / 2 - (dx / length) * bend];
  const start = border(from, a, [control[0] - a[0], control[1] - a[1]]), end = border(to, b, [control[0] - b[0], control[1] - b[1]]);
  const path = shape("path", { class: way === "read" ? "a d" : "a", "data-way": way === "read" || way === "not" ? "test" : way, "data-t": transition,
    d: `M${start.map((n) => n.toFixed(1)).join(" ")}Q${[...control, ...end].map((n) => n.toFixed(1)).join(" ")}` });
  if (way !== "read") path.setAttribute("marker-end", way === "not" ? "url(#net-not)" : "url(#net-to)");
  return weight === "1" ? [path] : [path, shape("text", { class: "w v", x: control[0] + 4, y: control[1] + 4 }, weight)];
};
const nodeShape = (node, [x, y], at) => {
  const name = nodeName(node), place = node < PLACES, hidden = new Set(linked()[node].map(([other]) => other).filter((other) => !at.has(other))).size;
  const group = shape("g", { id: place ? `p${node}` : `t${node - PLACES}` }, shape("title", {}, name),
    place ? shape("circle", { class: "p", cx: x, cy: y, r: RADIUS }) : shape("rect", { class: silent.has(node - PLACES) ? "t s" : "t", x: x - barOf(node), y: y - BAR[1], width: 2 * barOf(node), height: 2 * BAR[1], rx: silent.has(node - PLACES) ? 0 : 3 }),
    shape("text", { class: "n", x: x + (place ? RADIUS : barOf(node)) + 3, y: y + 4 }, name.length > 12 ? `${name.slice(0, 11)}…` : name));
  if (hidden > 0) group.append(shape("text", { class: "more", x: x - 6, y: y + (place ? RADIUS : BAR[1]) + 10 }, `+${hidden}`));
  return group;
};

const wholeDrawing = isWhole ? [...picture.childNodes].filter((node) => !/^(style|defs|title|desc)$/.test(node.nodeName)) : [];
const wholeWorld = world;
/** Draw what the area says. */
const draw = () => {
  [...picture.childNodes].filter((node) => !/^(style|defs|title|desc)$/.test(node.nodeName)).forEach((old) => old.remove());
  byId("extent").value = area.extent;
  if (area.extent === "whole") {
    picture.append(...wholeDrawing);
    world = wholeWorld;
    room();
    return fill("extent-note", "");
  }
  const at = placed(nearest(area.centres, Number(area.extent)));
  const arcs = [...at.keys()].flatMap((node) => linked()[node].filter(([other, way]) => way === 1 && at.has(other)).map(([, , arc]) => arc));
  picture.append(...arcs.flatMap((arc) => arcShape(arc, at)), ...[...at].map(([node, where]) => nodeShape(node, where, at)));
  const xs = [...at.values()].map(([x]) => x), ys = [...at.values()].map(([, y]) => y), [left, top] = [Math.min(...xs) - 40, Math.min(...ys) - 40];
  world = { x: left, y: top, w: Math.max(...xs) + 110 - left, h: Math.max(...ys) + 50 - top };
  const all = PLACES + data.transitions.length;
  room();
  return fill("extent-note", at.size < all ? `${number(at.size)} of ${number(all)} places and transitions: what is nearest to ${area.centres.map(nodeName).slice(0, 3).join(", ")}. +n: so many neighbours that are not drawn.` : "");
};
/** Draw what is near to a node. */
const drawAround = (...centres) => {
  area = { extent: area.extent === "whole" ? String(SIZES[1]) : area.extent, centres };
  draw();
  refresh();
  fit();
  if (pane.clientWidth / whole() < LEGIBLE) centre(...middle(groupOf(centres[0])), pane.clientWidth / LEGIBLE);
};
/** Show a node that was looked for. */
const seek = (node) => {
  if (!groupOf(node) && !data.arcs) return;
  if (area.extent !== "whole") drawAround(node);
  document.querySelectorAll(".sought").forEach((old) => old.classList.remove("sought"));
  groupOf(node).classList.add("sought");
  if (area.extent === "whole") centre(...middle(groupOf(node)), Math.min(view.w, pane.clientWidth / 0.8));
  choose(node);
};
/** Nodes whose names contain a text; those that begin with it first. */
const search = (text) => {
  const wanted = text.trim().toLowerCase(), found = [[], []];
  for (let node = 0; wanted !== "" && node < PLACES + data.transitions.length && found[0].length < 12; node += 1) {
    const [at = -1] = [nodeName(node), nodeId(node)].map((name) => name.toLowerCase().indexOf(wanted)).filter((at) => at >= 0);
    if (at >= 0 && found[at === 0 ? 0 : 1].length < 12) found[at === 0 ? 0 : 1].push(node);
  }
  return found.flat().sort((a, b) => nodeName(a).length - nodeName(b).length).sort((a, b) => Number(nodeName(b).toLowerCase() === wanted) - Number(nodeName(a).toLowerCase() === wanted)).slice(0, 12);
};
const showFound = () => {
  const text = byId("search").value, found = search(text);
  byId("found").hidden = text.trim() === "";
  fill("found", ...(found.length > 0 ? found.map((node) => make("li", {}, make("button", { type: "button", onclick: () => seek(node) }, nodeName(node)))) : [make("li", { class: "soft" }, "nothing is called so")]));
  return found;
};

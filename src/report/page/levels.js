// The variable order, how the diagram grew, the bounds of places, time and memory.
const MOST_ROWS = 60, COLUMNS = 500;
const levels = () => {
  if (!data.levels) return fill("levels", make("p", { class: "soft" }, "No decision diagram was built."));
  const most = data.levels.reduce((all, [, n]) => Math.max(all, n), 1), sum = data.levels.reduce((all, [, n]) => all + n, 0);
  const about = make("p", {}, `The reachable ${terms.state}s are a diagram of ${plural(sum, "node")} on ${plural(data.levels.length, "level")}, the first level on top; the widest level has ${plural(most, "node")}.`);
  if (data.levels.length <= MOST_ROWS) {
    return fill("levels", about, make("div", { class: "levels", role: "table", "aria-label": "nodes per level" }, ...data.levels.map(([place, n]) => {
      const bar = make("div", { class: "bar", role: "presentation" });
      bar.style.width = `${(100 * n) / most}%`;
      const row = make("div", { role: "row" }, make("code", { role: "rowheader" }, calledVariable(place)), make("div", { role: "presentation" }, bar), make("span", { role: "cell", class: "number" }, number(n)));
      row.style.display = "contents";
      return row;
    })));
  }
  const each = Math.ceil(data.levels.length / COLUMNS), columns = Math.ceil(data.levels.length / each);
  const chart = shape("svg", { class: "chart", viewBox: `0 0 ${columns} 100`, preserveAspectRatio: "none", role: "img", "aria-label": about.textContent });
  for (let column = 0; column < columns; column += 1) {
    const part = data.levels.slice(column * each, (column + 1) * each);
    const top = part.reduce((a, b) => (b[1] > a[1] ? b : a)), height = Math.max(0.5, (100 * top[1]) / most);
    chart.append(shape("rect", { x: column, y: 100 - height, width: 0.85, height }, shape("title", {}, `${calledVariable(top[0])}: ${plural(top[1], "node")}`)));
  }
  return fill("levels", about, chart, make("p", { class: "soft" }, `from ${calledVariable(data.levels[0][0])} to ${calledVariable(data.levels[data.levels.length - 1][0])}${each > 1 ? `; of each ${each} levels the widest is drawn` : ""}`));
};

/** Nodes of the diagram over time. */
const growth = () => {
  const points = data.beside.flatMap((beside) => beside.growth || []);
  byId("growth-section").hidden = points.length < 2;
  if (points.length < 2) return;
  const end = points[points.length - 1][0] || 1, most = points.reduce((all, [, n]) => Math.max(all, n), 1);
  const path = points.map(([at, n], index) => `${index === 0 ? "M" : "L"}${((1000 * at) / end).toFixed(1)} ${(98 - (96 * n) / most).toFixed(1)}`).join("");
  const label = `at most ${plural(most, "node")} at a time, within ${seconds(end)}`;
  fill("growth", make("p", {}, `${label[0].toUpperCase()}${label.slice(1)}.`),
    shape("svg", { class: "chart", viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img", "aria-label": label }, shape("path", { d: path })),
    make("p", { class: "soft" }, `from 0 s to ${seconds(end)}`));
};

/** The bounds of places, as a table that is sorted by a click on a title. */
const MOST_BOUNDS = 10000;
const bounds = () => {
  const all = data.beside.flatMap((beside) => beside.bounds || []).map(([place, bound], at) => ({ place, bound, at }));
  byId("bounds-section").hidden = all.length === 0;
  if (all.length === 0) return;
  const big = (a, b) => a.bound.length - b.bound.length || (a.bound < b.bound ? -1 : Number(a.bound > b.bound));
  const orders = { place: (a, b) => a.at - b.at, "most tokens": big };
  const body = make("tbody", {}), order = { by: "place", down: false };
  const heads = Object.keys(orders).map((name) => make("th", { scope: "col", class: name === "place" ? null : "number" },
    make("button", { type: "button", onclick: () => { order.down = order.by === name ? !order.down : name !== "place"; order.by = name; sort(); } }, name)));
  const sort = () => {
    const rows = [...all].sort((a, b) => orders[order.by](a, b) * (order.down ? -1 : 1) || a.at - b.at).slice(0, MOST_BOUNDS);
    heads.forEach((head, n) => (Object.keys(orders)[n] === order.by ? head.setAttribute("aria-sort", order.down ? "descending" : "ascending") : head.removeAttribute("aria-sort")));
    body.replaceChildren(...rows.map(({ place, bound }) => make("tr", {}, make("td", {}, make("code", {}, calledVariable(place))), make("td", { class: "number" }, number(bound)))));
  };
  sort();
  fill("bounds", make("div", { class: "scroll" }, make("table", { class: "sortable" }, make("thead", {}, make("tr", {}, ...heads)), body)),
    ...(all.length > MOST_BOUNDS ? [make("p", { class: "soft" }, `${number(MOST_BOUNDS)} of ${number(all.length)} places`)] : []));
};

const cost = () => {
  const last = data.results[data.results.length - 1] || {}, order = last.order && last.order.name ? last.order.name : last.order;
  pairs("cost", [
    ["time", last.seconds === undefined ? null : seconds(last.seconds)],
    ["peak memory", last.peak_memory_bytes ? bytes(last.peak_memory_bytes) : null],
    ["peak nodes", last.peak_nodes ? number(last.peak_nodes) : null],
    ["variable order", order || null], ["engine", last.engine || null],
    ["states explored", last.explored ? number(last.explored.states) : null],
  ]);
};

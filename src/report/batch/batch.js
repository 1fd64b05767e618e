// The jobs as a table that can be sorted and filtered, and two runs side by side.
const MOST_ROWS = 2000;
const clock = (s) => s.toFixed(s < 10 ? 3 : 1);

// ---- Jobs.
const columns = [
  { title: "instance", of: (job) => job.model },
  { title: "examination", of: (job) => job.examination },
  { title: "status", of: (job) => job.status, class: (job) => job.status },
  { title: "right", of: (job) => job.right, number: true },
  { title: "wrong", of: (job) => job.wrong, number: true, class: (job) => (job.wrong > 0 ? "wrong" : null) },
  { title: "unchecked", of: (job) => job.unchecked, number: true },
  { title: "unknown", of: (job) => job.unknown, number: true },
  { title: "seconds", of: (job) => job.seconds, number: true, text: clock },
  { title: "MiB", of: (job) => job.memory, number: true, text: (n) => (n / 2 ** 20).toFixed(1) },
  { title: "before, s", of: (job) => job.before, number: true, text: clock, only: data.compared !== null },
].filter((column) => column.only !== false);
const order = { column: null, down: false };
const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true }));
const heads = columns.map((column) => make("th", { scope: "col", class: column.number ? "number" : null },
  make("button", { type: "button", onclick: () => { order.down = order.column === column && !order.down; order.column = column; table(); } }, column.title)));
const body = make("tbody", {});
const table = () => {
  const wanted = byId("filter").value.trim().toLowerCase().split(/\s+/), status = byId("status").value;
  const found = data.jobs.filter((job) => (status === "" || job.status === status) && wanted.every((word) => `${job.model} ${job.examination} ${job.error || ""}`.toLowerCase().includes(word)));
  const { column, down } = order, empty = (value) => value === null || value === undefined;
  if (column) {
    found.sort((one, other) => {
      const [a, b] = [column.of(one), column.of(other)];
      // What has no value is last, whatever the direction.
      return empty(a) || empty(b) ? Number(empty(a)) - Number(empty(b)) : compare(a, b) * (down ? -1 : 1);
    });
  }
  heads.forEach((head, n) => (columns[n] === column ? head.setAttribute("aria-sort", down ? "descending" : "ascending") : head.removeAttribute("aria-sort")));
  body.replaceChildren(...found.slice(0, MOST_ROWS).map((job) => make("tr", { title: job.error }, ...columns.map((column) => {
    const value = column.of(job), text = empty(value) ? "" : column.text ? column.text(value) : String(value);
    return make("td", { class: [column.number ? "number" : "", (column.class && column.class(job)) || ""].join(" ").trim() || null }, text);
  }))));
  fill("shown", `${number(found.length)} of ${plural(data.jobs.length, "job")}${found.length > MOST_ROWS ? `, the first ${number(MOST_ROWS)} of them are shown` : ""}`);
};
const statuses = [...new Set(data.jobs.map((job) => job.status))].sort();
fill("status", make("option", { value: "" }, "any status"), ...statuses.map((status) => make("option", { value: status }, `${status} (${number(data.jobs.filter((job) => job.status === status).length)})`)));
byId("jobs").append(make("thead", {}, make("tr", {}, ...heads)), body);
listen("filter", "input", table);
listen("status", "change", table);

// ---- Two runs.
const SIDE = 420, LEFT = 52, BOTTOM = 44;
const scatter = () => {
  const both = data.jobs.filter((job) => job.before !== null && job.before !== undefined);
  if (both.length === 0) return;
  const least = 0.01, most = Math.max(1, ...both.map((job) => Math.max(job.seconds, job.before))) * 1.2;
  const at = (s) => Math.log(Math.max(s, least) / least) / Math.log(most / least) * (SIDE - 20);
  const x = (s) => LEFT + at(s), y = (s) => SIDE - at(s);
  const plot = shape("svg", { class: "plot", viewBox: `0 0 ${SIDE + LEFT} ${SIDE + BOTTOM}`, role: "img", "aria-label": "seconds of each job, before and now" });
  const line = (x1, y1, x2, y2, name) => plot.append(shape("line", { x1, y1, x2, y2, class: name || "grid" }));
  const label = (x, y, text, anchor) => plot.append(shape("text", { x, y, "text-anchor": anchor || "middle" }, text));
  for (let tick = least, power = -2; tick <= most; power += 1, tick = 10 ** power) {
    const text = power < 0 ? (10 ** power).toFixed(-power) : String(10 ** power);
    line(x(tick), y(least), x(tick), y(most));
    line(x(least), y(tick), x(most), y(tick));
    label(x(tick), SIDE + 16, text);
    label(LEFT - 6, y(tick) + 4, text, "end");
  }
  // The same time, and ten times as much and as little.
  for (const factor of [0.1, 1, 10]) line(x(least * Math.max(1, 1 / factor)), y(least * Math.max(1, factor)), x(most * Math.min(1, 1 / factor)), y(most * Math.min(1, factor)), "same");
  label(LEFT + SIDE / 2, SIDE + 36, "seconds before");
  label(4, 12, "seconds now", "start");
  for (const job of both) {
    const text = `${job.model} ${job.examination}: ${clock(job.seconds)} s, before ${clock(job.before)} s`;
    plot.append(shape("circle", { cx: x(job.before), cy: y(job.seconds), r: 4, class: job.status }, shape("title", {}, text)));
  }
  fill("scatter", make("p", {}, "Below the diagonal: faster than before. The dashed lines beside it are ten times as fast and as slow."), plot);
};
const compared = () => {
  const { compared } = data;
  byId("compared-section").hidden = compared === null;
  if (compared === null) return;
  const sum = (what) => data.jobs.reduce((all, job) => all + (job.before === null || job.before === undefined ? 0 : job[what]), 0);
  const counts = ["differs", "lost", "gained"].map((change) => compared.differences.filter((difference) => difference[0] === change).length);
  const cell = (text) => make("td", {}, text === null ? "–" : make("code", {}, text));
  const titles = ["", "instance", "examination", "question", "now", "before"];
  fill("compared",
    make("p", {}, `${compared.with}: ${number(counts[2])} gained, ${number(counts[1])} lost, ${counts[0] === 1 ? "1 differs" : `${number(counts[0])} differ`}, ${number(compared.same)} the same.`),
    make("p", {}, `The ${plural(data.jobs.filter((job) => job.before !== null && job.before !== undefined).length, "job")} of both took ${clock(sum("seconds"))} s, ${clock(sum("before"))} s before.`),
    ...(compared.differences.length === 0 ? [] : [make("div", { class: "wide" }, make("table", {}, make("thead", {}, make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title)))),
      make("tbody", {}, ...compared.differences.slice(0, MOST_ROWS).map(([change, model, examination, id, now, before]) => make("tr", {},
        make("td", { class: { differs: "wrong", lost: "open", gained: "right" }[change] }, change), make("td", {}, model), make("td", {}, examination), cell(id), cell(now), cell(before))))))]));
  scatter();
};
table();
compared();
document.documentElement.dataset.ready = "yes";

"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const byId = (id) => document.getElementById(id);
  const MOST_LISTED = 400, MOST_ROWS = 60, COLUMNS = 500, PAUSE = 1100, FLIGHT = 320;

  /** An element; texts among the children are never read as markup. */
  const make = (tag, attributes, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };
  const fill = (id, ...children) => byId(id).replaceChildren(...children);

  /** A big number: its digits in groups, or its size if there are very many. */
  const number = (value) => {
    if (value === null || value === undefined) return "unknown";
    const digits = String(value);
    if (!/^\d+$/.test(digits)) return digits;
    if (digits.length > 24) return `${digits[0]}.${digits.slice(1, 4)}·10^${digits.length - 1}`;
    return digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  };
  const exact = (value) => make("span", { title: value === null || value === undefined ? null : String(value) }, number(value));
  const bytes = (n) => (n >= 2 ** 30 ? `${(n / 2 ** 30).toFixed(1)} GiB` : `${(n / 2 ** 20).toFixed(1)} MiB`);
  const seconds = (s) => (s < 10 ? `${s.toFixed(3)} s` : `${s.toFixed(1)} s`);
  /** Tokens of a place, whatever its name is. */
  const held = (marking, id) => (Object.hasOwn(marking, id) ? marking[id] : "0");
  const plural = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;

  // ---- What can be played: runs of witnesses, and markings.
  const games = [];
  const known = new Set(data.places.map(([id]) => id));
  /** Where a value has a name, there is a place for it. */
  const tokensOf = (values) => Object.fromEntries(Object.entries(values).map(([id, value]) => (known.has(`${id}=${value}`) ? [`${id}=${value}`, "1"] : [id, value])));
  const markings = (answer, title, list) => {
    const states = list.map((values) => ({ marking: tokensOf(values), parts: [] }));
    games.push({ answer, title, run: { formula: null, states, labels: [], end: "list", loop_index: null } });
  };
  for (const result of data.results) {
    for (const [number, run] of (result.witness ? result.witness.runs : []).entries()) {
      games.push({ answer: result.id, number, title: `run ${number + 1}`, run, result });
    }
    if (result.deadlock) markings("deadlock", "a deadlock", [result.deadlock]);
    if (Array.isArray(result.markings) && result.schema.startsWith("starset/states/") && result.markings.length > 0) {
      markings("markings", "the markings listed", result.markings);
    }
  }
  const initial = Object.fromEntries(data.places.filter(([, n]) => n !== "0"));
  const start = { answer: null, title: "the initial marking", run: { formula: null, states: [{ marking: initial, parts: [] }], labels: [], end: "list", loop_index: null } };

  // ---- The answers.
  const verdict = (result) => {
    const word = result.verdict === null || result.verdict === undefined ? result.bound || "unknown" : String(result.verdict);
    return make("span", { class: word }, result.bound ? number(word) : word);
  };
  const share = (part, whole) => {
    if (!/^\d+$/.test(part || "") || !/^\d+$/.test(whole || "") || BigInt(whole) === 0n) return null;
    const percent = Number((BigInt(part) * 10000n) / BigInt(whole)) / 100;
    const bar = make("i", {});
    bar.style.width = `${percent}%`;
    return make("span", { class: "share", role: "img", "aria-label": `${percent} % of the reachable markings`, title: `${percent} %` }, bar);
  };
  /** Why a verdict is as it is that no run shows. */
  const WHY = { marking: "as the marking says", computed: "as the computed set of markings says", parts: "because" };
  const whys = (reason) => [...new Set(reason.parts ? reason.parts.map(whys) : [WHY[reason.because]])].join(", ");
  const answers = () => {
    const head = ["", "verdict", "formula", "holds in", "engine", "seconds", ""];
    const rows = data.results.map((result) => {
      const first = games.findIndex((game) => game.result === result);
      const holds = result.satisfying === null || result.satisfying === undefined ? [result.satisfying_message || "–"]
        : [exact(result.satisfying), " of ", exact(result.reachable), share(result.satisfying, result.reachable)];
      const why = first < 0 ? (result.witness_message || result.message || (result.witness ? whys(result.witness.reason) : ""))
        : make("button", { type: "button", onclick: () => { play(false); show(first, 0); byId("picture").scrollIntoView({ block: "nearest" }); } }, "play witness");
      const cell = (...children) => make("td", {}, ...children);
      return make("tr", {}, make("th", { scope: "row" }, result.id), cell(verdict(result)),
        cell(make("code", {}, result.formula), result.paths ? make("div", { class: "soft" }, `${result.logic}, ${result.paths} paths`) : null),
        cell(...holds), cell(result.engine), make("td", { class: "number" }, result.seconds.toFixed(3)), cell(why));
    });
    fill("answers", make("table", {}, make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, ...rows)), ...listed());
  };
  /** The markings that satset lists are texts. */
  const listed = () => data.results.filter((result) => result.schema.startsWith("starset/check/") && Array.isArray(result.markings)).map((result) =>
    make("details", {}, make("summary", {}, `${result.id}: ${plural(result.markings.length, "marking")} of the set`),
      ...result.markings.map((text) => make("p", { class: "marking" }, text))));
  const pairs = (id, rows) => fill(id, make("dl", {}, ...rows.filter(([, value]) => value !== null && value !== undefined)
    .flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, value)])));
  const figures = (result) => pairs("answers", [
    ["states", exact(result.states)], ["transitions", exact(result.transitions)],
    ["most tokens in a place", exact(result.max_tokens_in_place)], ["most tokens in a marking", exact(result.max_tokens_per_marking)],
    ["deadlocks", result.deadlocks === undefined ? null : exact(result.deadlocks)], ["unknown because", result.message],
  ]);

  // ---- The token game.
  let now = { game: 0, step: 0 }, timer = null;
  const game = () => games[now.game] || start;
  const after = (run, step) => (step + 1 < run.states.length ? step + 1 : run.end === "loop" ? run.loop_index : null);
  const transitions = new Map(data.transitions.map((id, index) => [id, index]));
  /** The transitions that are drawn of a step: of an action of several, those whose places are left and entered. */
  const drawn = (label, before, later) => {
    if (label === undefined) return [];
    if (!data.actions) return transitions.has(label) ? [transitions.get(label)] : [];
    const marked = (marking, places) => !marking || places.every((place) => held(marking, data.places[place][0]) !== "0");
    const fits = ([name, from, into]) => name === label && marked(before, from) && marked(later, into);
    return [...data.actions.keys()].filter((index) => fits(data.actions[index]));
  };
  const text = (marking) => data.places.map(([id]) => [id, held(marking, id)]).filter(([, n]) => n !== "0")
    .map(([id, n]) => (n === "1" ? id : `${id}=${n}`)).join(" ") || "no tokens";

  /** Show the tokens of a place in the picture. */
  const tokens = (group, id, n) => {
    group.querySelector("title").textContent = `${id}: ${n}`;
    group.querySelectorAll(".m").forEach((old) => old.remove());
    const place = group.querySelector(".p"), [x, y] = [place.getAttribute("cx"), place.getAttribute("cy")];
    if (n === "0") return;
    const shape = document.createElementNS(SVG, n === "1" ? "circle" : "text");
    const set = (attributes) => Object.entries(attributes).forEach(([name, value]) => shape.setAttribute(name, value));
    if (n === "1") set({ class: "k m", cx: x, cy: y, r: 4 });
    else {
      set({ class: "w m", x, y: Number(y) + 4, "text-anchor": "middle" });
      shape.textContent = n.length > 5 ? `10^${n.length - 1}` : n;
      if (n.length > 3) shape.style.fontSize = "8px";
    }
    place.after(shape);
  };

  /** The formula with the parts that this step justifies marked in it. */
  const marked = (formula, parts) => {
    const word = /[\p{L}\p{N}_."]/u, cover = new Array(formula.length).fill(null);
    for (const part of [...parts].sort((a, b) => b.formula.length - a.formula.length)) {
      for (let at = formula.indexOf(part.formula); at >= 0; at = formula.indexOf(part.formula, at + 1)) {
        const end = at + part.formula.length;
        const cut = (a, b) => a !== undefined && b !== undefined && word.test(a) && word.test(b);
        if (cut(formula[at - 1], formula[at]) || cut(formula[end - 1], formula[end])) continue;
        cover.fill(part.holds ? "holds" : "not", at, end);
      }
    }
    const pieces = [];
    for (let at = 0, end = 0; at < formula.length; at = end) {
      while (end < formula.length && cover[end] === cover[at]) end += 1;
      const piece = formula.slice(at, end);
      pieces.push(cover[at] ? make("mark", { class: cover[at] }, piece) : piece);
    }
    return pieces;
  };
  const because = (why, result) => {
    const value = make("span", { class: String(why.holds) }, why.holds ? " holds" : " does not hold");
    const to = why.because === "run" ? games.findIndex((g) => g.result === result && g.number === why.run) : -1;
    const reason = to >= 0 ? make("button", { type: "button", onclick: () => { play(false); show(to, 0); } }, `see run ${why.run + 1}`)
      : WHY[why.because] || "";
    return [make("code", {}, why.formula), value, why.because === "run" ? ": " : ", ", reason,
      why.parts ? make("ul", {}, ...why.parts.map((part) => make("li", {}, ...because(part, result)))) : null];
  };

  /** Show a step of a game; `from` is the step that it was reached from, if any. */
  const show = (index, step, from) => {
    const { run, result } = games[index] || start;
    step = Math.max(0, Math.min(step, run.states.length - 1));
    if (from === undefined) from = step > 0 ? step - 1 : null;
    const moved = now.game !== index || now.step !== step;
    now = { game: index, step };
    const state = run.states[step], before = from === null || run.labels.length === 0 ? null : run.states[from].marking;
    const fired = before ? run.labels[from] : undefined, next = run.labels[step];
    const changes = [];
    data.places.forEach(([id], place) => {
      const n = held(state.marking, id), old = before ? held(before, id) : n;
      if (n !== old) changes.push(`${id}: ${number(old)} → ${number(n)}`);
      const group = byId(`p${place}`);
      if (!group) return;
      tokens(group, id, n);
      group.classList.toggle("changed", n !== old);
    });
    document.querySelectorAll(".fired,.next,.hot").forEach((old) => old.classList.remove("fired", "next", "hot"));
    const hit = drawn(fired, before, state.marking), later = run.labels.length > 0 ? after(run, step) : null;
    for (const one of drawn(next, state.marking, later === null ? null : run.states[later].marking)) byId(`t${one}`)?.classList.add("next");
    for (const one of hit) {
      byId(`t${one}`)?.classList.add("fired");
      document.querySelectorAll(`[data-t="${one}"]:not([data-way="test"])`).forEach((arc) => arc.classList.add("hot"));
    }
    const last = run.states.length - 1, many = run.labels.length === 0 && run.end === "list";
    const ends = step < last || many ? "" : { deadlock: " – a deadlock", loop: ` – goes on at step ${run.loop_index}, for ever`, open: " – however it goes on" }[run.end];
    fill("step", many ? (last > 0 ? `Marking ${step + 1} of ${last + 1}` : "") : `Step ${step} of ${last}${ends}`);
    fill("fired", ...(fired === undefined ? [] : [make("span", { class: "fires" }, fired), " fired"]));
    fill("changes", ...changes.map((change) => make("li", {}, change)));
    fill("marking", text(state.marking));
    fill("formula", ...(run.formula ? marked(run.formula, state.parts) : []));
    fill("parts", ...state.parts.map((part) => make("li", {},
      ...(part.reason ? because(part.reason, result) : [make("code", {}, part.formula), make("span", { class: String(part.holds) }, part.holds ? " holds here" : " does not hold here")]))));
    byId("slider").max = last;
    byId("slider").value = step;
    byId("slider").setAttribute("aria-valuetext", byId("step").textContent);
    byId("back").disabled = step === 0;
    byId("first").disabled = step === 0;
    byId("forward").disabled = byId("play").disabled = after(run, step) === null;
    if (timer !== null) byId("play").disabled = false;
    byId("last").disabled = step === last;
    byId("runs").value = String(index);
    list(index, step);
    if (moved) link();
    return hit;
  };

  /** The steps of the game as a list to choose from. */
  let shown = null;
  const list = (index, step) => {
    const { run } = games[index] || start, length = run.states.length;
    const begin = Math.max(0, Math.min(step - MOST_LISTED / 2, length - MOST_LISTED));
    const key = `${index}/${begin}`;
    if (shown !== key) {
      shown = key;
      const range = [...Array(Math.min(length, MOST_LISTED)).keys()].map((n) => n + begin);
      byId("steps").hidden = length < 2;
      fill("steps", ...range.map((at) => {
        const loop = run.end === "loop" && at >= run.loop_index;
        const mark = run.end === "loop" && at === run.loop_index ? " ↻ the loop starts here" : "";
        const label = `${at}${at > 0 && run.labels[at - 1] !== undefined ? ` ${run.labels[at - 1]}` : ""}${mark}`;
        return make("li", { class: loop ? "loop" : null, "data-step": at }, make("button", { type: "button", tabindex: -1, onclick: () => { play(false); show(index, at); } }, label));
      }), ...(run.end === "loop" ? [make("li", { class: "loop" }, make("button", { type: "button", tabindex: -1, onclick: () => { play(false); show(index, run.loop_index, length - 1); } },
        `↻ ${run.labels[length - 1]}, back to ${run.loop_index}`))] : []));
    }
    for (const item of byId("steps").children) {
      const here = item.dataset.step === String(step);
      if (here) { item.setAttribute("aria-current", "step"); byId("steps").scrollTop = item.offsetTop - byId("steps").offsetTop - 60; }
      else item.removeAttribute("aria-current");
    }
  };

  /** Let tokens fly along the arcs of the transitions that have fired. */
  const fly = (hit) => {
    if (hit.length === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    document.querySelectorAll(".fly").forEach((old) => old.remove());
    for (const arc of hit.flatMap((one) => [...document.querySelectorAll(`[data-t="${one}"]`)])) {
      const way = arc.dataset.way;
      if (way !== "in" && way !== "out") continue;
      const dot = document.createElementNS(SVG, "circle"), length = arc.getTotalLength();
      dot.setAttribute("class", "fly");
      dot.setAttribute("r", 5);
      dot.setAttribute("visibility", "hidden");
      arc.after(dot);
      let begin = null;
      const frame = (time) => {
        if (begin === null) begin = time + (way === "out" ? FLIGHT : 0);
        const part = (time - begin) / FLIGHT;
        if (part >= 1 || !dot.isConnected) return dot.remove();
        if (part >= 0) {
          const { x, y } = arc.getPointAtLength(part * length);
          dot.setAttribute("cx", x);
          dot.setAttribute("cy", y);
          dot.setAttribute("visibility", "visible");
        }
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    }
  };
  /** Keep the transition in view without moving the page. */
  const follow = (hit) => {
    const group = hit.length === 0 ? null : byId(`t${hit[0]}`);
    if (!group) return;
    const pane = byId("picture"), box = pane.getBoundingClientRect(), at = group.getBoundingClientRect();
    if (at.top < box.top || at.bottom > box.bottom) pane.scrollTop += at.top - box.top - box.height / 2;
    if (at.left < box.left || at.right > box.right) pane.scrollLeft += at.left - box.left - box.width / 2;
  };
  const forward = () => {
    const next = after(game().run, now.step);
    if (next === null) return play(false);
    const hit = show(now.game, next, now.step);
    follow(hit);
    fly(hit);
  };
  const to = (step) => { play(false); follow(show(now.game, step)); };
  const play = (on) => {
    if (timer !== null) clearInterval(timer);
    timer = on ? setInterval(forward, PAUSE) : null;
    fill("play", on ? "pause" : "play");
    if (on) forward();
    else byId("play").disabled = after(game().run, now.step) === null;
  };

  // ---- The size of the picture.
  const picture = byId("picture").querySelector("svg"), size = { width: picture.width.baseVal.value, height: picture.height.baseVal.value };
  let scale = 1;
  const zoom = (to) => {
    scale = Math.max(0.1, Math.min(to, 4));
    picture.setAttribute("width", size.width * scale);
    picture.setAttribute("height", size.height * scale);
  };
  const whole = () => Math.min(1, (byId("picture").clientWidth - 4) / size.width, (0.8 * innerHeight) / size.height);

  // ---- A step has an address.
  const link = () => {
    const { answer, number } = game(), parts = new URLSearchParams();
    if (answer) parts.set("answer", answer);
    if (number) parts.set("run", number + 1);
    parts.set("step", now.step);
    try { history.replaceState(null, "", `#${parts}`); } catch { /* a page without an address */ }
  };
  const address = () => {
    const parts = new URLSearchParams(location.hash.slice(1));
    const count = (name) => { const n = parseInt(parts.get(name), 10); return Number.isNaN(n) ? null : n; };
    const run = (count("run") || 1) - 1;
    const index = games.findIndex((g) => (!parts.has("answer") || g.answer === parts.get("answer")) && (g.number || 0) === run);
    return [Math.max(index, 0), count("step") || 0];
  };

  // ---- The variable order.
  const levels = () => {
    if (!data.levels) return fill("levels", make("p", { class: "soft" }, "No decision diagram was built."));
    const most = Math.max(1, ...data.levels.map(([, n]) => n)), sum = data.levels.reduce((all, [, n]) => all + n, 0);
    const about = make("p", {}, `The reachable markings are a diagram of ${plural(sum, "node")} on ${plural(data.levels.length, "level")}, the first level on top; the widest level has ${plural(most, "node")}.`);
    if (data.levels.length <= MOST_ROWS) {
      return fill("levels", about, make("div", { class: "levels", role: "table", "aria-label": "nodes per level" }, ...data.levels.map(([place, n]) => {
        const bar = make("div", { class: "bar", role: "presentation" });
        bar.style.width = `${(100 * n) / most}%`;
        const row = make("div", { role: "row" }, make("code", { role: "rowheader" }, place), make("div", { role: "presentation" }, bar), make("span", { role: "cell", class: "number" }, number(n)));
        row.style.display = "contents";
        return row;
      })));
    }
    const each = Math.ceil(data.levels.length / COLUMNS), columns = Math.ceil(data.levels.length / each);
    const chart = document.createElementNS(SVG, "svg");
    const set = (element, attributes) => Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    set(chart, { class: "chart", viewBox: `0 0 ${columns} 100`, preserveAspectRatio: "none", role: "img", "aria-label": about.textContent });
    for (let column = 0; column < columns; column += 1) {
      const part = data.levels.slice(column * each, (column + 1) * each);
      const top = part.reduce((a, b) => (b[1] > a[1] ? b : a));
      const bar = document.createElementNS(SVG, "rect"), title = document.createElementNS(SVG, "title"), height = Math.max(0.5, (100 * top[1]) / most);
      set(bar, { x: column, y: 100 - height, width: 0.85, height });
      title.textContent = `${top[0]}: ${plural(top[1], "node")}`;
      bar.append(title);
      chart.append(bar);
    }
    return fill("levels", about, chart, make("p", { class: "soft" }, `from ${data.levels[0][0]} to ${data.levels[data.levels.length - 1][0]}${each > 1 ? `; of each ${each} levels the widest is drawn` : ""}`));
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

  // ---- Put it together.
  const net = data.net;
  fill("about", `${plural(net.places, "place")}, ${plural(net.transitions, "transition")}, ${plural(net.arcs, "arc")}.`);
  const states = data.results.find((result) => result.schema.startsWith("starset/states/"));
  if (states) figures(states);
  else answers();
  fill("runs", ...(games.length > 0 ? games : [start]).map((g, index) => {
    const short = g.run.formula && g.run.formula.length > 70 ? `${g.run.formula.slice(0, 70)}…` : g.run.formula;
    return make("option", { value: index }, `${g.result && data.results.length > 1 ? `${g.answer}, ` : ""}${g.title}${short ? `: ${short}` : ""}`);
  }));
  const listen = (id, event, action) => byId(id).addEventListener(event, action);
  listen("first", "click", () => to(0));
  listen("back", "click", () => to(now.step - 1));
  listen("play", "click", () => play(timer === null));
  listen("forward", "click", () => { play(false); forward(); });
  listen("last", "click", () => to(Infinity));
  listen("slider", "input", () => to(Number(byId("slider").value)));
  listen("runs", "change", () => { play(false); show(Number(byId("runs").value), 0); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const action = { ArrowRight: () => { play(false); forward(); }, ArrowLeft: () => to(now.step - 1), Home: () => to(0), End: () => to(Infinity),
      " ": event.target.tagName === "BUTTON" ? null : () => { if (!byId("play").disabled) play(timer === null); } }[event.key];
    if (action) { event.preventDefault(); action(); }
  });
  listen("smaller", "click", () => zoom(scale / 1.25));
  listen("larger", "click", () => zoom(scale * 1.25));
  listen("fit", "click", () => zoom(whole()));
  addEventListener("hashchange", () => { play(false); follow(show(...address())); });
  // As a whole if names stay legible, else as wide as there is room.
  zoom(whole() > 0.75 ? whole() : Math.max(0.6, Math.min(1, (byId("picture").clientWidth - 4) / size.width)));
  levels();
  cost();
  follow(show(...address()));
  document.documentElement.dataset.ready = "yes";
})();

// Playing a run: its steps, what has fired and what changed, and which parts of the formula a step justifies.
const MOST_LISTED = 400, PAUSE = 1100, FLIGHT = 320;
let timer = null;
/** The transitions that are drawn of a step: of an action of several, those whose places are left and entered. */
const drawn = (label, before, later) => {
  if (label === undefined) return [];
  if (!data.actions) return numbers.has(label) ? [numbers.get(label)] : [];
  const marked = (marking, places) => !marking || places.every((place) => held(marking, placeId(place)) !== "0");
  const fits = ([name, from, into]) => name === label && marked(before, from) && marked(later, into);
  return [...data.actions.keys()].filter((index) => fits(data.actions[index]));
};
const text = (marking) => {
  const told = assignments(marking).map(({ name, sign, value }) => `${name} ${sign} ${value}`).join(", ");
  const places = data.places.map(([id], place) => [placeName(place), held(marking, id)]).filter(([, n]) => n !== "0")
    .map(([name, n]) => (n === "1" ? name : `${name}=${n}`)).join(" ");
  return [places, told].filter((part) => part !== "").join("; ") || "no tokens";
};
/** The variables with their values before and now, for those that no place is drawn of. */
const paintVariables = (marking, before) => {
  byId("variables").hidden = variables.length === 0;
  if (variables.length === 0) return;
  const old = before === null ? [] : assignments(before);
  fill("variables", make("table", {}, make("thead", {}, make("tr", {}, ...["variable", "value", "before"].map((title) => make("th", { scope: "col" }, title)))),
    make("tbody", {}, ...assignments(marking).map(({ name, value }, at) => {
      const changed = before !== null && old[at].value !== value;
      return make("tr", { class: changed ? "changed" : null }, make("td", {}, make("code", {}, name)), make("td", {}, make("code", {}, value)), make("td", {}, changed ? make("code", {}, old[at].value) : ""));
    }))));
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

/** Mark in the picture what fires now and next, what may be fired, and the places that changed. */
const paint = (state, before, hit, next, enabled, label) => {
  paintVariables(state.marking, before);
  if (network) return paintComponents(state.marking, before, label);
  data.places.forEach(([id], place) => {
    const group = byId(`p${place}`);
    if (!group) return;
    const n = held(state.marking, id);
    tokens(group, placeName(place), n);
    group.classList.toggle("changed", before !== null && held(before, id) !== n);
  });
  document.querySelectorAll(".fired,.next,.hot").forEach((old) => old.classList.remove("fired", "next", "hot"));
  const on = new Set(enabled);
  data.transitions.forEach((_, transition) => byId(`t${transition}`)?.toggleAttribute("data-enabled", on.has(transition)));
  for (const one of next) byId(`t${one}`)?.classList.add("next");
  for (const one of hit) {
    byId(`t${one}`)?.classList.add("fired");
    document.querySelectorAll(`[data-t="${one}"]:not([data-way="test"])`).forEach((arc) => arc.classList.add("hot"));
  }
};

/** What is shown: the step, and the one that it was reached from, if any. */
let shownFrom = null;
const show = (index, step, from) => {
  index = Math.max(0, Math.min(index, games.length - 1));
  const { run, result, sources } = games[index];
  step = Math.max(0, Math.min(step, run.states.length - 1));
  if (from === undefined) from = step > 0 ? step - 1 : null;
  const moved = now.game !== index || now.step !== step;
  now = { game: index, step };
  shownFrom = from;
  const state = run.states[step], before = from === null || run.labels.length === 0 ? null : run.states[from].marking;
  const fired = before ? run.labels[from] : undefined, later = run.labels.length > 0 ? after(run, step) : null;
  const hit = drawn(fired, before, state.marking), next = drawn(run.labels[step], state.marking, later === null ? null : run.states[later].marking);
  const changes = before === null ? [] : data.places.flatMap(([id], place) => {
    const [old, n] = [held(before, id), held(state.marking, id)];
    return n === old ? [] : [`${placeName(place)}: ${number(old)} → ${number(n)}`];
  });
  if (before !== null) changes.push(...assignments(before).flatMap(({ name, value }, at) => {
    const now = assignments(state.marking)[at].value;
    return now === value ? [] : [`${name}: ${value} → ${now}`];
  }));
  const current = data.playable ? tokensIn(state.marking) : null, enabled = current ? allEnabled(current) : [];
  const focus = hit.length > 0 ? hit : next.length > 0 ? next : enabled.slice(0, 1);
  if (area.extent !== "whole" && (area.centres.length === 0 || (moved && hit.length > 0 && !hit.some((one) => byId(`t${one}`))))) {
    const marked = data.places.findIndex(([id]) => held(state.marking, id) !== "0");
    area.centres = [focus.length > 0 ? PLACES + focus[0] : Math.max(0, marked)];
    draw();
    fit();
  }
  paint(state, before, hit, next, enabled, fired);
  const last = run.states.length - 1, many = run.labels.length === 0 && run.end === "list";
  const ends = step < last || many ? "" : { deadlock: " – a deadlock", loop: ` – goes on at step ${run.loop_index}, for ever`, open: " – however it goes on", final: " – the run ends here" }[run.end] || "";
  fill("step", many ? (last > 0 ? `${terms.state[0].toUpperCase()}${terms.state.slice(1)} ${step + 1} of ${last + 1}` : "") : `Step ${step} of ${last}${ends}`);
  fill("fired", ...(fired === undefined ? [] : [make("span", { class: "fires" }, calledStep(fired)), terms.counts ? " fired" : " taken"]));
  fill("source", ...((fired !== undefined && sources && sources[from]) || "").split("\n").filter((line) => line !== "").map((line) => make("div", {}, line)));
  fill("changes", ...changes.map((change) => make("li", {}, change)));
  fill("marking", text(state.marking));
  fill("formula", ...(run.formula ? marked(run.formula, state.parts) : []));
  fill("parts", ...state.parts.map((part) => make("li", {},
    ...(part.reason ? because(part.reason, result) : [make("code", {}, part.formula), make("span", { class: String(part.holds) }, part.holds ? " holds here" : " does not hold here")]))));
  offer(enabled);
  if (current) showValues(current, enabled);
  byId("slider").max = last;
  byId("slider").value = step;
  byId("slider").setAttribute("aria-valuetext", byId("step").textContent);
  byId("back").disabled = byId("first").disabled = step === 0;
  byId("forward").disabled = byId("play").disabled = after(run, step) === null;
  if (timer !== null) byId("play").disabled = false;
  byId("last").disabled = step === last;
  byId("runs").value = String(index);
  list(index, step);
  if (moved) { fill("chosen"); link(); }
  return hit;
};
const refresh = () => show(now.game, now.step, shownFrom === null ? undefined : shownFrom);

/** The steps of the game as a list to choose from. */
let listed_ = null;
const list = (index, step) => {
  const { run } = games[index], length = run.states.length;
  const begin = Math.max(0, Math.min(step - MOST_LISTED / 2, length - MOST_LISTED));
  const key = `${index}/${begin}/${length}/${run.labels.join("/").length}`;
  if (listed_ !== key) {
    listed_ = key;
    const range = [...Array(Math.min(length, MOST_LISTED)).keys()].map((n) => n + begin);
    const item = (attributes, text, go) => make("li", attributes, make("button", { type: "button", tabindex: -1, onclick: () => { play(false); go(); } }, text));
    byId("steps").hidden = length < 2;
    fill("steps", ...range.map((at) => {
      const loop = run.end === "loop" && at >= run.loop_index;
      const mark = run.end === "loop" && at === run.loop_index ? " ↻ the loop starts here" : "";
      const label = run.labels.length === 0 && run.end === "list" ? `${terms.state} ${at + 1}` : `${at}${at > 0 && run.labels[at - 1] !== undefined ? ` ${calledStep(run.labels[at - 1])}` : ""}${mark}`;
      return item({ class: loop ? "loop" : null, "data-step": at }, label, () => show(index, at));
    }), ...(run.end === "loop" ? [item({ class: "loop" }, `↻ ${calledStep(run.labels[length - 1])}, back to ${run.loop_index}`, () => show(index, run.loop_index, length - 1))] : []));
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
    const dot = shape("circle", { class: "fly", r: 5, visibility: "hidden" }), length = arc.getTotalLength();
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
/** Keep what has fired in view. */
const followHit = (hit) => { if (hit.length > 0) follow(byId(`t${hit[0]}`)); };
const forward = () => {
  const next = after(game().run, now.step);
  if (next === null) return play(false);
  const hit = show(now.game, next, now.step);
  followHit(hit);
  fly(hit);
};
const to = (step) => { play(false); followHit(show(now.game, step)); };
const play = (on) => {
  if (timer !== null) clearInterval(timer);
  timer = on ? setInterval(forward, PAUSE) : null;
  fill("play", on ? "pause" : "play");
  if (on) forward();
  else byId("play").disabled = after(game().run, now.step) === null;
};

/** A step has an address. */
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

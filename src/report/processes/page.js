// The runs that refute something, step by step on the picture of the diagram.
let run = 0, step = 0, timer = null;
const states = () => data.runs[run].states;

/** Tokens lie at the anchors of their elements; several in one place are a number. */
const tokens = (state, isLast) => {
  const layer = byId("tokens");
  if (!layer) return;
  layer.classList.toggle("bad", isLast);
  layer.replaceChildren(...state.tokens.filter(([element]) => data.anchors[element]).map(([element, count]) => {
    const [x, y] = data.anchors[element];
    return shape("g", {}, shape("circle", { class: "token", cx: x, cy: y, r: 8 }),
      shape("text", { class: "count", x, y: y + 3.5 }, count > 1 ? String(count) : ""));
  }));
  for (const marked of document.querySelectorAll(".done,.held")) marked.classList.remove("done", "held");
  if (state.by) byId(state.by)?.classList.add("done");
  if (isLast) state.tokens.forEach(([element]) => byId(element)?.classList.add("held"));
};

/** In a narrow window the picture scrolls: what the step is about is seen. */
const follow = (state) => {
  const element = byId(state.by ?? (state.tokens[0] ?? [])[0]), picture = byId("tokens")?.closest(".picture");
  if (!element || !picture) return;
  const part = element.getBoundingClientRect(), all = picture.getBoundingClientRect();
  picture.scrollBy(part.left + part.width / 2 - all.left - all.width / 2, part.top + part.height / 2 - all.top - all.height / 2);
};

const show = () => {
  const all = states(), state = all[step], isLast = step === all.length - 1;
  tokens(state, isLast);
  follow(state);
  const when = state.at ? ` · at ${state.at}` : "";
  byId("where").textContent = `${step} of ${plural(all.length - 1, "step")}: ${state.done}${when}`;
  byId("marking").textContent = `Tokens: ${state.marking}`;
  for (const id of ["first", "back"]) byId(id).disabled = step === 0;
  for (const id of ["on", "last"]) byId(id).disabled = isLast;
  [...byId("steps").querySelectorAll("button")].forEach((button, at) => button.setAttribute("aria-current", String(at === step)));
};
const go = (to) => { step = Math.max(0, Math.min(states().length - 1, to)); show(); };
const stop = () => { clearInterval(timer); timer = null; byId("animate").textContent = "Play"; };
const play = () => {
  if (timer) return stop();
  if (step === states().length - 1) go(0);
  byId("animate").textContent = "Stop";
  timer = setInterval(() => { if (step === states().length - 1) stop(); else go(step + 1); }, 800);
};
const choose = () => {
  stop();
  run = Number(byId("run").value);
  fill("steps", ...states().map((state, at) => make("li", {}, make("button", { onclick: () => { stop(); go(at); } }, state.done))));
  go(states().length - 1);
};

if (data.runs.length) {
  byId("play").hidden = byId("steps").hidden = false;
  fill("run", ...data.runs.map((known, at) => make("option", { value: at }, known.title)));
  listen("run", "change", choose);
  listen("first", "click", () => { stop(); go(0); });
  listen("back", "click", () => { stop(); go(step - 1); });
  listen("on", "click", () => { stop(); go(step + 1); });
  listen("last", "click", () => { stop(); go(states().length - 1); });
  listen("animate", "click", play);
  // A run without a step shows little.
  byId("run").value = String(Math.max(0, data.runs.findIndex((known) => known.states.length > 1)));
  choose();
}
document.documentElement.dataset.ready = "yes";

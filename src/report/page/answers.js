// The answers as a table.
/** A text that is folded if it is long. */
const LONG = 180;
const folded = (text) => (text.length <= LONG ? make("code", {}, text)
  : make("details", { class: "fold" }, make("summary", {}, make("code", {}, `${text.slice(0, LONG - 40)}…`), make("span", { class: "soft" }, ` ${plural(text.length, "letter")}`)), make("code", {}, text)));
const verdict = (result) => {
  const word = result.verdict === null || result.verdict === undefined ? result.bound || "unknown" : String(result.verdict);
  return make("span", { class: word }, result.bound ? number(word) : word);
};
const share = (part, whole) => {
  if (!/^\d+$/.test(part || "") || !/^\d+$/.test(whole || "") || BigInt(whole) === 0n) return null;
  const percent = Number((BigInt(part) * 10000n) / BigInt(whole)) / 100;
  const bar = make("i", {});
  bar.style.width = `${percent}%`;
  return make("span", { class: "share", role: "img", "aria-label": `${percent} % of the reachable ${terms.state}s`, title: `${percent} %` }, bar);
};
/** Why a verdict is as it is that no run shows. */
const WHY = { marking: `as the ${terms.state} says`, computed: `as the computed set of ${terms.state}s says`, parts: "because" };
const whys = (reason) => [...new Set(reason.parts ? reason.parts.map(whys) : [WHY[reason.because]])].join(", ");
const playButton = (index, text) => make("button", { type: "button", onclick: () => { play(false); show(index, 0); byId("picture").scrollIntoView({ block: "nearest" }); } }, text);
const answers = () => {
  const head = ["", "verdict", "formula", "holds in", "engine", "seconds", ""];
  const rows = data.results.map((result) => {
    const first = games.findIndex((game) => game.result === result);
    const set = games.findIndex((game) => game.answer === `set ${result.id}`);
    const holds = result.satisfying === null || result.satisfying === undefined ? [result.satisfying_message || "–"]
      : [exact(result.satisfying), " of ", exact(result.reachable), share(result.satisfying, result.reachable)];
    const why = first < 0 ? (result.witness_message || result.message || (result.witness ? whys(result.witness.reason) : "")) : playButton(first, "play witness");
    const clocks = result.scale > 1 ? `, clocks in 1/${result.scale}` : "";
    const cell = (label, ...children) => make("td", { "data-label": label }, ...children);
    return make("tr", {}, make("th", { scope: "row" }, result.id), cell("verdict", verdict(result)),
      cell(null, folded(result.written || result.formula), result.paths ? make("div", { class: "soft" }, `${result.logic}, ${result.paths} ${result.paths === "finite" ? "runs" : "paths"}${clocks}`) : null,
        ...(result.assumptions || []).map((text) => make("div", { class: "soft" }, `under ${text}`)),
        result.fair_path === false || result.finite_run === false ? make("div", { class: "soft" }, `no such ${result.finite_run === false ? "run" : "path"} begins in the initial ${terms.state}`) : null),
      cell("holds in", ...holds), cell("engine", result.engine), make("td", { class: "number", "data-label": "seconds" }, result.seconds.toFixed(3)),
      cell(null, why, set < 0 ? null : playButton(set, terms.counts ? "markings on the net" : `${terms.state}s of the set`)));
  });
  fill("answers", make("table", {}, make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, ...rows)), ...listed());
};
/** The markings that satset lists, as texts. */
const listed = () => data.results.filter((result) => result.schema.startsWith("starset/check/") && Array.isArray(result.markings)).map((result) =>
  make("details", {}, make("summary", {}, `${result.id}: ${plural(result.markings.length, terms.state)} of the set`),
    ...result.markings.map((text) => make("p", { class: "marking" }, text))));
const figures = (result) => pairs("answers", [
  ["states", exact(result.states)], ["transitions", exact(result.transitions)],
  ["most tokens in a place", terms.counts ? exact(result.max_tokens_in_place) : null], ["most tokens in a marking", terms.counts ? exact(result.max_tokens_per_marking) : null],
  ["deadlocks", result.deadlocks === undefined ? null : exact(result.deadlocks)], ["unknown because", result.message],
]);

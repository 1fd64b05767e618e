// Put it together.
fill("about", data.sizes && !canMove ? `${data.sizes.map(([n, what]) => plural(n, what)).join(", ")}.` : network ? `${plural(network.components.length, "component")}, ${plural(network.components.reduce((all, component) => all + component.states.length, 0), "local state")}, ${plural(network.labels.length, "label")}.` : `${plural(data.net.places, "place")}, ${plural(data.net.transitions, "transition")}, ${plural(data.net.arcs, "arc")}.`);
const ofStates = data.results.find((result) => result.schema.startsWith("starset/states/"));
if (ofStates) figures(ofStates);
else answers();
menu();
byId("net-box").hidden = network !== null || data.places.length === 0;
byId("components-box").hidden = network === null;
byId("hint").hidden = !data.playable;
if (canMove) { byId("hint").hidden = false; fill("hint", " A click on a green edge takes the step."); }
fill("state-title", `${terms.state[0].toUpperCase()}${terms.state.slice(1)}:`);
if (canMove) fill("game-title", "The components and their states");
else if (network || data.places.length === 0) fill("game-title", `The ${terms.model} and its states`);
else if (variables.length > 0) fill("game-title", "The net, its tokens and its clocks");
listen("component", "input", () => { wantedComponent = byId("component").value.trim(); refresh(); });
const extents = [...(isWhole || !data.arcs ? [["whole", isWhole ? "the whole net" : "a part of the net"]] : []), ...(data.arcs ? SIZES.map((n) => [String(n), `${n} nodes near by`]) : [])];
fill("extent", ...extents.map(([value, text]) => make("option", { value }, text)));
listen("extent", "change", () => {
  area.extent = byId("extent").value;
  if (area.extent === "whole") { draw(); refresh(); open(); }
  else drawAround(...(area.centres.length > 0 ? area.centres : [PLACES > 0 ? Math.max(0, data.places.findIndex(([id]) => held(shownMarking(), id) !== "0")) : 0]));
});
listen("search", "input", showFound);
listen("search", "keydown", (event) => {
  if (event.key !== "Enter") return;
  const [first] = showFound();
  if (first !== undefined) seek(first);
});
pane.addEventListener("click", click);
listen("first", "click", () => to(0));
listen("back", "click", () => to(now.step - 1));
listen("play", "click", () => play(timer === null));
listen("forward", "click", () => { play(false); forward(); });
listen("last", "click", () => to(Infinity));
listen("slider", "input", () => to(Number(byId("slider").value)));
listen("runs", "change", () => { play(false); show(Number(byId("runs").value), 0); });
listen("restart", "click", restart);
listen("save", "click", save);
listen("load", "change", load);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const action = { ArrowRight: () => { play(false); forward(); }, ArrowLeft: () => to(now.step - 1), Home: () => to(0), End: () => to(Infinity),
    " ": /^(BUTTON|SUMMARY)$/.test(event.target.tagName) ? null : () => { if (!byId("play").disabled) play(timer === null); } }[event.key];
  if (action) { event.preventDefault(); action(); }
});
listen("smaller", "click", () => zoom(1.25));
listen("larger", "click", () => zoom(0.8));
listen("fit", "click", fit);
addEventListener("hashchange", () => { play(false); followHit(show(...address())); });
levels();
growth();
bounds();
cost();
fit();
const begins = show(...address());
open();
followHit(begins);
document.documentElement.dataset.ready = "yes";

// The token game in a browser: draws the net that the kernel sends, and sends back what is clicked.
function render({ model, el }) {
  el.classList.add("starset-game");
  const bar = document.createElement("div");
  bar.className = "starset-bar";
  const pane = document.createElement("div");
  pane.className = "starset-net";
  const marking = document.createElement("div");
  marking.className = "starset-marking";
  el.replaceChildren(bar, pane, marking);

  // The same wish twice is told apart by its time, whichever view of the game it comes from.
  const wish = (what) => {
    model.set("wish", { ...what, number: performance.timeOrigin + performance.now() });
    model.save_changes();
  };
  const button = (text, what) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", () => wish(what));
    return made;
  };
  const back = button("Back", { do: "back" });
  const reset = button("Reset", { do: "reset" });
  const steps = document.createElement("span");
  bar.append(back, reset, steps);

  const draw = () => {
    const names = model.get("names");
    // The picture is made by starset; names in it are escaped.
    pane.innerHTML = model.get("svg");
    for (const transition of model.get("enabled")) {
      const group = pane.querySelector(`[id="t${transition}"]`);
      if (!group) continue;
      group.classList.add("starset-enabled");
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
      const fire = () => wish({ do: "fire", transition: names[transition] });
      group.addEventListener("click", fire);
      group.addEventListener("keydown", (event) => { if (event.key === "Enter") fire(); });
    }
    // Ids would be there twice where two games are on a page.
    for (const group of pane.querySelectorAll("g[id]")) group.removeAttribute("id");
    const fired = model.get("fired");
    back.disabled = reset.disabled = fired.length === 0;
    steps.textContent = fired.length === 0 ? "click a green transition" : `${fired.length}: ${fired.slice(-8).join(", ")}`;
    const stuck = model.get("enabled").length === 0;
    marking.textContent = model.get("marking") + (stuck ? " — a deadlock" : "");
  };
  for (const name of ["svg", "enabled", "fired", "marking"]) model.on(`change:${name}`, draw);
  draw();
}
export default { render };

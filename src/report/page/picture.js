// The picture: which part of it is seen, and the tokens in it.
const pane = byId("picture"), picture = pane.querySelector("svg");
const LEGIBLE = 0.5, MARGIN = 20;
/** The drawing as a whole, and what of it is seen. */
let world = { x: 0, y: 0, w: picture.width.baseVal.value, h: picture.height.baseVal.value }, view = world;
picture.removeAttribute("width");
picture.removeAttribute("height");

const look = (x, y, w) => {
  const ratio = Math.max(0.05, pane.clientHeight / Math.max(1, pane.clientWidth));
  const width = Math.max(60, Math.min(w, 4 * Math.max(world.w, world.h / ratio)));
  view = { x, y, w: width, h: width * ratio };
  picture.setAttribute("viewBox", `${view.x.toFixed(1)} ${view.y.toFixed(1)} ${view.w.toFixed(1)} ${view.h.toFixed(1)}`);
};
/** Around a point, but with as little as possible of what lies outside of the drawing. */
const centre = (x, y, w) => {
  look(0, 0, w || view.w);
  const within = (at, size, begin, length) => (size >= length ? begin + (length - size) / 2 : Math.max(begin, Math.min(at - size / 2, begin + length - size)));
  look(within(x, view.w, world.x, world.w), within(y, view.h, world.y, world.h), view.w);
};
/** How wide the view is that has all of the drawing. */
const whole = () => Math.max(world.w, world.h * pane.clientWidth / Math.max(1, pane.clientHeight), pane.clientWidth / 1.3);
/** No more room than the drawing needs. */
const room = () => {
  pane.style.height = "";
  pane.style.height = `${Math.max(220, Math.min(pane.clientHeight, (world.h * pane.clientWidth) / Math.max(world.w, pane.clientWidth / 1.3) + 2))}px`;
};
const fit = () => centre(world.x + world.w / 2, world.y + world.h / 2, whole());
/** Larger (below 1) or smaller, around a point that stays where it is. */
const zoom = (factor, x = view.x + view.w / 2, y = view.y + view.h / 2) => {
  const old = view;
  look(0, 0, view.w * factor);
  look(x - ((x - old.x) * view.w) / old.w, y - ((y - old.y) * view.h) / old.h, view.w);
};
const nodeGroups = () => picture.querySelectorAll("g[id]");
const middle = (group) => { const box = group.querySelector(".p,.t").getBBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
/** Bring a node into view, if it is not there. */
const follow = (group) => {
  if (!group) return;
  const [x, y] = middle(group);
  if (x < view.x + MARGIN || x > view.x + view.w - MARGIN || y < view.y + MARGIN || y > view.y + view.h - MARGIN) centre(x, y);
};
/** The first view: all of it if that is legible, else some tokens, or what may be fired. */
const open = () => {
  room();
  fit();
  if (pane.clientWidth / whole() >= LEGIBLE) return;
  const group = picture.querySelector("g.next,g[data-enabled]") || [...nodeGroups()].find((group) => group.querySelector(".m")) || nodeGroups()[0];
  if (group) centre(...middle(group), Math.max(pane.clientWidth / 0.9, Math.min(world.w, pane.clientWidth / LEGIBLE)));
};

/** A point of the drawing under the pointer. */
const under = (event) => {
  const box = pane.getBoundingClientRect();
  return [view.x + ((event.clientX - box.left) / box.width) * view.w, view.y + ((event.clientY - box.top) / box.height) * view.h];
};
const pointers = new Map();
let dragged = false;
const gap = () => { const [a, b] = [...pointers.values()]; return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY); };
pane.addEventListener("pointerdown", (event) => { pointers.set(event.pointerId, event); if (pointers.size === 1) dragged = false; });
pane.addEventListener("pointermove", (event) => {
  const old = pointers.get(event.pointerId);
  if (!old) return;
  if (!dragged && Math.hypot(event.clientX - old.clientX, event.clientY - old.clientY) < 4) return;
  if (!dragged) for (const id of pointers.keys()) pane.setPointerCapture(id);
  dragged = true;
  pane.classList.add("drags");
  const before = pointers.size === 2 ? gap() : 0, part = view.w / pane.clientWidth / pointers.size;
  pointers.set(event.pointerId, event);
  look(view.x - (event.clientX - old.clientX) * part, view.y - (event.clientY - old.clientY) * part, view.w);
  if (pointers.size === 2 && gap() > 0) {
    const [a, b] = [...pointers.values()].map(under);
    zoom(before / gap(), (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
  }
});
const release = (event) => { pointers.delete(event.pointerId); if (pointers.size === 0) pane.classList.remove("drags"); };
pane.addEventListener("pointerup", release);
pane.addEventListener("pointercancel", release);
pane.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(Math.max(-0.5, Math.min(0.5, event.deltaY / 400))), ...under(event)); }, { passive: false });
addEventListener("resize", () => { room(); centre(view.x + view.w / 2, view.y + view.h / 2, Math.min(view.w, whole())); });

/** Show the tokens of a place. */
const tokens = (group, id, n) => {
  group.querySelector("title").textContent = `${id}: ${n}`;
  group.querySelectorAll(".m").forEach((old) => old.remove());
  const place = group.querySelector(".p"), [x, y] = [place.getAttribute("cx"), place.getAttribute("cy")];
  if (n === "0") return;
  if (n === "1") return place.after(shape("circle", { class: "k m", cx: x, cy: y, r: 4 }));
  const text = shape("text", { class: "w m", x, y: Number(y) + 4, "text-anchor": "middle" }, n.length > 5 ? `10^${n.length - 1}` : n);
  if (n.length > 3) text.style.fontSize = "8px";
  place.after(text);
};

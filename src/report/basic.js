// What all parts of the page use: its data, elements that are made of texts, and numbers for people.
const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);

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
/** An element of a drawing. */
const shape = (tag, attributes, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const fill = (id, ...children) => byId(id).replaceChildren(...children);
const listen = (id, event, action) => byId(id).addEventListener(event, action);

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
const plural = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;
const pairs = (id, rows) => fill(id, make("dl", {}, ...rows.filter(([, value]) => value !== null && value !== undefined)
  .flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, value)])));

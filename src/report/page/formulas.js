// Formulas in the marking that is shown. A value is true, false, or null where a marking does not tell.
const valuesIn = (table, tokens, enabled) => {
  const numbers = [], values = [], isOn = new Set(enabled);
  const every = (all, f) => (all.some((n) => n === null) ? null : f(all));
  for (const [op, a, b] of table.expressions) {
    numbers.push({
      number: () => BigInt(a),
      tokens: () => a.reduce((sum, place) => sum + tokens[place], 0n),
      neg: () => every([numbers[a]], ([x]) => -x),
      add: () => every(a.map((e) => numbers[e]), (all) => all.reduce((x, y) => x + y, 0n)),
      mul: () => every([numbers[a], numbers[b]], ([x, y]) => x * y),
      "?": () => null,
    }[op]());
  }
  const not = (x) => (x === null ? null : !x);
  const and = (all) => (all.includes(false) ? false : all.includes(null) ? null : true);
  const or = (all) => not(and(all.map(not)));
  const compare = (a, b, f) => every([numbers[a], numbers[b]], ([x, y]) => f(x, y));
  for (const [op, a, b] of table.parts) {
    values.push({
      true: () => true, false: () => false,
      deadlock: () => enabled.length === 0,
      enabled: () => a.some((transition) => isOn.has(transition)),
      "=": () => compare(a, b, (x, y) => x === y), "!=": () => compare(a, b, (x, y) => x !== y),
      "<": () => compare(a, b, (x, y) => x < y), "<=": () => compare(a, b, (x, y) => x <= y),
      ">": () => compare(a, b, (x, y) => x > y), ">=": () => compare(a, b, (x, y) => x >= y),
      not: () => not(values[a]), and: () => and(a.map((part) => values[part])), or: () => or(a.map((part) => values[part])),
      implies: () => or([not(values[a]), values[b]]),
      iff: () => (values[a] === null || values[b] === null ? null : values[a] === values[b]),
      "?": () => null,
    }[op]());
  }
  return values;
};
const opened = new Set();
const truth = (value) => (value === null ? make("span", { class: "soft" }, "needs a search") : make("span", { class: String(value) }, String(value)));
/** The list of all formulas with their values, and those of their atoms. */
const showValues = (tokens, enabled) => {
  const rows = data.results.flatMap((result, index) => {
    const table = data.beside[index] && data.beside[index].formula;
    if (!table) return [];
    const values = valuesIn(table, tokens, enabled), whole = values[values.length - 1];
    const line = [make("b", {}, `${result.id}: `), truth(whole)];
    const atoms = table.atoms.filter(([, part]) => part !== values.length - 1);
    if (atoms.length === 0) return [make("li", {}, ...line)];
    const box = make("details", { ontoggle: () => (box.open ? opened.add(index) : opened.delete(index)) }, make("summary", {}, ...line),
      make("ul", {}, ...atoms.map(([text, part]) => make("li", {}, make("code", {}, text), ": ", truth(values[part])))));
    box.open = opened.has(index) || data.results.length === 1;
    return [make("li", {}, box)];
  });
  byId("values-box").hidden = rows.length === 0;
  fill("values", ...rows);
};

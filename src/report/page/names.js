// What places and transitions are called, and what a marking says of a place. Data have identifiers, readers see names.
const names = data.names || { places: [], transitions: [] };
const placeId = (place) => data.places[place][0];
const placeName = (place) => names.places[place] ?? placeId(place);
const transitionName = (transition) => (data.actions ? data.actions[transition][0] : names.transitions[transition] ?? data.transitions[transition]);
const placeNumbers = new Map(data.places.map(([id], place) => [id, place]));
const numbers = new Map(data.transitions.map((id, transition) => [id, transition]));
/** What a variable and the label of a step are called. */
const calledVariable = (id) => (placeNumbers.has(id) ? placeName(placeNumbers.get(id)) : id);
const calledStep = (label) => (!data.actions && numbers.has(label) ? transitionName(numbers.get(label)) : label);
/** Variables that no place is drawn of, with their initial values; and what the model and its states are called. */
const variables = data.variables || [], { terms } = data;
const valueOf = (marking, id) => {
  if (Object.hasOwn(marking, id)) return marking[id];
  const key = Object.keys(marking).find((key) => key.startsWith(`${id}=`));
  return key === undefined ? "0" : key.slice(id.length + 1);
};
/** The variables as assignments: an array as one, a process at its place. */
const assignments = (marking) => {
  const told = [];
  for (const [id, , control] of variables) {
    const value = valueOf(marking, id), cell = /^(.*)\[(\d+)\]$/.exec(id), last = told[told.length - 1];
    if (cell && last && last.cells && last.name === cell[1] && Number(cell[2]) === last.cells.length) last.cells.push(value);
    else if (cell && cell[2] === "0") told.push({ name: cell[1], sign: "=", cells: [value] });
    else told.push({ name: id, sign: control ? "at" : "=", value });
  }
  return told.map(({ name, sign, value, cells }) => ({ name, sign, value: cells ? `[${cells.join(", ")}]` : value }));
};
/** Tokens of a place, whatever its name is. */
const held = (marking, id) => (Object.hasOwn(marking, id) ? marking[id] : "0");

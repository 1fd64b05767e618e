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
/** Tokens of a place, whatever its name is. */
const held = (marking, id) => (Object.hasOwn(marking, id) ? marking[id] : "0");

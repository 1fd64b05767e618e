// What places and transitions are called, and what a marking says of a place.
/** What is shown of a place and of a transition, by their numbers. */
const placeName = (place) => data.places[place][0];
const transitionName = (transition) => (data.actions ? data.actions[transition][0] : data.transitions[transition]);
/** Tokens of a place, whatever its name is. */
const held = (marking, id) => (Object.hasOwn(marking, id) ? marking[id] : "0");

// The firing rule. Tokens are big integers, an array with a number for each place.
const tokensIn = (marking) => data.places.map(([id]) => BigInt(held(marking, id)));
const markingOf = (tokens) => Object.fromEntries(tokens.map((n, place) => [placeId(place), String(n)]).filter(([, n]) => n !== "0"));
const rules = [];
/** The arcs of a transition: three lists of places with weights. */
const rule = (transition) => {
  if (!rules[transition]) {
    const list = (flat) => (flat || []).flatMap((place, at) => (at % 2 === 0 ? [[place, BigInt(flat[at + 1])]] : []));
    rules[transition] = { pre: list(data.arcs[transition][0]), post: list(data.arcs[transition][1]), not: list(data.arcs[transition][2]) };
  }
  return rules[transition];
};
const isEnabled = (tokens, transition) => {
  const { pre, not } = rule(transition);
  return pre.every(([place, weight]) => tokens[place] >= weight) && not.every(([place, weight]) => tokens[place] < weight);
};
/** Why a transition is not enabled; null if it is. */
const obstacle = (tokens, transition) => {
  const { pre, not } = rule(transition);
  const few = pre.find(([place, weight]) => tokens[place] < weight), many = not.find(([place, weight]) => tokens[place] >= weight);
  if (few) return `${placeName(few[0])} has ${tokens[few[0]]} of ${few[1]} ${few[1] === 1n ? "token" : "tokens"}`;
  if (many) return `${placeName(many[0])} has ${tokens[many[0]]} tokens, and ${many[1]} or more inhibit it`;
  return null;
};
const fire = (tokens, transition) => {
  const later = [...tokens], { pre, post } = rule(transition);
  for (const [place, weight] of pre) later[place] -= weight;
  for (const [place, weight] of post) later[place] += weight;
  return later;
};
const allEnabled = (tokens) => [...data.transitions.keys()].filter((transition) => isEnabled(tokens, transition));

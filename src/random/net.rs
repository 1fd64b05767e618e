//! Random nets with few reachable markings.
//!
//! Most nets drawn at random are dull: unbounded, or dead at once. Here a transition usually puts back about
//! as much as it takes, which keeps a good part of the nets bounded; a net is drawn again until its markings
//! number at most [`NetShape::max_states`] and at least a number drawn before, 10 half of the time. Deadlocks are frequent, as
//! inputs often weigh more than one token and inhibitor arcs cut transitions off.

use super::Rng;
use crate::net::{BuildError, Marking, NetBuilder, PetriNet};
use rustc_hash::FxHashSet;

/// Size and sort of the nets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetShape {
    /// At most so many places, and at least one.
    pub places: usize,
    /// At most so many transitions, and at least one.
    pub transitions: usize,
    /// At most so many tokens in a place at first.
    pub tokens: u64,
    /// Greatest weight of an arc.
    pub weight: u64,
    /// Draw inhibitor arcs.
    pub inhibitors: bool,
    /// Draw read arcs.
    pub reads: bool,
    /// At most so many reachable markings (0 counts as 1).
    pub max_states: usize,
}

impl Default for NetShape {
    /// 6 places, 6 transitions, 3 tokens, weights up to 2, all kinds of arcs, 300 markings.
    fn default() -> Self {
        NetShape { places: 6, transitions: 6, tokens: 3, weight: 2, inhibitors: true, reads: true, max_states: 300 }
    }
}

/// A random net of this shape, with places `p0`, `p1`, … and transitions `t0`, `t1`, ….
pub fn net(rng: &mut Rng, shape: &NetShape) -> PetriNet {
    let most = shape.max_states.max(1);
    loop {
        let least = [1, 4, 4, 10, 10, 10, 30][rng.below(7)].min(most);
        for _ in 0..200 {
            if let Ok(net) = draw(rng, shape)
                && (least..=most).contains(&count(&net, most))
            {
                return net;
            }
        }
    }
}

fn draw(rng: &mut Rng, shape: &NetShape) -> Result<PetriNet, BuildError> {
    let mut b = NetBuilder::new("random");
    let mut places = Vec::new();
    for i in 0..1 + rng.below(shape.places) {
        // Half of the places are empty at first.
        let tokens = if rng.one_in(2) { 0 } else { rng.below(shape.tokens as usize + 1) as u64 };
        places.push(b.place(format!("p{i}"), tokens)?);
    }
    for i in 0..1 + rng.below(shape.transitions) {
        let t = b.transition(format!("t{i}"))?;
        let weight = |rng: &mut Rng| if rng.one_in(3) { 1 + rng.below(shape.weight as usize) as u64 } else { 1 };
        let inputs = if rng.one_in(12) { 0 } else { 1 + rng.below(2) };
        let outputs = match rng.below(8) {
            0 => 0,
            1 => inputs + 1,
            _ => inputs,
        };
        for _ in 0..inputs {
            let (p, w) = (places[rng.below(places.len())], weight(rng));
            b.input(p, t, w)?;
        }
        for _ in 0..outputs {
            let (p, w) = (places[rng.below(places.len())], weight(rng));
            b.output(t, p, w)?;
        }
        if shape.inhibitors && rng.one_in(4) {
            let (p, w) = (places[rng.below(places.len())], weight(rng));
            b.inhibitor(p, t, w)?;
        }
        if shape.reads && rng.one_in(6) {
            let (p, w) = (places[rng.below(places.len())], weight(rng));
            b.read_arc(p, t, w)?;
        }
    }
    b.build()
}

/// The number of reachable markings, or something above `limit`.
fn count(net: &PetriNet, limit: usize) -> usize {
    let mut seen: FxHashSet<Marking> = FxHashSet::from_iter([net.initial_marking()]);
    let mut waiting = vec![net.initial_marking()];
    while let Some(marking) = waiting.pop() {
        for t in net.transition_ids() {
            if let Some(next) = marking.fire(net, t)
                && !seen.contains(&next)
            {
                seen.insert(next.clone());
                waiting.push(next);
            }
        }
        if seen.len() > limit {
            break;
        }
    }
    seen.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nets_are_small_and_varied() {
        let shape = NetShape::default();
        let nets: Vec<PetriNet> = (0..300).map(|seed| net(&mut Rng::new(seed), &shape)).collect();
        let sizes: Vec<usize> = nets.iter().map(|n| count(n, shape.max_states)).collect();
        assert!(sizes.iter().all(|&s| s <= shape.max_states));
        assert!(sizes.iter().filter(|&&s| s >= 10).count() > 100);
        let deadlocks = nets.iter().filter(|n| {
            let graph = crate::reference::explore(n, shape.max_states);
            graph.is_some_and(|g| !g.deadlocks().is_empty())
        });
        assert!((60..280).contains(&deadlocks.count()));
        assert!(nets.iter().any(|n| n.transitions().iter().any(|t| !t.inhibitors.is_empty())));
        assert_eq!(nets[5], net(&mut Rng::new(5), &shape));
    }
}

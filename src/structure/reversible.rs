//! Nets in which every firing can be undone.
//!
//! **Idea.** Put into a net nothing but the tokens that a transition produces. If some firings lead from there to
//! exactly those that it consumes, they do so in any marking after it, whatever else there is, since more tokens
//! disable nothing. A net in which that is true of each transition is *reversible*: each reachable marking is reachable
//! from each other.
//!
//! The search starts from few tokens, so that it is short; nothing else is tried. Nets with inhibitor arcs are left
//! out, whose transitions more tokens do disable.

use crate::budget::Budget;
use crate::net::{Arc, PetriNet, PlaceId, Transition, TransitionId};
use rustc_hash::FxHashSet;

/// Markings that are looked at for one transition.
const MARKINGS: usize = 64;

/// Tokens of few places: sorted by place, none of them without tokens.
type Tokens = Vec<(PlaceId, u64)>;

/// Is it proved that each firing can be undone? Without a proof, because there is none or because the budget is used
/// up, that says nothing.
pub(crate) fn is_reversible(net: &PetriNet, budget: &Budget) -> bool {
    if net.transitions().iter().any(|transition| !transition.inhibitors.is_empty()) {
        return false;
    }
    let consumers = consumers(net);
    let undone = |transition| is_undone(net, &consumers, transition);
    net.transitions().iter().all(|transition| budget.check().is_ok() && undone(transition))
}

/// For each place, by its index: the transitions that consume from it.
fn consumers(net: &PetriNet) -> Vec<Vec<TransitionId>> {
    let mut consumers = vec![Vec::new(); net.place_count()];
    for id in net.transition_ids() {
        net.transition(id).pre.iter().for_each(|arc| consumers[arc.place.index()].push(id));
    }
    consumers
}

/// Do the tokens that the transition produces lead to those that it consumes?
fn is_undone(net: &PetriNet, consumers: &[Vec<TransitionId>], transition: &Transition) -> bool {
    let (goal, start) = (tokens(&transition.pre), tokens(&transition.post));
    let mut seen = FxHashSet::from_iter([start.clone()]);
    let mut queue = vec![start];
    let mut next = 0;
    while let Some(marking) = queue.get(next).cloned() {
        if marking == goal {
            return true;
        }
        next += 1;
        let mut candidates: Vec<TransitionId> =
            marking.iter().flat_map(|(place, _)| consumers[place.index()].iter().copied()).collect();
        candidates.sort_unstable();
        candidates.dedup();
        for candidate in candidates {
            if let Some(after) = fire(&marking, net.transition(candidate))
                && queue.len() < MARKINGS
                && seen.insert(after.clone())
            {
                queue.push(after);
            }
        }
    }
    false
}

fn tokens(arcs: &[Arc]) -> Tokens {
    let mut tokens: Tokens = arcs.iter().map(|arc| (arc.place, arc.weight)).collect();
    tokens.sort_unstable();
    tokens
}

/// The marking after a firing; `None` if the transition is not enabled, or there are too many tokens.
fn fire(marking: &Tokens, transition: &Transition) -> Option<Tokens> {
    let mut after = marking.clone();
    for arc in &transition.pre {
        let at = after.binary_search_by_key(&arc.place, |&(place, _)| place).ok()?;
        after[at].1 = after[at].1.checked_sub(arc.weight)?;
    }
    for arc in &transition.post {
        match after.binary_search_by_key(&arc.place, |&(place, _)| place) {
            Ok(at) => after[at].1 = after[at].1.checked_add(arc.weight)?,
            Err(at) => after.insert(at, (arc.place, arc.weight)),
        }
    }
    after.retain(|&(_, tokens)| tokens > 0);
    Some(after)
}

/// The net, and for most of its transitions one that undoes it in one step or in two.
#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) fn with_inverses(rng: &mut crate::random::Rng, net: &PetriNet) -> PetriNet {
    let mut b = crate::net::NetBuilder::new("random");
    let places: Vec<PlaceId> = net.places().iter().map(|place| b.place(&place.id, place.initial).unwrap()).collect();
    for (number, transition) in net.transitions().iter().enumerate() {
        let forwards = b.transition(format!("t{number}")).unwrap();
        transition.pre.iter().for_each(|arc| b.input(places[arc.place.index()], forwards, arc.weight).unwrap());
        transition.post.iter().for_each(|arc| b.output(forwards, places[arc.place.index()], arc.weight).unwrap());
        if transition.post.is_empty() || rng.one_in(20) {
            continue;
        }
        let mut from = b.transition(format!("u{number}")).unwrap();
        transition.post.iter().for_each(|arc| b.input(places[arc.place.index()], from, arc.weight).unwrap());
        if rng.one_in(3) {
            let between = b.place(format!("between{number}"), 0).unwrap();
            b.output(from, between, 1).unwrap();
            from = b.transition(format!("v{number}")).unwrap();
            b.input(between, from, 1).unwrap();
        }
        transition.pre.iter().for_each(|arc| b.output(from, places[arc.place.index()], arc.weight).unwrap());
    }
    b.build().unwrap()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::random::{NetShape, Rng, net};
    use crate::reference::explore;

    #[test]
    fn every_marking_of_a_reversible_net_leads_to_every_other() {
        let (mut reversible, mut others, mut large) = (0, 0, 0);
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 40, inhibitors: false, ..NetShape::default() });
            let net = if rng.one_in(4) { net } else { with_inverses(&mut rng, &net) };
            let Some(graph) = explore(&net, 300) else { continue };
            if !is_reversible(&net, &Budget::unlimited()) {
                others += 1;
                continue;
            }
            reversible += 1;
            large += usize::from(graph.markings.len() > 5);
            // All are reachable from the initial marking: does it lie ahead of all of them?
            let mut back = vec![false; graph.markings.len()];
            back[0] = true;
            let mut changed = true;
            while std::mem::take(&mut changed) {
                for state in 0..back.len() {
                    if !back[state] && graph.edges[state].iter().any(|&(_, next)| back[next]) {
                        (back[state], changed) = (true, true);
                    }
                }
            }
            assert!(back.into_iter().all(|reached| reached), "seed {seed}");
        }
        assert!(reversible > 50 && others > 50 && large > 20, "{reversible} {others} {large}");
    }
}

//! Tokens that grow without end, seen on a run.
//!
//! **Claim.** Let a run lead from a marking m by steps σ to a marking m' that has nowhere fewer tokens. If m' has more
//! in a place p that no step of σ empties, and as many as m in each place that a step of σ wants empty or that holds at
//! most so many, then σ can be fired again and again, and p grows without end.
//!
//! **Why.** From m' each step of σ finds what it found from m: at least as many tokens where it takes some, and as many
//! where it wants none: such a place differs by what it differed at first, which is nothing, or has been emptied since.
//! At the end a place that was emptied has what it had at the end of the first round. Another has gained as much as in
//! the first round. So the second round ends above m', and with the same premises: the places that σ wants empty, or
//! that are bounded, have not changed.

use crate::kinds::bpmn::process_net::{PlaceId, ProcessNet};
use crate::rng::Rng;

/// A place that grows without end: `end` was reached by these steps, the last one first, each with the marking before it
/// and its transition.
pub(super) fn grown<'m>(
    net: &ProcessNet,
    end: &[u32],
    steps: impl Iterator<Item = (&'m [u32], usize)>,
) -> Option<PlaceId> {
    let mut fixed: Vec<bool> = net.places.iter().map(|place| place.most.is_some()).collect();
    let mut emptied = vec![false; net.places.len()];
    for (before, transition) in steps {
        let transition = &net.transitions[transition];
        transition.inhibitors.iter().for_each(|&place| fixed[place] = true);
        transition.resets.iter().for_each(|&place| emptied[place] = true);
        let covers = before.iter().zip(end).zip(&fixed).all(|((b, e), fixed)| if *fixed { b == e } else { b <= e });
        if covers {
            let grows = |&place: &PlaceId| end[place] > before[place] && !emptied[place];
            if let Some(place) = (0..end.len()).find(grows) {
                return Some(place);
            }
        }
    }
    None
}

/// Walks, and steps of each.
const WALKS: u64 = 16;
const STEPS: usize = 400;
/// Tokens in a place from which on a walk is looked at.
const MANY: u32 = 3;

/// A place that grows without end, as far as random walks find one.
pub(super) fn walk(net: &ProcessNet) -> Option<PlaceId> {
    for seed in 0..WALKS {
        let mut rng = Rng::new(seed);
        let mut trail: Vec<(Vec<u32>, usize)> = Vec::new();
        let (mut tokens, mut most) = (net.initial(), MANY - 1);
        for _ in 0..STEPS {
            let is_enabled = |&number: &usize| net.transitions[number].is_enabled(&net.places, &tokens);
            let enabled: Vec<usize> = (0..net.transitions.len()).filter(is_enabled).collect();
            let Some(&chosen) = rng.pick(&enabled) else { break };
            trail.push((tokens.clone(), chosen));
            if net.transitions[chosen].fire(&net.places, &mut tokens).is_none() {
                break;
            }
            let highest = tokens.iter().copied().max().unwrap_or(0);
            if highest > most {
                most = highest;
                let back = trail.iter().rev().map(|(before, transition)| (before.as_slice(), *transition));
                if let Some(place) = grown(net, &tokens, back) {
                    return Some(place);
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::bpmn::process_net::{Deed, Meaning, Place, Transition};

    /// Places `a` (with a token) and `b`, and a transition that reads `a` and puts a token on `b`.
    fn net(change: impl Fn(&mut Transition)) -> ProcessNet {
        let place = |id: &str, initial| Place {
            id: id.to_owned(),
            name: id.to_owned(),
            meaning: Meaning::Flow,
            initial,
            most: None,
        };
        let mut put = Transition {
            id: "put".to_owned(),
            name: "put".to_owned(),
            node: None,
            deed: Deed::Pass,
            begins: Vec::new(),
            inputs: vec![(0, 1)],
            reads: Vec::new(),
            inhibitors: Vec::new(),
            resets: Vec::new(),
            outputs: vec![(0, 1), (1, 1)],
            ways: Vec::new(),
        };
        change(&mut put);
        ProcessNet {
            name: "grows".to_owned(),
            places: vec![place("a", 1), place("b", 0)],
            transitions: vec![put],
            ..ProcessNet::default()
        }
    }

    #[test]
    fn what_can_be_done_again_grows() {
        let seen = |net: &ProcessNet| {
            let (before, mut after) = (net.initial(), net.initial());
            assert!(net.transitions[0].fire(&net.places, &mut after).is_some());
            grown(net, &after, std::iter::once((before.as_slice(), 0)))
        };
        assert_eq!(seen(&net(|_| {})), Some(1));
        // It wants `b` empty, it empties `b` itself, and it takes what it does not put back.
        assert_eq!(seen(&net(|put| put.inhibitors.push(1))), None);
        assert_eq!(seen(&net(|put| put.resets.push(1))), None);
        assert_eq!(seen(&net(|put| put.outputs = vec![(1, 1)])), None);
    }

    #[test]
    fn walks_find_it() {
        assert_eq!(walk(&net(|_| {})), Some(1));
        assert_eq!(walk(&net(|put| put.inhibitors.push(1))), None);
    }
}

//! The effects of transitions on their places, with equal effects under equal numbers.

use super::lists::Lists;
use crate::net::{Arc, PetriNet};
use rustc_hash::FxHashMap;

/// Effects, numbered; two places of transitions have the same number where the weights of the input, the
/// output and the inhibitor arc are the same.
#[derive(Debug)]
pub(super) struct Effects {
    /// Parallel to the lists of places of the transitions.
    numbers: Lists,
    /// Does the effect change the count?
    changes: Vec<bool>,
}

impl Effects {
    pub(super) fn new(net: &PetriNet, places_of: &Lists) -> Self {
        let mut known: FxHashMap<[u64; 3], u32> = FxHashMap::default();
        let mut effects = Effects { numbers: Lists::with_capacity(places_of.len(), 0), changes: Vec::new() };
        let mut row = Vec::new();
        for (t, places) in net.transitions().iter().zip(places_of.iter()) {
            row.clear();
            let (mut pre, mut post, mut inhibitors) =
                (t.pre.iter().peekable(), t.post.iter().peekable(), t.inhibitors.iter().peekable());
            for &p in places {
                let weight = |arcs: &mut std::iter::Peekable<std::slice::Iter<Arc>>| {
                    arcs.next_if(|a| a.place.0 == p).map_or(0, |a| a.weight)
                };
                let effect = [weight(&mut pre), weight(&mut post), weight(&mut inhibitors)];
                let fresh = effects.changes.len() as u32;
                let number = *known.entry(effect).or_insert(fresh);
                if number == fresh {
                    effects.changes.push(effect[0] != effect[1]);
                }
                row.push(number);
            }
            effects.numbers.push(&row);
        }
        effects
    }

    /// The effects of a transition on its places, in the order of the places.
    pub(super) fn of(&self, transition: usize) -> &[u32] {
        self.numbers.get(transition)
    }

    pub(super) fn changes(&self, effect: u32) -> bool {
        self.changes[effect as usize]
    }
}

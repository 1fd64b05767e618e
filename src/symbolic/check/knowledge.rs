//! Exclusions and implications between the propositions of an automaton, in the reachable states.
//!
//! Their sets are known, so that all there is to know of two of them is a matter of one operation on sets. It is folded into the
//! automaton ([`Tgba::knowing`]). That holds in each reachable state, and so it changes no sat-set.

use super::Checker;
use super::actions::Meaning;
use crate::automaton::{Cube, Knowledge, Literal, Prop, Tgba};
use crate::budget::Budget;
use crate::mdd::Mdd;
use crate::stop_reason::StopReason;

/// Of automata that read more propositions only so many are compared with each other.
const MOST: usize = 8;

impl Checker<'_> {
    /// The automaton, knowing what its propositions are in the reachable states.
    pub(super) fn knowing(&self, automaton: &Tgba, meanings: &[Meaning], budget: &Budget) -> Result<Tgba, StopReason> {
        let set = |prop: Prop| match meanings.get(prop.index()) {
            Some(Meaning::States(set)) => Some((prop, set)),
            _ => None,
        };
        let read: Vec<(Prop, &Mdd)> = automaton.read().into_iter().filter_map(set).take(MOST).collect();
        let mut never = Vec::new();
        for (i, &(p, a)) in read.iter().enumerate() {
            let alone = [(a.is_empty(), true), (*a == self.states, false)];
            never.extend(alone.iter().filter(|(known, _)| *known).map(|&(_, value)| vec![(p, value)]));
            for &(q, b) in &read[..i] {
                let excluded = [
                    (a.intersection(b, budget)?.is_empty(), true, true),
                    (a.difference(b, budget)?.is_empty(), true, false),
                    (b.difference(a, budget)?.is_empty(), false, true),
                    (a.union(b, budget)? == self.states, false, false),
                ];
                never
                    .extend(excluded.iter().filter(|known| known.0).map(|&(_, one, other)| vec![(p, one), (q, other)]));
            }
        }
        let cube = |values: Vec<(Prop, bool)>| {
            Cube::new(values.into_iter().map(|(prop, positive)| Literal { prop, positive }))
        };
        let never = never.into_iter().filter_map(cube).collect();
        Ok(automaton.knowing(&Knowledge { never, first: Cube::default() }, budget)?)
    }
}

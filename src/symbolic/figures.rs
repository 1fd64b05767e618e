//! Figures of a reachable set: states, transitions, deadlocks, bounds.
//!
//! *Transitions* are the pairs (state, transition enabled in it). They are counted in one pass over the
//! levels from the bottom. For a node n and a link λ (the steps of an event from some level down) let
//! F(λ, n) be the number of paths below n that the steps of λ accept: on the level of λ's first step the sum
//! of F(next λ, child) over the accepted values, above it the sum of F(λ, child) over all values, and below
//! the last step the plain number of paths. The total of a node is the sum of the totals of its children
//! plus F for each event that starts on its level, times the number of transitions it stands for. Only the
//! links that are open at a level, and only two adjacent levels, are in memory. Numbers are `u128` while
//! they fit, big integers beyond.

use super::enabled::Enabled;
use super::halt::Halt;
use crate::budget::{Budget, Exhausted};
use crate::mdd::{Layers, Mdd};
use crate::relation::{END, LinkId, Relation};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The states of `states` in which no event is enabled.
pub fn deadlocks(relation: &Relation, states: &Mdd, budget: &Budget) -> Result<Mdd, Halt> {
    states.run(budget, |session, edge| {
        let enabled = Enabled::new(relation, session)?.some(edge)?;
        Ok(session.difference(0, edge, enabled.edge())?)
    })
}

/// The states of `states` in which an event with one of these labels (transition indices) is enabled.
pub fn enabled_states(relation: &Relation, labels: &[u32], states: &Mdd, budget: &Budget) -> Result<Mdd, Halt> {
    states.run(budget, |session, edge| {
        let enabled = Enabled::new(relation, session)?;
        let mut union = session.empty();
        for (index, event) in relation.events().iter().enumerate() {
            if event.labels.iter().any(|label| labels.contains(label)) {
                let accepted = enabled.event(index as u32, edge)?;
                union = session.union(0, union.edge(), accepted.edge())?;
            }
        }
        Ok(union)
    })
}

/// The number of pairs (state, transition enabled in it), exactly.
pub fn count_transitions(relation: &Relation, states: &Mdd, budget: &Budget) -> Result<BigUint, Exhausted> {
    states.with_session(budget, |session, root| {
        let layers = Layers::of(session, root);
        if layers.empty {
            return Ok(BigUint::ZERO);
        }
        if let Some(count) = accepted_pairs::<u128>(relation, &layers, budget)? {
            return Ok(BigUint::from(count));
        }
        Ok(accepted_pairs::<BigUint>(relation, &layers, budget)?.unwrap_or_default())
    })
}

/// A number that counts paths.
trait Count: Clone {
    fn number(n: u32) -> Self;
    /// Add `factor · other`; false on overflow.
    fn add(&mut self, other: &Self, factor: u32) -> bool;
}

impl Count for u128 {
    fn number(n: u32) -> Self {
        n.into()
    }
    #[inline(always)]
    fn add(&mut self, other: &Self, factor: u32) -> bool {
        match other.checked_mul(factor.into()).and_then(|product| self.checked_add(product)) {
            Some(sum) => *self = sum,
            None => return false,
        }
        true
    }
}

impl Count for BigUint {
    fn number(n: u32) -> Self {
        n.into()
    }
    fn add(&mut self, other: &Self, factor: u32) -> bool {
        if factor == 1 {
            *self += other
        } else {
            *self += other * factor
        }
        true
    }
}

/// The total of the module documentation; `None` on overflow.
fn accepted_pairs<C: Count>(relation: &Relation, layers: &Layers, budget: &Budget) -> Result<Option<C>, Exhausted> {
    // The highest level on which the value of each link is needed.
    let mut needed_from = vec![u32::MAX; relation.link_count() as usize];
    for event in relation.events() {
        let mut next = event.first;
        let mut from = relation.links().get(next as usize).map_or(0, |link| link.step.level);
        while let Some(link) = relation.links().get(next as usize) {
            let slot = &mut needed_from[next as usize];
            *slot = (*slot).min(from);
            from = link.step.level + 1;
            next = link.next;
        }
    }
    let mut starting: Vec<Vec<LinkId>> = vec![Vec::new(); relation.levels() as usize];
    for (id, link) in relation.links().iter().enumerate() {
        starting[link.step.level as usize].push(id as LinkId);
    }

    let mut paths = vec![C::number(1)];
    let mut total = vec![C::number(0)];
    let mut open: FxHashMap<LinkId, Vec<C>> = FxHashMap::default();
    let mut fits = true;
    for (level, layer) in layers.rows.iter().enumerate().rev() {
        budget.check()?;
        let sum = |values: &[C], accepts: &dyn Fn(u32) -> bool, fits: &mut bool| -> Vec<C> {
            let sum_node = |pairs: &[(u32, u32)]| {
                let mut sum = C::number(0);
                for &(value, child) in pairs {
                    if accepts(value) {
                        *fits &= sum.add(&values[child as usize], 1);
                    }
                }
                sum
            };
            layer.nodes().map(sum_node).collect()
        };
        let mut here: FxHashMap<LinkId, Vec<C>> = FxHashMap::default();
        for &id in &starting[level] {
            let link = relation.link(id);
            let below = if link.next == END { Some(&paths) } else { open.get(&link.next) };
            if let Some(below) = below {
                here.insert(id, sum(below, &|value| link.step.accepts(value), &mut fits));
            }
        }
        for (&id, values) in &open {
            if needed_from[id as usize] as usize <= level {
                here.insert(id, sum(values, &|_| true, &mut fits));
            }
        }
        total = sum(&total, &|_| true, &mut fits);
        for &event in relation.tops(level as u32) {
            let event = &relation.events()[event as usize];
            if let Some(values) = here.get(&event.first) {
                for (total, value) in total.iter_mut().zip(values) {
                    fits &= total.add(value, event.labels.len() as u32);
                }
            }
        }
        paths = sum(&paths, &|_| true, &mut fits);
        if !fits {
            return Ok(None);
        }
        open = here;
    }
    let (Some(mut total), Some(paths)) = (total.into_iter().next(), paths.into_iter().next()) else {
        return Ok(Some(C::number(0)));
    };
    for event in relation.events().iter().filter(|event| event.first == END) {
        fits &= total.add(&paths, event.labels.len() as u32);
    }
    Ok(fits.then_some(total))
}

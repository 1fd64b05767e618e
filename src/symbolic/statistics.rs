//! Figures of a reachable set: states, transitions, deadlocks, bounds.
//!
//! *Transitions* are the pairs (state, transition enabled in it), counted once for each way to take the
//! transition, where steps are tables and have several. They are counted in one pass over the levels
//! from the top. For each node of a level are known the number of paths that lead to it; the number of pairs
//! of such a path and a transition that accepts it, all of whose steps are above; and for each link (the
//! steps of an event from some level down) the number of pairs of such a path and a transition that accepts
//! it so far and goes on with this link. Only pairs that exist are stored, for two adjacent levels. Numbers
//! are `u128` while they fit, big integers beyond.

use super::conjunctive::ConjunctiveImage;
use super::enabled::Enabled;
use crate::budget::{Budget, Exhausted};
use crate::mdd::{Count, EdgeRef, Mdd, Rows, Session};
use crate::relation::{END, Link, LinkId, Relation};
use crate::stop_reason::StopReason;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The states of `states` in which no event is enabled.
///
/// # Errors
/// [`StopReason`] when the budget is used up, or the set is one of other tuples than the relation's.
pub fn deadlocks(relation: &Relation, states: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
    states.space().expect(relation.levels() as usize)?;
    states.run(budget, |session, edge| {
        let enabled = Enabled::new(relation, session)?.some(edge)?;
        Ok(session.difference(0, edge, enabled.edge())?)
    })
}

/// The number of pairs (state, transition enabled in it), exactly.
///
/// # Errors
/// [`StopReason`] when the budget is used up, or the set is one of other tuples than the relation's.
pub fn count_transitions(relation: &Relation, states: &Mdd, budget: &Budget) -> Result<BigUint, StopReason> {
    states.space().expect(relation.levels() as usize)?;
    let of_events = states.with_session(budget, |session, root| {
        if let Some(count) = accepted_pairs::<u128>(relation, session, root)? {
            return Ok::<_, StopReason>(BigUint::from(count));
        }
        Ok(accepted_pairs::<BigUint>(relation, session, root)?.unwrap_or_default())
    })?;
    Ok(of_events + conjunctive_transitions(relation, states, budget)?)
}

/// The same of steps of all variables at once, each pair of states counted once for each label.
fn conjunctive_transitions(relation: &Relation, states: &Mdd, budget: &Budget) -> Result<BigUint, StopReason> {
    if !relation.is_conjunctive() {
        return Ok(BigUint::default());
    }
    let mut times = Vec::new();
    let mut sets = Vec::new();
    for number in 0..relation.conjunctive().steps.len() {
        let set = states.run(budget, |session, root| {
            let (set, free) = ConjunctiveImage::new(relation, session, 0).pairs(number, root)?;
            times.push(free);
            Ok::<_, StopReason>(set)
        })?;
        sets.push(set);
    }
    let mut sum = BigUint::default();
    for (set, times) in sets.iter().zip(times) {
        sum += set.count(budget)? * times;
    }
    Ok(sum)
}

/// The counts of the nodes of one level; see the module documentation.
struct Known<C> {
    paths: Vec<C>,
    done: Vec<C>,
    open: FxHashMap<(LinkId, u32), C>,
    /// Did all numbers fit?
    fits: bool,
}

impl<C: Count> Known<C> {
    fn new(width: usize) -> Self {
        let none = vec![C::number(0); width];
        Known { paths: none.clone(), done: none, open: FxHashMap::default(), fits: true }
    }

    /// Add `factor` times `count` pairs that go on with `link` at a node.
    fn add(&mut self, link: LinkId, node: u32, count: &C, factor: u32) {
        let slot = if link == END {
            &mut self.done[node as usize]
        } else {
            self.open.entry((link, node)).or_insert_with(|| C::number(0))
        };
        self.fits &= slot.add(count, factor);
    }
}

/// The number of pairs of a state and a transition that accepts it; `None` on overflow.
fn accepted_pairs<'id, C: Count>(
    relation: &Relation,
    session: &Session<'_, 'id>,
    root: EdgeRef<'_, 'id>,
) -> Result<Option<C>, Exhausted> {
    let mut rows = Rows::from(root);
    let mut above: Known<C> = Known::new(rows.width());
    above.paths.fill(C::number(1));
    for event in relation.events().iter().filter(|event| event.first == END) {
        above.done.iter_mut().for_each(|done| *done = C::number(event.labels.len() as u32));
    }
    for level in 0..relation.levels() {
        let row = rows.next(session);
        let mut below: Known<C> = Known::new(rows.width());
        for (node, pairs) in row.nodes().enumerate() {
            session.tick_reading()?;
            for &(value, child) in pairs {
                below.fits &= below.paths[child as usize].add(&above.paths[node], 1);
                below.add(END, child, &above.done[node], 1);
                for &event in relation.tops(level) {
                    let event = &relation.events()[event as usize];
                    let labels = event.labels.len() as u32;
                    match relation.link(event.first) {
                        Link::Step { step, next } => {
                            for _way in 0..step.ways(value) {
                                below.add(*next, child, &above.paths[node], labels);
                            }
                        }
                        Link::Branch { branches, .. } => {
                            for arm in branches.arms(value) {
                                for _label in 0..labels {
                                    below.add(arm.tail.next, child, &above.paths[node], arm.tail.times);
                                }
                            }
                        }
                    }
                }
            }
        }
        for (&(id, node), count) in &above.open {
            session.tick_reading()?;
            let link = relation.link(id);
            let here = link.level() == level;
            for &(value, child) in row.pairs_of(node as usize) {
                match link {
                    _ if !here => below.add(id, child, count, 1),
                    Link::Step { step, next } => {
                        if step.accepts(value) {
                            below.add(*next, child, count, step.ways(value) as u32);
                        }
                    }
                    Link::Branch { branches, .. } => {
                        for arm in branches.arms(value) {
                            below.add(arm.tail.next, child, count, arm.tail.times);
                        }
                    }
                }
            }
        }
        if !below.fits {
            return Ok(None);
        }
        above = below;
    }
    Ok(Some(above.done.into_iter().next().unwrap_or(C::number(0))))
}

//! The shortest way from states of one sort to states of another, and the longest that can be gone, on the graph of all states.
//!
//! The meaning is that of NuSMV's `COMPUTE`, as in the diagrams (`crate::symbolic`), the search is another. The
//! shortest way is found breadth first, from all states of the first sort at once. The longest is a longest path in the
//! part of the graph that counts and has no state of the other sort: depth first, states get the number of steps that
//! can be gone from there as they are left (Kahn's order turned round); a state that is met while it is open closes a
//! cycle, so that there is no longest way, and neither is there where a path may end in that part. Both are linear in
//! the graph.

use super::ctl::{complement, intersection};
use super::fixpoints::Route;
use super::graph::Graph;
use super::labelling::Labelling;
use super::store::StateId;
use crate::budget::Budget;
use crate::formula::{Distance, Extreme, FormulaId, Journey, PathSemantics, Pool};
use crate::model::Path;
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;
use std::collections::VecDeque;

/// States between two looks at the budget.
const CHECK_EVERY: usize = 1 << 14;

/// A distance, and the states of a way of this length; none where it is not finite, or 0 steps are the most.
type Measured = (Distance, Option<Vec<StateId>>);

/// No state.
const NONE: StateId = StateId::MAX;

impl Labelling<'_> {
    /// How far it is from states of one sort to those of another; and a path from the initial state along a way of this
    /// length, if there is one.
    ///
    /// # Errors
    /// As for [`Labelling::satisfying`].
    pub fn distance(
        &mut self,
        pool: &Pool,
        journey: &Journey,
        paths: PathSemantics,
        budget: &Budget,
    ) -> Result<(Distance, Option<Path>), StopReason> {
        let Extreme { from, to, longest: is_longest } = journey.extreme;
        let mut of = |formula: FormulaId| Ok::<_, StopReason>(self.satisfying(pool, formula, paths, budget)?.states);
        let (from, to, counted) = (of(from)?, of(to)?, of(journey.counted)?);
        let without = |set: &FixedBitSet| if counted.is_clear() { set.is_clear() } else { set.is_disjoint(&counted) };
        if is_longest && (without(&from) || without(&to)) {
            return Ok((Distance::Undefined, None));
        }
        let from = intersection(from, &counted);
        let (distance, way) = if is_longest {
            let within = intersection(complement(&to), &counted);
            longest(&self.graph, &from, &within, paths != PathSemantics::Infinite, budget)?
        } else {
            shortest(&self.graph, &from, &intersection(to, &counted), budget)?
        };
        let Some(way) = way else { return Ok((distance, None)) };
        let only = |state: StateId| {
            let mut set = FixedBitSet::with_capacity(self.graph.states());
            set.insert(state as usize);
            set
        };
        let (_, to_it) = shortest(&self.graph, &only(0), &only(way[0]), budget)?;
        let path = to_it.map(|mut states| {
            states.extend(&way[1..]);
            self.along(Route { states, cycle: None, ends: false })
        });
        Ok((distance, path.transpose()?))
    }
}

fn check(step: usize, budget: &Budget) -> Result<(), StopReason> {
    if step.is_multiple_of(CHECK_EVERY) { Ok(budget.check()?) } else { Ok(()) }
}

/// A shortest way from a state of `from` to one of `to`.
fn shortest(graph: &Graph, from: &FixedBitSet, to: &FixedBitSet, budget: &Budget) -> Result<Measured, StopReason> {
    let mut before = vec![NONE; graph.states()];
    let mut front: VecDeque<StateId> = from.ones().map(|state| state as StateId).collect();
    front.iter().for_each(|&state| before[state as usize] = state);
    let mut steps = 0;
    while let Some(state) = front.pop_front() {
        check(steps, budget)?;
        steps += 1;
        if to.contains(state as usize) {
            let (mut way, mut at) = (vec![state], state);
            while before[at as usize] != at {
                at = before[at as usize];
                way.push(at);
            }
            way.reverse();
            return Ok((Distance::Steps(way.len() as u64 - 1), Some(way)));
        }
        for &next in graph.successors(state as usize) {
            if before[next as usize] == NONE {
                before[next as usize] = state;
                front.push_back(next);
            }
        }
    }
    Ok((Distance::Infinite, None))
}

/// A longest way from a state of `from` through states of `within`, and out of them. `ends`: may paths end?
fn longest(
    graph: &Graph,
    from: &FixedBitSet,
    within: &FixedBitSet,
    ends: bool,
    budget: &Budget,
) -> Result<Measured, StopReason> {
    /// Of a state that is not left: it is not met yet, or is open.
    const NEW: u32 = 0;
    const OPEN: u32 = u32::MAX;
    // How many states of a longest path through `within` from here.
    let mut lengths = vec![NEW; graph.states()];
    let mut best: Option<StateId> = None;
    let mut steps = 0;
    for root in from.ones().filter(|&state| within.contains(state)) {
        // Open states, each with the number of its next successor.
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if lengths[root] == NEW {
            lengths[root] = OPEN;
            stack.push((root, 0));
        }
        while let Some((state, at)) = stack.last_mut() {
            check(steps, budget)?;
            steps += 1;
            let successors = graph.successors(*state);
            if successors.is_empty() && ends {
                return Ok((Distance::Infinite, None));
            }
            let Some(&next) = successors.get(*at) else {
                let inside = successors.iter().filter(|&&next| within.contains(next as usize));
                lengths[*state] = 1 + inside.map(|&next| lengths[next as usize]).max().unwrap_or(0);
                stack.pop();
                continue;
            };
            *at += 1;
            let next = next as usize;
            match lengths[next] {
                _ if !within.contains(next) => {}
                OPEN => return Ok((Distance::Infinite, None)),
                NEW => {
                    lengths[next] = OPEN;
                    stack.push((next, 0));
                }
                _ => {}
            }
        }
        if best.is_none_or(|best| lengths[best as usize] < lengths[root]) {
            best = Some(root as StateId);
        }
    }
    let Some(first) = best else { return Ok((Distance::Steps(0), None)) };
    let mut way = vec![first];
    let mut at = first as usize;
    while let Some(&next) = graph.successors(at).iter().max_by_key(|&&next| lengths[next as usize]) {
        way.push(next);
        at = next as usize;
        if !within.contains(at) {
            break;
        }
    }
    Ok((Distance::Steps(u64::from(lengths[first as usize])), Some(way)))
}

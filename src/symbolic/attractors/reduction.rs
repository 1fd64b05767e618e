//! Fewer states, with the same attractors: what is left is closed under steps and reached from everywhere.
//!
//! **Blocks.** What an event changes depends on what events before it change. The components of this relation, in its
//! order, are *blocks*: the events up to a block are a system of their own, whose attractors the whole system's lie
//! above. So each block is reduced with the events up to it alone, on which the other levels have no influence, and
//! sets stay small. That is done where any combination of levels is a state, or something on its way from one; elsewhere
//! all events are one block.
//!
//! **Settled events.** If the states in which an event is not enabled are closed, and firing the event again and again
//! leads there from all others, every attractor lies among them. This is what percolation of constants does; it is done
//! in all sections at once, and in each where it can be.
//!
//! **Transition-guided reduction.** Let F be the states that are reached from those that enable an event. States
//! outside that reach F are in no attractor. Of F, those that never enable the event again are closed; what reaches
//! them from outside is in no attractor. The same holds of states where nothing is enabled. The searches for this take
//! turns with shares of *work* that grow: those that are done early make the others smaller.
//!
//! Source: Beneš, Brim, Pastva, Šafránek, *Computing Bottom SCCs Symbolically Using Transition Guided Reduction*, CAV
//! 2021, where searches go step by step and the smallest is next.

use super::steps::{Events, Steps};
use crate::budget::{Budget, Exhausted};
use crate::mdd::{Mdd, Sections};
use crate::scc::components;
use crate::stop_reason::StopReason;
use std::collections::{BTreeSet, VecDeque};

/// The first share of work of a search in a block, the last, and the factor between shares.
const FIRST: u64 = 1 << 15;
const LAST: u64 = 1 << 18;
const FACTOR: u64 = 8;

/// A search that may make the set smaller.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// What leads to a state where nothing is enabled.
    Standstill,
    /// What leads to an event, or away from it for good.
    Event(u32),
}

/// The part of a closed set that attractors lie in.
pub(super) fn reduce(
    events: &Events<'_>,
    sections: &Sections,
    states: &Mdd,
    budget: &Budget,
) -> Result<Mdd, StopReason> {
    let mut left = states.clone();
    let mut before: Vec<u32> = Vec::new();
    for own in blocks(events) {
        let mut block = Block { events, sections, before: &before, own };
        left = block.settle(&left, budget)?;
        if !block.own.is_empty() {
            left = block.guided(left, budget)?;
            before.extend(block.own);
        }
    }
    Ok(left)
}

/// The part of a closed set, any one, that attractors lie in: with so much work for each search, and all events.
pub(super) fn again(
    events: &Events<'_>,
    sections: &Sections,
    steps: &Steps,
    left: &Mdd,
    share: u64,
    budget: &Budget,
) -> Result<Mdd, StopReason> {
    let all: Vec<u32> = (0..events.footprints.len() as u32).collect();
    let block = Block { events, sections, before: &[], own: all.clone() };
    let mut left = left.clone();
    for event in all {
        block.attempt(Task::Event(event), steps, &[], &mut left, &budget.clone().with_work(share))?;
    }
    Ok(left)
}

/// The events in blocks, each after those that it depends on.
fn blocks(events: &Events<'_>) -> Vec<Vec<u32>> {
    let count = events.footprints.len();
    if !events.relation.is_closed() && !events.relation.has_passages() {
        return vec![(0..count as u32).collect()];
    }
    let mut changed_by: Vec<Vec<usize>> = vec![Vec::new(); events.relation.levels() as usize];
    for (event, footprint) in events.footprints.iter().enumerate() {
        footprint.changes.iter().for_each(|&level| changed_by[level as usize].push(event));
    }
    // From an event to those that it depends on: those are closed first. Events that change the same level belong together.
    let needed = |event: usize| {
        let footprint = &events.footprints[event];
        let levels = footprint.tests.iter().chain(&footprint.changes);
        levels.flat_map(|&level| changed_by[level as usize].iter().copied()).collect::<Vec<usize>>().into_iter()
    };
    let found = components(count, 0..count, needed);
    let mut blocks = vec![Vec::new(); found.count];
    for (event, &block) in found.of.iter().enumerate() {
        blocks[block as usize].push(event as u32);
    }
    blocks
}

/// A block of events, and those before that are still enabled somewhere.
struct Block<'e, 'r> {
    events: &'e Events<'r>,
    sections: &'e Sections,
    before: &'e [u32],
    own: Vec<u32>,
}

impl Block<'_, '_> {
    /// Those that are active.
    fn active(&self) -> impl Iterator<Item = u32> {
        self.before.iter().chain(&self.own).copied()
    }

    /// Leave out states where events are enabled that settle, and the events that are enabled nowhere any more.
    fn settle(&mut self, left: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let mut left = left.clone();
        let mut open: VecDeque<u32> = self.own.iter().copied().collect();
        while let Some(event) = open.pop_front() {
            let enabled = self.events.enabled(event, &left, budget)?;
            let settled = self.settled(event, &left, &enabled, budget)?;
            if !settled.is_empty() {
                left = left.difference(&settled, budget)?;
                let changes = &self.events.footprints[event as usize].changes;
                let touched = |other: &u32| {
                    let levels = &self.events.footprints[*other as usize];
                    !levels.tests.is_disjoint(changes) || !levels.changes.is_disjoint(changes)
                };
                let again: Vec<u32> =
                    self.own.iter().copied().filter(|other| touched(other) && !open.contains(other)).collect();
                open.extend(again);
            }
            if settled == enabled {
                self.own.retain(|&other| other != event);
                open.retain(|&other| other != event);
            }
        }
        Ok(left)
    }

    /// Of the states of `left` that enable an event, those in whose section the others are closed, and reached by the
    /// event alone.
    fn settled(&self, event: u32, left: &Mdd, enabled: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let own = &self.events.footprints[event as usize];
        let still = left.difference(enabled, budget)?;
        if still.is_empty() || enabled.is_empty() {
            return Ok(still.space().empty());
        }
        let mut moving = enabled.clone();
        for _ in 0..LONGEST {
            if moving.is_empty() {
                break;
            }
            moving = self.events.post(event, &moving, budget)?.intersection(enabled, budget)?;
        }
        let mut unsettled = self.sections.shadow(&moving, budget)?;
        for other in self.active().filter(|&other| other != event) {
            // What it does not depend on does not enable it.
            let changes = &self.events.footprints[other as usize].changes;
            if own.tests.is_disjoint(changes) && own.changes.is_disjoint(changes) {
                continue;
            }
            let after = self.events.post(other, &still, budget)?.intersection(enabled, budget)?;
            unsettled = unsettled.union(&self.sections.shadow(&after, budget)?, budget)?;
            if enabled.is_subset(&unsettled, budget)? {
                return Ok(still.space().empty());
            }
        }
        Ok(enabled.difference(&unsettled, budget)?)
    }

    /// Transition-guided reduction, with shares of work up to the last.
    fn guided(&self, mut left: Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let active: Vec<u32> = self.active().collect();
        let labels: BTreeSet<u32> =
            active.iter().flat_map(|&event| self.events.relation.events()[event as usize].labels.clone()).collect();
        let relation = self.events.relation.restricted(|label| labels.contains(&label));
        let steps = Steps::new(&relation, &left, budget)?;
        let mut tasks = vec![Task::Standstill];
        tasks.extend(self.own.iter().map(|&event| Task::Event(event)));
        let mut share = FIRST;
        while !tasks.is_empty() && share <= LAST {
            let limited = budget.clone().with_work(share);
            let mut open = Vec::new();
            for task in tasks {
                if !self.attempt(task, &steps, &active, &mut left, &limited)? {
                    open.push(task);
                }
            }
            tasks = open;
            share *= FACTOR;
        }
        Ok(left)
    }

    /// One search; false if its work was not enough.
    fn attempt(
        &self,
        task: Task,
        steps: &Steps,
        active: &[u32],
        left: &mut Mdd,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let smaller = match task {
            Task::Standstill => self.towards_standstill(steps, active, left, budget),
            Task::Event(event) => self.around(steps, event, left, budget),
        };
        match smaller {
            Ok(smaller) => *left = smaller,
            Err(StopReason::Exhausted(Exhausted::Work)) => return Ok(false),
            Err(stop) => return Err(stop),
        }
        Ok(true)
    }

    /// Without what leads to a state where nothing is enabled.
    fn towards_standstill(
        &self,
        steps: &Steps,
        active: &[u32],
        left: &Mdd,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let still = left.difference(&self.events.some_enabled(active, left, budget)?, budget)?;
        without_basin(steps, &still, left, budget)
    }

    /// Without what leads to the states that are reached from an event, or to those from which it is never reached.
    fn around(&self, steps: &Steps, event: u32, left: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        let enabled = self.events.enabled(event, left, budget)?;
        if enabled.is_empty() {
            return Ok(left.clone());
        }
        let reached = steps.forward(&enabled, left, budget)?;
        let left = without_basin(steps, &reached, left, budget)?;
        let again = steps.backward(&enabled, &reached, budget)?;
        let never = reached.difference(&again, budget)?;
        without_basin(steps, &never, &left, budget)
    }
}

/// More steps of one event in a row than this are not tried.
const LONGEST: usize = 8;

/// A set without the states that reach a closed part of it from outside.
fn without_basin(steps: &Steps, part: &Mdd, left: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
    if part.is_empty() || part == left {
        return Ok(left.clone());
    }
    let basin = steps.backward(part, left, budget)?.difference(part, budget)?;
    Ok(left.difference(&basin, budget)?)
}

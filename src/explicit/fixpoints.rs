//! Fixpoints of CTL on the reachability graph, and runs that show them.
//!
//! Which states begin a path of some kind, in time linear in the graph; and such a path. Where a path is wanted, its
//! finite part is a shortest one (breadth first). A path that stays in a set for ever goes on inside until it comes
//! to a state that it has passed, or ends.

use super::ctl::{Operators, PathKind, everything};
use super::graph::Graph;
use super::rows::{add_what_leads_in, check, take_out_what_leaves};
use super::store::StateId;
use crate::budget::Budget;
use crate::formula::PathSemantics;
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A path that was found.
#[derive(Debug)]
pub(super) struct Route {
    /// The states passed.
    pub(super) states: Vec<StateId>,
    /// After the last state, it goes on with the one at this position.
    pub(super) cycle: Option<usize>,
    /// It ends in a deadlock.
    pub(super) ends: bool,
}

/// The graph, and what its paths are.
pub(super) struct Fixpoints<'a> {
    graph: &'a Graph,
    paths: PathSemantics,
    budget: &'a Budget,
    /// Where paths begin, unless they do everywhere.
    begins: Option<FixedBitSet>,
}

impl<'a> Fixpoints<'a> {
    pub(super) fn new(graph: &'a Graph, paths: PathSemantics, budget: &'a Budget) -> Result<Self, StopReason> {
        let mut fixpoints = Fixpoints { graph, paths, budget, begins: None };
        if paths == PathSemantics::Infinite {
            fixpoints.begins = Some(fixpoints.staying(&everything(graph.states()))?);
        }
        Ok(fixpoints)
    }

    /// With the set of states where paths begin that was computed before.
    pub(super) fn with_begins(
        graph: &'a Graph,
        paths: PathSemantics,
        budget: &'a Budget,
        begins: Option<FixedBitSet>,
    ) -> Self {
        Fixpoints { graph, paths, budget, begins }
    }

    pub(super) fn into_begins(self) -> Option<FixedBitSet> {
        self.begins
    }

    fn check(&self, step: usize) -> Result<(), StopReason> {
        check(step, self.budget)
    }

    /// A path of this kind from a state; `None` if there is none. With `closed`, and where
    /// only infinite paths count, one whose future is not open.
    pub(super) fn route(&self, path: &PathKind, from: StateId, closed: bool) -> Result<Option<Route>, StopReason> {
        let finite = match path {
            PathKind::Any(set) => self.beginning(set).contains(from as usize).then(|| vec![from]),
            PathKind::Next(target) => {
                let target = self.beginning(target);
                let next = self.graph.successors(from as usize).iter().find(|&&next| target.contains(next as usize));
                let stutters = self.graph.successors(from as usize).is_empty() && self.paths == PathSemantics::Stutter;
                if stutters && target.contains(from as usize) {
                    return Ok(Some(Route { states: vec![from], cycle: None, ends: true }));
                }
                next.map(|&next| vec![from, next])
            }
            PathKind::Until(within, target) | PathKind::WeakUntil(within, target) => self.walk(within, target, from)?,
            PathKind::Always(_) => None,
        };
        match (finite, path) {
            (Some(states), _) if !closed && self.begins.is_none() => {
                Ok(Some(Route { states, cycle: None, ends: false }))
            }
            (Some(states), _) => self.stay(states, &self.staying(&everything(self.graph.states()))?),
            (None, PathKind::Always(within) | PathKind::WeakUntil(within, _)) => {
                self.stay(vec![from], &self.staying(within)?)
            }
            (None, _) => Ok(None),
        }
    }

    /// A shortest path through `within` to the target.
    fn walk(
        &self,
        within: &FixedBitSet,
        target: &FixedBitSet,
        from: StateId,
    ) -> Result<Option<Vec<StateId>>, StopReason> {
        let target = self.beginning(target);
        let mut before: FxHashMap<StateId, StateId> = FxHashMap::from_iter([(from, from)]);
        let mut front = VecDeque::from([from]);
        let mut steps = 0;
        while let Some(state) = front.pop_front() {
            self.check(steps)?;
            steps += 1;
            if target.contains(state as usize) {
                let mut states = vec![state];
                let mut at = state;
                while at != from {
                    at = before[&at];
                    states.push(at);
                }
                states.reverse();
                return Ok(Some(states));
            }
            if within.contains(state as usize) {
                for &next in self.graph.successors(state as usize) {
                    before.entry(next).or_insert_with(|| {
                        front.push_back(next);
                        state
                    });
                }
            }
        }
        Ok(None)
    }

    /// On from the last state, for ever inside a set that need not be left.
    fn stay(&self, mut states: Vec<StateId>, inside: &FixedBitSet) -> Result<Option<Route>, StopReason> {
        let Some(&last) = states.last().filter(|&&last| inside.contains(last as usize)) else { return Ok(None) };
        // Positions on this part: before, it may have been outside.
        let mut passed: FxHashMap<StateId, usize> = FxHashMap::default();
        let mut at = last;
        loop {
            self.check(states.len())?;
            passed.insert(at, states.len() - 1);
            let successors = self.graph.successors(at as usize);
            if successors.is_empty() {
                return Ok(Some(Route { states, cycle: None, ends: true }));
            }
            if let Some(&start) = successors.iter().find_map(|next| passed.get(next)) {
                return Ok(Some(Route { states, cycle: Some(start), ends: false }));
            }
            let Some(&next) = successors.iter().find(|&&next| inside.contains(next as usize)) else { return Ok(None) };
            states.push(next);
            at = next;
        }
    }
}

impl Operators for Fixpoints<'_> {
    type Error = StopReason;

    fn states(&self) -> usize {
        self.graph.states()
    }

    fn begins(&self) -> Option<&FixedBitSet> {
        self.begins.as_ref()
    }

    fn next(&self, target: &FixedBitSet) -> Result<FixedBitSet, StopReason> {
        let target = self.beginning(target);
        let mut found = FixedBitSet::with_capacity(self.graph.states());
        for state in 0..self.graph.states() {
            self.check(state)?;
            let successors = self.graph.successors(state);
            let itself = successors.is_empty() && self.paths == PathSemantics::Stutter;
            if successors.iter().any(|&next| target.contains(next as usize)) || itself && target.contains(state) {
                found.insert(state);
            }
        }
        Ok(found)
    }

    /// Backwards from the target.
    fn until(&self, within: &FixedBitSet, target: &FixedBitSet) -> Result<FixedBitSet, StopReason> {
        let mut found = self.beginning(target);
        let backward = self.graph.backward(self.budget)?;
        add_what_leads_in(|state| backward.of(state), within, &mut found, self.budget)?;
        Ok(found)
    }

    /// What is left when states that must leave are taken out.
    fn staying(&self, within: &FixedBitSet) -> Result<FixedBitSet, StopReason> {
        let backward = self.graph.backward(self.budget)?;
        let may_end = self.paths != PathSemantics::Infinite;
        let mut left = within.clone();
        let mut inside = vec![0u32; self.graph.states()];
        let mut leaving = Vec::new();
        for state in within.ones() {
            self.check(state)?;
            let successors = self.graph.successors(state);
            let count = successors.iter().filter(|&&next| within.contains(next as usize)).count() as u32;
            inside[state] = count;
            if count == 0 && !(may_end && successors.is_empty()) {
                leaving.push(state as StateId);
            }
        }
        take_out_what_leaves(|state| backward.of(state), &mut left, leaving, inside, self.budget)?;
        Ok(left)
    }
}

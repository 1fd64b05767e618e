//! Three-valued labels of a part of the graph.
//!
//! Each state formula has two sets of states: where it *must* hold, whatever follows the open states, and where it *may*.
//! `¬` exchanges them, and complements both. Otherwise `must` is computed from `must`, and `may` from `may`:
//!
//! | | must | may |
//! |---|---|---|
//! | `EX a` | a successor is known that has a | a successor has a, or the state is open |
//! | `E[a U b]` | a known path leads to b | or to an open state with a |
//! | `EG a` | a known path with a has no end, or ends in a deadlock | or comes to an open state with a |
//!
//! **Proof.** A graph of which the part is one gives each open state some successors. By induction over the formula: a path
//! that shows `must` is one of that graph, and a path there that shows a formula begins with a known path that stays in the
//! part, to its end or to its first open state, and shows `may`.

use super::part::Part;
use crate::budget::Budget;
use crate::explicit::ctl::{complement, everything, intersection, union};
use crate::explicit::local::program::{Node, PathKind, Program, State};
use crate::explicit::packed_model::PackedModel;
use crate::explicit::rows::{Rows, add_what_leads_in, check, take_out_what_leaves};
use crate::explicit::store::StateId;
use crate::formula::PathSemantics;
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;

/// Where each state formula must hold, and where it may, of the first so many states.
#[derive(Debug, Default)]
pub(super) struct Labels {
    must: Vec<FixedBitSet>,
    may: Vec<FixedBitSet>,
    states: usize,
}

impl Labels {
    /// The value of a formula in a state, if it has been labelled and is known.
    #[inline]
    pub(super) fn value(&self, node: Node, state: StateId) -> Option<bool> {
        let state = state as usize;
        if state >= self.states {
            return None;
        }
        let must = self.must[node].contains(state);
        (must || !self.may[node].contains(state)).then_some(must)
    }

    /// Has a state been labelled?
    #[inline]
    pub(super) fn contains(&self, state: StateId) -> bool {
        (state as usize) < self.states
    }

    /// Label all states of a part. `refuted` has for each search states of which it is known that no path of its kind
    /// begins there, nor in any state after them.
    pub(super) fn new<S: PackedModel>(
        program: &Program,
        paths: PathSemantics,
        part: &Part<S>,
        refuted: &[Vec<StateId>],
        budget: &Budget,
    ) -> Result<Labels, StopReason> {
        let states = part.states();
        let rows = || (0..states as StateId).filter_map(|state| Some((state, part.successors(state)?)));
        let targets = rows().flat_map(|(_, row)| row).copied();
        let turned = Rows::turned(targets, rows(), states, |target| Some(target as usize), budget)?;
        let mut open = FixedBitSet::with_capacity(states);
        (0..states).filter(|&at| part.successors(at as StateId).is_none()).for_each(|at| open.insert(at));
        let graph = Graph { part, turned, open, paths, budget };
        let mut labels = Labels { must: Vec::new(), may: Vec::new(), states };
        for node in &program.states {
            let (must, may) = graph.label(program, node, &labels, refuted)?;
            labels.must.push(must);
            labels.may.push(may);
        }
        Ok(labels)
    }
}

/// A part of the graph, and what its paths are.
struct Graph<'a, S: PackedModel> {
    part: &'a Part<S>,
    turned: Rows,
    open: FixedBitSet,
    paths: PathSemantics,
    budget: &'a Budget,
}

impl<S: PackedModel> Graph<'_, S> {
    /// Where a formula must hold, and where it may, from the labels of its operands.
    fn label(
        &self,
        program: &Program,
        formula: &State,
        known: &Labels,
        refuted: &[Vec<StateId>],
    ) -> Result<(FixedBitSet, FixedBitSet), StopReason> {
        let fold = |sets: &[FixedBitSet], operands: &[Node], all: bool| {
            let mut set = everything(self.part.states());
            set.set_range(.., all);
            for &operand in operands {
                if all { set.intersect_with(&sets[operand]) } else { set.union_with(&sets[operand]) }
            }
            set
        };
        Ok(match formula {
            &State::Condition(proposition) => {
                let mut set = FixedBitSet::with_capacity(self.part.states());
                let holds = |&at: &usize| self.part.letter(at as StateId) >> proposition & 1 == 1;
                (0..self.part.states()).filter(holds).for_each(|at| set.insert(at));
                (set.clone(), set)
            }
            &State::Not(a) => (complement(&known.may[a]), complement(&known.must[a])),
            State::And(operands) => (fold(&known.must, operands, true), fold(&known.may, operands, true)),
            State::Or(operands) => (fold(&known.must, operands, false), fold(&known.may, operands, false)),
            &State::Iff(a, b) => {
                let both = |a: &FixedBitSet, b: &FixedBitSet, c: &FixedBitSet, d: &FixedBitSet| {
                    union(intersection(a.clone(), b), &intersection(c.clone(), d))
                };
                let [not_must_a, not_must_b] = [a, b].map(|node| complement(&known.must[node]));
                let [not_may_a, not_may_b] = [a, b].map(|node| complement(&known.may[node]));
                let must = both(&known.must[a], &known.must[b], &not_may_a, &not_may_b);
                (must, both(&known.may[a], &known.may[b], &not_must_a, &not_must_b))
            }
            &State::Some(search) => {
                let path = program.paths[search];
                let must = self.some(path, &known.must, false)?;
                let mut may = self.some(path, &known.may, true)?;
                self.exclude(&mut may, &refuted[search])?;
                (must, may)
            }
        })
    }

    /// The states where a path of this kind begins, or may begin.
    fn some(&self, path: PathKind, sets: &[FixedBitSet], may: bool) -> Result<FixedBitSet, StopReason> {
        Ok(match path {
            PathKind::Next(target) => self.next(&sets[target], may),
            PathKind::Until(within, target) => self.until(&sets[within], &sets[target], may)?,
            PathKind::Always(within) => self.staying(&sets[within], may)?,
            PathKind::WeakUntil(within, target) => {
                union(self.until(&sets[within], &sets[target], may)?, &self.staying(&sets[within], may)?)
            }
        })
    }

    fn check(&self, step: usize) -> Result<(), StopReason> {
        check(step, self.budget)
    }

    fn next(&self, target: &FixedBitSet, may: bool) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(self.part.states());
        for state in 0..self.part.states() {
            let holds = match self.part.successors(state as StateId) {
                None => may,
                Some([]) => self.paths == PathSemantics::Stutter && target.contains(state),
                Some(successors) => successors.iter().any(|&next| target.contains(next as usize)),
            };
            found.set(state, holds);
        }
        found
    }

    fn until(&self, within: &FixedBitSet, target: &FixedBitSet, may: bool) -> Result<FixedBitSet, StopReason> {
        let mut found = target.clone();
        if may {
            let mut beyond = self.open.clone();
            beyond.intersect_with(within);
            found.union_with(&beyond);
        }
        add_what_leads_in(|state| self.turned.of(state), within, &mut found, self.budget)?;
        Ok(found)
    }

    fn staying(&self, within: &FixedBitSet, may: bool) -> Result<FixedBitSet, StopReason> {
        let mut left = within.clone();
        let mut inside = vec![0u32; self.part.states()];
        let mut leaving = Vec::new();
        for state in within.ones() {
            self.check(state)?;
            let stays = match self.part.successors(state as StateId) {
                None => may,
                Some([]) => self.paths != PathSemantics::Infinite,
                Some(successors) => {
                    inside[state] = successors.iter().filter(|&&next| within.contains(next as usize)).count() as u32;
                    inside[state] > 0
                }
            };
            if !stays {
                leaving.push(state as StateId);
            }
        }
        take_out_what_leaves(|state| self.turned.of(state), &mut left, leaving, inside, self.budget)?;
        Ok(left)
    }

    /// Take these states out, and all that come after them.
    fn exclude(&self, set: &mut FixedBitSet, refuted: &[StateId]) -> Result<(), StopReason> {
        let mut passed = FixedBitSet::with_capacity(self.part.states());
        let mut front: Vec<StateId> = refuted.to_vec();
        let mut steps = 0;
        while let Some(state) = front.pop() {
            self.check(steps)?;
            steps += 1;
            if !passed.put(state as usize) {
                set.set(state as usize, false);
                front.extend(self.part.successors(state).unwrap_or_default());
            }
        }
        Ok(())
    }
}

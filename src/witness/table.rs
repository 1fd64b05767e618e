//! The truth of a path formula at every position of a run, from the definition of the operators.
//!
//! A run is finitely many positions, so the truth of a node at all of them is a vector, computed from those of
//! its operands: `U`-like operators as least, `W`-like ones as greatest fixpoint of their expansion law, by
//! passes from the last position to the first until nothing changes (two passes settle a loop).
//!
//! Truth is three-valued: a formula and its negation are both evaluated, each only as far as it is *proved*.
//! Neither is where the value of a state formula is not known, where an open run ends (the formula must not
//! depend on what follows), and for `X` at the end of a maximal path (docs/semantics.md: a path that is
//! sought has no next position for `X φ`, nor for `X ¬φ`).

use super::rule::{Parts, Rule, rule};
use super::{End, Part, Run};
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::model::Step;
use crate::net::TransitionId;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// A run without its states: how many positions there are, the steps between them, and how it goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    pub(super) positions: usize,
    pub(super) fired: &'a [Step],
    pub(super) end: End,
}

impl<'a> Shape<'a> {
    /// That of a run.
    pub(super) fn of(run: &'a Run) -> Self {
        Shape { positions: run.positions.len(), fired: &run.fired, end: run.end }
    }

    /// The position that follows a position, if the run says.
    pub(super) fn next(&self, position: usize) -> Option<usize> {
        match self.end {
            _ if position + 1 < self.positions => Some(position + 1),
            End::Loop(start) => Some(start),
            End::Open | End::Deadlock => None,
        }
    }
}

/// The proved parts of each position.
pub(super) struct Table<'a> {
    pool: &'a Pool,
    run: Shape<'a>,
    paths: PathSemantics,
    /// By formula: at each position, is its negation proved, is it proved?
    proved: FxHashMap<FormulaId, [FixedBitSet; 2]>,
}

impl<'a> Table<'a> {
    /// Evaluate `path` over `run`; `state` tells the value of a state formula at a position, if it is known.
    pub(super) fn new(
        pool: &'a Pool,
        path: FormulaId,
        run: Shape<'a>,
        paths: PathSemantics,
        state: &mut dyn FnMut(FormulaId, usize) -> Option<bool>,
    ) -> Self {
        let mut table = Table { pool, run, paths, proved: FxHashMap::default() };
        for id in pool.reach(&[path], |id| !pool.is_state(id)) {
            let both = if let Formula::Action(labels) = &pool[id] {
                [false, true].map(|holds| table.action(labels, holds))
            } else if pool.is_state(id) {
                let mut both = [false, true].map(|_| FixedBitSet::with_capacity(run.positions));
                for position in 0..run.positions {
                    if let Some(holds) = state(id, position) {
                        both[usize::from(holds)].insert(position);
                    }
                }
                both
            } else {
                [false, true].map(|holds| table.evaluate(&rule(pool, id, holds)))
            };
            table.proved.insert(id, both);
        }
        table
    }

    /// Is it proved that the part holds at the position?
    pub(super) fn proves(&self, part: Part, position: usize) -> bool {
        let both = self.proved.get(&part.formula);
        both.is_some_and(|both| both[usize::from(part.holds)].contains(position))
    }

    /// Where the next step is known to be one with these labels, or known not to be: it is not one at a deadlock.
    fn action(&self, labels: &[TransitionId], holds: bool) -> FixedBitSet {
        let step = |at: usize| match (self.run.fired.get(at), self.run.end) {
            (Some(step), _) => Some(labels.contains(&step.action)),
            (None, End::Deadlock) => Some(false),
            (None, _) => None,
        };
        self.positions(|at| step(at) == Some(holds))
    }

    /// The positions of which this is true.
    fn positions(&self, is_true: impl Fn(usize) -> bool) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.run.positions);
        all.extend((0..self.run.positions).filter(|&at| is_true(at)));
        all
    }

    fn all(&self, parts: &Parts, position: usize) -> bool {
        parts.iter().all(|&part| self.proves(part, position))
    }

    /// The position at which `X φ` reads φ.
    fn after(&self, position: usize) -> Option<usize> {
        match (self.run.next(position), self.run.end, self.paths) {
            (Some(next), _, _) => Some(next),
            (None, End::Deadlock, PathSemantics::Stutter) => Some(position),
            _ => None,
        }
    }

    fn evaluate(&self, rule: &Rule) -> FixedBitSet {
        match rule {
            Rule::Leaf => FixedBitSet::with_capacity(self.run.positions),
            Rule::Choice(choices) => self.positions(|at| choices.iter().any(|parts| self.all(parts, at))),
            Rule::Next(part) => self.positions(|at| self.after(at).is_some_and(|next| self.proves(*part, next))),
            Rule::Until(before, last) => self.fixpoint(before, Some(last), false),
            Rule::Weak(before, last) => self.fixpoint(before, last.as_ref(), true),
        }
    }

    /// The least or greatest solution of v = last ∨ (before ∧ v at the next position).
    fn fixpoint(&self, before: &Parts, last: Option<&Parts>, greatest: bool) -> FixedBitSet {
        let length = self.run.positions;
        let mut truth = FixedBitSet::with_capacity(length);
        truth.set_range(.., greatest);
        loop {
            let old = truth.clone();
            for at in (0..length).rev() {
                let later = match (self.run.next(at), self.run.end) {
                    (Some(next), _) => truth[next],
                    // All positions from a deadlock on are alike.
                    (None, End::Deadlock) => greatest,
                    (None, _) => false,
                };
                truth.set(at, last.is_some_and(|last| self.all(last, at)) || (self.all(before, at) && later));
            }
            if truth == old {
                return truth;
            }
        }
    }

    /// The base of the proof of a part at position 0: pairs of a position and a part proved there, the nodes that only
    /// pass it on left out.
    pub(super) fn justify(&self, root: Part) -> Vec<(usize, Part)> {
        let mut used = Vec::new();
        let (mut seen, mut passed) = (FxHashSet::default(), FxHashSet::default());
        let mut pending = vec![(0, root)];
        while let Some((at, part)) = pending.pop() {
            if !self.proves(part, at) || !seen.insert((at, part)) {
                continue;
            }
            if self.pool.is_state(part.formula) {
                used.push((at, part));
                continue;
            }
            let action = matches!(self.pool[part.formula], Formula::Action(_));
            if action || part != root && self.pool[part.formula].is_temporal() {
                used.push((at, part));
            }
            let mut is_new = |at| passed.insert((at, part));
            match rule(self.pool, part.formula, part.holds) {
                Rule::Leaf => {}
                Rule::Choice(choices) => {
                    if let Some(choice) = choices.iter().find(|parts| self.all(parts, at)) {
                        pending.extend(choice.iter().map(|&part| (at, part)));
                    }
                }
                Rule::Next(part) => pending.extend(self.after(at).map(|next| (next, part))),
                Rule::Until(before, last) => self.along(at, &before, Some(&last), &mut is_new, &mut pending),
                Rule::Weak(before, last) => self.along(at, &before, last.as_ref(), &mut is_new, &mut pending),
            }
        }
        used
    }

    /// From a position on, `before` at each until `last` holds, which it may never; up to a position that is not new.
    fn along(
        &self,
        mut at: usize,
        before: &Parts,
        last: Option<&Parts>,
        is_new: &mut impl FnMut(usize) -> bool,
        pending: &mut Vec<(usize, Part)>,
    ) {
        while is_new(at) {
            let ended = last.filter(|last| self.all(last, at));
            pending.extend(ended.unwrap_or(before).iter().map(|&part| (at, part)));
            match self.run.next(at) {
                Some(next) if ended.is_none() => at = next,
                _ => return,
            }
        }
    }
}

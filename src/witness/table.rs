//! The truth of a path formula at every position of a run, from the definition of the operators.
//!
//! A run is finitely many positions, so the truth of a node at all of them is a vector, computed from those of
//! its operands: `U`-like operators as least, `W`-like ones as greatest fixpoint of their expansion law, by
//! passes from the last position to the first until nothing changes (two passes settle a loop).
//!
//! Of the past, what holds at a position depends on how often the loop has been gone round: operators that are nested h
//! deep tell the first h rounds apart and no more (Laroussinie, Markey & Schnoebelen 2002), so a table has positions
//! for these, too. Where paths stutter, so does the end of a finite run.
//!
//! Truth is three-valued: a formula and its negation are both evaluated, each only as far as it is *proved*.
//! Neither is where the value of a state formula is not known, where an open run ends (the formula must not
//! depend on what follows), and for `X` at the end of a maximal path (docs/semantics.md: a path that is
//! sought has no next position for `X φ`, nor for `X ¬φ`). Where a finite run is over, `X φ` is false.

use super::rule::{Parts, Rule, again_and_again, rule};
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
            End::Open | End::Deadlock | End::Final => None,
        }
    }
}

/// The proved parts of each position.
pub(super) struct Table<'a> {
    pool: &'a Pool,
    run: Shape<'a>,
    paths: PathSemantics,
    /// How many positions there are with the rounds of the loop that are told apart, and where the last of these
    /// begins, if the run has a loop.
    length: usize,
    again: Option<usize>,
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
        let rounds = pool.past(path) as usize;
        let start = match run.end {
            End::Loop(start) => Some(start),
            End::Deadlock if rounds > 0 && paths == PathSemantics::Stutter => run.positions.checked_sub(1),
            End::Open | End::Deadlock | End::Final => None,
        };
        let added = start.map_or(0, |start| rounds * (run.positions - start));
        let (length, again) = (run.positions + added, start.map(|start| start + added));
        let mut table = Table { pool, run, paths, length, again, proved: FxHashMap::default() };
        for id in pool.reach(&[path], |id| !pool.is_state(id)) {
            let both = if let Formula::Action(labels) = &pool[id] {
                [false, true].map(|holds| table.action(labels, holds))
            } else if pool.is_state(id) {
                let mut both = [false, true].map(|_| FixedBitSet::with_capacity(length));
                for position in 0..length {
                    if let Some(holds) = state(id, table.origin(position)) {
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

    /// The position of the run at which this one is, in a later round.
    fn origin(&self, position: usize) -> usize {
        match self.again {
            Some(again) if position >= self.run.positions => {
                let period = self.length - again;
                self.run.positions - period + (position - self.run.positions) % period
            }
            _ => position,
        }
    }

    /// The position that follows a position, if the run says.
    fn next(&self, position: usize) -> Option<usize> {
        if position + 1 < self.length { Some(position + 1) } else { self.again }
    }

    /// Where the next step is known to be one with these labels, or known not to be: it is not one at a deadlock.
    fn action(&self, labels: &[TransitionId], holds: bool) -> FixedBitSet {
        let step = |at: usize| match (self.run.fired.get(self.origin(at)), self.run.end) {
            (Some(step), _) => Some(labels.contains(&step.action)),
            (None, End::Deadlock | End::Final) => Some(false),
            (None, _) => None,
        };
        self.positions(|at| step(at) == Some(holds))
    }

    /// The positions of which this is true.
    fn positions(&self, is_true: impl Fn(usize) -> bool) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.length);
        all.extend((0..self.length).filter(|&at| is_true(at)));
        all
    }

    fn all(&self, parts: &Parts, position: usize) -> bool {
        parts.iter().all(|&part| self.proves(part, position))
    }

    /// The position at which `X φ` reads φ.
    fn after(&self, position: usize) -> Option<usize> {
        match (self.next(position), self.run.end, self.paths) {
            (Some(next), _, _) => Some(next),
            (None, End::Deadlock, PathSemantics::Stutter) => Some(position),
            _ => None,
        }
    }

    fn evaluate(&self, rule: &Rule) -> FixedBitSet {
        match rule {
            Rule::Leaf => FixedBitSet::with_capacity(self.length),
            Rule::Choice(choices) => self.positions(|at| choices.iter().any(|parts| self.all(parts, at))),
            Rule::Next(part) => {
                // Where a run is over, no `X φ` holds, and so each `!X φ` does.
                let at_end = self.run.end == End::Final && !part.holds;
                self.positions(|at| self.after(at).map_or(at_end, |next| self.proves(*part, next)))
            }
            Rule::Until(before, last) => self.fixpoint(before, Some(last), false),
            Rule::Weak(before, last) => self.fixpoint(before, last.as_ref(), true),
            Rule::Before(part, weak) => {
                self.positions(|at| at.checked_sub(1).map_or(*weak, |before| self.proves(*part, before)))
            }
            Rule::SoFar(since, last, weak) => {
                let (mut truth, mut before) = (FixedBitSet::with_capacity(self.length), *weak);
                for at in 0..self.length {
                    before = self.all(last, at) || (self.all(since, at) && before);
                    truth.set(at, before);
                }
                truth
            }
        }
    }

    /// The least or greatest solution of v = last ∨ (before ∧ v at the next position).
    fn fixpoint(&self, before: &Parts, last: Option<&Parts>, greatest: bool) -> FixedBitSet {
        let length = self.length;
        let mut truth = FixedBitSet::with_capacity(length);
        truth.set_range(.., greatest);
        loop {
            let old = truth.clone();
            for at in (0..length).rev() {
                let later = match (self.next(at), self.run.end) {
                    (Some(next), _) => truth[next],
                    // All positions from a deadlock on are alike.
                    (None, End::Deadlock | End::Final) => greatest,
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
        let mut used = indexmap::IndexSet::new();
        let (mut seen, mut passed) = (FxHashSet::default(), FxHashSet::default());
        let mut pending = vec![(0, root)];
        while let Some((at, part)) = pending.pop() {
            if !self.proves(part, at) || !seen.insert((at, part)) {
                continue;
            }
            let node = &self.pool[part.formula];
            if self.pool.is_state(part.formula) {
                // `O` has a `true` at each position, which tells nothing.
                if part == root || !matches!(node, Formula::True | Formula::False) {
                    used.insert((self.origin(at), part));
                }
                continue;
            }
            // What is past differs from round to round.
            let is_shown = part != root && (node.is_temporal() || node.is_past());
            let is_shown = is_shown && (at < self.run.positions || self.pool.past(part.formula) == 0);
            if is_shown || matches!(node, Formula::Action(_)) {
                used.insert((self.origin(at), part));
            }
            // What holds again and again is shown once on the loop.
            if let Some(met) = self.met(part) {
                pending.push(met);
                continue;
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
                Rule::Before(part, _) => pending.extend(at.checked_sub(1).map(|before| (before, part))),
                Rule::SoFar(since, last, _) => {
                    for at in (0..=at).rev() {
                        let begun = self.all(&last, at);
                        let parts = if begun { &last } else { &since };
                        pending.extend(parts.iter().map(|&part| (at, part)));
                        if begun || !is_new(at) {
                            break;
                        }
                    }
                }
            }
        }
        used.into_iter().collect()
    }

    /// Where what holds again and again, if the part says so, holds for the first time on the loop or at the end.
    fn met(&self, part: Part) -> Option<(usize, Part)> {
        let body = again_and_again(self.pool, part).filter(|_| self.pool.past(part.formula) == 0)?;
        let start = match self.run.end {
            End::Loop(start) => start,
            End::Deadlock | End::Final => self.run.positions.checked_sub(1)?,
            End::Open => return None,
        };
        (start..self.run.positions).find(|&at| self.proves(body, at)).map(|at| (at, body))
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
            match self.next(at) {
                Some(next) if ended.is_none() => at = next,
                _ => return,
            }
        }
    }
}

//! From runs and truth values to a witness.
//!
//! The reason of a Boolean combination is a smallest choice of operands that decides it; that of a quantified
//! formula that one path can show is a run, which a [`Judge`] finds. Along a run, the proof of its path formula
//! ([`super::table`]) says which state formulas are needed at which positions; those with path quantifiers
//! get reasons in turn, breadth-first, so that what is near the root is shown first.

use super::replay::{Broken, replay};
use super::rule::{Rule, rule};
use super::table::{Shape, Table};
use super::valuation::{Valuation, has_quantifier};
use super::{Because, End, Part, Position, Reason, Run, Witness};
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::model::{Path, Then, TransitionSystem};
use crate::net::{Marking, PlaceId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// At most so many runs in one witness.
pub(super) const MAX_RUNS: usize = 64;

/// An engine that answers what a witness is made of.
pub(super) trait Judge {
    /// Why it may not answer.
    type Error;

    /// Does a state formula hold in a reachable marking?
    fn holds(&mut self, formula: FormulaId, marking: &Marking) -> Result<bool, Self::Error>;

    /// The same, if it has been computed already.
    fn known(&self, formula: FormulaId, marking: &Marking) -> Option<bool>;

    /// A run from a reachable marking that satisfies φ, for `E φ` that holds there, or violates it, for `A φ`
    /// that does not. With `closed`, one whose future is not open.
    fn run(&mut self, formula: FormulaId, marking: &Marking, closed: bool) -> Result<Path, Self::Error>;

    /// Is the run for a formula in a marking to be shown as it is, though a beginning of it shows the formula, too?
    fn is_whole(&self, _formula: FormulaId, _marking: &Marking) -> bool {
        false
    }

    /// The value of `bounds(…)`, if it is known.
    fn bound(&self, places: &[PlaceId]) -> Option<i128>;
}

/// Why there is no witness.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unexplained<E> {
    /// The engine did not finish.
    #[error("{0}")]
    Stopped(E),
    /// The run of the engine does not replay: an error of the program.
    #[error(transparent)]
    Broken(#[from] Broken),
}

/// Explain why `formula` holds, or does not, in the initial marking. The witness has been replayed.
///
/// # Errors
/// [`Unexplained::Stopped`] if the judge stops, [`Unexplained::Broken`] if the result does not replay.
pub(super) fn explain<J: Judge>(
    model: &dyn TransitionSystem,
    pool: &Pool,
    paths: PathSemantics,
    judge: &mut J,
    formula: FormulaId,
    holds: bool,
) -> Result<Witness, Unexplained<J::Error>> {
    let mut explainer = Explainer { model, pool, paths, judge, shown: FxHashMap::default(), pending: VecDeque::new() };
    let initial = model.initial();
    let reason = explainer.reason(formula, holds, &initial)?;
    let mut runs = Vec::new();
    while let Some((formula, marking)) = explainer.pending.pop_front() {
        runs.push(explainer.run(formula, &marking)?);
    }
    let witness = Witness { paths, reason, runs };
    let known = |formula: FormulaId, marking: &Marking| judge.known(formula, marking);
    replay(model, pool, &witness, &known, &|places| judge.bound(places))?;
    Ok(witness)
}

struct Explainer<'a, J> {
    model: &'a dyn TransitionSystem,
    pool: &'a Pool,
    paths: PathSemantics,
    judge: &'a mut J,
    /// Numbers of the runs for quantified formulas in markings.
    shown: FxHashMap<(FormulaId, Marking), usize>,
    /// Those of them that are not made yet, in the order of their numbers.
    pending: VecDeque<(FormulaId, Marking)>,
}

impl<J: Judge> Explainer<'_, J> {
    fn reason(&mut self, formula: FormulaId, holds: bool, marking: &Marking) -> Result<Reason, Unexplained<J::Error>> {
        let because = match (&self.pool[formula], holds) {
            (Formula::Exists(_), true) | (Formula::Forall(_), false) => self.shown_by(formula, marking)?,
            (Formula::Exists(_), false) | (Formula::Forall(_), true) => self.computed(formula, marking)?,
            (Formula::Diamond(..) | Formula::Box(..), _) => self.computed(formula, marking)?,
            _ if !has_quantifier(self.pool, formula) => Because::Marking,
            _ => {
                let mut parts = Vec::new();
                for part in self.choice(formula, holds, marking)? {
                    parts.push(self.reason(part.formula, part.holds, marking)?);
                }
                Because::Parts(parts)
            }
        };
        Ok(Reason { formula, holds, because })
    }

    /// Operands that decide a Boolean combination: preferably those that need no paths.
    fn choice(
        &mut self,
        formula: FormulaId,
        holds: bool,
        marking: &Marking,
    ) -> Result<Vec<Part>, Unexplained<J::Error>> {
        let Rule::Choice(mut choices) = rule(self.pool, formula, holds) else { return Ok(Vec::new()) };
        let pool = self.pool;
        let cost = |part: &Part| match (&pool[part.formula], part.holds) {
            _ if !has_quantifier(pool, part.formula) => 0,
            (Formula::Exists(_), false) | (Formula::Forall(_), true) => 2,
            _ => 1,
        };
        choices.sort_by_key(|parts| parts.iter().map(cost).max());
        for parts in choices {
            let mut all = true;
            for part in &parts {
                all = all && self.value(part.formula, marking)? == Some(part.holds);
            }
            if all {
                return Ok(parts);
            }
        }
        Ok(Vec::new())
    }

    /// The value of a state formula: by the marking if that is enough, else as the judge says.
    fn value(&mut self, formula: FormulaId, marking: &Marking) -> Result<Option<bool>, Unexplained<J::Error>> {
        if has_quantifier(self.pool, formula) {
            return self.judge.holds(formula, marking).map(Some).map_err(Unexplained::Stopped);
        }
        let bound = |places: &[PlaceId]| self.judge.bound(places);
        let valuation = Valuation { model: self.model, pool: self.pool, bound: &bound };
        Ok(valuation.state(formula, marking, &mut |_| None))
    }

    fn shown_by(&mut self, formula: FormulaId, marking: &Marking) -> Result<Because, Unexplained<J::Error>> {
        let key = (formula, marking.clone());
        if let Some(&number) = self.shown.get(&key) {
            return Ok(Because::Run(number));
        }
        let number = self.shown.len();
        if number >= MAX_RUNS {
            return self.computed(formula, marking);
        }
        self.pending.push_back(key.clone());
        self.shown.insert(key, number);
        Ok(Because::Run(number))
    }

    fn computed(&mut self, formula: FormulaId, marking: &Marking) -> Result<Because, Unexplained<J::Error>> {
        self.judge.holds(formula, marking).map_err(Unexplained::Stopped)?;
        Ok(Because::Computed)
    }

    /// The run for a quantified formula in a marking.
    fn run(&mut self, formula: FormulaId, marking: &Marking) -> Result<Run, Unexplained<J::Error>> {
        let (path, holds) = match self.pool[formula] {
            Formula::Exists(path) => (path, true),
            Formula::Forall(path) => (path, false),
            _ => return Err(Broken("a run for a formula that is not about paths".to_owned()).into()),
        };
        let root = Part { formula: path, holds };
        for closed in [false, true] {
            let found = self.judge.run(formula, marking, closed).map_err(Unexplained::Stopped)?;
            let open = found.then == Then::Open;
            let mut run = self.fire(formula, marking, found)?;
            let mut values: FxHashMap<(FormulaId, usize), Option<bool>> = FxHashMap::default();
            for state in self.pool.reach(&[path], |id| !self.pool.is_state(id)) {
                for at in 0..run.positions.len() {
                    if self.pool.is_state(state) {
                        let value = self.value(state, &run.positions[at].marking)?;
                        values.insert((state, at), value);
                    }
                }
            }
            let value = |state, at| values.get(&(state, at)).copied().flatten();
            let proves =
                |run: &Run| Table::new(self.pool, path, Shape::of(run), self.paths, &mut &value).proves(root, 0);
            if open && !closed && !proves(&run) {
                // What is true of all continuations need not show on the prefix: `X p ∨ X ¬p`.
                continue;
            }
            if open {
                // Leave off what is not needed: a longer run proves what a shorter one does.
                let whole = self.judge.is_whole(formula, marking);
                let first = |steps: usize| {
                    let (positions, fired) = (run.positions[..=steps].to_vec(), run.fired[..steps].to_vec());
                    Run { positions, fired, ..run }
                };
                let (mut least, mut enough) = (if whole { run.fired.len() } else { 0 }, run.fired.len());
                while least < enough {
                    let middle = least.midpoint(enough);
                    if proves(&first(middle)) {
                        enough = middle;
                    } else {
                        least = middle + 1;
                    }
                }
                run = first(enough);
                // Nothing follows a deadlock: what is shown does not depend on who has found the run.
                let ends = self.paths != PathSemantics::Infinite
                    && run.positions.last().is_some_and(|last| self.model.is_deadlock(&last.marking));
                if ends {
                    run.end = End::Deadlock;
                }
            }
            let mut used = Table::new(self.pool, path, Shape::of(&run), self.paths, &mut &value).justify(root);
            used.sort_unstable_by_key(|&(at, part)| (at, part.formula, part.holds));
            for (at, part) in used {
                if self.pool.is_state(part.formula) && has_quantifier(self.pool, part.formula) {
                    let marking = run.positions[at].marking.clone();
                    let reason = self.reason(part.formula, part.holds, &marking)?;
                    run.positions[at].reasons.push(reason);
                }
                run.positions[at].parts.push(part);
            }
            return Ok(run);
        }
        Err(Broken("an open run was found where a closed one was asked for".to_owned()).into())
    }

    /// Fire the transitions of a run.
    fn fire(&self, formula: FormulaId, marking: &Marking, found: Path) -> Result<Run, Broken> {
        let position = |marking: Marking| Position { marking, parts: Vec::new(), reasons: Vec::new() };
        let Path { prefix: mut fired, then } = found;
        let end = match then {
            Then::Open => End::Open,
            Then::Deadlock => End::Deadlock,
            Then::Cycle(cycle) if cycle.is_empty() => return Err(Broken("a loop without steps".to_owned())),
            Then::Cycle(cycle) => {
                let start = fired.len();
                fired.extend(cycle);
                End::Loop(start)
            }
        };
        let mut positions = vec![position(marking.clone())];
        let mut at = marking.clone();
        for (number, &transition) in fired.iter().enumerate() {
            let next = self.model.fire(&at, transition);
            at = next.ok_or_else(|| Broken(format!("a run takes a step that is not possible, at {number}")))?;
            if number + 1 < fired.len() || !matches!(end, End::Loop(_)) {
                positions.push(position(at.clone()));
            }
        }
        Ok(Run { formula, positions, fired, end, least: 0 })
    }
}

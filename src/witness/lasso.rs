//! Witnesses from the explicit engine, which decides formulas without nested path quantifiers.

use super::Witness;
use super::explain::{Judge, Unexplained, explain};
use super::replay::Broken;
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::model::{Path, TransitionSystem};
use crate::net::{Marking, PlaceId};
use std::cell::Cell;

/// Explain a verdict of [`crate::explicit::check_ltl`] by the run that it came with. `None` where there is
/// nothing to show it by: combinations of quantified formulas, `bounds(…)`, which no single run gives, and formulas of
/// another pool.
///
/// # Errors
/// [`Broken`] if the run does not replay: an error of the program.
pub fn explain_search(
    model: &dyn TransitionSystem,
    pool: &Pool,
    paths: PathSemantics,
    formula: FormulaId,
    holds: bool,
    path: Option<&Path>,
) -> Result<Option<Witness>, Broken> {
    if !pool.has(formula) {
        return Ok(None);
    }
    let found = path.cloned();
    let mut judge = OneRun { formula, holds, initial: model.initial(), found, bounds: Cell::new(false) };
    match explain(model, pool, paths, &mut judge, formula, holds) {
        Ok(witness) => Ok(Some(witness)),
        Err(Unexplained::Broken(_)) if judge.bounds.get() => Ok(None),
        Err(Unexplained::Broken(broken)) => Err(broken),
        Err(Unexplained::Stopped(Unknown)) => Ok(None),
    }
}

/// A judge that knows one verdict, one run, and nothing else.
struct OneRun {
    formula: FormulaId,
    holds: bool,
    initial: Marking,
    found: Option<Path>,
    /// A bound was asked for.
    bounds: Cell<bool>,
}

/// Not what this judge knows.
struct Unknown;

impl Judge for OneRun {
    type Error = Unknown;

    fn holds(&mut self, formula: FormulaId, marking: &Marking) -> Result<bool, Unknown> {
        self.known(formula, marking).ok_or(Unknown)
    }

    fn known(&self, formula: FormulaId, marking: &Marking) -> Option<bool> {
        (formula == self.formula && *marking == self.initial).then_some(self.holds)
    }

    fn run(&mut self, formula: FormulaId, marking: &Marking, _: bool) -> Result<Path, Unknown> {
        let asked = formula == self.formula && *marking == self.initial;
        self.found.clone().filter(|_| asked).ok_or(Unknown)
    }

    fn bound(&self, _: &[PlaceId]) -> Option<i128> {
        self.bounds.set(true);
        None
    }
}

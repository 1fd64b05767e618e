//! Witnesses of CTL from searches on the fly: each value that is needed is searched for in its state.

use super::Witness;
use super::explain::{Judge, Unexplained, explain};
use crate::budget::Budget;
use crate::explicit::{Explicit, Options};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::model::{Path, State, Then, VariableId};
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;

/// Explain why a formula of CTL holds in the initial state, or not. States that are not needed are not visited, so this
/// may succeed where there are too many of them.
///
/// # Errors
/// [`Unexplained::Stopped`] when the budget is used up, or the searches have passed no path that shows it;
/// [`Unexplained::Broken`] if the result does not replay.
pub fn explain_locally(
    engine: &dyn Explicit<'_>,
    pool: &Pool,
    paths: PathSemantics,
    formula: FormulaId,
    options: &Options,
    budget: &Budget,
) -> Result<Witness, Unexplained<StopReason>> {
    let options = Options { witness: true, ..options.clone() };
    let mut judge = Locally { engine, pool, paths, options, budget, known: FxHashMap::default() };
    let holds = judge.holds(formula, &engine.system().initial()).map_err(Unexplained::Stopped)?;
    explain(engine.system(), pool, paths, &mut judge, formula, holds)
}

struct Locally<'a, 'm> {
    engine: &'a dyn Explicit<'m>,
    pool: &'a Pool,
    paths: PathSemantics,
    options: Options,
    budget: &'a Budget,
    known: FxHashMap<(FormulaId, State), bool>,
}

/// A search may succeed without having passed all of a path.
const NO_PATH: StopReason = StopReason::Unsupported("no path was found by searches on the fly");

impl Judge for Locally<'_, '_> {
    type Error = StopReason;

    fn holds(&mut self, formula: FormulaId, state: &State) -> Result<bool, StopReason> {
        if let Some(known) = self.known(formula, state) {
            return Ok(known);
        }
        let plain = Options { witness: false, ..self.options.clone() };
        let found = self.engine.check_ctl_in(state, self.pool, formula, self.paths, &plain, self.budget)?;
        self.known.insert((formula, state.clone()), found.holds);
        Ok(found.holds)
    }

    fn known(&self, formula: FormulaId, state: &State) -> Option<bool> {
        self.known.get(&(formula, state.clone())).copied()
    }

    fn run(&mut self, formula: FormulaId, state: &State, closed: bool) -> Result<Path, StopReason> {
        let found = self.engine.check_ctl_in(state, self.pool, formula, self.paths, &self.options, self.budget)?;
        self.known.insert((formula, state.clone()), found.holds);
        found.path.filter(|path| !closed || path.then != Then::Open).ok_or(NO_PATH)
    }

    fn bound(&self, _: &[VariableId]) -> Option<i128> {
        None
    }
}

//! Witnesses from a labelled reachability graph.

use super::Witness;
use super::explain::{Judge, Unexplained, explain};
use crate::budget::Budget;
use crate::explicit::{AllLabels, Labelling};
use crate::formula::{FormulaId, Pool};
use crate::model::{Path, TransitionSystem};
use crate::net::{Marking, PlaceId};
use crate::stop_reason::StopReason;

/// Explain why a formula of CTL holds in the initial marking, or not. `labels` are those of the formula.
///
/// # Errors
/// [`Unexplained::Stopped`] when the budget is used up, [`Unexplained::Broken`] if the result does not replay.
pub fn explain_by_labels(
    model: &dyn TransitionSystem,
    pool: &Pool,
    labelling: &Labelling<'_>,
    labels: &AllLabels,
    formula: FormulaId,
    budget: &Budget,
) -> Result<Witness, Unexplained<StopReason>> {
    let mut judge = Graph { labelling, labels, pool, budget };
    let holds = judge.holds(formula, &model.initial()).map_err(Unexplained::Stopped)?;
    explain(model, pool, labels.paths(), &mut judge, formula, holds)
}

struct Graph<'a> {
    labelling: &'a Labelling<'a>,
    labels: &'a AllLabels,
    pool: &'a Pool,
    budget: &'a Budget,
}

/// Of what is asked here, everything is labelled.
const UNKNOWN: StopReason = StopReason::Unsupported("a formula or marking that is not in the graph");

impl Judge for Graph<'_> {
    type Error = StopReason;

    fn holds(&mut self, formula: FormulaId, marking: &Marking) -> Result<bool, StopReason> {
        self.known(formula, marking).ok_or(UNKNOWN)
    }

    fn known(&self, formula: FormulaId, marking: &Marking) -> Option<bool> {
        Some(self.labels.of(formula)?.contains(self.labelling.state_of(marking)?))
    }

    fn run(&mut self, formula: FormulaId, marking: &Marking, closed: bool) -> Result<Path, StopReason> {
        let state = self.labelling.state_of(marking).ok_or(UNKNOWN)?;
        self.labelling.run(self.pool, self.labels, (formula, state), closed, self.budget)
    }

    fn bound(&self, _: &[PlaceId]) -> Option<i128> {
        None
    }
}

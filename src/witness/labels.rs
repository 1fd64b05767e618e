//! Witnesses from a labelled reachability graph.

use super::Witness;
use super::explain::{Judge, Unexplained, explain};
use super::way::explain_way;
use crate::budget::Budget;
use crate::explicit::{AllLabels, Labelling};
use crate::formula::{FormulaId, PathSemantics, Pool};
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
    let mut judge = Graph { labelling, labels: vec![labels], pool, budget };
    let holds = judge.holds(formula, &model.initial()).map_err(Unexplained::Stopped)?;
    explain(model, pool, labels.paths(), &mut judge, formula, holds)
}

/// Show `E φ` by this path from the initial marking. The state formulas in φ are labelled.
///
/// # Errors
/// As for [`explain_by_labels`].
pub fn explain_way_by_labels(
    model: &dyn TransitionSystem,
    pool: &Pool,
    labelling: &mut Labelling<'_>,
    (formula, path): (FormulaId, Path),
    paths: PathSemantics,
    budget: &Budget,
) -> Result<Witness, Unexplained<StopReason>> {
    let mut labels = Vec::new();
    let Some(&inside) = pool[formula].children().first() else { return Err(Unexplained::Stopped(UNKNOWN)) };
    for part in pool.reach(&[inside], |id| !pool.is_state(id)) {
        if pool.is_state(part) {
            labels.push(labelling.label(pool, part, paths, budget).map_err(Unexplained::Stopped)?);
        }
    }
    let mut judge = Graph { labelling, labels: labels.iter().collect(), pool, budget };
    explain_way(model, pool, paths, &mut judge, formula, path)
}

struct Graph<'a> {
    labelling: &'a Labelling<'a>,
    /// Those of some formulas and what is inside.
    labels: Vec<&'a AllLabels>,
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
        let labels = self.labels.iter().find_map(|labels| labels.of(formula))?;
        Some(labels.contains(self.labelling.state_of(marking)?))
    }

    fn run(&mut self, formula: FormulaId, marking: &Marking, closed: bool) -> Result<Path, StopReason> {
        let state = self.labelling.state_of(marking).ok_or(UNKNOWN)?;
        let labels = self.labels.iter().find(|labels| labels.of(formula).is_some()).ok_or(UNKNOWN)?;
        self.labelling.run(self.pool, labels, (formula, state), closed, self.budget)
    }

    fn bound(&self, _: &[PlaceId]) -> Option<i128> {
        None
    }
}

//! Witnesses from sat-sets.

use super::Witness;
use super::explain::{Found, Future, Judge, Unexplained, explain};
use crate::budget::Budget;
use crate::formula::{FormulaId, Pool};
use crate::lts::{LabelId, Model};
use crate::net::{Marking, PlaceId, TransitionId};
use crate::symbolic::{Checker, Continuation, Halt, PathRun, Taken};
use rustc_hash::FxHashMap;

/// Explain why a state formula holds in the initial marking, or not.
///
/// `checker` must be one over the reachable set of the model. Its verdict comes first, and from it.
///
/// # Errors
/// [`Unexplained::Stopped`] when the budget is used up, [`Unexplained::Broken`] if the result does not replay.
pub fn explain_by_sets<'m>(
    model: impl Into<Model<'m>>,
    pool: &Pool,
    checker: &mut Checker<'_>,
    formula: FormulaId,
    budget: &Budget,
) -> Result<Witness, Unexplained<Halt>> {
    let model = model.into();
    let holds = checker.holds_initially(pool, formula, budget).map_err(Unexplained::Stopped)?;
    let paths = checker.paths();
    let initial = model.initial();
    let verdicts = FxHashMap::from_iter([(formula, holds)]);
    let mut judge = SatSets { model, checker, pool, budget, initial, verdicts };
    explain(model, pool, paths, &mut judge, formula, holds)
}

struct SatSets<'c, 'a> {
    model: Model<'c>,
    checker: &'c mut Checker<'a>,
    pool: &'c Pool,
    budget: &'c Budget,
    initial: Marking,
    /// What holds in the initial marking, which can be decided without the whole sat-set.
    verdicts: FxHashMap<FormulaId, bool>,
}

impl SatSets<'_, '_> {
    fn state(&self, marking: &Marking) -> Result<Vec<u32>, Halt> {
        let state = self.checker.state_of(marking.as_slice());
        state.ok_or(Halt::Unsupported("a marking that diagrams do not represent"))
    }

    /// The steps that were taken, from a marking that becomes the one they lead to.
    fn steps(&self, at: &mut Marking, taken: Vec<Taken>) -> Result<Vec<TransitionId>, Halt> {
        let Model::Network(network) = self.model else {
            return Ok(taken.into_iter().map(|taken| TransitionId(taken.label)).collect());
        };
        let mut steps = Vec::with_capacity(taken.len());
        for Taken { label, to } in taken {
            let step = match to {
                // There is one step with this label.
                None => network.steps_with(LabelId(label)).map(|steps| TransitionId(steps.start)),
                Some(to) => self.model.step(at, TransitionId(label), &Marking::new(self.checker.values_of(&to))),
            };
            let step = step.ok_or(Halt::Unsupported("labels with this many combinations of edges"))?;
            *at = self.model.fire(at, step).ok_or(Halt::Unsupported("a step that is not enabled"))?;
            steps.push(step);
        }
        Ok(steps)
    }
}

impl Judge for SatSets<'_, '_> {
    type Error = Halt;

    fn holds(&mut self, formula: FormulaId, marking: &Marking) -> Result<bool, Halt> {
        if *marking != self.initial {
            let state = self.state(marking)?;
            return Ok(self.checker.sat(self.pool, formula, self.budget)?.contains(&state));
        }
        if let Some(&verdict) = self.verdicts.get(&formula) {
            return Ok(verdict);
        }
        let verdict = self.checker.holds_initially(self.pool, formula, self.budget)?;
        self.verdicts.insert(formula, verdict);
        Ok(verdict)
    }

    fn known(&self, formula: FormulaId, marking: &Marking) -> Option<bool> {
        let verdict = self.verdicts.get(&formula).copied().filter(|_| *marking == self.initial);
        let by_set = || self.checker.known_at(formula, &self.checker.state_of(marking.as_slice())?);
        verdict.or_else(by_set)
    }

    fn run(&mut self, formula: FormulaId, marking: &Marking, closed: bool) -> Result<Found, Halt> {
        let state = self.state(marking)?;
        let PathRun { prefix, then } = self.checker.run(self.pool, formula, &state, closed, self.budget)?;
        let mut at = marking.clone();
        let prefix = self.steps(&mut at, prefix)?;
        let future = match then {
            Continuation::Open => Future::Open,
            Continuation::Deadlock => Future::Deadlock,
            Continuation::Cycle(taken) => Future::Cycle(self.steps(&mut at, taken)?),
        };
        Ok(Found { prefix, future })
    }

    fn bound(&self, places: &[PlaceId]) -> Option<i128> {
        self.checker.bound(places).ok()
    }
}

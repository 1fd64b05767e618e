//! Witnesses from sat-sets.

use super::Witness;
use super::explain::{Judge, Unexplained, explain};
use super::way::explain_way;
use crate::budget::Budget;
use crate::formula::{FormulaId, Journey, Pool};
use crate::model::{ActionId, Path, Step, Then, TransitionSystem};
use crate::net::{Marking, PlaceId};
use crate::stop_reason::StopReason;
use crate::symbolic::{Checker, Taken};
use rustc_hash::FxHashMap;

/// Explain why a state formula holds in the initial marking, or not.
///
/// `checker` must be one over the reachable set of the model. Its verdict comes first, and from it.
///
/// # Errors
/// [`Unexplained::Stopped`] when the budget is used up, [`Unexplained::Broken`] if the result does not replay.
pub fn explain_by_sets(
    model: &dyn TransitionSystem,
    pool: &Pool,
    checker: &mut Checker<'_>,
    formula: FormulaId,
    budget: &Budget,
) -> Result<Witness, Unexplained<StopReason>> {
    let (paths, initial) = (checker.paths(), model.initial());
    let mut judge = SatSets { model, checker, pool, budget, initial: initial.clone(), verdicts: FxHashMap::default() };
    let holds = judge.holds(formula, &initial).map_err(Unexplained::Stopped)?;
    explain(model, pool, paths, &mut judge, formula, holds)
}

/// Show a way of the number of steps that is asked for, or one that is never over.
///
/// # Errors
/// As for [`explain_by_sets`]; [`Unexplained::Stopped`] also where there is none.
pub fn explain_way_by_sets(
    model: &dyn TransitionSystem,
    pool: &Pool,
    checker: &mut Checker<'_>,
    journey: &Journey,
    budget: &Budget,
) -> Result<Witness, Unexplained<StopReason>> {
    let initial = model.initial();
    let (paths, verdicts) = (checker.paths(), FxHashMap::default());
    let mut judge = SatSets { model, checker, pool, budget, initial: initial.clone(), verdicts };
    let path = judge.way(journey, &initial).map_err(Unexplained::Stopped)?;
    explain_way(model, pool, paths, &mut judge, journey.shown[0], path)
}

struct SatSets<'c, 'a> {
    model: &'c dyn TransitionSystem,
    checker: &'c mut Checker<'a>,
    pool: &'c Pool,
    budget: &'c Budget,
    initial: Marking,
    /// Verdicts in the initial marking, which can be decided without the whole sat-set.
    verdicts: FxHashMap<FormulaId, bool>,
}

impl SatSets<'_, '_> {
    fn state(&self, marking: &Marking) -> Result<Vec<u32>, StopReason> {
        let state = self.checker.state_of(marking.as_slice());
        state.ok_or(StopReason::Unsupported("a marking that diagrams do not represent"))
    }

    /// The path to the beginning of a way, and along it.
    fn way(&mut self, journey: &Journey, initial: &Marking) -> Result<Path, StopReason> {
        let state = self.state(initial)?;
        let taken = self.checker.way(self.pool, journey, &state, self.budget)?;
        Ok(Path { prefix: self.steps(&mut initial.clone(), taken)?, then: Then::Open })
    }

    /// The steps that were taken, from a state that becomes the one they lead to.
    fn steps(&self, at: &mut Marking, taken: Vec<Taken>) -> Result<Vec<Step>, StopReason> {
        let mut steps = Vec::with_capacity(taken.len());
        for Taken { label, to } in taken {
            let action = ActionId(label);
            let step = self.model.step(at, action, &Marking::new(self.checker.values_of(&to)));
            let step = step.ok_or(StopReason::Unsupported("actions with this many choices"))?;
            *at = self.model.fire(at, step).ok_or(StopReason::Unsupported("a step that is not possible"))?;
            steps.push(step);
        }
        Ok(steps)
    }
}

impl Judge for SatSets<'_, '_> {
    type Error = StopReason;

    fn holds(&mut self, formula: FormulaId, marking: &Marking) -> Result<bool, StopReason> {
        // With several initial states, a formula that holds initially holds in all of them.
        if *marking != self.initial || self.checker.has_several_starts() {
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

    fn run(&mut self, formula: FormulaId, marking: &Marking, closed: bool) -> Result<Path, StopReason> {
        let state = self.state(marking)?;
        let Path { prefix, then } = self.checker.run(self.pool, formula, &state, closed, self.budget)?;
        let mut at = marking.clone();
        let prefix = self.steps(&mut at, prefix)?;
        let then = match then {
            Then::Open => Then::Open,
            Then::Deadlock => Then::Deadlock,
            Then::Cycle(taken) => Then::Cycle(self.steps(&mut at, taken)?),
        };
        Ok(Path { prefix, then })
    }

    fn bound(&self, places: &[PlaceId]) -> Option<i128> {
        self.checker.bound(places, self.budget).ok()
    }
}

//! QuasiLiveness: every transition is enabled in some reachable marking.

use super::answer::{Technique, Value};
use super::portfolio::{Case, Questionnaire, Structure, some_enabled};
use super::reached::Reached;
use super::refutation::some_never_enabled;
use super::walk::Walk;
use crate::budget::Budget;
use crate::explicit::Stopped;
use crate::structure::Coverability;
use crate::symbolic::{Halt, fireable};
use std::time::Duration;

const ID: &str = "QuasiLiveness";

/// The examination.
#[derive(Default)]
pub(super) struct QuasiLiveness {
    answered: bool,
    /// Transitions seen enabled.
    seen: Vec<bool>,
    /// Sets of transitions of which none has been seen, the first of them last.
    missing: Option<Vec<usize>>,
}

impl QuasiLiveness {
    fn answer(&mut self, case: &mut Case<'_>, verdict: bool, technique: Technique) {
        if !std::mem::replace(&mut self.answered, true) {
            case.answers.verdict(ID, verdict, technique);
        }
    }

    /// Decide, knowing of every transition whether it fires.
    fn conclude(&mut self, case: &mut Case<'_>, fires: &[bool], technique: Technique) {
        let all = case.subject.transitions.iter().all(|transitions| some_enabled(fires, transitions));
        self.answer(case, all, technique);
    }
}

impl<'a> Questionnaire<'a> for QuasiLiveness {
    fn is_open(&self) -> bool {
        !self.answered
    }

    fn by_structure(&mut self, case: &mut Case<'a>, _structure: &Structure) {
        if some_never_enabled(case.net(), &case.subject.transitions, &case.programs_budget()) {
            self.answer(case, false, Technique::StateEquation);
        }
    }

    fn by_coverability(&mut self, case: &mut Case<'a>, cover: &Coverability) {
        let known: Option<Vec<bool>> = case.net().transition_ids().map(|t| cover.fireable(case.net(), t)).collect();
        if let Some(fires) = known {
            self.conclude(case, &fires, Technique::Coverability);
        }
    }

    fn by_diagram(&mut self, case: &mut Case<'a>, reached: &'a Reached, slice: Duration) -> Result<(), Halt> {
        let budget = case.budget.clone().with_time(slice);
        match fireable(&reached.relation, &reached.states, case.net().transition_count(), &budget) {
            Ok(fires) => self.conclude(case, &fires, Technique::DecisionDiagrams),
            Err(crate::budget::Exhausted::Time) => {}
            Err(exhausted) => return Err(exhausted.into()),
        }
        Ok(())
    }

    fn on_walk(&mut self, case: &mut Case<'a>, walk: &Walk<'_>) -> bool {
        self.seen.resize(case.net().transition_count(), false);
        for t in walk.enabled() {
            self.seen[t.index()] = true;
        }
        let missing = self.missing.get_or_insert_with(|| (0..case.subject.transitions.len()).rev().collect());
        while let Some(&set) = missing.last()
            && some_enabled(&self.seen, &case.subject.transitions[set])
        {
            missing.pop();
        }
        if missing.is_empty() {
            self.answer(case, true, Technique::RandomWalk);
        }
        self.answered
    }

    fn by_search(&mut self, case: &mut Case<'a>, budget: &Budget) -> Result<(), Stopped> {
        let found = case.explore(budget)?;
        self.conclude(case, &found.fireable, Technique::Explicit);
        Ok(())
    }

    fn give_up(&mut self, case: &mut Case<'a>, reason: &str) {
        case.answers.give(ID, Value::Unknown(reason.to_owned()), Technique::None);
    }
}

//! ReachabilityDeadlock: some reachable marking enables no transition.

use super::Questions;
use super::answer::{Examination, Technique, Value};
use super::portfolio::{Case, Questionnaire, Structure};
use super::reached::Reached;
use super::reduced::{Smaller, ask_all, is_smaller};
use super::refutation::Refuter;
use super::walk::Walk;
use crate::budget::{Budget, Exhausted};
use crate::explicit::{self, Stopped};
use crate::reduction::{Preserved, reduce};
use crate::structure::{Effort, never_dead};
use crate::symbolic::{Halt, deadlocks};
use std::time::Duration;

const ID: &str = "ReachabilityDeadlock";
/// What the search for siphons may take: some tenths of a second.
const SIPHONS: Effort = Effort { rows: 0, work: 20_000_000 };

/// The examination.
#[derive(Default)]
pub(super) struct Deadlock {
    answered: bool,
    /// The reduced net, once that has been tried.
    smaller: Option<Smaller>,
}

impl Deadlock {
    fn answer(&mut self, case: &mut Case<'_>, verdict: bool, technique: Technique) {
        if !std::mem::replace(&mut self.answered, true) {
            case.answers.verdict(ID, verdict, technique);
        }
    }
}

impl<'a> Questionnaire<'a> for Deadlock {
    fn is_open(&self) -> bool {
        !self.answered
    }

    fn by_structure(&mut self, case: &mut Case<'a>, _structure: &Structure) {
        if case.net().initial_marking().enabled(case.net()).next().is_none() {
            self.answer(case, true, Technique::Structure);
        } else if never_dead(case.net(), SIPHONS, &case.programs_budget()).is_ok_and(|proved| proved) {
            self.answer(case, false, Technique::Structure);
        } else if Refuter::new(case.net()).is_some_and(|mut r| r.never_dead(&case.programs_budget())) {
            self.answer(case, false, Technique::StateEquation);
        }
    }

    fn by_diagram(&mut self, case: &mut Case<'a>, reached: &'a Reached, slice: Duration) -> Result<(), Halt> {
        let budget = case.budget.clone().with_time(slice);
        match deadlocks(&reached.relation, &reached.states, &budget) {
            Ok(dead) => self.answer(case, !dead.is_empty(), Technique::DecisionDiagrams),
            Err(Halt::Exhausted(Exhausted::Time)) => {}
            Err(halt) => return Err(halt),
        }
        Ok(())
    }

    fn on_walk(&mut self, case: &mut Case<'a>, walk: &Walk<'_>) -> bool {
        if walk.enabled().next().is_none() {
            self.answer(case, true, Technique::RandomWalk);
        }
        self.answered
    }

    fn by_reduction(&mut self, case: &mut Case<'a>, slice: Duration) {
        let net = case.net();
        let examination = Examination::ReachabilityDeadlock;
        let found = ask_all(case, examination, &mut [(0, &mut self.smaller)], slice, |_, budget| {
            let reduced = reduce(net, &[], Preserved::Deadlock, budget)?;
            is_smaller(&reduced.net, net).then(|| (reduced.net, Questions::default()))
        });
        for (_, value) in found {
            if let Value::Verdict(dead) = value {
                self.answer(case, dead, Technique::Reduction);
            }
        }
    }

    fn by_search(&mut self, case: &mut Case<'a>, budget: &Budget) -> Result<(), Stopped> {
        let found = explicit::find_deadlock(case.net(), &case.settings.explicit, budget)?;
        self.answer(case, found.trace.is_some(), Technique::Explicit);
        Ok(())
    }

    fn give_up(&mut self, case: &mut Case<'a>, reason: &str) {
        case.answers.give(ID, Value::Unknown(reason.to_owned()), Technique::None);
    }
}

//! StateSpace: how many reachable markings, how many firings, how many tokens at most.

use super::answer::{Technique, Value};
use super::portfolio::{Case, Questionnaire};
use super::reached::Reached;
use crate::budget::Budget;
use crate::explicit::Stopped;
use crate::structure::Coverability;
use crate::symbolic::{Halt, count_transitions};
use num_bigint::BigUint;
use std::time::Duration;

/// The identifiers of the questions.
const QUESTIONS: [&str; 4] = ["STATES", "TRANSITIONS", "MAX_TOKEN_IN_PLACE", "MAX_TOKEN_PER_MARKING"];

/// The examination.
#[derive(Default)]
pub(super) struct StateSpace {
    answered: [bool; 4],
}

impl StateSpace {
    fn answer(&mut self, case: &mut Case<'_>, question: usize, value: Value, technique: Technique) {
        if !std::mem::replace(&mut self.answered[question], true) {
            case.answers.give(QUESTIONS[question], value, technique);
        }
    }
}

impl<'a> Questionnaire<'a> for StateSpace {
    fn is_open(&self) -> bool {
        self.answered.contains(&false)
    }

    fn by_coverability(&mut self, case: &mut Case<'a>, cover: &Coverability) {
        if cover.unbounded() {
            // Infinitely many markings are reached by infinitely many firings, since each marking enables
            // finitely many transitions; some place grows, and so does the sum.
            for question in 0..QUESTIONS.len() {
                self.answer(case, question, Value::Infinite, Technique::Coverability);
            }
        }
    }

    fn by_diagram(&mut self, case: &mut Case<'a>, reached: &'a Reached, _slice: Duration) -> Result<(), Halt> {
        let technique = Technique::DecisionDiagrams;
        self.answer(case, 0, Value::Number(reached.states.count(case.budget)?), technique);
        let offsets = reached.relation.offsets();
        if let Some(maxima) = reached.states.maxima() {
            let counts = maxima.per_level.iter().zip(offsets).map(|(&value, &offset)| u64::from(value) + offset);
            let greatest = counts.max().unwrap_or(0);
            let shift: u128 = offsets.iter().map(|&offset| u128::from(offset)).sum();
            self.answer(case, 2, Value::Number(greatest.into()), technique);
            self.answer(case, 3, Value::Number(BigUint::from(u128::from(maxima.sum) + shift)), technique);
        }
        let transitions = count_transitions(&reached.relation, &reached.states, case.budget)?;
        self.answer(case, 1, Value::Number(transitions), technique);
        Ok(())
    }

    fn by_search(&mut self, case: &mut Case<'a>, budget: &Budget) -> Result<(), Stopped> {
        let found = case.explore(budget)?;
        let greatest = found.max_tokens_in_place();
        self.answer(case, 0, Value::Number(found.states.into()), Technique::Explicit);
        self.answer(case, 1, Value::Number(found.transitions.into()), Technique::Explicit);
        self.answer(case, 2, Value::Number(greatest.into()), Technique::Explicit);
        self.answer(case, 3, Value::Number(found.max_tokens_per_marking.into()), Technique::Explicit);
        Ok(())
    }

    fn give_up(&mut self, case: &mut Case<'a>, reason: &str) {
        for question in 0..QUESTIONS.len() {
            self.answer(case, question, Value::Unknown(reason.to_owned()), Technique::None);
        }
    }
}

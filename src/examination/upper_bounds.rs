//! UpperBounds: the greatest sum of the tokens in some places over the reachable markings.
//!
//! Walks give lower bounds, semiflows and the state equation upper ones; where they meet, nothing needs to be explored.

use super::answer::{Examination, Technique, Value};
use super::portfolio::{Case, Questionnaire, Structure, number};
use super::reached::Reached;
use super::reduced::{Smaller, ask_all, is_smaller, one};
use super::refutation::Refuter;
use super::valuation::Tokens;
use super::walk::Walk;
use crate::budget::Budget;
use crate::explicit::{self, Stopped};
use crate::formula::{Pool, Property, Query};
use crate::net::PlaceId;
use crate::reduction::{Preserved, reduce};
use crate::structure::Coverability;
use crate::symbolic::Halt;
use std::time::Duration;

/// One bound that is asked for.
struct Question {
    id: String,
    places: Vec<PlaceId>,
    /// The greatest sum seen.
    seen: u128,
    /// No sum is greater than this.
    limit: Option<u128>,
    /// The question on a reduced net, once that has been tried.
    smaller: Option<Smaller>,
    answered: bool,
}

/// The examination.
pub(super) struct UpperBounds {
    questions: Vec<Question>,
    /// Identifiers of properties that are no bounds.
    others: Vec<String>,
}

impl UpperBounds {
    pub(super) fn new(properties: &[Property]) -> Self {
        let (mut questions, mut others) = (Vec::new(), Vec::new());
        for property in properties {
            let id = property.id.clone();
            match &property.query {
                Query::Bound(places) => {
                    questions.push(Question {
                        id,
                        places: places.clone(),
                        seen: 0,
                        limit: None,
                        smaller: None,
                        answered: false,
                    });
                }
                Query::Formula(_) => others.push(id),
            }
        }
        UpperBounds { questions, others }
    }

    /// Update what was seen; true if nothing is open any more.
    fn look_at(&mut self, case: &mut Case<'_>, marking: &impl Tokens, technique: Technique) -> bool {
        for question in self.questions.iter_mut().filter(|question| !question.answered) {
            let sum = question.places.iter().map(|&place| u128::from(marking.tokens(place))).sum();
            question.seen = question.seen.max(sum);
            if question.limit == Some(question.seen) {
                question.answer(case, Value::Number(question.seen.into()), technique);
            }
        }
        self.questions.iter().all(|question| question.answered)
    }
}

impl Question {
    fn answer(&mut self, case: &mut Case<'_>, value: Value, technique: Technique) {
        if !std::mem::replace(&mut self.answered, true) {
            case.answers.give(&self.id, value, technique);
        }
    }
}

impl<'a> Questionnaire<'a> for UpperBounds {
    fn is_open(&self) -> bool {
        !self.others.is_empty() || self.questions.iter().any(|question| !question.answered)
    }

    fn by_structure(&mut self, case: &mut Case<'a>, structure: &Structure) {
        for question in &mut self.questions {
            question.limit = structure.bound(&question.places);
        }
        let initial = case.net().initial_marking();
        if self.look_at(case, &initial, Technique::Structure) {
            return;
        }
        let budget = case.programs_budget();
        if let Some(refuter) = Refuter::new(case.net()) {
            for question in self.questions.iter_mut().filter(|question| !question.answered) {
                let bound = refuter.upper_bound(&question.places, &budget);
                question.limit = question.limit.into_iter().chain(bound).min();
            }
        }
        self.look_at(case, &initial, Technique::StateEquation);
    }

    fn by_coverability(&mut self, case: &mut Case<'a>, cover: &Coverability) {
        for question in &mut self.questions {
            if let Some(supremum) = cover.supremum(&question.places) {
                question.answer(case, number(supremum), Technique::Coverability);
            }
        }
    }

    fn by_diagram(&mut self, case: &mut Case<'a>, reached: &'a Reached, _slice: Duration) -> Result<(), Halt> {
        for question in self.questions.iter_mut().filter(|question| !question.answered) {
            case.budget.check()?;
            let bound = reached.maximum(&question.places);
            let bound = u128::try_from(bound).map_err(|_| Halt::Arithmetic)?;
            question.answer(case, Value::Number(bound.into()), Technique::DecisionDiagrams);
        }
        Ok(())
    }

    fn on_walk(&mut self, case: &mut Case<'a>, walk: &Walk<'_>) -> bool {
        self.look_at(case, walk, Technique::RandomWalk)
    }

    fn by_reduction(&mut self, case: &mut Case<'a>, slice: Duration) {
        let net = case.net();
        let asked: Vec<Vec<PlaceId>> = self.questions.iter().map(|question| question.places.clone()).collect();
        let open = self.questions.iter_mut().enumerate().filter(|(_, question)| !question.answered);
        let mut open: Vec<_> = open.map(|(number, question)| (number, &mut question.smaller)).collect();
        let found = ask_all(case, Examination::UpperBounds, &mut open, slice, |number, budget| {
            let reduced = reduce(net, &asked[number], Preserved::Reachability, budget)?;
            let places = asked[number].iter().map(|&place| reduced.place(place)).collect::<Option<_>>()?;
            is_smaller(&reduced.net, net).then(|| (reduced.net, one(Pool::new(), Query::Bound(places))))
        });
        for (number, value) in found {
            self.questions[number].answer(case, value, Technique::Reduction);
        }
    }

    fn by_search(&mut self, case: &mut Case<'a>, budget: &Budget) -> Result<(), Stopped> {
        let (net, options) = (case.net(), &case.settings.explicit);
        let found = explicit::find(net, options, budget, |view| self.look_at(case, &view, Technique::Explicit))?;
        if found.trace.is_none() {
            for question in &mut self.questions {
                let seen = question.seen;
                question.answer(case, Value::Number(seen.into()), Technique::Explicit);
            }
        }
        Ok(())
    }

    fn give_up(&mut self, case: &mut Case<'a>, reason: &str) {
        for question in &mut self.questions {
            question.answer(case, Value::Unknown(reason.to_owned()), Technique::None);
        }
        for id in self.others.drain(..) {
            case.answers.give(&id, Value::Unknown("the property is not a bound".to_owned()), Technique::None);
        }
    }
}

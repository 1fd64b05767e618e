//! OneSafe: no place ever holds more than one token.

use super::answer::{Technique, Value};
use super::portfolio::{Case, Questionnaire, Structure};
use super::reached::Reached;
use super::refutation::Refuter;
use super::valuation::Tokens;
use super::walk::Walk;
use crate::budget::Budget;
use crate::explicit::{self, Stopped};
use crate::net::PlaceId;
use crate::structure::{Coverability, Supremum};
use crate::symbolic::Halt;
use std::time::Duration;

const ID: &str = "OneSafe";

/// The examination.
#[derive(Default)]
pub(super) struct OneSafe {
    answered: bool,
}

impl OneSafe {
    fn answer(&mut self, case: &mut Case<'_>, safe: bool, technique: Technique) {
        if !std::mem::replace(&mut self.answered, true) {
            case.answers.verdict(ID, safe, technique);
        }
    }
}

/// Do the places hold more than one token together?
fn crowded(marking: &impl Tokens, places: &[PlaceId]) -> bool {
    places.iter().map(|&place| u128::from(marking.tokens(place))).sum::<u128>() > 1
}

impl<'a> Questionnaire<'a> for OneSafe {
    fn is_open(&self) -> bool {
        !self.answered
    }

    fn by_structure(&mut self, case: &mut Case<'a>, structure: &Structure) {
        let initial = case.net().initial_marking();
        if case.subject.places.iter().any(|places| crowded(&initial, places)) {
            self.answer(case, false, Technique::Structure);
        } else if case.subject.places.iter().all(|places| structure.bound(places).is_some_and(|bound| bound <= 1)) {
            self.answer(case, true, Technique::Structure);
        } else if let Some(refuter) = Refuter::new(case.net()) {
            let budget = case.programs_budget();
            let mut safe = |places: &Vec<PlaceId>| {
                structure.bound(places).is_some_and(|bound| bound <= 1)
                    || refuter.upper_bound(places, &budget).is_some_and(|bound| bound <= 1)
            };
            if case.subject.places.iter().all(&mut safe) {
                self.answer(case, true, Technique::StateEquation);
            }
        }
    }

    fn by_coverability(&mut self, case: &mut Case<'a>, cover: &Coverability) {
        let suprema = case.subject.places.iter().map(|places| cover.supremum(places));
        let safe = |supremum| matches!(supremum, Supremum::Finite(0 | 1));
        // One that is known to be larger decides even where others are unknown.
        let mut all_known = true;
        for supremum in suprema {
            match supremum {
                Some(supremum) if !safe(supremum) => return self.answer(case, false, Technique::Coverability),
                Some(_) => {}
                None => all_known = false,
            }
        }
        if all_known {
            self.answer(case, true, Technique::Coverability);
        }
    }

    fn by_diagram(&mut self, case: &mut Case<'a>, reached: &'a Reached, _slice: Duration) -> Result<(), Halt> {
        let ranges = reached.ranges_of_sums(&case.subject.places, case.budget)?;
        let safe = ranges.iter().all(|&(_, greatest)| greatest <= 1);
        self.answer(case, safe, Technique::DecisionDiagrams);
        Ok(())
    }

    fn on_walk(&mut self, case: &mut Case<'a>, walk: &Walk<'_>) -> bool {
        if case.subject.places.iter().any(|places| crowded(walk, places)) {
            self.answer(case, false, Technique::RandomWalk);
        }
        self.answered
    }

    fn by_search(&mut self, case: &mut Case<'a>, budget: &Budget) -> Result<(), Stopped> {
        let places = &case.subject.places;
        let crowd = |view: explicit::View<'_>| places.iter().any(|places| crowded(&view, places));
        let found = explicit::find(case.net(), &case.settings.explicit, budget, crowd)?;
        self.answer(case, found.trace.is_none(), Technique::Explicit);
        Ok(())
    }

    fn give_up(&mut self, case: &mut Case<'a>, reason: &str) {
        case.answers.give(ID, Value::Unknown(reason.to_owned()), Technique::None);
    }
}

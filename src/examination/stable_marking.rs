//! StableMarking: some place holds the same number of tokens in every reachable marking.

use super::answer::{Technique, Value};
use super::portfolio::{Case, Questionnaire, Structure};
use super::reached::Reached;
use super::valuation::Tokens;
use super::walk::Walk;
use crate::budget::Budget;
use crate::explicit::{self, Stopped};
use crate::net::{PlaceId, TransitionId};
use crate::structure::Coverability;
use crate::symbolic::Halt;
use std::time::Duration;

const ID: &str = "StableMarking";

/// The examination.
#[derive(Default)]
pub(super) struct StableMarking {
    answered: bool,
    /// The places (sets of places) that have not been seen to change, with their initial tokens.
    unchanged: Option<Vec<(usize, u128)>>,
}

fn sum(marking: &impl Tokens, places: &[PlaceId]) -> u128 {
    places.iter().map(|&place| u128::from(marking.tokens(place))).sum()
}

impl StableMarking {
    fn answer(&mut self, case: &mut Case<'_>, stable: bool, technique: Technique) {
        if !std::mem::replace(&mut self.answered, true) {
            case.answers.verdict(ID, stable, technique);
        }
    }

    /// Forget what is seen to change in this marking; true if nothing is left.
    fn look_at(&mut self, case: &Case<'_>, marking: &impl Tokens) -> bool {
        let initial = case.net().initial_marking();
        let sets = &case.subject.places;
        let all = || sets.iter().enumerate().map(|(set, places)| (set, sum(&initial, places))).collect();
        let unchanged = self.unchanged.get_or_insert_with(all);
        unchanged.retain(|&(set, initially)| sum(marking, &sets[set]) == initially);
        unchanged.is_empty()
    }
}

/// Does the transition leave the sum of the tokens in `places` as it is?
fn keeps(case: &Case<'_>, transition: TransitionId, places: &[PlaceId]) -> bool {
    let transition = case.net().transition(transition);
    let sum = |arcs: &[crate::net::Arc]| {
        let inside = arcs.iter().filter(|arc| places.contains(&arc.place));
        inside.map(|arc| i128::from(arc.weight)).sum::<i128>()
    };
    sum(&transition.pre) == sum(&transition.post)
}

impl<'a> Questionnaire<'a> for StableMarking {
    fn is_open(&self) -> bool {
        !self.answered
    }

    fn by_structure(&mut self, case: &mut Case<'a>, _structure: &Structure) {
        let stable = |places: &Vec<PlaceId>| case.net().transition_ids().all(|t| keeps(case, t, places));
        if case.subject.places.iter().any(stable) {
            self.answer(case, true, Technique::Structure);
        } else if case.subject.places.is_empty() {
            self.answer(case, false, Technique::Structure);
        }
    }

    fn by_coverability(&mut self, case: &mut Case<'a>, cover: &Coverability) {
        if !cover.complete() {
            return;
        }
        // Places that only transitions change which never fire.
        let fires: Vec<TransitionId> =
            case.net().transition_ids().filter(|&t| cover.fireable(case.net(), t) != Some(false)).collect();
        if case.subject.places.iter().any(|places| fires.iter().all(|&t| keeps(case, t, places))) {
            self.answer(case, true, Technique::Coverability);
        } else if case.subject.places.iter().all(|places| matches!(places[..], [_])) {
            // A transition that fires changes each single place that it does not keep.
            self.answer(case, false, Technique::Coverability);
        }
    }

    fn by_diagram(&mut self, case: &mut Case<'a>, reached: &'a Reached, _slice: Duration) -> Result<(), Halt> {
        let ranges = reached.ranges_of_sums(&case.subject.places, case.budget)?;
        let stable = ranges.iter().any(|&(least, greatest)| least == greatest);
        self.answer(case, stable, Technique::DecisionDiagrams);
        Ok(())
    }

    fn on_walk(&mut self, case: &mut Case<'a>, walk: &Walk<'_>) -> bool {
        if self.look_at(case, walk) {
            self.answer(case, false, Technique::RandomWalk);
        }
        self.answered
    }

    fn by_search(&mut self, case: &mut Case<'a>, budget: &Budget) -> Result<(), Stopped> {
        let all_change = |view: explicit::View<'_>| self.look_at(case, &view);
        let found = explicit::find(case.net(), &case.settings.explicit, budget, all_change)?;
        self.answer(case, found.trace.is_none(), Technique::Explicit);
        Ok(())
    }

    fn give_up(&mut self, case: &mut Case<'a>, reason: &str) {
        case.answers.give(ID, Value::Unknown(reason.to_owned()), Technique::None);
    }
}

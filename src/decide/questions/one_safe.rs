//! No group of variables ever has a sum above 1: of a net, no place ever holds more than one token.

use crate::budget::Budget;
use crate::decide::board::Board;
use crate::decide::case::{Case, Questionnaire};
use crate::decide::conditions::{Refuter, Structure, Values, Walk, sum};
use crate::decide::smaller::{folded::Visited, skeleton::Skeletal};
use crate::decide::{Global, StateSpace, Technique};
use crate::explicit::View;
use crate::halt::Halt;
use crate::net::{PetriNet, PlaceId};
use crate::structure::{Coverability, Supremum};

/// The question.
pub(in crate::decide) struct OneSafe {
    number: usize,
}

impl OneSafe {
    pub(in crate::decide) fn new(number: usize) -> Self {
        OneSafe { number }
    }
}

/// Has one of the groups a sum above 1?
fn is_crowded(case: &Case<'_>, state: &impl Values) -> bool {
    case.subject.groups.variables.iter().any(|group| sum(state, group) > 1)
}

impl<'a> Questionnaire<'a> for OneSafe {
    fn is_open(&self, case: &Case<'a>) -> bool {
        case.board.is_open(self.number)
    }

    fn by_initial_state(&mut self, case: &Case<'a>) {
        if is_crowded(case, &case.subject.model.initial()) {
            case.board.verdict(self.number, false, Technique::Structure);
        }
    }

    fn by_skeleton(&mut self, case: &Case<'a>, skeletal: &Skeletal) {
        if skeletal.says(case, Global::OneSafe, true) {
            case.board.verdict(self.number, true, Technique::Skeleton);
        }
    }

    fn by_structure(&mut self, case: &Case<'a>, net: &'a PetriNet, structure: &Structure) {
        let groups = &case.subject.groups.variables;
        let bounded = |places: &Vec<PlaceId>| structure.bound(places).is_some_and(|bound| bound <= 1);
        if groups.iter().all(bounded) {
            case.board.verdict(self.number, true, Technique::Structure);
        } else if let Some(mut refuter) = Refuter::new(net) {
            let budget = case.programs_budget();
            let mut safe = |places: &Vec<PlaceId>| bounded(places) || refuter.is_at_most(places, 1, &budget);
            if groups.iter().all(&mut safe) {
                case.board.verdict(self.number, true, Technique::StateEquation);
            }
        }
    }

    fn by_coverability(&mut self, case: &Case<'a>, _net: &'a PetriNet, cover: &Coverability) {
        let safe = |supremum| matches!(supremum, Supremum::Finite(0 | 1));
        // One that is known to be larger decides even where others are unknown.
        let mut all_known = true;
        for places in &case.subject.groups.variables {
            match cover.supremum(places) {
                Some(supremum) if !safe(supremum) => {
                    return case.board.verdict(self.number, false, Technique::Coverability);
                }
                Some(_) => {}
                None => all_known = false,
            }
        }
        if all_known {
            case.board.verdict(self.number, true, Technique::Coverability);
        }
    }

    fn on_folded(&mut self, case: &Case<'a>, visited: &Visited<'_>) -> bool {
        if is_crowded(case, visited) {
            visited.decides(case, self.number, false);
        }
        !self.is_open(case)
    }

    fn on_walk(&mut self, case: &Case<'a>, walk: &Walk<'_>) -> bool {
        if is_crowded(case, walk) || case.is_broken(Technique::RandomWalk) {
            let how = (Technique::RandomWalk, None);
            let _open_if_not = case.board.found_by_run(self.number, false, how, &walk.path(), case.budget);
        }
        !self.is_open(case)
    }

    fn by_search(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let mut crowded = |view: View<'_>| is_crowded(case, &view);
        let found = case.compiled()?.find(&case.options(false), budget, &mut crowded)?;
        case.board.found_in_all_or_by(self.number, true, &found, case.budget);
        Ok(())
    }
}

/// The verdict from the reachable set.
pub(in crate::decide) fn by_diagram(board: &Board<'_>, space: &StateSpace, budget: &Budget) -> Result<bool, Halt> {
    let ranges = space.ranges_of_sums(&board.subject.groups.variables, budget)?;
    Ok(ranges.iter().all(|&(_, greatest)| greatest <= 1))
}

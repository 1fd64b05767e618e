//! No group of variables ever has a sum above 1: of a net, no place ever holds more than one token.

use crate::budget::Budget;
use crate::decide::board::Board;
use crate::decide::conditions::Visited;
use crate::decide::conditions::{Refuter, Structure, Values, Walk, sum};
use crate::decide::context::Context;
use crate::decide::properties::{PropertySolver, decides};
use crate::decide::smaller::skeleton::Skeletal;
use crate::decide::{Global, StateSpace, Technique};
use crate::explicit::View;
use crate::net::{PetriNet, PlaceId};
use crate::stop_reason::StopReason;
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
fn is_crowded(context: &Context<'_>, state: &impl Values) -> bool {
    context.subject.groups.variables.iter().any(|group| sum(state, group) > 1)
}

impl<'a> PropertySolver<'a> for OneSafe {
    fn is_open(&self, context: &Context<'a>) -> bool {
        context.board.is_open(self.number)
    }

    fn by_initial_state(&mut self, context: &Context<'a>) {
        if is_crowded(context, &context.subject.model.initial()) {
            context.board.verdict(self.number, false, Technique::Structure);
        }
    }

    fn by_skeleton(&mut self, context: &Context<'a>, skeletal: &Skeletal) {
        if skeletal.says(context, Global::OneSafe, true) {
            context.board.verdict(self.number, true, Technique::Skeleton);
        }
    }

    fn by_structure(&mut self, context: &Context<'a>, net: &'a PetriNet, structure: &Structure) {
        let groups = &context.subject.groups.variables;
        let bounded = |places: &Vec<PlaceId>| structure.bound(places).is_some_and(|bound| bound <= 1);
        if groups.iter().all(bounded) {
            context.board.verdict(self.number, true, Technique::Structure);
        } else if let Some(mut refuter) = Refuter::new(net) {
            let budget = context.programs_budget();
            let mut safe = |places: &Vec<PlaceId>| bounded(places) || refuter.is_at_most(places, 1, &budget);
            if groups.iter().all(&mut safe) {
                context.board.verdict(self.number, true, Technique::StateEquation);
            }
        }
    }

    fn by_coverability(&mut self, context: &Context<'a>, _net: &'a PetriNet, cover: &Coverability) {
        let safe = |supremum| matches!(supremum, Supremum::Finite(0 | 1));
        // One that is known to be larger decides even where others are unknown.
        let mut all_known = true;
        for places in &context.subject.groups.variables {
            match cover.supremum(places) {
                Some(supremum) if !safe(supremum) => {
                    return context.board.verdict(self.number, false, Technique::Coverability);
                }
                Some(_) => {}
                None => all_known = false,
            }
        }
        if all_known {
            context.board.verdict(self.number, true, Technique::Coverability);
        }
    }

    fn on_folded(&mut self, context: &Context<'a>, visited: &Visited<'_>) -> bool {
        if is_crowded(context, visited) || context.is_broken(Technique::RandomWalk) {
            decides(context, visited, self.number, false, &|visited| is_crowded(context, visited));
        }
        !self.is_open(context)
    }

    fn on_walk(&mut self, context: &Context<'a>, walk: &Walk<'_>) -> bool {
        if is_crowded(context, walk) || context.is_broken(Technique::RandomWalk) {
            let how = (Technique::RandomWalk, None);
            let _open_if_not = context.board.found_by_run(self.number, false, how, &walk.path(), context.budget);
        }
        !self.is_open(context)
    }

    fn by_search(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        let mut crowded = |view: View<'_>| is_crowded(context, &view);
        let found = context.compiled()?.find(&context.options(false), budget, &mut crowded)?;
        context.board.found_in_all_or_by(self.number, true, &found, context.budget);
        Ok(())
    }
}

/// The verdict from the reachable set.
pub(in crate::decide) fn by_diagram(
    board: &Board<'_>,
    space: &StateSpace,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let ranges = space.ranges_of_sums(&board.subject.groups.variables, budget)?;
    Ok(ranges.iter().all(|&(_, greatest)| greatest <= 1))
}

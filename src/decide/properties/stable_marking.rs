//! Some group of variables has the same sum in every reachable state: of a net, some place always holds as many tokens.

use super::conjuncts::Conjuncts;
use crate::budget::Budget;
use crate::decide::board::Board;
use crate::decide::conditions::Visited;
use crate::decide::conditions::{Structure, Values, Walk, distance::nearest, sum};
use crate::decide::context::Context;
use crate::decide::properties::PropertySolver;
use crate::decide::smaller::skeleton::Skeletal;
use crate::decide::{Global, StateSpace, Technique};
use crate::explicit::View;
use crate::formula::{Comparison, FormulaId, Pool};
use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::stop_reason::StopReason;
use crate::structure::Coverability;
use std::time::Duration;

/// The question.
pub(in crate::decide) struct StableMarking<'a> {
    number: usize,
    /// The groups that have not been seen to change, with their initial sums.
    unchanged: Option<Vec<(usize, u128)>>,
    /// Those of them that are asked one by one.
    conjuncts: Conjuncts<'a>,
}

impl StableMarking<'_> {
    pub(in crate::decide) fn new(number: usize) -> Self {
        StableMarking { number, unchanged: None, conjuncts: Conjuncts::default() }
    }

    /// The groups that have not been seen to change, with their initial sums.
    fn unchanged(&mut self, context: &Context<'_>) -> &mut Vec<(usize, u128)> {
        self.unchanged.get_or_insert_with(|| {
            let initial = context.subject.model.initial();
            let groups = context.subject.groups.variables.iter().enumerate();
            groups.map(|(group, variables)| (group, sum(&initial, variables))).collect()
        })
    }

    /// Those groups alone.
    fn open(&mut self, context: &Context<'_>) -> Vec<usize> {
        self.unchanged(context).iter().map(|&(group, _)| group).collect()
    }

    /// Forget what is seen to change in this state; true if nothing is left.
    fn look_at(&mut self, context: &Context<'_>, state: &impl Values) -> bool {
        let groups = &context.subject.groups.variables;
        let unchanged = self.unchanged(context);
        unchanged.retain(|&(group, initially)| sum(state, &groups[group]) == initially);
        unchanged.is_empty()
    }
}

/// Does the transition leave the sum of the tokens in `places` as it is?
fn keeps(net: &PetriNet, transition: TransitionId, places: &[PlaceId]) -> bool {
    let transition = net.transition(transition);
    let sum = |arcs: &[crate::net::Arc]| {
        let inside = arcs.iter().filter(|arc| places.contains(&arc.place));
        inside.map(|arc| i128::from(arc.weight)).sum::<i128>()
    };
    sum(&transition.pre) == sum(&transition.post)
}

/// The tokens in these places initially.
fn initially(net: &PetriNet, places: &[PlaceId]) -> i128 {
    places.iter().map(|&place| i128::from(net.place(place).initial)).sum()
}

/// That there are more or fewer tokens in these places than initially.
fn is_changed(net: &PetriNet, places: &[PlaceId], pool: &mut Pool) -> FormulaId {
    pool.compare(places.to_vec(), Comparison::Ne, initially(net, places))
}

impl<'a> PropertySolver<'a> for StableMarking<'a> {
    fn is_open(&self, context: &Context<'a>) -> bool {
        context.board.is_open(self.number)
    }

    fn by_initial_state(&mut self, context: &Context<'a>) {
        if context.subject.groups.variables.is_empty() {
            context.board.verdict(self.number, false, Technique::Structure);
        }
    }

    fn by_skeleton(&mut self, context: &Context<'a>, skeletal: &Skeletal) {
        if skeletal.says(context, Global::StableMarking, true) {
            context.board.verdict(self.number, true, Technique::Skeleton);
        }
    }

    fn by_structure(&mut self, context: &Context<'a>, net: &'a PetriNet, _structure: &Structure) {
        let stable = |places: &Vec<PlaceId>| net.transition_ids().all(|t| keeps(net, t, places));
        if context.subject.groups.variables.iter().any(stable) {
            context.board.verdict(self.number, true, Technique::Structure);
        }
    }

    fn by_coverability(&mut self, context: &Context<'a>, net: &'a PetriNet, cover: &Coverability) {
        if !cover.complete() {
            return;
        }
        // Places that only transitions change which never fire.
        let fires: Vec<TransitionId> =
            net.transition_ids().filter(|&t| cover.fireable(net, t) != Some(false)).collect();
        let groups = &context.subject.groups.variables;
        if groups.iter().any(|places| fires.iter().all(|&t| keeps(net, t, places))) {
            context.board.verdict(self.number, true, Technique::Coverability);
        } else if groups.iter().all(|places| matches!(places[..], [_])) {
            // A transition that fires changes each single place that it does not keep.
            context.board.verdict(self.number, false, Technique::Coverability);
        }
    }

    fn on_folded(&mut self, context: &Context<'a>, visited: &Visited<'_>) -> bool {
        if self.look_at(context, visited) {
            context.board.verdict(self.number, false, Technique::RandomWalk);
        }
        !self.is_open(context)
    }

    fn on_walk(&mut self, context: &Context<'a>, walk: &Walk<'_>) -> bool {
        if self.look_at(context, walk) {
            context.board.verdict(self.number, false, Technique::RandomWalk);
        }
        !self.is_open(context)
    }

    fn by_more_programs(&mut self, context: &Context<'a>, net: &'a PetriNet, budget: &Budget) {
        let (groups, open) = (&context.subject.groups.variables, self.open(context));
        let changed = |group: usize, pool: &mut Pool| is_changed(net, &groups[group], pool);
        if self.conjuncts.is_refuted(net, &open, budget, changed) {
            context.board.verdict(self.number, true, Technique::StateEquation);
        }
    }

    fn by_guided_walks(&mut self, context: &Context<'a>, walk: &mut Walk<'a>, budget: &Budget) {
        let Some(net) = context.net() else { return };
        let (groups, open) = (&context.subject.groups.variables, self.open(context));
        let mut conjuncts = std::mem::take(&mut self.conjuncts);
        let distance_to = |group: usize| {
            let places = &groups[group];
            let changers: Vec<TransitionId> = net.transition_ids().filter(|&t| !keeps(net, t, places)).collect();
            let initially = u128::try_from(initially(net, places));
            move |walk: &Walk<'a>| match Ok(sum(walk, places)) == initially {
                true => nearest(net, &changers, walk).saturating_add(1),
                false => 0,
            }
        };
        conjuncts.guide(&open, walk, budget, distance_to, |walk| self.on_walk(context, walk));
        self.conjuncts = conjuncts;
    }

    fn by_reduction(&mut self, context: &Context<'a>, slice: Duration) {
        let Some(net) = context.net() else { return };
        let (groups, open) = (&context.subject.groups.variables, self.open(context));
        let all_change = self.conjuncts.by_reduction(context, self.number, &open, slice, |group, pool| {
            let changed = is_changed(net, &groups[group], pool);
            pool.sometimes(changed)
        });
        if let Some(all_change) = all_change {
            context.board.verdict(self.number, !all_change, Technique::Reduction);
        }
    }

    fn by_search(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        let mut all_change = |view: View<'_>| self.look_at(context, &view);
        let found = context.compiled()?.find(&context.options(false), budget, &mut all_change)?;
        context.board.found_in_all(self.number, found.trace.is_none(), found.stats);
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
    Ok(ranges.iter().any(|&(least, greatest)| least == greatest))
}

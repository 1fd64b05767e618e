//! Every action (one of each group) is possible in some reachable state.

use super::conjuncts::Conjuncts;
use crate::budget::Budget;
use crate::decide::board::Board;
use crate::decide::conditions::Visited;
use crate::decide::conditions::{Structure, Walk, distance::nearest, refutation::some_never_enabled};
use crate::decide::context::{Context, some_enabled};
use crate::decide::properties::PropertySolver;
use crate::decide::smaller::skeleton::Skeletal;
use crate::decide::{Global, StateSpace, Technique};
use crate::formula::{Formula, Pool};
use crate::model::ActionId;
use crate::net::PetriNet;
use crate::stop_reason::StopReason;
use crate::structure::Coverability;
use crate::symbolic::fireable;
use std::time::Duration;

/// The question.
pub(in crate::decide) struct QuasiLiveness<'a> {
    number: usize,
    /// Transitions seen enabled.
    seen: Vec<bool>,
    /// Groups of transitions of which none has been seen, the first of them last.
    missing: Option<Vec<usize>>,
    /// Those of them that are asked one by one.
    conjuncts: Conjuncts<'a>,
}

impl QuasiLiveness<'_> {
    pub(in crate::decide) fn new(number: usize) -> Self {
        QuasiLiveness { number, seen: Vec::new(), missing: None, conjuncts: Conjuncts::default() }
    }

    /// Note what is possible in one state; true if nothing is open any more.
    fn look_at(&mut self, context: &Context<'_>, enabled: impl Iterator<Item = ActionId>) -> bool {
        let groups = &context.subject.groups.actions;
        self.seen.resize(context.subject.model.actions(), false);
        enabled.for_each(|action| self.seen[action.index()] = true);
        let missing = self.missing.get_or_insert_with(|| (0..groups.len()).rev().collect());
        while let Some(&group) = missing.last()
            && some_enabled(&self.seen, &groups[group])
        {
            missing.pop();
        }
        if missing.is_empty() {
            context.board.verdict(self.number, true, Technique::RandomWalk);
        }
        !context.board.is_open(self.number)
    }

    /// Groups of transitions of which none has been seen.
    fn open(&self, context: &Context<'_>) -> Vec<usize> {
        let groups = context.subject.groups.actions.iter().enumerate();
        groups.filter(|(_, group)| !some_enabled(&self.seen, group)).map(|(group, _)| group).collect()
    }

    /// Decide, knowing of every action whether it is possible somewhere.
    fn conclude(&self, context: &Context<'_>, fires: &[bool], technique: Technique) {
        let all = context.subject.groups.actions.iter().all(|group| some_enabled(fires, group));
        context.board.verdict(self.number, all, technique);
    }
}

impl<'a> PropertySolver<'a> for QuasiLiveness<'a> {
    fn is_open(&self, context: &Context<'a>) -> bool {
        context.board.is_open(self.number)
    }

    fn by_skeleton(&mut self, context: &Context<'a>, skeletal: &Skeletal) {
        if skeletal.says(context, Global::QuasiLiveness, false) {
            context.board.verdict(self.number, false, Technique::Skeleton);
        }
    }

    fn by_structure(&mut self, context: &Context<'a>, net: &'a PetriNet, _structure: &Structure) {
        if some_never_enabled(net, &context.subject.groups.actions, &context.programs_budget()) {
            context.board.verdict(self.number, false, Technique::StateEquation);
        }
    }

    fn by_coverability(&mut self, context: &Context<'a>, net: &'a PetriNet, cover: &Coverability) {
        let known: Option<Vec<bool>> = net.transition_ids().map(|t| cover.fireable(net, t)).collect();
        if let Some(fires) = known {
            self.conclude(context, &fires, Technique::Coverability);
        }
    }

    fn on_folded(&mut self, context: &Context<'a>, visited: &Visited<'_>) -> bool {
        let enabled = visited.enabled().iter().enumerate().filter(|(_, enabled)| **enabled);
        self.look_at(context, enabled.map(|(t, _)| ActionId(t as u32)))
    }

    fn on_walk(&mut self, context: &Context<'a>, walk: &Walk<'_>) -> bool {
        self.look_at(context, walk.enabled())
    }

    fn by_more_programs(&mut self, context: &Context<'a>, net: &'a PetriNet, budget: &Budget) {
        let groups = &context.subject.groups.actions;
        let open = self.open(context);
        let enabled = |group: usize, pool: &mut Pool| pool.add(Formula::Enabled(groups[group].clone()));
        if self.conjuncts.is_refuted(net, &open, budget, enabled) {
            context.board.verdict(self.number, false, Technique::StateEquation);
        }
    }

    fn by_guided_walks(&mut self, context: &Context<'a>, walk: &mut Walk<'a>, budget: &Budget) {
        let Some(net) = context.net() else { return };
        let groups = &context.subject.groups.actions;
        let mut conjuncts = std::mem::take(&mut self.conjuncts);
        let open = self.open(context);
        let distance_to = |group: usize| move |walk: &Walk<'a>| nearest(net, &groups[group], walk);
        conjuncts.guide(&open, walk, budget, distance_to, |walk| self.look_at(context, walk.enabled()));
        self.conjuncts = conjuncts;
    }

    fn by_reduction(&mut self, context: &Context<'a>, slice: Duration) {
        let groups = &context.subject.groups.actions;
        let open = self.open(context);
        let all = self.conjuncts.by_reduction(context, self.number, &open, slice, |group, pool| {
            let enabled = pool.add(Formula::Enabled(groups[group].clone()));
            pool.sometimes(enabled)
        });
        if let Some(all) = all {
            context.board.verdict(self.number, all, Technique::Reduction);
        }
    }

    fn by_search(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        let found = context.compiled()?.explore(&context.options(false), budget)?;
        self.conclude(context, &found.fireable, Technique::Explicit);
        Ok(())
    }
}

/// The verdict from the reachable set.
pub(in crate::decide) fn by_diagram(
    board: &Board<'_>,
    space: &StateSpace,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let fires = fireable(&space.relation, &space.set, board.subject.model.actions(), budget)?;
    Ok(board.subject.groups.actions.iter().all(|group| some_enabled(&fires, group)))
}

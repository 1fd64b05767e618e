//! Every action (one of each group) is possible in some reachable state.

use super::conjuncts::Conjuncts;
use crate::budget::Budget;
use crate::decide::board::Board;
use crate::decide::case::{Case, Questionnaire, some_enabled};
use crate::decide::conditions::{Structure, Walk, distance::nearest, refutation::some_never_enabled};
use crate::decide::smaller::{folded::Visited, skeleton::Skeletal};
use crate::decide::{Global, StateSpace, Technique};
use crate::formula::{Formula, Pool};
use crate::halt::Halt;
use crate::model::ActionId;
use crate::net::PetriNet;
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
    fn look_at(&mut self, case: &Case<'_>, enabled: impl Iterator<Item = ActionId>) -> bool {
        let groups = &case.subject.groups.actions;
        self.seen.resize(case.subject.model.actions(), false);
        enabled.for_each(|action| self.seen[action.index()] = true);
        let missing = self.missing.get_or_insert_with(|| (0..groups.len()).rev().collect());
        while let Some(&group) = missing.last()
            && some_enabled(&self.seen, &groups[group])
        {
            missing.pop();
        }
        if missing.is_empty() {
            case.board.verdict(self.number, true, Technique::RandomWalk);
        }
        !case.board.is_open(self.number)
    }

    /// Groups of transitions of which none has been seen.
    fn open(&self, case: &Case<'_>) -> Vec<usize> {
        let groups = case.subject.groups.actions.iter().enumerate();
        groups.filter(|(_, group)| !some_enabled(&self.seen, group)).map(|(group, _)| group).collect()
    }

    /// Decide, knowing of every action whether it is possible somewhere.
    fn conclude(&self, case: &Case<'_>, fires: &[bool], technique: Technique) {
        let all = case.subject.groups.actions.iter().all(|group| some_enabled(fires, group));
        case.board.verdict(self.number, all, technique);
    }
}

impl<'a> Questionnaire<'a> for QuasiLiveness<'a> {
    fn is_open(&self, case: &Case<'a>) -> bool {
        case.board.is_open(self.number)
    }

    fn by_skeleton(&mut self, case: &Case<'a>, skeletal: &Skeletal) {
        if skeletal.says(case, Global::QuasiLiveness, false) {
            case.board.verdict(self.number, false, Technique::Skeleton);
        }
    }

    fn by_structure(&mut self, case: &Case<'a>, net: &'a PetriNet, _structure: &Structure) {
        if some_never_enabled(net, &case.subject.groups.actions, &case.programs_budget()) {
            case.board.verdict(self.number, false, Technique::StateEquation);
        }
    }

    fn by_coverability(&mut self, case: &Case<'a>, net: &'a PetriNet, cover: &Coverability) {
        let known: Option<Vec<bool>> = net.transition_ids().map(|t| cover.fireable(net, t)).collect();
        if let Some(fires) = known {
            self.conclude(case, &fires, Technique::Coverability);
        }
    }

    fn on_folded(&mut self, case: &Case<'a>, visited: &Visited<'_>) -> bool {
        let enabled = visited.enabled().iter().enumerate().filter(|(_, enabled)| **enabled);
        self.look_at(case, enabled.map(|(t, _)| ActionId(t as u32)))
    }

    fn on_walk(&mut self, case: &Case<'a>, walk: &Walk<'_>) -> bool {
        self.look_at(case, walk.enabled())
    }

    fn by_more_programs(&mut self, case: &Case<'a>, net: &'a PetriNet, budget: &Budget) {
        let groups = &case.subject.groups.actions;
        let open = self.open(case);
        let enabled = |group: usize, pool: &mut Pool| pool.add(Formula::Enabled(groups[group].clone()));
        if self.conjuncts.is_refuted(net, &open, budget, enabled) {
            case.board.verdict(self.number, false, Technique::StateEquation);
        }
    }

    fn by_led_walks(&mut self, case: &Case<'a>, walk: &mut Walk<'a>, budget: &Budget) {
        let Some(net) = case.net() else { return };
        let groups = &case.subject.groups.actions;
        let mut conjuncts = std::mem::take(&mut self.conjuncts);
        let open = self.open(case);
        let distance_to = |group: usize| move |walk: &Walk<'a>| nearest(net, &groups[group], walk);
        conjuncts.lead(&open, walk, budget, distance_to, |walk| self.look_at(case, walk.enabled()));
        self.conjuncts = conjuncts;
    }

    fn by_reduction(&mut self, case: &Case<'a>, slice: Duration) {
        let groups = &case.subject.groups.actions;
        let open = self.open(case);
        let all = self.conjuncts.by_reduction(case, &open, slice, |group, pool| {
            let enabled = pool.add(Formula::Enabled(groups[group].clone()));
            pool.sometimes(enabled)
        });
        if let Some(all) = all {
            case.board.verdict(self.number, all, Technique::Reduction);
        }
    }

    fn by_search(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let found = case.compiled()?.explore(&case.options(false), budget)?;
        self.conclude(case, &found.fireable, Technique::Explicit);
        Ok(())
    }
}

/// The verdict from the reachable set.
pub(in crate::decide) fn by_diagram(board: &Board<'_>, space: &StateSpace, budget: &Budget) -> Result<bool, Halt> {
    let fires = fireable(&space.relation, &space.set, board.subject.model.actions(), budget)?;
    Ok(board.subject.groups.actions.iter().all(|group| some_enabled(&fires, group)))
}

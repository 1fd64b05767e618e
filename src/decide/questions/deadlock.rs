//! Some reachable state allows no step; where time passes by itself, none but its passing, then and later.

use super::passes::Passes;
use crate::budget::{Budget, Exhausted};
use crate::decide::board::Explained;
use crate::decide::case::{Case, Questionnaire};
use crate::decide::conditions::{Refuter, Structure, Walk};
use crate::decide::smaller::{
    folded::Visited,
    reduced::{self, Smaller, ask_all},
};
use crate::decide::{Global, Question, StateSpace, Technique, Value};
use crate::halt::Halt;
use crate::model::Standstill;
use crate::net::PetriNet;
use crate::reduction::Preserved;
use crate::structure::{Effort, never_dead};
use std::time::Duration;

/// What the search for siphons may take: some tenths of a second.
const SIPHONS: Effort = Effort { rows: 0, work: 20_000_000 };

/// The question.
pub(in crate::decide) struct Deadlock {
    number: usize,
    /// The reduced net, once that has been tried.
    smaller: Option<Smaller>,
    /// Has the search run out of memory? And the passes since then.
    flooded: bool,
    passes: Passes,
}

impl Deadlock {
    pub(in crate::decide) fn new(number: usize) -> Self {
        Deadlock { number, smaller: None, flooded: false, passes: Passes::default() }
    }
}

impl<'a> Questionnaire<'a> for Deadlock {
    fn is_open(&self, case: &Case<'a>) -> bool {
        case.board.is_open(self.number)
    }

    fn by_initial_state(&mut self, case: &Case<'a>) {
        let model = case.subject.model;
        let initial = model.initial();
        if model.stands_still(&initial, Standstill::Deadlock) {
            case.board.verdict(self.number, true, Technique::Structure);
            case.board.explain(self.number, Explained::State(initial));
        }
    }

    fn by_structure(&mut self, case: &Case<'a>, net: &'a PetriNet, _structure: &Structure) {
        if never_dead(net, SIPHONS, &case.programs_budget()).is_ok_and(|proved| proved) {
            case.board.verdict(self.number, false, Technique::Structure);
        } else if Refuter::new(net).is_some_and(|mut r| r.never_dead(&case.programs_budget())) {
            case.board.verdict(self.number, false, Technique::StateEquation);
        }
    }

    fn on_folded(&mut self, case: &Case<'a>, visited: &Visited<'_>) -> bool {
        if !visited.enabled().contains(&true) {
            visited.decides(case, self.number, true);
        }
        !self.is_open(case)
    }

    fn on_walk(&mut self, case: &Case<'a>, walk: &Walk<'_>) -> bool {
        if walk.enabled().next().is_none() || case.is_broken(Technique::RandomWalk) {
            let how = (Technique::RandomWalk, None);
            let _open_if_not = case.board.found_by_run(self.number, true, how, &walk.path(), case.budget);
        }
        !self.is_open(case)
    }

    fn by_reduction(&mut self, case: &Case<'a>, slice: Duration) {
        let Some(net) = case.net() else { return };
        let tokens = case.tokens(net);
        let found = ask_all(case, net, &mut [(0, &mut self.smaller)], slice, |_, budget| {
            let question = |_| Question::Global(Global::Deadlock);
            reduced::sums(net, tokens, (&[&[]], Preserved::Deadlock), question, budget)
        });
        for (_, value) in found {
            if let Value::Verdict(dead) = value {
                case.board.verdict(self.number, dead, Technique::Reduction);
            }
        }
    }

    fn by_search(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let found = case.compiled()?.find_deadlock(&case.options(false), budget);
        self.flooded |= matches!(found, Err(Halt::Exhausted(Exhausted::Memory)));
        let found = found?;
        case.board.found_in_all_or_by(self.number, false, &found, case.budget);
        Ok(())
    }

    fn by_passes(&mut self, case: &Case<'a>, budget: &Budget) -> bool {
        let Ok(compiled) = case.compiled() else { return false };
        if !self.flooded || !self.passes.may_go_on(case) {
            return false;
        }
        let pursuit = compiled.pursue_deadlock(self.passes.next(case, None), &case.options(false), budget);
        self.passes.note(&pursuit);
        if let Some(trace) = &pursuit.found {
            let how = (Technique::BitState, Some(pursuit.stats));
            let _open_if_not = case.board.found_by_run(self.number, true, how, &trace.path, case.budget);
        }
        case.board.fail(self.number, self.passes.reason());
        self.is_open(case) && self.passes.may_go_on(case)
    }
}

/// The verdict from the reachable set.
pub(in crate::decide) fn by_diagram(space: &StateSpace, budget: &Budget) -> Result<bool, Halt> {
    Ok(!space.deadlocks(budget)?.is_empty())
}

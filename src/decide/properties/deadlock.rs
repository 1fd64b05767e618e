//! Some reachable state allows no step; where time passes by itself, none but its passing, then and later.

use super::passes::Passes;
use crate::budget::{Budget, Exhausted};
use crate::decide::Explained;
use crate::decide::conditions::Visited;
use crate::decide::conditions::{Refuter, Structure, Walk};
use crate::decide::context::Context;
use crate::decide::properties::{PropertySolver, decides};
use crate::decide::smaller::reduced::{self, Due, Smaller, ask_all};
use crate::decide::{Global, Question, StateSpace, Technique, Value};
use crate::model::Standstill;
use crate::net::PetriNet;
use crate::reduction::Preserved;
use crate::stop_reason::StopReason;
use crate::structure::{Effort, never_dead};
use std::time::Duration;

/// Effort limit of the search for siphons: some tenths of a second.
const SIPHONS: Effort = Effort { rows: 0, work: 20_000_000 };

/// The question.
pub(in crate::decide) struct Deadlock {
    number: usize,
    /// The reduced net, once that has been tried.
    smaller: Option<Smaller>,
    /// Has the search run out of memory? And the passes since then.
    out_of_memory: bool,
    passes: Passes,
}

impl Deadlock {
    pub(in crate::decide) fn new(number: usize) -> Self {
        Deadlock { number, smaller: None, out_of_memory: false, passes: Passes::default() }
    }
}

impl<'a> PropertySolver<'a> for Deadlock {
    fn is_open(&self, context: &Context<'a>) -> bool {
        context.board.is_open(self.number)
    }

    fn by_initial_state(&mut self, context: &Context<'a>) {
        let model = context.subject.model;
        let initial = model.initial();
        if model.stands_still(&initial, Standstill::Deadlock) {
            context.board.verdict(self.number, true, Technique::Structure);
            context.board.explain(self.number, Explained::State(initial));
        }
    }

    fn by_structure(&mut self, context: &Context<'a>, net: &'a PetriNet, _structure: &Structure) {
        if never_dead(net, SIPHONS, &context.programs_budget()).is_ok_and(|proved| proved) {
            context.board.verdict(self.number, false, Technique::Structure);
        } else if Refuter::new(net).is_some_and(|mut r| r.never_dead(&context.programs_budget())) {
            context.board.verdict(self.number, false, Technique::StateEquation);
        }
    }

    fn on_folded(&mut self, context: &Context<'a>, visited: &Visited<'_>) -> bool {
        if visited.is_dead() || context.is_broken(Technique::RandomWalk) {
            decides(context, visited, self.number, true, &|visited| visited.is_dead());
        }
        !self.is_open(context)
    }

    fn on_walk(&mut self, context: &Context<'a>, walk: &Walk<'_>) -> bool {
        if walk.enabled().next().is_none() || context.is_broken(Technique::RandomWalk) {
            let how = (Technique::RandomWalk, None);
            let _open_if_not = context.board.found_by_run(self.number, true, how, &walk.path(), context.budget);
        }
        !self.is_open(context)
    }

    fn by_reduction(&mut self, context: &Context<'a>, slice: Duration) {
        let Some(net) = context.net() else { return };
        let tokens = context.tokens(net);
        let due = Due { place: 0, question: self.number, smaller: &mut self.smaller };
        let found = ask_all(context, net, &mut [due], slice, |_, budget| {
            let question = |_| Question::Global(Global::Deadlock);
            reduced::sums(net, tokens, (&[&[]], Preserved::Deadlock), question, budget)
        });
        for (_, value) in found {
            if let Value::Verdict(dead) = value {
                context.board.verdict(self.number, dead, Technique::Reduction);
            }
        }
    }

    fn by_search(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        let found = context.compiled()?.find_deadlock(&context.options(false), budget);
        self.out_of_memory |= matches!(found, Err(StopReason::Exhausted(Exhausted::Memory)));
        let found = found?;
        context.board.found_in_all_or_by(self.number, false, &found, context.budget);
        Ok(())
    }

    fn by_passes(&mut self, context: &Context<'a>, budget: &Budget) -> bool {
        let Ok(compiled) = context.compiled() else { return false };
        if !self.out_of_memory || !self.passes.may_go_on(context) {
            return false;
        }
        let result = compiled.pursue_deadlock(self.passes.next(context, None), &context.options(false), budget);
        self.passes.note(&result);
        if let Some(trace) = &result.found {
            let how = (Technique::BitState, Some(result.stats));
            let _open_if_not = context.board.found_by_run(self.number, true, how, &trace.path, context.budget);
        }
        context.board.fail(self.number, self.passes.reason());
        self.is_open(context) && self.passes.may_go_on(context)
    }
}

/// The verdict from the reachable set.
pub(in crate::decide) fn by_diagram(space: &StateSpace, budget: &Budget) -> Result<bool, StopReason> {
    Ok(!space.deadlocks(budget)?.is_empty())
}

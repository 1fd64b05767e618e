//! Formulas beyond memory: passes for a state that decides questions of reachability, and for runs.
//!
//! A query takes part once a search for it has run out of memory. What is found is a path, as of a search that stores
//! its states.

use super::{FormulaQuestion, Formulas, Sought};
use crate::budget::Budget;
use crate::decide::Technique;
use crate::decide::board::MOST_SHOWN;
use crate::decide::context::Context;
use crate::explicit::{self, Trace};
use crate::formula::Formula;
use std::sync::Arc;

impl FormulaQuestion<'_> {
    /// Has a search for a state that decides it run out of memory, and is such a state wanted?
    fn is_pursued(&self, context: &Context<'_>) -> bool {
        self.out_of_memory && self.total && self.looks(context)
    }

    /// Has a search for a run run out of memory, and is one wanted?
    fn is_run_pursued(&self, context: &Context<'_>) -> bool {
        let of_runs = self.out_of_memory && self.total && self.reachability.is_none() && self.is_about_runs;
        of_runs && self.is_wanted(context) && self.passes.may_go_on(context)
    }
}

impl<'a> Formulas<'a> {
    /// A pass for all questions of reachability together, and one for each about runs. May others find more?
    pub(super) fn pass(&mut self, context: &Context<'a>, budget: &Budget) -> bool {
        let by_state = self.queries.iter().any(|query| query.is_pursued(context)) && self.passes.may_go_on(context);
        let runs = self.queries.iter().filter(|query| query.is_run_pursued(context)).count();
        let mut left = runs + usize::from(by_state);
        let mut again = false;
        if by_state {
            again |= self.pass_for_states(context, &budget.share(left));
            left = left.saturating_sub(1);
        }
        for number in 0..self.queries.len() {
            if self.queries[number].is_run_pursued(context) {
                // A question that no state has decided may have become one about a run.
                again |= self.pass_for_run(number, context, &budget.share(left.max(1)));
                left = left.saturating_sub(1);
            }
        }
        again
    }

    /// The longest paths that can be shown, if one is wanted of some of these.
    fn longest(&self, context: &Context<'_>) -> Option<usize> {
        let wanted = self.queries.iter().any(|query| query.out_of_memory && context.board.wants_witness(query.number));
        wanted.then(|| MOST_SHOWN / context.subject.model.variables().max(1))
    }

    fn pass_for_states(&mut self, context: &Context<'a>, budget: &Budget) -> bool {
        let pass = self.passes.next(context, self.longest(context));
        let symmetric = self.symmetric(context);
        let Ok(compiled) = symmetric.as_deref().map_or_else(|| context.compiled(), Ok) else { return false };
        // Stubborn sets leave out most of what does not lead to a deadlock.
        for query in self.queries.iter_mut().filter(|query| query.is_pursued(context)) {
            if !query.reachability.is_some_and(|reachability| reachability.is_about_deadlock()) {
                continue;
            }
            let result = compiled.pursue_deadlock(pass, &context.options(false), &budget.part(1, 2));
            self.passes.see(&result);
            if let Some(Trace { path, .. }) = result.found {
                query.reached(context, (Technique::BitState, Some(result.stats)), &path, context.budget);
            }
        }
        if !self.queries.iter().any(|query| query.is_pursued(context)) {
            return false;
        }
        let mut goal = |view: explicit::View<'_>| {
            let Sought { open, decided } = self.seek(context, Technique::BitState, &view);
            !decided.is_empty() || !open
        };
        let result = compiled.pursue(pass, budget, &mut goal);
        self.passes.note(&result);
        if let Some(Trace { path, last }) = &result.found {
            for place in self.seek(context, Technique::BitState, last).decided {
                self.queries[place].reached(context, (Technique::BitState, Some(result.stats)), path, context.budget);
            }
        }
        for query in self.queries.iter().filter(|query| query.is_pursued(context)) {
            context.board.fail(query.number, self.passes.reason());
        }
        self.passes.may_go_on(context) && self.queries.iter().any(|query| query.is_pursued(context))
    }

    fn pass_for_run(&mut self, number: usize, context: &Context<'a>, budget: &Budget) -> bool {
        let longest = self.longest(context);
        let query = &mut self.queries[number];
        let budget = context.board.until_settled(query.number, budget);
        let witness = context.board.wants_witness(query.number);
        let is_single = matches!(self.pool[query.plain], Formula::Exists(_) | Formula::Forall(_));
        let formula = if witness || !is_single { query.linear } else { query.plain };
        let Ok(compiled) = context.compiled() else { return false };
        let pass = query.passes.next(context, longest.filter(|_| witness));
        let options = explicit::Options { run: true, facts: Arc::clone(&self.facts), ..context.options(witness) };
        let pool = &mut self.pool;
        let result = explicit::pursue_ltl(compiled, pool, formula, query.paths, pass, &options, &budget);
        query.passes.note(&result);
        if let Some(found) = result.found {
            // What is not confirmed would be found again.
            query.out_of_memory = query.decided_by_run(context, Technique::BitState, &found, &budget) == Ok(());
        }
        context.board.fail(query.number, query.passes.reason());
        query.is_run_pursued(context)
    }
}

//! Formulas beyond memory: passes for a state that decides questions of reachability, and for runs.
//!
//! A query takes part once a search for it has run out of memory. What is found is a path, as of a search that stores its states.

use super::{FormulaQuestion, Formulas, MOST_SHOWN, is_showable};
use crate::budget::Budget;
use crate::decide::Technique;
use crate::decide::context::Context;
use crate::explicit::{self, Trace};
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
            left -= 1;
        }
        for number in 0..self.queries.len() {
            if self.queries[number].is_run_pursued(context) {
                again |= self.pass_for_run(number, context, &budget.share(left));
                left -= 1;
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
        for query in self.queries.iter().filter(|query| query.is_pursued(context)) {
            let Some(reachability) = query.reachability.filter(|r| r.is_about_deadlock()) else { continue };
            let pursuit = compiled.pursue_deadlock(pass, &context.options(false), &budget.part(1, 2));
            self.passes.see(&pursuit);
            if let Some(Trace { path, .. }) = pursuit.found {
                let verdict = reachability.verdict_if_found;
                context.board.found_by(Technique::BitState, query.number, verdict, pursuit.stats);
                if is_showable(context, &path) {
                    context.board.show(query.number, verdict, Some(&path));
                }
            }
        }
        if !self.queries.iter().any(|query| query.is_pursued(context)) {
            return false;
        }
        let mut look = |view: explicit::View<'_>| {
            let look = self.look_at(context, &view, Technique::BitState, None);
            look.unshown || !look.open
        };
        let pursuit = compiled.pursue(pass, budget, &mut look);
        self.passes.note(&pursuit);
        for query in self.queries.iter_mut().filter(|query| query.is_pursued(context)) {
            let Some(reachability) = query.reachability else { continue };
            if let Some(Trace { path, last }) = &pursuit.found
                && reachability.decided_by(last) == Some(true)
                && is_showable(context, path)
            {
                context.board.show(query.number, reachability.verdict_if_found, Some(path));
            }
            context.board.fail(query.number, self.passes.reason());
        }
        self.passes.may_go_on(context) && self.queries.iter().any(|query| query.is_pursued(context))
    }

    fn pass_for_run(&mut self, number: usize, context: &Context<'a>, budget: &Budget) -> bool {
        let longest = self.longest(context);
        let query = &mut self.queries[number];
        let budget = context.board.until_settled(query.number, budget);
        let witness = context.board.wants_witness(query.number);
        let formula = if witness { query.linear } else { query.plain };
        let Ok(compiled) = context.compiled() else { return false };
        let pass = query.passes.next(context, longest.filter(|_| witness));
        let options = explicit::Options { facts: Arc::clone(&self.facts), ..context.options(witness) };
        let pool = &mut self.pool;
        let pursuit = explicit::pursue_ltl(compiled, pool, formula, query.paths, pass, &options, &budget);
        query.passes.note(&pursuit);
        if let Some(found) = pursuit.found {
            context.board.found_by(Technique::BitState, query.number, found.holds, found.stats);
            let path = found.path.filter(|path| is_showable(context, path));
            context.board.show(query.number, found.holds, path.as_ref());
        }
        context.board.fail(query.number, query.passes.reason());
        query.is_run_pursued(context)
    }
}

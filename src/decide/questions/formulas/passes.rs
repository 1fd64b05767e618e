//! Formulas beyond memory: passes for a state that decides questions of reachability, and for runs.
//!
//! A query takes part once a search for it has run out of memory. What is found is a path, as of a search that stores its states.

use super::{Formulas, Query, Sought};
use crate::budget::Budget;
use crate::decide::Technique;
use crate::decide::board::MOST_SHOWN;
use crate::decide::case::Case;
use crate::explicit::{self, Trace};
use crate::formula::Formula;
use std::sync::Arc;

impl Query<'_> {
    /// Has a search for a state that decides it run out of memory, and is such a state wanted?
    fn is_pursued(&self, case: &Case<'_>) -> bool {
        self.flooded && self.total && self.looks(case)
    }

    /// Has a search for a run run out of memory, and is one wanted?
    fn is_run_pursued(&self, case: &Case<'_>) -> bool {
        let of_runs = self.flooded && self.total && self.reachability.is_none() && self.is_about_runs;
        of_runs && self.is_wanted(case) && self.passes.may_go_on(case)
    }
}

impl<'a> Formulas<'a> {
    /// A pass for all questions of reachability together, and one for each about runs. May others find more?
    pub(super) fn pass(&mut self, case: &Case<'a>, budget: &Budget) -> bool {
        let by_state = self.queries.iter().any(|query| query.is_pursued(case)) && self.passes.may_go_on(case);
        let runs = self.queries.iter().filter(|query| query.is_run_pursued(case)).count();
        let mut left = runs + usize::from(by_state);
        let mut again = false;
        if by_state {
            again |= self.pass_for_states(case, &budget.share(left));
            left = left.saturating_sub(1);
        }
        for number in 0..self.queries.len() {
            if self.queries[number].is_run_pursued(case) {
                // A question that no state has decided may have become one about a run.
                again |= self.pass_for_run(number, case, &budget.share(left.max(1)));
                left = left.saturating_sub(1);
            }
        }
        again
    }

    /// The longest paths that can be shown, if one is wanted of some of these.
    fn longest(&self, case: &Case<'_>) -> Option<usize> {
        let wanted = self.queries.iter().any(|query| query.flooded && case.board.wants_witness(query.number));
        wanted.then(|| MOST_SHOWN / case.subject.model.variables().max(1))
    }

    fn pass_for_states(&mut self, case: &Case<'a>, budget: &Budget) -> bool {
        let pass = self.passes.next(case, self.longest(case));
        let alike = self.alike(case);
        let Ok(compiled) = alike.as_deref().map_or_else(|| case.compiled(), Ok) else { return false };
        // Stubborn sets leave out most of what does not lead to a deadlock.
        for query in self.queries.iter_mut().filter(|query| query.is_pursued(case)) {
            if !query.reachability.is_some_and(|reachability| reachability.is_about_deadlock()) {
                continue;
            }
            let pursuit = compiled.pursue_deadlock(pass, &case.options(false), &budget.part(1, 2));
            self.passes.see(&pursuit);
            if let Some(Trace { path, .. }) = pursuit.found {
                query.reached(case, (Technique::BitState, Some(pursuit.stats)), &path);
            }
        }
        if !self.queries.iter().any(|query| query.is_pursued(case)) {
            return false;
        }
        let mut goal = |view: explicit::View<'_>| {
            let Sought { open, decided } = self.seek(case, Technique::BitState, &view);
            !decided.is_empty() || !open
        };
        let pursuit = compiled.pursue(pass, budget, &mut goal);
        self.passes.note(&pursuit);
        if let Some(Trace { path, last }) = &pursuit.found {
            for place in self.seek(case, Technique::BitState, last).decided {
                self.queries[place].reached(case, (Technique::BitState, Some(pursuit.stats)), path);
            }
        }
        for query in self.queries.iter().filter(|query| query.is_pursued(case)) {
            case.board.fail(query.number, self.passes.reason());
        }
        self.passes.may_go_on(case) && self.queries.iter().any(|query| query.is_pursued(case))
    }

    fn pass_for_run(&mut self, number: usize, case: &Case<'a>, budget: &Budget) -> bool {
        let longest = self.longest(case);
        let query = &mut self.queries[number];
        let budget = case.board.until_settled(query.number, budget);
        let witness = case.board.wants_witness(query.number);
        let is_single = matches!(self.pool[query.plain], Formula::Exists(_) | Formula::Forall(_));
        let formula = if witness || !is_single { query.linear } else { query.plain };
        let Ok(compiled) = case.compiled() else { return false };
        let pass = query.passes.next(case, longest.filter(|_| witness));
        let options = explicit::Options { run: true, facts: Arc::clone(&self.facts), ..case.options(witness) };
        let pool = &mut self.pool;
        let pursuit = explicit::pursue_ltl(compiled, pool, formula, query.paths, pass, &options, &budget);
        query.passes.note(&pursuit);
        if let Some(found) = pursuit.found {
            // What is not confirmed would be found again.
            query.flooded = query.decided_by_run(case, Technique::BitState, &found, &budget) == Ok(());
        }
        case.board.fail(query.number, query.passes.reason());
        query.is_run_pursued(case)
    }
}

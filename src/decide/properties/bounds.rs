//! Bounds: the greatest sum of some variables over the reachable states.
//!
//! Walks give lower bounds, semiflows and the state equation upper ones; where they meet, nothing needs to be explored.

use crate::budget::Budget;
use crate::decide::board::Board;
use crate::decide::conditions::Visited;
use crate::decide::conditions::{Refuter, Structure, Values, Walk, sum};
use crate::decide::context::Context;
use crate::decide::properties::{PropertySolver, Together, counts_states};
use crate::decide::smaller::{
    reduced::{self, Due, Smaller, ask_all},
    skeleton::Skeletal,
    symmetry,
};
use crate::decide::{Question, StateSpace, Technique, Value};
use crate::explicit::{Explicit, View};
use crate::formula::Pool;
use crate::model::{State, VariableId};
use crate::net::PetriNet;
use crate::reduction::Preserved;
use crate::stop_reason::StopReason;
use crate::structure::{Coverability, Supremum};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// One bound that is asked for.
struct BoundQuestion<'a> {
    number: usize,
    variables: &'a [VariableId],
    /// The greatest sum seen.
    seen: u128,
    /// No sum is greater than this.
    limit: Option<u128>,
    /// The last limit that was tried.
    tried: Option<u128>,
    /// The question on a reduced net, once that has been tried.
    smaller: Option<Smaller>,
}

/// The bounds that are asked for.
pub(in crate::decide) struct Bounds<'a> {
    queries: Vec<BoundQuestion<'a>>,
    /// Linear programs, once they have been tried.
    refuter: Option<Refuter<'a>>,
    /// The net with markings that are alike made one, once that has been tried.
    symmetric: OnceLock<Option<Arc<dyn Explicit<'a> + 'a>>>,
}

impl<'a> Bounds<'a> {
    pub(in crate::decide) fn new(board: &Board<'a>) -> Self {
        let query = |(number, asked): (usize, &'a crate::decide::Request)| match &asked.question {
            Question::Bound(variables) => {
                Some(BoundQuestion { number, variables, seen: 0, limit: None, tried: None, smaller: None })
            }
            _ => None,
        };
        Bounds { queries: board.questions().filter_map(query).collect(), refuter: None, symmetric: OnceLock::new() }
    }

    /// Update what was seen; true if nothing is open any more.
    fn look_at(&mut self, context: &Context<'_>, state: &impl Values, technique: Technique) -> bool {
        let mut open = false;
        for query in self.queries.iter_mut().filter(|query| context.board.is_open(query.number)) {
            query.seen = query.seen.max(sum(state, query.variables));
            if query.limit == Some(query.seen) {
                context.board.give(query.number, Value::Number(query.seen.into()), technique, None);
            } else {
                open = true;
            }
        }
        !open
    }
}

impl<'a> PropertySolver<'a> for Bounds<'a> {
    fn is_open(&self, context: &Context<'a>) -> bool {
        self.queries.iter().any(|query| context.board.is_open(query.number))
    }

    fn by_initial_state(&mut self, context: &Context<'a>) {
        self.look_at(context, &context.subject.model.initial(), Technique::Structure);
    }

    fn by_skeleton(&mut self, context: &Context<'a>, skeletal: &Skeletal) {
        let open = self.queries.iter_mut().filter(|query| context.board.is_open(query.number));
        let asked = open.filter_map(|query| {
            let sum = skeletal.skeleton().sum(query.variables)?;
            Some((query, Question::Bound(sum)))
        });
        let (queries, questions): (Vec<_>, Vec<_>) = asked.unzip();
        let pool = Pool::new();
        for (query, value) in queries.into_iter().zip(skeletal.ask(context, &pool, questions)) {
            if let Value::Number(bound) = value {
                query.limit = query.limit.into_iter().chain(u128::try_from(bound)).min();
            }
        }
        self.look_at(context, &context.subject.model.initial(), Technique::Skeleton);
    }

    fn by_structure(&mut self, context: &Context<'a>, net: &'a PetriNet, structure: &Structure) {
        for query in &mut self.queries {
            query.limit = query.limit.into_iter().chain(structure.bound(query.variables)).min();
        }
        let initial = net.initial_marking();
        if self.look_at(context, &initial, Technique::Structure) {
            return;
        }
        let budget = context.programs_budget();
        self.refuter = Refuter::new(net);
        if let Some(refuter) = &self.refuter {
            for query in self.queries.iter_mut().filter(|query| context.board.is_open(query.number)) {
                let bound = refuter.upper_bound(query.variables, &budget);
                query.limit = query.limit.into_iter().chain(bound).min();
            }
        }
        self.look_at(context, &initial, Technique::StateEquation);
    }

    fn by_more_programs(&mut self, context: &Context<'a>, net: &'a PetriNet, budget: &Budget) {
        let Some(refuter) = &mut self.refuter else { return };
        for query in self.queries.iter_mut().filter(|query| context.board.is_open(query.number)) {
            if query.tried != Some(query.seen) && refuter.is_at_most(query.variables, query.seen, budget) {
                query.limit = Some(query.seen);
            }
            if budget.check().is_ok() {
                query.tried = Some(query.seen);
            }
        }
        self.look_at(context, &net.initial_marking(), Technique::StateEquation);
    }

    fn by_coverability(&mut self, context: &Context<'a>, _net: &'a PetriNet, cover: &Coverability) {
        for query in &self.queries {
            if let Some(supremum) = cover.supremum(query.variables) {
                let value = match supremum {
                    Supremum::Finite(bound) => Value::Number(bound.into()),
                    Supremum::Infinite => Value::Infinite,
                };
                context.board.give(query.number, value, Technique::Coverability, None);
            }
        }
    }

    fn on_folded(&mut self, context: &Context<'a>, visited: &Visited<'_>) -> bool {
        self.look_at(context, visited, Technique::RandomWalk)
    }

    fn distance(&self, context: &Context<'a>, turn: usize, _skeleton: &PetriNet, totals: &State) -> Option<u64> {
        let open: Vec<_> = self.queries.iter().filter(|query| context.board.is_open(query.number)).collect();
        let sum = sum(totals, open.get(turn.checked_rem(open.len())?)?.variables);
        Some(u64::MAX.saturating_sub(u64::try_from(sum).unwrap_or(u64::MAX)))
    }

    fn on_walk(&mut self, context: &Context<'a>, walk: &Walk<'_>) -> bool {
        self.look_at(context, walk, Technique::RandomWalk)
    }

    fn by_guided_walks(&mut self, context: &Context<'a>, walk: &mut Walk<'a>, budget: &Budget) {
        let open: Vec<_> =
            self.queries.iter().filter(|q| context.board.is_open(q.number)).map(|q| (q.number, q.variables)).collect();
        for (left, (number, variables)) in (1..=open.len()).rev().zip(open) {
            walk.guide(
                &budget.share(left),
                |walk| u64::try_from(u128::from(u64::MAX).saturating_sub(sum(walk, variables))).unwrap_or(u64::MAX),
                |walk| {
                    self.look_at(context, walk, Technique::RandomWalk);
                    !context.board.is_open(number)
                },
            );
        }
    }

    fn together(&self, context: &Context<'a>, net: &'a PetriNet, budget: &Budget) -> Option<Together> {
        let open = self.queries.iter().filter(|query| context.board.is_open(query.number));
        let (numbers, sums): (Vec<_>, Vec<_>) = open.map(|query| (query.number, query.variables)).unzip();
        let asked = (&sums[..], Preserved::Reachability);
        let reduced = reduced::sums(net, context.tokens(net), asked, Question::Bound, budget)?;
        Some(Together { numbers, reduced })
    }

    fn by_reduction(&mut self, context: &Context<'a>, slice: Duration) {
        let Some(net) = context.net() else { return };
        let asked: Vec<_> = self.queries.iter().map(|query| query.variables).collect();
        let open = self.queries.iter_mut().enumerate().filter(|(_, query)| context.board.is_open(query.number));
        let due = open.map(|(place, query)| Due { place, question: query.number, smaller: &mut query.smaller });
        let mut open: Vec<_> = due.collect();
        let tokens = context.tokens(net);
        let found = ask_all(context, net, &mut open, slice, |number, budget| {
            reduced::sums(net, tokens, (&[asked[number]], Preserved::Reachability), Question::Bound, budget)
        });
        for (query, value) in found {
            context.board.give(self.queries[query].number, value, Technique::Reduction, None);
        }
    }

    fn by_search(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        counts_states(context)?;
        let symmetric = || {
            let open = self.queries.iter().filter(|query| context.board.is_open(query.number));
            let sums: Vec<_> = open.map(|query| query.variables).collect();
            symmetry::compiled(context, &Pool::new(), &[], &sums)
        };
        let symmetric = self.symmetric.get_or_init(symmetric).clone();
        let mut look = |view: View<'_>| self.look_at(context, &view, Technique::Explicit);
        let found = symmetric.as_deref().map_or_else(|| context.compiled(), Ok)?.find(
            &context.options(false),
            budget,
            &mut look,
        )?;
        if found.trace.is_none() {
            // Of one that has been answered meanwhile not all sums were looked at.
            for query in self.queries.iter().filter(|query| context.board.is_open(query.number)) {
                context.board.give(
                    query.number,
                    Value::Number(query.seen.into()),
                    Technique::Explicit,
                    Some(found.stats),
                );
            }
        }
        Ok(())
    }
}

/// Answer what is open from the reachable set.
pub(in crate::decide) fn by_diagram(board: &Board<'_>, space: &StateSpace, budget: &Budget) -> Result<(), StopReason> {
    for (number, asked) in board.questions().filter(|&(number, _)| board.is_open(number)) {
        if let Question::Bound(variables) = &asked.question {
            budget.check()?;
            let bound = u128::try_from(space.greatest_sum(variables)).map_err(|_| StopReason::Arithmetic)?;
            board.give(number, Value::Number(bound.into()), Technique::DecisionDiagrams, None);
        }
    }
    Ok(())
}

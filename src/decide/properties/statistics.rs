//! Numbers about the state space: how many reachable states and steps, the greatest values, deadlocks.

use super::greatest::Greatest;
use crate::budget::Budget;
use crate::decide::Explained;
use crate::decide::board::Board;
use crate::decide::conditions::{Structure, Walk};
use crate::decide::context::Context;
use crate::decide::properties::{PropertySolver, counts_states};
use crate::decide::{Progress, Question, Request, StateSpace, Statistic, Technique, Value};
use crate::explicit::{Encoding, Explicit, Family};
use crate::model::VariableId;
use crate::net::PetriNet;
use crate::reduction::symmetries;
use crate::stop_reason::StopReason;
use crate::structure::{Coverability, Supremum};
use std::cell::OnceCell;
use std::sync::Arc;

/// The part of the time that linear programs may take, which the diagrams are beside.
const PROGRAMS: u32 = 20;

/// The numbers that are asked for.
pub(in crate::decide) struct Statistics<'a> {
    asked: Vec<(usize, Statistic)>,
    /// The net compiled so that of markings which are alike one is kept, and what is alike, once it has been looked
    /// for; nothing if all differ.
    symmetric: OnceCell<Option<Symmetric<'a>>>,
    /// The known bounds of the greatest numbers of tokens.
    greatest: Greatest,
}

/// A net of which one of several markings that are alike is kept.
struct Symmetric<'a> {
    compiled: Box<dyn Explicit<'a> + 'a>,
    families: Arc<[Family]>,
}

/// The numbers of the questions about figures.
fn asked<'a>(board: &Board<'a>) -> impl Iterator<Item = (usize, Statistic)> + use<'a> {
    board.questions().filter_map(|(number, asked): (usize, &Request)| match asked.question {
        Question::Statistic(statistic) => Some((number, statistic)),
        _ => None,
    })
}

impl<'a> Statistics<'a> {
    pub(in crate::decide) fn new(board: &Board<'_>) -> Self {
        Statistics { asked: asked(board).collect(), symmetric: OnceCell::new(), greatest: Greatest::default() }
    }

    /// Are the greatest numbers of tokens of this net asked for, and not known?
    fn wants_greatest(&self, context: &Context<'a>) -> Option<&'a PetriNet> {
        let is_one = |statistic| matches!(statistic, Statistic::MaxInVariable | Statistic::MaxInState);
        let wanted = self.asked.iter().any(|&(number, statistic)| is_one(statistic) && context.board.is_open(number));
        context.net().filter(|_| wanted)
    }

    /// Answer what is known of them.
    fn give_greatest(&self, context: &Context<'a>, technique: Technique) {
        for &(number, statistic) in self.asked.iter().filter(|&&(number, _)| context.board.is_open(number)) {
            let value = match statistic {
                Statistic::MaxInVariable => self.greatest.in_place.value(),
                Statistic::MaxInState => self.greatest.in_marking.value(),
                _ => None,
            };
            if let Some(value) = value {
                context.board.give(number, Value::Number(value.into()), technique, None);
            }
        }
    }

    /// The net with families of blocks that are alike, if there are such and nothing is asked but numbers.
    fn symmetric(&self, context: &Context<'a>) -> Option<(&(dyn Explicit<'a> + 'a), &[Family])> {
        let look = || {
            let plain = |&(number, statistic): &(usize, Statistic)| {
                statistic != Statistic::Markings && !context.board.wants_witness(number)
            };
            if !context.settings.ways.reductions || !self.asked.iter().all(plain) {
                return None;
            }
            let families: Arc<[Family]> = symmetries::families(context.swaps()).into();
            let encoding = Encoding { families: Arc::clone(&families), ..context.settings.encoding.clone() };
            let compile = || context.subject.model.compile(&encoding, context.budget).ok();
            (!families.is_empty()).then(compile).flatten().map(|compiled| Symmetric { compiled, families })
        };
        self.symmetric.get_or_init(look).as_ref().map(|symmetric| (&*symmetric.compiled, &*symmetric.families))
    }
}

impl<'a> PropertySolver<'a> for Statistics<'a> {
    fn is_open(&self, context: &Context<'a>) -> bool {
        self.asked.iter().any(|&(number, _)| context.board.is_open(number) || context.board.wants_witness(number))
    }

    fn by_initial_state(&mut self, context: &Context<'a>) {
        if let Some(net) = self.wants_greatest(context) {
            self.greatest.look_at(net, &net.initial_marking());
        }
    }

    /// Answers are given later: most state spaces are explored in no time, and tell all numbers.
    fn by_structure(&mut self, context: &Context<'a>, net: &'a PetriNet, structure: &Structure) {
        if self.wants_greatest(context).is_some() {
            self.greatest.by_structure(net, structure);
        }
    }

    fn by_more_programs(&mut self, context: &Context<'a>, net: &'a PetriNet, _budget: &Budget) {
        self.give_greatest(context, Technique::Structure);
        if self.wants_greatest(context).is_some() {
            self.greatest.by_programs(net, &context.budget.part(1, PROGRAMS));
            self.give_greatest(context, Technique::StateEquation);
        }
    }

    fn on_walk(&mut self, context: &Context<'a>, walk: &Walk<'_>) -> bool {
        let Some(net) = self.wants_greatest(context).filter(|_| self.greatest.is_open()) else { return true };
        self.greatest.look_at(net, walk);
        self.give_greatest(context, Technique::RandomWalk);
        !self.greatest.is_open()
    }

    fn by_guided_walks(&mut self, context: &Context<'a>, walk: &mut Walk<'a>, budget: &Budget) {
        if let Some(net) = self.wants_greatest(context).filter(|_| self.greatest.is_open()) {
            self.greatest.by_led_walk(net, walk, budget);
            self.give_greatest(context, Technique::RandomWalk);
        }
    }

    fn by_coverability(&mut self, context: &Context<'a>, net: &'a PetriNet, cover: &Coverability) {
        if !cover.unbounded() {
            return;
        }
        for &(number, statistic) in &self.asked {
            match statistic {
                // Infinitely many states are reached by infinitely many steps, since each state allows finitely
                // many; some place grows, and so does the sum.
                Statistic::States | Statistic::Transitions | Statistic::MaxInVariable | Statistic::MaxInState => {
                    context.board.give(number, Value::Infinite, Technique::Coverability, None);
                }
                Statistic::Bounds => {
                    let supremum = |place| match cover.supremum(&[place])? {
                        Supremum::Finite(most) => Some(Some(most)),
                        Supremum::Infinite => Some(None),
                    };
                    if let Some(suprema) = net.place_ids().map(supremum).collect() {
                        context.board.give(number, Value::Suprema(suprema), Technique::Coverability, None);
                    }
                }
                Statistic::Deadlocks | Statistic::Markings => {}
            }
        }
    }

    fn is_search_only(&self) -> bool {
        !self.greatest.is_promising()
    }

    fn by_search(&mut self, context: &Context<'a>, budget: &Budget) -> Result<(), StopReason> {
        counts_states(context)?;
        let options = context.options(false);
        let (compiled, families) = match self.symmetric(context) {
            Some(symmetric) => symmetric,
            None => (context.compiled()?, &[][..]),
        };
        if self.asked.iter().any(|&(number, _)| context.board.is_open(number)) {
            let listener = context.board.listener();
            let mut tell = |states: u64| listener.progress(Progress::AtLeast(&states.into()));
            let mut found = compiled.explore_with(&options, budget, &mut tell)?;
            // What one of the blocks can hold, each can.
            for family in families {
                for role in 0..family.first().map_or(0, Vec::len) {
                    let most = family.iter().map(|block| found.bounds[block[role].index()]).max().unwrap_or(0);
                    family.iter().for_each(|block| found.bounds[block[role].index()] = most);
                }
            }
            let counts = context.subject.model.terms().counts;
            let initialisations = context.subject.model.initialisations();
            for &(number, statistic) in &self.asked {
                let value = match statistic {
                    Statistic::States => Value::Number(found.states.into()),
                    Statistic::Transitions => Value::Number((found.transitions + u128::from(initialisations)).into()),
                    Statistic::Deadlocks => Value::Number(found.deadlocks.into()),
                    Statistic::Markings => Value::Number(found.markings.unwrap_or(found.states).into()),
                    Statistic::MaxInVariable | Statistic::MaxInState | Statistic::Bounds if !counts => continue,
                    Statistic::MaxInVariable => Value::Number(found.max_tokens_in_place().into()),
                    Statistic::MaxInState => Value::Number(found.max_tokens_per_marking.into()),
                    Statistic::Bounds => Value::Numbers(found.bounds.iter().map(|&bound| bound.into()).collect()),
                };
                context.board.give(number, value, Technique::Explicit, Some(found.stats));
            }
        }
        let wanted = |&&(number, statistic): &&(usize, Statistic)| {
            statistic == Statistic::Deadlocks && context.board.wants_witness(number)
        };
        if let Some(&(number, _)) = self.asked.iter().find(wanted) {
            let found = compiled.find_deadlock(&context.options(true), budget)?;
            context.board.explain(
                number,
                found.trace.map_or(Explained::Missing(NONE.to_owned()), |trace| Explained::State(trace.last)),
            );
        }
        Ok(())
    }
}

const NONE: &str = "there is no deadlock";

/// Answer what is open from the reachable set.
pub(in crate::decide) fn by_diagram(board: &Board<'_>, space: &StateSpace, budget: &Budget) -> Result<(), StopReason> {
    let counts = board.subject.model.terms().counts;
    let mut ended = Ok(());
    for (number, statistic) in asked(board).filter(|&(number, _)| board.is_wanted(number)) {
        match figure_of(board, number, statistic, counts, space, budget) {
            Ok(Some(value)) => board.give(number, value, Technique::DecisionDiagrams, None),
            Ok(None) => board.fail(number, StopReason::Unsupported("values that are no counts have no greatest one")),
            Err(stop) => {
                board.fail(number, stop.clone());
                ended = Err(stop);
            }
        }
    }
    ended
}

/// A figure; `None` if the model has no such thing.
fn figure_of(
    board: &Board<'_>,
    number: usize,
    statistic: Statistic,
    counts: bool,
    space: &StateSpace,
    budget: &Budget,
) -> Result<Option<Value>, StopReason> {
    Ok(Some(match statistic {
        Statistic::States => Value::Number(space.meant_states(budget)?),
        Statistic::Transitions => Value::Number(space.transitions(budget)? + board.subject.model.initialisations()),
        Statistic::Markings => {
            let model = board.subject.model;
            let clock = |variable: usize| model.unit(VariableId(variable as u32)).is_some();
            Value::Number(space.states_without(&clock, budget)?)
        }
        Statistic::MaxInVariable | Statistic::MaxInState | Statistic::Bounds if !counts => return Ok(None),
        Statistic::MaxInVariable => Value::Number(space.maxima(budget)?.in_place.into()),
        Statistic::MaxInState => Value::Number(space.maxima(budget)?.per_marking.into()),
        Statistic::Bounds => Value::Numbers(space.maxima(budget)?.per_place.clone()),
        Statistic::Deadlocks => {
            let dead = space.deadlocks(budget)?;
            let value = Value::Number(space.meant(&dead, budget)?.count(budget)?);
            if board.wants_witness(number) {
                board.give(number, value.clone(), Technique::DecisionDiagrams, None);
                let first = space.lightest(&dead, budget)?.next();
                let explained = first.map_or(Explained::Missing(NONE.to_owned()), Explained::State);
                board.explain(number, explained);
            }
            value
        }
    }))
}

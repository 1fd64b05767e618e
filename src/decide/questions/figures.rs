//! Numbers about the state space: how many reachable states and steps, the greatest values, deadlocks.

use super::greatest::Greatest;
use crate::budget::Budget;
use crate::decide::board::{Board, Explained};
use crate::decide::case::{Case, Questionnaire};
use crate::decide::conditions::{Structure, Walk};
use crate::decide::{Asked, Figure, Progress, Question, StateSpace, Technique, Value};
use crate::explicit::{Encoding, Explicit, Family};
use crate::halt::Halt;
use crate::model::VariableId;
use crate::net::PetriNet;
use crate::reduction::symmetries;
use crate::structure::Coverability;
use std::cell::OnceCell;
use std::sync::Arc;

/// The part of the time that linear programs may take, which the diagrams are beside.
const PROGRAMS: u32 = 20;

/// The numbers that are asked for.
pub(in crate::decide) struct Figures<'a> {
    asked: Vec<(usize, Figure)>,
    /// The net compiled so that of markings which are alike one is kept, and what is alike, once it has been looked for;
    /// nothing if all differ.
    alike: OnceCell<Option<Alike<'a>>>,
    /// What is known of the greatest numbers of tokens.
    greatest: Greatest,
}

/// A net of which one of several markings that are alike is kept.
struct Alike<'a> {
    compiled: Box<dyn Explicit<'a> + 'a>,
    families: Arc<[Family]>,
}

/// The numbers of the questions about figures.
fn asked<'a>(board: &Board<'a>) -> impl Iterator<Item = (usize, Figure)> + use<'a> {
    board.questions().filter_map(|(number, asked): (usize, &Asked)| match asked.question {
        Question::Figure(figure) => Some((number, figure)),
        _ => None,
    })
}

impl<'a> Figures<'a> {
    pub(in crate::decide) fn new(board: &Board<'_>) -> Self {
        Figures { asked: asked(board).collect(), alike: OnceCell::new(), greatest: Greatest::default() }
    }

    /// Are the greatest numbers of tokens of this net asked for, and not known?
    fn wants_greatest(&self, case: &Case<'a>) -> Option<&'a PetriNet> {
        let is_one = |figure| matches!(figure, Figure::MaxInVariable | Figure::MaxInState);
        let wanted = self.asked.iter().any(|&(number, figure)| is_one(figure) && case.board.is_open(number));
        case.net().filter(|_| wanted)
    }

    /// Answer what is known of them.
    fn give_greatest(&self, case: &Case<'a>, technique: Technique) {
        for &(number, figure) in self.asked.iter().filter(|&&(number, _)| case.board.is_open(number)) {
            let value = match figure {
                Figure::MaxInVariable => self.greatest.in_place.value(),
                Figure::MaxInState => self.greatest.in_marking.value(),
                _ => None,
            };
            if let Some(value) = value {
                case.board.give(number, Value::Number(value.into()), technique, None);
            }
        }
    }

    /// The net with families of blocks that are alike, if there are such and nothing is asked but numbers.
    fn alike(&self, case: &Case<'a>) -> Option<(&(dyn Explicit<'a> + 'a), &[Family])> {
        let look = || {
            let plain =
                |&(number, figure): &(usize, Figure)| figure != Figure::Markings && !case.board.wants_witness(number);
            if !case.settings.ways.reductions || !self.asked.iter().all(plain) {
                return None;
            }
            let families: Arc<[Family]> = symmetries::families(case.swaps()).into();
            let encoding = Encoding { families: Arc::clone(&families), ..case.settings.encoding.clone() };
            let compile = || case.subject.model.compile(&encoding, case.budget).ok();
            (!families.is_empty()).then(compile).flatten().map(|compiled| Alike { compiled, families })
        };
        self.alike.get_or_init(look).as_ref().map(|alike| (&*alike.compiled, &*alike.families))
    }
}

impl<'a> Questionnaire<'a> for Figures<'a> {
    fn is_open(&self, case: &Case<'a>) -> bool {
        self.asked.iter().any(|&(number, _)| case.board.is_open(number) || case.board.wants_witness(number))
    }

    fn by_initial_state(&mut self, case: &Case<'a>) {
        if let Some(net) = self.wants_greatest(case) {
            self.greatest.look_at(net, &net.initial_marking());
        }
    }

    /// What follows is given later: most state spaces are explored in no time, and tell all numbers.
    fn by_structure(&mut self, case: &Case<'a>, net: &'a PetriNet, structure: &Structure) {
        if self.wants_greatest(case).is_some() {
            self.greatest.by_structure(net, structure);
        }
    }

    fn by_more_programs(&mut self, case: &Case<'a>, net: &'a PetriNet, _budget: &Budget) {
        self.give_greatest(case, Technique::Structure);
        if self.wants_greatest(case).is_some() {
            self.greatest.by_programs(net, &case.budget.part(1, PROGRAMS));
            self.give_greatest(case, Technique::StateEquation);
        }
    }

    fn on_walk(&mut self, case: &Case<'a>, walk: &Walk<'_>) -> bool {
        let Some(net) = self.wants_greatest(case).filter(|_| self.greatest.is_open()) else { return true };
        self.greatest.look_at(net, walk);
        self.give_greatest(case, Technique::RandomWalk);
        !self.greatest.is_open()
    }

    fn by_led_walks(&mut self, case: &Case<'a>, walk: &mut Walk<'a>, budget: &Budget) {
        if let Some(net) = self.wants_greatest(case).filter(|_| self.greatest.is_open()) {
            self.greatest.by_led_walk(net, walk, budget);
            self.give_greatest(case, Technique::RandomWalk);
        }
    }

    fn by_coverability(&mut self, case: &Case<'a>, _net: &'a PetriNet, cover: &Coverability) {
        if !cover.unbounded() {
            return;
        }
        for &(number, figure) in &self.asked {
            match figure {
                // Infinitely many states are reached by infinitely many steps, since each state allows finitely
                // many; some place grows, and so does the sum.
                Figure::States | Figure::Transitions | Figure::MaxInVariable | Figure::MaxInState => {
                    case.board.give(number, Value::Infinite, Technique::Coverability, None);
                }
                Figure::Deadlocks | Figure::Bounds | Figure::Markings => {}
            }
        }
    }

    fn is_search_only(&self) -> bool {
        !self.greatest.is_promising()
    }

    fn by_search(&mut self, case: &Case<'a>, budget: &Budget) -> Result<(), Halt> {
        let options = case.options(false);
        let (compiled, families) = match self.alike(case) {
            Some(alike) => alike,
            None => (case.compiled()?, &[][..]),
        };
        if self.asked.iter().any(|&(number, _)| case.board.is_open(number)) {
            let listener = case.board.listener();
            let mut tell = |states: u64| listener.progress(Progress::AtLeast(&states.into()));
            let mut found = compiled.explore_with(&options, budget, &mut tell)?;
            // What one of the blocks can hold, each can.
            for family in families {
                for role in 0..family.first().map_or(0, Vec::len) {
                    let most = family.iter().map(|block| found.bounds[block[role].index()]).max().unwrap_or(0);
                    family.iter().for_each(|block| found.bounds[block[role].index()] = most);
                }
            }
            let counts = case.subject.model.terms().counts;
            let initialisations = case.subject.model.initialisations();
            for &(number, figure) in &self.asked {
                let value = match figure {
                    Figure::States => Value::Number(found.states.into()),
                    Figure::Transitions => Value::Number((found.transitions + u128::from(initialisations)).into()),
                    Figure::Deadlocks => Value::Number(found.deadlocks.into()),
                    Figure::Markings => Value::Number(found.markings.unwrap_or(found.states).into()),
                    Figure::MaxInVariable | Figure::MaxInState | Figure::Bounds if !counts => continue,
                    Figure::MaxInVariable => Value::Number(found.max_tokens_in_place().into()),
                    Figure::MaxInState => Value::Number(found.max_tokens_per_marking.into()),
                    Figure::Bounds => Value::Numbers(found.bounds.iter().map(|&bound| bound.into()).collect()),
                };
                case.board.give(number, value, Technique::Explicit, Some(found.stats));
            }
        }
        let wanted =
            |&&(number, figure): &&(usize, Figure)| figure == Figure::Deadlocks && case.board.wants_witness(number);
        if let Some(&(number, _)) = self.asked.iter().find(wanted) {
            let found = compiled.find_deadlock(&case.options(true), budget)?;
            case.board.explain(
                number,
                found.trace.map_or(Explained::Missing(NONE.to_owned()), |trace| Explained::State(trace.last)),
            );
        }
        Ok(())
    }
}

const NONE: &str = "there is no deadlock";

/// Answer what is open from the reachable set.
pub(in crate::decide) fn by_diagram(board: &Board<'_>, space: &StateSpace, budget: &Budget) -> Result<(), Halt> {
    let counts = board.subject.model.terms().counts;
    let mut ended = Ok(());
    for (number, figure) in asked(board).filter(|&(number, _)| board.is_wanted(number)) {
        match figure_of(board, number, figure, counts, space, budget) {
            Ok(Some(value)) => board.give(number, value, Technique::DecisionDiagrams, None),
            Ok(None) => board.fail(number, Halt::Unsupported("values that are no counts have no greatest one")),
            Err(halt) => {
                board.fail(number, halt.clone());
                ended = Err(halt);
            }
        }
    }
    ended
}

/// A figure; `None` if the model has no such thing.
fn figure_of(
    board: &Board<'_>,
    number: usize,
    figure: Figure,
    counts: bool,
    space: &StateSpace,
    budget: &Budget,
) -> Result<Option<Value>, Halt> {
    Ok(Some(match figure {
        Figure::States => Value::Number(space.states(budget)?),
        Figure::Transitions => Value::Number(space.transitions(budget)? + board.subject.model.initialisations()),
        Figure::Markings => {
            let model = board.subject.model;
            let clock = |variable: usize| model.unit(VariableId(variable as u32)).is_some();
            Value::Number(space.states_without(&clock, budget)?)
        }
        Figure::MaxInVariable | Figure::MaxInState | Figure::Bounds if !counts => return Ok(None),
        Figure::MaxInVariable => Value::Number(space.maxima(budget)?.in_place.into()),
        Figure::MaxInState => Value::Number(space.maxima(budget)?.per_marking.into()),
        Figure::Bounds => Value::Numbers(space.maxima(budget)?.per_place.clone()),
        Figure::Deadlocks => {
            let dead = space.deadlocks(budget)?;
            let value = Value::Number(dead.count(budget)?);
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

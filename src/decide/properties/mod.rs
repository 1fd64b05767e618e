//! The sorts of questions, each in a file: what each way can say of it ([`PropertySolver`]).
//!
//! `formulas` has the most to say. `conjuncts` asks properties of the whole model conjunct by conjunct, `greatest` is
//! about the greatest numbers of tokens, `passes` about searches beyond memory, and `whole_graph` has all states.

pub(super) mod bounds;
mod conjuncts;
pub(super) mod deadlock;
pub(super) mod distances;
pub(super) mod formulas;
mod greatest;
pub(super) mod liveness;
pub(super) mod one_safe;
mod passes;
pub(super) mod quasi_liveness;
pub(super) mod stable_marking;
pub(super) mod statistics;
mod whole_graph;

use super::answer::{Fault, Technique};
use super::conditions::{Structure, Visited, Walk};
use super::context::Context;
use super::smaller::{reduced::Reduced, skeleton::Skeletal};
use crate::budget::Budget;
use crate::model::State;
use crate::net::PetriNet;
use crate::stop_reason::StopReason;
use crate::structure::Coverability;
use crate::witness::Broken;
use std::time::Duration;

/// Search counts each state that it comes to: an error where some of them are only passed through.
fn counts_states(context: &Context<'_>) -> Result<(), StopReason> {
    let why = "search does not tell states from those that are only passed through; let diagrams take part";
    if context.subject.model.passes_through() { Err(StopReason::Unsupported(why)) } else { Ok(()) }
}

/// Open questions by their numbers, and the net that is reduced for all of them.
pub(in crate::decide) struct Together {
    pub(in crate::decide) numbers: Vec<usize>,
    pub(in crate::decide) reduced: Reduced,
}

/// Give a verdict that rests on a marking of a coloured net, once the bindings have been fired from the initial marking
/// again and what is asked shows in the marking there. False if it does not: that is reported.
fn decides(
    context: &Context<'_>,
    visited: &Visited<'_>,
    question: usize,
    verdict: bool,
    shows: &dyn Fn(&Visited<'_>) -> bool,
) -> bool {
    let there = (visited.replays)();
    let is_there = |(totals, enabled): &(Vec<u64>, Vec<bool>)| shows(&Visited { totals, enabled, replays: &|| None });
    if there.as_ref().is_some_and(is_there) {
        context.board.verdict(question, verdict, Technique::RandomWalk);
        return true;
    }
    let problem = Broken::new("the bindings of a walk do not lead to such a marking");
    let fault = Fault::Unconfirmed { verdict, technique: Technique::RandomWalk, problem };
    context.board.listener().faulty(question, fault);
    false
}

/// Questions of one sort, as the ways that take turns see them. Each method answers what it can and leaves the rest
/// open. Those with a net are called only if the model is one.
pub(in crate::decide) trait PropertySolver<'a> {
    /// Is there a question of which these ways could still tell something?
    fn is_open(&self, context: &Context<'a>) -> bool;

    /// Answer from the initial state.
    fn by_initial_state(&mut self, _context: &Context<'a>) {}

    /// Answer from the skeleton of a net.
    fn by_skeleton(&mut self, _context: &Context<'a>, _skeletal: &Skeletal) {}

    /// Answer from the structure of a net.
    fn by_structure(&mut self, _context: &Context<'a>, _net: &'a PetriNet, _structure: &Structure) {}

    /// Answer by linear programs once more, and by more of them.
    fn by_more_programs(&mut self, _context: &Context<'a>, _net: &'a PetriNet, _budget: &Budget) {}

    /// Answer from a coverability graph.
    fn by_coverability(&mut self, _context: &Context<'a>, _net: &'a PetriNet, _cover: &Coverability) {}

    /// Look at the marking of a walk; true when there is no use in going on.
    fn on_walk(&mut self, _context: &Context<'a>, _walk: &Walk<'_>) -> bool {
        true
    }

    /// Look at the marking of a walk of a coloured net that is not unfolded; true when there is no use in going on.
    fn on_folded(&mut self, _context: &Context<'a>, _visited: &Visited<'_>) -> bool {
        true
    }

    /// How far numbers of tokens in the places of a skeleton are from where one of the open questions is decided,
    /// another one in each turn.
    fn distance(&self, _context: &Context<'a>, _turn: usize, _skeleton: &PetriNet, _totals: &State) -> Option<u64> {
        None
    }

    /// Lead walks to where questions are decided, within this budget.
    fn by_guided_walks(&mut self, _context: &Context<'a>, _walk: &mut Walk<'a>, _budget: &Budget) {}

    /// A net for all open questions, if there is one that is smaller.
    fn together(&self, _context: &Context<'a>, _net: &'a PetriNet, _budget: &Budget) -> Option<Together> {
        None
    }

    /// Answer from a smaller model, spending about a slice on all questions together.
    fn by_reduction(&mut self, _context: &Context<'a>, _slice: Duration) {}

    /// Answer from the markings of an unbounded net that a limit on its tokens leaves, spending about a slice on all
    /// questions together. Says whether a larger limit, the next time, may answer more.
    fn by_token_limit(&mut self, _context: &Context<'a>, _net: &'a PetriNet, _slice: &Budget) -> bool {
        false
    }

    /// Look at the first states of a search, within this budget: what they decide need not be prepared for.
    fn by_first_states(&mut self, _context: &Context<'a>, _budget: &Budget) {}

    /// Search state by state, within this budget.
    ///
    /// # Errors
    /// When it ended early; only one that is for lack of time may be tried again with more.
    fn by_search(&mut self, _context: &Context<'a>, _budget: &Budget) -> Result<(), StopReason> {
        Err(StopReason::Unsupported("explicit search does not answer this question"))
    }

    /// Look for what decides a question by passes that keep few bits of a state, once memory is not enough for more.
    /// Says whether another one may find more.
    fn by_passes(&mut self, _context: &Context<'a>, _budget: &Budget) -> bool {
        false
    }

    /// Is that a single search, which only loses by being interrupted?
    fn is_one_search(&self, _context: &Context<'a>) -> bool {
        true
    }

    /// Is there no other way than a search, and the diagrams?
    fn is_search_only(&self) -> bool {
        false
    }

    /// Nothing more will be tried: give what was kept back for something better.
    fn finish(&mut self, _context: &Context<'a>) {}
}

//! A model under questions, as the ways that take turns see it.

use super::board::Board;
use super::conditions::{Structure, Walk};
use super::smaller::{folded::Visited, skeleton::Skeletal, together::Together};
use super::{Asked, Listener, Settings, Subject, Technique};
use crate::budget::Budget;
use crate::explicit::{self, Explicit};
use crate::halt::Halt;
use crate::model::State;
use crate::net::{PetriNet, TransitionId};
use crate::reduction::fusion::Tokens;
use crate::reduction::symmetries::{Colours, Swap, swaps};
use crate::structure::Coverability;
use std::sync::OnceLock;
use std::time::Duration;

/// The time for linear programs, and the part of the budget that they may take.
const PROGRAMS: Duration = Duration::from_secs(20);
const PROGRAMS_PART: u32 = 8;

/// The part of the time that swaps of the net may be looked for, and the most of it.
const SWAPS_PART: u32 = 20;
const SWAPS: Duration = Duration::from_secs(3);

/// Asks questions of another model, from the beginning: [`super::rewriting::operands::run`].
pub(super) type Run = fn(Subject<'_>, &[Asked], &Settings<'_>, &Budget, &dyn Listener, Option<Duration>);

/// Questions of one sort, as the ways that take turns see them. Each method answers what it can and leaves the rest
/// open. Those with a net are called only if the model is one.
pub(super) trait Questionnaire<'a> {
    /// Is there a question of which these ways could still tell something?
    fn is_open(&self, case: &Case<'a>) -> bool;

    /// Answer from the initial state.
    fn by_initial_state(&mut self, _case: &Case<'a>) {}

    /// Answer from the skeleton of a net.
    fn by_skeleton(&mut self, _case: &Case<'a>, _skeletal: &Skeletal) {}

    /// Answer from the structure of a net.
    fn by_structure(&mut self, _case: &Case<'a>, _net: &'a PetriNet, _structure: &Structure) {}

    /// Answer by linear programs once more, and by more of them.
    fn by_more_programs(&mut self, _case: &Case<'a>, _net: &'a PetriNet, _budget: &Budget) {}

    /// Answer from a coverability graph.
    fn by_coverability(&mut self, _case: &Case<'a>, _net: &'a PetriNet, _cover: &Coverability) {}

    /// Look at the marking of a walk; true when there is no use in going on.
    fn on_walk(&mut self, _case: &Case<'a>, _walk: &Walk<'_>) -> bool {
        true
    }

    /// Look at the marking of a walk of a coloured net that is not unfolded; true when there is no use in going on.
    fn on_folded(&mut self, _case: &Case<'a>, _visited: &Visited<'_>) -> bool {
        true
    }

    /// How far numbers of tokens in the places of a skeleton are from where one of the open questions is decided, another one in
    /// each turn.
    fn distance(&self, _case: &Case<'a>, _turn: usize, _skeleton: &PetriNet, _totals: &State) -> Option<u64> {
        None
    }

    /// Lead walks to where questions are decided, within this budget.
    fn by_led_walks(&mut self, _case: &Case<'a>, _walk: &mut Walk<'a>, _budget: &Budget) {}

    /// A net for all open questions, if there is one that is smaller.
    fn together(&self, _case: &Case<'a>, _net: &'a PetriNet, _budget: &Budget) -> Option<Together> {
        None
    }

    /// Answer from a smaller model, spending about a slice on all questions together.
    fn by_reduction(&mut self, _case: &Case<'a>, _slice: Duration) {}

    /// Answer from the markings of an unbounded net that a limit on its tokens leaves, spending about a slice on all
    /// questions together. Says whether a larger limit, the next time, may answer more.
    fn by_token_limit(&mut self, _case: &Case<'a>, _net: &'a PetriNet, _slice: &Budget) -> bool {
        false
    }

    /// Look at the first states of a search, within this budget: what they decide need not be prepared for.
    fn by_first_states(&mut self, _case: &Case<'a>, _budget: &Budget) {}

    /// Search state by state, within this budget.
    ///
    /// # Errors
    /// When it ended early; only one that is for lack of time may be tried again with more.
    fn by_search(&mut self, _case: &Case<'a>, _budget: &Budget) -> Result<(), Halt> {
        Err(Halt::Unsupported("explicit search does not answer this question"))
    }

    /// Look for what decides a question by passes that keep few bits of a state, once memory is not enough for more. Says
    /// whether another one may find more.
    fn by_passes(&mut self, _case: &Case<'a>, _budget: &Budget) -> bool {
        false
    }

    /// Is that a single search, which only loses by being interrupted?
    fn is_one_search(&self, _case: &Case<'a>) -> bool {
        true
    }

    /// Is there no other way than a search, and the diagrams?
    fn is_search_only(&self) -> bool {
        false
    }

    /// Nothing more will be tried: give what was kept back for something better.
    fn finish(&mut self, _case: &Case<'a>) {}
}

/// A model under questions.
pub(super) struct Case<'a> {
    /// What is asked, and what is known of it.
    pub(super) board: &'a Board<'a>,
    /// What is asked about.
    pub(super) subject: Subject<'a>,
    /// How.
    pub(super) settings: &'a Settings<'a>,
    /// Limits of the whole run.
    pub(super) budget: &'a Budget,
    /// Asks a question of a smaller model.
    pub(super) run: Run,
    /// The model compiled for explicit search, once that has been tried.
    compiled: OnceLock<Result<Box<dyn Explicit<'a> + 'a>, Halt>>,
    tokens: OnceLock<Option<Tokens<'a>>>,
    swaps: OnceLock<Vec<Swap>>,
}

impl<'a> Case<'a> {
    /// Does a technique claim a run wherever it looks? In tests alone.
    pub(super) fn is_broken(&self, _technique: Technique) -> bool {
        #[cfg(test)]
        return self.settings.broken == Some(_technique);
        #[cfg(not(test))]
        false
    }

    pub(super) fn new(board: &'a Board<'a>, settings: &'a Settings<'a>, budget: &'a Budget, run: Run) -> Self {
        Case {
            board,
            subject: board.subject,
            settings,
            budget,
            run,
            compiled: OnceLock::new(),
            tokens: OnceLock::new(),
            swaps: OnceLock::new(),
        }
    }

    /// The net that the model is, if it is one.
    pub(super) fn net(&self) -> Option<&'a PetriNet> {
        self.subject.model.as_net()
    }

    /// What the transitions of the net take with each token, for nets in which equivalent places are one.
    pub(super) fn tokens(&self, net: &'a PetriNet) -> Option<&Tokens<'a>> {
        if !self.settings.ideas.fusion {
            return None;
        }
        let looked = || Tokens::new(net, &self.budget.part_up_to(1, PROGRAMS_PART, PROGRAMS));
        self.tokens.get_or_init(looked).as_ref()
    }

    /// Swaps of places that the net does not notice, whatever is asked.
    pub(super) fn swaps(&self) -> &[Swap] {
        let Some(net) = self.net().filter(|_| self.settings.ideas.symmetries) else { return &[] };
        let budget = || self.budget.part_up_to(1, SWAPS_PART, SWAPS);
        self.swaps.get_or_init(|| swaps(net, &Colours::same(net), |_| true, &budget()))
    }

    /// What linear programs may take of the budget.
    pub(super) fn programs_budget(&self) -> Budget {
        self.budget.part_up_to(1, PROGRAMS_PART, PROGRAMS)
    }

    /// The model compiled for explicit search.
    pub(super) fn compiled(&self) -> Result<&(dyn Explicit<'a> + 'a), Halt> {
        let compile = || self.subject.model.compile(&self.settings.encoding, self.budget);
        self.compiled.get_or_init(compile).as_deref().map_err(Halt::clone)
    }

    /// Options of explicit search. One thread is for the diagrams, where there are any.
    pub(super) fn options(&self, witness: bool) -> explicit::Options {
        let threads = self.settings.threads.saturating_sub(usize::from(self.settings.ways.diagrams)).max(1);
        explicit::Options { witness, threads, ..self.settings.explicit.clone() }
    }
}

/// Is one of these transitions enabled?
pub(super) fn some_enabled(flags: &[bool], transitions: &[TransitionId]) -> bool {
    transitions.iter().any(|t| flags.get(t.index()).copied().unwrap_or(false))
}

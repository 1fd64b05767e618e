//! A model under questions, as the ways that take turns see it.

use super::answer::Technique;
use super::board::Board;
use super::profile::{Began, Step, begin};
use super::settings::{Settings, Ways};
use super::solver::Solver;
use super::task::Subject;
use crate::budget::Budget;
use crate::explicit::{self, Explicit};
use crate::net::{PetriNet, TransitionId};
use crate::reduction::fusion::Tokens;
use crate::reduction::symmetries::{Colours, Swap, swaps};
use crate::stop_reason::StopReason;
use std::sync::OnceLock;
use std::time::Duration;

/// The time for linear programs, and the part of the budget that they may take.
const PROGRAMS: Duration = Duration::from_secs(20);
const PROGRAMS_PART: u32 = 8;

/// The part of the time that swaps of the net may be looked for, and the most of it.
const SWAPS_PART: u32 = 20;
const SWAPS: Duration = Duration::from_secs(3);

/// A model under questions.
pub(super) struct Context<'a> {
    /// The questions, and the known facts about them.
    pub(super) board: &'a Board<'a>,
    /// The model under the questions.
    pub(super) subject: Subject<'a>,
    /// How.
    pub(super) settings: &'a Settings<'a>,
    /// Limits of the whole run.
    pub(super) budget: &'a Budget,
    /// Answers questions about other models.
    pub(super) solver: &'a dyn Solver,
    /// The model compiled for explicit search, once that has been tried.
    compiled: OnceLock<Result<Box<dyn Explicit<'a> + 'a>, StopReason>>,
    tokens: OnceLock<Option<Tokens<'a>>>,
    swaps: OnceLock<Vec<Swap>>,
}

impl<'a> Context<'a> {
    /// Does a technique claim a run wherever it looks? In tests alone.
    pub(super) fn is_broken(&self, _technique: Technique) -> bool {
        #[cfg(test)]
        return self.settings.broken == Some(_technique);
        #[cfg(not(test))]
        false
    }

    /// The ways for what is made of the model, without passes beyond memory, which come when nothing else is left, here. What
    /// is made of a net with finitely many markings has finitely many.
    pub(super) fn ways_of_smaller(&self) -> Ways {
        let coverability = self.settings.ways.coverability && !self.board.is_finite();
        Ways { coverability, bit_state: false, ..self.settings.ways }
    }

    pub(super) fn new(
        board: &'a Board<'a>,
        settings: &'a Settings<'a>,
        budget: &'a Budget,
        solver: &'a dyn Solver,
    ) -> Self {
        Context {
            board,
            subject: board.subject,
            settings,
            budget,
            solver,
            compiled: OnceLock::new(),
            tokens: OnceLock::new(),
            swaps: OnceLock::new(),
        }
    }

    /// Begin a step, for the profile.
    pub(super) fn begin(&self, step: Step) -> Began<'a> {
        begin(self.settings.profile, step)
    }

    /// The net that the model is, if it is one.
    pub(super) fn net(&self) -> Option<&'a PetriNet> {
        self.subject.model.as_net()
    }

    /// Inputs of the transitions beside each token, for nets in which equivalent places are one.
    pub(super) fn tokens(&self, net: &'a PetriNet) -> Option<&Tokens<'a>> {
        if !self.settings.techniques.fusion {
            return None;
        }
        let looked = || Tokens::new(net, &self.budget.part_up_to(1, PROGRAMS_PART, PROGRAMS));
        self.tokens.get_or_init(looked).as_ref()
    }

    /// Swaps of places that the net does not notice, whatever is asked.
    pub(super) fn swaps(&self) -> &[Swap] {
        let Some(net) = self.net().filter(|_| self.settings.techniques.symmetries) else { return &[] };
        let budget = || self.budget.part_up_to(1, SWAPS_PART, SWAPS);
        self.swaps.get_or_init(|| swaps(net, &Colours::same(net), |_| true, &budget()))
    }

    /// The part of the budget for linear programs.
    pub(super) fn programs_budget(&self) -> Budget {
        self.budget.part_up_to(1, PROGRAMS_PART, PROGRAMS)
    }

    /// The model compiled for explicit search.
    pub(super) fn compiled(&self) -> Result<&(dyn Explicit<'a> + 'a), StopReason> {
        let compile = || self.subject.model.compile(&self.settings.encoding, self.budget);
        self.compiled.get_or_init(compile).as_deref().map_err(StopReason::clone)
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

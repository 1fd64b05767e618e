//! Passes beyond memory: how many there are, and what is said if they find nothing.
//!
//! Where a search of states has ended for lack of memory, and nothing else is left to be tried, depth-first passes that keep a
//! few bits of each state take its turns ([`crate::explicit::Pass`]). They find, or leave the question open.

use crate::budget::Exhausted;
use crate::decide::context::Context;
use crate::explicit::{BitstateResult, Pass};
use crate::stop_reason::StopReason;

/// Number of complete passes after which no more are begun: each has seen most of what it could. First, where time has
/// a limit.
const ENOUGH: [u32; 2] = [32, 8];

/// The passes for a question, or for several at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::decide) struct Passes {
    begun: u32,
    ended: u32,
    /// The most states that one has seen.
    states: u64,
    /// Another one would fail like the last.
    failed: bool,
}

impl Passes {
    /// The next one. Every other keeps to paths that are no longer than `longest`, if they are to be shown.
    pub(in crate::decide) fn next(&mut self, context: &Context<'_>, longest: Option<usize>) -> Pass {
        let number = self.begun;
        self.begun += 1;
        Pass { number, seed: context.settings.seed, longest: longest.filter(|_| number.is_multiple_of(2)) }
    }

    /// Note what one has seen, before it has come to its end.
    pub(in crate::decide) fn see<T>(&mut self, result: &BitstateResult<T>) {
        self.states = self.states.max(result.stats.states);
    }

    /// Note how one has ended.
    pub(in crate::decide) fn note<T>(&mut self, result: &BitstateResult<T>) {
        self.see(result);
        match &result.stopped {
            None => self.ended += 1,
            Some(StopReason::Exhausted(exhausted)) if *exhausted != Exhausted::Memory => {}
            Some(_) => self.failed = true,
        }
    }

    /// May another one find more?
    pub(in crate::decide) fn may_go_on(&self, context: &Context<'_>) -> bool {
        !self.failed && self.ended < ENOUGH[usize::from(context.budget.deadline().is_none())]
    }

    /// The reason for unknown after all passes.
    pub(in crate::decide) fn reason(&self) -> StopReason {
        StopReason::NotFound { passes: self.begun, states: self.states }
    }
}

//! Questions asked in place of others, and who hears of them by the numbers of those.

use super::{Answer, Explained, Listener, Progress, StateSpace, Technique, Value};
use crate::mdd::Mdd;
use crate::witness::Broken;
use num_bigint::BigUint;

/// How what is heard of some questions is passed on.
pub(super) trait Renumbering: Sync {
    /// Who asked.
    fn listener(&self) -> &dyn Listener;

    /// What a question is to the one who asked; `None` of one that nobody asked.
    fn number(&self, question: usize) -> Option<usize>;

    /// An answer to one of the questions.
    fn answered(&self, answer: Answer);

    /// Is the answer to one of them still wanted?
    fn is_wanted(&self, question: usize) -> bool {
        self.number(question).is_none_or(|question| self.listener().is_wanted(question))
    }
}

/// Passes on what is heard: all but answers as it is.
pub(super) struct Renumbered<T>(pub(super) T);

impl<T: Renumbering> Listener for Renumbered<T> {
    fn answered(&self, answer: Answer) {
        self.0.answered(answer);
    }

    fn is_wanted(&self, question: usize) -> bool {
        self.0.is_wanted(question)
    }

    fn explained(&self, question: usize, explained: Explained) {
        if let Some(question) = self.0.number(question) {
            self.0.listener().explained(question, explained);
        }
    }

    fn set(&self, question: usize, space: &StateSpace, set: &Mdd) {
        if let Some(question) = self.0.number(question) {
            self.0.listener().set(question, space, set);
        }
    }

    fn contradicted(&self, question: usize, one: (Value, Technique), other: (Value, Technique)) {
        // It is an error of the program, whoever hears of it.
        self.0.listener().contradicted(self.0.number(question).unwrap_or(0), one, other);
    }

    fn unconfirmed(&self, question: usize, verdict: bool, technique: Technique, problem: &Broken) {
        self.0.listener().unconfirmed(self.0.number(question).unwrap_or(0), verdict, technique, problem);
    }

    fn explored(&self, space: &StateSpace, behind: Option<&BigUint>) {
        self.0.listener().explored(space, behind);
    }

    fn progress(&self, progress: Progress<'_>) {
        self.0.listener().progress(progress);
    }
}

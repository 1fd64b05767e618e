//! What is heard of some questions, kept until all of them have ended.

use super::board::Explained;
use super::{Answer, Listener, Progress, StateSpace, Technique};
use crate::mdd::Mdd;
use crate::witness::Broken;
use num_bigint::BigUint;
use std::sync::{Mutex, PoisonError};

/// What was heard of a question.
#[derive(Clone, Default, Debug)]
pub struct Heard {
    /// The answer, once it has been given.
    pub answer: Option<Answer>,
    /// Why it is as it is, where a witness is wanted.
    pub explained: Option<Explained>,
}

/// Keeps answers and what explains them, in the order of the questions; sets, spaces and progress go on to another
/// listener if there is one.
pub struct Kept<'a> {
    heard: Mutex<Vec<Heard>>,
    other: Option<&'a dyn Listener>,
}

impl<'a> Kept<'a> {
    /// For so many questions.
    pub fn new(questions: usize) -> Self {
        Kept { heard: Mutex::new(vec![Heard::default(); questions]), other: None }
    }

    /// For so many questions; `other` hears of what is not kept.
    pub fn beside(questions: usize, other: &'a dyn Listener) -> Self {
        Kept { other: Some(other), ..Kept::new(questions) }
    }

    /// What was heard of each question.
    pub fn into_heard(self) -> Vec<Heard> {
        self.heard.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, question: usize, change: impl FnOnce(&mut Heard)) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(heard) = heard.get_mut(question) {
            change(heard);
        }
    }
}

impl Listener for Kept<'_> {
    fn answered(&self, answer: Answer) {
        let question = answer.question;
        self.keep(question, |heard| heard.answer = Some(answer));
    }

    fn explained(&self, question: usize, explained: Explained) {
        self.keep(question, |heard| heard.explained = Some(explained));
    }

    fn set(&self, question: usize, space: &StateSpace, set: &Mdd) {
        self.other.iter().for_each(|other| other.set(question, space, set));
    }

    fn unconfirmed(&self, question: usize, verdict: bool, technique: Technique, problem: &Broken) {
        self.other.iter().for_each(|other| other.unconfirmed(question, verdict, technique, problem));
    }

    fn explored(&self, space: &StateSpace, behind: Option<&BigUint>) {
        self.other.iter().for_each(|other| other.explored(space, behind));
    }

    fn progress(&self, progress: Progress<'_>) {
        if let Some(other) = self.other {
            other.progress(progress);
        }
    }
}

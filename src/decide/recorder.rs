//! Records of the answers to some questions, kept until all of them have ended.

use super::answer::{Answer, Explained, Fault, Listener};
use super::state_space::{Progress, StateSpace};
use crate::mdd::Mdd;
use num_bigint::BigUint;
use std::sync::{Mutex, PoisonError};

/// The record of a question.
#[derive(Clone, Default, Debug)]
pub struct Recorded {
    /// The answer, once it has been given.
    pub answer: Option<Answer>,
    /// Its explanation, where a witness is wanted.
    pub explained: Option<Explained>,
    /// Errors of the program that were found out on the way to it.
    pub faults: Vec<Fault>,
}

/// Keeps answers, what explains them, and faults, in the order of the questions; sets, spaces, progress and faults go on
/// to another listener if there is one.
pub struct Recorder<'a> {
    recorded: Mutex<Vec<Recorded>>,
    other: Option<&'a dyn Listener>,
}

impl<'a> Recorder<'a> {
    /// For so many questions.
    pub fn new(questions: usize) -> Self {
        Recorder { recorded: Mutex::new(vec![Recorded::default(); questions]), other: None }
    }

    /// For so many questions; `other` hears of what is not kept, and of faults.
    pub fn beside(questions: usize, other: &'a dyn Listener) -> Self {
        Recorder { other: Some(other), ..Recorder::new(questions) }
    }

    /// The record of each question.
    pub fn into_recorded(self) -> Vec<Recorded> {
        self.recorded.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, question: usize, change: impl FnOnce(&mut Recorded)) {
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(recorded) = recorded.get_mut(question) {
            change(recorded);
        }
    }
}

impl Listener for Recorder<'_> {
    fn answered(&self, answer: Answer) {
        let question = answer.question;
        self.keep(question, |recorded| recorded.answer = Some(answer));
    }

    fn faulty(&self, question: usize, fault: Fault) {
        self.other.iter().for_each(|other| other.faulty(question, fault.clone()));
        self.keep(question, |recorded| recorded.faults.push(fault));
    }

    fn unbounded(&self, variable: &str) {
        self.other.iter().for_each(|other| other.unbounded(variable));
    }

    fn explained(&self, question: usize, explained: Explained) {
        self.keep(question, |recorded| recorded.explained = Some(explained));
    }

    fn set(&self, question: usize, space: &StateSpace, set: &Mdd) {
        self.other.iter().for_each(|other| other.set(question, space, set));
    }

    fn explored(&self, space: &StateSpace, model_states: Option<&BigUint>) {
        self.other.iter().for_each(|other| other.explored(space, model_states));
    }

    fn progress(&self, progress: Progress<'_>) {
        if let Some(other) = self.other {
            other.progress(progress);
        }
    }
}

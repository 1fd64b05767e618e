//! Questions asked twice: of diagrams and of explicit search, which share nothing but models, formulas and automata.
//!
//! Both run to their ends side by side, each with half of the memory. What they agree on, or what only one of them
//! could answer, is the answer; where they differ, the answer is unknown, and the program has an error.

use super::board::Explained;
use super::{Answer, Asked, Listener, Progress, Settings, StateSpace, Subject, Technique, Value, Ways, decide};
use crate::budget::Budget;
use crate::halt::Halt;
use crate::mdd::Mdd;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the two say of a question.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The number of the question.
    pub question: usize,
    /// What diagrams say.
    pub symbolic: Value,
    /// What explicit search says.
    pub explicit: Value,
}

/// What comes of two answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// They are the same.
    Same,
    /// They differ: the program has an error.
    Different,
    /// One of them is missing, or both are.
    Missing,
}

impl Comparison {
    /// Are the answers the same?
    pub fn agreement(&self) -> Agreement {
        match (&self.symbolic, &self.explicit) {
            (Value::Unknown(_), _) | (_, Value::Unknown(_)) => Agreement::Missing,
            (symbolic, explicit) if symbolic == explicit => Agreement::Same,
            _ => Agreement::Different,
        }
    }
}

/// What is said of a question where engines differ.
const DIFFERENT: Halt = Halt::Unsupported("the engines disagree");

/// Keeps the answers of one engine, and passes on what is only shown.
struct Keep<'a> {
    answers: Mutex<Vec<Option<Answer>>>,
    explained: Mutex<Vec<Option<Explained>>>,
    listener: &'a dyn Listener,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Keep<'_> {
    fn new(questions: usize, listener: &dyn Listener) -> Keep<'_> {
        Keep { answers: Mutex::new(vec![None; questions]), explained: Mutex::new(vec![None; questions]), listener }
    }
}

impl Listener for Keep<'_> {
    fn answered(&self, answer: Answer) {
        let question = answer.question;
        lock(&self.answers)[question] = Some(answer);
    }

    fn explained(&self, question: usize, explained: Explained) {
        lock(&self.explained)[question] = Some(explained);
    }

    fn set(&self, question: usize, space: &StateSpace, set: &Mdd) {
        self.listener.set(question, space, set);
    }

    fn explored(&self, space: &StateSpace) {
        self.listener.explored(space);
    }

    fn progress(&self, progress: Progress<'_>) {
        self.listener.progress(progress);
    }
}

/// Answer the questions twice, by diagrams and by explicit search. The listener hears each answer when both have ended;
/// what the two said is returned.
pub fn decide_twice(
    subject: Subject<'_>,
    asked: &[Asked],
    settings: &Settings<'_>,
    budget: &Budget,
    listener: &dyn Listener,
) -> Vec<Comparison> {
    let (one, other) = (Keep::new(asked.len(), listener), Keep::new(asked.len(), listener));
    let half = budget.share_of_memory(2);
    // Explicit search has no sets.
    let plain: Vec<Asked> = asked.iter().map(|asked| Asked { set: false, ..asked.clone() }).collect();
    let with = |ways: Ways| Settings { ways, ..settings.clone() };
    std::thread::scope(|scope| {
        scope.spawn(|| decide(subject, &plain, &with(Ways::EXPLICIT), &half, &other));
        decide(subject, asked, &with(Ways::SYMBOLIC), &half, &one);
    });
    let mut comparisons = Vec::new();
    let answers = lock(&one.answers).drain(..).zip(lock(&other.answers).drain(..)).collect::<Vec<_>>();
    for (question, (symbolic, explicit)) in answers.into_iter().enumerate() {
        let (Some(symbolic), Some(explicit)) = (symbolic, explicit) else { continue };
        let comparison = Comparison { question, symbolic: symbolic.value.clone(), explicit: explicit.value.clone() };
        let answer = match (comparison.agreement(), &symbolic.value) {
            (Agreement::Different, _) => {
                Answer { value: Value::Unknown(DIFFERENT), technique: Technique::None, ..symbolic }
            }
            // A formula without a value somewhere has none, even if a search does not come there.
            (_, Value::Unknown(halt)) if *halt != Halt::DivisionByZero => explicit,
            _ => symbolic,
        };
        comparisons.push(comparison);
        listener.answered(answer);
        let explained = [&one, &other].map(|keep| lock(&keep.explained)[question].take());
        let [symbolic, explicit] = explained;
        let found = |explained: &Explained| !matches!(explained, Explained::Missing(_));
        let best = symbolic.clone().filter(found).or(explicit.filter(found)).or(symbolic);
        if let Some(explained) = best {
            listener.explained(question, explained);
        }
    }
    comparisons
}

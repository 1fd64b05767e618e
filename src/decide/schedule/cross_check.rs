//! Questions asked twice: of diagrams and of explicit search, which share nothing but models, formulas and automata.
//!
//! Both run to their ends side by side, each with half of the memory. What they agree on, or what only one of them
//! could answer, is the answer; where they differ, the answer is unknown, and the program has an error.

use super::pipeline::decide;
use crate::budget::Budget;
use crate::decide::answer::{Answer, Explained, Listener, Technique, Value};
use crate::decide::recorder::Recorder;
use crate::decide::settings::{Settings, Ways};
use crate::decide::task::{Request, Subject};
use crate::stop_reason::StopReason;

/// The values of the two engines for a question.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The number of the question.
    pub question: usize,
    /// The value from diagrams.
    pub symbolic: Value,
    /// The value from explicit search.
    pub explicit: Value,
}

/// The result of comparing two answers.
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

/// The reason for unknown where engines differ.
const DIFFERENT: StopReason = StopReason::Unsupported("the engines disagree");

/// Answer the questions twice, by diagrams and by explicit search. The listener hears each answer when both have ended;
/// what the two said is returned.
pub fn decide_twice(
    subject: Subject<'_>,
    asked: &[Request],
    settings: &Settings<'_>,
    budget: &Budget,
    listener: &dyn Listener,
) -> Vec<Comparison> {
    let (one, other) = (Recorder::beside(asked.len(), listener), Recorder::beside(asked.len(), listener));
    let half = budget.share_of_memory(2);
    // Explicit search has no sets.
    let plain: Vec<Request> = asked.iter().map(|asked| Request { set: false, ..asked.clone() }).collect();
    let with = |ways: Ways| Settings { ways, ..settings.clone() };
    std::thread::scope(|scope| {
        scope.spawn(|| decide(subject, &plain, &with(Ways::EXPLICIT), &half, &other));
        decide(subject, asked, &with(Ways::SYMBOLIC), &half, &one);
    });
    let mut comparisons = Vec::new();
    for (question, (one, other)) in one.into_recorded().into_iter().zip(other.into_recorded()).enumerate() {
        let (Some(symbolic), Some(explicit)) = (one.answer, other.answer) else { continue };
        let comparison = Comparison { question, symbolic: symbolic.value.clone(), explicit: explicit.value.clone() };
        let answer = match (comparison.agreement(), &symbolic.value) {
            (Agreement::Different, _) => {
                Answer { value: Value::Unknown(DIFFERENT), technique: Technique::None, ..symbolic }
            }
            // A formula without a value somewhere has none, even if a search does not come there.
            (_, Value::Unknown(stop)) if *stop != StopReason::DivisionByZero => explicit,
            _ => symbolic,
        };
        comparisons.push(comparison);
        listener.answered(answer);
        let (symbolic, explicit) = (one.explained, other.explained);
        let found = |explained: &Explained| !matches!(explained, Explained::Missing(_));
        let best = symbolic.clone().filter(found).or(explicit.filter(found)).or(symbolic);
        if let Some(explained) = best {
            listener.explained(question, explained);
        }
    }
    comparisons
}

//! The replay of a log, and rules on models, as text and as JSON.

mod json;
mod rules;
mod text;

pub use json::fields;
pub use rules::{Answer, Ruled, Time, lines, rules};
pub use text::{SHOWN, text};

use crate::traces::{Conformance, Labelled, Log, Outcome, Rule};

/// A log that was replayed.
#[derive(Debug)]
pub struct Replayed<'a> {
    /// The file of the log.
    pub file: &'a str,
    /// The log.
    pub log: &'a Log,
    /// The name of the model.
    pub model_name: &'a str,
    /// The model.
    pub model: &'a Labelled<'a>,
    /// The rules.
    pub rules: &'a [Rule],
    /// What was found.
    pub found: &'a Conformance<'a>,
}

/// What is said of a variant, in text and in JSON.
fn words(outcome: &Outcome) -> (&'static str, &'static str) {
    match outcome {
        Outcome::Complete => ("complete", "complete"),
        Outcome::Open(_) => ("in the middle", "open"),
        Outcome::Leaves { .. } => ("leaves the model", "leaves"),
        Outcome::Unknown => ("unknown", "unknown"),
    }
}

impl Replayed<'_> {
    /// How many traces have such an outcome, by what is said of it in JSON.
    fn traces(&self, key: &str) -> usize {
        self.found.traces(|variant| words(&variant.outcome).1 == key)
    }

    /// The activities of the log that the model does not have.
    fn strangers(&self) -> Vec<&str> {
        self.log.activities().filter(|activity| !self.model.knows(activity)).collect()
    }
}

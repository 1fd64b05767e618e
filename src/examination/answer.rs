//! Questions and answers in the terms of the contest.

use crate::decide::{Fault, Technique, Value};
use crate::formula::PathSemantics;
use std::fmt;
use std::str::FromStr;

/// An examination of the Model Checking Contest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Examination {
    /// Number of reachable markings and of firings, and the greatest token counts.
    StateSpace,
    /// No place ever holds more than one token.
    OneSafe,
    /// Some place holds the same number of tokens in every reachable marking.
    StableMarking,
    /// Every transition is enabled in some reachable marking.
    QuasiLiveness,
    /// From every reachable marking every transition can be enabled again.
    Liveness,
    /// Some reachable marking enables nothing.
    ReachabilityDeadlock,
    /// The greatest sums of tokens.
    UpperBounds,
    /// `EF` and `AG` over token counts.
    ReachabilityCardinality,
    /// `EF` and `AG` over fireability.
    ReachabilityFireability,
    /// CTL over token counts.
    CTLCardinality,
    /// CTL over fireability.
    CTLFireability,
    /// LTL over token counts.
    LTLCardinality,
    /// LTL over fireability.
    LTLFireability,
}

impl Examination {
    /// The path semantics of the formulas of this examination. It depends on the file, not on the formula: `A X p` is
    /// CTL by its form, but among the LTL formulas of the contest it speaks of stuttering paths.
    pub fn paths(self) -> PathSemantics {
        match self {
            Examination::LTLCardinality | Examination::LTLFireability => PathSemantics::Stutter,
            _ => PathSemantics::Maximal,
        }
    }

    /// All of them.
    pub const ALL: [Examination; 13] = [
        Examination::StateSpace,
        Examination::OneSafe,
        Examination::StableMarking,
        Examination::QuasiLiveness,
        Examination::Liveness,
        Examination::ReachabilityDeadlock,
        Examination::UpperBounds,
        Examination::ReachabilityCardinality,
        Examination::ReachabilityFireability,
        Examination::CTLCardinality,
        Examination::CTLFireability,
        Examination::LTLCardinality,
        Examination::LTLFireability,
    ];

    /// The name that the contest uses.
    pub fn name(self) -> &'static str {
        match self {
            Examination::StateSpace => "StateSpace",
            Examination::OneSafe => "OneSafe",
            Examination::StableMarking => "StableMarking",
            Examination::QuasiLiveness => "QuasiLiveness",
            Examination::Liveness => "Liveness",
            Examination::ReachabilityDeadlock => "ReachabilityDeadlock",
            Examination::UpperBounds => "UpperBounds",
            Examination::ReachabilityCardinality => "ReachabilityCardinality",
            Examination::ReachabilityFireability => "ReachabilityFireability",
            Examination::CTLCardinality => "CTLCardinality",
            Examination::CTLFireability => "CTLFireability",
            Examination::LTLCardinality => "LTLCardinality",
            Examination::LTLFireability => "LTLFireability",
        }
    }

    /// Does the examination come with a file of properties, `<name>.xml`?
    pub fn has_properties(self) -> bool {
        self >= Examination::UpperBounds
    }
}

impl fmt::Display for Examination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no examination.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown examination `{0}`; those of the Model Checking Contest are {list}", list = names())]
pub struct UnknownExamination(String);

fn names() -> String {
    Examination::ALL.map(Examination::name).join(", ")
}

impl FromStr for Examination {
    type Err = UnknownExamination;
    fn from_str(word: &str) -> Result<Self, UnknownExamination> {
        let found = Examination::ALL.into_iter().find(|examination| examination.name() == word);
        found.ok_or_else(|| UnknownExamination(word.to_owned()))
    }
}

/// An answer to one question of an examination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The property; for the global properties the name of the examination; for the state space `STATES`,
    /// `TRANSITIONS`, `MAX_TOKEN_IN_PLACE` or `MAX_TOKEN_PER_MARKING`.
    pub id: String,
    /// The answer.
    pub value: Value,
    /// The technique that found it.
    pub technique: Technique,
}

/// What comes of an examination.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// An answer.
    Answer(Answer),
    /// An error of the program that was found out on the way to the answer to the question of this identifier.
    Fault(String, Fault),
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_are_read_back() {
        for examination in Examination::ALL {
            assert_eq!(examination.to_string().parse::<Examination>().unwrap(), examination);
        }
        let error = "Statespace".parse::<Examination>().unwrap_err().to_string();
        assert!(error.contains("`Statespace`") && error.contains("StateSpace, OneSafe"), "{error}");
        assert!(Examination::UpperBounds.has_properties() && !Examination::Liveness.has_properties());
    }
}

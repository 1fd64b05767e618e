//! Why a computation ended without a result: one error for all engines.

use crate::automaton::TranslationError;
use crate::budget::Exhausted;
use crate::formula::Foreign;
use crate::mdd::SetError;

/// Why a computation ended without a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StopReason {
    /// Time, memory, or patience of the caller ran out.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// Memory ran out, and passes that keep a few bits of each state have found nothing, which proves nothing.
    #[error(
        "out of memory; {passes} {} of each state {} {states} states and found nothing, which proves nothing",
        if *passes == 1 { "pass that keeps a few bits" } else { "passes that keep a few bits" },
        if *passes == 1 { "has looked at" } else { "have looked at up to" }
    )]
    NotFound {
        /// How many passes.
        passes: u32,
        /// The most states that one of them has seen, as far as it could tell.
        states: u64,
    },
    /// The disk is full, or the part of it that may be used.
    #[error(
        "{}; what has been explored is there, and a later exploration goes on with it",
        match quota {
            Some(quota) => format!("the quota of the disk, {quota} bytes, is used up"),
            None => "the disk is full".to_owned(),
        }
    )]
    DiskFull {
        /// The bytes that may be used, where that was the limit.
        quota: Option<u64>,
    },
    /// A process of an exploration on several machines has gone, or has never come.
    #[error("{what}; the exploration on several machines has ended with it")]
    Lost {
        /// Which one, and what is known of it.
        what: String,
    },
    /// A variable left the range of values that an engine can represent: 2^32 in diagrams, 2^64 in explicit search.
    #[error(
        "{variable} left the range of 2^{bits} values: the model is unbounded, or beyond what this engine can count"
    )]
    OutOfRange {
        /// Name of the variable.
        variable: String,
        /// The range is that of so many bits.
        bits: u32,
    },
    /// The model has infinitely many reachable states.
    #[error("the net is unbounded: the tokens in {variable} grow without end")]
    Unbounded {
        /// A variable whose values have no bound.
        variable: String,
    },
    /// A formula divides by zero in a reachable state.
    #[error("the formula divides by zero in a reachable state")]
    DivisionByZero,
    /// The value of an expression does not fit 128 bits.
    #[error("an integer expression of the formula exceeds 128 bits")]
    Arithmetic,
    /// A path formula has no automaton.
    #[error(transparent)]
    Translation(TranslationError),
    /// The model itself has failed: a division by zero in it, an index out of range, a server that died.
    #[error("{0}")]
    Model(String),
    /// The question itself could not be read.
    #[error("{0}")]
    Unreadable(String),
    /// A formula that is of another pool, or about another model.
    #[error(transparent)]
    Foreign(#[from] Foreign),
    /// Sets that do not go together.
    #[error("{0}")]
    Mixed(SetError),
    /// The question asks for something that this engine does not do.
    #[error("{0}")]
    Unsupported(&'static str),
}

impl From<SetError> for StopReason {
    fn from(error: SetError) -> Self {
        match error {
            SetError::Exhausted(exhausted) => exhausted.into(),
            mixed => StopReason::Mixed(mixed),
        }
    }
}

impl StopReason {
    /// The reason as a word, for machines.
    pub fn reason(&self) -> &'static str {
        match self {
            StopReason::Exhausted(Exhausted::Time | Exhausted::Work) => "time",
            StopReason::Exhausted(Exhausted::Memory) | StopReason::NotFound { .. } => "memory",
            StopReason::Exhausted(Exhausted::Cancelled) => "interrupted",
            StopReason::DiskFull { .. } => "disk",
            StopReason::Lost { .. } => "lost",
            StopReason::OutOfRange { .. } => "range",
            StopReason::Unbounded { .. } => "unbounded",
            StopReason::DivisionByZero | StopReason::Arithmetic => "undefined",
            StopReason::Model(_) => "model",
            StopReason::Unreadable(_) => "input",
            StopReason::Translation(_) | StopReason::Foreign(_) | StopReason::Mixed(_) | StopReason::Unsupported(_) => {
                "unsupported"
            }
        }
    }

    /// Is it out of time? Then another attempt with more may succeed.
    pub fn is_time(&self) -> bool {
        matches!(self, StopReason::Exhausted(Exhausted::Time | Exhausted::Work))
    }
}

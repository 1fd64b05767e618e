//! How a command ends: exit statuses and failures.

use super::options::Limits;
use starset::budget::Exhausted;
use starset::coloured::UnfoldError;
use starset::pnml::PnmlError;
use starset::symbolic::Halt;
use std::io;
use std::process::ExitCode;

/// How a command ended that did not fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// Everything asked was answered.
    Answered,
    /// A property is false, and --fail-if-false was given.
    Refuted,
    /// Something stayed unknown: time, memory, interruption, an unbounded net.
    Unknown,
    /// A formula has no value in some reachable marking (a division by zero); the user was told.
    Undefined,
    /// What starset found out about its own answers contradicts them; the user was told.
    SelfCheck,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(match status {
            Status::Answered => 0,
            Status::Refuted => 1,
            Status::Undefined => 2,
            Status::Unknown => 3,
            Status::SelfCheck => 4,
        })
    }
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage or input: what is wrong, where, and what to do.
    Input(String),
    /// The net could not be unfolded within the limits, so that everything stayed unknown.
    Unfolding(String),
    /// Results cannot be written to standard output.
    Output(io::Error),
}

impl Failure {
    /// What to tell the user; nothing when the reader of the output has gone away.
    pub(crate) fn message(&self) -> Option<String> {
        match self {
            Failure::Input(message) => Some(message.clone()),
            Failure::Unfolding(message) => Some(format!("unknown: {message}")),
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => None,
            Failure::Output(e) => Some(format!("cannot write the results: {e}")),
        }
    }
}

impl From<Failure> for ExitCode {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Failure::Unfolding(_) => Status::Unknown.into(),
            _ => ExitCode::from(2),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Failure::Output(e)
    }
}

impl From<PnmlError> for Failure {
    fn from(e: PnmlError) -> Self {
        Failure::Input(e.to_string())
    }
}

impl From<UnfoldError> for Failure {
    fn from(e: UnfoldError) -> Self {
        match e {
            UnfoldError::Exhausted(_) | UnfoldError::TooLarge { .. } => Failure::Unfolding(e.to_string()),
            _ => Failure::Input(e.to_string()),
        }
    }
}

/// Why something stayed unknown, and what to do.
pub(crate) fn stopped(halt: &Halt, limits: &Limits) -> String {
    match halt {
        Halt::Exhausted(Exhausted::Time) => match limits.time {
            Some(limit) => format!("unknown: out of time after {} s; try a longer --time", limit.as_secs_f64()),
            None => "unknown: out of time".to_owned(),
        },
        Halt::Exhausted(Exhausted::Memory) => {
            "unknown: out of memory; try a larger --memory or another --order".to_owned()
        }
        Halt::Exhausted(Exhausted::Cancelled) => "unknown: interrupted".to_owned(),
        other => format!("unknown: {other}"),
    }
}

/// The reason why something stayed unknown, as a word.
pub(crate) fn reason(halt: &Halt) -> &'static str {
    match halt {
        Halt::Exhausted(Exhausted::Time) => "time",
        Halt::Exhausted(Exhausted::Memory) => "memory",
        Halt::Exhausted(Exhausted::Cancelled) => "interrupted",
        Halt::OutOfRange { .. } => "range",
        Halt::Unbounded { .. } => "unbounded",
        Halt::DivisionByZero | Halt::Arithmetic => "undefined",
        _ => "unsupported",
    }
}

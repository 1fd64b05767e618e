//! How a command ends: exit statuses and failures.

use starset::examination::batch::{BatchError, OpenError};
use starset::kinds::{ReadError, SavedError};
use starset::report::fields::Fields;
use std::ffi::OsString;
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
    /// Jobs of a batch have no result yet, where the status tells of that.
    Unfinished,
    /// A check of starset contradicts its own answers; the user was told.
    SelfCheck,
}

impl Status {
    /// The exit status.
    pub(crate) fn code(self) -> u8 {
        match self {
            Status::Answered => 0,
            Status::Refuted => 1,
            Status::Undefined => 2,
            Status::Unknown => 3,
            Status::SelfCheck => 4,
            // EX_TEMPFAIL of sysexits.h: try again.
            Status::Unfinished => 75,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status.code())
    }
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage or input: what is wrong, where, and what to do.
    Input(String),
    /// The limits were not enough to begin with, so that everything stayed unknown.
    Unknown(String),
    /// Results cannot be written to standard output.
    Output(io::Error),
}

impl Failure {
    /// The message for the user; none when the reader of the output has gone away.
    pub(crate) fn message(&self) -> Option<String> {
        match self {
            Failure::Input(message) => Some(message.clone()),
            Failure::Unknown(message) => Some(format!("unknown: {message}")),
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => None,
            Failure::Output(e) => Some(format!("cannot write the results: {e}")),
        }
    }
}

impl Failure {
    /// The exit status.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => 0,
            Failure::Unknown(_) => Status::Unknown.code(),
            _ => 2,
        }
    }
}

impl From<Failure> for ExitCode {
    fn from(failure: Failure) -> Self {
        ExitCode::from(failure.code())
    }
}

/// Was JSON asked for? A failure may come before the arguments are understood, so that they are looked at as they are.
pub(crate) fn asks_for_json() -> bool {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).take_while(|argument| argument != "--").collect();
    let form = arguments.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json");
    form || arguments.iter().any(|argument| argument == "--json" || argument == "--format=json")
}

/// A failure for machines: docs/json.md.
pub(crate) fn error(message: &str, status: u8) -> Fields {
    Fields::new("starset/error/1").with("status", status).with("message", message)
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Failure::Output(e)
    }
}

impl From<ReadError> for Failure {
    fn from(e: ReadError) -> Self {
        if e.is_unknown() { Failure::Unknown(e.to_string()) } else { Failure::Input(e.to_string()) }
    }
}

impl From<BatchError> for Failure {
    fn from(e: BatchError) -> Self {
        Failure::Input(e.to_string())
    }
}

impl From<OpenError> for Failure {
    fn from(e: OpenError) -> Self {
        Failure::Input(e.to_string())
    }
}

impl From<SavedError> for Failure {
    fn from(e: SavedError) -> Self {
        match e {
            SavedError::Stopped(_) => Failure::Unknown(e.to_string()),
            _ => Failure::Input(e.to_string()),
        }
    }
}

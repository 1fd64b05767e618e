//! What workers tell each other between states: notes, and why one of them ends.

use crate::budget::Exhausted;
use crate::explicit::disk::{Figures, Misfit};
use crate::stop_reason::StopReason;
use serde::{Deserialize, Serialize};

/// The first word of a packet: what it is. The second one is its round.
pub(super) const STATES: u64 = 0;
pub(super) const NOTE: u64 = 1;
pub(super) const EDGES: u64 = 2;
pub(super) const MARKS: u64 = 3;
/// Words before what a packet is about.
pub(super) const HEAD: usize = 2;

/// What a worker tells all others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) worker: usize,
    /// Another round of this phase is needed.
    pub(super) more: bool,
    /// Its states on this level and those before it; and those on this level, or those of an operator that it has told.
    pub(super) states: u64,
    pub(super) waiting: u64,
    pub(super) misfit: Option<Misfit>,
    /// The first states found on this level, by goal, and the first one that leads to the state in question: values.
    pub(super) found: Vec<(usize, Vec<u64>)>,
    pub(super) leading: Option<Misfit>,
    /// Goals without a value in some state.
    pub(super) undefined: Vec<usize>,
    /// What the automaton of the formula is known by.
    pub(super) automaton: u64,
    /// Why a condition has no value in one of its states.
    pub(super) no_value: Option<Stop>,
    /// Is a formula true in the initial state? Its owner knows.
    pub(super) holds: Option<bool>,
    /// What the names of values are known by, and the encoding, which grows in each process by itself.
    pub(super) names: Vec<(u32, u64, u64)>,
    pub(super) layout: u64,
    /// What it has sent: states, and bytes of its whole process.
    pub(super) sent: [u64; 2],
    /// In phases for that.
    pub(super) sum: Option<Sum>,
    /// It ends here.
    pub(super) stop: Option<Stop>,
}

/// What a worker has found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sum {
    pub(super) figures: Figures,
    /// The level of the deadlock among these.
    pub(super) dead_level: u64,
    pub(super) bytes: u64,
    pub(super) filled: u64,
}

/// Why a worker ends, or a formula has no verdict: what others make of its reason. In order: the first is the one of all.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(super) enum Stop {
    Division,
    Arithmetic,
    Time,
    Memory,
    Cancelled,
    Lost(String),
    Range(String, u32),
    Other(String),
}

impl Stop {
    pub(super) fn of(stop: &StopReason) -> Stop {
        match stop {
            StopReason::Exhausted(Exhausted::Time | Exhausted::Work) => Stop::Time,
            StopReason::Exhausted(Exhausted::Memory) => Stop::Memory,
            StopReason::Exhausted(Exhausted::Cancelled) => Stop::Cancelled,
            StopReason::DivisionByZero => Stop::Division,
            StopReason::Arithmetic => Stop::Arithmetic,
            StopReason::Lost { what } => Stop::Lost(what.clone()),
            StopReason::OutOfRange { variable, bits } => Stop::Range(variable.clone(), *bits),
            other => Stop::Other(other.to_string()),
        }
    }

    /// The reason of a process with this name, which may be the same.
    pub(super) fn reason(self, name: &str, is_own: bool) -> StopReason {
        match self {
            Stop::Cancelled if !is_own => StopReason::Lost { what: format!("{name} was interrupted") },
            Stop::Time if !is_own => StopReason::Lost { what: format!("{name} ran out of time") },
            Stop::Memory if !is_own => StopReason::Lost { what: format!("{name} ran out of memory") },
            Stop::Division => StopReason::DivisionByZero,
            Stop::Arithmetic => StopReason::Arithmetic,
            Stop::Time => Exhausted::Time.into(),
            Stop::Memory => Exhausted::Memory.into(),
            Stop::Cancelled => Exhausted::Cancelled.into(),
            Stop::Lost(what) => StopReason::Lost { what },
            Stop::Range(variable, bits) => StopReason::OutOfRange { variable, bits },
            Stop::Other(what) => StopReason::Model(what),
        }
    }
}

/// Do all workers mean the same by their words?
pub(super) fn same(notes: &[Note]) -> Result<(), StopReason> {
    if notes.iter().any(|note| note.names != notes[0].names) {
        return Err(StopReason::Unsupported(
            "the values of this model are numbered while it is explored, by each process otherwise: it cannot be \
             explored on several machines",
        ));
    }
    if notes.iter().any(|note| note.layout != notes[0].layout) {
        return Err(StopReason::Unsupported(
            "the processes encode states in different ways: they run different builds",
        ));
    }
    Ok(())
}

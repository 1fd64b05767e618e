//! What an exploration on several machines is asked, and what comes of it.

use super::host::Host;
use crate::explicit::{Exploration, Stats, Trace, View};
use crate::model::State;
use crate::stop_reason::StopReason;

/// The processes of an exploration, and this one among them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cluster {
    /// Where each process listens, in the same order for all of them.
    pub hosts: Vec<Host>,
    /// The index of this process among these.
    pub process: usize,
    /// A number that the content of the model and the way in which it is read decide: all processes have the same.
    pub fingerprint: u64,
}

/// Why an exploration on several machines has not begun.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// It was stopped while processes waited for each other.
    #[error(transparent)]
    Stopped(#[from] StopReason),
    /// The list of the processes, or what one of them is asked, is wrong: what, and what to do.
    #[error("{0}")]
    Refused(String),
}

/// A condition on states that are looked for; `None` where it has no value.
pub type Goal<'g> = &'g (dyn Fn(View<'_>) -> Option<bool> + Sync);

/// What a search on several machines has found, however it ended.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Found {
    /// For each goal a shortest path to a state that satisfies it, if one has been found.
    pub traces: Vec<Option<Trace>>,
    /// Have all states been seen, or paths to all goals been found? Otherwise nothing follows from there being no path.
    pub has_seen_all: bool,
    /// For each goal whether it has no value in some state: then nothing follows, either. None before all states have been
    /// seen.
    pub undefined: Vec<bool>,
    /// For each formula, as far as it came, whether it is true in the initial state, or why that is not known.
    pub verdicts: Vec<Result<bool, StopReason>>,
    /// Effort of all processes together, as far as it is known.
    pub stats: Stats,
}

/// The end of an exploration on several machines, or of a search there, with what is known however it came. All processes
/// know the same, if there was an end.
#[derive(Debug)]
pub struct Distributed<T = Exploration> {
    /// The numbers of all states, if there was an end. The sizes of the effort are those of all processes together.
    pub ended: Result<T, StopReason>,
    /// A state that enables nothing, if there was an end: one of the least level that has any, as far as levels were
    /// expanded.
    pub deadlock: Option<State>,
    /// At least so many states are reachable.
    pub states: u64,
    /// Levels whose states have all been expanded: states at a distance below this number.
    pub levels: u64,
    /// How many processes there are, and how many threads each of them has.
    pub processes: usize,
    /// See `processes`.
    pub threads: usize,
    /// States that went from one process to another, and the bytes of all that did: known to the last level if there
    /// was no end.
    pub sent_states: u64,
    /// See `sent_states`.
    pub sent_bytes: u64,
}

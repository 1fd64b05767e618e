//! Results of searches for states: numbers, and paths to states.

use super::Stats;
use super::lift::lifted;
use super::packed_model::PackedModel;
use super::states::States;
use super::store::StateId;
use crate::model::{Path, State, Then};
use crate::stop_reason::StopReason;

/// The numbers of a complete exploration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exploration {
    /// Reachable states.
    pub states: u128,
    /// Pairs of a reachable state and a step enabled in it.
    pub transitions: u128,
    /// Reachable states that enable nothing; where time passes by itself, nothing else then and later.
    pub deadlocks: u128,
    /// Reachable states, what clocks show left aside; nothing where there are no clocks.
    pub markings: Option<u128>,
    /// The largest value of each variable: the most tokens that a place ever holds, the highest number of a local state.
    pub bounds: Vec<u64>,
    /// The largest sum of all values of a state: the most tokens that a marking of a net holds.
    pub max_tokens_per_marking: u128,
    /// Which actions are taken somewhere.
    pub fireable: Vec<bool>,
    /// Effort.
    pub stats: Stats,
}

impl Exploration {
    /// The largest value that any variable ever has: of a net, the most tokens in a place.
    pub fn max_tokens_in_place(&self) -> u64 {
        self.bounds.iter().copied().max().unwrap_or(0)
    }
}

/// A path from the initial state; from one of them, if there are several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Its steps, and whether it can go on.
    pub path: Path,
    /// The state at the end of these steps.
    pub last: State,
}

/// The result of a search for states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// A path to the state at which the search was ended, a shortest one unless stubborn sets are fired; `None` if it went on to the
    /// end: every reachable state that satisfies the goal has been reported.
    pub trace: Option<Trace>,
    /// Effort.
    pub stats: Stats,
}

/// Is told of each state that is found, with the effort so far; says whether the search goes on.
pub(super) type Report<'r> = &'r mut dyn FnMut(&Trace, &Stats) -> bool;

/// How far a search is, breadth first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// States that wait for their successors to be found.
    pub waiting: u64,
    /// The most that did so at a time.
    pub widest: u64,
    /// Memory in bytes.
    pub bytes: u64,
}

/// The steps along some states, of the model itself where these stand for others.
pub(super) fn trace<S: PackedModel>(states: &States<S>, path: &[StateId], then: Then) -> Result<Trace, StopReason> {
    let mut prefix = Vec::with_capacity(path.len());
    for step in path.windows(2) {
        prefix.extend(states.step(step[0], step[1])?);
    }
    let mut words = Vec::new();
    let mut state = |id: Option<&StateId>| {
        states.read(id.copied().unwrap_or(0), &mut words);
        states.unpacked(&words)
    };
    let (prefix, last) = lifted(states.space(), &state(path.first()), prefix, state(path.last()))?;
    Ok(Trace { path: Path { prefix, then }, last })
}

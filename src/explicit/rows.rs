//! Edges of a graph as in a compressed sparse matrix: all rows in one array, and where each of them ends.

use super::store::StateId;
use crate::stop_reason::StopReason;

/// More edges than a graph keeps.
pub(super) const TOO_MANY: StopReason =
    StopReason::Unsupported("the explicit engine does not keep graphs of more than 2^32 edges");

/// One direction of the edges.
#[derive(Debug)]
pub(super) struct Rows {
    /// Where the row of each state ends.
    pub(super) ends: Vec<u32>,
    /// All rows, one after the other.
    pub(super) states: Vec<StateId>,
}

impl Rows {
    #[inline]
    pub(super) fn of(&self, state: usize) -> &[StateId] {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.states[start as usize..self.ends[state] as usize]
    }
}

/// Where rows of these lengths end, one after the other, and all of them.
pub(super) fn sums(lengths: &mut [u32]) -> u32 {
    let mut sum = 0;
    for length in lengths {
        sum += *length;
        *length = sum;
    }
    sum
}

//! The successors of the states that one thread has expanded.
//!
//! States are expanded in ranges of numbers, so it is said once for a range which states its rows are of.

use crate::budget::Exhausted;
use crate::explicit::beside::Beside;
use crate::explicit::store::{Inserted, StateId};

/// The edges will be there a second time when what threads have is put together.
const COPIES: u64 = 2;

/// The edges from some states: a row for each.
#[derive(Debug, Default)]
pub(super) struct Edges {
    /// States with numbers that follow each other: the first one, and how many rows there are before its own.
    runs: Vec<(StateId, usize)>,
    /// Where each row ends.
    ends: Vec<u32>,
    successors: Vec<StateId>,
}

impl Edges {
    /// Add the row of a state.
    pub(super) fn add(&mut self, id: StateId, row: &[Inserted], beside: Beside<'_>) -> Result<(), Exhausted> {
        beside.room_for(COPIES, &mut self.successors, row.len())?;
        beside.room_for(COPIES, &mut self.ends, 1)?;
        beside.room_for(COPIES, &mut self.runs, 1)?;
        let follows = |&(start, before): &(StateId, usize)| start as usize + self.ends.len() - before == id as usize;
        if !self.runs.last().is_some_and(follows) {
            self.runs.push((id, self.ends.len()));
        }
        self.successors.extend(row.iter().map(|inserted| inserted.id()));
        self.ends.push(self.successors.len() as u32);
        Ok(())
    }

    /// Each state with its successors.
    pub(super) fn iter(&self) -> impl Iterator<Item = (StateId, &[StateId])> {
        let ends = self.runs.iter().skip(1).map(|run| run.1).chain([self.ends.len()]);
        let states =
            self.runs.iter().zip(ends).flat_map(|(&(start, before), end)| start..start + (end - before) as u32);
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let rows = starts.zip(&self.ends).map(|(start, &end)| &self.successors[start as usize..end as usize]);
        states.zip(rows)
    }

    /// Numbers get smaller, in the same order; those of states with numbers that follow each other by the same.
    pub(super) fn move_by(&mut self, by: impl Fn(StateId) -> StateId) {
        self.runs.iter_mut().for_each(|run| run.0 -= by(run.0));
        self.successors.iter_mut().for_each(|id| *id -= by(*id));
    }
}

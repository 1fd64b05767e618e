//! The order in which the values of a node under construction are worked on.
//!
//! Closing a node fires events on its children until nothing is added; each child that grew has to be fired
//! on again. Events move tokens by small steps, mostly, so growth runs along the values in one direction at
//! a time. The values that grew are therefore visited as a lift visits floors: on in one direction while
//! any of them lies ahead, then back. (Always taking the smallest value that grew costs a run through all
//! values for every step against the direction: with 100 tokens a place, most of the time.)

use crate::budget::Exhausted;
use crate::mdd::{ChildList, Held, Session};
use smallvec::SmallVec;

/// The values of a [`ChildList`] that are to be worked on, as something has grown, or shrunk, since they were last.
pub(super) struct Sweep {
    grown: SmallVec<[bool; 16]>,
    /// Position of the value that is worked on.
    cursor: usize,
    upward: bool,
}

impl Sweep {
    /// All values of a list of this length are to be worked on.
    pub(super) fn new(length: usize) -> Self {
        Sweep { grown: SmallVec::from_elem(true, length), cursor: length.saturating_sub(1), upward: false }
    }

    /// The position of the value to work on next, which then counts as done.
    #[inline]
    pub(super) fn next(&mut self) -> Option<usize> {
        let position =
            if self.upward { self.ahead().or_else(|| self.behind()) } else { self.behind().or_else(|| self.ahead()) };
        let position = position?;
        self.upward = position >= self.cursor;
        self.cursor = position;
        self.grown[position] = false;
        Some(position)
    }

    /// The value at this position is to be worked on again.
    #[inline]
    pub(super) fn again(&mut self, position: usize) {
        self.grown[position] = true;
    }

    fn ahead(&self) -> Option<usize> {
        let from = self.cursor.min(self.grown.len());
        self.grown[from..].iter().position(|&grown| grown).map(|offset| from + offset)
    }

    fn behind(&self) -> Option<usize> {
        let until = (self.cursor + 1).min(self.grown.len());
        self.grown[..until].iter().rposition(|&grown| grown)
    }

    /// Add `child` to the child of `value` in `list`, a node on `level`, and note whether that grew.
    #[inline]
    pub(super) fn add<'m, 'id>(
        &mut self,
        session: &Session<'m, 'id>,
        level: u32,
        list: &mut ChildList<'m, 'id>,
        value: u32,
        child: Held<'m, 'id>,
    ) -> Result<(), Exhausted> {
        match list.position(value) {
            Ok(position) => {
                let union = session.union(level + 1, list.child(position), child.edge())?;
                if union.edge() != list.child(position) {
                    list.replace(position, union);
                    self.grown[position] = true;
                }
            }
            Err(position) => {
                list.insert(position, value, child);
                self.grown.insert(position, true);
                // Stay at the value that is worked on.
                if position <= self.cursor {
                    self.cursor += 1;
                }
            }
        }
        Ok(())
    }
}

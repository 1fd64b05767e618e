//! The state that each state was first reached from, as far as one thread knows.
//!
//! States that one expansion has found mostly have numbers that follow each other: an entry is a range of them. A
//! thread is given numbers in order, so its entries are sorted.

use crate::budget::Exhausted;
use crate::explicit::beside::Beside;
use crate::explicit::store::StateId;

/// States that were found from the same one.
#[derive(Clone, Copy, Debug)]
struct Siblings {
    start: StateId,
    end: StateId,
    origin: StateId,
}

/// Where a thread has found states.
#[derive(Debug, Default)]
pub(super) struct Origins {
    siblings: Vec<Siblings>,
}

impl Origins {
    /// Add a state with a greater number than those before. What that takes is counted with the store.
    pub(super) fn add(&mut self, new: StateId, origin: StateId, beside: Beside<'_>) -> Result<(), Exhausted> {
        match self.siblings.last_mut() {
            Some(last) if last.end == new && last.origin == origin => last.end += 1,
            _ => {
                beside.room(&mut self.siblings, 1)?;
                self.siblings.push(Siblings { start: new, end: new + 1, origin });
            }
        }
        Ok(())
    }

    /// The state that one was found from, if this thread has found it.
    pub(super) fn of(&self, id: StateId) -> Option<StateId> {
        let after = self.siblings.partition_point(|siblings| siblings.start <= id);
        let siblings = self.siblings[..after].last()?;
        (id < siblings.end).then_some(siblings.origin)
    }

    /// Numbers get smaller, in the same order; those of siblings by the same.
    pub(super) fn move_by(&mut self, by: impl Fn(StateId) -> StateId) {
        for Siblings { start, end, origin } in &mut self.siblings {
            let less = by(*start);
            (*start, *end) = (*start - less, *end - less);
            *origin -= by(*origin);
        }
    }
}

//! The common data of a search whose states keep their numbers while tables grow.
//!
//! Depth-first searches have numbers on their paths, and what they know of states rests on them. So where the encoding grows,
//! the numbers that threads have taken and not used stay unused.

use super::beside::{Beside, Taken};
use super::packed_model::{PackedModel, Rule};
use super::states::States;
use super::store::{Refusal, StateId, Writer};
use crate::budget::{Budget, Exhausted};
use crate::stop_reason::StopReason;
use std::ops::Range;

/// The states, and what is counted with them.
#[derive(Debug)]
pub(super) struct Steady<S: PackedModel> {
    pub(super) states: States<S>,
    taken: Taken,
    /// Numbers that no state has or will have, sorted.
    holes: Vec<Range<StateId>>,
}

/// Work that a thread has to do alone.
#[derive(Debug)]
pub(super) enum Need {
    Room(Refusal),
    /// The result of a firing needs another layout.
    Layout(StateId, Rule),
}

impl<S: PackedModel> Steady<S> {
    /// The states found so far, and a writer for each of so many threads.
    pub(super) fn new(mut states: States<S>, threads: u32) -> Result<(Self, Vec<Writer>), Exhausted> {
        let writers = states.store_mut().share(threads)?;
        Ok((Steady { states, taken: Taken::default(), holes: Vec::new() }, writers))
    }

    pub(super) fn beside(&self) -> Beside<'_> {
        self.taken.beside(self.states.store())
    }

    /// Do alone what a thread could not do beside others.
    pub(super) fn provide<'w>(
        &mut self,
        need: Need,
        writers: impl IntoIterator<Item = &'w mut Writer>,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let writers: Vec<&mut Writer> = writers.into_iter().collect();
        let threads = writers.len() as u32;
        let (id, rule) = match need {
            Need::Room(refusal) => return Ok(self.states.store_mut().make_room(refusal, threads)?),
            Need::Layout(id, rule) => (id, rule),
        };
        self.holes.extend(writers.iter().map(|writer| writer.spare()).filter(|hole| !hole.is_empty()));
        self.holes.sort_by_key(|hole| hole.start);
        let used = self.states.store().used(&self.holes);
        self.states.grow_in_place(&used, id, rule, budget)?;
        self.taken.move_to(self.states.store())?;
        let fresh = self.states.store_mut().share(threads)?;
        writers.into_iter().zip(fresh).for_each(|(writer, fresh)| *writer = fresh);
        Ok(())
    }
}

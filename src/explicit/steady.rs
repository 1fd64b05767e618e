//! What threads share of a search whose states keep their numbers, whatever grows.
//!
//! Depth-first searches have numbers on their paths, and what they know of states rests on them. So where the encoding grows,
//! the numbers that threads have taken and not used stay unused.

use super::space::{Rule, Space};
use super::states::States;
use super::store::{Refusal, StateId, Store, Writer};
use crate::budget::{Budget, Exhausted};
use crate::halt::Halt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The states, and what is counted with them.
#[derive(Debug)]
pub(super) struct Steady<S: Space> {
    pub(super) states: States<S>,
    /// Bytes that are counted with the store.
    beside: AtomicU64,
    /// Numbers that no state has or will have, sorted.
    holes: Vec<Range<StateId>>,
}

/// What has to be done while a thread is alone.
#[derive(Debug)]
pub(super) enum Need {
    Room(Refusal),
    /// The result of a firing needs another layout.
    Layout(StateId, Rule),
}

/// Where bytes beside the store are counted.
#[derive(Clone, Copy)]
pub(super) struct Beside<'s> {
    store: &'s Store,
    taken: &'s AtomicU64,
}

impl Beside<'_> {
    pub(super) fn take(self, bytes: u64) -> Result<(), Exhausted> {
        self.store.take(bytes)?;
        self.taken.fetch_add(bytes, Relaxed);
        Ok(())
    }

    /// Have room for so many more items.
    #[inline]
    pub(super) fn room<T>(self, items: &mut Vec<T>, more: usize) -> Result<(), Exhausted> {
        if items.capacity() - items.len() < more {
            let more = more.max(items.len()).max(64);
            self.take(((items.len() + more - items.capacity()) * size_of::<T>()) as u64)?;
            items.reserve_exact(more);
        }
        Ok(())
    }
}

impl<S: Space> Steady<S> {
    /// The states found so far, and a writer for each of so many threads.
    pub(super) fn new(mut states: States<S>, threads: u32) -> Result<(Self, Vec<Writer>), Exhausted> {
        let writers = states.store_mut().share(threads)?;
        Ok((Steady { states, beside: AtomicU64::new(0), holes: Vec::new() }, writers))
    }

    pub(super) fn beside(&self) -> Beside<'_> {
        Beside { store: self.states.store(), taken: &self.beside }
    }

    /// Do alone what a thread could not do beside others.
    pub(super) fn provide<'w>(
        &mut self,
        need: Need,
        writers: impl IntoIterator<Item = &'w mut Writer>,
        budget: &Budget,
    ) -> Result<(), Halt> {
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
        self.states.store().take(self.beside.load(Relaxed))?;
        let fresh = self.states.store_mut().share(threads)?;
        writers.into_iter().zip(fresh).for_each(|(writer, fresh)| *writer = fresh);
        Ok(())
    }
}

//! Bytes that a search keeps beside the store, counted with it.

use super::store::Store;
use crate::budget::Exhausted;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many there are.
#[derive(Debug, Default)]
pub(super) struct Taken(AtomicU64);

/// Where they are counted.
#[derive(Clone, Copy)]
pub(super) struct Beside<'s> {
    store: &'s Store,
    taken: &'s Taken,
}

impl Taken {
    /// Count with this store.
    #[inline]
    pub(super) fn beside<'s>(&'s self, store: &'s Store) -> Beside<'s> {
        Beside { store, taken: self }
    }

    /// Count all of them with another store.
    pub(super) fn move_to(&self, store: &Store) -> Result<(), Exhausted> {
        store.take(self.0.load(Relaxed))
    }
}

impl Beside<'_> {
    pub(super) fn take(self, bytes: u64) -> Result<(), Exhausted> {
        self.store.take(bytes)?;
        self.taken.0.fetch_add(bytes, Relaxed);
        Ok(())
    }

    /// Have room for so many more items.
    #[inline]
    pub(super) fn room<T>(self, items: &mut Vec<T>, more: usize) -> Result<(), Exhausted> {
        self.room_for(1, items, more)
    }

    /// The same for items that will be there so many times.
    #[inline]
    pub(super) fn room_for<T>(self, times: u64, items: &mut Vec<T>, more: usize) -> Result<(), Exhausted> {
        if items.capacity() - items.len() < more {
            let more = more.max(items.len()).max(64);
            self.take(times * ((items.len() + more - items.capacity()) * size_of::<T>()) as u64)?;
            items.reserve_exact(more);
        }
        Ok(())
    }
}

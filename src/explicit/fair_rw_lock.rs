//! A lock for what many read all the time, and one has to itself now and then.
//!
//! Who reads it lets go for a moment only, between two ranges. A writer that sleeps meanwhile wakes up too late, and
//! finds it taken again; the lock of the standard library then lets it sleep on. On two threads that was the fifth part
//! of a search. Here readers stop at a door while somebody waits.

use crate::stop_reason::StopReason;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Why a search ends one of whose threads has panicked.
pub(super) const FAILED: StopReason = StopReason::Unsupported("a thread of the search has failed");

/// Have what a thread that has failed may have left as it was.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The lock.
#[derive(Debug)]
pub(super) struct FairRwLock<T> {
    data: RwLock<T>,
    /// Those who wait to have it to themselves.
    waiting: AtomicUsize,
    /// Held by one of them.
    door: Mutex<()>,
}

impl<T> FairRwLock<T> {
    pub(super) fn new(data: T) -> Self {
        FairRwLock { data: RwLock::new(data), waiting: AtomicUsize::new(0), door: Mutex::new(()) }
    }

    /// Read it beside others.
    #[inline]
    pub(super) fn read(&self) -> RwLockReadGuard<'_, T> {
        if self.waiting.load(Relaxed) > 0 {
            drop(lock(&self.door));
        }
        self.data.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Have it alone.
    pub(super) fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.waiting.fetch_add(1, Relaxed);
        let door = lock(&self.door);
        let data = self.data.write().unwrap_or_else(PoisonError::into_inner);
        drop(door);
        self.waiting.fetch_sub(1, Relaxed);
        data
    }

    pub(super) fn get_mut(&mut self) -> &mut T {
        self.data.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn into_inner(self) -> T {
        self.data.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

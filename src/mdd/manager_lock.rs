//! The lock of a manager: one thread at a time works in a space.
//!
//! Reference counts and the operation cache are touched several times per recursive call. Made safe for
//! concurrent threads by atomic read-modify-write instructions, these took a third of the time of
//! saturation. So a thread takes its *turn* for the length of an operation, and both are plain loads and
//! stores. Threads that want to work at the same time use a space each ([`super::Mdd::transfer`] copies sets
//! between them), which also spares them fighting over cache lines.
//!
//! Turns nest: a thread whose turn it is may take another one. Who waits for a turn waits no longer than its budget
//! lasts: operations of others may be long. Roots that are dropped while it is the turn of
//! another thread are put aside, since to wait for that thread might be to wait for ever; whoever ends a turn
//! drops them.

use crate::budget::{Budget, Exhausted};
use std::marker::PhantomData;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// How often a thread that waits looks whether it is cancelled.
const LOOK: Duration = Duration::from_millis(10);

struct State<R> {
    owner: Option<ThreadId>,
    depth: usize,
    /// Roots to be dropped.
    aside: Vec<R>,
}

/// The turns of one space with roots of type `R`.
pub(super) struct ManagerLock<R> {
    state: Mutex<State<R>>,
    ended: Condvar,
}

/// It is the turn of this thread until this is dropped.
pub(super) struct ManagerGuard<R> {
    lock: Arc<ManagerLock<R>>,
    /// Turns belong to threads.
    not_send: PhantomData<*const ()>,
}

impl<R> ManagerGuard<R> {
    /// Wait for a turn, however long that takes.
    pub(super) fn wait(lock: &Arc<ManagerLock<R>>) -> Self {
        lock.begin();
        ManagerGuard { lock: Arc::clone(lock), not_send: PhantomData }
    }

    /// Wait for a turn while the budget lasts.
    pub(super) fn take(lock: &Arc<ManagerLock<R>>, budget: &Budget) -> Result<Self, Exhausted> {
        lock.begin_within(budget)?;
        Ok(ManagerGuard { lock: Arc::clone(lock), not_send: PhantomData })
    }
}

impl<R> Drop for ManagerGuard<R> {
    fn drop(&mut self) {
        self.lock.end();
    }
}

impl<R> Default for ManagerLock<R> {
    fn default() -> Self {
        let state = Mutex::new(State { owner: None, depth: 0, aside: Vec::new() });
        ManagerLock { state, ended: Condvar::new() }
    }
}

impl<R> ManagerLock<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wait for a turn, which is to be ended by [`ManagerLock::end`].
    pub(super) fn begin(&self) {
        let me = thread::current().id();
        let mut state = self.lock();
        while state.owner.is_some_and(|owner| owner != me) {
            state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.owner = Some(me);
        state.depth += 1;
    }

    /// Wait for a turn while the budget lasts. It is to be ended by [`ManagerLock::end`].
    fn begin_within(&self, budget: &Budget) -> Result<(), Exhausted> {
        let me = thread::current().id();
        let mut state = self.lock();
        // Whoever is woken by the end of a turn takes the next one, or another thread has it, which will wake the next.
        while state.owner.is_some_and(|owner| owner != me) {
            budget.check()?;
            let time = budget.remaining().map_or(LOOK, |left| left.min(LOOK));
            (state, _) = self.ended.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner);
        }
        state.owner = Some(me);
        state.depth += 1;
        Ok(())
    }

    /// End the turn that this thread began last.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        while state.depth == 1 && !state.aside.is_empty() {
            let aside = std::mem::take(&mut state.aside);
            drop(state);
            drop(aside);
            state = self.lock();
        }
        state.depth -= 1;
        if state.depth == 0 {
            state.owner = None;
            drop(state);
            self.ended.notify_one();
        }
    }

    /// Drop a root: now if it is nobody else's turn, at the end of that turn otherwise.
    pub(super) fn drop_root(&self, root: R) {
        let me = thread::current().id();
        let mut state = self.lock();
        if state.owner.is_some_and(|owner| owner != me) {
            state.aside.push(root);
            return;
        }
        state.owner = Some(me);
        state.depth += 1;
        drop(state);
        drop(root);
        self.end();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::budget::{Budget, Exhausted};
    use crate::mdd::MddManager;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::thread;
    use std::time::Duration;

    /// Dropping a set does not wait for the turn of another thread, and its nodes are freed in the end.
    #[test]
    fn roots_are_put_aside() {
        // A small store, which Miri has room for.
        let budget = Budget::unlimited().with_memory(1 << 20);
        let space = MddManager::new(3, &budget).unwrap();
        let (set, other) = (space.tuple(&[1, 2, 3], &budget).unwrap(), space.tuple(&[4, 5, 6], &budget).unwrap());
        set.read(|_, _| {
            thread::scope(|scope| scope.spawn(move || drop(other)).join().unwrap());
        });
        space.collect_garbage();
        assert_eq!(space.node_count(), 3);
        drop(set);
        space.collect_garbage();
        assert_eq!(space.node_count(), 0);
    }

    /// A thread that waits for another stops when the budget is used up, or the wait is cancelled.
    #[test]
    fn waiting_ends_with_the_budget() {
        // A small store, which Miri has room for.
        let budget = Budget::unlimited().with_memory(1 << 20);
        let space = MddManager::new(2, &budget).unwrap();
        let set = space.tuple(&[1, 2], &budget).unwrap();
        let flag = Arc::new(AtomicBool::new(false));
        set.read(|_, _| {
            thread::scope(|scope| {
                let waiting = |budget: Budget| {
                    let set = &set;
                    scope.spawn(move || set.union(set, &budget).map(|_| ()))
                };
                let timed = waiting(budget.clone().with_time(Duration::from_millis(20)));
                let cancelled = waiting(budget.clone().with_flag(Arc::clone(&flag)));
                assert_eq!(timed.join().unwrap(), Err(Exhausted::Time.into()));
                assert!(!cancelled.is_finished());
                flag.store(true, Relaxed);
                assert_eq!(cancelled.join().unwrap(), Err(Exhausted::Cancelled.into()));
            });
        });
        assert!(set.union(&set, &budget).unwrap() == set);
    }

    /// Operations within an operation of the same thread do not wait for ever.
    #[test]
    fn turns_nest() {
        // A small store, which Miri has room for.
        let budget = Budget::unlimited().with_memory(1 << 20);
        let space = MddManager::new(2, &budget).unwrap();
        let set = space.tuple(&[1, 2], &budget).unwrap();
        let union = set.read(|_, _| set.union(&space.tuple(&[0, 2], &budget).unwrap(), &budget));
        assert_eq!(union.unwrap().count(&budget).unwrap(), 2u32.into());
    }
}

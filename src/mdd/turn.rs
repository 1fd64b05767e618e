//! Whose turn it is: one thread at a time works in a space.
//!
//! Reference counts and the operation cache are touched several times per recursive call. Made safe for
//! concurrent threads by atomic read-modify-write instructions, these took a third of the time of
//! saturation. So a thread takes its *turn* for the length of an operation, and both are plain loads and
//! stores. Threads that want to work at the same time use a space each ([`super::Mdd::transfer`] copies sets
//! between them), which also spares them fighting over cache lines.
//!
//! Turns nest: a thread whose turn it is may take another one. Roots that are dropped while it is the turn of
//! another thread are put aside, since to wait for that thread might be to wait for ever; whoever ends a turn
//! drops them.

use super::diagram::Root;
use std::marker::PhantomData;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

#[derive(Default)]
struct State {
    owner: Option<ThreadId>,
    depth: usize,
    /// Roots to be dropped.
    aside: Vec<Root>,
}

/// The turns of one space.
#[derive(Default)]
pub(super) struct Turns {
    state: Mutex<State>,
    ended: Condvar,
}

/// It is the turn of this thread until this is dropped.
pub(super) struct Turn {
    turns: Arc<Turns>,
    /// Turns belong to threads.
    not_send: PhantomData<*const ()>,
}

impl Turn {
    /// Wait for a turn.
    pub(super) fn take(turns: &Arc<Turns>) -> Self {
        turns.begin();
        Turn { turns: Arc::clone(turns), not_send: PhantomData }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.end();
    }
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wait for a turn, which is to be ended by [`Turns::end`].
    pub(super) fn begin(&self) {
        let me = thread::current().id();
        let mut state = self.lock();
        while state.owner.is_some_and(|owner| owner != me) {
            state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.owner = Some(me);
        state.depth += 1;
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
    pub(super) fn drop_root(&self, root: Root) {
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
    use crate::budget::Budget;
    use crate::mdd::MddSpace;
    use std::thread;

    /// Dropping a set does not wait for the turn of another thread, and its nodes are freed in the end.
    #[test]
    fn roots_are_put_aside() {
        // A small store, which Miri has room for.
        let budget = Budget::unlimited().with_memory(1 << 20);
        let space = MddSpace::new(3, &budget).unwrap();
        let (set, other) = (space.tuple(&[1, 2, 3], &budget).unwrap(), space.tuple(&[4, 5, 6], &budget).unwrap());
        set.with_session(&budget, |_, _| {
            thread::scope(|scope| scope.spawn(move || drop(other)).join().unwrap());
        });
        space.collect_garbage();
        assert_eq!(space.node_count(), 3);
        drop(set);
        space.collect_garbage();
        assert_eq!(space.node_count(), 0);
    }

    /// Operations within an operation of the same thread do not wait for ever.
    #[test]
    fn turns_nest() {
        // A small store, which Miri has room for.
        let budget = Budget::unlimited().with_memory(1 << 20);
        let space = MddSpace::new(2, &budget).unwrap();
        let set = space.tuple(&[1, 2], &budget).unwrap();
        let union = set.with_session(&budget, |_, _| set.union(&space.tuple(&[0, 2], &budget).unwrap(), &budget));
        assert_eq!(union.unwrap().count(&budget).unwrap(), 2u32.into());
    }
}

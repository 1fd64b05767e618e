//! Common knowledge of threads about strongly connected components: a union-find forest whose sets are also cyclic
//! lists.
//!
//! **Idea** (Bloemen, Laarman and van de Pol, PPoPP 2016, sections 4 and 5). A set is a tree of *parents*, and the root has what is
//! known of the set: which threads have been in it, the marks of the edges inside, and whether it is dead, that is, a whole component that
//! has been explored. Beside that, the states of a set are a cyclic list, in which a state is *busy* until its successors have been
//! explored, and *done* then. Who looks for a busy state shortens the list by those that are done. All of this is
//! 16 bytes for a state, in three atomic numbers that are 0 at first: a state alone, busy, where nobody has been.
//!
//! **Union.** Parents have smaller numbers than their children, so there are no cycles; the root that the search has
//! found first mostly stays. Who unites two sets takes (`LINKED`) the root that will be no root any more, once and for
//! ever, then locks one busy state of each list, that of the linked root first, sets the parent, hands on what was
//! known, exchanges the two states' next ones, which makes one cycle of two, and unlocks. Who holds a lock and waits
//! for another waits in a set with a smaller root: there is no deadlock. Data added to a root meanwhile are added again
//! by their thread if the root is none any more; either that one sees the new parent or who unites sees what was added,
//! as these accesses have one order. What was handed on is there before the locks are gone: where all states are done
//! and none is locked, the root has everything.
//!
//! **Lists.** Let F be the cyclic order of all states of a set, the shortened ones included: unions exchange F-next states of busy
//! states, and nothing else changes F. The next state of a busy one is its F-next one. That of a done one is some steps further along F,
//! and all states between are done: this is so at first, and where `next(a)` is replaced by `next(b)`, b being a done state that was
//! read there, the states up to b, b, and those up to its next one are done, and what follows a done state in F never changes. So a done
//! state that is its own next one says that all states of F are done; and who follows next states meets each busy one.

use crate::budget::Exhausted;
use crate::explicit::chunked::Chunked;
use crate::explicit::store::StateId;
use std::sync::atomic::Ordering::{Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

/// The state's place in its list is being changed.
const LOCKED: u64 = 1;
/// The state is done.
const DONE: u64 = 2;
/// The root of a set is about to get a parent.
const LINKED: u64 = 4;
/// The set of the root is dead.
const DEAD: u64 = 8;
/// It has been settled that the state is expanded by some of its rules, or by all.
const REDUCED: u64 = 16;
const FULL: u64 = 32;
/// An edge inside the set of the root has closed a cycle.
const CYCLIC: u64 = 64;
/// The bit of the first thread.
const FIRST: u32 = 7;

/// Bits that are not handed on from one root to another.
const FLAGS: u64 = CYCLIC - 1;

/// The data of a state; of a root also those of its set.
#[derive(Debug, Default)]
struct Node {
    /// One more than its parent; 0 for a root.
    parent: AtomicU32,
    /// One more than the next state of the list; 0 for the state itself.
    next: AtomicU32,
    /// Flags, then a bit for each thread, and the marks in the highest bits.
    data: AtomicU64,
}

/// A thread comes to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// The set is dead.
    Dead,
    /// The thread has been in the set.
    Found,
    /// It has not been there before.
    New,
}

/// The rest of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    /// This state is busy.
    Busy(StateId),
    /// All states are done, and the set is dead.
    Dead,
    /// All states are done, and all marks are there.
    Accepting,
}

/// Two sets cannot be united, as one of them is dead. That never happens if the graph is one and the same to all threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Torn;

/// The sets.
#[derive(Debug)]
pub(super) struct Sets {
    nodes: Chunked<Node>,
    /// Where the marks begin in `Node::data`.
    marks: u32,
    /// The bits of an accepting set in `Node::data`.
    accepting: u64,
    /// Two sets could not be united: nobody waits any more.
    is_torn: AtomicBool,
}

/// The most threads where edges have so many marks.
pub(super) fn most_threads(marks: u32) -> u32 {
    (u64::BITS - FIRST).saturating_sub(marks)
}

/// Wait for another thread, which has little to do.
#[inline]
fn wait(turns: &mut u32) {
    *turns += 1;
    if *turns < 64 { std::hint::spin_loop() } else { std::thread::yield_now() }
}

/// Let other threads go first now and then where tests run.
#[inline]
pub(super) fn unsettle() {
    #[cfg(test)]
    tests::unsettle();
}

impl Sets {
    /// For so many threads, and edges with so many marks.
    pub(super) fn new(threads: u32, marks: u32) -> Sets {
        debug_assert!(threads <= most_threads(marks));
        let accepting = CYCLIC | u64::MAX.checked_shl(u64::BITS - marks).unwrap_or(0);
        Sets { nodes: Chunked::new(), marks: u64::BITS - marks, accepting, is_torn: AtomicBool::new(false) }
    }

    /// Be ready for a state. What it takes is asked for beforehand.
    #[inline]
    pub(super) fn open(&self, state: StateId, take: impl Fn(u64) -> Result<(), Exhausted>) -> Result<(), Exhausted> {
        self.nodes.open(state, take).map(drop)
    }

    #[inline]
    fn node(&self, state: StateId) -> &Node {
        self.nodes.get(state).expect("a state that was found has a node")
    }

    #[inline]
    fn data(&self, state: StateId) -> u64 {
        self.node(state).data.load(SeqCst)
    }

    /// The parent of a state, or itself.
    #[inline]
    fn parent(&self, state: StateId) -> StateId {
        self.node(state).parent.load(SeqCst).checked_sub(1).unwrap_or(state)
    }

    #[inline]
    fn next(&self, state: StateId) -> StateId {
        self.node(state).next.load(SeqCst).checked_sub(1).unwrap_or(state)
    }

    /// The root of the state's set; paths are halved.
    #[inline]
    fn find(&self, mut state: StateId) -> StateId {
        loop {
            let parent = self.parent(state);
            if parent == state {
                return state;
            }
            let above = self.parent(parent);
            if above == parent {
                return parent;
            }
            // It is an ancestor, whatever others do.
            self.node(state).parent.store(above + 1, Release);
            state = above;
        }
    }

    /// Are two states in one set?
    #[inline]
    pub(super) fn same(&self, one: StateId, two: StateId) -> bool {
        loop {
            let (a, b) = (self.find(one), self.find(two));
            if a == b {
                return true;
            }
            if self.parent(a) == a {
                return false;
            }
        }
    }

    /// Add to what is known of a state's set, and tell it.
    fn add(&self, state: StateId, bits: u64) -> u64 {
        let mut root = self.find(state);
        loop {
            let known = self.node(root).data.fetch_or(bits, SeqCst) | bits;
            unsettle();
            let above = self.find(root);
            if above == root {
                return known;
            }
            root = above;
        }
    }

    fn bit(thread: u32) -> u64 {
        1 << (FIRST + thread)
    }

    /// Look where a thread would come.
    #[inline]
    pub(super) fn look(&self, state: StateId, thread: u32) -> Claim {
        let data = self.data(self.find(state));
        if data & DEAD != 0 {
            Claim::Dead
        } else if data & Self::bit(thread) != 0 {
            Claim::Found
        } else {
            Claim::New
        }
    }

    /// Have a thread come to a state.
    #[inline]
    pub(super) fn claim(&self, state: StateId, thread: u32) -> Claim {
        let look = self.look(state, thread);
        if look == Claim::New {
            self.add(state, Self::bit(thread));
        }
        look
    }

    /// Add the marks of edges inside a state's set, one at least. Does it have all?
    #[inline]
    pub(super) fn mark(&self, state: StateId, marks: u64) -> bool {
        let bits = CYCLIC | marks.checked_shl(self.marks).unwrap_or(0);
        let root = self.find(state);
        let data = self.data(root);
        let known = if data & bits == bits && self.parent(root) == root { data } else { self.add(state, bits) };
        known & self.accepting == self.accepting
    }

    /// Is the set of this state dead?
    #[inline]
    pub(super) fn is_dead(&self, state: StateId) -> bool {
        self.data(self.find(state)) & DEAD != 0
    }

    /// Is this state done?
    #[inline]
    pub(super) fn is_done(&self, state: StateId) -> bool {
        self.data(state) & DONE != 0
    }

    /// Wait until nobody changes the state's place in its list; then, is it busy?
    #[inline]
    fn is_busy(&self, state: StateId) -> bool {
        let mut turns = 0;
        loop {
            match self.data(state) & (LOCKED | DONE) {
                0 => return true,
                DONE => return false,
                _ => wait(&mut turns),
            }
        }
    }

    /// Make a busy state of another kind. False if it is done.
    fn change(&self, state: StateId, kind: u64) -> bool {
        while self.is_busy(state) {
            let free = |data: u64| (data & (LOCKED | DONE) == 0).then_some(data | kind);
            if self.node(state).data.fetch_update(SeqCst, SeqCst, free).is_ok() {
                return true;
            }
        }
        false
    }

    /// A state's successors have been explored.
    pub(super) fn finish(&self, state: StateId) {
        self.change(state, DONE);
    }

    /// The rest of this state's set.
    pub(super) fn pick(&self, state: StateId) -> Rest {
        match self.busy(state) {
            Some(busy) => Rest::Busy(busy),
            // Nobody adds anything new any more.
            None if self.data(self.find(state)) & self.accepting == self.accepting => Rest::Accepting,
            None => {
                self.add(state, DEAD);
                Rest::Dead
            }
        }
    }

    /// A busy state of this one's set.
    fn busy(&self, state: StateId) -> Option<StateId> {
        let mut at = state;
        loop {
            unsettle();
            if self.is_busy(at) {
                return Some(at);
            }
            let next = self.next(at);
            if next == at {
                return None;
            }
            if self.is_busy(next) {
                return Some(next);
            }
            let after = self.next(next);
            self.node(at).next.store(after + 1, SeqCst);
            at = after;
        }
    }

    /// Lock a busy state of this one's set.
    fn lock(&self, state: StateId) -> Result<StateId, Torn> {
        loop {
            let busy = self.busy(state).ok_or(Torn)?;
            if self.change(busy, LOCKED) {
                return Ok(busy);
            }
        }
    }

    fn unlock(&self, state: StateId) {
        self.node(state).data.fetch_and(!LOCKED, SeqCst);
    }

    /// Make one set of those of two states.
    pub(super) fn unite(&self, one: StateId, two: StateId) -> Result<(), Torn> {
        self.join(one, two).inspect_err(|_| self.is_torn.store(true, Relaxed))
    }

    fn join(&self, one: StateId, two: StateId) -> Result<(), Torn> {
        let mut turns = 0;
        let (root, one, two) = loop {
            let (a, b) = (self.find(one), self.find(two));
            if a == b {
                return Ok(());
            }
            let (root, one, two) = if a > b { (a, one, two) } else { (b, two, one) };
            let before = self.node(root).data.fetch_or(LINKED, SeqCst);
            if before & DEAD != 0 || self.is_torn.load(Relaxed) {
                return Err(Torn);
            }
            if before & LINKED == 0 {
                break (root, one, two);
            }
            wait(&mut turns);
        };
        let first = self.lock(one)?;
        let second = self.lock(two).inspect_err(|_| self.unlock(first))?;
        unsettle();
        self.node(root).parent.store(self.find(two) + 1, SeqCst);
        unsettle();
        self.add(root, self.data(root) & !FLAGS);
        let (after_first, after_second) = (self.next(first), self.next(second));
        self.node(first).next.store(after_second + 1, SeqCst);
        self.node(second).next.store(after_first + 1, SeqCst);
        self.unlock(first);
        self.unlock(second);
        Ok(())
    }

    /// Whether a state is expanded by all its rules, if that has been settled.
    #[inline]
    pub(super) fn is_full(&self, state: StateId) -> Option<bool> {
        match self.data(state) & (REDUCED | FULL) {
            0 => None,
            settled => Some(settled == FULL),
        }
    }

    /// Settle it, unless somebody has; say how it is.
    pub(super) fn settle(&self, state: StateId, full: bool) -> bool {
        let flag = if full { FULL } else { REDUCED };
        let free = |data: u64| (data & (REDUCED | FULL) == 0).then_some(data | flag);
        match self.node(state).data.fetch_update(SeqCst, SeqCst, free) {
            Ok(_) => full,
            Err(data) => data & FULL != 0,
        }
    }
}

#[cfg(test)]
#[path = "sets_tests.rs"]
mod tests;

//! Threads that decide one formula together.
//!
//! **Idea.** Which order of search finds the answer nobody knows, so on one thread the orders take turns. With several,
//! each thread has a turn of its own, and they share the states and what has been settled about them ([`Facts`]): where
//! one comes to a state that another has left with a value, that is the value. What is open is each thread's own. The
//! first one that has the formula's value in the initial state ends all.
//!
//! **Proof.** A value that a search settles is that of a formula in a state, and depends on nothing else. A search that
//! meets settled values is one that meets states of which it has known before: the arguments about open states (module
//! [`local`](super)) are about edges, and an edge to a state with a value says the same whoever has found it. So by
//! induction over the order in which values are settled, all are right. Two threads may settle the same one; should
//! they ever disagree, the search ends with an error.
//!
//! A formula that is easy is decided before other threads begin: the first turn is the first thread's alone.

use super::facts::Facts;
use super::program::Program;
use crate::budget::Budget;
use crate::explicit::fair_rw_lock::{FairRwLock, lock};
use crate::explicit::packed_model::PackedModel;
use crate::explicit::steady::{Need, Steady};
use crate::explicit::store::Writer;
use crate::formula::PathSemantics;
use crate::stop_reason::StopReason;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A formula to be decided in the initial state, or in another one, and what threads share.
pub(super) struct Crew<'a, S: PackedModel> {
    pub(super) program: Program,
    pub(super) paths: PathSemantics,
    pub(super) budget: &'a Budget,
    pub(super) facts: Facts,
    pub(super) shared: FairRwLock<Steady<S>>,
    pub(super) writers: Vec<Mutex<Writer>>,
    /// The value, and the thread that has found it.
    pub(super) ended: Mutex<Option<Result<(bool, usize), StopReason>>>,
    pub(super) is_over: AtomicBool,
}

impl<S: PackedModel> Crew<'_, S> {
    /// Has some thread ended?
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    pub(super) fn end(&self, how: Result<(bool, usize), StopReason>) {
        lock(&self.ended).get_or_insert(how);
        self.is_over.store(true, Relaxed);
    }

    /// Do alone what a thread could not do beside others, unless the encoding has grown since it had grown so often.
    pub(super) fn provide(&self, growths: u32, need: Need) -> Result<(), StopReason> {
        let mut steady = self.shared.write();
        if steady.states.growths() != growths {
            return Ok(());
        }
        let mut writers: Vec<_> = self.writers.iter().map(lock).collect();
        steady.provide(need, writers.iter_mut().map(|writer| &mut **writer), self.budget)
    }
}

//! The reachability graph, explored by several threads, in parts if need be.
//!
//! Each thread keeps the successors of the states that it has expanded. When all are, they are put together in the
//! order of the states. Numbers without a state are given to those with the greatest numbers before, which are a block
//! for each thread at most, and which nobody else has seen. Initial states keep theirs, the first ones, as there are no
//! more numbers below than states.

use super::edges::Edges;
use super::progress::Progress;
use super::{Aim, Crew, Ended};
use crate::budget::Budget;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::pieces::share;
use crate::explicit::results::Growth;
use crate::explicit::rows::{Rows, sums};
use crate::explicit::states::States;
use crate::explicit::store::StateId;
use crate::explicit::{Options, Stats};
use crate::stop_reason::StopReason;
use std::fmt::{self, Debug, Formatter};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// States between two looks at the budget.
const CHECK_EVERY: usize = 1 << 16;
impl<S: PackedModel> Crew<'_, S> {
    /// Nothing is explored yet.
    pub(in crate::explicit) fn for_graph(states: States<S>, options: &Options) -> Result<Self, StopReason> {
        Crew::new(states, Aim::Graph, options)
    }

    /// Explore what is left.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up: it can go on with another; for other reasons, it cannot.
    pub(in crate::explicit) fn go_on(&mut self, budget: &Budget) -> Result<(), StopReason> {
        self.shared.get_mut().states.store_mut().set_limit(budget.memory().unwrap_or(u64::MAX));
        let queue = self.queue();
        (queue.ended, queue.idle) = (None, 0);
        *self.hungry.get_mut() = 0;
        self.run(budget, &mut |_| ())
    }

    /// How many they are.
    pub(in crate::explicit) fn threads(&self) -> usize {
        self.threads
    }

    /// How far it is.
    pub(in crate::explicit) fn growth(&self) -> Growth {
        let shared = self.shared.read();
        let (store, Progress { expanded, widest, .. }) = (shared.states.store(), &self.progress);
        let waiting = u64::from(store.len()).saturating_sub(expanded.load(Relaxed));
        Growth { waiting, widest: widest.load(Relaxed), bytes: store.bytes() }
    }

    /// All edges, when all has been explored.
    pub(in crate::explicit) fn finish(self, budget: &Budget) -> Result<(States<S>, Rows, Stats), StopReason> {
        let threads = self.threads;
        let Ended { mut states, workers, holes, stats } = self.shared.into_inner().ended();
        let moved = states.store_mut().close(&holes)?;
        let count = states.store().len();
        let number = |id: StateId| id.checked_sub(count).map_or(id, |beyond| moved[beyond as usize]);
        let mut ends = vec![0; count as usize];
        for (id, row) in workers.iter().flat_map(|worker| worker.edges.iter()) {
            ends[number(id) as usize] = row.len() as u32;
        }
        let sum = sums(&mut ends);
        // Rows of a thread lie everywhere: where it writes nobody else does.
        let rows: Vec<AtomicU32> = (0..sum).map(|_| AtomicU32::new(0)).collect();
        let edges: Vec<&Edges> = workers.iter().map(|worker| &worker.edges).collect();
        share(threads, &edges, |edges| {
            for (at, (id, row)) in edges.flat_map(Edges::iter).enumerate() {
                if at.is_multiple_of(CHECK_EVERY) {
                    budget.check()?;
                }
                let end = ends[number(id) as usize] as usize;
                rows[end - row.len()..end].iter().zip(row).for_each(|(place, &to)| place.store(number(to), Relaxed));
            }
            Ok(())
        })?;
        drop(workers);
        let rows = rows.into_iter().map(AtomicU32::into_inner).collect();
        Ok((states, Rows { ends, states: rows }, stats))
    }
}

impl<S: PackedModel> Debug for Crew<'_, S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew").field("shared", &self.shared).field("queue", &self.queue).finish_non_exhaustive()
    }
}

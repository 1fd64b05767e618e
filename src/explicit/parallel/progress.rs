//! How far the exploration of a graph by several threads is.

use crate::explicit::rows::TOO_MANY;
use crate::stop_reason::StopReason;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How far the threads are.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) expanded: AtomicU64,
    edges: AtomicU64,
    pub(super) widest: AtomicU64,
}

impl Progress {
    /// Count states that were expanded, and their successors, where so many numbers have been handed out.
    pub(super) fn count(&self, states: u64, edges: u64, known: u64) -> Result<(), StopReason> {
        let expanded = self.expanded.fetch_add(states, Relaxed) + states;
        self.widest.fetch_max(known.saturating_sub(expanded), Relaxed);
        let edges = self.edges.fetch_add(edges, Relaxed) + edges;
        if edges > u64::from(u32::MAX) { Err(TOO_MANY) } else { Ok(()) }
    }
}

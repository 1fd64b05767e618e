//! Progress of an operation, for those who look while it works.

use crate::decide::{Answer, Fault, Listener, Progress};
use crate::mdd::MddManager;
use num_bigint::BigUint;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Is told what the operations of a model are doing ([`crate::Model::with_watch`]), and says it to whoever asks, from
/// any thread. Clones share what they know.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<Mutex<Seen>>);

/// The events so far.
#[derive(Debug, Default)]
struct Seen {
    doing: Doing,
    space: Option<MddManager>,
}

/// The progress of an operation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Doing {
    /// How many searches for the reachable states have begun, each under a variable order.
    pub searches: usize,
    /// The variable order of the search that goes on; empty before the first.
    pub order: String,
    /// The level that saturation closes, of those from the last to 0.
    pub level: Option<u32>,
    /// Nodes of diagrams.
    pub nodes: usize,
    /// Number of states known to be reachable.
    pub states: BigUint,
}

impl Watch {
    /// The progress of the operation at this moment, or at its end.
    pub fn now(&self) -> Doing {
        let mut seen = self.seen();
        if let Some(space) = &seen.space {
            seen.doing.nodes = space.node_count();
        }
        seen.doing.clone()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn hear(&self, progress: &Progress<'_>) {
        let mut seen = self.seen();
        match progress {
            Progress::Start { order, space } => {
                seen.doing.searches += 1;
                seen.doing.order = (*order).to_owned();
                seen.doing.level = None;
                seen.space = Some((*space).clone());
            }
            Progress::Step(level) => seen.doing.level = Some(*level),
            Progress::End => {
                seen.doing.nodes = seen.space.take().map_or(0, |space| space.node_count());
            }
            Progress::AtLeast(states) if **states > seen.doing.states => seen.doing.states = (*states).clone(),
            Progress::AtLeast(_) => {}
        }
    }
}

/// Hears nothing but progress; the rest is kept by who passes it on.
pub(super) struct Told<'w>(pub(super) &'w Watch);

impl Listener for Told<'_> {
    fn answered(&self, _: Answer) {}

    fn faulty(&self, _: usize, _: Fault) {}

    fn progress(&self, progress: Progress<'_>) {
        self.0.hear(&progress);
    }
}

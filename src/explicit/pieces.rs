//! Work on all states that is the same for each, shared by threads.

use super::fair_rw_lock::FAILED;
use super::store::StateId;
use crate::stop_reason::StopReason;
use crate::threads::pool;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Numbers of a piece where nothing else asks for another size: a multiple of the bits in a word.
pub(super) const PIECE: StateId = 1 << 16;

/// Some numbers in pieces of so many.
pub(super) fn pieces(numbers: Range<StateId>, many: StateId) -> impl Iterator<Item = Range<StateId>> {
    let end = numbers.end;
    numbers.step_by(many as usize).map(move |start| start..end.min(start.saturating_add(many)))
}

/// Hand out pieces to so many threads, of which each makes one result of all that it takes.
pub(super) fn share<P: Clone + Sync, T: Send>(
    threads: usize,
    pieces: &[P],
    work: impl Fn(&mut dyn Iterator<Item = P>) -> Result<T, StopReason> + Sync,
) -> Result<Vec<T>, StopReason> {
    let taken = AtomicUsize::new(0);
    let run = || work(&mut std::iter::from_fn(|| pieces.get(taken.fetch_add(1, Relaxed)).cloned()));
    match pool(threads.min(pieces.len())) {
        Some(pool) => {
            let guarded = || catch_unwind(AssertUnwindSafe(run)).unwrap_or(Err(FAILED));
            pool.broadcast(|_| guarded()).into_iter().collect()
        }
        None => Ok(vec![run()?]),
    }
}

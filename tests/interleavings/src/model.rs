//! Two threads insert the same two keys, in opposite orders.

use crate::explicit::insert_from_two_threads;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Keys of one word, which have a root only, and of two, which are pairs of numbers.
pub(crate) fn check() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    for (bits, keys) in [(40, [vec![3], vec![5]]), (100, [vec![3, 7], vec![3, 9]])] {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(2);
        // Tables are filled by the one thread that there is at first.
        model.max_branches = 100_000;
        model.check(move || {
            RUNS.fetch_add(1, Relaxed);
            insert_from_two_threads(bits, &keys);
        });
        println!("{bits} bits: {} interleavings", RUNS.swap(0, Relaxed));
    }
}

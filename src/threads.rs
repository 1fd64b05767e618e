//! Pools of threads for equal work on many data.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// A pool of so many threads, to be asked with [`ThreadPool::install`] or [`ThreadPool::broadcast`]. None for one thread, or
/// where they cannot be started: the caller does the work.
pub fn pool(threads: usize) -> Option<ThreadPool> {
    if threads < 2 { None } else { ThreadPoolBuilder::new().num_threads(threads).build().ok() }
}

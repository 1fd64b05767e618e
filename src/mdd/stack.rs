//! A thread with a stack deep enough for recursion over all levels.

use std::sync::{Mutex, PoisonError};

/// Bytes of stack per level: two frames of the deepest recursion (fire and fixpoint of saturation), doubled.
const BYTES_PER_LEVEL: usize = 8 << 10;
const MIN_STACK: usize = 16 << 20;

/// Run `work` on a thread whose stack suffices for operations on `levels` levels, and return its result.
///
/// The stack is reserved, not committed: only what the recursion touches takes memory. If no thread can be
/// created (no address space), `work` runs on the current one.
pub fn with_deep_stack<T: Send>(levels: usize, work: impl FnOnce() -> T + Send) -> T {
    let size = levels.saturating_mul(BYTES_PER_LEVEL).saturating_add(MIN_STACK);
    // The closure stays out here until the thread takes it, so that it survives a failed spawn.
    let pending = Mutex::new(Some(work));
    let take = || pending.lock().unwrap_or_else(PoisonError::into_inner).take();
    let result = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("starset".into()).stack_size(size);
        let handle = thread.spawn_scoped(scope, || take().map(|work| work())).ok()?;
        match handle.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    match result {
        Some(result) => result,
        None => match take() {
            Some(work) => work(),
            None => unreachable!("a thread that takes the work returns its result"),
        },
    }
}

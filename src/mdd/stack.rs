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
    let (mut work, mut result) = (Some(work), None);
    on_thread(size, &mut || result = work.take().map(|work| work()));
    result.unwrap_or_else(|| unreachable!("the work is done, or its panic goes on"))
}

/// Run `work` once, on a thread with a stack of `size` bytes if there is one. One copy serves all sorts of work.
fn on_thread(size: usize, work: &mut (dyn FnMut() + Send)) {
    // The work stays out here until the thread takes it, so that it survives a failed spawn.
    let pending = Mutex::new(Some(work));
    let run = || {
        let work = pending.lock().unwrap_or_else(PoisonError::into_inner).take();
        work.into_iter().for_each(|work| work());
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("starset".into()).stack_size(size);
        if let Ok(thread) = thread.spawn_scoped(scope, run)
            && let Err(panic) = thread.join()
        {
            std::panic::resume_unwind(panic);
        }
    });
    run();
}

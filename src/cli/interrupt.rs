//! Ctrl-C: the first ends the computation, which reports what is known; the second ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The exit status of a program ended by SIGINT, as shells report it.
const STATUS: i32 = 130;

/// From now on, Ctrl-C (and termination by the system) sets the flag that is returned. A second time, or
/// where nobody could react to the flag, it ends the program.
pub(crate) fn on_interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    // Without a handler Ctrl-C ends the program at once: not clean, but no reason to refuse work.
    let _without = ctrlc::set_handler(move || {
        if set.swap(true, Relaxed) {
            std::process::exit(STATUS);
        }
    });
    flag
}

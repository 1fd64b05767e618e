//! The end from outside: Ctrl-C, termination by the system, and the time limit while a model is read.
//!
//! The first Ctrl-C ends the computation, which reports what is known; the second ends the program. While a model is
//! read nothing is known yet, and reading may wait for a pipe on which nobody writes, where no budget is looked at. So
//! reading that does not end soon after its limits is ended with the program ([`Reading`]).

use super::console::write_error;
use super::outcome::{Status, asks_for_json, error};
use starset::budget::Budget;
use std::io::{self, Write as _};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// The exit status of a program ended by SIGINT, as shells report it.
const STATUS: i32 = 130;
/// Time that a reading or an answering thread has to end by itself, and to say more.
pub(crate) const GRACE: Duration = Duration::from_millis(500);

/// Is a model being read?
static READING: AtomicBool = AtomicBool::new(false);
/// The end of standard output where nothing is known.
static LAST_WORDS: OnceLock<&str> = OnceLock::new();

/// From now on, Ctrl-C (and termination by the system) sets the flag that is returned. A second time, or
/// where nobody could react to the flag, it ends the program.
pub(crate) fn on_interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    // Without a handler Ctrl-C ends the program at once: not clean, but no reason to refuse work.
    let _without = ctrlc::set_handler(move || {
        if set.swap(true, Relaxed) {
            process::exit(STATUS);
        }
        // Not here: the second signal would have to wait.
        end_after(GRACE, "interrupted");
    });
    flag
}

/// End the program when its standard input is closed, which happens when the process that holds the other end is gone,
/// however that came about: nobody reads the answers any more.
pub(crate) fn end_with_input() {
    thread::spawn(|| {
        let _closed = io::copy(&mut io::stdin(), &mut io::sink());
        process::exit(Status::Unknown.code().into());
    });
}

/// End the program if a model is still read after some time; not if there is no thread to be had.
fn end_after(time: Duration, why: &'static str) {
    let end = move || {
        thread::sleep(time);
        if READING.load(Relaxed) {
            let message = format!("unknown: {why} while the model was read");
            write_error(format_args!("starset: {message}"));
            if let (true, Ok(object)) =
                (asks_for_json(), serde_json::to_string(&error(&message, Status::Unknown.code())))
            {
                let _nobody_reads = writeln!(io::stdout(), "{object}");
            }
            say_last_words();
            process::exit(Status::Unknown.code().into());
        }
    };
    let _without = thread::Builder::new().name("limits".into()).spawn(end);
}

/// End the program with this status. Everything has been said and written.
pub(crate) fn end(status: Status) -> ! {
    process::exit(status.code().into())
}

/// Standard output must end with this line where the limits were not enough to begin with.
pub(crate) fn last_words(words: &'static str) {
    let _only_once = LAST_WORDS.set(words);
}

/// Write that line, if there is one.
pub(crate) fn say_last_words() {
    if let Some(words) = LAST_WORDS.get() {
        let _nobody_reads = writeln!(io::stdout(), "{words}");
    }
}

/// A model is read, for as long as this lives.
pub(crate) struct Reading;

impl Reading {
    /// From now on. No files have been begun that would be left behind.
    pub(crate) fn begin(budget: &Budget) -> Self {
        READING.store(true, Relaxed);
        if let Some(deadline) = budget.deadline() {
            let left = deadline.saturating_duration_since(Instant::now());
            end_after(left + GRACE, "out of time");
        }
        Reading
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        READING.store(false, Relaxed);
    }
}

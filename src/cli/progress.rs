//! Progress of a computation on standard error: a line that changes, or JSON objects.

use super::console::{Console, write_error};
use super::options::ProgressMode;
use indicatif::{ProgressBar, ProgressStyle};
use num_bigint::BigUint;
use serde_json::json;
use starset::decide::{Answer, Fault, Listener, Progress};
use starset::mdd::MddManager;
use starset::memory::resident_bytes;
use starset::report::fields::Fields;
use starset::report::number::{bytes, count, seconds};
use starset::symbolic::Search;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Nothing is shown before: most computations are over by then.
const FIRST_LINE_AFTER: Duration = Duration::from_millis(400);
/// Between two states of the changing line.
const REDRAW: Duration = Duration::from_millis(100);
/// Between two JSON objects.
const REPORT: Duration = Duration::from_millis(500);

/// Shows progress from its creation until [`Meter::stop`].
pub(crate) struct Meter {
    shared: Option<Arc<Shared>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    stopped: Condvar,
    search: Search,
    levels: u32,
    started: Instant,
    json: bool,
}

struct State {
    phase: &'static str,
    search: Option<Running>,
    /// At least so many states are reachable.
    at_least: BigUint,
    stop: bool,
}

/// A search under one variable order.
struct Running {
    order: String,
    space: MddManager,
    /// The level that is closed, or the round.
    step: Option<u32>,
}

impl State {
    /// At least so many states are reachable, if any are known.
    fn at_least(&self) -> Option<String> {
        (self.at_least > BigUint::ZERO).then(|| self.at_least.to_string())
    }

    fn nodes(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.space.node_count())
    }
}

impl Meter {
    /// Show the progress of a search over `levels` levels.
    pub(crate) fn start(mode: ProgressMode, search: Search, levels: usize, console: &Console) -> Self {
        let json = match mode {
            ProgressMode::Json => true,
            ProgressMode::Auto if console.is_interactive() => false,
            ProgressMode::Auto | ProgressMode::Never => return Meter { shared: None, thread: None },
        };
        let state = State { phase: "order", search: None, at_least: BigUint::ZERO, stop: false };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            stopped: Condvar::new(),
            search,
            levels: levels as u32,
            started: console.started(),
            json,
        });
        let of_thread = Arc::clone(&shared);
        // Without a thread there is no progress to see; the computation does not depend on it.
        let thread = std::thread::Builder::new().name("progress".into()).spawn(move || of_thread.show()).ok();
        Meter { shared: Some(shared), thread }
    }

    /// The computation says what it is doing.
    pub(crate) fn event(&self, event: Progress<'_>) {
        let Some(shared) = &self.shared else { return };
        let mut state = shared.state();
        match event {
            Progress::Start { order, space } => {
                state.phase = "search";
                state.search = Some(Running { order: order.to_owned(), space: space.clone(), step: None });
                if shared.json {
                    shared.report(&state);
                }
            }
            Progress::Step(step) => {
                if let Some(search) = &mut state.search {
                    search.step = Some(step);
                }
            }
            Progress::End => state.search = None,
            Progress::AtLeast(states) => {
                if *states > state.at_least {
                    state.at_least = states.clone();
                }
            }
        }
    }

    /// The search is over; something else is done with its result.
    pub(crate) fn phase(&self, phase: &'static str) {
        if let Some(shared) = &self.shared {
            shared.state().phase = phase;
        }
    }

    /// Show no more, and clear the line.
    pub(crate) fn stop(mut self) {
        if let Some(shared) = &self.shared {
            shared.state().stop = true;
            shared.stopped.notify_all();
        }
        if let Some(thread) = self.thread.take() {
            let _panicked = thread.join();
        }
    }
}

impl Listener for Meter {
    fn answered(&self, _: Answer) {}

    fn faulty(&self, _: usize, _: Fault) {}

    fn progress(&self, progress: Progress<'_>) {
        self.event(progress);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self) {
        let bar = ProgressBar::no_length();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        let mut wait = if self.json { REPORT } else { FIRST_LINE_AFTER };
        let mut state = self.state();
        loop {
            state = match self.stopped.wait_timeout_while(state, wait, |state| !state.stop) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
            if state.stop {
                break;
            }
            if self.json {
                self.report(&state);
            } else {
                bar.set_message(self.message(&state));
                bar.tick();
                wait = REDRAW;
            }
        }
        bar.finish_and_clear();
    }

    fn report(&self, state: &State) {
        let saturation = self.search == Search::Saturation;
        let step = state.search.as_ref().and_then(|search| search.step);
        let line = Fields::new("starset/progress/1")
            .with("phase", state.phase)
            .with("order", state.search.as_ref().map(|search| &search.order))
            .with_some("level", step.filter(|_| saturation))
            .with_some("levels", saturation.then_some(self.levels))
            .with_some("round", step.filter(|_| !saturation))
            .with("nodes", state.nodes())
            .with_some("states_at_least", state.at_least())
            .with("memory_bytes", resident_bytes())
            .with("seconds", self.started.elapsed().as_secs_f64());
        write_error(json!(line));
    }

    fn message(&self, state: &State) -> String {
        let mut message = match &state.search {
            None => state.phase.to_owned(),
            Some(Running { order, step, .. }) => {
                let step = match (step, self.search) {
                    (None, _) => state.phase.to_owned(),
                    (Some(level), Search::Saturation) => format!("level {} of {}", self.levels - level, self.levels),
                    (Some(round), _) => format!("round {round}"),
                };
                format!("{step} · order {order} · {} nodes", state.nodes())
            }
        };
        if state.at_least > BigUint::ZERO {
            message = format!("{message} · at least {} states", count(&state.at_least));
        }
        if let Some(resident) = resident_bytes() {
            message = format!("{message} · {}", bytes(resident));
        }
        format!("{message} · {}", seconds(self.started.elapsed().as_secs_f64()))
    }
}

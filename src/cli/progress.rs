//! What a running computation shows on standard error: a line that changes, or JSON objects.

use super::console::{Console, write_error};
use super::number::{bytes, seconds};
use super::options::ProgressMode;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use starset::examination::Event;
use starset::mdd::MddSpace;
use starset::memory::resident_bytes;
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
    stop: bool,
}

/// A search under one variable order.
struct Running {
    order: String,
    space: MddSpace,
    /// The level that is closed, or the round.
    step: Option<u32>,
}

impl State {
    fn nodes(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.space.node_count())
    }
}

/// One line of `--progress json`. The fields are described in docs/json.md.
#[derive(Serialize)]
struct Line<'a> {
    schema: &'static str,
    phase: &'a str,
    order: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    nodes: usize,
    memory_bytes: Option<u64>,
    seconds: f64,
}

impl Meter {
    /// Show the progress of a search over `levels` levels.
    pub(crate) fn start(mode: ProgressMode, search: Search, levels: usize, console: &Console) -> Self {
        let json = match mode {
            ProgressMode::Json => true,
            ProgressMode::Auto if console.is_interactive() => false,
            ProgressMode::Auto | ProgressMode::Never => return Meter { shared: None, thread: None },
        };
        let state = State { phase: "order", search: None, stop: false };
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
    pub(crate) fn event(&self, event: Event<'_>) {
        let Some(shared) = &self.shared else { return };
        let mut state = shared.state();
        match event {
            Event::Start { order, space } => {
                state.phase = "search";
                state.search = Some(Running { order: order.to_owned(), space: space.clone(), step: None });
                if shared.json {
                    shared.report(&state);
                }
            }
            Event::Step(step) => {
                if let Some(search) = &mut state.search {
                    search.step = Some(step);
                }
            }
            Event::End => state.search = None,
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
        let line = Line {
            schema: "starset/progress/1",
            phase: state.phase,
            order: state.search.as_ref().map(|search| search.order.as_str()),
            level: step.filter(|_| saturation),
            levels: saturation.then_some(self.levels),
            round: step.filter(|_| !saturation),
            nodes: state.nodes(),
            memory_bytes: resident_bytes(),
            seconds: self.started.elapsed().as_secs_f64(),
        };
        if let Ok(text) = serde_json::to_string(&line) {
            write_error(text);
        }
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
        if let Some(resident) = resident_bytes() {
            message = format!("{message} · {}", bytes(resident));
        }
        format!("{message} · {}", seconds(self.started.elapsed().as_secs_f64()))
    }
}

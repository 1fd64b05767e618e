//! How many nodes there are while the reachable set is computed, for the page.

use starset::decide::Progress;
use starset::mdd::MddManager;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Between two samples, at first. When there are too many, every other is left out, and the time doubles.
const EACH: Duration = Duration::from_millis(2);
const MOST_SAMPLES: usize = 600;

/// Looks at a computation from its creation until [`Growth::stop`].
pub(super) struct Growth {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    stopped: Condvar,
    started: Instant,
}

struct State {
    space: Option<MddManager>,
    samples: Vec<(f64, usize)>,
    each: Duration,
    stop: bool,
}

impl Growth {
    /// Sample the computation that starts now.
    pub(super) fn start() -> Self {
        let state = State { space: None, samples: Vec::new(), each: EACH, stop: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), stopped: Condvar::new(), started: Instant::now() });
        let of_thread = Arc::clone(&shared);
        // Without a thread there is nothing to be seen; the computation does not depend on it.
        let thread = std::thread::Builder::new().name("growth".into()).spawn(move || of_thread.watch()).ok();
        Growth { shared, thread }
    }

    /// The computation says what it is doing.
    pub(super) fn event(&self, event: &Progress<'_>) {
        let mut state = self.shared.state();
        match event {
            Progress::Start { space, .. } => state.space = Some((*space).clone()),
            Progress::Step(_) | Progress::AtLeast(_) => {}
            Progress::End => {
                state.sample(self.shared.started);
                state.space = None;
            }
        }
    }

    /// Seconds and nodes, in ascending order.
    pub(super) fn stop(mut self) -> Vec<(f64, usize)> {
        self.shared.state().stop = true;
        self.shared.stopped.notify_all();
        if let Some(thread) = self.thread.take() {
            let _panicked = thread.join();
        }
        std::mem::take(&mut self.shared.state().samples)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self) {
        let mut state = self.state();
        while !state.stop {
            let each = state.each;
            state = match self.stopped.wait_timeout_while(state, each, |state| !state.stop) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
            state.sample(self.started);
        }
    }
}

impl State {
    fn sample(&mut self, started: Instant) {
        let Some(space) = &self.space else { return };
        self.samples.push((started.elapsed().as_secs_f64(), space.node_count()));
        if self.samples.len() >= MOST_SAMPLES {
            let mut number = 0;
            self.samples.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.each *= 2;
        }
    }
}

//! What holds of everything that takes time: limits, the interpreter's lock, signals and progress.
//!
//! The library does the work on a thread of its own, without the interpreter's lock. The thread that called waits, and some
//! fifty times a second takes the lock, looks whether a signal came (Ctrl-C), and tells whoever wants to know how far the
//! work is. An exception from either ends the work and is raised when it has ended.

use crate::errors::{exception, plain};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use starset::budget::Budget;
use starset::{Doing, Error, Model, Watch};
use std::ffi::CString;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two reports of progress.
const REPORT: Duration = Duration::from_millis(100);
/// Of the memory that the process may use, so much of a hundred parts is the limit where none is given.
const MEMORY: u64 = 80;

/// Limits, as they are kept with a model and given to a call.
#[derive(Clone, Default)]
pub(crate) struct Limits {
    pub(crate) timeout: Option<Duration>,
    pub(crate) memory: Option<u64>,
    pub(crate) threads: Option<usize>,
    /// What is called with the progress: a callable; `None` for nothing.
    pub(crate) progress: Option<Arc<Py<PyAny>>>,
}

impl Limits {
    /// Those of a call: where nothing is given, those that are there.
    pub(crate) fn of(
        &self,
        py: Python<'_>,
        timeout: Option<f64>,
        memory: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Limits> {
        let misuse = |message: &str| Err(plain(py, "MisuseError", message));
        let mut limits = self.clone();
        if let Some(seconds) = timeout {
            match Duration::try_from_secs_f64(seconds) {
                Ok(time) => limits.timeout = Some(time),
                Err(_) if seconds == f64::INFINITY => limits.timeout = None,
                Err(_) => return misuse("timeout is a number of seconds, 0 or more"),
            }
        }
        if let Some(memory) = memory {
            limits.memory = Some(bytes(memory)?);
        }
        match threads {
            Some(0) => return misuse("threads is 1 or more"),
            Some(threads) => limits.threads = Some(threads),
            None => {}
        }
        if let Some(progress) = progress {
            let listener = py.import("starset._progress")?.call_method1("listener", (progress,))?;
            limits.progress = (!listener.is_none()).then(|| Arc::new(listener.unbind()));
        }
        Ok(limits)
    }

    /// The same with a limit on memory, if there is none: most of what the process may use.
    pub(crate) fn with_default_memory(mut self) -> Self {
        let allowed = || starset::memory::allowed().map(|(bytes, _)| bytes / 100 * MEMORY);
        self.memory = self.memory.or_else(allowed);
        self
    }

    fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.unwrap_or_else(all)
    }

    /// A budget with these limits.
    pub(crate) fn budget(&self) -> Budget {
        let budget = Budget::unlimited();
        let budget = self.memory.map_or(budget.clone(), |memory| budget.with_memory(memory));
        self.timeout.map_or(budget.clone(), |time| budget.with_time(time))
    }

    /// Work on a model within the limits.
    pub(crate) fn work<T: Send>(
        &self,
        py: Python<'_>,
        model: &Model,
        work: impl FnOnce(&Model) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let poll = Poll::new(self);
        let model = model.clone().with_threads(self.threads()).with_watch(&poll.watch);
        let model =
            self.memory.map_or(model.clone(), |memory| model.with_budget(Budget::unlimited().with_memory(memory)));
        let model = self.timeout.map_or(model.clone(), |time| model.with_time(time));
        let asked = Arc::clone(&poll);
        let model = model.with_poll(move || asked.go_on());
        let result = py.detach(|| work(&model));
        poll.end(py, result)
    }

    /// Work without a model within the limits.
    pub(crate) fn budgeted<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Budget) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let (poll, budget) = (Poll::new(self), self.budget());
        let result = py.detach(|| budget.while_polled(|| poll.go_on(), work));
        poll.end(py, result)
    }
}

/// Bytes, as a number or as a text with a unit.
fn bytes(memory: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(text) = memory.extract::<String>() {
        let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(split);
        let shift = match unit.trim().trim_end_matches(['B', 'b']).trim_end_matches('i').to_ascii_uppercase().as_str() {
            "" => Some(0),
            "K" => Some(10),
            "M" => Some(20),
            "G" => Some(30),
            "T" => Some(40),
            _ => None,
        };
        let bytes = number.parse().ok().zip(shift).and_then(|(number, shift)| u64::checked_mul(number, 1 << shift));
        let wrong =
            || plain(memory.py(), "MisuseError", &format!("`{text}` is no size: write it as in \"500M\" or \"8G\""));
        return bytes.ok_or_else(wrong);
    }
    memory.extract::<u64>()
}

/// Who asks whether to go on, while the work is done.
struct Poll {
    watch: Watch,
    progress: Option<Arc<Py<PyAny>>>,
    begun: Instant,
    reported: Mutex<Instant>,
    /// The exception that ends the work.
    raised: Mutex<Option<PyErr>>,
}

impl Poll {
    fn new(limits: &Limits) -> Arc<Self> {
        let (watch, now) = (Watch::default(), Instant::now());
        let progress = limits.progress.clone();
        Arc::new(Poll { watch, progress, begun: now, reported: Mutex::new(now), raised: Mutex::new(None) })
    }

    fn go_on(&self) -> bool {
        let poll = Python::try_attach(|py| {
            let poll = py.check_signals().and_then(|()| self.report(py, false));
            match poll {
                Ok(()) => true,
                Err(error) => {
                    *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    false
                }
            }
        });
        // The interpreter ends: so does the work.
        poll.unwrap_or(false)
    }

    fn report(&self, py: Python<'_>, last: bool) -> PyResult<()> {
        let Some(progress) = &self.progress else { return Ok(()) };
        {
            let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
            if reported.elapsed() < REPORT && !last {
                return Ok(());
            }
            *reported = Instant::now();
        }
        let doing = Progress { doing: self.watch.now(), seconds: self.begun.elapsed().as_secs_f64(), done: last };
        progress.call1(py, (doing,)).map(|_| ())
    }

    fn end<T>(&self, py: Python<'_>, result: Result<T, Error>) -> PyResult<T> {
        if let Some(error) = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        self.report(py, true)?;
        let warnings = std::mem::take(&mut *WARNINGS.lock().unwrap_or_else(PoisonError::into_inner));
        warnings.iter().try_for_each(|text| warn(py, text))?;
        result.map_err(|error| exception(py, &error))
    }
}

/// What has come up during work, which has not the interpreter's lock; the next work that ends tells it.
static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keep a warning until the work has ended.
pub(crate) fn warn_later(text: &str) {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
}

/// A `UserWarning`.
pub(crate) fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text.replace('\0', "\\0"))?, 1)
}

/// What a computation is doing: what a function that is given as `progress=` is called with, some ten times a second and at
/// the end.
///
/// >>> seen = []
/// >>> Net.family("philo", 5).reachable(progress=seen.append).count()
/// 243
/// >>> seen[-1].done
/// True
#[pyclass(frozen, module = "starset")]
pub(crate) struct Progress {
    doing: Doing,
    seconds: f64,
    done: bool,
}

#[pymethods]
impl Progress {
    /// How many searches for the reachable states have begun, each under a variable order.
    #[getter]
    fn searches(&self) -> usize {
        self.doing.searches
    }

    /// The variable order of the search that goes on; empty before the first.
    #[getter]
    fn order(&self) -> &str {
        &self.doing.order
    }

    /// The level that saturation closes, of those from the last to 0, if it is at one.
    #[getter]
    fn level(&self) -> Option<u32> {
        self.doing.level
    }

    /// Nodes of diagrams.
    #[getter]
    fn nodes(&self) -> usize {
        self.doing.nodes
    }

    /// So many states are known to be reachable.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::number(py, &self.doing.states)
    }

    /// Seconds since the computation began.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Is it over?
    #[getter]
    fn done(&self) -> bool {
        self.done
    }

    fn __repr__(&self) -> String {
        let Doing { searches, order, level, nodes, .. } = &self.doing;
        let level = level.map_or("None".to_owned(), |level| level.to_string());
        format!(
            "Progress(searches={searches}, order='{order}', level={level}, nodes={nodes}, seconds={:.2})",
            self.seconds
        )
    }
}

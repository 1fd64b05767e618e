//! Limits on a long computation: deadline, memory, cancellation, and a callback for progress.
//!
//! Every long-running function of the library takes a [`Budget`] and checks it at regular intervals; when
//! it is used up the function returns [`Exhausted`] and leaves everything it was given intact. Clones share
//! one cancellation flag, so that one engine can stop another.

mod throttle;

pub(crate) use throttle::Throttle;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// No limits.
static UNLIMITED: Budget = Budget::unlimited();

/// How often [`Budget::while_polled`] asks.
const POLL: Duration = Duration::from_millis(20);

/// Why a computation stopped before its answer was known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Exhausted {
    /// The deadline passed.
    #[error("out of time")]
    Time,
    /// The memory limit was reached.
    #[error("out of memory")]
    Memory,
    /// The share of work given to one attempt of several is used up.
    #[error("out of its share of work")]
    Work,
    /// The caller cancelled (for instance Ctrl-C, or another engine was faster).
    #[error("interrupted")]
    Cancelled,
}

/// So many times a time; the longest that there is, where the product is longer.
pub(crate) fn scaled(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

/// Limits for one computation. The default has none.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    memory: Option<u64>,
    work: Option<u64>,
    /// Flags of this budget and of those it was derived from: any one of them cancels.
    cancelled: Vec<Arc<AtomicBool>>,
    throttle: Option<Arc<Throttle>>,
}

impl Budget {
    /// No limits.
    pub const fn unlimited() -> Self {
        Budget { deadline: None, memory: None, work: None, cancelled: Vec::new(), throttle: None }
    }

    /// No limits, for whoever borrows them.
    pub(crate) fn none() -> &'static Self {
        &UNLIMITED
    }

    /// The same budget, ending at most `time` from now.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        self.deadline = match (self.deadline, end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self
    }

    /// The part of this budget that falls to one of so many claims on it: of the time that is left, and none of the
    /// memory less, as they come one after the other. This and [`Budget::part`] are all the arithmetic of sharing that
    /// there is.
    #[must_use]
    pub fn share(&self, claims: usize) -> Self {
        self.part(1, u32::try_from(claims.max(1)).unwrap_or(u32::MAX))
    }

    /// The fraction `parts / whole` of the time that is left.
    #[must_use]
    pub fn part(&self, parts: u32, whole: u32) -> Self {
        match self.remaining() {
            Some(left) => self.clone().with_time(scaled(left, f64::from(parts) / f64::from(whole.max(1)))),
            None => self.clone(),
        }
    }

    /// At most so many parts of the whole of the time that is left, and at most `most` of it.
    #[must_use]
    pub fn part_up_to(&self, parts: u32, whole: u32, most: Duration) -> Self {
        self.part(parts, whole).with_time(most)
    }

    /// One of so many equal shares of the memory, for what runs at the same time.
    #[must_use]
    pub fn share_of_memory(&self, sharers: usize) -> Self {
        match self.memory {
            Some(bytes) => self.clone().with_memory(bytes / sharers.max(1) as u64),
            None => self.clone(),
        }
    }

    /// The same budget, or at least so much time of the whole that it is a part of.
    #[must_use]
    pub fn or_at_least(self, least: Duration, whole: &Budget) -> Self {
        match self.remaining() {
            Some(left) if left < least => whole.clone().with_time(least).with_memory_of(&self),
            _ => self,
        }
    }

    /// The same budget with at most the memory of another one.
    #[must_use]
    pub fn with_memory_of(self, other: &Budget) -> Self {
        match other.memory {
            Some(bytes) => self.with_memory(bytes),
            None => self,
        }
    }

    /// The same budget with a limit of `bytes` on the memory of the data structures of the computation.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(self.memory.map_or(bytes, |m| m.min(bytes)));
        self
    }

    /// The same budget with a limit on the work of each diagram operation, in uncached recursive calls. Unlike
    /// time, work is the same on every machine and in every run.
    #[must_use]
    pub fn with_work(mut self, calls: u64) -> Self {
        self.work = Some(self.work.map_or(calls, |work| work.min(calls)));
        self
    }

    /// The same budget, also cancelled when `flag` becomes true.
    #[must_use]
    pub fn with_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancelled.push(flag);
        self
    }

    /// The same budget for work that does not go faster than this.
    #[must_use]
    pub(crate) fn with_throttle(mut self, throttle: Arc<Throttle>) -> Self {
        self.throttle = Some(throttle);
        self
    }

    /// Do work on another thread with this budget, and meanwhile ask here, some fifty times a second, whether to go on.
    /// When the answer is no, the work is cancelled; its result is what it makes of that. Whoever asks may so do what
    /// only this thread can: look at signals, redraw a window.
    ///
    /// ```
    /// use starset::budget::{Budget, Exhausted};
    /// let mut patience = 3;
    /// let go_on = || {
    ///     patience -= 1;
    ///     patience > 0
    /// };
    /// let endless = |budget: &Budget| loop {
    ///     if let Err(exhausted) = budget.check() {
    ///         return exhausted;
    ///     }
    /// };
    /// assert_eq!(Budget::unlimited().while_polled(go_on, endless), Exhausted::Cancelled);
    /// ```
    pub fn while_polled<T: Send>(&self, mut go_on: impl FnMut() -> bool, work: impl FnOnce(&Budget) -> T + Send) -> T {
        let (mut work, mut result) = (Some(work), None);
        self.poll(&mut go_on, &mut |budget| result = work.take().map(|work| work(budget)));
        result.unwrap_or_else(|| unreachable!("the work is done, or its panic goes on"))
    }

    /// [`Budget::while_polled`] for all sorts of work in one copy.
    fn poll(&self, go_on: &mut dyn FnMut() -> bool, work: &mut (dyn FnMut(&Budget) + Send)) {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = self.clone().with_flag(Arc::clone(&flag));
        // The work stays out here until the thread takes it, so that it survives a failed spawn.
        let pending = Mutex::new(Some(work));
        let run = || {
            let work = pending.lock().unwrap_or_else(PoisonError::into_inner).take();
            work.into_iter().for_each(|work| work(&budget));
        };
        std::thread::scope(|scope| {
            // The sender goes away with the work, even if that panics.
            let (working, ended) = mpsc::channel::<()>();
            let worker = || {
                let _working = working;
                run();
            };
            let Ok(worker) = std::thread::Builder::new().name("polled".into()).spawn_scoped(scope, worker) else {
                return;
            };
            while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if !flag.load(Ordering::Relaxed) && !go_on() {
                    flag.store(true, Ordering::Relaxed);
                }
            }
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        });
        // Where there is no thread to be had, nobody is asked meanwhile.
        run();
    }

    /// The point in time at which the computation must stop.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Time left; `None` without a deadline.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }

    /// The limit on the work of one operation, in uncached recursive calls.
    pub fn work(&self) -> Option<u64> {
        self.work
    }

    /// The memory limit in bytes.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// `Err` when cancelled or out of time. Cheap enough for every few hundred steps of work.
    #[inline]
    pub fn check(&self) -> Result<(), Exhausted> {
        if let Some(throttle) = &self.throttle {
            throttle.keep(self);
        }
        self.state()
    }

    #[inline]
    fn state(&self) -> Result<(), Exhausted> {
        if self.cancelled.iter().any(|f| f.load(Ordering::Relaxed)) {
            return Err(Exhausted::Cancelled);
        }
        match self.deadline {
            Some(d) if Instant::now() >= d => Err(Exhausted::Time),
            _ => Ok(()),
        }
    }
}

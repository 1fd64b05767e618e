//! Work that gets a part of one processor only, for the sake of others beside it.

use super::Budget;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Work goes on for at least so long before it waits.
const BURST: Duration = Duration::from_millis(5);
/// How often work that waits looks whether it has been cancelled.
const POLL: Duration = Duration::from_millis(2);

/// How fast one thread of work may go: without waiting at first, then for a part of the time. Whoever does the work
/// waits where it checks its budget ([`Budget::check`]).
#[derive(Debug)]
pub(crate) struct Throttle {
    began: Instant,
    first: Duration,
    /// After that, one part of so many.
    parts: u32,
    /// Nanoseconds spent waiting.
    waited: AtomicU64,
    released: AtomicBool,
}

impl Throttle {
    /// From now on: all of the time for so long, and then one part of so many.
    pub(crate) fn new(first: Duration, parts: u32) -> Arc<Self> {
        let (waited, released) = (AtomicU64::new(0), AtomicBool::new(false));
        Arc::new(Throttle { began: Instant::now(), first, parts, waited, released })
    }

    /// There is nothing beside it any more.
    pub(crate) fn release(&self) {
        self.released.store(true, Relaxed);
    }

    /// How long it is ahead of its pace, as seen by a clock that says so much time has passed since it began.
    fn ahead(&self, elapsed: Duration) -> Duration {
        let worked = elapsed.saturating_sub(Duration::from_nanos(self.waited.load(Relaxed)));
        let due = self.first + worked.saturating_sub(self.first) * self.parts;
        if worked <= self.first { Duration::ZERO } else { due.saturating_sub(elapsed) }
    }

    /// Wait until the pace allows more work, or the budget wants an end of it.
    #[cold]
    fn wait(&self, budget: &Budget) {
        let from = self.began.elapsed();
        let until = from + self.ahead(from);
        loop {
            let now = self.began.elapsed();
            if now >= until || self.released.load(Relaxed) || budget.state().is_err() {
                self.waited.fetch_add(u64::try_from((now - from).as_nanos()).unwrap_or(u64::MAX), Relaxed);
                return;
            }
            std::thread::sleep(POLL.min(until - now));
        }
    }

    /// Wait if it is time to.
    pub(super) fn keep(&self, budget: &Budget) {
        if self.ahead(self.began.elapsed()) > BURST * (self.parts - 1) && !self.released.load(Relaxed) {
            self.wait(budget);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_while_it_waits_three_quarters_of_the_time() {
        let millis = Duration::from_millis;
        let throttle = Throttle::new(millis(100), 4);
        assert_eq!(throttle.ahead(millis(100)), Duration::ZERO);
        // Of 100 more each is one of four.
        assert_eq!(throttle.ahead(millis(200)), millis(300));
        throttle.waited.store(300_000_000, Relaxed);
        assert_eq!(throttle.ahead(millis(500)), Duration::ZERO);
        assert_eq!(throttle.ahead(millis(510)), millis(30));
    }

    #[test]
    fn nobody_waits_for_what_is_cancelled_or_released() {
        let flag = Arc::new(AtomicBool::new(true));
        let second = Duration::from_secs(1);
        let throttle = || {
            let mut throttle = Throttle::new(Duration::ZERO, 4);
            if let Some(throttle) = Arc::get_mut(&mut throttle) {
                throttle.began -= second;
            }
            throttle
        };
        let cancelled = Budget::unlimited().with_throttle(throttle()).with_flag(flag);
        assert!(cancelled.check().is_err());
        let released = throttle();
        released.release();
        assert!(Budget::unlimited().with_throttle(released).check().is_ok());
        let late = Budget::unlimited().with_time(Duration::from_millis(20)).with_throttle(throttle());
        assert!(late.check().is_err());
    }
}

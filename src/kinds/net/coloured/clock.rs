//! A budget that is looked at every so often.

use crate::budget::{Budget, Exhausted};

/// Steps of work between two looks at the budget.
const INTERVAL: usize = 4096;

/// Counts steps of work and looks at a budget every few thousand of them.
#[derive(Debug)]
pub(super) struct Clock<'a> {
    budget: &'a Budget,
    ticks: usize,
}

impl<'a> Clock<'a> {
    pub(super) fn new(budget: &'a Budget) -> Self {
        Clock { budget, ticks: 0 }
    }

    /// One step of work.
    #[inline]
    pub(super) fn tick(&mut self) -> Result<(), Exhausted> {
        self.ticks(1)
    }

    /// Several steps of work.
    #[inline]
    pub(super) fn ticks(&mut self, steps: usize) -> Result<(), Exhausted> {
        self.ticks += steps;
        if self.ticks < INTERVAL {
            return Ok(());
        }
        self.ticks = 0;
        self.budget.check()
    }
}

//! Runs by their size: when there are some of about the same size, they become one.
//!
//! The tier of a run is the logarithm of the number of its states, to the base [`SAME`]. No tier has as many runs as that
//! after a run has been added; so there are O(log n) of them, and each state is written O(log n) times (O'Neil et al.
//! 1996, *The log-structured merge-tree*).

use super::folder::Folder;
use super::merge::{Merge, write};
use super::outcome::DiskError;
use super::run::{Run, Shape, Writer};
use crate::budget::Budget;
use std::sync::Arc;

/// So many runs of a tier become one.
const SAME: u64 = 4;

/// Some sorted runs.
#[derive(Debug, Default)]
pub(super) struct Tiers {
    runs: Vec<Arc<Run>>,
}

impl Tiers {
    /// These runs.
    pub(super) fn of(runs: Vec<Arc<Run>>) -> Self {
        Tiers { runs }
    }

    /// All of them.
    pub(super) fn runs(&self) -> &[Arc<Run>] {
        &self.runs
    }

    /// No runs any more, but those that are returned.
    pub(super) fn take(&mut self) -> Vec<Arc<Run>> {
        std::mem::take(&mut self.runs)
    }

    /// Add a run. Those that have become part of others are returned; their files are still there. `stays`: do the runs
    /// stay after the program?
    pub(super) fn add(
        &mut self,
        run: Arc<Run>,
        (folder, shape): (&Folder, Shape),
        stays: bool,
        budget: &Budget,
    ) -> Result<Vec<Arc<Run>>, DiskError> {
        let mut gone = Vec::new();
        let mut tier = tier_of(&run);
        self.runs.push(run);
        while self.runs.iter().filter(|run| tier_of(run) == tier).count() as u64 >= SAME {
            let (same, others): (Vec<_>, Vec<_>) = self.runs.drain(..).partition(|run| tier_of(run) == tier);
            self.runs = others;
            let mut writer = Writer::new(folder, shape)?;
            write(Merge::new(folder, &same, &[], shape)?, &mut writer, budget)?;
            let merged = writer.finish(stays)?;
            gone.extend(same);
            tier = tier_of(&merged);
            self.runs.push(merged);
        }
        Ok(gone)
    }
}

fn tier_of(run: &Run) -> u32 {
    run.states.max(1).ilog(SAME)
}

//! An event log: its traces, those with the same activities as one *variant*.
//!
//! Logs are read in one pass. What is kept of a trace is the name of its case; of a variant, its activities as numbers.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

/// How logs are read.
#[derive(Clone, Debug)]
pub struct LogReading {
    /// Of a table, the column of the case; by its name otherwise.
    pub case: Option<String>,
    /// Of a table, the column of the activity.
    pub activity: Option<String>,
    /// The events that count: those of this transition of their life cycle, and those that name none; all without.
    pub lifecycle: Option<String>,
}

impl Default for LogReading {
    fn default() -> Self {
        LogReading { case: None, activity: None, lifecycle: Some("complete".to_owned()) }
    }
}

impl LogReading {
    /// Does an event count that names this transition of its life cycle?
    pub(super) fn counts(&self, transition: Option<&str>) -> bool {
        match (&self.lifecycle, transition.map(str::trim).filter(|transition| !transition.is_empty())) {
            (Some(wanted), Some(transition)) => wanted.eq_ignore_ascii_case(transition),
            _ => true,
        }
    }
}

/// The cases of a variant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cases {
    /// Their names, in the order of the log.
    pub names: Vec<String>,
}

/// A log.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Activities, by their numbers.
    activities: IndexSet<String, FxBuildHasher>,
    /// Traces as numbers of activities.
    variants: IndexMap<Box<[u32]>, Cases, FxBuildHasher>,
    traces: usize,
    /// Events of other transitions of the life cycle, which do not count.
    pub left_out: u64,
}

impl Log {
    /// The number of an activity, a new one if need be.
    pub(super) fn number(&mut self, activity: &str) -> u32 {
        let known = self.activities.get_index_of(activity);
        known.unwrap_or_else(|| self.activities.insert_full(activity.to_owned()).0) as u32
    }

    /// A trace is complete.
    pub(super) fn add(&mut self, case: String, trace: Vec<u32>) {
        self.variants.entry(trace.into()).or_default().names.push(case);
        self.traces += 1;
    }

    /// The activities, by their numbers.
    pub fn activities(&self) -> impl ExactSizeIterator<Item = &str> {
        self.activities.iter().map(String::as_str)
    }

    /// The name of an activity.
    pub fn activity(&self, number: u32) -> &str {
        &self.activities[number as usize]
    }

    /// The traces by variant, those with most cases first, then as they come in the log.
    pub fn variants(&self) -> Vec<(&[u32], &Cases)> {
        let mut all: Vec<(&[u32], &Cases)> = self.variants.iter().map(|(trace, cases)| (&**trace, cases)).collect();
        all.sort_by_key(|(_, cases)| std::cmp::Reverse(cases.names.len()));
        all
    }

    /// How many traces there are.
    pub fn traces(&self) -> usize {
        self.traces
    }

    /// How many events of these count.
    pub fn events(&self) -> usize {
        self.variants.iter().map(|(trace, cases)| trace.len() * cases.names.len()).sum()
    }
}

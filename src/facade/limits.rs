//! Limits of each operation on a model, and who is asked and told meanwhile.

use super::Watch;
use crate::budget::Budget;
use crate::decide::{Settings, Switch};
use crate::formula::PathSemantics;
use crate::model::StateSet;
use std::sync::Arc;
use std::time::Duration;

/// Asked again and again whether to go on.
type Poll = Arc<dyn Fn() -> bool + Send + Sync>;

/// Limits of each operation, and who is asked and told.
#[derive(Clone)]
pub(super) struct Limits {
    pub(super) budget: Budget,
    pub(super) time: Option<Duration>,
    pub(super) threads: usize,
    /// Are witnesses looked for?
    pub(super) witnesses: bool,
    /// The semantics of paths, if it is not the default.
    pub(super) paths: Option<PathSemantics>,
    /// Whether formulas are about finite runs, and where these end, if not in deadlocks.
    pub(super) finite: Option<Option<String>>,
    /// Assumptions about paths, as lines of files.
    pub(super) fairness: Vec<String>,
    /// Sets that formulas may name.
    pub(super) sets: Vec<StateSet>,
    /// Engines, techniques, the seed.
    pub(super) settings: Settings<'static>,
    pub(super) poll: Option<Poll>,
    pub(super) watch: Option<Watch>,
    /// Techniques that are left out.
    pub(super) without: Vec<&'static Switch>,
}

impl Default for Limits {
    /// None, on one thread.
    fn default() -> Self {
        Limits {
            budget: Budget::unlimited(),
            time: None,
            threads: 1,
            witnesses: true,
            paths: None,
            finite: None,
            fairness: Vec::new(),
            sets: Vec::new(),
            settings: Settings::default(),
            poll: None,
            watch: None,
            without: Vec::new(),
        }
    }
}

impl std::fmt::Debug for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("Limits");
        debug.field("budget", &self.budget).field("time", &self.time).field("threads", &self.threads);
        debug.field("poll", &self.poll.is_some()).finish()
    }
}

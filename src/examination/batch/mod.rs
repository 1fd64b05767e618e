//! Many examinations of many instances: which there are, what came of them, and how that compares with expected answers.
//!
//! Each runs in a process of its own, so that results survive whatever happens to one of them.

mod compare;
mod jobs;
mod merge;
mod record;
mod runner;
mod score;

pub use compare::{Change, Compared, Difference, Previous};
pub use jobs::{Job, Shard, jobs};
pub use merge::{Contradiction, Merged, merge};
pub use record::{CERTIFIED, ContestAnswer, OpenError, Record, Results, SCHEMA};
pub use runner::{Limits, run};
pub use score::{Counts, Expected, Score, Scored, ScoredResult, Wrong, score};

/// The fault of a list of jobs, a file of results or a table of expected answers: where, what is wrong, what to do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BatchError(String);

impl BatchError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        BatchError(message.into())
    }
}

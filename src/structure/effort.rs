//! Limits of computations that have no bound of their own.

/// Limits of an elimination that do not depend on the clock, so that results are the same on every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Rows alive at a time.
    pub rows: usize,
    /// Vector entries read or written.
    pub work: u64,
}

impl Default for Effort {
    /// Enough for nets of 50 000 places with local structure; about a second at most.
    fn default() -> Self {
        Effort { rows: 200_000, work: 50_000_000 }
    }
}

//! Why a coloured net has no unfolding.

use super::multiset::MultisetError;
use crate::budget::Exhausted;
use crate::net::BuildError;

/// Why a coloured net cannot be unfolded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnfoldError {
    /// Out of time or memory, or interrupted.
    #[error("{0} while the coloured net was unfolded")]
    Exhausted(#[from] Exhausted),
    /// Beyond the limits.
    #[error(
        "the unfolding of the coloured net has more than {limit} {what} (`{culprit}` reached the limit), which is beyond what can be explored; use a smaller instance"
    )]
    TooLarge {
        /// `places`, `transitions` or `arcs`.
        what: &'static str,
        /// How many are allowed.
        limit: usize,
        /// The coloured place or transition that reached the limit.
        culprit: String,
    },
    /// An expression without a value.
    #[error("{node}: {error}; correct the expression")]
    Expression {
        /// Which expression.
        node: String,
        /// Its fault.
        error: MultisetError,
    },
    /// The net cannot be built.
    #[error("the unfolding is no net: {0}")]
    Build(#[from] BuildError),
}

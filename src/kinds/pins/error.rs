//! Why a file is not read as a model behind a next-state function.

use super::{ModelError, NoStart, SourceError, b};

/// Why a file is not read as such a model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PinsError {
    /// Something is wrong with the text of a DVE or an ETF file.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Something is wrong with a machine, or it is not supported.
    #[error(transparent)]
    Machine(#[from] b::Error),
    /// A property process cannot be asked.
    #[error("{file}: {message}")]
    Property {
        /// The file.
        file: String,
        /// Why not, and what can be.
        message: String,
    },
    /// A machine that another program should explore cannot be explored so.
    #[error(transparent)]
    Server(#[from] ModelError),
    /// The model does not start.
    #[error("{file}: {error}")]
    Initial {
        /// The file.
        file: String,
        /// Why not.
        error: NoStart,
    },
}

impl PinsError {
    /// Is nothing wrong with the file, but the limits were not enough?
    pub fn is_unknown(&self) -> bool {
        matches!(self, PinsError::Machine(error) if error.fault() == b::Fault::Exhausted)
    }
}

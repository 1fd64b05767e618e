//! What is wrong with a file that should be a network.

use super::NetworkError;

/// Why a file could not be read as a network: where, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct ReadError {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong, and the remedy.
    pub message: String,
}

impl ReadError {
    pub(super) fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        ReadError { file: file.to_owned(), line, message: message.into() }
    }

    pub(super) fn network(file: &str, line: usize, error: &NetworkError) -> Self {
        ReadError::new(file, line, error.to_string())
    }
}

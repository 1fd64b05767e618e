//! Errors of text files that should be models, and the reading of such files.

/// Why a text could not be read as a model: where, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct TextError {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// The problem and the remedy.
    pub message: String,
}

impl TextError {
    pub(crate) fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        TextError { file: file.to_owned(), line, message: message.into() }
    }
}

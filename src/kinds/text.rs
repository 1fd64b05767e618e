//! What is wrong with a file of text that should be a model; and how such files are read.

use super::ReadError;
use std::fs;
use std::path::Path;

/// Why a text could not be read as a model: where, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct TextError {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong, and the remedy.
    pub message: String,
}

impl TextError {
    pub(super) fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        TextError { file: file.to_owned(), line, message: message.into() }
    }
}

/// The text of a file, with its name.
pub(super) fn text(path: &Path) -> Result<(String, String), ReadError> {
    let file = path.display().to_string();
    match fs::read_to_string(path) {
        Ok(text) => Ok((text, file)),
        Err(error) => Err(ReadError::Open { file, error }),
    }
}

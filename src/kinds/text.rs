//! What is wrong with a file of text that should be a model; and how such files are read.

use super::ReadError;
use crate::files;
use std::io::Read as _;
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
    let mut text = String::new();
    match files::open(path).and_then(|mut input| input.read_to_string(&mut text)) {
        Ok(_) => Ok((text, file)),
        Err(error) => Err(ReadError::Open { file, error }),
    }
}

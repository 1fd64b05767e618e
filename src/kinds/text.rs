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

/// The text of a file, or of standard input (`-`), with its name. A byte order mark is none of it.
pub(super) fn text(path: &Path) -> Result<(String, String), ReadError> {
    let file = files::shown(path);
    let mut text = String::new();
    match files::open(path).and_then(|mut input| input.read_to_string(&mut text)) {
        Ok(_) => Ok((without_mark(text), file)),
        Err(error) => Err(ReadError::Open { file, error }),
    }
}

/// What editors of other systems put before a text is none of it.
fn without_mark(mut text: String) -> String {
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    text
}

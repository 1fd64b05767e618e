//! Reading of logs: XES or a table, by how the file begins.

use super::log::{Log, LogReading};
use super::{csv, xes};
use crate::files;
use std::io::BufRead;
use std::path::Path;

/// Why a log is not read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct LogError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The problem and the remedy.
    pub message: String,
}

/// The log in a file, compressed or not: XES, or a table (CSV), by how it begins.
///
/// # Errors
/// [`LogError`].
pub fn read_log(path: &Path, reading: &LogReading) -> Result<Log, LogError> {
    let file = files::shown(path);
    let wrong = |error: std::io::Error| LogError {
        file: file.clone(),
        line: 1,
        message: format!("cannot be read: {}", files::why(&error)),
    };
    read_log_in(files::open(path).map_err(wrong)?, &file, reading)
}

/// The same of what is read from elsewhere: `file` is its name in messages.
///
/// # Errors
/// [`LogError`].
pub fn read_log_in(mut input: impl BufRead, file: &str, reading: &LogReading) -> Result<Log, LogError> {
    let wrong = |(line, message): (u64, String)| LogError { file: file.to_owned(), line, message };
    let head = input.fill_buf().map_err(|error| wrong((1, format!("cannot be read: {}", files::why(&error)))))?;
    let begin = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let mut log = Log::default();
    match begin.first() {
        Some(b'<') => xes::read(input, reading, &mut log).map_err(wrong)?,
        _ => csv::read(input, reading, &mut log).map_err(wrong)?,
    }
    Ok(log)
}

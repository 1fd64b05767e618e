//! Errors of input files: file, place, problem and remedy.

use std::fmt;

/// An input that cannot be read. Displays as `file:line:column: problem`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The file, or what the caller called the input.
    pub source: String,
    /// Line and column, from 1, where the problem is in one place.
    pub location: Option<(u32, u32)>,
    /// The problem and the remedy.
    pub problem: String,
}

impl ReadError {
    /// A problem in one place.
    pub fn at(source: &str, line: u32, column: u32, problem: impl Into<String>) -> Self {
        ReadError { source: source.to_owned(), location: Some((line, column)), problem: problem.into() }
    }

    /// A problem of the whole file.
    pub fn about(source: &str, problem: impl Into<String>) -> Self {
        ReadError { source: source.to_owned(), location: None, problem: problem.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.source)?;
        if let Some((line, column)) = self.location {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.problem)
    }
}

impl std::error::Error for ReadError {}

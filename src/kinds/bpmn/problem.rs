//! What is wrong with a diagram, or worth saying: the line of the file, and a sentence.

use std::fmt;

/// Something about a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The line of the file, from 1.
    pub line: u64,
    /// The problem; where it ends the reading, and the remedy.
    pub message: String,
}

impl Problem {
    pub(super) fn new(line: u64, message: impl Into<String>) -> Self {
        Problem { line, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

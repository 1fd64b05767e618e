//! Why a text is not a formula, shown with a caret under the place.

use crate::formula::{MAX_DEPTH, NameError};
use std::fmt;

/// The problem of a formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ParseErrorKind {
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The expected tokens.
        expected: String,
        /// The token there.
        found: String,
    },
    /// A name of no place or transition, or of several.
    #[error("{0}{1}")]
    Name(Box<NameError>, &'static str),
    /// A formula where an integer expression is needed, or the reverse, or an operator used in a way that has
    /// no single meaning; the text says how to write it.
    #[error("{0}")]
    Misuse(String),
    /// A number beyond 128 bits.
    #[error("number too large (at most 2^127-1)")]
    Number,
    /// The divisor is the constant 0.
    #[error("division by zero")]
    DivisionByZero,
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

/// Why a text is not a formula, and where. Displayed with the line and a caret under the column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The problem.
    pub(crate) kind: ParseErrorKind,
    /// Line of the text, from 1.
    pub line: usize,
    /// Column of that line, in characters, from 1.
    pub column: usize,
    /// The line, for display.
    pub source_line: String,
}

impl ParseError {
    /// A proposition of the formula has a name that means something else.
    pub(crate) fn taken(text: &str, name: &str) -> Self {
        let kind = ParseErrorKind::Misuse(format!(
            "`{name}` says how long a finite word lasts: call the proposition otherwise"
        ));
        ParseError { kind, line: 1, column: 1, source_line: text.lines().next().unwrap_or("").to_owned() }
    }

    /// The whole text is a formula that is nested deeper than so many levels.
    pub(crate) fn too_deep(text: &str, levels: u32) -> Self {
        let kind = ParseErrorKind::Misuse(format!("nested deeper than {levels} levels"));
        ParseError { kind, line: 1, column: 1, source_line: text.lines().next().unwrap_or("").to_owned() }
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Characters shown on either side of the caret.
        const AROUND: usize = 60;
        if self.line > 1 {
            write!(f, "line {}, ", self.line)?;
        }
        writeln!(f, "column {}: {}", self.column, self.kind)?;
        let start = self.column.saturating_sub(AROUND + 1);
        let shown: String = self.source_line.chars().skip(start).take(2 * AROUND).collect();
        let shown = shown.replace(char::is_control, " ");
        write!(f, "  {shown}\n  {}^", " ".repeat(self.column.saturating_sub(1 + start)))
    }
}

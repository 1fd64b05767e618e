//! Where in a source text something is, and the error that says so.
//!
//! The text formats of this kind of model (DVE, ETF) have one reader each and one kind of error: the first thing that
//! is wrong, by file, line and column, and what to do about it. Reading stops there.

/// A place in a text: line and column, both from 1. Columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Place {
    /// The beginning of a text.
    pub const START: Place = Place { line: 1, column: 1 };

    /// Where the text goes on after this character.
    pub fn after(self, character: char) -> Place {
        match character {
            '\n' => Place { line: self.line.saturating_add(1), column: 1 },
            _ => Place { line: self.line, column: self.column.saturating_add(1) },
        }
    }
}

/// A text that cannot be read, or that says something that has no meaning.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{}:{}: {message}", .place.line, .place.column)]
pub struct SourceError {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// Where the error is.
    pub place: Place,
    /// The problem and the remedy.
    pub message: String,
}

/// A problem and its place, while the name of the file is not at hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    /// Where the error is.
    pub place: Place,
    /// The problem and the remedy.
    pub message: String,
}

impl Fault {
    /// A fault at a place.
    pub(super) fn new(place: Place, message: impl Into<String>) -> Self {
        Fault { place, message: message.into() }
    }

    /// The error for the user, who knows the file by this name.
    pub(super) fn in_file(self, file: &str) -> SourceError {
        SourceError { file: file.to_owned(), place: self.place, message: self.message }
    }
}

//! Errors of machines, with their places.
//!
//! Three kinds: the text is not B, the text is B that this front end does not know or cannot count as ProB does
//! (*refused*, with the construct), or an expression has no value (*ill-defined*: a function applied outside its
//! domain, a division by zero). Two more never leave the evaluator: a set that has no finite value, and a value that
//! the search for constants has not found yet.

use crate::budget::Exhausted;
use std::fmt;

const OUTSIDE: &str = "a function is applied outside its domain";

/// A place in a file: an index into the files of a model, line, column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Pos {
    /// Number of the file.
    pub file: u16,
    /// Line, from 1; 0 if there is no place.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// The sort of error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Not B.
    Syntax,
    /// Not well typed.
    Type,
    /// Not supported here.
    Refused,
    /// No value.
    IllDefined,
    /// No finite value: the set has to stay symbolic.
    Infinite,
    /// Not known yet.
    Unknown,
    /// The limits were not enough.
    Exhausted,
}

/// A fault with its place and its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(Box<(Fault, Pos, String, Option<String>)>);

impl Error {
    /// A fault.
    pub fn new(fault: Fault, pos: Pos, text: String) -> Self {
        Error(Box::new((fault, pos, text, None)))
    }

    /// The text is not B.
    pub fn syntax(pos: Pos, text: String) -> Self {
        Error::new(Fault::Syntax, pos, text)
    }

    /// Types do not fit.
    pub fn typing(pos: Pos, text: String) -> Self {
        Error::new(Fault::Type, pos, text)
    }

    /// Not supported.
    pub fn refused(pos: Pos, text: String) -> Self {
        Error::new(Fault::Refused, pos, text)
    }

    /// No value.
    pub fn ill(pos: Pos, text: impl Into<String>) -> Self {
        Error::new(Fault::IllDefined, pos, text.into())
    }

    /// Something is read that has no value yet.
    pub fn unset(pos: Pos) -> Self {
        Error::ill(pos, "a variable is read before it has a value")
    }

    /// No finite value.
    pub fn infinite(pos: Pos, text: impl Into<String>) -> Self {
        Error::new(Fault::Infinite, pos, text.into())
    }

    /// Not known yet.
    pub fn unknown(pos: Pos) -> Self {
        Error::new(Fault::Unknown, pos, String::new())
    }

    /// The limits were not enough.
    pub fn exhausted(exhausted: Exhausted) -> Self {
        Error::new(Fault::Exhausted, Pos::default(), exhausted.to_string())
    }

    /// A function is applied outside its domain.
    pub fn outside(pos: Pos) -> Self {
        Error::ill(pos, OUTSIDE)
    }

    /// Is a function applied outside its domain?
    pub fn is_outside(&self) -> bool {
        self.0.0 == Fault::IllDefined && self.0.2 == OUTSIDE
    }

    /// Which kind it is.
    pub fn fault(&self) -> Fault {
        self.0.0
    }

    /// Where it is.
    pub fn pos(&self) -> Pos {
        self.0.1
    }

    /// Its message, without the place.
    pub fn text(&self) -> &str {
        &self.0.2
    }

    /// With the name of its file.
    pub fn within(mut self, files: &[String]) -> Self {
        if self.0.3.is_none() {
            self.0.3 = files.get(self.0.1.file as usize).cloned();
        }
        self
    }

    /// With words in front of its text.
    pub fn during(mut self, what: &str) -> Self {
        self.0.2 = format!("{what}: {}", self.0.2);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (fault, pos, text, file) = &*self.0;
        if let Some(file) = file {
            write!(f, "{file}:")?;
        }
        match (pos.line > 0, file) {
            (true, _) => write!(f, "{}:{}: ", pos.line, pos.column)?,
            (false, Some(_)) => write!(f, " ")?,
            (false, None) => {}
        }
        let kind = match fault {
            Fault::Syntax => "syntax error: ",
            Fault::Type => "type error: ",
            Fault::Refused => "refused: ",
            Fault::IllDefined => "not well defined: ",
            Fault::Infinite => "refused: no finite set: ",
            Fault::Exhausted => "stopped: ",
            Fault::Unknown => "refused: a constant is needed before it is known",
        };
        write!(f, "{kind}{text}")
    }
}

impl std::error::Error for Error {}

/// A result whose error is a fault of the model.
pub(super) type Res<T> = Result<T, Error>;

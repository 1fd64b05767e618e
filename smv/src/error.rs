//! Faults of a program, with their place.

use std::fmt;

/// A place in the text, both from 1 on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// The first fault of a program, and the remedy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What is wrong, and what to do.
    pub message: String,
    /// The checks that found it, for those who compare with another program.
    pub stage: Stage,
    /// Is the place one of a further property, and not of the program?
    pub is_further: bool,
}

/// The checks of a program, in the order in which they are made (SPEC, section 9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Tokens and grammar.
    Syntax,
    /// Modules, instances, parameters, names.
    Names,
    /// Types.
    Types,
    /// Who assigns what, and circular definitions.
    Assignments,
    /// Values out of range, missing cases, divisions by zero.
    Values,
    /// A property.
    Property,
}

impl Fault {
    /// A fault at a place.
    pub(crate) fn new(stage: Stage, place: Place, message: impl Into<String>) -> Self {
        Fault { place, message: message.into(), stage, is_further: false }
    }

    /// The same, of a property with this text, which may be a further one.
    pub(crate) fn in_property(self, further: Option<usize>, text: &str) -> Self {
        let fault = Fault { stage: Stage::Property, ..self };
        if further.is_some() { fault.in_further(text) } else { fault }
    }

    /// The same in the text of a further property.
    pub(crate) fn in_further(self, text: &str) -> Self {
        Fault { message: format!("in `{text}`: {}", self.message), is_further: true, ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.place.line, self.place.column, self.message)
    }
}

impl std::error::Error for Fault {}

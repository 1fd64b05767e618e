//! Values that completion scripts suggest for an option that takes others, too.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;

/// Takes any text, and knows some.
#[derive(Clone)]
pub(super) struct Suggested<F>(pub(super) F);

impl<F, I> TypedValueParser for Suggested<F>
where
    F: Fn() -> I + Clone + Send + Sync + 'static,
    I: Iterator<Item = PossibleValue> + 'static,
{
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)()))
    }
}

//! Place/transition nets in the forms of other tools, each in a file of its own. PNML is beside this folder.

pub mod lola;
mod names;
pub mod tina;

use super::pnml::Net;
use crate::budget::Budget;
use crate::kinds::text::text;
use crate::kinds::{Loaded, ReadError, Reading, TextError};
use crate::net::PetriNet;
use std::path::PathBuf;

pub(in crate::kinds) use names::other_format;

/// A net as TINA or LoLA writes it: files of both, and of others, are called `.net`, so the text decides.
pub(in crate::kinds) fn net(paths: &[PathBuf], reading: &Reading, budget: &Budget) -> Result<Loaded, ReadError> {
    let (text, file) = text(paths.first().ok_or(ReadError::Nothing)?)?;
    if let Some(what) = other_format(text.as_bytes()) {
        return Err(ReadError::OtherFormat { file, what });
    }
    let net = Net::Flat(read(&text, &file)?);
    super::read::loaded(net, reading, budget)
}

/// The net in a text of either form; `file` is its name in messages.
///
/// # Errors
/// [`TextError`].
pub fn read(text: &str, file: &str) -> Result<PetriNet, TextError> {
    if lola::is_lola(text) { lola::read(text, file) } else { tina::read(text, file) }
}

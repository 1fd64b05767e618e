//! Place/transition nets in the forms of other tools, each in a file of its own. PNML is beside this folder.

pub mod gspn;
pub mod lola;
pub mod ndr;
pub mod pnpro;
pub mod tina;

use super::pnml::Net;
use crate::budget::Budget;
use crate::kinds::beginning::other_format;
use crate::kinds::reading::text;
use crate::kinds::{Loaded, ReadError, Reading, TextError};
use crate::net::PetriNet;
use std::path::PathBuf;

/// A net as TINA or LoLA writes it: files of these, and of others, are called `.net`, so the text decides.
pub(in crate::kinds) fn net(paths: &[PathBuf], reading: &Reading, budget: &Budget) -> Result<Loaded, ReadError> {
    let (text, file) = text(paths.first().ok_or(ReadError::Nothing)?)?;
    loaded(&text, file, reading, budget)
}

/// Is what begins like this a net or a project of GreatSPN, whatever its file is called?
pub(in crate::kinds) fn is_gspn(begin: &[u8]) -> bool {
    let begin = String::from_utf8_lossy(begin);
    gspn::is_gspn(&begin) || pnpro::is_pnpro(&begin)
}

/// The same of a text.
pub(in crate::kinds) fn loaded(
    text: &str,
    file: String,
    reading: &Reading,
    budget: &Budget,
) -> Result<Loaded, ReadError> {
    if let Some(what) = other_format(text.as_bytes()) {
        return Err(ReadError::OtherFormat { file, what });
    }
    let plain = without_mark(text);
    let (net, assumptions) =
        if lola::is_lola(plain) { lola::read_fair(plain, &file)? } else { (read(text, &file)?, Vec::new()) };
    if net.place_count() == 0 && net.transitions().is_empty() {
        return Err(TextError::new(&file, 1, crate::kinds::NOTHING).into());
    }
    let mut loaded = super::read::loaded(Net::Flat(net), reading, budget)?;
    loaded.questions.assumptions = assumptions;
    Ok(loaded)
}

/// What editors of other systems put before a text is none of it.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The net in a text of one of these forms; `file` is its name in messages.
///
/// # Errors
/// [`TextError`].
pub fn read(text: &str, file: &str) -> Result<PetriNet, TextError> {
    let text = without_mark(text);
    if lola::is_lola(text) {
        lola::read(text, file)
    } else if ndr::is_ndr(text) {
        ndr::read(text, file)
    } else if gspn::is_gspn(text) {
        gspn::read(text, file)
    } else if pnpro::is_pnpro(text) {
        pnpro::read(text, file)
    } else {
        tina::read(text, file)
    }
}

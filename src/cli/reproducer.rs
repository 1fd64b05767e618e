//! Files that reproduce a disagreement: the net as PNML, and what was asked and answered as text.

use super::Failure;
use starset::net::PetriNet;
use starset::pnml;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Write `disagreement-ID.pnml` and `disagreement-ID.txt` to a folder. `text` gets the name of the net's
/// file and says the rest.
pub(crate) fn write(
    folder: &Path,
    net: &PetriNet,
    id: &str,
    text: impl Fn(&str) -> String,
) -> Result<PathBuf, Failure> {
    let safe: String = id.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' }).collect();
    let name = format!("disagreement-{safe}");
    let (model, note) = (format!("{name}.pnml"), folder.join(format!("{name}.txt")));
    let files = || -> io::Result<()> {
        fs::create_dir_all(folder)?;
        pnml::write(net, BufWriter::new(File::create(folder.join(&model))?))?;
        fs::write(&note, text(&model))
    };
    files().map_err(|e| Failure::Input(format!("cannot write {} or the net beside it: {e}", note.display())))?;
    Ok(note)
}

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

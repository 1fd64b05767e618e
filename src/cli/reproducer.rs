//! Files that reproduce a disagreement: the net as PNML or the network as .dot, and what was asked and answered as text.

use super::Failure;
use starset::lts::{Model, write_dot};
use starset::pnml;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Write `disagreement-ID.pnml` (of a network, `.dot`) and `disagreement-ID.txt` to a folder. `text` gets the name of the
/// model's file and says the rest.
pub(crate) fn write<'m>(
    folder: &Path,
    model: impl Into<Model<'m>>,
    id: &str,
    text: impl Fn(&str) -> String,
) -> Result<PathBuf, Failure> {
    let safe: String = id.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' }).collect();
    let name = format!("disagreement-{safe}");
    let model = model.into();
    let form = if matches!(model, Model::Net(_)) { "pnml" } else { "dot" };
    let (file, note) = (format!("{name}.{form}"), folder.join(format!("{name}.txt")));
    let files = || -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let out = BufWriter::new(File::create(folder.join(&file))?);
        match model {
            Model::Net(net) => pnml::write(net, out)?,
            Model::Network(network) => write_dot(network, out)?,
        }
        fs::write(&note, text(&file))
    };
    files().map_err(|e| Failure::Input(format!("cannot write {} or the model beside it: {e}", note.display())))?;
    Ok(note)
}

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

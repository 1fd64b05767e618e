//! Property files of either form, told apart by how they begin: XML of the Model Checking Contest, or numbered formulas of
//! the RERS challenge.

use super::ast::Pool;
use super::mcc::{Property, PropertyError, Query, read_properties};
use super::rers::{Numbered, NumberedError, read_numbered};
use super::symbols::Symbols;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Why a property file is not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PropertyFileError {
    /// It cannot be read.
    #[error("cannot read {file}: {error}")]
    Open {
        /// Its name.
        file: String,
        /// Why not.
        error: io::Error,
    },
    /// It begins like XML, and is none of properties.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// It begins like one with numbered formulas.
    #[error(transparent)]
    Numbered(#[from] NumberedError),
}

/// The properties in a file, each with its identifier or number. Those that cannot be read are among them, unless none
/// can.
///
/// # Errors
/// [`PropertyFileError`].
pub fn read_property_file(path: &Path, symbols: &Symbols, pool: &mut Pool) -> Result<Vec<Property>, PropertyFileError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| PropertyFileError::Open { file: name.clone(), error })?;
    read_property_text(BufReader::new(file), &name, symbols, pool)
}

/// The same of what a file says.
///
/// # Errors
/// [`PropertyFileError`].
pub fn read_property_text(
    mut file: impl BufRead,
    name: &str,
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<Vec<Property>, PropertyFileError> {
    let open = |error| PropertyFileError::Open { file: name.to_owned(), error };
    if !file.fill_buf().map_err(open)?.trim_ascii_start().starts_with(b"#") {
        return Ok(read_properties(file, name, symbols, pool)?);
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(open)?;
    let numbered = read_numbered(&text, name, symbols, pool)?;
    let property = |numbered: Numbered| Property {
        id: numbered.number,
        description: String::new(),
        query: Query::Formula(numbered.formula),
        location: numbered.location,
        remarks: Vec::new(),
    };
    Ok(numbered.into_iter().map(property).collect())
}

//! Files with models behind a next-state function.

use super::b::{self, BMachine, Options};
use super::dve::Dve;
use super::etf::Etf;
use super::{NextState, NoStart, PinsModel, SourceError};
use crate::budget::Budget;
use crate::kinds::text::text;
use crate::kinds::{Loaded, ReadError, Reading};
use std::path::{Path, PathBuf};

/// Why a file is not read as such a model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PinsError {
    /// Something is wrong with the text of a DVE or an ETF file.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Something is wrong with a machine, or it is not supported.
    #[error(transparent)]
    Machine(#[from] b::Error),
    /// The model does not start.
    #[error("{file}: {error}")]
    Initial {
        /// The file.
        file: String,
        /// Why not.
        error: NoStart,
    },
}

/// A model, called after its file.
fn loaded(path: &Path, model: impl NextState + 'static) -> Result<Loaded, ReadError> {
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let model =
        PinsModel::new(&name, model).map_err(|error| PinsError::Initial { file: path.display().to_string(), error })?;
    Ok(Loaded::new(model))
}

/// A DVE model in a file.
pub(in crate::kinds) fn dve(paths: &[PathBuf], _: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    let (text, file) = text(path)?;
    loaded(path, Dve::read(&file, &text).map_err(PinsError::from)?)
}

/// An ETF model in a file.
pub(in crate::kinds) fn etf(paths: &[PathBuf], _: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    let (text, file) = text(path)?;
    loaded(path, Etf::read(&file, &text).map_err(PinsError::from)?)
}

/// A B machine in a file; what it uses lies beside it.
pub(in crate::kinds) fn machine(paths: &[PathBuf], _: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    let machine = BMachine::open(path, &Options::default()).map_err(PinsError::from)?;
    let warnings = machine.warnings();
    Ok(Loaded { notes: warnings, ..loaded(path, machine)? })
}

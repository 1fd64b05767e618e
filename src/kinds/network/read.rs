//! The readers of networks.

use super::{Network, read_aut, read_dot, read_pml};
use crate::budget::Budget;
use crate::kinds::reading::text;
use crate::kinds::{Loaded, ReadError, Reading, TextError};
use std::path::PathBuf;

/// A network in DOT.
pub(in crate::kinds) fn dot(paths: &[PathBuf], _: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    one(paths, read_dot)
}

/// A network in Promela.
pub(in crate::kinds) fn pml(paths: &[PathBuf], _: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    one(paths, read_pml)
}

/// Transition systems that make a network.
pub(in crate::kinds) fn aut(paths: &[PathBuf], _: &Reading, _: &Budget) -> Result<Loaded, ReadError> {
    let texts = paths.iter().map(|path| text(path)).collect::<Result<Vec<_>, _>>()?;
    let texts: Vec<(&str, &str)> = texts.iter().map(|(text, file)| (text.as_str(), file.as_str())).collect();
    Ok(Loaded::new(read_aut(&texts)?))
}

fn one(paths: &[PathBuf], read: fn(&str, &str) -> Result<Network, TextError>) -> Result<Loaded, ReadError> {
    let (text, file) = text(paths.first().ok_or(ReadError::Nothing)?)?;
    Ok(Loaded::new(read(&text, &file)?))
}

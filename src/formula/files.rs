//! Property files of each form, told apart by how they begin: XML of the Model Checking Contest, numbered formulas of
//! the RERS challenge, or a formula on each line; notations of other tools, which look like ours, by the extension.

use super::dialects::{Dialect, read_dialect};
use super::lines::{is_comment, named, read_lines};
use super::mcc::{Property, PropertyError, PropertyProblem, PropertyQuestion, read_properties};
use super::pool::Pool;
use super::rers::{Numbered, NumberedError, read_numbered};
use super::symbols::Symbols;
use crate::files;
use crate::xml::Location;
use std::io::{self, BufRead, Read as _};
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
    /// It begins like XML, and is none of properties; or no formula in it can be read.
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
    let name = files::shown(path);
    let file = files::open(path).map_err(|error| PropertyFileError::Open { file: name.clone(), error })?;
    read_property_text(file, &name, symbols, pool)
}

/// As [`read_property_file`], of formulas about finite runs: on lines `N` is the weak next, and the templates of
/// [`DECLARE`](super::DECLARE) are known.
///
/// # Errors
/// [`PropertyFileError`].
pub fn read_finite_property_file(
    path: &Path,
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<Vec<Property>, PropertyFileError> {
    let name = files::shown(path);
    let file = files::open(path).map_err(|error| PropertyFileError::Open { file: name.clone(), error })?;
    read_text(file, (&name, true), symbols, pool)
}

/// The text of a file of formulas, or of standard input (`-`); it may be compressed.
///
/// # Errors
/// When it cannot be read.
pub fn read_formula_file(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    files::open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// The same of what a file says.
///
/// # Errors
/// [`PropertyFileError`].
pub fn read_property_text(
    file: impl BufRead,
    name: &str,
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<Vec<Property>, PropertyFileError> {
    read_text(file, (name, false), symbols, pool)
}

fn read_text(
    mut file: impl BufRead,
    (name, finite): (&str, bool),
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<Vec<Property>, PropertyFileError> {
    let open = |error| PropertyFileError::Open { file: name.to_owned(), error };
    let begin = file.fill_buf().map_err(open)?;
    let begin = begin.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(begin).trim_ascii_start();
    if begin.is_empty() {
        return Err(PropertyFileError::Property(PropertyError {
            source_name: name.to_owned(),
            location: Location { line: 1, column: 1 },
            problem: PropertyProblem::Line("no formula: write one on each line, or give properties in XML".to_owned()),
        }));
    }
    // What is compressed has its message there, too.
    let text = begin.first().is_some_and(|c| c.is_ascii_graphic() || (0xC3..=0xF4).contains(c));
    if !text || is_xml(&String::from_utf8_lossy(begin)) || begin.starts_with(b"PK") || begin.starts_with(b"BZh") {
        return Ok(read_properties(file, name, symbols, pool)?);
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(open)?;
    if let Some(dialect) = Dialect::of_file(&files::plain_name(Path::new(name))) {
        return Ok(read_dialect(text.trim_start_matches('\u{feff}'), name, dialect, symbols, pool)?);
    }
    if !is_numbered(&text) {
        return Ok(read_lines(&text, (name, finite), symbols, pool)?);
    }
    let numbered = read_numbered(&text, name, symbols, pool)?;
    let property = |numbered: Numbered| Property {
        id: numbered.number,
        description: String::new(),
        query: PropertyQuestion::Formula(numbered.formula),
        location: numbered.location,
        remarks: Vec::new(),
        written: None,
        assumptions: Vec::new(),
    };
    Ok(numbered.into_iter().map(property).collect())
}

/// Does a file of formulas begin as XML does? A modality begins a line of text.
///
/// ```
/// use starset::formula::is_xml;
/// assert!(["<?xml version='1.0'?>", "<property-set>", "<property-set><property><id>a</id>"].into_iter().all(is_xml));
/// assert!(!["<send> true", "<a> <b> deadlock", "<> deadlock", "AG <a> true"].into_iter().any(is_xml));
/// ```
pub fn is_xml(beginning: &str) -> bool {
    let line = beginning.trim_start_matches('\u{feff}').trim_start().lines().next().unwrap_or_default();
    let Some(rest) = line.strip_prefix('<') else { return false };
    match rest.split_once('>') {
        Some((tag, after)) => {
            let is_tag = tag.starts_with(|c: char| c.is_alphabetic() || "_?!".contains(c));
            is_tag && (tag.contains(['=', '?', '!']) || after.is_empty() || after.contains("</") || is_xml(after))
        }
        None => !rest.starts_with(['>', '*', '"']),
    }
}

/// Has each formula of a text its number, perhaps with a verdict, on a line before it, as in the RERS challenge?
fn is_numbered(text: &str) -> bool {
    let Some(first) = text.lines().find(|line| !is_comment(line.trim())) else { return false };
    let verdict = |rest: &str| matches!(rest.trim(), "" | "?" | "true" | "false");
    let numbered = first.trim_start().starts_with('#') && matches!(named(first), (Some(_), rest) if verdict(rest));
    // `#1: true` may be all that is asked.
    let is_formula = |line: &str| !is_comment(line.trim()) && !line.trim_start().starts_with('#');
    numbered && text.lines().any(is_formula)
}

//! Property files of the RERS challenge: numbered formulas over actions.
//!
//! A line `#k:`, which may go on with the verdict `true` or `false`; then the formula, up to the next such line.
//! Blank lines do not count. In a file without quantifiers and modalities all formulas are of linear time, so that a
//! constant, too, speaks of all paths: `false` holds where there is none. The notation of the formulas is that of [`parse_actions`], which covers the linear-time
//! tracks (bare labels as atoms) and the branching-time tracks (modalities) alike.
//!
//! *Sources*: the problem descriptions of the parallel tracks, RERS 2016 to 2020.

use super::ast::Formula;
use super::parse::parse_actions;
use super::pool::{FormulaId, Pool};
use super::symbols::Symbols;
use crate::xml::Location;

/// A formula with its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbered {
    /// The number, as it is written.
    pub number: String,
    /// The formula.
    pub formula: FormulaId,
    /// The verdict, if the file says it.
    pub expected: Option<bool>,
    /// Where it begins.
    pub location: Location,
}

/// Why a text is not a property file: where, what is wrong, and what to do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct NumberedError {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// The problem and the remedy.
    pub message: String,
}

/// Read the formulas of a file; `file` is its name in messages.
///
/// ```
/// use starset::formula::{Pool, Symbols, read_numbered};
/// let symbols = Symbols::of_labels(["a", "b"]);
/// let found = read_numbered("#1:\ttrue\n( F a )\n\n#2:\n(a U b)\n", "p.txt", &symbols, &mut Pool::new())?;
/// assert_eq!((found[0].number.as_str(), found[0].expected), ("1", Some(true)));
/// assert_eq!((found[1].number.as_str(), found[1].expected), ("2", None));
/// # Ok::<(), starset::formula::NumberedError>(())
/// ```
///
/// # Errors
/// [`NumberedError`] where the text is not of this form.
pub fn read_numbered(
    text: &str,
    file: &str,
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<Vec<Numbered>, NumberedError> {
    let error = |line, message: String| NumberedError { file: file.to_owned(), line, message };
    let mut found: Vec<Numbered> = Vec::new();
    let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()).peekable();
    while let Some((header, line)) = lines.next() {
        let parts = header.trim().strip_prefix('#').and_then(|rest| rest.split_once(':'));
        let Some((number, verdict)) = parts.filter(|(number, _)| is_number(number)) else {
            return Err(error(line, "expected a line like `#1:` before a formula".to_owned()));
        };
        if found.iter().any(|earlier| earlier.number == number) {
            return Err(error(line, format!("a second property #{number}; give it a number of its own")));
        }
        let expected = match verdict.trim() {
            "" | "?" => None,
            "true" => Some(true),
            "false" => Some(false),
            other => return Err(error(line, format!("`{other}` is no verdict; write true, false or nothing"))),
        };
        let mut formula = String::new();
        let first = lines.peek().map_or(line, |&(_, line)| line);
        while let Some((part, _)) = lines.next_if(|(line, _)| !line.trim_start().starts_with('#')) {
            formula.push_str(part);
            formula.push('\n');
        }
        if formula.is_empty() {
            return Err(error(line, format!("property {number} has no formula; write it on the next line")));
        }
        let formula =
            parse_actions(&formula, symbols, pool).map_err(|e| error(first, format!("property {number}: {e}")))?;
        let location = Location { line: line as u64, column: 1 };
        found.push(Numbered { number: number.to_owned(), formula, expected, location });
    }
    let of_branching = |pool: &Pool, id: FormulaId| {
        matches!(pool[id], Formula::Exists(_) | Formula::Forall(_) | Formula::Diamond(..) | Formula::Box(..))
    };
    let roots: Vec<FormulaId> = found.iter().map(|property| property.formula).collect();
    if !pool.subformulas(&roots).into_iter().any(|id| of_branching(pool, id)) {
        for property in &mut found {
            if pool.is_state(property.formula) {
                property.formula = pool.add(Formula::Forall(property.formula));
            }
        }
    }
    Ok(found)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(text: &str) -> Result<(Vec<Numbered>, Pool), NumberedError> {
        let mut pool = Pool::new();
        let symbols = Symbols::of_labels(["a", "b", "c0_t1"]);
        read_numbered(text, "p.txt", &symbols, &mut pool).map(|found| (found, pool))
    }

    #[test]
    fn formulas_of_both_tracks() {
        let text =
            "#1: \t false\n( ((a => (!c0_t1 U b)) W (\"b\" | unknown)) )\n\n#2:\n(AG [a] <> (true &\n [] false))\n";
        let (found, pool) = read(text).unwrap();
        let symbols = Symbols::of_labels(["a", "b", "c0_t1"]);
        let shown: Vec<String> = found.iter().map(|p| pool.display(p.formula, &symbols).to_string()).collect();
        assert_eq!(
            shown,
            ["(action(a) -> (!action(c0_t1) U action(b))) W (action(b) | action())", "A G [a] <*> (true & [*] false)",]
        );
        assert_eq!(found[0].expected, Some(false));
    }

    #[test]
    fn mistakes_are_placed() {
        for (text, expected) in [
            ("( a )", "p.txt:1: expected a line like `#1:`"),
            ("#1: maybe\n(a)", "p.txt:1: `maybe` is no verdict"),
            ("#1:\n\n#2:\n(a)", "p.txt:1: property 1 has no formula"),
            ("#1:\n(a)\n\n#2:\n(a &)", "p.txt:5: property 2: column 5: expected a formula"),
            ("#x:\n(a)", "p.txt:1: expected"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}

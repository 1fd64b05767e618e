//! Files that reproduce a disagreement: the model, and what was asked and answered as text.

use super::Disagreement;
use crate::budget::Budget;
use crate::kinds::{Kind, Writing, write};
use std::fs;
use std::path::{Path, PathBuf};

/// Write `disagreement-ID.EXTENSION` and `disagreement-ID.txt` to a folder. `text` gets the name of the model's file
/// and says the rest. A model that cannot be written is named alone: the note comes in any case.
///
/// # Errors
/// The reason why the files cannot be written, for people.
pub fn reproduce(folder: &Path, model: &dyn Kind, id: &str, text: impl Fn(&str) -> String) -> Result<PathBuf, String> {
    let safe: String = id.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' }).collect();
    let name = format!("disagreement-{safe}");
    // The graph of the states has no variables, which formulas are about. ETF has one initial state.
    let forms = if model.next_state_calls().is_some() { ["etf", "smv"] } else { [model.form(), "smv"] };
    let written = forms.iter().find_map(|form| {
        let mut written = Vec::new();
        write(model, form, &Writing::default(), &Budget::unlimited(), &mut written).ok()?;
        Some((format!("{name}.{form}"), written))
    });
    let note = folder.join(format!("{name}.txt"));
    let files = || {
        fs::create_dir_all(folder)?;
        match &written {
            Some((file, written)) => {
                fs::write(folder.join(file), written)?;
                fs::write(&note, text(file))
            }
            None => fs::write(&note, text(model.name())),
        }
    };
    files().map_err(|e: std::io::Error| format!("cannot write {} or the model beside it: {e}", note.display()))?;
    Ok(note)
}

/// Write the files that reproduce what [`super::compare`] found, of a formula (with its path semantics) or of the state
/// space.
///
/// # Errors
/// The reason why the files cannot be written, for people.
pub fn reproduce_disagreement(
    folder: &Path,
    model: &dyn Kind,
    id: &str,
    formula: Option<(&str, &str)>,
    found: &Disagreement,
) -> Result<PathBuf, String> {
    reproduce(folder, model, id, |model| match formula {
        Some((formula, paths)) => format!(
            "formula: {formula}\npaths: {paths}\ndisagreement: {found}\ncommand: starset cross {model} --paths {paths} -f \
             {}\n",
            quoted(formula)
        ),
        None => format!("disagreement: {found}\ncommand: starset cross {model}\n"),
    })
}

/// A word as a shell reads it.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

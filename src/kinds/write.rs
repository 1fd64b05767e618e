//! Models as files.

use super::pins::etf;
use super::{Kind, Size, WriteError, Writing, to_smv};
use crate::budget::Budget;
use crate::formula::Pool;
use std::io::Write;

/// Write a model in a form: in one of its own ([`Kind::write`]), or in that which every model has, tables of
/// transitions. The result has the sizes of the written model.
///
/// ```
/// use starset::budget::Budget;
/// use starset::kinds::{Reading, Writing, in_words, read, write};
/// let (budget, mut text) = (Budget::unlimited(), Vec::new());
/// let loaded = read(&["models/toggle.etf".into()], &Reading::default(), &budget)?;
/// let sizes = write(&*loaded.model, "etf", &Writing::default(), &budget, &mut text)?;
/// assert_eq!(in_words(&sizes), "2 variables, 2 transition groups, 3 rows");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`WriteError`], also when the form does not suit the model.
pub fn write(
    model: &dyn Kind,
    form: &str,
    writing: &Writing,
    budget: &Budget,
    out: &mut dyn Write,
) -> Result<Vec<Size>, WriteError> {
    refuse_folded(model)?;
    let failed = || model.failed().map_or(Ok(()), |how| Err(WriteError::Model(how)));
    if form != "etf" {
        let mut text = Vec::new();
        let sizes = match form {
            "smv" => {
                let made = to_smv::made(model, &mut Pool::new(), &[], writing.most, budget)?;
                text = made.text.into_bytes();
                made.sizes
            }
            _ => model.write(form, writing, budget, &mut text)?,
        };
        failed()?;
        out.write_all(&text)?;
        out.flush()?;
        return Ok(sizes);
    }
    refuse_unlisted(model)?;
    let description = etf::describe(model, writing.most, budget)?;
    failed()?;
    out.write_all(etf::write(&description).as_bytes())?;
    out.flush()?;
    let rows = description.relations.iter().map(|relation| relation.rows.len()).sum();
    Ok(vec![
        Size::new("variables", "variable", description.variables.len()),
        Size::new("groups", "transition group", description.relations.len()),
        Size::new("rows", "row", rows),
    ])
}

/// A model as tables of the steps between its reachable states, at most so many, in ETF, for whoever speaks of both: each
/// value is the number that it has in the model, variables and state labels come in its order, and transitions have the
/// names of actions.
///
/// # Errors
/// [`WriteError`].
pub fn write_tables(model: &dyn Kind, most: usize, budget: &Budget) -> Result<String, WriteError> {
    refuse_folded(model)?;
    refuse_unlisted(model)?;
    let description = etf::numbered(model, most, budget)?;
    model.failed().map_or(Ok(()), |how| Err(WriteError::Model(how)))?;
    Ok(etf::write(&description))
}

/// Of a net that is not unfolded no step is known.
fn refuse_folded(model: &dyn Kind) -> Result<(), WriteError> {
    model.as_folded().map_or(Ok(()), |folded| Err(WriteError::Folded(folded.why().clone())))
}

/// Of a model whose initial states are not all listed there are no tables.
fn refuse_unlisted(model: &dyn Kind) -> Result<(), WriteError> {
    match model.lists_initial_states() {
        true => Ok(()),
        false => Err(etf::NoTables::ManyInitial(model.initial_states().len()).into()),
    }
}

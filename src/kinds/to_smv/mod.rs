//! Models of all kinds as programs of SMV, for NuSMV, nuXmv and all that reads what they read.
//!
//! | file | concern |
//! |---|---|
//! | `program` | what a program is made of, and its text |
//! | `sources` | nets, counter machines and networks: conditions and changes |
//! | `tables` | other models: tables of the steps between reachable states |
//! | `bounds` | greatest values of variables, as SMV has finite domains |
//! | `formulas` | questions as `CTLSPEC` and `LTLSPEC` |
//! | `error` | why a model is no program |
//!
//! A program of SMV becomes a program of one module (`starset_smv::Model::flat`).
//!
//! **What is kept.** The variables, and the states: they are as many, with the same values. The input `action` says
//! which transition is taken. In a deadlock it is `none`, and the state repeats for ever, as NuSMV has infinite paths
//! only: that is the stutter semantics of paths, and formulas are written so that under it they say what they say of
//! the model under theirs.
//!
//! References: Cavada, Cimatti, Jochim, Keighren, Olivetti, Pistore, Roveri, Tchaltsev, *NuSMV 2.6 User Manual*.

mod bounds;
mod error;
mod formulas;
mod program;
mod sources;
mod tables;

pub use error::NoProgram;
pub use formulas::Written;

use super::net::coloured::{Folded, UnfoldError};
use super::{Kind, Size};
use crate::budget::Budget;
use crate::formula::Pool;
use starset_smv::Model;

/// A model as a program of SMV.
#[derive(Clone, Debug)]
pub struct Made {
    /// The text.
    pub text: String,
    /// How many there are of what it is made of.
    pub sizes: Vec<Size>,
    /// Questions that are not written, by name, and why.
    pub left_out: Vec<(String, String)>,
}

/// A model as a program, with these questions about it; if its states have to be visited, with at most so many.
///
/// ```
/// use starset::budget::Budget;
/// use starset::formula::Pool;
/// use starset::kinds::{Reading, read, to_smv};
/// let budget = Budget::unlimited();
/// let loaded = read(&["models/pipe.dot".into()], &Reading::default(), &budget)?;
/// let made = to_smv::made(&*loaded.model, &mut Pool::new(), &[], 1000, &budget)?;
/// assert!(made.text.contains("MODULE main"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NoProgram`] where there is no such program.
pub fn made(
    model: &dyn Kind,
    pool: &mut Pool,
    questions: &[Written<'_>],
    most: usize,
    budget: &Budget,
) -> Result<Made, NoProgram> {
    match model.as_folded().map(Folded::why) {
        Some(&UnfoldError::Exhausted(exhausted)) => return Err(exhausted.into()),
        Some(why) => return Err(NoProgram::Folded(why.clone())),
        None => {}
    }
    if model.tick().is_some() {
        return Err(NoProgram::Time);
    }
    if let Some(program) = model.as_program() {
        return Ok(flat(program, questions));
    }
    let mut program = match (model.as_net(), model.as_network(), model.as_counters()) {
        (Some(net), ..) => sources::of_net(net, most, budget)?,
        (_, Some(network), _) => sources::of_network(network),
        (_, _, Some(machine)) => sources::of_counters(machine, most, budget)?,
        _ if !model.lists_initial_states() => return Err(NoProgram::ManyInitial(model.initial_states().len())),
        _ => tables::of_model(model, most, budget)?,
    };
    let mut text = program.text(&format!("{} {}", model.terms().model, model.name()));
    let mut left_out = Vec::new();
    for question in questions {
        match formulas::property(&mut program, model, pool, question) {
            Ok(property) => text.push_str(&property),
            Err(why) => {
                text.push_str(&format!(
                    "-- {} is not written: {}\n",
                    program::comment(question.id),
                    program::comment(&why)
                ));
                left_out.push((question.id.to_owned(), why));
            }
        }
    }
    let sizes = vec![
        Size::new("variables", "variable", program.variables.len()),
        Size::new("actions", "action", program.actions.len()),
        Size::new("properties", "question", questions.len() - left_out.len()),
    ];
    Ok(Made { text, sizes, left_out })
}

/// A program as one of a single module, with its own questions.
fn flat(program: &Model, questions: &[Written<'_>]) -> Made {
    let why = "the model is a program of SMV: write questions in its language (`CTLSPEC AG x = 1`)";
    let sizes = vec![
        Size::new("variables", "variable", program.variables.len()),
        Size::new("properties", "question", program.properties.len()),
    ];
    let left_out = questions.iter().map(|question| (question.id.to_owned(), why.to_owned())).collect();
    Made { text: program.flat(), sizes, left_out }
}

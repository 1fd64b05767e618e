//! Event-B, of Rodin: contexts and machines that refine one another, as the machines of [`super`].
//!
//! From files to a machine: `source` (a folder, an archive, or a file), `rodin` (XML), `package` and `prolog` (ProB's
//! packages), `lexer`, `formula` and `terms` (the mathematical language), `project` (the data), `refine` (events with
//! what they refine), and `flatten` (all as one machine). What comes after that is shared with classical B: types,
//! constants, evaluation, the search for values, and what is counted.
//!
//! Event-B's language differs from that of classical B: no operator has two meanings, precedence asks for parentheses,
//! identity and projections are generic, quantified expressions have conditions and values. All of it has a form in the
//! trees of classical B ([`terms`]), so that one evaluator serves both. Division and remainder are the same in both:
//! towards zero, and of natural numbers.
//!
//! # What is counted
//!
//! A state has the variables of all levels of the refinement, as ProB animates all levels at once; parameters of the
//! most concrete event are arguments of the step. What refinement has to prove (guards get stronger, actions simulate,
//! variants decrease) is not checked: Rodin has proof obligations for it.
//!
//! # Left out
//!
//! Theories (operators and data types of the theory plug-in), the old mathematical language of Rodin before 1.0
//! (`id(S)`, `prj1(r)`), variants.

mod flatten;
mod formula;
mod lexer;
mod package;
mod project;
mod prolog;
mod refine;
mod rodin;
mod source;
mod terms;

use super::build::build;
use super::error::{Error, Res};
use super::machine::{BMachine, Options};
use project::Project;
pub use source::is_project;
use std::path::Path;

impl BMachine {
    /// Reads an Event-B machine: a machine's file beside those of what it refines and sees, a folder or an archive
    /// with one machine that nothing refines, or a package of ProB. Also returns notes on what is left aside.
    ///
    /// # Errors
    /// When it is none, not supported, or its constants or initialisation fail.
    pub fn open_event_b(path: &Path, options: &Options) -> Result<(BMachine, Vec<String>), Error> {
        let (project, name) = source::open(path)?;
        made(&project, &name, options).map_err(|error| error.within(&project.files))
    }

    /// Reads an Event-B machine by its name; texts of files of Rodin are found by their names (`M0.bum`).
    ///
    /// # Errors
    /// As [`BMachine::open_event_b`].
    pub fn parse_event_b(name: &str, finder: super::Finder<'_>, options: &Options) -> Result<BMachine, Error> {
        let project = rodin::read(name, finder)?;
        made(&project, name, options).map(|(machine, _)| machine).map_err(|error| error.within(&project.files))
    }

    /// Reads a package of ProB from its text.
    ///
    /// # Errors
    /// As [`BMachine::open_event_b`].
    pub fn parse_package(file: &str, text: &str, options: &Options) -> Result<BMachine, Error> {
        let (project, name) = package::read(file, text)?;
        made(&project, &name, options).map(|(machine, _)| machine).map_err(|error| error.within(&project.files))
    }
}

/// A machine of a project, and notes.
fn made(project: &Project, name: &str, options: &Options) -> Res<(BMachine, Vec<String>)> {
    let flat = flatten::flatten(project, name)?;
    let mut notes = Vec::new();
    for machine in project.machines.iter().filter(|machine| machine.variant.is_some()) {
        notes.push(format!("the variant of {} is not checked", machine.name));
    }
    Ok((build(flat, options)?, notes))
}

//! SMV, the language of NuSMV: programs of modules, whose parts move together.
//!
//! The package `starset-smv` reads the language and says what it means. Here a program becomes a model behind a
//! next-state function (`program`), and what its file asks becomes formulas (`questions`, with the conditions in them
//! by `conditions`).
//!
//! **Variables** are those of `VAR` and `FROZENVAR`: states are counted over them, as NuSMV counts. Inputs are chosen
//! anew in each step and belong to no state. **Groups** are the events of the program: one for a synchronous program,
//! and one for each process and for the rest where there are processes.
//!
//! **First states** are listed as long as they are few. Of a program with more some are listed, and it says so
//! ([`super::NextState::lists_initial`]): then nothing that begins in single states answers.
//!
//! References: Cimatti, Clarke, Giunchiglia, Giunchiglia, Pistore, Roveri, Sebastiani, Tacchella, *NuSMV 2: An
//! OpenSource Tool for Symbolic Model Checking*, CAV 2002; McMillan, *Symbolic Model Checking*, 1993.

mod asides;
mod circuit;
mod conditions;
mod formulas;
mod program;
mod questions;
mod relation;
mod values;

pub use program::{Asked, Smv};
pub(in crate::kinds::pins) use questions::in_file;

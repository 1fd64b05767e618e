//! DVE, the language of the BEEM benchmark: processes with states, guards, effects and channels.
//!
//! A model is read in four passes: `lexer` and `parser` give the syntax tree (`ast`), `scope` and `system`
//! resolve names, `steps` puts transitions together into steps of the system, and `rows` and `program` turn
//! each step into a transition group that works on short states. What a model means is written where it is done:
//!
//! * numbers, traps and truncation in `expression`;
//! * rendezvous, buffers and committed states in `steps`;
//! * the property process in `property`, and how it is asked in `product`.
//!
//! Assignment truncates: a byte to 8 bits, an int to 16 with sign. DiVinE 2 as an interpreter moves to a special
//! error state instead, and the compilers from DVE to C truncate. A division by zero or an index out of range ends the
//! run with an error that names the step.
//!
//! Reference: Pelánek, *BEEM: Benchmarks for Explicit Model Checkers*, SPIN 2007.

mod ast;
mod check;
mod condition;
mod expression;
mod lexer;
mod model;
mod parser;
mod product;
mod program;
mod property;
mod rows;
mod scope;
mod steps;
mod system;
#[cfg(test)]
mod tests;

pub use check::{check_rows, compare_moves};
pub use model::Dve;
pub use product::Watched;
pub use property::{Property, PropertyEdge};

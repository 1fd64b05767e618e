//! starset: a symbolic model checker for Petri nets.

pub mod automaton;
pub mod budget;
pub mod coloured;
pub mod cross;
pub mod examination;
pub mod explicit;
pub mod formula;
pub mod lts;
pub mod mdd;
pub mod memory;
pub mod models;
pub mod net;
pub mod order;
pub mod picture;
pub mod pnml;
pub mod random;
pub mod reduction;
pub mod relation;
pub mod report;
pub mod structure;
pub mod symbolic;
pub mod witness;
pub mod xml;

#[cfg(test)]
extern crate self as starset;
/// The brute-force checker of the integration tests, for the unit tests too.
#[cfg(test)]
#[path = "../tests/oracle/mod.rs"]
mod oracle;
/// The brute-force explorer of the integration tests, for the unit tests too.
#[cfg(test)]
#[path = "../tests/reference/mod.rs"]
mod reference;

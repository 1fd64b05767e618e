//! starset: a symbolic model checker for Petri nets.

pub mod automaton;
pub mod budget;
pub mod explicit;
pub mod formula;
pub mod mdd;
pub mod memory;
pub mod net;
pub mod pnml;
pub mod relation;
pub mod structure;
pub mod symbolic;
pub mod xml;

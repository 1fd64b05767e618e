//! starset: a symbolic model checker for Petri nets.

pub mod automaton;
pub mod budget;
pub mod net;
pub mod xml;

//! The Hanoi Omega-Automata format, version 1 (Babiak, Blahoudek, Duret-Lutz, Klein, Křetínský, Müller, Parker &
//! Strejček 2015): the exchange format of tools for ω-automata.

mod writer;

pub use writer::write;

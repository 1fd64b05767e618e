//! Coloured nets: the unfolding against an interpreter of coloured nets, and the contest's instances.

mod contest;
mod exports;
mod folded;
mod forms;
mod interpreter;
mod limits;
mod model;
mod names;
mod refusals;

//! What can be asked of a net: one file per examination.

mod state_space;

pub use state_space::{Candidate, Event, Options, StateSpace, TokenMaxima, explore};

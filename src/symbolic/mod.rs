//! The symbolic engine: reachable sets and (later) sat-sets as decision diagrams.
//!
//! It sees a model only through [`crate::relation`].

mod halt;
mod image;
mod reachability;
mod saturation;

pub use halt::Halt;
pub use reachability::{Search, reachable_set};

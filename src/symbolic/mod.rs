//! The symbolic engine: reachable sets and sat-sets as decision diagrams.
//!
//! It sees a model only through [`crate::relation`].

mod backward;
mod check;
mod enabled;
mod figures;
mod fireable;
mod halt;
mod image;
mod preimage;
mod race;
mod reachability;
mod saturation;
mod staying;
mod sweep;

pub use check::{Checker, ProductKind, Route, Verdicts, Work};
pub(crate) use check::{Continuation, PathRun, Taken};
pub use figures::{count_transitions, deadlocks, enabled_states};
pub use fireable::fireable;
pub use halt::Halt;
pub(crate) use race::{race, race_on_threads};
pub use reachability::{Search, reachable_set};

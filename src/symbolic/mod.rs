//! The symbolic engine: reachable sets and sat-sets as decision diagrams.
//!
//! It sees a model only through [`crate::relation`].

mod backward;
mod check;
mod enabled;
mod figures;
mod fireable;
mod image;
mod learning;
mod preimage;
mod projection;
mod race;
mod reachability;
mod saturation;
mod standstill;
mod staying;
mod sweep;

pub(crate) use check::Taken;
pub use check::{Checker, ProductKind, Route, Verdicts, Work};
pub use figures::{count_transitions, deadlocks};
pub use fireable::fireable;
pub use projection::without;
pub(crate) use race::{Field, Standing, race, race_on_threads};
pub use reachability::{Search, discover, reachable_set};
pub use standstill::standstills;

/// A variable has left the range of diagram values.
#[cold]
fn out_of_range(relation: &crate::relation::Relation, level: u32) -> crate::halt::Halt {
    crate::halt::Halt::OutOfRange { variable: relation.names()[level as usize].clone(), bits: 32 }
}

//! The symbolic engine: reachable sets and sat-sets as decision diagrams.
//!
//! It sees a model only through [`crate::relation`].

mod attractors;
mod backward;
mod check;
mod conjunctive;
mod enabled;
mod fireable;
mod image;
mod input_settings;
mod join;
mod learning;
mod named_set;
mod preimage;
mod projection;
mod race;
mod reachability;
mod saturation;
mod search;
mod standstill;
mod statistics;
mod staying;
mod sweep;

pub use attractors::{Attractors, Basins, Family, Shape, attractors, values_of};
pub use check::{Checker, ProductKind, Route, Verdicts, Work};
pub(crate) use check::{SharedSteps, Taken};
pub use fireable::fireable;
pub use input_settings::{InputSettings, any_values, input_settings, settings_within};
pub use named_set::named_set;
pub use projection::without;
pub(crate) use race::{Field, Standing, others, race, race_on_threads};
pub use reachability::{discover, reachable_set};
pub use search::{Search, all_initial_in, all_passages, initial_set, meant};
pub use standstill::standstills;
pub use statistics::{count_transitions, deadlocks};

use crate::relation::{OutOfRange, Relation};
use crate::stop_reason::StopReason;

/// The target of a step that some state takes, on a level; an error only now, since until then an event may be disabled
/// on a lower level.
#[inline(always)]
fn in_range(relation: &Relation, level: u32, target: Result<u32, OutOfRange>) -> Result<u32, StopReason> {
    target.map_err(|OutOfRange| out_of_range(relation, level))
}

/// A variable has left the range of diagram values.
#[cold]
fn out_of_range(relation: &Relation, level: u32) -> StopReason {
    StopReason::OutOfRange { variable: relation.names()[level as usize].clone(), bits: 32 }
}

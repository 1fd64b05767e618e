//! Zones: convex sets of clock valuations given by bounds on clocks and their differences, and unions of them.

mod bound;
mod clock_box;
mod dbm;
mod extrapolation;
mod federation;
mod text;

pub use bound::Bound;
pub use clock_box::{ClockBox, Interval};
pub(crate) use clock_box::{conjunction, without_included};
pub use dbm::Zone;
pub use extrapolation::ClockBounds;
pub use federation::Federation;
pub use text::{Units, region_text};

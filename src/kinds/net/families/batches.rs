//! A buffer with weighted arcs (`batches`): filled three items at a time, emptied two at a time.
//!
//! *Count.* With room for at least four items every number of items from 0 to N occurs, and there is always a
//! way on. With room for three, the buffer ends up with one item, too few to take and too many to add to: the
//! deadlock that batches are prone to.

use super::draft::Draft;
use crate::net::{BuildError, PetriNet};
use num_bigint::BigUint;

/// A buffer for `n` items (at least 3), in batches of three and two.
pub(crate) fn batches(n: u32) -> Result<PetriNet, BuildError> {
    let mut net = Draft::new(format!("Batches-{n}"));
    let room = net.place("Room", n)?;
    let items = net.place("Items", 0)?;
    net.transition("Fill", &[room; 3], &[items; 3])?;
    net.transition("Take", &[items; 2], &[room; 2])?;
    net.finish()
}

pub(super) fn states(n: u32) -> Option<BigUint> {
    Some(BigUint::from(if n == 3 { 3 } else { u64::from(n) + 1 }))
}

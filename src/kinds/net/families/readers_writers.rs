//! Readers and writers (`readers-writers`), with inhibitor arcs.
//!
//! N readers read together; N writers write alone, and go first: nobody begins to read while a writer waits or
//! writes. At most two writers wait at a time. "While none" and "at most two" are inhibitor arcs, of weights 1
//! and 2; without them the same needs a complement place for each place that is tested.
//!
//! *Count.* Nobody writes: 0 to N readers read and 0 to min(N,2) writers wait, (N+1)(min(N,2)+1) markings.
//! One writes: nobody reads, and 0 to min(N−1,2) others wait.

use super::draft::Draft;
use crate::net::{BuildError, PetriNet};
use num_bigint::BigUint;

/// `n` readers and `n` writers (at least 1).
pub(crate) fn readers_writers(n: u32) -> Result<PetriNet, BuildError> {
    let mut net = Draft::new(format!("ReadersWriters-{n}"));
    let readers = net.place("Readers", n)?;
    let reading = net.place("Reading", 0)?;
    let writers = net.place("Writers", n)?;
    let waiting = net.place("Waiting", 0)?;
    let writing = net.place("Writing", 0)?;
    net.inhibited("Read", &[readers], &[reading], &[(waiting, 1), (writing, 1)])?;
    net.transition("EndRead", &[reading], &[readers])?;
    net.inhibited("Ask", &[writers], &[waiting], &[(waiting, 2)])?;
    net.inhibited("Write", &[waiting], &[writing], &[(reading, 1), (writing, 1)])?;
    net.transition("EndWrite", &[writing], &[writers])?;
    net.finish()
}

pub(super) fn states(n: u32) -> Option<BigUint> {
    let n = u64::from(n);
    Some(BigUint::from((n + 1) * (n.min(2) + 1) + n.saturating_sub(1).min(2) + 1))
}

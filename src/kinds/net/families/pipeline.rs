//! An unbounded net (`pipeline`): N stages in a row, with a buffer without limit in front of each.
//!
//! A source puts items into the first buffer whenever it likes; each stage takes an item, works on it, and
//! puts it into the next buffer; the last one lets it go. Every buffer can hold any number of items, so there
//! is no end to the markings: what a tool should notice and say, rather than run on until memory ends.

use super::draft::Draft;
use crate::net::{BuildError, PetriNet};
use num_bigint::BigUint;

/// A pipeline of `n` stages (at least 1).
pub(crate) fn pipeline(n: u32) -> Result<PetriNet, BuildError> {
    let mut net = Draft::new(format!("Pipeline-{n}"));
    let mut stages = Vec::new();
    for i in 0..n {
        let buffer = net.place(format!("Buffer_{i}"), 0)?;
        let ready = net.place(format!("Ready_{i}"), 1)?;
        let busy = net.place(format!("Busy_{i}"), 0)?;
        stages.push((buffer, ready, busy));
    }
    if let Some(&(first, ..)) = stages.first() {
        net.transition("Source", &[], &[first])?;
    }
    for (i, &(buffer, ready, busy)) in stages.iter().enumerate() {
        net.transition(format!("Take_{i}"), &[buffer, ready], &[busy])?;
        let mut done = vec![ready];
        done.extend(stages.get(i + 1).map(|next| next.0));
        net.transition(format!("Done_{i}"), &[busy], &done)?;
    }
    net.finish()
}

pub(super) fn states(_: u32) -> Option<BigUint> {
    None
}

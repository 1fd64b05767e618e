//! Noack's order: keep producers and consumers of a transition close.
//!
//! The next place is the one whose transitions have the largest share of their input and output places
//! placed already; places on the output side of untouched transitions get a small head start. Only
//! transitions with places on both sides count.
//!
//! Sources: Noack 1999, "A ZBDD package for efficient model checking of Petri nets" (in German); weights as
//! in Heiner, Rohr, Schwarick and Tovchigrechko 2016, "MARCIE's secrets of efficient model checking".

use super::greedy::{self, Counts, Weights};
use super::{Context, Order};

pub(super) fn order(context: &Context) -> Option<Order> {
    greedy::order(context, &Weights { of_input, of_output })
}

fn of_output(c: &Counts) -> f64 {
    if c.inputs == 0.0 {
        return 0.0;
    }
    let inputs = if c.placed_inputs == 0.0 { 0.1 } else { c.placed_inputs };
    inputs / c.inputs + 2.0 * c.placed_outputs / c.outputs
}

fn of_input(c: &Counts) -> f64 {
    if c.outputs == 0.0 {
        return 0.0;
    }
    let outputs = if c.placed_outputs == 0.0 { 0.2 } else { 2.0 * c.placed_outputs };
    outputs / c.outputs + (c.placed_inputs + 1.0) / c.inputs
}

//! Tovchigrechko's order: Noack's, with every transition counted.
//!
//! The terms of the input and of the output side stand on their own, so that sources and sinks take part;
//! an untouched output side gets a small head start on both.
//!
//! Sources: Tovchigrechko 2008, "Model checking using interval decision diagrams"; weights as in Heiner,
//! Rohr, Schwarick and Tovchigrechko 2016, "MARCIE's secrets of efficient model checking".

use super::greedy::{self, Counts, Weights};
use super::{Context, Order};

pub(super) fn order(context: &Context) -> Option<Order> {
    greedy::order(context, &Weights { of_input, of_output })
}

fn of_output(c: &Counts) -> f64 {
    let inputs = if c.placed_inputs == 0.0 { 0.1 } else { c.placed_inputs };
    let outputs = if c.placed_outputs == 0.0 { 0.1 } else { 2.0 * c.placed_outputs };
    share(inputs, c.inputs) + share(outputs, c.outputs)
}

fn of_input(c: &Counts) -> f64 {
    let outputs = if c.placed_outputs == 0.0 { 0.2 } else { 2.0 * c.placed_outputs };
    share(c.placed_inputs + 1.0, c.inputs) + share(outputs, c.outputs)
}

fn share(part: f64, all: f64) -> f64 {
    if all == 0.0 { 0.0 } else { part / all }
}

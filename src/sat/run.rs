//! Runs, clauses, cubes, and pairs of latches.

use crate::circuit::{Circuit, Signal};

/// A run from a first state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Its states: latches by number.
    pub states: Vec<Vec<bool>>,
    /// The inputs of its steps.
    pub inputs: Vec<Vec<bool>>,
}

impl Run {
    /// The run from a state with these inputs.
    pub(super) fn new(circuit: &Circuit, first: Vec<bool>, inputs: Vec<Vec<bool>>) -> Self {
        let next: Vec<Signal> = circuit.latches.iter().map(|latch| latch.next).collect();
        let mut states = vec![first];
        for inputs in &inputs {
            states.push(circuit.evaluate(&states[states.len() - 1], inputs, &next));
        }
        Run { states, inputs }
    }
}

/// Some of the latches with their values: the states that have these. Sorted by latch.
pub(super) type Cube = Vec<(usize, bool)>;
/// One of these latches has this value.
pub type Clause = Vec<(usize, bool)>;
/// Two latches, with whether they are opposite. The first may be the constant false: the number behind the last latch.
pub(super) type Pair = (usize, usize, bool);

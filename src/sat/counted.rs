//! An invariant that bounds how often signals are true in turn.
//!
//! In a run in which they are not true again and again each is waited for in vain in the end. Where all runs are such, there is a
//! number of times that none of them comes to: it is looked for from below, and the invariant is about the circuit with latches that
//! count ([`Observed::with_turns`]).
//!
//! Source: Claessen, Sörensson, *A liveness checking algorithm that counts*, FMCAD 2012.

use super::observed::Observed;
use super::run::Clause;
use super::{Outcome, decide};
use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Signal};

/// The most times that signals are waited for.
const MOST: usize = 200;

/// How often signals come in turn in all runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// So many times at most, less one: each has a latch behind those of the circuit, true once it has come.
    pub most: usize,
    /// The invariant, of latches.
    pub clauses: Vec<Clause>,
}

/// A bound of how often some signals, over latches and inputs, are true in turn, the first of them at last, in all runs of a circuit
/// without faults, which never come to where `good` fails; `None` if that is not so, or no bound is found.
///
/// # Errors
/// When the budget is used up.
pub fn counted(
    circuit: &Circuit,
    justice: &[Signal],
    good: Signal,
    budget: &Budget,
) -> Result<Option<Counted>, Exhausted> {
    // Each step counts where there is nothing to wait for.
    let justice = if justice.is_empty() { &[Signal::TRUE] } else { justice };
    let mut most = 1;
    while most <= MOST {
        let mut turns = Observed::with_turns(circuit, justice, most);
        let both = turns.circuit.gates.and(turns.good, good);
        match decide(&turns.circuit, both, budget)? {
            Outcome::Holds(clauses) => return Ok(Some(Counted { most, clauses })),
            Outcome::Fails(run) => {
                let (values, last) = (circuit.latches.len(), &run.states[run.states.len() - 1]);
                if !circuit.evaluate(&last[..values], &[], &[good])[0] {
                    return Ok(None);
                }
            }
            Outcome::Unsuitable => return Ok(None),
        }
        most += most.div_ceil(2);
    }
    Ok(None)
}

//! Invariants, checked by a solver that knows nothing else.

use super::run::Clause;
use super::solver::{Encoded, Solver};
use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Signal};

/// Do clauses hold in all first states, does each step lead from where all hold to where all hold, and does the condition
/// hold where all do?
///
/// # Errors
/// When the budget is used up.
pub(super) fn is_invariant(
    circuit: &Circuit,
    good: Signal,
    clauses: &[Clause],
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let gates = &circuit.gates;
    let (mut first, mut encoded) = (Solver::new(budget), Encoded::new(gates));
    let initial = encoded.literal(&mut first, gates, circuit.initial);
    first.clause([initial]);
    for clause in clauses {
        let mut fails = Vec::with_capacity(clause.len());
        for &(latch, value) in clause {
            let literal = encoded.literal(&mut first, gates, circuit.latches[latch].now);
            fails.push(if value { !literal } else { literal });
        }
        if first.solve(&fails)? {
            return Ok(false);
        }
    }
    let (mut steps, mut encoded) = (Solver::new(budget), Encoded::new(gates));
    for clause in clauses {
        let mut holds = Vec::with_capacity(clause.len());
        for &(latch, value) in clause {
            let literal = encoded.literal(&mut steps, gates, circuit.latches[latch].now);
            holds.push(if value { literal } else { !literal });
        }
        steps.clause(holds);
    }
    let good = encoded.literal(&mut steps, gates, good);
    if steps.solve(&[!good])? {
        return Ok(false);
    }
    let step = encoded.literal(&mut steps, gates, circuit.step);
    for clause in clauses {
        let mut fails = vec![step];
        for &(latch, value) in clause {
            let literal = encoded.literal(&mut steps, gates, circuit.latches[latch].next);
            fails.push(if value { !literal } else { literal });
        }
        if steps.solve(&fails)? {
            return Ok(false);
        }
    }
    Ok(true)
}

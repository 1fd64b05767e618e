//! Invariants, checked by a solver that knows nothing else.

use super::equivalence;
use super::merged::Merged;
use super::run::{Clause, Pair};
use super::solver::{Encoded, Solver};
use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Gates, Signal};
use std::time::Duration;

/// The most time for a check on the circuit as it is, before latches that are the same are made one.
const PLAINLY: Duration = Duration::from_secs(20);

/// Are latches the same, and do clauses hold, in all first states, does each step lead from where all this is so to where it is, and
/// does the condition hold where it is?
///
/// # Errors
/// When the budget is used up.
pub(super) fn is_invariant(
    circuit: &Circuit,
    good: Signal,
    (pairs, clauses): (&[Pair], &[Clause]),
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let gates = &circuit.gates;
    let of_pairs = pairs.iter().flat_map(|&pair| equivalence::clauses(circuit, pair));
    let clauses: Vec<Clause> = of_pairs.chain(clauses.iter().cloned()).collect();
    let (mut first, mut encoded) = (Solver::new(budget), Encoded::new(gates));
    let initial = encoded.literal(&mut first, gates, circuit.initial);
    first.clause([initial]);
    for clause in &clauses {
        let mut fails = Vec::with_capacity(clause.len());
        for &(latch, value) in clause {
            let literal = encoded.literal(&mut first, gates, circuit.latches[latch].now);
            fails.push(if value { !literal } else { literal });
        }
        if first.solve(&fails)? {
            return Ok(false);
        }
    }
    if pairs.is_empty() {
        return is_kept(circuit, good, &clauses, (gates, &|signal| signal), budget);
    }
    match is_kept(circuit, good, &clauses, (gates, &|signal| signal), &budget.part_up_to(1, 8, PLAINLY)) {
        Err(Exhausted::Time) => budget.check()?,
        found => return found,
    }
    // What is computed twice takes long to compare: once latches that are the same are one, it is computed once.
    let merged = Merged::new(circuit, pairs, &[good]);
    is_kept(circuit, good, &clauses, (&merged.circuit.gates, &|signal| merged.signal(signal)), budget)
}

/// Does each step lead from where all clauses hold to where they do, and does the condition hold there? Signals are looked up
/// among these gates.
fn is_kept(
    circuit: &Circuit,
    good: Signal,
    clauses: &[Clause],
    (gates, of): (&Gates, &dyn Fn(Signal) -> Signal),
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let (mut steps, mut encoded) = (Solver::new(budget), Encoded::new(gates));
    for clause in clauses {
        let mut holds = Vec::with_capacity(clause.len());
        for &(latch, value) in clause {
            let literal = encoded.literal(&mut steps, gates, of(circuit.latches[latch].now));
            holds.push(if value { literal } else { !literal });
        }
        steps.clause(holds);
    }
    let good = encoded.literal(&mut steps, gates, of(good));
    if steps.solve(&[!good])? {
        return Ok(false);
    }
    let step = encoded.literal(&mut steps, gates, of(circuit.step));
    for clause in clauses {
        let mut fails = vec![step];
        for &(latch, value) in clause {
            let literal = encoded.literal(&mut steps, gates, of(circuit.latches[latch].next));
            fails.push(if value { !literal } else { literal });
        }
        if steps.solve(&fails)? {
            return Ok(false);
        }
    }
    Ok(true)
}

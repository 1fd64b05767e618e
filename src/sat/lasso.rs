//! Runs that go on to a state that they have been in.

use super::run::Run;
use super::solver::{Encoded, Solver};
use crate::budget::{Budget, Exhausted};
use crate::circuit::Circuit;
use batsat::Lit;

/// A run that begins so and ends in one of its earlier states; `None` if the last state leads to no such end, as all its runs
/// end.
///
/// # Errors
/// When the budget is used up.
pub fn looping(circuit: &Circuit, run: &Run, budget: &Budget) -> Result<Option<Run>, Exhausted> {
    let gates = &circuit.gates;
    let mut solver = Solver::new(budget);
    let yes = solver.fresh();
    solver.clause([yes]);
    let literal = |value: bool| if value { yes } else { !yes };
    // The states so far, as literals.
    let mut states: Vec<Vec<Lit>> =
        run.states.iter().map(|state| state.iter().map(|&value| literal(value)).collect()).collect();
    let (before, mut times) = (states.len(), Vec::new());
    loop {
        let mut encoded = Encoded::new(gates);
        for (latch, &literal) in circuit.latches.iter().zip(&states[states.len() - 1]) {
            encoded.set(latch.now, literal);
        }
        let step = encoded.literal(&mut solver, gates, circuit.step);
        if !solver.solve(&[step])? {
            return Ok(None);
        }
        solver.clause([step]);
        let next: Vec<Lit> =
            circuit.latches.iter().map(|latch| encoded.literal(&mut solver, gates, latch.next)).collect();
        times.push(circuit.inputs.iter().map(|&input| encoded.known(input)).collect::<Vec<Option<Lit>>>());
        let some = solver.fresh();
        let mut any = vec![!some];
        for state in &states {
            let same = solver.fresh();
            for (&a, &b) in state.iter().zip(&next) {
                solver.clause([!same, !a, b]);
                solver.clause([!same, a, !b]);
            }
            any.push(same);
        }
        solver.clause(any);
        states.push(next);
        if solver.solve(&[some])? {
            let holds = |literal: &Option<Lit>| literal.is_some_and(|literal| solver.holds(literal));
            let inputs = times.iter().map(|inputs| inputs.iter().map(holds).collect());
            let inputs: Vec<Vec<bool>> = run.inputs[..before - 1].iter().cloned().chain(inputs).collect();
            return Ok(Some(Run::new(circuit, run.states[0].clone(), inputs)));
        }
        solver.clause([!some]);
    }
}

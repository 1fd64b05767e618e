//! Runs of more and more steps that end where a condition fails.

use super::run::Run;
use super::solver::{Encoded, Solver};
use crate::budget::{Budget, Exhausted};
use crate::circuit::{Circuit, Signal};
use batsat::Lit;

/// The search, as far as it is.
pub(super) struct Bounded<'c> {
    circuit: &'c Circuit,
    good: Signal,
    solver: Solver,
    /// The latches at first, and the inputs of each step.
    first: Vec<Option<Lit>>,
    inputs: Vec<Vec<Option<Lit>>>,
    /// The gates after these steps.
    last: Encoded,
    /// The latches that conditions rest on.
    cone: Vec<usize>,
    /// There are no longer runs.
    over: bool,
}

impl<'c> Bounded<'c> {
    pub(super) fn new(circuit: &'c Circuit, good: Signal, budget: &Budget) -> Self {
        let (mut solver, mut last) = (Solver::new(budget), Encoded::new(&circuit.gates));
        let initial = last.literal(&mut solver, &circuit.gates, circuit.initial);
        solver.clause([initial]);
        let cone = circuit.cone(&[good, circuit.step]);
        Bounded { circuit, good, solver, first: Vec::new(), inputs: Vec::new(), last, cone, over: false }
    }

    /// Such a run; `None` if there is none of any length.
    ///
    /// # Errors
    /// When the budget is used up. The search goes on when it is called again.
    pub(super) fn run(&mut self, budget: &Budget) -> Result<Option<Run>, Exhausted> {
        self.solver.allow(budget);
        let gates = &self.circuit.gates;
        while !self.over {
            let good = self.last.literal(&mut self.solver, gates, self.good);
            if self.solver.solve(&[!good])? {
                return Ok(Some(self.found()));
            }
            // A contradiction that it has no part in: there is no run of this length.
            self.over = !self.solver.matters(!good);
            let step = self.last.literal(&mut self.solver, gates, self.circuit.step);
            self.solver.clause([good]);
            self.solver.clause([step]);
            let mut next = Encoded::new(gates);
            for &latch in &self.cone {
                let latch = self.circuit.latches[latch];
                next.set(latch.now, self.last.literal(&mut self.solver, gates, latch.next));
            }
            if self.inputs.is_empty() {
                self.first = self.latches();
            }
            self.inputs.push(self.circuit.inputs.iter().map(|&input| self.last.known(input)).collect());
            self.last = next;
        }
        Ok(None)
    }

    fn latches(&self) -> Vec<Option<Lit>> {
        self.circuit.latches.iter().map(|latch| self.last.known(latch.now)).collect()
    }

    /// The run that was found.
    fn found(&self) -> Run {
        let values = |literals: &Vec<Option<Lit>>| -> Vec<bool> {
            literals.iter().map(|literal| literal.is_some_and(|literal| self.solver.holds(literal))).collect()
        };
        let first = if self.inputs.is_empty() { values(&self.latches()) } else { values(&self.first) };
        Run::new(self.circuit, first, self.inputs.iter().map(values).collect())
    }
}

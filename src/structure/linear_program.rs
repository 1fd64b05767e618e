//! Linear programs in floating point: a hint, never a proof.
//!
//! A thin layer over the simplex solver. What it returns is rounded and may be wrong; whoever draws a
//! conclusion from it verifies it in exact arithmetic first (see `state_equation`).

use crate::budget::Budget;
use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, Status};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// One program may take so long where the budget has no end.
const LIMIT: Duration = Duration::from_secs(2);

/// Minimise a linear function of variables that are at least 0.
pub(crate) struct LinearProgram {
    problem: Problem,
    variables: Vec<microlp::Variable>,
}

/// What the solver says.
pub(crate) enum Outcome {
    /// An optimal assignment.
    Optimal(Vec<f64>),
    /// There is no assignment.
    Infeasible,
    /// Nothing: out of time, unbounded, or in numerical trouble.
    Unknown,
}

impl LinearProgram {
    /// A program with a variable for each of these coefficients of the function.
    pub(crate) fn minimize(costs: impl IntoIterator<Item = f64>) -> Self {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let variables = costs.into_iter().map(|cost| problem.add_var(cost, (0.0, f64::INFINITY))).collect();
        LinearProgram { problem, variables }
    }

    /// Demand that the sum of these terms, of distinct variables, is at least `bound`.
    pub(crate) fn at_least(&mut self, terms: &[(usize, f64)], bound: f64) {
        self.constrain(terms, ComparisonOp::Ge, bound);
    }

    /// Demand that the sum of these terms, of distinct variables, is at most `bound`.
    pub(crate) fn at_most(&mut self, terms: &[(usize, f64)], bound: f64) {
        self.constrain(terms, ComparisonOp::Le, bound);
    }

    /// Demand that the sum of these terms, of distinct variables, is `bound`.
    pub(crate) fn equal(&mut self, terms: &[(usize, f64)], bound: f64) {
        self.constrain(terms, ComparisonOp::Eq, bound);
    }

    fn constrain(&mut self, terms: &[(usize, f64)], comparison: ComparisonOp, bound: f64) {
        let terms = terms.iter().map(|&(variable, factor)| (self.variables[variable], factor));
        self.problem.add_constraint(terms.collect::<Vec<_>>(), comparison, bound);
    }

    /// Solve it within the budget.
    pub(crate) fn solve(mut self, budget: &Budget) -> Outcome {
        if budget.check().is_err() {
            return Outcome::Unknown;
        }
        self.problem.set_time_limit(budget.remaining().map_or(LIMIT, |time| time.min(LIMIT)));
        // The solver asserts that its numbers are finite; trouble with them is no answer, not an abort.
        match catch_unwind(AssertUnwindSafe(|| self.problem.solve())) {
            Ok(Ok(solution)) if solution.status() == Status::Optimal => {
                Outcome::Optimal(self.variables.iter().map(|&variable| solution.var_value_raw(variable)).collect())
            }
            Ok(Err(Error::Infeasible)) => Outcome::Infeasible,
            _ => Outcome::Unknown,
        }
    }
}

//! Linear programs in floating point: a hint, never a proof.
//!
//! A thin layer over the simplex solver. What it returns is rounded and may be wrong; whoever draws a
//! conclusion from it verifies it in exact arithmetic first (see `state_equation`).

use crate::budget::Budget;
use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, Solution, Status};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// One program may take so long where the budget has no end.
const LIMIT: Duration = Duration::from_secs(2);
/// To add a demand to a program that is solved may take so long.
const STEP: Duration = Duration::from_millis(200);

/// Minimise a linear function of variables that are at least 0.
pub(crate) struct LinearProgram {
    problem: Problem,
    variables: Vec<microlp::Variable>,
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

    /// The variables of a solution that is found within the budget.
    ///
    /// # Errors
    /// When there is no solution, or none is found.
    pub(crate) fn solve(self, budget: &Budget) -> Result<Vec<f64>, Failure> {
        budget.check().map_err(|_| Failure::Unknown)?;
        let limit = budget.remaining().map_or(LIMIT, |time| time.min(LIMIT));
        self.solve_within(limit).map(|optimum| optimum.values())
    }

    /// Solve it, to add demands to it afterwards.
    ///
    /// # Errors
    /// When there is no solution, or none is found within a fraction of a second.
    pub(crate) fn optimum(self) -> Result<Optimum, Failure> {
        // The solver keeps this limit for what is added.
        self.solve_within(STEP)
    }

    fn solve_within(mut self, limit: Duration) -> Result<Optimum, Failure> {
        self.problem.set_time_limit(limit);
        let solution = solved(|| self.problem.solve())?;
        Ok(Optimum { solution, variables: self.variables })
    }
}

/// The solver asserts that its numbers are finite; trouble with them is no answer, not an abort.
fn solved(solve: impl FnOnce() -> Result<Solution, Error>) -> Result<Solution, Failure> {
    match catch_unwind(AssertUnwindSafe(solve)) {
        Ok(Ok(solution)) if solution.status() == Status::Optimal => Ok(solution),
        Ok(Err(Error::Infeasible)) => Err(Failure::Infeasible),
        _ => Err(Failure::Unknown),
    }
}

/// The reason why a program has no solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// There is none.
    Infeasible,
    /// Out of time, unbounded, or in numerical trouble.
    Unknown,
}

/// A program that is solved. To solve it with one more demand takes some steps from where it is.
#[derive(Clone)]
pub(crate) struct Optimum {
    solution: Solution,
    variables: Vec<microlp::Variable>,
}

impl Optimum {
    /// The value of each variable.
    pub(crate) fn values(&self) -> Vec<f64> {
        self.variables.iter().map(|&variable| self.solution.var_value_raw(variable)).collect()
    }

    /// The same program with the demand that the sum of these terms, of distinct variables, is at least `bound`.
    ///
    /// # Errors
    /// When there is no solution then, or none is found.
    pub(crate) fn at_least(&self, terms: &[(usize, f64)], bound: f64, budget: &Budget) -> Result<Optimum, Failure> {
        budget.check().map_err(|_| Failure::Unknown)?;
        let terms: Vec<_> = terms.iter().map(|&(variable, factor)| (self.variables[variable], factor)).collect();
        let solution = self.solution.clone();
        let solution = solved(|| solution.add_constraint(terms, ComparisonOp::Ge, bound))?;
        Ok(Optimum { solution, variables: self.variables.clone() })
    }
}

impl std::fmt::Debug for Optimum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Optimum").field("variables", &self.variables.len()).finish_non_exhaustive()
    }
}

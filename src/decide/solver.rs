//! Solvers answer a task; passes put another task in its place, and hand it on.

use super::profile::{Step, begin};
use super::task::Task;

/// Answers the questions of a task.
pub(super) trait Solver: Sync {
    /// Each question gets an answer, in the end [`super::Value::Unknown`].
    fn solve(&self, task: &Task<'_>);
}

/// Asks other questions, or another model, in place of those of a task.
pub(super) trait Pass: Sync {
    /// Let `next` answer them, and pass the answers on; or the task as it is, where there is nothing to be gained.
    fn apply(&self, task: &Task<'_>, next: &dyn Solver);
}

/// Passes, each before the next, and a solver behind them.
pub(super) struct Pipeline<'p> {
    pub(super) passes: &'p [&'p dyn Pass],
    pub(super) solver: &'p dyn Solver,
}

impl Solver for Pipeline<'_> {
    fn solve(&self, task: &Task<'_>) {
        match self.passes {
            [] => self.solver.solve(task),
            [pass, rest @ ..] => {
                let _step = begin(task.settings.profile, Step::Rewriting);
                pass.apply(task, &Pipeline { passes: rest, solver: self.solver });
            }
        }
    }
}

/// A solver of tests: what a function does.
#[cfg(test)]
pub(super) struct ByHand<F>(pub(super) std::sync::Mutex<F>);

#[cfg(test)]
impl<F: FnMut(&Task<'_>) + Send> Solver for ByHand<F> {
    fn solve(&self, task: &Task<'_>) {
        let mut solve = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        (*solve)(task);
    }
}

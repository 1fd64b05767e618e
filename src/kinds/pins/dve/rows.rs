//! The rows of a step: what it reads, must write and may write, by reading it.
//!
//! The smaller the rows, the fewer short states are asked for. So a cell of an array is a variable of its own: with a
//! constant index a step touches that cell only; otherwise it reads all cells, or may write all of them. And what a
//! step has written for certain it no longer reads from the state: the right sides of later assignments see the new
//! value.
//!
//! Invariant: a slot that is neither read nor written before does not occur in what a step computes. Hence the
//! successors of a short state do not depend on other variables, which [`super::check`] tests on real states.

use std::collections::BTreeSet;

use super::expression::{Expression, Target};
use super::steps::Step;

/// The rows of a step: slots.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Rows {
    /// Variables that it reads.
    pub reads: BTreeSet<u32>,
    /// Variables that it always writes.
    pub must_write: BTreeSet<u32>,
    /// Variables that it may write.
    pub may_write: BTreeSet<u32>,
}

impl Rows {
    /// The rows of a step.
    pub(super) fn of_step(step: &Step) -> Self {
        let mut rows = Rows::default();
        rows.reads.extend(step.sources.iter().map(|&(slot, _)| slot));
        for condition in &step.conditions {
            rows.read(condition);
        }
        for effect in &step.effects {
            rows.read(&effect.value);
            match &effect.target {
                Target::Slot(slot) => {
                    rows.must_write.insert(*slot);
                    rows.may_write.remove(slot);
                }
                Target::Cell { first, size, index } => {
                    rows.read(index);
                    let cells = *first..first + size;
                    rows.may_write.extend(cells.filter(|slot| !rows.must_write.contains(slot)));
                }
            }
        }
        rows
    }

    /// The row of a predicate.
    pub(super) fn of_predicate(predicate: &Expression) -> BTreeSet<u32> {
        let mut rows = Rows::default();
        rows.read(predicate);
        rows.reads
    }

    /// Add the variables that an expression reads, and that have not been written yet.
    fn read(&mut self, expression: &Expression) {
        expression.visit_reads(&mut |first, size| {
            self.reads.extend((first..first + size).filter(|slot| !self.must_write.contains(slot)));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::next_state::NextState;
    use super::super::Dve;

    /// The rows of the only step of a process with such variables and such a transition.
    fn check(variables: &str, transition: &str, reads: &str, must_write: &str, may_write: &str) {
        let text =
            format!("{variables} process P {{ state q; init q; trans q -> q {{ {transition} }}; }} system async;");
        let model = match Dve::read("test.dve", &text) {
            Ok(model) => model,
            Err(error) => unreachable!("{error}"),
        };
        let signature = model.signature();
        let names = |row: &[usize]| {
            row.iter().map(|&number| signature.variables[number].name.as_str()).collect::<Vec<_>>().join(" ")
        };
        let group = &signature.groups[0];
        let found = (names(&group.reads), names(&group.must_write), names(&group.may_write));
        assert_eq!(found, (reads.into(), must_write.into(), may_write.into()), "{transition}");
    }

    #[test]
    fn cells_are_variables() {
        check("byte a[3];", "guard a[1] == 0; effect a[2] = 1;", "a[1] P", "a[2]", "");
        check("byte a[2], i;", "effect a[i] = 1;", "i P", "", "a[0] a[1]");
        check("byte a[2], i;", "guard a[i] == 1;", "a[0] a[1] i P", "", "");
        check("const byte k = 1; byte a[2];", "effect a[k + 0] = k;", "P", "a[1]", "");
    }

    #[test]
    fn what_was_written_is_not_read() {
        check("byte x, y;", "effect x = 1, y = x;", "P", "x y", "");
        check("byte x, y;", "effect y = x, x = 1;", "x P", "x y", "");
        check("byte x;", "effect x = x + 1;", "x P", "x", "");
        check("byte a[2], i;", "effect a[i] = 1, a[0] = 0, i = a[0];", "i P", "a[0] i", "a[1]");
        check("byte a[2], i, x;", "effect a[0] = 1, x = a[i];", "a[1] i P", "a[0] x", "");
    }
}

//! A way of a certain number of steps, as a witness.
//!
//! The engine has found it, and the formula that it shows ([`crate::formula::Journey`]) says nothing of its length. So the run is not
//! one that an engine finds for the formula, which might be another, but this one; what its states have to satisfy is
//! judged as for other witnesses, and all is replayed.

use super::Witness;
use super::explain::{Judge, Unexplained, explain};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::model::{Path, TransitionSystem};
use crate::net::{Marking, PlaceId};
use crate::stop_reason::StopReason;

/// A witness of `E φ` in the initial marking by this path, with another judge of what is inside.
pub(super) fn explain_way<J: Judge<Error = StopReason>>(
    model: &dyn TransitionSystem,
    pool: &Pool,
    paths: PathSemantics,
    judge: &mut J,
    formula: FormulaId,
    path: Path,
) -> Result<Witness, Unexplained<StopReason>> {
    if paths == PathSemantics::Infinite {
        const ENDS: StopReason = StopReason::Unsupported("a way that is over is no path where all paths are infinite");
        return Err(Unexplained::Stopped(ENDS));
    }
    let initial = model.initial();
    explain(model, pool, paths, &mut Way { judge, formula, initial, path }, formula, true)
}

/// A judge that knows a path for one formula, and leaves the rest to another.
struct Way<'j, J> {
    judge: &'j mut J,
    formula: FormulaId,
    initial: Marking,
    path: Path,
}

impl<J: Judge> Way<'_, J> {
    fn is_it(&self, formula: FormulaId, marking: &Marking) -> bool {
        formula == self.formula && *marking == self.initial
    }
}

impl<J: Judge> Judge for Way<'_, J> {
    type Error = J::Error;

    fn holds(&mut self, formula: FormulaId, marking: &Marking) -> Result<bool, J::Error> {
        if self.is_it(formula, marking) { Ok(true) } else { self.judge.holds(formula, marking) }
    }

    fn known(&self, formula: FormulaId, marking: &Marking) -> Option<bool> {
        if self.is_it(formula, marking) { Some(true) } else { self.judge.known(formula, marking) }
    }

    fn run(&mut self, formula: FormulaId, marking: &Marking, closed: bool) -> Result<Path, J::Error> {
        if self.is_it(formula, marking) { Ok(self.path.clone()) } else { self.judge.run(formula, marking, closed) }
    }

    fn is_whole(&self, formula: FormulaId, marking: &Marking) -> bool {
        self.is_it(formula, marking)
    }

    fn bound(&self, places: &[PlaceId]) -> Option<i128> {
        self.judge.bound(places)
    }
}

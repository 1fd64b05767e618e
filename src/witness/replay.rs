//! The independent checker: is a witness one?
//!
//! Every run is fired transition by transition from its first marking, compared with the markings it claims,
//! and its end checked: a loop closes, a deadlock enables nothing and ends no path where only infinite paths
//! count. Then its path formula is evaluated over it ([`super::table`]); it must be proved, as must every part
//! that is shown at a position. Values of quantified subformulas come from the runs that the reasons name,
//! which start in the right marking and are for smaller formulas, so that there is no circle; or from the
//! sat-sets, through `computed`. Where a run and a sat-set both speak, they must agree.

use super::table::{Shape, Table};
use super::valuation::{Valuation, has_quantifier, is_quantified};
use super::{Because, End, Part, Reason, Run, Witness};
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::model::TransitionSystem;
use crate::net::{Marking, PlaceId};
use rustc_hash::FxHashMap;

/// A witness that is none: what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the witness does not replay: {0}")]
pub struct Broken(pub(super) String);

impl Broken {
    /// With this problem.
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Broken(problem.into())
    }

    /// A witness for the opposite of the verdict.
    pub(crate) fn contradiction() -> Self {
        Broken("it contradicts the verdict".to_owned())
    }
}

/// The result of a replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Replayed {
    /// Runs replayed.
    pub runs: usize,
    /// Transitions fired.
    pub firings: usize,
    /// Truth values that were looked up in sat-sets.
    pub computed: usize,
}

/// Check a witness. `computed` tells the value of a state formula in a marking by computation, if it is known;
/// `bound` that of `bounds(…)`.
///
/// # Errors
/// [`Broken`] if anything that the witness says does not follow.
pub(super) fn replay(
    model: &dyn TransitionSystem,
    pool: &Pool,
    witness: &Witness,
    computed: &dyn Fn(FormulaId, &Marking) -> Option<bool>,
    bound: &dyn Fn(&[PlaceId]) -> Option<i128>,
) -> Result<Replayed, Broken> {
    replay_from(&model.initial(), model, pool, witness, computed, bound)
}

/// The same of a witness about this marking.
///
/// # Errors
/// [`Broken`] if anything that the witness says does not follow.
pub(super) fn replay_from(
    initial: &Marking,
    model: &dyn TransitionSystem,
    pool: &Pool,
    witness: &Witness,
    computed: &dyn Fn(FormulaId, &Marking) -> Option<bool>,
    bound: &dyn Fn(&[PlaceId]) -> Option<i128>,
) -> Result<Replayed, Broken> {
    let valuation = Valuation { model, pool, bound };
    let mut replay = Replay { witness, valuation, computed, done: Replayed::default() };
    replay.reason(&witness.reason, initial, None, &mut FxHashMap::default())?;
    for (number, run) in witness.runs.iter().enumerate() {
        replay.run(run).map_err(|Broken(problem)| Broken(format!("run {}: {problem}", number + 1)))?;
    }
    Ok(replay.done)
}

struct Replay<'a> {
    witness: &'a Witness,
    valuation: Valuation<'a>,
    computed: &'a dyn Fn(FormulaId, &Marking) -> Option<bool>,
    done: Replayed,
}

fn broken<T>(problem: impl Into<String>) -> Result<T, Broken> {
    Err(Broken(problem.into()))
}

impl Replay<'_> {
    /// Check a reason, given in a run for `outer`; quantified formulas that it settles go to `settled`.
    fn reason(
        &mut self,
        reason: &Reason,
        marking: &Marking,
        outer: Option<FormulaId>,
        settled: &mut FxHashMap<FormulaId, bool>,
    ) -> Result<(), Broken> {
        let pool = self.valuation.pool;
        let &Reason { formula, holds, ref because } = reason;
        match because {
            Because::Marking if has_quantifier(pool, formula) => broken("a formula with paths is said to need none"),
            Because::Marking => match self.valuation.state(formula, marking, &mut |_| None) {
                Some(value) if value == holds => Ok(()),
                _ => broken("a condition does not have the value claimed"),
            },
            Because::Parts(parts) => {
                for part in parts {
                    self.reason(part, marking, outer, settled)?;
                }
                match self.valuation.state(formula, marking, &mut |id| settled.get(&id).copied()) {
                    Some(value) if value == holds => Ok(()),
                    _ => broken("the parts of a formula do not give its value"),
                }
            }
            &Because::Run(number) => {
                let shows = match pool[formula] {
                    Formula::Exists(_) => Some(true),
                    Formula::Forall(_) => Some(false),
                    _ => None,
                };
                let starts = |run: &&Run| {
                    run.formula == formula && run.positions.first().is_some_and(|first| first.marking == *marking)
                };
                if shows != Some(holds) || self.witness.runs.get(number).filter(starts).is_none() {
                    return broken("a reason names a run that does not show it");
                }
                if outer.is_some_and(|outer| formula >= outer) {
                    return broken("runs justify each other in a circle");
                }
                if (self.computed)(formula, marking).is_some_and(|value| value != holds) {
                    return broken("a run and the sat-set disagree");
                }
                settled.insert(formula, holds);
                Ok(())
            }
            Because::Computed => {
                if !is_quantified(&pool[formula]) || (self.computed)(formula, marking) != Some(holds) {
                    return broken("a value is not the one computed");
                }
                self.done.computed += 1;
                settled.insert(formula, holds);
                Ok(())
            }
        }
    }

    fn run(&mut self, run: &Run) -> Result<(), Broken> {
        let pool = self.valuation.pool;
        let (path, holds) = match pool[run.formula] {
            Formula::Exists(path) => (path, true),
            Formula::Forall(path) => (path, false),
            _ => return broken("it is for a formula that is not about paths"),
        };
        self.fire(run)?;
        let mut settled: Vec<FxHashMap<FormulaId, bool>> = Vec::with_capacity(run.positions.len());
        for position in &run.positions {
            let mut here = FxHashMap::default();
            for reason in &position.reasons {
                self.reason(reason, &position.marking, Some(run.formula), &mut here)?;
            }
            settled.push(here);
        }
        let (valuation, computed, count) = (self.valuation, self.computed, &mut self.done.computed);
        let mut state = |formula: FormulaId, at: usize| {
            let marking = &run.positions[at].marking;
            valuation.state(formula, marking, &mut |id| {
                settled[at].get(&id).copied().or_else(|| {
                    *count += 1;
                    computed(id, marking)
                })
            })
        };
        let table = Table::new(pool, path, Shape::of(run), self.witness.paths, &mut state);
        if !table.proves(Part { formula: path, holds }, 0) {
            let verb = if holds { "satisfy" } else { "violate" };
            return broken(format!("it does not {verb} the path formula"));
        }
        for (at, position) in run.positions.iter().enumerate() {
            if !position.parts.iter().all(|&part| table.proves(part, at)) {
                return broken(format!("a part said to hold at position {at} does not"));
            }
        }
        self.done.runs += 1;
        Ok(())
    }

    /// Fire the transitions and compare the markings.
    fn fire(&mut self, run: &Run) -> Result<(), Broken> {
        let model = self.valuation.model;
        let (Some(last), moves) = (run.positions.last(), run.positions.len().saturating_sub(1)) else {
            return broken("it has no marking");
        };
        if run.positions.iter().any(|position| position.marking.as_slice().len() != model.variables()) {
            return broken("a marking is not one of the model");
        }
        let expected = if matches!(run.end, End::Loop(_)) { moves + 1 } else { moves };
        if run.fired.len() != expected {
            return broken("its transitions and markings do not match in number");
        }
        for (at, &transition) in run.fired.iter().enumerate() {
            if transition.action.index() >= model.actions() {
                return broken(format!("the transition after position {at} does not exist"));
            }
            let Some(marking) = model.fire(&run.positions[at].marking, transition) else {
                return broken(format!("the transition after position {at} is not enabled"));
            };
            let Some(next) = run.next(at).and_then(|next| run.positions.get(next)) else {
                return broken("the loop does not start on the run");
            };
            if next.marking != marking {
                return broken(format!("the transition after position {at} leads to another marking"));
            }
            self.done.firings += 1;
        }
        let finite = self.witness.paths != PathSemantics::Infinite;
        match run.end {
            End::Deadlock if !model.is_deadlock(&last.marking) => broken("its end is not a deadlock"),
            End::Final => broken("it is a finite run, and no path"),
            End::Deadlock | End::Open if !finite => broken("only infinite paths count, and it is finite"),
            _ => Ok(()),
        }
    }
}

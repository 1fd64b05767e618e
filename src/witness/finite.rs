//! A finite run, as a witness of a formula about runs that end.
//!
//! **Problem.** Engines look for an infinite path that begins with such a run ([`crate::automaton::finite::ending`]), and say nothing
//! of where the run is over.
//!
//! **Idea.** The automaton knows: once the run is over it accepts whatever follows, and before it never does, since it waits for the
//! end. So the run is over one position before the automaton can first be in a component that accepts everything. What the run
//! shows is then decided without the automaton: the steps are fired by the firing rule, the last state is one where runs may
//! end, and the formula is evaluated on the finite run by the definition of its operators ([`super::table`]). Where the automaton
//! does not tell, all positions are tried, as far as that is not too much.
//!
//! A run may go round the loop of a path several times before it is over, and no more often than there are locations.
//!
//! Complexity: a pass of the automaton over the path, and one evaluation.

use super::accepted::{Letters, after, is_over};
use super::confirm::{Fired, Unconfirmed, broken};
use super::replay::Broken;
use super::table::{Shape, Table};
use super::valuation::{Condition, Valuation};
use super::{Because, End, Part, Position, Reason, Run, Witness};
use crate::automaton::Tgba;
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::model::{Path, State, Step, TransitionSystem};
use std::collections::BTreeSet;

/// The most positions that are looked at, and the most evaluations of positions where the automaton tells nothing.
const MOST_POSITIONS: usize = 1 << 22;
const MOST_EVALUATIONS: usize = 1 << 24;

/// A question about finite runs.
#[derive(Clone, Copy, Debug)]
pub struct FiniteRuns<'a> {
    /// The model.
    pub model: &'a dyn TransitionSystem,
    /// Holds the formulas.
    pub pool: &'a Pool,
    /// `E φ` or `A φ`, without path quantifiers inside.
    pub formula: FormulaId,
    /// The condition on single states in which runs may end.
    pub last: FormulaId,
    /// Accepts the infinite paths that begin with a run that satisfies φ (for `A φ`: violates it); its propositions are these formulas.
    pub automaton: (&'a Tgba, &'a [FormulaId]),
}

/// Confirm that a path begins with a finite run that satisfies φ for `E φ`, or violates it for `A φ`.
///
/// # Errors
/// As for [`confirm`](super::confirm()).
pub fn confirm_finite(about: FiniteRuns<'_>, path: &Path, budget: &Budget) -> Result<(), Unconfirmed> {
    Unrolled::new(about, path, false, budget)?.over(budget).map(|_| ())
}

/// The finite run with which a path begins, as a witness; `None` if it cannot be told from this path alone.
///
/// # Errors
/// [`Broken`] if there is no such run: an error of the program.
pub fn explain_finite(about: FiniteRuns<'_>, path: &Path) -> Result<Option<Witness>, Broken> {
    let budget = Budget::unlimited();
    let found = Unrolled::new(about, path, true, &budget).and_then(|unrolled| {
        let last = unrolled.over(&budget)?;
        unrolled.shown(last)
    });
    match found {
        Ok(run) => {
            let holds = root(about).is_none_or(|root| root.holds);
            let reason = Reason { formula: about.formula, holds, because: Because::Run(0) };
            Ok(Some(Witness { paths: PathSemantics::Stutter, reason, runs: vec![run] }))
        }
        Err(Unconfirmed::Broken(error)) => Err(error),
        Err(Unconfirmed::Undecided | Unconfirmed::Stopped(_)) => Ok(None),
    }
}

/// What the run is to show.
fn root(about: FiniteRuns<'_>) -> Option<Part> {
    match about.pool[about.formula] {
        Formula::Exists(formula) => Some(Part { formula, holds: true }),
        Formula::Forall(formula) => Some(Part { formula, holds: false }),
        _ => None,
    }
}

/// A path that has been fired, its loop as often as may be needed.
struct Unrolled<'a> {
    about: FiniteRuns<'a>,
    root: Part,
    /// State formulas, and their values in each state that was passed.
    conditions: Vec<FormulaId>,
    values: Vec<Vec<Option<bool>>>,
    /// The states, if they are to be shown.
    states: Vec<State>,
    /// The letters of the automaton, by state.
    letters: Letters<'a>,
    read: Vec<Vec<Option<bool>>>,
    /// For each position which state it is, and the steps between them; the last of an open path has none.
    order: Vec<usize>,
    fired: Vec<Step>,
}

impl<'a> Unrolled<'a> {
    fn new(about: FiniteRuns<'a>, path: &Path, keep: bool, budget: &Budget) -> Result<Self, Unconfirmed> {
        let FiniteRuns { model, pool, last, automaton, .. } = about;
        let root = root(about).ok_or(Unconfirmed::Undecided)?;
        let letters = Letters::new(model, pool, automaton).ok_or(Unconfirmed::Undecided)?;
        let mut conditions: Vec<FormulaId> = pool.reach(&[root.formula], |id| !pool.is_state(id));
        conditions.retain(|&id| pool.is_state(id));
        conditions.push(last);
        conditions.sort_unstable();
        conditions.dedup();
        let valuation = Valuation { model, pool, bound: &|_| None };
        let taken_apart: Vec<Condition> = conditions.iter().map(|&condition| Condition::new(pool, condition)).collect();
        let (mut states, mut values, mut read) = (Vec::new(), Vec::new(), Vec::new());
        let mut note = |state: &State| {
            let value = |condition: &Condition| valuation.condition(condition, state, &mut |_| None);
            values.push(taken_apart.iter().map(value).collect());
            read.push(letters.values(state));
            if keep {
                states.push(state.clone());
            }
        };
        let Fired { mut fired, end, .. } =
            Fired::new(model, &model.initial(), path, PathSemantics::Stutter, budget, &mut note)?;
        let length = values.len();
        let mut order: Vec<usize> = (0..length).collect();
        if let End::Loop(start) = end {
            let steps = fired.clone();
            for _ in 0..automaton.0.location_count() {
                if order.len() > MOST_POSITIONS {
                    return Err(Unconfirmed::Undecided);
                }
                order.extend(start..length);
                fired.extend(&steps[start..]);
            }
            fired.truncate(order.len() - 1);
        }
        Ok(Unrolled { about, root, conditions, values, states, letters, read, order, fired })
    }

    /// The position at which the run is over.
    fn over(&self, budget: &Budget) -> Result<usize, Unconfirmed> {
        match self.by_automaton() {
            Some(at) if self.shows(at).is_some() => Ok(at),
            Some(_) => broken("it does not begin with a finite run that shows what is said"),
            None => {
                let mut left = MOST_EVALUATIONS;
                for at in 0..self.order.len() {
                    budget.check()?;
                    left = left.checked_sub(at).ok_or(Unconfirmed::Undecided)?;
                    if self.shows(at).is_some() {
                        return Ok(at);
                    }
                }
                Err(Unconfirmed::Undecided)
            }
        }
    }

    /// The first position after which the automaton accepts whatever follows.
    fn by_automaton(&self) -> Option<usize> {
        let (automaton, _) = self.about.automaton;
        let mut here = BTreeSet::from([automaton.initial()]);
        for (at, &state) in self.order.iter().enumerate() {
            here = after(automaton, &here, &self.letters.read(&self.read[state], self.fired.get(at))?);
            if is_over(automaton, &here) {
                return Some(at);
            }
        }
        None
    }

    /// The value of a condition at a position.
    fn value(&self, formula: FormulaId, at: usize) -> Option<bool> {
        let column = self.conditions.binary_search(&formula).ok()?;
        self.values[self.order[at]][column]
    }

    /// The table of the run that is over at a position, if it may be and shows what is said.
    fn shows(&self, at: usize) -> Option<Table<'_>> {
        let FiniteRuns { pool, last, .. } = self.about;
        if self.value(last, at) != Some(true) {
            return None;
        }
        let shape = Shape { positions: at + 1, fired: &self.fired[..at], end: End::Final };
        let table =
            Table::new(pool, self.root.formula, shape, PathSemantics::Maximal, &mut |id, at| self.value(id, at));
        table.proves(self.root, 0).then_some(table)
    }

    /// The run up to a position, and what is used on it.
    fn shown(&self, last: usize) -> Result<Run, Unconfirmed> {
        let Some(table) = self.shows(last) else { return broken("it shows nothing") };
        let position =
            |&state: &usize| Position { marking: self.states[state].clone(), parts: Vec::new(), reasons: Vec::new() };
        let mut positions: Vec<Position> = self.order[..=last].iter().map(position).collect();
        let mut used = table.justify(self.root);
        used.sort_unstable_by_key(|&(at, part)| (at, part.formula, part.holds));
        for (at, part) in used {
            positions[at].parts.push(part);
        }
        Ok(Run {
            formula: self.about.formula,
            positions,
            fired: self.fired[..last].to_vec(),
            end: End::Final,
            least: 0,
        })
    }
}

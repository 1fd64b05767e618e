//! Formulas that say that a way leads from each reachable state of one sort to one of another: `AG (p → EF q)`.
//!
//! The negation is `EF (p ∧ AG ¬q)`. Of several initial states each is to have such a way, and a run shows it of one.

use crate::circuit::{Circuit, Signal};
use crate::decide::conditions::Condition;
use crate::decide::task::Subject;
use crate::formula::{Formula, FormulaId, Pool};
use crate::model::State;

/// A condition, with `true` if it is to fail.
pub(super) type Signed = (FormulaId, bool);

/// Such a question.
pub(super) struct Resetting {
    /// Where all of these hold, a way
    from: Vec<Signed>,
    /// leads to where this does.
    goal: Signed,
    /// The verdict if it is so.
    pub(super) holds: bool,
    /// Does a run to where it is not so decide it?
    pub(super) by_run: bool,
}

impl Resetting {
    /// Of a closed formula, where each state has a successor.
    pub(super) fn new(subject: Subject<'_>, formula: FormulaId) -> Option<Self> {
        let (pool, model) = (subject.pool, subject.model);
        let (mut formula, mut holds) = (formula, true);
        loop {
            match pool[formula] {
                Formula::Not(operand) => (formula, holds) = (operand, !holds),
                // That there is a path.
                Formula::Implies(some, then) if is_true(pool, some) => formula = then,
                _ => break,
            }
        }
        let (inner, holds_of_all) = match pool[formula] {
            Formula::Forall(path) => (always(pool, path, false)?, true),
            Formula::Exists(path) => (always(pool, path, true)?, false),
            _ => return None,
        };
        let holds = holds == holds_of_all;
        let by_run = holds || model.has_one_initial_state();
        let (mut from, mut goal) = (Vec::new(), None);
        let mut open = vec![inner];
        while let Some((part, negated)) = open.pop() {
            if Condition::new(model, pool, part).is_some() {
                from.push((part, !negated));
                continue;
            }
            match (&pool[part], negated) {
                (&Formula::Not(operand), _) => open.push((operand, !negated)),
                (Formula::Or(parts), false) | (Formula::And(parts), true) => {
                    open.extend(parts.iter().map(|&part| (part, negated)));
                }
                (&Formula::Implies(a, b), false) => open.extend([(a, true), (b, false)]),
                (&Formula::Exists(path), false) if goal.is_none() => goal = Some(always(pool, path, true)?),
                (&Formula::Forall(path), true) if goal.is_none() => goal = Some(always(pool, path, false)?),
                _ => return None,
            }
        }
        // What is never to be is the negation of the goal.
        let (goal, negated) = goal?;
        let goal = (goal, !negated);
        Condition::new(model, pool, goal.0)?;
        Some(Resetting { from, goal, holds, by_run })
    }

    /// The two conditions.
    pub(super) fn signals(&self, subject: Subject<'_>, circuit: &mut Circuit) -> Option<(Signal, Signal)> {
        let mut of = |&(formula, negated): &Signed| {
            let signal = Condition::new(subject.model, subject.pool, formula)?.signal(circuit)?;
            Some(if negated { !signal } else { signal })
        };
        let from: Vec<Signal> = self.from.iter().map(&mut of).collect::<Option<_>>()?;
        let goal = of(&self.goal)?;
        Some((circuit.gates.all(from), goal))
    }

    /// Does the model say that a way is to lead from a state?
    pub(super) fn begins_in(&self, subject: Subject<'_>, state: &State) -> bool {
        self.from.iter().all(|&(formula, negated)| {
            let holds = Condition::new(subject.model, subject.pool, formula).and_then(|it| it.holds(state));
            holds == Some(!negated)
        })
    }
}

fn is_true(pool: &Pool, formula: FormulaId) -> bool {
    matches!(pool[formula], Formula::Exists(path) if pool[path] == Formula::True)
}

/// What a path formula, or its negation, says of all states of a path, if that is all that it says.
pub(super) fn always(pool: &Pool, path: FormulaId, negated: bool) -> Option<Signed> {
    match (&pool[path], negated) {
        (&Formula::Not(inner), _) => always(pool, inner, !negated),
        (&Formula::Globally(inner), false) | (&Formula::Finally(inner), true) => Some((inner, negated)),
        (&Formula::Release(never, inner), false) if pool[never] == Formula::False => Some((inner, false)),
        (&Formula::Until(always, inner), true) if pool[always] == Formula::True => Some((inner, true)),
        _ => None,
    }
}

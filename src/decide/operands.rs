//! Boolean combinations, asked operand by operand.
//!
//! **Problem.** `E F a ∧ ¬A G E F b` is shown by no single state and by no single run. Walks and linear programs, which decide either
//! operand, decide nothing of the whole, and the net is reduced no further than the harder operand allows.
//!
//! **Idea.** Each operand that begins with a quantifier is a question of its own, asked once for all formulas that have it, and
//! values are put together as soon as those that are known decide a whole formula (Kleene's three values). What only that
//! formula wanted is not asked any more.
//!
//! What a first step says is left out where the initial marking tells that it is nothing ([`initially::unrolled`]).
//!
//! Quantifiers come apart first: `A(φ ∧ ψ) = A φ ∧ A ψ` ([`Pool::simplify`]), so that formulas of LTL have operands, too. Operands mean
//! the same alone only if there is one initial state, and only where formulas have values in all states: others are
//! asked as they are, and so is what wants a set or a witness.

use super::board::Explained;
use super::valuation::is_total;
use super::{Answer, Asked, Listener, Progress, Question, Settings, StateSpace, Subject, Technique, Value};
use super::{initially, rounds};
use crate::budget::Budget;
use crate::explicit::Stats;
use crate::formula::{Formula, FormulaId, MAX_DEPTH, PathSemantics, Pool};
use crate::halt::Halt;
use crate::kinds::Kind;
use crate::mdd::Mdd;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Formulas with more operands are asked as a whole.
const MOST: usize = 64;
/// First steps that are left out, at most.
const MOST_STEPS: usize = 8;

/// Answer the questions, as [`rounds::run`] does.
pub(super) fn run(
    subject: Subject<'_>,
    asked: &[Asked],
    settings: &Settings<'_>,
    budget: &Budget,
    listener: &dyn Listener,
    time: Option<Duration>,
) {
    ask(subject, asked, settings, listener, |subject, asked, listener| {
        rounds::run(subject, asked, settings, budget, listener, time);
    });
}

/// Let `run` answer the questions with the operands of formulas in the place of these.
pub(super) fn ask(
    subject: Subject<'_>,
    asked: &[Asked],
    settings: &Settings<'_>,
    listener: &dyn Listener,
    run: impl FnOnce(Subject<'_>, &[Asked], &dyn Listener),
) {
    let may_split = |asked: &Asked| !asked.set && !asked.witness && matches!(asked.question, Question::Formula { .. });
    // An engine alone decides formulas as they are.
    let several = settings.ways.structure || settings.ways.walks || settings.ways.reductions;
    if !settings.ideas.operands || !several || subject.model.initial_states().len() > 1 || !asked.iter().any(may_split)
    {
        return run(subject, asked, listener);
    }
    let (pool, known) = (subject.pool.clone(), FxHashMap::default());
    let mut split = Split { pool, asked: Vec::new(), known, wholes: Vec::new(), changed: false };
    for (number, question) in asked.iter().enumerate() {
        let tree = Some(question).filter(|question| may_split(question));
        let tree = tree.and_then(|question| split.tree(subject.model, question, settings));
        let tree = tree.unwrap_or_else(|| split.alone(question.clone()));
        split.wholes.push(Whole { number, tree, answered: false });
    }
    let Split { pool, asked: operands, wholes, changed, .. } = split;
    if !changed {
        return run(subject, asked, listener);
    }
    let heard = Heard { listener, known: Mutex::new(State { values: vec![None; operands.len()], wholes }) };
    heard.give(Technique::Structure, None);
    run(Subject { pool: &pool, ..subject }, &operands, &heard);
}

/// A question by the answers that it is put together from.
#[derive(Clone, PartialEq, Debug)]
enum Tree {
    /// The answer to a question.
    Operand(usize),
    /// What the initial state has decided.
    Known(bool),
    And(Vec<Tree>),
    Or(Vec<Tree>),
}

impl Tree {
    /// The numbers of the questions.
    fn operands(&self, found: &mut Vec<usize>) {
        match self {
            Tree::Operand(number) => found.push(*number),
            Tree::Known(_) => {}
            Tree::And(parts) | Tree::Or(parts) => parts.iter().for_each(|part| part.operands(found)),
        }
    }

    /// The value, if those of the operands decide it.
    fn value(&self, of: &impl Fn(usize) -> Option<bool>) -> Option<bool> {
        match self {
            Tree::Operand(number) => of(*number),
            Tree::Known(value) => Some(*value),
            Tree::And(parts) => Self::junction(parts, true, of),
            Tree::Or(parts) => Self::junction(parts, false, of),
        }
    }

    /// `neutral` if all parts have that value, and the other one if a single part has.
    fn junction(parts: &[Tree], neutral: bool, of: &impl Fn(usize) -> Option<bool>) -> Option<bool> {
        let mut all = Some(neutral);
        for part in parts {
            match part.value(of) {
                Some(value) if value == neutral => {}
                Some(value) => return Some(value),
                None => all = None,
            }
        }
        all
    }
}

/// Makes questions about operands.
struct Split {
    pool: Pool,
    asked: Vec<Asked>,
    known: FxHashMap<(FormulaId, PathSemantics), usize>,
    wholes: Vec<Whole>,
    /// Is anything asked otherwise than it was?
    changed: bool,
}

/// What was asked.
struct Whole {
    number: usize,
    tree: Tree,
    answered: bool,
}

impl Split {
    /// A question that is asked as it is.
    fn alone(&mut self, question: Asked) -> Tree {
        self.asked.push(question);
        Tree::Operand(self.asked.len() - 1)
    }

    /// The operands of a question, its first steps left out where they make no difference; `None` if it is asked as it is.
    fn tree(&mut self, model: &dyn Kind, asked: &Asked, settings: &Settings<'_>) -> Option<Tree> {
        let Question::Formula { linear, paths, .. } = asked.question else { return None };
        if !is_total(&self.pool, linear) || self.pool.depth(linear) > MAX_DEPTH {
            return None;
        }
        let mut simple = self.pool.simplify(linear, paths);
        let mut unrolled = false;
        if settings.ways.structure {
            for _ in 0..MOST_STEPS {
                let shorter = initially::unrolled(model, &mut self.pool, simple, paths);
                if shorter == simple {
                    break;
                }
                (simple, unrolled) = (shorter, true);
            }
        }
        let mut leaves = Vec::new();
        self.leaves(simple, &mut leaves);
        leaves.sort_unstable();
        leaves.dedup();
        let several = (2..=MOST).contains(&leaves.len());
        if !(several || unrolled) || self.pool.depth(simple) > MAX_DEPTH {
            return None;
        }
        self.changed = true;
        if !several {
            let question = Question::formula(&mut self.pool, simple, paths, settings.route);
            return Some(self.alone(question.into()));
        }
        Some(self.split(model, simple, (paths, settings)))
    }

    /// The operands that begin with a quantifier.
    fn leaves(&self, formula: FormulaId, found: &mut Vec<FormulaId>) {
        match &self.pool[formula] {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|&part| self.leaves(part, found)),
            Formula::Exists(_) | Formula::Forall(_) => found.push(formula),
            _ => {}
        }
    }

    fn split(&mut self, model: &dyn Kind, formula: FormulaId, how: (PathSemantics, &Settings<'_>)) -> Tree {
        let (paths, settings) = how;
        if settings.ways.structure
            && let Some(value) = initially::verdict(model, &self.pool, formula, paths)
        {
            return Tree::Known(value);
        }
        let parts =
            |split: &mut Self, parts: &[FormulaId]| parts.iter().map(|&part| split.split(model, part, how)).collect();
        match self.pool[formula].clone() {
            Formula::And(operands) => Tree::And(parts(self, &operands)),
            Formula::Or(operands) => Tree::Or(parts(self, &operands)),
            _ => match self.known.get(&(formula, paths)) {
                Some(&number) => Tree::Operand(number),
                None => {
                    let question = Question::formula(&mut self.pool, formula, paths, settings.route);
                    self.known.insert((formula, paths), self.asked.len());
                    self.alone(question.into())
                }
            },
        }
    }
}

/// Puts answers together.
struct Heard<'a> {
    listener: &'a dyn Listener,
    known: Mutex<State>,
}

struct State {
    /// What each operand was found to be.
    values: Vec<Option<Value>>,
    wholes: Vec<Whole>,
}

impl Heard<'_> {
    fn known(&self) -> MutexGuard<'_, State> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answer what the operands decide now.
    fn give(&self, technique: Technique, explored: Option<Stats>) {
        let mut found = Vec::new();
        let mut known = self.known();
        let State { values, wholes } = &mut *known;
        for whole in wholes.iter_mut().filter(|whole| !whole.answered) {
            let Some(value) = whole.value(values) else { continue };
            whole.answered = true;
            let technique = if matches!(value, Value::Unknown(_)) { Technique::None } else { technique };
            found.push(Answer { question: whole.number, value, technique, explored });
        }
        drop(known);
        // Each of them comes once, from whoever has found it.
        found.into_iter().for_each(|answer| self.listener.answered(answer));
    }

    /// The number of the question that an operand is all of, or belongs to.
    fn whole(&self, operand: usize) -> Option<usize> {
        self.known().wholes.iter().find(|whole| whole.has(operand)).map(|whole| whole.number)
    }
}

impl Whole {
    fn has(&self, operand: usize) -> bool {
        let mut operands = Vec::new();
        self.tree.operands(&mut operands);
        operands.contains(&operand)
    }

    /// The answer, if it is known what it is or that none will come.
    fn value(&self, values: &[Option<Value>]) -> Option<Value> {
        if let Tree::Operand(number) = self.tree {
            return values[number].clone();
        }
        let of = |number: usize| match values[number] {
            Some(Value::Verdict(verdict)) => Some(verdict),
            _ => None,
        };
        if let Some(verdict) = self.tree.value(&of) {
            return Some(Value::Verdict(verdict));
        }
        let mut operands = Vec::new();
        self.tree.operands(&mut operands);
        let found: Vec<&Value> = operands.iter().map(|&number| values[number].as_ref()).collect::<Option<_>>()?;
        let unknown = found.into_iter().find(|value| matches!(value, Value::Unknown(_))).cloned();
        Some(unknown.unwrap_or(Value::Unknown(Halt::Unsupported("an operand has no truth value"))))
    }
}

impl Listener for Heard<'_> {
    fn answered(&self, answer: Answer) {
        let Answer { question, value, technique, explored } = answer;
        self.known().values[question] = Some(value);
        self.give(technique, explored);
    }

    fn is_wanted(&self, question: usize) -> bool {
        let known = self.known();
        let mut open = known.wholes.iter().filter(|whole| whole.has(question) && !whole.answered);
        open.any(|whole| self.listener.is_wanted(whole.number))
    }

    fn explained(&self, question: usize, explained: Explained) {
        if let Some(whole) = self.whole(question) {
            self.listener.explained(whole, explained);
        }
    }

    fn set(&self, question: usize, space: &StateSpace, set: &Mdd) {
        if let Some(whole) = self.whole(question) {
            self.listener.set(whole, space, set);
        }
    }

    fn contradicted(&self, question: usize, one: (Value, Technique), other: (Value, Technique)) {
        if let Some(whole) = self.whole(question) {
            self.listener.contradicted(whole, one, other);
        }
    }

    fn explored(&self, space: &StateSpace) {
        self.listener.explored(space);
    }

    fn progress(&self, progress: Progress<'_>) {
        self.listener.progress(progress);
    }
}

#[cfg(test)]
mod tests;

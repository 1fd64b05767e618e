//! Boolean combinations, asked operand by operand.
//!
//! **Problem.** `E F a ∧ ¬A G E F b` is shown by no single state and by no single run. Walks and linear programs, which decide either
//! operand, decide nothing of the whole, and the net is reduced no further than the harder operand allows.
//!
//! **Idea.** Each operand that begins with a quantifier is a question of its own, asked once for all formulas that have it, and
//! values are put together as soon as those that are known decide a whole formula (Kleene's three values). What only that
//! formula wanted is not asked any more.
//!
//! Where a marking may show a formula at once ([`state_approximation`]), that is asked, too; of the net in question only, not of those that are
//! asked in its place.
//!
//! The demand on a first step is left out where the initial marking makes it void ([`initially::unrolled`]).
//!
//! Quantifiers come apart first: `A(φ ∧ ψ) = A φ ∧ A ψ` ([`Pool::simplify`]), so that formulas of LTL have operands, too. Operands mean
//! the same alone only if there is one initial state, and only where formulas have values in all states: others are
//! asked as they are, and so is what wants a set or a witness.

use super::initially;
use super::state_approximation::state_approximation;
use crate::decide::answer::{Answer, Listener, Remapped, Remapping, Technique, Value};
use crate::decide::conditions::is_total;
use crate::decide::settings::Settings;
use crate::decide::solver::{Pass, Solver};
use crate::decide::task::{Question, Request, Subject, Task};
use crate::explicit::Stats;
use crate::formula::{Formula, FormulaId, MAX_DEPTH, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::net::PetriNet;
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Formulas with more operands are asked as a whole.
const MOST: usize = 64;
/// First steps that are left out, at most.
const MOST_STEPS: usize = 8;

/// The operands of formulas in the place of these, and beside them what may show them at once.
pub(in crate::decide) struct Operands;

impl Pass for Operands {
    fn apply(&self, task: &Task<'_>, next: &dyn Solver) {
        let &Task { subject, requests, settings, listener, .. } = task;
        let may_split =
            |asked: &Request| !asked.set && !asked.witness && matches!(asked.question, Question::Formula { .. });
        // An engine alone decides formulas as they are.
        let several = settings.ways.structure || settings.ways.walks || settings.ways.reductions;
        let is_split = settings.techniques.operands && several && subject.model.initial_states().len() <= 1;
        if !is_split || !requests.iter().any(may_split) {
            return next.solve(task);
        }
        let (pool, known) = (subject.pool.clone(), FxHashMap::default());
        let net = subject.model.as_net().filter(|_| settings.techniques.state_approximation);
        let mut split = Split { pool, asked: Vec::new(), known, net, shown: FxHashMap::default(), changed: false };
        let whole = |(number, question): (usize, &Request)| {
            let tree = Some(question).filter(|question| may_split(question));
            let tree = tree.and_then(|question| split.tree(subject.model, question, settings));
            let tree = tree.unwrap_or_else(|| split.alone(question.clone()));
            Whole { number, tree, answered: AtomicBool::new(false) }
        };
        let wholes: Vec<Whole> = requests.iter().enumerate().map(whole).collect();
        let Split { pool, asked: operands, changed, .. } = split;
        if !changed {
            return next.solve(task);
        }
        let combined = Remapped(Combined::new(listener, wholes, operands.len()));
        combined.0.give(0..requests.len(), Technique::Structure, None);
        if !operands.is_empty() {
            let subject = Subject { pool: &pool, ..subject };
            next.solve(&Task { subject, requests: &operands, listener: &combined, ..*task });
        }
    }
}

/// A question by the answers that it is put together from.
#[derive(Clone, PartialEq, Debug)]
enum Tree {
    /// The answer to a question.
    Operand(usize),
    /// A value that the initial state has decided.
    Known(bool),
    And(Vec<Tree>),
    Or(Vec<Tree>),
    /// The first of two, which has this value if the second has it.
    Shown(Box<[Tree; 2]>, bool),
}

impl Tree {
    /// The numbers of the questions.
    fn operands(&self, found: &mut Vec<usize>) {
        match self {
            Tree::Operand(number) => found.push(*number),
            Tree::Known(_) => {}
            Tree::And(parts) | Tree::Or(parts) => parts.iter().for_each(|part| part.operands(found)),
            Tree::Shown(parts, _) => parts.iter().for_each(|part| part.operands(found)),
        }
    }

    /// The value, if those of the operands decide it.
    fn value(&self, of: &impl Fn(usize) -> Option<bool>) -> Option<bool> {
        match self {
            Tree::Operand(number) => of(*number),
            Tree::Known(value) => Some(*value),
            Tree::And(parts) => Self::junction(parts, true, of),
            Tree::Or(parts) => Self::junction(parts, false, of),
            Tree::Shown(parts, shown) => {
                parts[0].value(of).or_else(|| parts[1].value(of).filter(|value| value == shown))
            }
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
struct Split<'a> {
    pool: Pool,
    asked: Vec<Request>,
    known: FxHashMap<(FormulaId, PathSemantics), Tree>,
    /// The net of which is asked what shows a formula at once, and that.
    net: Option<&'a PetriNet>,
    shown: FxHashMap<(FormulaId, PathSemantics), Option<(FormulaId, bool)>>,
    /// Is anything asked otherwise than it was?
    changed: bool,
}

/// A formula as it was asked.
struct Whole {
    number: usize,
    tree: Tree,
    answered: AtomicBool,
}

impl Split<'_> {
    /// A question that is asked as it is.
    fn alone(&mut self, question: Request) -> Tree {
        self.asked.push(question);
        Tree::Operand(self.asked.len() - 1)
    }

    /// The operands of a question, its first steps left out where they make no difference; `None` if it is asked as it is.
    fn tree(&mut self, model: &dyn Kind, asked: &Request, settings: &Settings<'_>) -> Option<Tree> {
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
        let is_shown = |leaf: &FormulaId| self.shown_by_state(*leaf, paths).is_some();
        let several = leaves.len() <= MOST && (leaves.len() > 1 || leaves.iter().any(is_shown));
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

    /// The state approximation of a formula, if that technique is on.
    fn shown_by_state(&mut self, formula: FormulaId, paths: PathSemantics) -> Option<(FormulaId, bool)> {
        let (net, pool) = (self.net?, &mut self.pool);
        *self.shown.entry((formula, paths)).or_insert_with(|| state_approximation(net, pool, formula, paths))
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
                Some(tree) => tree.clone(),
                None => {
                    let question = Question::formula(&mut self.pool, formula, paths, settings.route);
                    let mut tree = self.alone(question.into());
                    if let Some((simple, shown)) = self.shown_by_state(formula, paths) {
                        let simple = self.pool.simplify(simple, paths);
                        tree = Tree::Shown(Box::new([tree, self.split(model, simple, how)]), shown);
                    }
                    self.known.insert((formula, paths), tree.clone());
                    tree
                }
            },
        }
    }
}

/// Puts answers together.
struct Combined<'a> {
    listener: &'a dyn Listener,
    wholes: Vec<Whole>,
    /// For each operand, what it belongs to.
    of: Vec<Vec<usize>>,
    /// The known value of each operand.
    values: Mutex<Vec<Option<Value>>>,
}

impl<'a> Combined<'a> {
    fn new(listener: &'a dyn Listener, wholes: Vec<Whole>, operands: usize) -> Self {
        let mut of = vec![Vec::new(); operands];
        for (number, whole) in wholes.iter().enumerate() {
            let mut operands = Vec::new();
            whole.tree.operands(&mut operands);
            operands.into_iter().for_each(|operand| of[operand].push(number));
        }
        Combined { listener, wholes, of, values: Mutex::new(vec![None; operands]) }
    }

    fn values(&self) -> MutexGuard<'_, Vec<Option<Value>>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answer which of these the operands decide now.
    fn give(&self, wholes: impl IntoIterator<Item = usize>, technique: Technique, explored: Option<Stats>) {
        let values = self.values();
        let mut found = Vec::new();
        for whole in wholes.into_iter().map(|number| &self.wholes[number]) {
            if !whole.answered.load(Relaxed)
                && let Some(value) = whole.value(&values)
            {
                whole.answered.store(true, Relaxed);
                let technique = if matches!(value, Value::Unknown(_)) { Technique::None } else { technique };
                found.push(Answer { question: whole.number, value, technique, explored });
            }
        }
        drop(values);
        // Each of them comes once, from whoever has found it.
        found.into_iter().for_each(|answer| self.listener.answered(answer));
    }
}

impl Whole {
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
        Some(unknown.unwrap_or(Value::Unknown(StopReason::Unsupported("an operand has no truth value"))))
    }
}

impl Remapping for Combined<'_> {
    fn listener(&self) -> &dyn Listener {
        self.listener
    }

    /// That of the question that an operand is all of, or belongs to.
    fn number(&self, operand: usize) -> Option<usize> {
        self.of[operand].first().map(|&whole| self.wholes[whole].number)
    }

    fn answered(&self, answer: Answer) {
        let Answer { question, value, technique, explored } = answer;
        self.values()[question] = Some(value);
        self.give(self.of[question].iter().copied(), technique, explored);
    }

    fn is_wanted(&self, question: usize) -> bool {
        let mut wholes = self.of[question].iter().map(|&number| &self.wholes[number]);
        wholes.any(|whole| !whole.answered.load(Relaxed) && self.listener.is_wanted(whole.number))
    }
}

#[cfg(test)]
mod tests;

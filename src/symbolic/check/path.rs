//! `E φ` for any path formula φ of CTL*: from φ to an automaton, and from the automaton to the sat-set.
//!
//! The maximal proper state subformulas of φ, whose sat-sets are known, become propositions of a linear-time
//! formula (Emerson and Lei 1987); its automaton is combined with the reachable set
//! ([`super::product`]).
//!
//! Automata read infinite words. Under `stutter` a deadlock repeats for ever, so all paths are infinite. Under
//! `maximal` a path may end in a deadlock, where every `X ψ` of the negation normal form of φ is false. Repeating the
//! deadlock instead changes nothing but `X`: all positions from the deadlock on have the same future, so `U`, `R` and
//! the others have the same value on the finite and on the repeated path. Hence `X ψ` is read as `¬dead ∧ X ψ`, `Y ψ`
//! as what it is at the deadlock ([`Formulas::yesterday_before`]), and the rest is as under `stutter`. Under
//! `infinite`, deadlocks have no successor in the product.
//!
//! An action atom speaks of the next step, so its proposition is read where guards are, in the state that the step
//! leaves, but of the step ([`super::steps`]). At the end of a path there is no next step and all of them are
//! false, as they are of the step that repeats a deadlock.

use super::actions::{Meaning, plain};
use super::plain::PlainProduct;
use super::product::Product;
use super::way::{Constraints, Way};
use super::{Checker, ProductKind};
use crate::automaton::ltl::{Formula as Ltl, Formulas};
use crate::automaton::{Tgba, TranslationError};
use crate::budget::Budget;
use crate::formula::{Decomposition, FairConjuncts, Formula, FormulaId, PathNode, PathSemantics, Pool};
use crate::mdd::Mdd;
use crate::stop_reason::StopReason;
use std::sync::Arc;

/// Name of the proposition that holds in deadlocks.
const DEAD: &str = "dead";

impl Checker<'_> {
    /// Sat(E path), or Sat(E ¬path) if `negated`, by the product with an automaton. The state formulas in
    /// `path` are known.
    pub(super) fn exists_path(
        &self,
        pool: &Pool,
        path: FormulaId,
        negated: bool,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let Taken { automaton, ways, constraints } = self.automaton(pool, path, negated, budget)?;
        self.some_path_accepted(&automaton, &ways, &constraints, budget)
    }

    /// Is the initial state in that set?
    pub(super) fn exists_path_initially(
        &self,
        pool: &Pool,
        path: FormulaId,
        negated: bool,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let Taken { automaton, ways, constraints } = self.automaton(pool, path, negated, budget)?;
        Product::new(self, &automaton, &ways, &constraints, budget)?.accepts_initially()
    }

    /// The automaton of a path formula, or of its negation, the ways to take each edge, and the fairness conditions that
    /// are no part of it.
    ///
    /// Automata are kept by the shape of the formula over its propositions: most operators of CTL look the same.
    pub(super) fn automaton(
        &self,
        pool: &Pool,
        path: FormulaId,
        negated: bool,
        budget: &Budget,
    ) -> Result<Taken, StopReason> {
        let Decomposition { propositions, actions, nodes } = pool.decompose(path);
        let apart = self.fairness && self.translator.takes_parts();
        let split = if apart { FairConjuncts::of(&nodes, negated) } else { None };
        let constraints = match &split {
            Some(split) => self.constraints(pool, split, (&propositions, &actions), budget)?,
            None => Constraints::default(),
        };
        let key = split.map_or((nodes, negated), |split| (split.rest, false));
        let known = self.automata.borrow().get(&key).cloned();
        let automaton = match known {
            Some(known) => known,
            None => {
                let automaton = Arc::new(self.translated(&key.0, key.1, budget)?);
                self.automata.borrow_mut().insert(key, Arc::clone(&automaton));
                automaton
            }
        };
        let meanings = self.meanings(pool, &automaton, &propositions, &actions, budget)?;
        let automaton = match self.knowledge {
            true => Arc::new(self.knowing(&automaton, &meanings, budget)?),
            false => automaton,
        };
        let ways = self.ways(&automaton, &meanings, budget)?;
        Ok(Taken { automaton, ways, constraints })
    }

    /// The automaton of a formula over propositions, or of its negation.
    fn translated(&self, formula: &[PathNode], negated: bool, budget: &Budget) -> Result<Tgba, StopReason> {
        let mut linear = Linear { formulas: Formulas::new(), maximal: self.paths == PathSemantics::Maximal };
        let mut nodes: Vec<[Ltl; 2]> = Vec::with_capacity(formula.len());
        for node in formula {
            let both = [linear.node(node, true, &nodes), linear.node(node, false, &nodes)];
            nodes.push(both);
        }
        let Some(&[holds, fails]) = nodes.last() else {
            return Err(StopReason::Unsupported("empty path formula"));
        };
        let formula = if negated { fails } else { holds };
        let mut formulas = linear.formulas;
        Ok(self.translator.automaton(&mut formulas, formula, budget)?)
    }

    /// The reachable states from which some path is a word that the automaton accepts; proposition `i` of the
    /// automaton is the formula `propositions[i]` of `pool`, on single states or of the labels of the next step.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up, when a proposition has no formula or its formula no sat-set, and
    /// under the maximal semantics: automata read infinite words.
    pub fn sat_automaton(
        &mut self,
        pool: &Pool,
        automaton: &Tgba,
        propositions: &[FormulaId],
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        if self.paths == PathSemantics::Maximal {
            return Err(StopReason::Unsupported("an automaton reads infinite paths: use --paths stutter or infinite"));
        }
        if propositions.len() < automaton.propositions().len() {
            return Err(StopReason::Unsupported("a proposition of the automaton has no formula"));
        }
        let meanings = propositions.iter().map(|&formula| match pool.get(formula) {
            Some(Formula::Action(labels)) => Ok(Meaning::Labels(labels.iter().map(|label| label.0).collect())),
            _ => self.sat(pool, formula, budget).map(Meaning::States),
        });
        let meanings = meanings.collect::<Result<Vec<Meaning>, StopReason>>()?;
        let ways = self.ways(automaton, &meanings, budget)?;
        self.some_path_accepted(automaton, &ways, &Constraints::default(), budget)
    }

    fn some_path_accepted(
        &self,
        automaton: &Tgba,
        ways: &[Vec<Way>],
        constraints: &Constraints,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        match self.product {
            ProductKind::Components => Product::new(self, automaton, ways, constraints, budget)?.satisfying(),
            ProductKind::Plain => {
                let guards = plain(ways, &self.states.space().empty())?;
                PlainProduct::new(self, automaton, &guards, constraints, budget)?.satisfying()
            }
        }
    }

    /// The meaning of each proposition of the automaton.
    fn meanings(
        &self,
        pool: &Pool,
        automaton: &Tgba,
        formulas: &[FormulaId],
        actions: &[FormulaId],
        budget: &Budget,
    ) -> Result<Vec<Meaning>, StopReason> {
        let meaning = |proposition: &String| {
            if proposition == DEAD {
                return self.deadlocks(budget).map(Meaning::States);
            }
            let numbered = |prefix: char, formulas: &[FormulaId]| {
                let number: usize = proposition.strip_prefix(prefix)?.parse().ok()?;
                formulas.get(number).copied()
            };
            match (numbered('p', formulas), numbered('a', actions).map(|action| &pool[action])) {
                (Some(formula), _) => self.known(formula).cloned().map(Meaning::States),
                (None, Some(Formula::Action(labels))) => {
                    Ok(Meaning::Labels(labels.iter().map(|label| label.0).collect()))
                }
                _ => Err(StopReason::Unsupported("an automaton with a proposition that the formula does not have")),
            }
        };
        automaton.propositions().iter().map(meaning).collect()
    }
}

/// What a product takes of a path formula.
pub(super) struct Taken {
    pub(super) automaton: Arc<Tgba>,
    /// The ways to take each edge, by edge index.
    pub(super) ways: Vec<Vec<Way>>,
    /// The conditions beside the automaton.
    pub(super) constraints: Constraints,
}

/// The labels that an action atom lists.
pub(super) fn labels_of(pool: &Pool, action: FormulaId) -> Result<Meaning, StopReason> {
    match &pool[action] {
        Formula::Action(labels) => Ok(Meaning::Labels(labels.iter().map(|label| label.0).collect())),
        _ => Err(StopReason::Unsupported("an action atom that is none")),
    }
}

/// Builds the linear-time formula, in negation normal form.
struct Linear {
    formulas: Formulas,
    /// Under `maximal`, `X ψ` also says that there is a next position.
    maximal: bool,
}

impl Linear {
    /// `Y`, and under `maximal` what it is on a path that repeats its end.
    fn yesterday(&mut self, a: Ltl) -> Ltl {
        if !self.maximal {
            return self.formulas.yesterday(a);
        }
        let dead = self.formulas.proposition(DEAD);
        let dead = self.formulas.literal(dead, true);
        self.formulas.yesterday_before(a, dead)
    }

    /// The formula of a node, or of its negation; `earlier` has both for each operand.
    fn node(&mut self, node: &PathNode, positive: bool, earlier: &[[Ltl; 2]]) -> Ltl {
        let at = |index: &usize| earlier[*index][usize::from(!positive)];
        let not = |index: &usize| earlier[*index][usize::from(positive)];
        let all = |operands: &[usize]| operands.iter().map(at).collect::<Vec<Ltl>>();
        let formulas = &mut self.formulas;
        match (node, positive) {
            (PathNode::True, true) | (PathNode::False, false) => Ltl::TRUE,
            (PathNode::True, false) | (PathNode::False, true) => Ltl::FALSE,
            (PathNode::Prop(number), _) => {
                let prop = formulas.proposition(&format!("p{number}"));
                formulas.literal(prop, positive)
            }
            (PathNode::Action(number), _) => {
                let action = formulas.proposition(&format!("a{number}"));
                formulas.literal(action, positive)
            }
            (PathNode::Not(a), _) => not(a),
            (PathNode::And(operands), true) | (PathNode::Or(operands), false) => formulas.and(all(operands)),
            (PathNode::And(operands), false) | (PathNode::Or(operands), true) => formulas.or(all(operands)),
            (PathNode::Implies(a, b), true) => formulas.or([not(a), at(b)]),
            (PathNode::Implies(a, b), false) => formulas.and([not(a), at(b)]),
            (PathNode::Iff(a, b), _) => {
                // ¬(a ↔ b) is a ↔ ¬b.
                let [a, not_a] = earlier[*a];
                let both = formulas.and([a, at(b)]);
                let neither = formulas.and([not_a, not(b)]);
                formulas.or([both, neither])
            }
            (PathNode::Next(a), _) => {
                let next = formulas.next(at(a));
                if !self.maximal {
                    return next;
                }
                let dead = formulas.proposition(DEAD);
                let alive = formulas.literal(dead, false);
                formulas.and([alive, next])
            }
            (PathNode::Yesterday(a), true) | (PathNode::WeakYesterday(a), false) => self.yesterday(at(a)),
            (PathNode::Yesterday(a), false) | (PathNode::WeakYesterday(a), true) => {
                self.yesterday(at(a).negated()).negated()
            }
            (PathNode::Since(a, b), true) | (PathNode::Trigger(a, b), false) => formulas.since(at(a), at(b)),
            (PathNode::Since(a, b), false) | (PathNode::Trigger(a, b), true) => formulas.trigger(at(a), at(b)),
            (PathNode::Finally(a), true) | (PathNode::Globally(a), false) => formulas.finally(at(a)),
            (PathNode::Finally(a), false) | (PathNode::Globally(a), true) => formulas.globally(at(a)),
            (PathNode::Until(a, b), true) | (PathNode::Release(a, b), false) => formulas.until(at(a), at(b)),
            (PathNode::Until(a, b), false) | (PathNode::Release(a, b), true) => formulas.release(at(a), at(b)),
            (PathNode::WeakUntil(a, b), true) | (PathNode::StrongRelease(a, b), false) => {
                formulas.weak_until(at(a), at(b))
            }
            (PathNode::WeakUntil(a, b), false) | (PathNode::StrongRelease(a, b), true) => {
                formulas.strong_release(at(a), at(b))
            }
        }
    }
}

impl From<TranslationError> for StopReason {
    fn from(error: TranslationError) -> Self {
        match error {
            TranslationError::Exhausted(exhausted) => StopReason::Exhausted(exhausted),
            error => StopReason::Translation(error),
        }
    }
}

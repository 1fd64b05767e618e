//! `E φ` for any path formula φ of CTL*: from φ to an automaton, and from the automaton to the sat-set.
//!
//! The maximal proper state subformulas of φ, whose sat-sets are known, become propositions of a linear-time
//! formula (Emerson and Lei 1987); its automaton is combined with the reachable set
//! ([`super::product`]).
//!
//! Automata read infinite words. Under `stutter` a deadlock repeats for ever, so all paths are infinite.
//! Under `maximal` a path may end in a deadlock, where `X ψ` is false. Repeating the deadlock instead changes
//! nothing but `X`: all positions from the deadlock on have the same future, so `U`, `R` and the others have
//! the same value on the finite and on the repeated path. Hence `X ψ` is read as `¬dead ∧ X ψ` and the rest
//! is as under `stutter`. Under `infinite`, deadlocks have no successor in the product.

use super::Checker;
use super::product::Product;
use crate::automaton::ltl::{Formula as Ltl, Formulas};
use crate::automaton::{Passes, Tgba, TranslationError, translate};
use crate::budget::Budget;
use crate::formula::{FormulaId, PathNode, PathSemantics, Pool};
use crate::mdd::Mdd;
use crate::symbolic::halt::Halt;

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
    ) -> Result<Mdd, Halt> {
        let decomposition = pool.decompose(path);
        let mut formulas = Formulas::new();
        let mut nodes: Vec<Ltl> = Vec::with_capacity(decomposition.nodes.len());
        for node in &decomposition.nodes {
            let linear = self.linear(&mut formulas, node, &nodes);
            nodes.push(linear);
        }
        let Some(&formula) = nodes.last() else {
            return Err(Halt::Unsupported("empty path formula"));
        };
        let formula = if negated { formula.negated() } else { formula };
        let automaton = translate(&mut formulas, formula, &Passes::default(), budget)?;
        let propositions = self.proposition_sets(&automaton, &decomposition.propositions, budget)?;
        Product::new(self, &automaton, &propositions, budget)?.satisfying()
    }

    fn linear(&self, formulas: &mut Formulas, node: &PathNode, earlier: &[Ltl]) -> Ltl {
        let at = |index: &usize| earlier[*index];
        match node {
            PathNode::True => Ltl::TRUE,
            PathNode::False => Ltl::FALSE,
            PathNode::Prop(number) => {
                let prop = formulas.proposition(&name(*number));
                formulas.literal(prop, true)
            }
            PathNode::Not(a) => at(a).negated(),
            PathNode::And(operands) => {
                let operands: Vec<Ltl> = operands.iter().map(at).collect();
                formulas.and(operands)
            }
            PathNode::Or(operands) => {
                let operands: Vec<Ltl> = operands.iter().map(at).collect();
                formulas.or(operands)
            }
            PathNode::Implies(a, b) => formulas.implies(at(a), at(b)),
            PathNode::Iff(a, b) => formulas.iff(at(a), at(b)),
            PathNode::Next(a) => {
                let next = formulas.next(at(a));
                if self.paths != PathSemantics::Maximal {
                    return next;
                }
                let dead = formulas.proposition(DEAD);
                let alive = formulas.literal(dead, false);
                formulas.and([alive, next])
            }
            PathNode::Finally(a) => formulas.finally(at(a)),
            PathNode::Globally(a) => formulas.globally(at(a)),
            PathNode::Until(a, b) => formulas.until(at(a), at(b)),
            PathNode::Release(a, b) => formulas.release(at(a), at(b)),
            PathNode::WeakUntil(a, b) => formulas.weak_until(at(a), at(b)),
            PathNode::StrongRelease(a, b) => formulas.strong_release(at(a), at(b)),
        }
    }

    /// The sat-set of each proposition of the automaton.
    fn proposition_sets(&self, automaton: &Tgba, formulas: &[FormulaId], budget: &Budget) -> Result<Vec<Mdd>, Halt> {
        let set_of = |proposition: &String| {
            if proposition == DEAD {
                return self.deadlocks(budget);
            }
            let number: Option<usize> = proposition.strip_prefix('p').and_then(|number| number.parse().ok());
            match number.and_then(|number| formulas.get(number)) {
                Some(&formula) => self.known(formula).cloned(),
                None => Err(Halt::Unsupported("an automaton with a proposition that the formula does not have")),
            }
        };
        automaton.propositions().iter().map(set_of).collect()
    }
}

fn name(number: u32) -> String {
    format!("p{number}")
}

impl From<TranslationError> for Halt {
    fn from(error: TranslationError) -> Self {
        match error {
            TranslationError::Exhausted(exhausted) => Halt::Exhausted(exhausted),
            error => Halt::Translation(error),
        }
    }
}

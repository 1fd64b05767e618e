//! From a CTL* path formula to a formula over propositions, for the automaton route.
//!
//! `E φ` is computed bottom-up (Emerson and Lei 1987): the sat-sets of the *maximal proper state subformulas*
//! of φ come first; then φ is a linear-time formula in which each of them is one proposition. Two of them are
//! taken apart: constants stay constants, and a negated state formula is the negation of its operand's
//! proposition, so that p and ¬p are not two unrelated propositions.
//!
//! Emerson and Lei, "Modalities for model checking: branching time logic strikes back", Science of Computer
//! Programming 8, 1987.

use super::ast::Formula;
use super::pool::{FormulaId, Pool};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// One node of a linear-time formula; operands are indices of earlier nodes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PathNode {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// The proposition with this number.
    Prop(u32),
    /// The action atom with this number.
    Action(u32),
    /// `¬φ`
    Not(usize),
    /// Conjunction of two or more.
    And(Vec<usize>),
    /// Disjunction of two or more.
    Or(Vec<usize>),
    /// `φ → ψ`
    Implies(usize, usize),
    /// `φ ↔ ψ`
    Iff(usize, usize),
    /// `X φ`
    Next(usize),
    /// `F φ`
    Finally(usize),
    /// `G φ`
    Globally(usize),
    /// `φ U ψ`
    Until(usize, usize),
    /// `φ R ψ`
    Release(usize, usize),
    /// `φ W ψ`
    WeakUntil(usize, usize),
    /// `φ M ψ`
    StrongRelease(usize, usize),
    /// `Y φ`
    Yesterday(usize),
    /// `Z φ`
    WeakYesterday(usize),
    /// `φ S ψ`
    Since(usize, usize),
    /// `φ T ψ`
    Trigger(usize, usize),
}

impl PathNode {
    /// The operands of a node.
    pub(crate) fn operands(&self) -> Vec<usize> {
        match self {
            PathNode::True | PathNode::False | PathNode::Prop(_) | PathNode::Action(_) => Vec::new(),
            PathNode::Not(a)
            | PathNode::Next(a)
            | PathNode::Finally(a)
            | PathNode::Globally(a)
            | PathNode::Yesterday(a)
            | PathNode::WeakYesterday(a) => vec![*a],
            PathNode::And(operands) | PathNode::Or(operands) => operands.clone(),
            PathNode::Implies(a, b)
            | PathNode::Iff(a, b)
            | PathNode::Until(a, b)
            | PathNode::Release(a, b)
            | PathNode::WeakUntil(a, b)
            | PathNode::StrongRelease(a, b)
            | PathNode::Since(a, b)
            | PathNode::Trigger(a, b) => vec![*a, *b],
        }
    }

    /// The same node with other operands.
    pub(crate) fn with_operands(&self, of: impl Fn(usize) -> usize) -> PathNode {
        use PathNode::{
            Action, And, False, Finally, Globally, Iff, Implies, Next, Not, Or, Prop, Release, Since, StrongRelease,
            Trigger, True, Until, WeakUntil, WeakYesterday, Yesterday,
        };
        let all = |operands: &[usize]| operands.iter().map(|&a| of(a)).collect();
        match self {
            True | False | Prop(_) | Action(_) => self.clone(),
            Not(a) => Not(of(*a)),
            Next(a) => Next(of(*a)),
            Finally(a) => Finally(of(*a)),
            Globally(a) => Globally(of(*a)),
            And(operands) => And(all(operands)),
            Or(operands) => Or(all(operands)),
            Implies(a, b) => Implies(of(*a), of(*b)),
            Iff(a, b) => Iff(of(*a), of(*b)),
            Until(a, b) => Until(of(*a), of(*b)),
            Release(a, b) => Release(of(*a), of(*b)),
            WeakUntil(a, b) => WeakUntil(of(*a), of(*b)),
            StrongRelease(a, b) => StrongRelease(of(*a), of(*b)),
            Yesterday(a) => Yesterday(of(*a)),
            WeakYesterday(a) => WeakYesterday(of(*a)),
            Since(a, b) => Since(of(*a), of(*b)),
            Trigger(a, b) => Trigger(of(*a), of(*b)),
        }
    }
}

/// A path formula over propositions, and the state formulas that the propositions stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Decomposition {
    /// The state formula behind each proposition, by number; ordered by first occurrence.
    pub propositions: Vec<FormulaId>,
    /// The action atoms, by number; ordered by first occurrence.
    pub actions: Vec<FormulaId>,
    /// The nodes, operands first; the last is the formula.
    pub nodes: Vec<PathNode>,
}

impl Pool {
    /// Take a path formula apart. A state formula becomes a single proposition, a constant or a negation.
    pub(crate) fn decompose(&self, path: FormulaId) -> Decomposition {
        self.decompose_by(path, |id| self.is_state(id) && !matches!(self[id], Formula::Not(_)))
    }

    /// Take a formula apart, down to its atoms.
    pub(crate) fn decompose_to_atoms(&self, formula: FormulaId) -> Decomposition {
        self.decompose_by(formula, |_| false)
    }

    /// Take a formula apart, where atoms, modalities and whatever is `opaque` become propositions.
    fn decompose_by(&self, path: FormulaId, opaque: impl Fn(FormulaId) -> bool) -> Decomposition {
        let mut propositions: IndexSet<FormulaId, FxBuildHasher> = IndexSet::default();
        let mut actions: Vec<FormulaId> = Vec::new();
        let mut nodes: Vec<PathNode> = Vec::new();
        let mut index: FxHashMap<FormulaId, usize> = FxHashMap::default();
        for id in self.reach(&[path], |id| !opaque(id)) {
            let at = |a: &FormulaId| index[a];
            let all = |operands: &[FormulaId]| operands.iter().map(at).collect();
            let node = match &self[id] {
                Formula::True => PathNode::True,
                Formula::False => PathNode::False,
                Formula::Not(a) => PathNode::Not(at(a)),
                Formula::Action(_) => {
                    actions.push(id);
                    PathNode::Action(actions.len() as u32 - 1)
                }
                _ if opaque(id) => PathNode::Prop(propositions.insert_full(id).0 as u32),
                Formula::And(operands) => PathNode::And(all(operands)),
                Formula::Or(operands) => PathNode::Or(all(operands)),
                Formula::Implies(a, b) => PathNode::Implies(at(a), at(b)),
                Formula::Iff(a, b) => PathNode::Iff(at(a), at(b)),
                Formula::Next(a) => PathNode::Next(at(a)),
                Formula::Finally(a) => PathNode::Finally(at(a)),
                Formula::Globally(a) => PathNode::Globally(at(a)),
                Formula::Until(a, b) => PathNode::Until(at(a), at(b)),
                Formula::Release(a, b) => PathNode::Release(at(a), at(b)),
                Formula::WeakUntil(a, b) => PathNode::WeakUntil(at(a), at(b)),
                Formula::StrongRelease(a, b) => PathNode::StrongRelease(at(a), at(b)),
                Formula::Yesterday(a) => PathNode::Yesterday(at(a)),
                Formula::WeakYesterday(a) => PathNode::WeakYesterday(at(a)),
                Formula::Since(a, b) => PathNode::Since(at(a), at(b)),
                Formula::Trigger(a, b) => PathNode::Trigger(at(a), at(b)),
                Formula::Deadlock
                | Formula::Still(_)
                | Formula::Enabled(_)
                | Formula::Label(_)
                | Formula::Set(_)
                | Formula::Compare(..)
                | Formula::Diamond(..)
                | Formula::Box(..)
                | Formula::Exists(_)
                | Formula::Forall(_) => PathNode::Prop(propositions.insert_full(id).0 as u32),
            };
            index.insert(id, nodes.len());
            nodes.push(node);
        }
        Decomposition { propositions: propositions.into_iter().collect(), actions, nodes }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::{Symbols, parse};

    #[test]
    fn maximal_state_formulas_are_propositions() {
        let symbols = Symbols::new(&crate::net::NetBuilder::new("empty").build().unwrap());
        let mut pool = Pool::new();
        let path = parse("G F (deadlock & EX true) & X deadlock", &symbols, &mut pool).unwrap();
        let found = pool.decompose(path);
        assert_eq!(found.propositions.len(), 2);
        assert_eq!(found.nodes.last(), Some(&PathNode::And(vec![3, 4])));
    }
}

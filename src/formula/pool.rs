//! A pool, which stores the formulas of CTL* once each.
//!
//! **Problem.** Formulas come from files, so they may be deep (a derived `Drop`, `Clone` or `PartialEq` of a
//! boxed tree recurses and overflows the stack), and the formulas of one file share most of their parts, whose
//! sat-sets are expensive and should be computed once.
//!
//! **Idea.** Hash-consing: a [`Pool`] keeps every distinct node once and hands out its index. Equal formulas
//! have equal indices, so comparing and hashing a formula of any size is comparing a number, and a table
//! indexed by [`FormulaId`] is a cache shared by all formulas of the pool.
//!
//! **Invariant.** The operands of a node have smaller indices than the node: a pool is a list in which every
//! formula comes after its subformulas. Passes over formulas are therefore loops in index order
//! ([`Pool::subformulas`]), never recursions. Dropping or cloning a pool is dropping or cloning vectors.
//!
//! **Whose is it?** An index means nothing in another pool, so each pool has a number, and every index carries that of the
//! pool that handed it out. A clone of a pool knows the formulas that it was cloned with as its own; what is added
//! afterwards belongs to one of the two. A formula of another pool is in no formula of this one ([`Pool::add`]), the passes
//! over formulas leave it as it is, and whoever decides formulas answers it with an error ([`Foreign`]).
//!
//! Hash-consing: Filliâtre and Conchon, "Type-safe modular hash-consing", ML Workshop 2006.

use super::ast::{Comparison, Expr, Formula};
pub use super::id::{ExprId, FormulaId};
use super::id::{NOWHERE, Origins};
use crate::net::PlaceId;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::ops::Index;
use std::sync::atomic::{AtomicU32, Ordering};

/// A formula that does not belong where it is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Foreign {
    /// It is of another pool.
    #[error("the formula is of another pool")]
    Pool,
    /// It is about another model.
    #[error("the formula is about another model: it names a variable or an action that this one does not have")]
    Model,
}

/// The next number of a pool.
static NEXT: AtomicU32 = AtomicU32::new(1);

/// Data of a pool about each formula beside its node.
#[derive(Clone, Copy, Debug)]
struct Facts {
    depth: u32,
    size: u32,
    state: bool,
    past: u32,
}

/// A set of formulas and expressions in which each distinct one is stored once.
///
/// ```
/// use starset::formula::{Formula, Pool};
/// let mut pool = Pool::new();
/// let dead = pool.add(Formula::Deadlock);
/// let eventually = pool.add(Formula::Finally(dead));
/// let possible = pool.add(Formula::Exists(eventually));
/// assert!(!pool.is_state(eventually) && pool.is_state(possible));
/// assert_eq!(possible, pool.add(Formula::Exists(eventually)));
/// assert_eq!(pool.subformulas(&[possible]), [dead, eventually, possible]);
/// ```
#[derive(Debug)]
pub struct Pool {
    formulas: IndexSet<Formula, FxBuildHasher>,
    facts: Vec<Facts>,
    exprs: IndexSet<Expr, FxBuildHasher>,
    expr_depth: Vec<u32>,
    origins: Origins,
    expr_origins: Origins,
}

impl Default for Pool {
    fn default() -> Self {
        Pool::new()
    }
}

impl Clone for Pool {
    /// A pool with the same formulas, which are known by the same identifiers; those added to one of the two later on are
    /// foreign to the other.
    fn clone(&self) -> Self {
        let mut clone = Pool {
            formulas: self.formulas.clone(),
            facts: self.facts.clone(),
            exprs: self.exprs.clone(),
            expr_depth: self.expr_depth.clone(),
            origins: self.origins.clone(),
            expr_origins: self.expr_origins.clone(),
        };
        clone.begin();
        clone
    }
}

impl Index<FormulaId> for Pool {
    type Output = Formula;

    /// The node of a formula of this pool; [`Pool::get`] tells whether it is.
    ///
    /// # Panics
    /// For a formula of another pool, as a slice does for an index out of range.
    fn index(&self, id: FormulaId) -> &Formula {
        match self.get(id) {
            Some(formula) => formula,
            None => panic!("a formula of another pool"),
        }
    }
}

impl Index<ExprId> for Pool {
    type Output = Expr;

    /// The node of an expression of this pool.
    ///
    /// # Panics
    /// For an expression of another pool, as a slice does for an index out of range.
    fn index(&self, id: ExprId) -> &Expr {
        match self.exprs.get_index(id.index()) {
            Some(expr) if self.has_expr(id) => expr,
            _ => panic!("an expression of another pool"),
        }
    }
}

impl Pool {
    /// A pool without formulas.
    pub fn new() -> Self {
        let mut pool = Pool {
            formulas: IndexSet::default(),
            facts: Vec::new(),
            exprs: IndexSet::default(),
            expr_depth: Vec::new(),
            origins: Origins::default(),
            expr_origins: Origins::default(),
        };
        pool.begin();
        pool
    }

    /// Hand out identifiers under a number of its own from now on.
    fn begin(&mut self) {
        // After 2^32 pools numbers are used again; all of them are of different ages by then.
        let number = NEXT.fetch_add(1, Ordering::Relaxed).max(1);
        self.origins.begin(self.formulas.len(), number);
        self.expr_origins.begin(self.exprs.len(), number);
    }

    /// Is the formula of this pool?
    #[inline]
    pub fn has(&self, formula: FormulaId) -> bool {
        formula.index() < self.formulas.len() && self.origins.id(formula.index()) == formula.0
    }

    #[inline]
    fn has_expr(&self, expr: ExprId) -> bool {
        expr.index() < self.exprs.len() && self.expr_origins.id(expr.index()) == expr.0
    }

    /// The node of a formula, if it is of this pool.
    #[inline]
    pub fn get(&self, formula: FormulaId) -> Option<&Formula> {
        if self.has(formula) { self.formulas.get_index(formula.index()) } else { None }
    }

    /// Is the formula of this pool, and about a model with so many variables and actions?
    ///
    /// # Errors
    /// [`Foreign`] if not.
    pub fn check(&self, formula: FormulaId, variables: usize, actions: usize) -> Result<(), Foreign> {
        use Formula::{Action, Diamond, Enabled};
        if !self.has(formula) {
            return Err(Foreign::Pool);
        }
        let mut exprs = Vec::new();
        for id in self.subformulas(&[formula]) {
            match &self[id] {
                // Sorted, so the last is the greatest.
                Enabled(named) | Action(named) | Diamond(Some(named), _) | Formula::Box(Some(named), _)
                    if named.last().is_some_and(|last| last.index() >= actions) =>
                {
                    return Err(Foreign::Model);
                }
                Formula::Compare(a, _, b) => exprs.extend([*a, *b]),
                // What it does not have may have any value.
                Formula::Set(set) if set.order().iter().any(|variable| variable.index() >= variables) => {
                    return Err(Foreign::Model);
                }
                _ => {}
            }
        }
        for id in self.subexpressions(exprs) {
            if let Expr::Tokens(named) | Expr::Bounds(named) = &self[id]
                && named.last().is_some_and(|last| last.index() >= variables)
            {
                return Err(Foreign::Model);
            }
        }
        Ok(())
    }

    /// Number of distinct formulas: every [`FormulaId`] of this pool has a smaller index.
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Is there no formula in the pool?
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }

    /// All formulas of the pool, each after its operands.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = FormulaId> + use<> {
        let origins = self.origins.clone();
        (0..self.formulas.len()).map(move |index| FormulaId(origins.id(index)))
    }

    /// The formula with this node. If an operand is of another pool, what comes back is of no pool at all.
    pub fn add(&mut self, mut formula: Formula) -> FormulaId {
        if let Formula::Enabled(transitions)
        | Formula::Action(transitions)
        | Formula::Diamond(Some(transitions), _)
        | Formula::Box(Some(transitions), _) = &mut formula
        {
            transitions.sort_unstable();
            transitions.dedup();
        }
        let own = match &formula {
            Formula::Compare(a, _, b) => self.has_expr(*a) && self.has_expr(*b),
            node => node.children().iter().all(|&operand| self.has(operand)),
        };
        if !own {
            return FormulaId(NOWHERE);
        }
        let (index, new) = self.formulas.insert_full(formula);
        assert!(index < u32::MAX as usize, "more than 2^32-1 formulas");
        if new {
            let facts = self.compute_facts(&self.formulas[index]);
            self.facts.push(facts);
        }
        FormulaId(self.origins.id(index))
    }

    /// The formula with this node, if the pool has it.
    pub(crate) fn find(&self, formula: &Formula) -> Option<FormulaId> {
        self.formulas.get_index_of(formula).map(|index| FormulaId(self.origins.id(index)))
    }

    /// The expression with this node. If an operand is of another pool, what comes back is of no pool at all.
    pub fn add_expr(&mut self, mut expr: Expr) -> ExprId {
        if let Expr::Tokens(places) | Expr::Bounds(places) = &mut expr {
            places.sort_unstable();
        }
        if !expr.children().iter().all(|&operand| self.has_expr(operand)) {
            return ExprId(NOWHERE);
        }
        let (index, new) = self.exprs.insert_full(expr);
        assert!(index < u32::MAX as usize, "more than 2^32-1 expressions");
        if new {
            let operands = self.exprs[index].children();
            self.expr_depth.push(1 + operands.iter().map(|&e| self.expr_depth(e)).max().unwrap_or(0));
        }
        ExprId(self.expr_origins.id(index))
    }

    /// The conjunction of any number of formulas: of none `true`, of one itself.
    pub fn and(&mut self, operands: Vec<FormulaId>) -> FormulaId {
        self.joined(operands, Formula::And, Formula::True)
    }

    /// The disjunction of any number of formulas: of none `false`, of one itself.
    pub fn or(&mut self, operands: Vec<FormulaId>) -> FormulaId {
        self.joined(operands, Formula::Or, Formula::False)
    }

    fn joined(&mut self, operands: Vec<FormulaId>, join: fn(Vec<FormulaId>) -> Formula, none: Formula) -> FormulaId {
        match operands[..] {
            [] => self.add(none),
            [only] => only,
            _ => self.add(join(operands)),
        }
    }

    /// `¬φ`, without simplification.
    pub fn not(&mut self, operand: FormulaId) -> FormulaId {
        self.add(Formula::Not(operand))
    }

    /// `EF φ`
    pub(crate) fn sometimes(&mut self, formula: FormulaId) -> FormulaId {
        let path = self.add(Formula::Finally(formula));
        self.add(Formula::Exists(path))
    }

    /// `AG φ`
    pub(crate) fn always(&mut self, formula: FormulaId) -> FormulaId {
        let path = self.add(Formula::Globally(formula));
        self.add(Formula::Forall(path))
    }

    /// How the sum of the tokens in these places, as often as listed, compares with a number.
    pub(crate) fn compare(&mut self, places: Vec<PlaceId>, comparison: Comparison, number: i128) -> FormulaId {
        let (sum, number) = (self.add_expr(Expr::Tokens(places)), self.add_expr(Expr::Const(number)));
        self.add(Formula::Compare(sum, comparison, number))
    }

    /// The state formula that a formula given for checking stands for: itself if it is one, else `A φ`.
    pub fn close(&mut self, formula: FormulaId) -> FormulaId {
        if self.is_state(formula) { formula } else { self.add(Formula::Forall(formula)) }
    }

    /// Is every temporal operator inside a path quantifier, so that the formula speaks of one marking?
    pub fn is_state(&self, id: FormulaId) -> bool {
        self.has(id) && self.facts[id.index()].state
    }

    /// Does the formula speak of steps and their transitions anywhere?
    pub(crate) fn has_actions(&self, id: FormulaId) -> bool {
        self.subformulas(&[id]).iter().any(|&part| self[part].is_about_steps())
    }

    /// Is a set of states named anywhere in the formula?
    pub(crate) fn has_sets(&self, id: FormulaId) -> bool {
        self.subformulas(&[id]).iter().any(|&part| matches!(self[part], Formula::Set(_)))
    }

    /// How many places and transitions the atoms of a formula list, each as often as it is listed.
    pub fn names(&self, id: FormulaId) -> usize {
        let of_expr = |expr: ExprId| match &self[expr] {
            Expr::Tokens(places) | Expr::Bounds(places) => places.len(),
            _ => 0,
        };
        let of = |part: FormulaId| match &self[part] {
            Formula::Enabled(transitions) | Formula::Action(transitions) => transitions.len(),
            Formula::Diamond(Some(transitions), _) | Formula::Box(Some(transitions), _) => transitions.len(),
            Formula::Compare(a, _, b) => self.subexpressions(vec![*a, *b]).into_iter().map(of_expr).sum(),
            _ => 0,
        };
        self.subformulas(&[id]).into_iter().map(of).sum()
    }

    /// Nesting depth: 1 for an atom without expressions, else one more than the deepest operand.
    pub fn depth(&self, id: FormulaId) -> u32 {
        if self.has(id) { self.facts[id.index()].depth } else { 0 }
    }

    /// The number of nodes of a formula written as a tree, without its expressions; at most 2^32 − 1.
    pub(crate) fn size(&self, id: FormulaId) -> u32 {
        if self.has(id) { self.facts[id.index()].size } else { 0 }
    }

    /// How many operators of the past are nested in one another; 0 where there is none.
    pub(crate) fn past(&self, id: FormulaId) -> u32 {
        if self.has(id) { self.facts[id.index()].past } else { 0 }
    }

    /// Nesting depth of an expression: 1 for a constant or a token count.
    pub(crate) fn expr_depth(&self, id: ExprId) -> u32 {
        self.expr_depth[id.index()]
    }

    /// All subformulas of these formulas, themselves included, each once and after its operands; none of formulas of
    /// another pool.
    pub fn subformulas(&self, roots: &[FormulaId]) -> Vec<FormulaId> {
        self.reach(roots, |_| true)
    }

    /// These expressions and all their operands, each once and after its operands.
    pub(crate) fn subexpressions(&self, mut stack: Vec<ExprId>) -> Vec<ExprId> {
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(e) = stack.pop() {
            if seen.insert(e) {
                stack.extend(self[e].children());
            }
        }
        let mut found: Vec<ExprId> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// The formulas that can be reached from `roots` through operands, not looking inside a formula for which `enter`
    /// is false; ascending.
    pub(crate) fn reach(&self, roots: &[FormulaId], enter: impl Fn(FormulaId) -> bool) -> Vec<FormulaId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<FormulaId> = roots.iter().copied().filter(|&root| self.has(root)).collect();
        while let Some(id) = stack.pop() {
            if seen.insert(id) && enter(id) {
                stack.extend(self[id].children());
            }
        }
        let mut found: Vec<FormulaId> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    fn compute_facts(&self, formula: &Formula) -> Facts {
        let operands = formula.children();
        let mut depth = operands.iter().map(|&a| self.depth(a)).max().unwrap_or(0);
        if let Formula::Compare(a, _, b) = formula {
            depth = self.expr_depth(*a).max(self.expr_depth(*b));
        }
        let state = match formula {
            Formula::Exists(_) | Formula::Forall(_) => true,
            Formula::Action(_) => false,
            f if f.is_temporal() || f.is_past() => false,
            _ => operands.iter().all(|&a| self.is_state(a)),
        };
        let size = operands.iter().fold(1u32, |size, &a| size.saturating_add(self.size(a)));
        let past = operands.iter().map(|&a| self.past(a)).max().unwrap_or(0);
        Facts { depth: depth.saturating_add(1), size, state, past: past + u32::from(formula.is_past()) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::TransitionId;

    #[test]
    fn equal_formulas_are_stored_once() {
        let mut pool = Pool::new();
        let a = pool.add(Formula::Enabled(vec![TransitionId(3), TransitionId(1), TransitionId(3)]));
        let b = pool.add(Formula::Enabled(vec![TransitionId(1), TransitionId(3)]));
        assert_eq!(a, b);
        let p = pool.add_expr(Expr::Tokens(vec![PlaceId(1), PlaceId(0), PlaceId(1)]));
        assert_eq!(pool[p], Expr::Tokens(vec![PlaceId(0), PlaceId(1), PlaceId(1)]));
        assert_eq!((pool.len(), pool.exprs.len()), (1, 1));
    }

    #[test]
    fn state_formulas_have_quantified_temporal_operators() {
        let mut pool = Pool::new();
        let p = pool.add(Formula::Deadlock);
        let next = pool.add(Formula::Next(p));
        let quantified = pool.add(Formula::Forall(next));
        let mixed = pool.add(Formula::And(vec![quantified, next]));
        let state = pool.add(Formula::And(vec![quantified, p]));
        assert_eq!([p, next, quantified, mixed, state].map(|f| pool.is_state(f)), [true, false, true, false, true]);
        assert_eq!(pool.close(state), state);
        let closed = pool.close(mixed);
        assert_eq!(pool[closed], Formula::Forall(mixed));
    }

    #[test]
    fn empty_and_single_operand_lists_collapse() {
        let mut pool = Pool::new();
        let p = pool.add(Formula::Deadlock);
        assert_eq!(pool.and(vec![p]), p);
        assert_eq!(pool.or(vec![p]), p);
        let (t, f) = (pool.and(vec![]), pool.or(vec![]));
        assert_eq!((&pool[t], &pool[f]), (&Formula::True, &Formula::False));
    }

    /// A formula of another pool has no effect, or is refused.
    #[test]
    fn pools_do_not_mix() {
        use crate::formula::{Logic, PathSemantics, Symbols};
        let (mut one, mut other) = (Pool::new(), Pool::new());
        let a = one.add(Formula::Deadlock);
        let b = other.add(Formula::True);
        assert_eq!(a.index(), b.index());
        assert_ne!(a, b);
        assert!(one.has(a) && !one.has(b) && one.get(b).is_none());
        assert_eq!((one.check(a, 0, 0), one.check(b, 0, 0)), (Ok(()), Err(Foreign::Pool)));
        // Whatever contains it is no formula of either.
        let mixed = [one.add(Formula::Not(b)), one.and(vec![a, b]), one.or(vec![b, a]), one.close(b)];
        assert!(mixed.iter().all(|&mixed| !one.has(mixed) && !other.has(mixed)));
        assert_eq!(one.len(), 1);
        let (x, y) = (one.add_expr(Expr::Const(1)), other.add_expr(Expr::Const(2)));
        assert!(!one.has(one.clone().add(Formula::Compare(x, Comparison::Eq, y))));
        assert!(!one.has_expr(one.clone().add_expr(Expr::Neg(y))));
        for foreign in [b, mixed[0]] {
            assert_eq!((one.depth(foreign), one.logic(foreign)), (0, Logic::Boolean));
            assert!(one.subformulas(&[foreign]).is_empty() && !one.is_state(foreign) && !one.has_actions(foreign));
            assert_eq!(one.nnf(foreign), foreign);
            assert_eq!(one.simplify(foreign, PathSemantics::Maximal), foreign);
            assert_eq!(one.push_quantifiers(foreign, PathSemantics::Stutter), foreign);
            assert_eq!(one.to_stutter(foreign, PathSemantics::Maximal), foreign);
            let text = one.display(foreign, &Symbols::of_labels([])).to_string();
            assert_eq!(text, "(a formula of another pool)");
        }
    }

    /// A clone knows what it was cloned with; what either gets afterwards is its own.
    #[test]
    fn clones_share_the_past() {
        let mut one = Pool::new();
        let a = one.add(Formula::Deadlock);
        let mut clone = one.clone();
        let mut third = clone.clone();
        assert!(clone.has(a) && third.has(a));
        assert_eq!([one.not(a), clone.not(a), third.not(a)].map(FormulaId::index), [1; 3]);
        let (b, c) = (one.not(a), clone.not(a));
        assert_ne!(b, c);
        assert!(one.has(b) && !one.has(c) && !clone.has(b) && clone.has(c) && !third.has(b) && !third.has(c));
        assert_eq!(clone.clone().ids().collect::<Vec<_>>(), [a, c]);
        assert!(clone.clone().clone().has(c));
        // Clones without anything new do not make identifiers harder to look up.
        for _ in 0..100 {
            clone = clone.clone();
        }
        assert!(clone.origins.0.len() <= 3);
    }

    #[test]
    fn formulas_about_another_model() {
        let mut pool = Pool::new();
        let enabled = pool.add(Formula::Enabled(vec![TransitionId(2), TransitionId(0)]));
        let next = pool.add(Formula::Next(enabled));
        assert_eq!((pool.check(next, 0, 3), pool.check(next, 9, 2)), (Ok(()), Err(Foreign::Model)));
        let (tokens, one) = (pool.add_expr(Expr::Tokens(vec![PlaceId(4)])), pool.add_expr(Expr::Const(1)));
        let sum = pool.add_expr(Expr::Add(vec![tokens, one]));
        let compare = pool.add(Formula::Compare(one, Comparison::Lt, sum));
        assert_eq!((pool.check(compare, 5, 0), pool.check(compare, 4, 0)), (Ok(()), Err(Foreign::Model)));
    }

    #[test]
    fn many_levels_do_not_touch_the_stack() {
        let mut pool = Pool::new();
        let mut f = pool.add(Formula::Deadlock);
        for _ in 0..200_000 {
            f = pool.add(Formula::Not(f));
        }
        assert_eq!(pool.depth(f), 200_001);
        assert_eq!(pool.clone().subformulas(&[f]).len(), 200_001);
    }

    #[test]
    fn sizes_are_those_of_trees() {
        let mut pool = Pool::new();
        let p = pool.add(Formula::Deadlock);
        let not = pool.not(p);
        let both = pool.and(vec![p, not, not]);
        assert_eq!([p, not, both].map(|id| pool.size(id)), [1, 2, 6]);
        let doubled = (0..40).fold(both, |id, _| pool.and(vec![id, id]));
        assert_eq!((pool.size(doubled), pool.len()), (u32::MAX, 43));
    }
}

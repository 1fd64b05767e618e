//! Formulas that are about single runs.
//!
//! A formula that says the same as `A φ`, for a path formula φ without quantifiers, is refuted by one run. So are
//!
//! | formula | path formula |
//! |---|---|
//! | `A φ` | φ |
//! | `AG a`, `AX a`, `A (p R a)`, `A (a W p)` | with the path formula of a in its place |
//! | `a ∧ b`, `p ∨ a`, `p → a` | likewise; not in front of all quantifiers where no path may begin |
//!
//! with conditions p on single states: which states of a run have a to be true of them is a matter of the run alone. (This is
//! a part of the formulas of Maidl, *The common fragment of CTL and LTL*, FOCS 2000.) What fair paths are is a part of the
//! path formula of LTL; CTL about fair paths has quantifiers inside, and is left to others.
//!
//! Where a state has one run and no other, quantifiers say nothing: any formula is about that.

use crate::decide::conditions::Condition;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::kinds::Kind;
use rustc_hash::FxHashMap;

/// A question about single runs.
pub(super) struct Linear {
    /// Runs on which it fails are looked for.
    pub(super) path: FormulaId,
    /// The verdict if there is none.
    pub(super) holds: bool,
    /// Does such a run decide it?
    pub(super) by_run: bool,
    /// Is it so only if each state has one run?
    pub(super) deterministic: bool,
    /// Is it the path formula that is asked?
    pub(super) as_asked: bool,
    /// Is it so only if each state has a successor?
    pub(super) needs_successors: bool,
}

/// Levels of a formula.
const MOST: u32 = 1_000;

impl Linear {
    /// A closed formula as one about single runs, whose path formula is added to the pool.
    pub(super) fn new(model: &dyn Kind, pool: &mut Pool, formula: FormulaId, paths: PathSemantics) -> Option<Self> {
        if pool.depth(formula) > MOST {
            return None;
        }
        let (mut asked, mut holds) = (formula, true);
        while let Formula::Not(operand) = pool[asked] {
            (asked, holds) = (operand, !holds);
        }
        // What stands in front of quantifiers is asked where no path begins, too.
        let needs_successors =
            paths != PathSemantics::Infinite || !matches!(pool[asked], Formula::Forall(_) | Formula::Exists(_));
        let make = |pool: &Pool, path: FormulaId, holds: bool, deterministic: bool| {
            let by_run = holds || model.has_one_initial_state();
            let as_asked = match pool[asked] {
                Formula::Forall(inner) => inner == path,
                Formula::Exists(inner) => matches!(pool[path], Formula::Not(operand) if operand == inner),
                _ => false,
            };
            Linear { path, holds, by_run, deterministic, as_asked, needs_successors }
        };
        for positive in [true, false] {
            if let Some(path) = Reader::new(model, pool, asked).universal(asked, positive) {
                return Some(make(pool, path, holds == positive, false));
            }
        }
        let path = Reader::new(model, pool, asked).without_quantifiers(formula)?;
        Some(make(pool, path, true, true))
    }
}

struct Reader<'a> {
    model: &'a dyn Kind,
    pool: &'a mut Pool,
    /// The whole.
    asked: FormulaId,
    /// By formula: the same without quantifiers.
    bare: FxHashMap<FormulaId, FormulaId>,
}

impl<'a> Reader<'a> {
    fn new(model: &'a dyn Kind, pool: &'a mut Pool, asked: FormulaId) -> Self {
        Reader { model, pool, asked, bare: FxHashMap::default() }
    }

    fn is_plain(&self, formula: FormulaId) -> bool {
        Condition::new(self.model, self.pool, formula).is_some()
    }

    /// Is it a path formula over conditions, without steps?
    fn is_linear(&self, formula: FormulaId) -> bool {
        self.pool.reach(&[formula], |id| !self.is_plain(id)).into_iter().all(|id| {
            self.is_plain(id) || !(self.pool.is_state(id) && self.has_quantifier(id) || self.pool[id].is_about_steps())
        })
    }

    fn has_quantifier(&self, formula: FormulaId) -> bool {
        matches!(self.pool[formula], Formula::Exists(_) | Formula::Forall(_) | Formula::Set(_))
    }

    fn signed(&mut self, formula: FormulaId, positive: bool) -> FormulaId {
        if positive { formula } else { self.pool.add(Formula::Not(formula)) }
    }

    /// The path formula that is true of all paths from where a formula, or its negation, is true.
    fn universal(&mut self, formula: FormulaId, positive: bool) -> Option<FormulaId> {
        if self.is_plain(formula) {
            return Some(self.signed(formula, positive));
        }
        match (self.pool[formula].clone(), positive) {
            (Formula::Not(operand), _) => self.universal(operand, !positive),
            (Formula::And(operands), true) | (Formula::Or(operands), false) => {
                let operands =
                    operands.iter().map(|&operand| self.universal(operand, positive)).collect::<Option<_>>()?;
                Some(self.pool.add(Formula::And(operands)))
            }
            (Formula::Implies(a, b), true) => self.one_of(&[(a, false), (b, true)]),
            (Formula::Implies(a, b), false) => {
                let both = vec![self.universal(a, true)?, self.universal(b, false)?];
                Some(self.pool.add(Formula::And(both)))
            }
            (Formula::Or(operands), true) | (Formula::And(operands), false) => {
                let operands: Vec<_> = operands.iter().map(|&operand| (operand, positive)).collect();
                self.one_of(&operands)
            }
            (Formula::Forall(path), true) | (Formula::Exists(path), false) => self.path(path, positive),
            _ => None,
        }
    }

    /// A disjunction of conditions and one more formula.
    fn one_of(&mut self, operands: &[(FormulaId, bool)]) -> Option<FormulaId> {
        let others = operands.iter().filter(|(operand, _)| !self.is_plain(*operand)).count();
        let operands =
            operands.iter().map(|&(operand, positive)| self.universal(operand, positive)).collect::<Option<_>>()?;
        (others <= 1).then(|| self.pool.add(Formula::Or(operands)))
    }

    /// The path formula of `A φ`, or of `A ¬φ`.
    fn path(&mut self, path: FormulaId, positive: bool) -> Option<FormulaId> {
        // A quantifier inside of another begins a path without a past.
        let has_its_past =
            || matches!(self.pool[self.asked], Formula::Forall(all) | Formula::Exists(all) if all == path);
        if self.is_linear(path) && (self.pool.past(path) == 0 || has_its_past()) {
            return Some(self.signed(path, positive));
        }
        match (self.pool[path].clone(), positive) {
            (Formula::Not(operand), _) => self.path(operand, !positive),
            (Formula::Globally(a), true) | (Formula::Finally(a), false) => {
                let a = self.universal(a, positive)?;
                Some(self.pool.add(Formula::Globally(a)))
            }
            (Formula::Next(a), _) => {
                let a = self.universal(a, positive)?;
                Some(self.pool.add(Formula::Next(a)))
            }
            (Formula::Release(p, a), true) | (Formula::WeakUntil(a, p), true) if self.is_plain(p) => {
                let a = self.universal(a, true)?;
                Some(match self.pool[path] {
                    Formula::Release(..) => self.pool.add(Formula::Release(p, a)),
                    _ => self.pool.add(Formula::WeakUntil(a, p)),
                })
            }
            // ¬(p U a) is ¬p R ¬a.
            (Formula::Until(p, a), false) if self.is_plain(p) => {
                let (p, a) = (self.signed(p, false), self.universal(a, false)?);
                Some(self.pool.add(Formula::Release(p, a)))
            }
            _ => None,
        }
    }

    /// A formula without its quantifiers.
    fn without_quantifiers(&mut self, formula: FormulaId) -> Option<FormulaId> {
        if self.is_plain(formula) {
            return Some(formula);
        }
        if let Some(&known) = self.bare.get(&formula) {
            return Some(known);
        }
        let node = self.pool[formula].clone();
        let bare = match node {
            Formula::Exists(path) | Formula::Forall(path) => self.without_quantifiers(path)?,
            _ if node.is_about_steps() || node.is_atom() || node.is_past() => return None,
            _ => {
                for child in node.children() {
                    let of = self.without_quantifiers(child)?;
                    self.bare.insert(child, of);
                }
                self.pool.add(node.map(|child| self.bare.get(&child).copied().unwrap_or(child)))
            }
        };
        self.bare.insert(formula, bare);
        Some(bare)
    }
}

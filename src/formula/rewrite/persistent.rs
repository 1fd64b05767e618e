//! Operands whose value cannot come or go on the way.
//!
//! **Idea.** If a successor satisfies `EF a`, so does the state itself: a formula that is built from such ones by `∧`
//! and `∨` holds at some position of a path only if it holds at the first. Dually one that is built from `AG a` holds
//! at all positions if it holds at the first. Write ε for the former and α for the latter, and `Q` for either
//! quantifier:
//!
//! | rule | and its dual |
//! |---|---|
//! | `Q F(a ∨ ε) = Q F a ∨ ε` | `Q G(a ∧ α) = Q G a ∧ α` |
//! | `Q(a U (b ∨ ε)) = Q(a U b) ∨ ε` | `Q(a R (b ∧ α)) = Q(a R b) ∧ α` |
//! | `Q(a W (b ∨ ε)) = Q(a W b) ∨ ε` | `Q(a M (b ∧ α)) = Q(a M b) ∧ α` |
//! | `Q(α U b) = b ∨ (α ∧ Q F b)` | `Q(ε R b) = b ∧ (ε ∨ Q G b)` |
//! | `Q(α W b) = α ∨ b` | `Q(ε M b) = ε ∧ b` |
//!
//! All operands are state formulas. Where only infinite paths count there may be none, and then nothing of this is
//! used.

use super::{All, Any, Rewriter, Side};
use crate::formula::{Formula, FormulaId, PathSemantics};

impl Rewriter<'_> {
    /// `E path` or `A path` with an operand taken out that holds at the first position or not at all; `None` if there
    /// is none.
    pub(super) fn persistent(&mut self, side: Side, path: FormulaId) -> Option<FormulaId> {
        let node = self.pool[path].clone();
        let plain = node.children().iter().all(|&a| self.pool.is_state(a));
        if !plain || self.paths == PathSemantics::Infinite {
            return None;
        }
        match node {
            Formula::Finally(a) => self.right(side, Any, a, |r, rest| r.eventually(Any, rest)),
            Formula::Globally(a) => self.right(side, All, a, |r, rest| r.eventually(All, rest)),
            Formula::Until(a, b) => {
                let right = self.right(side, Any, b, |r, rest| r.until(Any, a, rest));
                right.or_else(|| self.left(side, Any, a, b))
            }
            Formula::Release(a, b) => {
                let right = self.right(side, All, b, |r, rest| r.until(All, a, rest));
                right.or_else(|| self.left(side, All, a, b))
            }
            Formula::WeakUntil(a, _) if self.persists(All, a) => Some(self.junction(Any, node.children().to_vec())),
            Formula::WeakUntil(a, b) => self.right(side, Any, b, |r, rest| r.weak(All, a, rest)),
            Formula::StrongRelease(a, _) if self.persists(Any, a) => Some(self.junction(All, node.children().to_vec())),
            Formula::StrongRelease(a, b) => self.right(side, All, b, |r, rest| r.weak(Any, a, rest)),
            _ => None,
        }
    }

    /// The rules of the right operand: what persists of its junction of this kind is outside, the rest in a path
    /// formula.
    fn right(
        &mut self,
        side: Side,
        kind: Side,
        operand: FormulaId,
        path: impl FnOnce(&mut Self, FormulaId) -> FormulaId,
    ) -> Option<FormulaId> {
        let operands = self.operands(kind, operand);
        let (mut outside, rest): (Vec<_>, Vec<_>) = operands.into_iter().partition(|&a| self.persists(kind, a));
        if outside.is_empty() {
            return None;
        }
        let rest = self.junction(kind, rest);
        let path = path(self, rest);
        outside.push(self.quantified(side, path));
        Some(self.junction(kind, outside))
    }

    /// The rules of the left operand of `U` (kind Some) and `R`.
    fn left(&mut self, side: Side, kind: Side, a: FormulaId, b: FormulaId) -> Option<FormulaId> {
        if !self.persists(kind.other(), a) {
            return None;
        }
        let path = self.eventually(kind, b);
        let later = self.quantified(side, path);
        let later = self.junction(kind.other(), vec![a, later]);
        Some(self.junction(kind, vec![b, later]))
    }

    /// Is the formula built from `EF a` (side Some), or from `AG a`?
    fn persists(&self, side: Side, formula: FormulaId) -> bool {
        match &self.pool[formula] {
            Formula::And(operands) | Formula::Or(operands) => operands.iter().all(|&a| self.persists(side, a)),
            _ => self.quantified_operand(side, formula).is_some_and(|path| self.eventual_operand(side, path).is_some()),
        }
    }
}

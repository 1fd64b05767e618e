//! Formulas rebuilt with other nodes, operands first.

use super::ast::{Expr, Formula};
use super::pool::{ExprId, FormulaId, Pool};
use crate::net::TransitionId;
use rustc_hash::FxHashMap;

impl Formula {
    /// The node with another list of transitions (or labels), if it has one. `None` if `change` knows no list for it.
    pub(crate) fn with_transitions(
        self,
        change: impl Fn(&[TransitionId]) -> Option<Vec<TransitionId>>,
    ) -> Option<Formula> {
        Some(match self {
            Formula::Enabled(list) => Formula::Enabled(change(&list)?),
            Formula::Action(list) => Formula::Action(change(&list)?),
            Formula::Diamond(Some(list), a) => Formula::Diamond(Some(change(&list)?), a),
            Formula::Box(Some(list), a) => Formula::Box(Some(change(&list)?), a),
            node => node,
        })
    }
}

impl Pool {
    /// The formula with `change` applied to each node, whose operands are changed already. `None` if it is of one.
    pub(crate) fn rebuild(
        &mut self,
        formula: FormulaId,
        mut change: impl FnMut(&mut Pool, Formula) -> Option<Formula>,
    ) -> Option<FormulaId> {
        let mut rebuilt: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
        for id in self.subformulas(&[formula]) {
            let node = self[id].map(|operand| rebuilt[&operand]);
            let node = change(self, node)?;
            rebuilt.insert(id, self.add(node));
        }
        rebuilt.get(&formula).copied()
    }

    /// The same of an expression.
    pub(crate) fn rebuild_expr(
        &mut self,
        expr: ExprId,
        mut change: impl FnMut(&mut Pool, Expr) -> Option<Expr>,
    ) -> Option<ExprId> {
        let mut rebuilt: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for id in self.subexpressions(vec![expr]) {
            let node = self[id].map(|operand| rebuilt[&operand]);
            let node = change(self, node)?;
            rebuilt.insert(id, self.add_expr(node));
        }
        rebuilt.get(&expr).copied()
    }

    /// A formula with other lists of transitions (or labels) in its atoms and modalities. `None` if `change` knows no list
    /// for one, or if there are token counts, state labels or sets in the formula.
    pub(crate) fn relabelled(
        &mut self,
        formula: FormulaId,
        change: impl Fn(&[TransitionId]) -> Option<Vec<TransitionId>>,
    ) -> Option<FormulaId> {
        self.rebuild(formula, |_, node| match node {
            Formula::Compare(..) | Formula::Label(_) | Formula::Set(_) => None,
            node => node.with_transitions(&change),
        })
    }
}

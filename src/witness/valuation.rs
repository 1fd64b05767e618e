//! The truth of conditions on one marking, by the firing rule and arithmetic alone.

use super::rule::{Rule, rule};
use crate::formula::{Expr, ExprId, Formula, FormulaId, Pool};
use crate::model::TransitionSystem;
use crate::net::{Marking, PlaceId};
use rustc_hash::FxHashMap;

/// What atoms are read against.
#[derive(Clone, Copy)]
pub(super) struct Valuation<'a> {
    pub(super) model: &'a dyn TransitionSystem,
    pub(super) pool: &'a Pool,
    /// The value of `bounds(…)`, which is not a matter of one marking.
    pub(super) bound: &'a dyn Fn(&[PlaceId]) -> Option<i128>,
}

impl Valuation<'_> {
    /// The truth of a state formula, given that of the quantified formulas in it; `None` if it does not follow.
    pub(super) fn state(
        &self,
        formula: FormulaId,
        marking: &Marking,
        quantified: &mut dyn FnMut(FormulaId) -> Option<bool>,
    ) -> Option<bool> {
        let mut truth: FxHashMap<FormulaId, Option<bool>> = FxHashMap::default();
        for id in self.pool.reach(&[formula], |id| !is_quantified(&self.pool[id])) {
            let value = match &self.pool[id] {
                node if is_quantified(node) => quantified(id),
                node if node.is_atom() => self.atom(node, marking),
                _ => [true, false].into_iter().find(|&holds| match rule(self.pool, id, holds) {
                    Rule::Choice(choices) => choices.iter().any(|parts| {
                        parts.iter().all(|part| truth.get(&part.formula).copied().flatten() == Some(part.holds))
                    }),
                    _ => false,
                }),
            };
            truth.insert(id, value);
        }
        truth.get(&formula).copied().flatten()
    }

    /// The truth of an atom; `None` if it has no value.
    fn atom(&self, atom: &Formula, marking: &Marking) -> Option<bool> {
        match atom {
            Formula::True => Some(true),
            Formula::False => Some(false),
            Formula::Deadlock => Some(self.model.is_deadlock(marking)),
            Formula::Still(how) => Some(self.model.stands_still(marking, *how)),
            Formula::Enabled(transitions) => Some(transitions.iter().any(|&t| self.model.enables(marking, t))),
            Formula::Label(label) => self.model.labelled(marking, *label),
            Formula::Compare(left, comparison, right) => {
                let values = self.values(vec![*left, *right], marking)?;
                Some(comparison.holds(values.get(left)?, values.get(right)?))
            }
            _ => None,
        }
    }

    /// The values of expressions and all their operands.
    fn values(&self, roots: Vec<ExprId>, marking: &Marking) -> Option<FxHashMap<ExprId, i128>> {
        let mut values: FxHashMap<ExprId, i128> = FxHashMap::default();
        for id in self.pool.subexpressions(roots) {
            let of = |e: &ExprId| values.get(e).copied();
            let value = match &self.pool[id] {
                Expr::Const(n) => Some(*n),
                Expr::Tokens(places) => {
                    places.iter().try_fold(0i128, |sum, &place| sum.checked_add(i128::from(marking.tokens(place))))
                }
                Expr::Bounds(places) => (self.bound)(places),
                Expr::Neg(a) => of(a)?.checked_neg(),
                Expr::Add(operands) => operands.iter().try_fold(0i128, |sum, e| sum.checked_add(of(e)?)),
                Expr::Mul(a, b) => of(a)?.checked_mul(of(b)?),
                Expr::Div(a, b) => of(a)?.checked_div(of(b)?),
            };
            values.insert(id, value?);
        }
        Some(values)
    }
}

/// Is a path quantifier outermost, or a modality, which is about all steps or some?
pub(super) fn is_quantified(formula: &Formula) -> bool {
    matches!(formula, Formula::Exists(_) | Formula::Forall(_) | Formula::Diamond(..) | Formula::Box(..))
}

/// Is there a path quantifier in a state formula?
pub(super) fn has_quantifier(pool: &Pool, formula: FormulaId) -> bool {
    pool.reach(&[formula], |id| !is_quantified(&pool[id])).iter().any(|&id| is_quantified(&pool[id]))
}

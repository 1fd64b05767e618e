//! The truth of conditions on one marking, by the firing rule and arithmetic alone.

use super::rule::{Rule, rule};
use crate::formula::{Expr, ExprId, Formula, FormulaId, Pool};
use crate::model::TransitionSystem;
use crate::net::{Marking, PlaceId};
use rustc_hash::FxHashMap;

/// A part of a formula: when it holds and when it does not, as choices of conjunctions of other parts with their
/// values.
type Node = (FormulaId, Vec<(bool, Vec<Vec<(usize, bool)>>)>);

/// A state formula, taken apart once to be evaluated in many markings: its parts, each after those that it is made of,
/// and when each holds and does not, by the numbers of its parts. What is below a quantifier is no part of it.
#[derive(Clone, Debug)]
pub(super) struct Condition(Vec<Node>);

impl Condition {
    /// Of a formula of this pool.
    pub(super) fn new(pool: &Pool, formula: FormulaId) -> Self {
        let parts = pool.reach(&[formula], |id| !is_quantified(&pool[id]));
        let rules = |&id: &FormulaId| {
            let leaf = is_quantified(&pool[id]) || pool[id].is_atom();
            let of = |holds| match rule(pool, id, holds) {
                Rule::Choice(choices) if !leaf => Some((holds, numbered(&parts, choices))),
                _ => None,
            };
            (id, [true, false].into_iter().filter_map(of).collect())
        };
        Condition(parts.iter().map(rules).collect())
    }
}

/// Choices with the numbers of parts, which are sorted, in the place of their formulas.
fn numbered(parts: &[FormulaId], choices: Vec<super::rule::Parts>) -> Vec<Vec<(usize, bool)>> {
    let number = |part: super::Part| (parts.binary_search(&part.formula).unwrap_or(usize::MAX), part.holds);
    choices.into_iter().map(|choice| choice.into_iter().map(number).collect()).collect()
}

/// The state against which atoms are read.
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
        self.condition(&Condition::new(self.pool, formula), marking, quantified)
    }

    /// The same of one that is asked of many markings.
    pub(super) fn condition(
        &self,
        condition: &Condition,
        marking: &Marking,
        quantified: &mut dyn FnMut(FormulaId) -> Option<bool>,
    ) -> Option<bool> {
        let mut truth: Vec<Option<bool>> = Vec::with_capacity(condition.0.len());
        for (id, rules) in &condition.0 {
            let holds = |part: &(usize, bool)| truth.get(part.0).copied().flatten() == Some(part.1);
            let value = match (&self.pool[*id], rules) {
                (node, _) if is_quantified(node) => quantified(*id),
                (node, _) if node.is_atom() => self.atom(node, marking),
                (_, rules) => rules
                    .iter()
                    .find(|(_, choices)| choices.iter().any(|parts| parts.iter().all(holds)))
                    .map(|&(value, _)| value),
            };
            truth.push(value);
        }
        truth.last().copied().flatten()
    }

    /// The truth of an atom; `None` if it has no value.
    fn atom(&self, atom: &Formula, marking: &Marking) -> Option<bool> {
        match atom {
            Formula::True => Some(true),
            Formula::False => Some(false),
            Formula::Deadlock => self.model.is_alive(marking).map(|alive| !alive),
            Formula::Still(how) => Some(self.model.stands_still(marking, *how)),
            Formula::Enabled(transitions) => self.model.enables_any(marking, transitions),
            Formula::Label(label) => self.model.labelled(marking, *label),
            Formula::Set(set) => Some(set.contains(|variable| marking.value(variable))),
            Formula::Compare(left, comparison, right) => {
                if let (Some(left), Some(right)) = (self.simple(*left, marking), self.simple(*right, marking)) {
                    return Some(comparison.holds(&left, &right));
                }
                let values = self.values(vec![*left, *right], marking)?;
                Some(comparison.holds(values.get(left)?, values.get(right)?))
            }
            _ => None,
        }
    }

    /// The value of a constant or of some variables, which most atoms compare.
    fn simple(&self, expression: ExprId, marking: &Marking) -> Option<i128> {
        match &self.pool[expression] {
            Expr::Const(n) => Some(*n),
            Expr::Tokens(places) => sum(places, marking),
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
                Expr::Tokens(places) => sum(places, marking),
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

/// The tokens of some places together.
fn sum(places: &[PlaceId], marking: &Marking) -> Option<i128> {
    places.iter().try_fold(0i128, |sum, &place| sum.checked_add(i128::from(marking.tokens(place))))
}

/// Is a path quantifier outermost, or a modality, which is about all steps or some?
pub(super) fn is_quantified(formula: &Formula) -> bool {
    matches!(formula, Formula::Exists(_) | Formula::Forall(_) | Formula::Diamond(..) | Formula::Box(..))
}

/// Is there a path quantifier in a state formula?
pub(super) fn has_quantifier(pool: &Pool, formula: FormulaId) -> bool {
    pool.reach(&[formula], |id| !is_quantified(&pool[id])).iter().any(|&id| is_quantified(&pool[id]))
}

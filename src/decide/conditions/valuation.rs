//! The truth of a condition in one marking.
//!
//! A plain recursion over the formula that stops as soon as the outcome is clear. The readers bound the depth
//! of formulas ([`MAX_DEPTH`]); deeper ones are refused, and those that would be too large as trees ([`MAX_SIZE`]).

use super::covering::Below;
use crate::explicit::View;
use crate::formula::{Expr, ExprId, Formula, FormulaId, MAX_DEPTH, MAX_SIZE, Pool};
use crate::kinds::Kind;
use crate::model::{ActionId, LabelId, State, VariableId};
use crate::net::{Arc, PetriNet};
use crate::structure::Coverability;
use rustc_hash::FxHashMap;

/// Something that has a value for each variable.
pub(in crate::decide) trait Values {
    /// The value of a variable.
    fn value(&self, variable: VariableId) -> u64;

    /// The whole state.
    fn whole(&self, model: &dyn Kind) -> State {
        State::new(model.variable_ids().map(|variable| self.value(variable)).collect())
    }

    /// Is an action of a net enabled?
    fn enables_in(&self, net: &PetriNet, action: ActionId) -> bool {
        let t = net.transition(action);
        let enough = |arc: &Arc| self.value(arc.place) >= arc.weight;
        t.pre.iter().all(enough) && !t.inhibitors.iter().any(enough)
    }

    /// Is an action enabled?
    fn enables(&self, model: &dyn Kind, action: ActionId) -> bool {
        match model.as_net() {
            Some(net) => self.enables_in(net, action),
            None => model.enables(&self.whole(model), action),
        }
    }

    /// Does a state label hold? `None` if the model cannot tell.
    fn labelled(&self, model: &dyn Kind, label: LabelId) -> Option<bool> {
        model.labelled(&State::new(model.variable_ids().map(|v| self.value(v)).collect()), label)
    }
}

impl Values for State {
    fn value(&self, variable: VariableId) -> u64 {
        State::value(self, variable)
    }
    fn enables(&self, model: &dyn Kind, action: ActionId) -> bool {
        model.enables(self, action)
    }
}

impl Values for View<'_> {
    fn value(&self, variable: VariableId) -> u64 {
        View::value(self, variable)
    }
}

/// The sum of the values of some variables, counted as often as listed.
pub(in crate::decide) fn sum(values: &impl Values, variables: &[VariableId]) -> u128 {
    variables.iter().map(|&variable| u128::from(values.value(variable))).sum()
}

/// A formula without path quantifiers, temporal operators and bounds that can be evaluated in a marking.
#[derive(Clone, Copy)]
pub(in crate::decide) struct Condition<'a> {
    model: &'a dyn Kind,
    pub(in crate::decide) pool: &'a Pool,
    pub(in crate::decide) formula: FormulaId,
}

impl<'a> Condition<'a> {
    /// `None` if the formula is not such a condition.
    pub(in crate::decide) fn new(model: &'a dyn Kind, pool: &'a Pool, formula: FormulaId) -> Option<Self> {
        let shallow = pool.depth(formula) <= MAX_DEPTH && pool.size(formula) <= MAX_SIZE;
        let plain = |id: FormulaId| {
            !pool[id].is_temporal()
                && !pool[id].is_past()
                && !pool[id].is_about_steps()
                && match pool[id] {
                    Formula::Exists(_) | Formula::Forall(_) => false,
                    Formula::Compare(a, _, b) => [a, b].into_iter().all(|e| plain_expr(pool, e)),
                    _ => true,
                }
        };
        (shallow && pool.subformulas(&[formula]).into_iter().all(plain)).then_some(Condition { model, pool, formula })
    }

    /// Does the condition hold? `None` where an expression overflows or divides by zero.
    pub(in crate::decide) fn holds(&self, state: &impl Values) -> Option<bool> {
        self.formula(self.formula, state)
    }

    pub(in crate::decide) fn formula(&self, id: FormulaId, state: &impl Values) -> Option<bool> {
        self.node(id, state, |operand| self.formula(operand, state))
    }

    /// The same of a part of the condition whose operands have these values.
    pub(in crate::decide) fn node(
        &self,
        id: FormulaId,
        state: &impl Values,
        mut value: impl FnMut(FormulaId) -> Option<bool>,
    ) -> Option<bool> {
        Some(match &self.pool[id] {
            Formula::True => true,
            Formula::False => false,
            Formula::Deadlock => !self.model.action_ids().any(|action| state.enables(self.model, action)),
            Formula::Still(how) => self.model.stands_still(&state.whole(self.model), *how),
            Formula::Enabled(transitions) => transitions.iter().any(|&t| state.enables(self.model, t)),
            Formula::Label(label) => state.labelled(self.model, *label)?,
            Formula::Set(set) => set.contains(|variable| state.value(variable)),
            Formula::Compare(a, comparison, b) => comparison.holds(&self.expr(*a, state)?, &self.expr(*b, state)?),
            Formula::Not(a) => !value(*a)?,
            Formula::And(operands) => {
                for &operand in operands {
                    if !value(operand)? {
                        return Some(false);
                    }
                }
                true
            }
            Formula::Or(operands) => {
                for &operand in operands {
                    if value(operand)? {
                        return Some(true);
                    }
                }
                false
            }
            Formula::Implies(a, b) => !value(*a)? || value(*b)?,
            Formula::Iff(a, b) => value(*a)? == value(*b)?,
            _ => return None,
        })
    }

    pub(in crate::decide) fn expr(&self, id: ExprId, state: &impl Values) -> Option<i128> {
        match &self.pool[id] {
            Expr::Const(value) => Some(*value),
            Expr::Tokens(places) => Some(places.iter().map(|&place| i128::from(state.value(place))).sum()),
            Expr::Neg(a) => self.expr(*a, state)?.checked_neg(),
            Expr::Add(operands) => {
                operands.iter().try_fold(0i128, |sum, &operand| sum.checked_add(self.expr(operand, state)?))
            }
            Expr::Mul(a, b) => self.expr(*a, state)?.checked_mul(self.expr(*b, state)?),
            Expr::Div(a, b) => self.expr(*a, state)?.checked_div(self.expr(*b, state)?),
            Expr::Bounds(_) => None,
        }
    }
}

/// Has a formula a value in every state, whatever the values of variables? Otherwise (it may divide by 0, or multiply
/// beyond 128 bits) its verdict must not come from some of the states alone.
pub(in crate::decide) fn is_total(pool: &Pool, formula: FormulaId) -> bool {
    let compared = pool.subformulas(&[formula]).into_iter().filter_map(|id| match pool[id] {
        Formula::Compare(a, _, b) => Some([a, b]),
        _ => None,
    });
    // By expression: no state gives it a greater absolute value.
    let mut greatest: FxHashMap<ExprId, u128> = FxHashMap::default();
    for expr in pool.subexpressions(compared.flatten().collect()) {
        let of = |operand: &ExprId| greatest.get(operand).copied();
        let value = match &pool[expr] {
            Expr::Const(value) => Some(value.unsigned_abs()),
            Expr::Tokens(places) | Expr::Bounds(places) => u128::from(u64::MAX).checked_mul(places.len() as u128),
            Expr::Neg(a) => of(a),
            Expr::Add(operands) => operands.iter().try_fold(0u128, |sum, operand| sum.checked_add(of(operand)?)),
            Expr::Mul(a, b) => of(a).zip(of(b)).and_then(|(a, b)| a.checked_mul(b)),
            Expr::Div(a, b) if matches!(pool[*b], Expr::Const(divisor) if divisor != 0) => of(a),
            Expr::Div(..) => None,
        };
        match value {
            Some(value) if value <= i128::MAX.unsigned_abs() => greatest.insert(expr, value),
            _ => return false,
        };
    }
    true
}

/// Is there no `bounds` in the expression, and no nesting too deep to evaluate it by recursion?
fn plain_expr(pool: &Pool, expr: ExprId) -> bool {
    let mut open = vec![(expr, 0)];
    while let Some((expr, depth)) = open.pop() {
        if depth > MAX_DEPTH || matches!(pool[expr], Expr::Bounds(_)) {
            return false;
        }
        open.extend(pool[expr].children().into_iter().map(|child| (child, depth + 1)));
    }
    true
}

/// A reachability property: is there a marking where `condition` holds, and what does that say?
#[derive(Clone, Copy)]
pub(in crate::decide) struct Reachability<'a> {
    /// The condition to be found.
    pub(in crate::decide) condition: Condition<'a>,
    /// The condition is looked for where this is its value.
    pub(super) sought: bool,
    /// The verdict if it is found; the opposite if not.
    pub(in crate::decide) verdict_if_found: bool,
}

impl<'a> Reachability<'a> {
    /// `EF c`, `AG c` and their negations; `None` for other formulas.
    pub(in crate::decide) fn new(model: &'a dyn Kind, pool: &'a Pool, formula: FormulaId) -> Option<Self> {
        let (mut formula, mut positive) = (formula, true);
        while let Formula::Not(a) = pool[formula] {
            (formula, positive) = (a, !positive);
        }
        let (path, exists) = match pool[formula] {
            Formula::Exists(path) => (path, true),
            Formula::Forall(path) => (path, false),
            _ => return None,
        };
        let operand = match pool[path] {
            Formula::Finally(a) if exists => a,
            Formula::Globally(a) if !exists => a,
            _ => return None,
        };
        let condition = Condition::new(model, pool, operand)?;
        Some(Reachability { condition, sought: exists, verdict_if_found: positive == exists })
    }

    /// The condition is looked for where this is its value.
    #[cfg(feature = "distributed")]
    pub(in crate::decide) fn sought(&self) -> bool {
        self.sought
    }

    /// Is a deadlock what is looked for?
    pub(in crate::decide) fn is_about_deadlock(&self) -> bool {
        let (pool, formula) = (self.condition.pool, self.condition.formula);
        match (&pool[formula], self.sought) {
            (Formula::Deadlock, sought) => sought,
            (Formula::Not(a), false) => pool[*a] == Formula::Deadlock,
            _ => false,
        }
    }

    /// Is what is looked for in no marking that a complete coverability graph of the net allows?
    pub(in crate::decide) fn is_excluded(&self, net: &PetriNet, cover: &Coverability) -> bool {
        let Condition { pool, formula, .. } = self.condition;
        cover.complete()
            && !cover.labels().any(|label| {
                let (holds, fails) = Below { net, pool, label }.possible(formula);
                if self.sought { holds } else { fails }
            })
    }

    /// Is this the marking that decides? `None` where an expression has no value.
    pub(in crate::decide) fn decided_by(&self, state: &impl Values) -> Option<bool> {
        Some(self.condition.holds(state)? == self.sought)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::{Symbols, parse};
    use crate::net::NetBuilder;

    /// Products that leave 128 bits for some values of variables, and divisors that are 0 for some.
    #[test]
    fn products_and_quotients_that_may_have_no_value() {
        let mut b = NetBuilder::new("n");
        b.place("p", 1).unwrap();
        let symbols = Symbols::new(&b.build().unwrap());
        let total = |text: &str| {
            let mut pool = Pool::new();
            let formula = parse(text, &symbols, &mut pool).unwrap();
            is_total(&pool, formula)
        };
        for text in
            ["EF 3 * #p > 2", "EF #p - 1 = 7", "EF #p / 2 = 1", "EF 4000000000 * 2000000000 * #p > 1", "deadlock"]
        {
            assert!(total(text), "{text}");
        }
        for text in ["EF 1 / #p > 0", "EF #p * #p > 1", "EF 4000000000 * (4000000000 * (4000000000 * #p)) > 1"] {
            assert!(!total(text), "{text}");
        }
    }
}

//! The truth of a condition in one marking.
//!
//! A plain recursion over the formula that stops as soon as the outcome is clear. The readers bound the depth
//! of formulas ([`MAX_DEPTH`]); deeper ones are refused.

use crate::explicit::View;
use crate::formula::{Expr, ExprId, Formula, FormulaId, MAX_DEPTH, Pool};
use crate::net::{Arc, Marking, PetriNet, PlaceId, TransitionId};

/// Something that has token counts.
pub(super) trait Tokens {
    /// Tokens in `place`.
    fn tokens(&self, place: PlaceId) -> u64;

    /// Is `t` enabled?
    fn enables(&self, net: &PetriNet, t: TransitionId) -> bool {
        let t = net.transition(t);
        let enough = |arc: &Arc| self.tokens(arc.place) >= arc.weight;
        t.pre.iter().all(enough) && !t.inhibitors.iter().any(enough)
    }
}

impl Tokens for Marking {
    fn tokens(&self, place: PlaceId) -> u64 {
        Marking::tokens(self, place)
    }
}

impl Tokens for View<'_> {
    fn tokens(&self, place: PlaceId) -> u64 {
        View::tokens(self, place)
    }
}

/// A formula without path quantifiers, temporal operators and bounds that can be evaluated in a marking.
#[derive(Clone, Copy)]
pub(super) struct Condition<'a> {
    net: &'a PetriNet,
    pool: &'a Pool,
    formula: FormulaId,
}

impl<'a> Condition<'a> {
    /// `None` if the formula is not such a condition.
    pub(super) fn new(net: &'a PetriNet, pool: &'a Pool, formula: FormulaId) -> Option<Self> {
        let shallow = pool.depth(formula) <= MAX_DEPTH;
        let plain = |id: FormulaId| {
            !pool[id].is_temporal()
                && !pool[id].is_about_steps()
                && match pool[id] {
                    Formula::Exists(_) | Formula::Forall(_) => false,
                    Formula::Compare(a, _, b) => [a, b].into_iter().all(|e| plain_expr(pool, e)),
                    _ => true,
                }
        };
        (shallow && pool.subformulas(&[formula]).into_iter().all(plain)).then_some(Condition { net, pool, formula })
    }

    /// Does the condition hold? `None` where an expression overflows or divides by zero.
    pub(super) fn holds(&self, marking: &impl Tokens) -> Option<bool> {
        self.formula(self.formula, marking)
    }

    fn formula(&self, id: FormulaId, marking: &impl Tokens) -> Option<bool> {
        Some(match &self.pool[id] {
            Formula::True => true,
            Formula::False => false,
            Formula::Deadlock => !self.net.transition_ids().any(|t| marking.enables(self.net, t)),
            Formula::Enabled(transitions) => transitions.iter().any(|&t| marking.enables(self.net, t)),
            Formula::Compare(a, comparison, b) => comparison.holds(&self.expr(*a, marking)?, &self.expr(*b, marking)?),
            Formula::Not(a) => !self.formula(*a, marking)?,
            Formula::And(operands) => {
                for &operand in operands {
                    if !self.formula(operand, marking)? {
                        return Some(false);
                    }
                }
                true
            }
            Formula::Or(operands) => {
                for &operand in operands {
                    if self.formula(operand, marking)? {
                        return Some(true);
                    }
                }
                false
            }
            Formula::Implies(a, b) => !self.formula(*a, marking)? || self.formula(*b, marking)?,
            Formula::Iff(a, b) => self.formula(*a, marking)? == self.formula(*b, marking)?,
            _ => return None,
        })
    }

    fn expr(&self, id: ExprId, marking: &impl Tokens) -> Option<i128> {
        match &self.pool[id] {
            Expr::Const(value) => Some(*value),
            Expr::Tokens(places) => Some(places.iter().map(|&place| i128::from(marking.tokens(place))).sum()),
            Expr::Neg(a) => self.expr(*a, marking)?.checked_neg(),
            Expr::Add(operands) => {
                operands.iter().try_fold(0i128, |sum, &operand| sum.checked_add(self.expr(operand, marking)?))
            }
            Expr::Mul(a, b) => self.expr(*a, marking)?.checked_mul(self.expr(*b, marking)?),
            Expr::Div(a, b) => self.expr(*a, marking)?.checked_div(self.expr(*b, marking)?),
            Expr::Bounds(_) => None,
        }
    }
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
pub(super) struct Reachability<'a> {
    /// What is looked for.
    pub(super) condition: Condition<'a>,
    /// The condition is looked for where this is its value.
    sought: bool,
    /// The verdict if it is found; the opposite if not.
    pub(super) verdict_if_found: bool,
}

impl<'a> Reachability<'a> {
    /// `EF c`, `AG c` and their negations; `None` for other formulas.
    pub(super) fn new(net: &'a PetriNet, pool: &'a Pool, formula: FormulaId) -> Option<Self> {
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
        let condition = Condition::new(net, pool, operand)?;
        Some(Reachability { condition, sought: exists, verdict_if_found: positive == exists })
    }

    /// Is this the marking that decides? `None` where an expression has no value.
    pub(super) fn decided_by(&self, marking: &impl Tokens) -> Option<bool> {
        Some(self.condition.holds(marking)? == self.sought)
    }
}

//! Conditions of DVE as formulas over the variables of the model.
//!
//! **Problem.** A formula knows comparisons of sums and products, and Boolean operators above them. An expression of DVE
//! mixes both: `P.cs + Q.cs == 1` adds up truth values.
//!
//! **Idea.** A number is a list of *cases*: a condition, and the expression that has the number's value where the condition
//! holds. A truth value that is used as a number is 1 in one case and 0 in the other; an operator takes each case of one side
//! with each of the other, and cases with the same value become one. So a sum of n truth values has n + 1 cases.
//!
//! Parts without a counterpart are not translated, and stay state labels: bits, shifts, quotients, cells that are
//! chosen by a variable, and whatever could leave 32 bits, where DVE wraps.

use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId, Pool};
use crate::model::VariableId;

use super::ast::{Binary, Unary};
use super::expression::{Domain, Expression};

/// Most cases of a number.
const MOST_CASES: usize = 256;

/// A condition, and the value that an expression has there.
type Cases = Vec<(FormulaId, ExprId)>;

/// Translates expressions over the slots of a model, whose domains are known.
pub(super) struct Translator<'a> {
    pub(super) pool: &'a mut Pool,
    pub(super) domain: &'a dyn Fn(u32) -> Domain,
}

impl Translator<'_> {
    /// The formula that holds where the expression is not 0; `None` if there is none.
    pub(super) fn condition(&mut self, expression: &Expression) -> Option<FormulaId> {
        // Sizes are checked once, for the whole expression.
        self.most(expression)?;
        self.truth(expression)
    }

    fn truth(&mut self, expression: &Expression) -> Option<FormulaId> {
        match expression {
            Expression::Constant(number) => Some(self.constant(*number != 0)),
            Expression::Among { slot, numbers } => {
                let value = self.pool.add_expr(Expr::Tokens(vec![VariableId(*slot)]));
                let mut any = self.constant(false);
                for &number in numbers {
                    let number = self.pool.add_expr(Expr::Const(number.into()));
                    let one = self.pool.add(Formula::Compare(value, Comparison::Eq, number));
                    any = either(self.pool, any, one);
                }
                Some(any)
            }
            Expression::Unary(Unary::Not, operand) => {
                let operand = self.truth(operand)?;
                Some(opposite(self.pool, operand))
            }
            Expression::Binary(operator @ (Binary::And | Binary::Or | Binary::Imply), sides) => {
                let (left, right) = (self.truth(&sides.0)?, self.truth(&sides.1)?);
                Some(match operator {
                    Binary::And => both(self.pool, left, right),
                    Binary::Or => either(self.pool, left, right),
                    _ => {
                        let left = opposite(self.pool, left);
                        either(self.pool, left, right)
                    }
                })
            }
            Expression::Binary(operator, sides) if comparison(*operator).is_some() => {
                let (left, right) = (self.cases(&sides.0)?, self.cases(&sides.1)?);
                self.compare(&left, comparison(*operator)?, &right)
            }
            other => {
                let (value, zero) = (self.cases(other)?, self.pool.add_expr(Expr::Const(0)));
                let always = self.constant(true);
                self.compare(&value, Comparison::Ne, &[(always, zero)])
            }
        }
    }

    fn compare(
        &mut self,
        left: &[(FormulaId, ExprId)],
        comparison: Comparison,
        right: &[(FormulaId, ExprId)],
    ) -> Option<FormulaId> {
        if left.len().saturating_mul(right.len()) > MOST_CASES {
            return None;
        }
        let mut any = self.constant(false);
        for &(here, a) in left {
            for &(there, b) in right {
                let holds = match (&self.pool[a], &self.pool[b]) {
                    (Expr::Const(a), Expr::Const(b)) => {
                        let holds = comparison.holds(a, b);
                        self.constant(holds)
                    }
                    _ => self.pool.add(Formula::Compare(a, comparison, b)),
                };
                let case = both(self.pool, here, there);
                let case = both(self.pool, case, holds);
                any = either(self.pool, any, case);
            }
        }
        Some(any)
    }

    /// The cases of a number.
    fn cases(&mut self, expression: &Expression) -> Option<Cases> {
        let always = self.constant(true);
        match expression {
            Expression::Constant(number) => Some(vec![(always, self.pool.add_expr(Expr::Const((*number).into())))]),
            Expression::Slot(slot) => {
                // Values count from the least number on.
                let value = self.pool.add_expr(Expr::Tokens(vec![VariableId(*slot)]));
                let least = -(self.domain)(*slot).offset();
                if least == 0 {
                    return Some(vec![(always, value)]);
                }
                let least = self.pool.add_expr(Expr::Const(least.into()));
                Some(vec![(always, self.pool.add_expr(Expr::Add(vec![value, least])))])
            }
            Expression::Unary(Unary::Negate, operand) => {
                let operand = self.cases(operand)?;
                Some(operand.into_iter().map(|(here, value)| (here, self.negated(value))).collect())
            }
            Expression::Binary(operator @ (Binary::Add | Binary::Subtract | Binary::Multiply), sides) => {
                let (left, right) = (self.cases(&sides.0)?, self.cases(&sides.1)?);
                if left.len().saturating_mul(right.len()) > MOST_CASES {
                    return None;
                }
                let mut all = Cases::new();
                for &(here, a) in &left {
                    for &(there, b) in &right {
                        let value = self.combined(*operator, a, b)?;
                        let case = both(self.pool, here, there);
                        match all.iter_mut().find(|(_, other)| *other == value) {
                            Some((known, _)) => *known = either(self.pool, *known, case),
                            None => all.push((case, value)),
                        }
                    }
                }
                Some(all)
            }
            other if is_truth(other) => {
                let holds = self.truth(other)?;
                let fails = opposite(self.pool, holds);
                let [one, zero] = [1, 0].map(|number| self.pool.add_expr(Expr::Const(number)));
                Some(vec![(holds, one), (fails, zero)])
            }
            _ => None,
        }
    }

    fn negated(&mut self, value: ExprId) -> ExprId {
        match self.pool[value] {
            Expr::Const(number) => self.pool.add_expr(Expr::Const(-number)),
            _ => self.pool.add_expr(Expr::Neg(value)),
        }
    }

    fn combined(&mut self, operator: Binary, a: ExprId, b: ExprId) -> Option<ExprId> {
        let b = if operator == Binary::Subtract { self.negated(b) } else { b };
        Some(match (&self.pool[a], &self.pool[b], operator) {
            (Expr::Const(a), Expr::Const(b), Binary::Multiply) => {
                let product = a.checked_mul(*b)?;
                self.pool.add_expr(Expr::Const(product))
            }
            (Expr::Const(a), Expr::Const(b), _) => {
                let sum = a.checked_add(*b)?;
                self.pool.add_expr(Expr::Const(sum))
            }
            (_, _, Binary::Multiply) => self.pool.add_expr(Expr::Mul(a, b)),
            _ => self.pool.add_expr(Expr::Add(vec![a, b])),
        })
    }

    fn constant(&mut self, holds: bool) -> FormulaId {
        self.pool.add(if holds { Formula::True } else { Formula::False })
    }

    /// A bound on the absolute value of an expression and of all its parts; `None` if it is beyond 32 bits, or a part is not
    /// translated.
    fn most(&self, expression: &Expression) -> Option<i64> {
        let most = match expression {
            Expression::Constant(number) => i64::from(*number).abs(),
            Expression::Slot(slot) => match (self.domain)(*slot) {
                Domain::Byte => 0xff,
                Domain::Int => 1 << 15,
                Domain::Small => 1 << 16,
            },
            Expression::Among { .. } => 1,
            Expression::Unary(Unary::Not, operand) => self.most(operand).map(|_| 1)?,
            Expression::Unary(Unary::Negate, operand) => self.most(operand)?,
            Expression::Binary(operator, sides) => {
                let (left, right) = (self.most(&sides.0)?, self.most(&sides.1)?);
                match operator {
                    Binary::Add | Binary::Subtract => left + right,
                    Binary::Multiply => left.checked_mul(right)?,
                    _ if is_truth(expression) => 1,
                    _ => return None,
                }
            }
            Expression::Unary(Unary::Complement, _) | Expression::Cell { .. } | Expression::Table { .. } => {
                return None;
            }
        };
        (most < 1 << 31).then_some(most)
    }
}

/// Is the value 0 or 1?
fn is_truth(expression: &Expression) -> bool {
    match expression {
        Expression::Among { .. } | Expression::Unary(Unary::Not, _) => true,
        Expression::Binary(operator, _) => {
            matches!(operator, Binary::And | Binary::Or | Binary::Imply) || comparison(*operator).is_some()
        }
        _ => false,
    }
}

fn comparison(operator: Binary) -> Option<Comparison> {
    Some(match operator {
        Binary::Equal => Comparison::Eq,
        Binary::NotEqual => Comparison::Ne,
        Binary::Less => Comparison::Lt,
        Binary::LessEqual => Comparison::Le,
        Binary::Greater => Comparison::Gt,
        Binary::GreaterEqual => Comparison::Ge,
        _ => return None,
    })
}

/// `a ∧ b`, without what is constant.
pub(super) fn both(pool: &mut Pool, a: FormulaId, b: FormulaId) -> FormulaId {
    match (&pool[a], &pool[b]) {
        (Formula::False, _) | (_, Formula::True) => a,
        (_, Formula::False) | (Formula::True, _) => b,
        _ if a == b => a,
        _ => pool.and(vec![a, b]),
    }
}

/// `a ∨ b`, without what is constant.
pub(super) fn either(pool: &mut Pool, a: FormulaId, b: FormulaId) -> FormulaId {
    match (&pool[a], &pool[b]) {
        (Formula::True, _) | (_, Formula::False) => a,
        (_, Formula::True) | (Formula::False, _) => b,
        _ if a == b => a,
        _ => pool.or(vec![a, b]),
    }
}

/// `¬a`, without what is constant.
fn opposite(pool: &mut Pool, a: FormulaId) -> FormulaId {
    match pool[a] {
        Formula::True => pool.add(Formula::False),
        Formula::False => pool.add(Formula::True),
        Formula::Not(operand) => operand,
        _ => pool.not(a),
    }
}

//! Arithmetic that needs no marking: constant subexpressions, and comparisons that are always true or false.
//!
//! Sums are flattened and their constants added; constants go to the right of a comparison; a token count is
//! compared with a number as one that is not negative, and two token counts without the places they share. Nothing is folded that would be an error to evaluate:
//! a division by zero or a value out of range stays where it is. Factors are not cancelled (`0 * e` stays) for
//! the same reason.

use super::ast::{Comparison, Expr, Formula};
use super::pool::{ExprId, FormulaId, Pool};
use rustc_hash::FxHashMap;

impl Pool {
    /// An expression of the same value, with constant parts evaluated.
    pub fn fold(&mut self, expr: ExprId) -> ExprId {
        let mut order = vec![expr];
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            order.extend(self[id].children());
            next += 1;
        }
        order.sort_unstable();
        order.dedup();
        let mut folded: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for id in order {
            let node = self.fold_node(id, &folded);
            let result = match node {
                Ok(node) => self.add_expr(node),
                Err(same) => same,
            };
            folded.insert(id, result);
        }
        folded[&expr]
    }

    /// The folded form of an expression with folded operands: a node, or an expression that is there already.
    fn fold_node(&mut self, id: ExprId, folded: &FxHashMap<ExprId, ExprId>) -> Result<Expr, ExprId> {
        let node = self[id].clone();
        let constant = |pool: &Pool, e: ExprId| match pool[e] {
            Expr::Const(n) => Some(n),
            _ => None,
        };
        Ok(match node {
            Expr::Const(_) => node,
            Expr::Tokens(places) | Expr::Bounds(places) if places.is_empty() => Expr::Const(0),
            Expr::Tokens(_) | Expr::Bounds(_) => node,
            Expr::Neg(a) => {
                let a = folded[&a];
                match &self[a] {
                    Expr::Neg(inner) => return Err(*inner),
                    Expr::Const(n) => n.checked_neg().map_or(Expr::Neg(a), Expr::Const),
                    _ => Expr::Neg(a),
                }
            }
            Expr::Add(operands) => {
                let mut terms: Vec<ExprId> = Vec::new();
                let mut sum: i128 = 0;
                for operand in operands {
                    let operand = folded[&operand];
                    let flat = match &self[operand] {
                        Expr::Add(inner) => inner.clone(),
                        _ => vec![operand],
                    };
                    for term in flat {
                        match constant(self, term).and_then(|n| sum.checked_add(n)) {
                            Some(n) => sum = n,
                            None => terms.push(term),
                        }
                    }
                }
                if sum != 0 || terms.is_empty() {
                    terms.push(self.add_expr(Expr::Const(sum)));
                }
                match terms[..] {
                    [only] => return Err(only),
                    _ => Expr::Add(terms),
                }
            }
            Expr::Mul(a, b) => {
                let (a, b) = (folded[&a], folded[&b]);
                match (constant(self, a), constant(self, b)) {
                    (Some(m), Some(n)) => m.checked_mul(n).map_or(Expr::Mul(a, b), Expr::Const),
                    (Some(1), None) => return Err(b),
                    (None, Some(1)) => return Err(a),
                    _ => Expr::Mul(a, b),
                }
            }
            Expr::Div(a, b) => {
                let (a, b) = (folded[&a], folded[&b]);
                match (constant(self, a), constant(self, b)) {
                    (Some(m), Some(n)) => m.checked_div(n).map_or(Expr::Div(a, b), Expr::Const),
                    (None, Some(1)) => return Err(a),
                    _ => Expr::Div(a, b),
                }
            }
        })
    }

    /// Two sums of tokens without the places that are in both; other expressions as they are.
    fn cancel(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let (Expr::Tokens(left), Expr::Tokens(right)) = (&self[a], &self[b]) else {
            return (a, b);
        };
        // Both lists are sorted, and may hold a place more than once.
        let (mut only_left, mut only_right) = (Vec::new(), Vec::new());
        let (mut i, mut j) = (0, 0);
        while i < left.len() || j < right.len() {
            match (left.get(i), right.get(j)) {
                (Some(l), Some(r)) if l == r => (i, j) = (i + 1, j + 1),
                (Some(l), r) if r.is_none_or(|r| l < r) => {
                    only_left.push(*l);
                    i += 1;
                }
                (_, Some(r)) => {
                    only_right.push(*r);
                    j += 1;
                }
                _ => break,
            }
        }
        let sum = |places: Vec<_>| if places.is_empty() { Expr::Const(0) } else { Expr::Tokens(places) };
        (self.add_expr(sum(only_left)), self.add_expr(sum(only_right)))
    }

    /// The comparison of two expressions, folded; `true` or `false` where that is known.
    pub(super) fn fold_comparison(&mut self, a: ExprId, comparison: Comparison, b: ExprId) -> FormulaId {
        use Comparison::*;
        let (a, b) = (self.fold(a), self.fold(b));
        let (a, b) = self.cancel(a, b);
        let (a, comparison, b) = match self[a] {
            Expr::Const(_) => (b, comparison.swapped(), a),
            _ => (a, comparison, b),
        };
        let known = match (&self[a], &self[b]) {
            (Expr::Const(m), Expr::Const(n)) => Some(comparison.holds(m, n)),
            // A count is at least 0.
            (Expr::Tokens(_) | Expr::Bounds(_), &Expr::Const(n)) => match comparison {
                Ge if n <= 0 => Some(true),
                Gt | Ne if n < 0 => Some(true),
                Lt if n <= 0 => Some(false),
                Le | Eq if n < 0 => Some(false),
                _ => None,
            },
            (Expr::Bounds(_), _) if a == b => Some(comparison.holds(&0, &0)),
            _ => None,
        };
        self.add(match known {
            Some(true) => Formula::True,
            Some(false) => Formula::False,
            None => Formula::Compare(a, comparison, b),
        })
    }
}

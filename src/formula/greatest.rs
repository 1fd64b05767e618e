//! `bounds(p, …)` in formulas: replaced where the greatest sum is known.
//!
//! A sum that grows without end is greater than every number: `bounds(p) <= #q` is false then, and `bounds(p) > #q` true. In an
//! expression (`bounds(p) + 1`) it has no value, and is left as it is.

use super::ast::{Comparison, Expr, Formula};
use super::pool::{ExprId, FormulaId, Pool};
use crate::net::PlaceId;

/// The greatest sum of the tokens in some places over the reachable markings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Greatest {
    /// This.
    Number(i128),
    /// There is none: it grows without end.
    Infinite,
}

impl Pool {
    /// The sums whose bounds formulas speak of, each once.
    pub(crate) fn bounds_in(&self, formulas: &[FormulaId]) -> Vec<Vec<PlaceId>> {
        let mut found: Vec<Vec<PlaceId>> = Vec::new();
        for expr in self.compared(formulas) {
            if let Expr::Bounds(places) = &self[expr]
                && !found.contains(places)
            {
                found.push(places.clone());
            }
        }
        found
    }

    fn compared(&self, formulas: &[FormulaId]) -> Vec<ExprId> {
        let sides = self.subformulas(formulas).into_iter().filter_map(|part| match self[part] {
            Formula::Compare(a, _, b) => Some([a, b]),
            _ => None,
        });
        self.subexpressions(sides.flatten().collect())
    }

    /// The formula with what is known of bounds in their places.
    pub(crate) fn with_bounds(&mut self, root: FormulaId, known: impl Fn(&[PlaceId]) -> Option<Greatest>) -> FormulaId {
        let known_number = |_: &mut Pool, node: Expr| match &node {
            Expr::Bounds(places) => match known(places) {
                Some(Greatest::Number(number)) => Some(Expr::Const(number)),
                _ => Some(node),
            },
            _ => Some(node),
        };
        let is_infinite = |pool: &Pool, expr: ExprId| matches!(&pool[expr], Expr::Bounds(places) if known(places) == Some(Greatest::Infinite));
        // What has a value in every marking, and a finite one.
        let is_finite = |pool: &Pool, expr: ExprId| {
            let parts = pool.subexpressions(vec![expr]);
            parts
                .into_iter()
                .all(|part| matches!(pool[part], Expr::Const(_) | Expr::Tokens(_) | Expr::Add(_) | Expr::Neg(_)))
        };
        let rebuilt = self.rebuild(root, |pool, node| {
            let Formula::Compare(a, comparison, b) = node else { return Some(node) };
            let (a, b) = (pool.rebuild_expr(a, known_number)?, pool.rebuild_expr(b, known_number)?);
            let greater = match (is_infinite(pool, a), is_infinite(pool, b)) {
                (true, false) if is_finite(pool, b) => Some(comparison),
                (false, true) if is_finite(pool, a) => Some(comparison.swapped()),
                _ => None,
            };
            Some(match greater {
                Some(Comparison::Gt | Comparison::Ge | Comparison::Ne) => Formula::True,
                Some(_) => Formula::False,
                None => Formula::Compare(a, comparison, b),
            })
        });
        rebuilt.unwrap_or(root)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::{Symbols, parse};
    use crate::net::NetBuilder;

    #[test]
    fn bounds_are_numbers_or_greater_than_all() {
        let mut b = NetBuilder::new("n");
        for id in ["p", "q", "r"] {
            b.place(id, 1).unwrap();
        }
        let symbols = Symbols::new(&b.build().unwrap());
        let mut pool = Pool::new();
        // p has 3 tokens at most, q any number, and of r nothing is known.
        let known = |places: &[PlaceId]| match places {
            [place] if place.0 == 0 => Some(Greatest::Number(3)),
            [place] if place.0 == 1 => Some(Greatest::Infinite),
            _ => None,
        };
        for (text, expected) in [
            ("bounds(p) <= 5", "3 <= 5"),
            ("AG (#q < bounds(p) + bounds(r))", "A G (#q < 3 + bounds(r))"),
            ("bounds(q) <= 5 | bounds(q) != #p", "false | true"),
            ("5 < bounds(q) & #p >= bounds(q)", "true & false"),
            ("bounds(q) = bounds(p)", "false"),
            ("bounds(q) + 1 > 5", "bounds(q) + 1 > 5"),
            ("bounds(q) > bounds(q)", "bounds(q) > bounds(q)"),
            ("bounds(q) > 1 / #p", "bounds(q) > 1 / #p"),
        ] {
            let formula = parse(text, &symbols, &mut pool).unwrap();
            let replaced = pool.with_bounds(formula, known);
            assert_eq!(pool.display(replaced, &symbols).to_string(), expected, "{text}");
        }
    }
}

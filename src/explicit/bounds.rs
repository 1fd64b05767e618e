//! `bounds(p, …)` in formulas: the maximum over the reachable states, replaced by its value.
//!
//! The value needs all reachable states, whatever the formula: one exploration finds the
//! maxima of all such sums of a formula, and the formula is built again with constants in their places.

use super::{Explicit, Options, Stats};
use crate::budget::Budget;
use crate::formula::{Expr, ExprId, Formula, FormulaId, Pool};
use crate::halt::Halt;
use rustc_hash::FxHashMap;

/// The formula with the value of each `bounds` in its place, and the effort of finding them.
pub(crate) fn substitute(
    engine: &dyn Explicit<'_>,
    pool: &mut Pool,
    root: FormulaId,
    options: &Options,
    budget: &Budget,
) -> Result<(FormulaId, Stats), Halt> {
    let formulas = pool.subformulas(&[root]);
    let compared = formulas.iter().filter_map(|&f| match pool[f] {
        Formula::Compare(a, _, b) => Some([a, b]),
        _ => None,
    });
    let exprs = pool.subexpressions(compared.flatten().collect());
    let sums = exprs.iter().filter_map(|&e| match &pool[e] {
        Expr::Bounds(places) => Some((e, places.clone())),
        _ => None,
    });
    let sums: Vec<_> = sums.collect();
    if sums.is_empty() {
        return Ok((root, Stats::default()));
    }
    let mut maxima = vec![0i128; sums.len()];
    let explored = engine.find(options, budget, &mut |state| {
        for (max, (_, places)) in maxima.iter_mut().zip(&sums) {
            *max = places.iter().map(|&p| i128::from(state.value(p))).sum::<i128>().max(*max);
        }
        false
    })?;
    let mut new_exprs: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for e in exprs {
        let at = |e: &ExprId| new_exprs[e];
        let node = match &pool[e] {
            Expr::Bounds(_) => Expr::Const(sums.iter().zip(&maxima).find(|(s, _)| s.0 == e).map_or(0, |(_, &m)| m)),
            Expr::Neg(a) => Expr::Neg(at(a)),
            Expr::Add(operands) => Expr::Add(operands.iter().map(at).collect()),
            Expr::Mul(a, b) => Expr::Mul(at(a), at(b)),
            Expr::Div(a, b) => Expr::Div(at(a), at(b)),
            leaf @ (Expr::Const(_) | Expr::Tokens(_)) => leaf.clone(),
        };
        new_exprs.insert(e, pool.add_expr(node));
    }
    let mut new: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
    for f in formulas {
        let node = match &pool[f] {
            Formula::Compare(a, comparison, b) => Formula::Compare(new_exprs[a], *comparison, new_exprs[b]),
            node => node.map(|a| new[&a]),
        };
        new.insert(f, pool.add(node));
    }
    Ok((new[&root], explored.stats))
}

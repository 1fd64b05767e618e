//! Atoms and Boolean connectives of state formulas, marking by marking.

use super::{Set, Setting, Undefined, bound};
use starset::formula::{Comparison, Expr, ExprId, Formula};

/// The set of an atom.
pub(super) fn atom(setting: Setting, atom: &Formula) -> Result<Set, Undefined> {
    let graph = setting.graph;
    setting
        .states()
        .map(|s| {
            Ok(match atom {
                Formula::True => true,
                Formula::False => false,
                Formula::Deadlock => setting.is_deadlock(s),
                Formula::Enabled(wanted) => graph.edges[s].iter().any(|(t, _)| wanted.contains(t)),
                Formula::Compare(a, comparison, b) => {
                    let (a, b) = (value(setting, s, *a)?, value(setting, s, *b)?);
                    match comparison {
                        Comparison::Eq => a == b,
                        Comparison::Ne => a != b,
                        Comparison::Lt => a < b,
                        Comparison::Le => a <= b,
                        Comparison::Gt => a > b,
                        Comparison::Ge => a >= b,
                    }
                }
                _ => panic!("not an atom: {atom:?}"),
            })
        })
        .collect()
}

fn value(setting: Setting, state: usize, expr: ExprId) -> Result<i128, Undefined> {
    let sub = |e: &ExprId| value(setting, state, *e);
    let checked = |result: Option<i128>| result.ok_or(Undefined::Overflow);
    match &setting.pool[expr] {
        Expr::Const(n) => Ok(*n),
        Expr::Tokens(places) => Ok(places.iter().map(|&p| i128::from(setting.graph.markings[state].tokens(p))).sum()),
        Expr::Bounds(places) => Ok(bound(setting.graph, places)),
        Expr::Neg(a) => checked(sub(a)?.checked_neg()),
        Expr::Add(operands) => operands.iter().try_fold(0, |sum: i128, e| checked(sum.checked_add(sub(e)?))),
        Expr::Mul(a, b) => checked(sub(a)?.checked_mul(sub(b)?)),
        Expr::Div(a, b) => match (sub(a)?, sub(b)?) {
            (_, 0) => Err(Undefined::DivisionByZero),
            (a, b) => checked(a.checked_div(b)),
        },
    }
}

/// The set of a Boolean combination, given the sets of its operands in order.
pub(super) fn boolean(connective: &Formula, operands: &[&Set]) -> Set {
    let holds = |s: usize| match connective {
        Formula::Not(_) => !operands[0][s],
        Formula::And(_) => operands.iter().all(|o| o[s]),
        Formula::Or(_) => operands.iter().any(|o| o[s]),
        Formula::Implies(..) => !operands[0][s] || operands[1][s],
        Formula::Iff(..) => operands[0][s] == operands[1][s],
        _ => panic!("not a connective: {connective:?}"),
    };
    (0..operands[0].len()).map(holds).collect()
}

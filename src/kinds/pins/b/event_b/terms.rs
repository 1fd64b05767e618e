//! Constructs of Event-B in terms of classical B.
//!
//! Event-B has no name for the type of an expression, so its identity and projections are generic: functions on all
//! values of whatever type fits. Here they are lambda terms whose variables have no condition, which are applied and
//! asked for members without being listed. Comprehensions have an expression beside their condition; where it is the
//! tuple of the bound variables, or ends in a value for it, they are sets and lambda terms, otherwise unions of
//! singletons.

use super::super::ast::{Binder, Bound, Carrier, Expr, Kind, Name, Op};
use super::super::error::Pos;
use super::super::parser::variable;
use super::super::values::Value;

/// A name.
pub(super) fn name(pos: Pos, name: &Name) -> Expr {
    Expr::new(pos, Kind::Name(name.clone()))
}

/// The predicate that is always true.
pub(super) fn truth(pos: Pos) -> Expr {
    Expr::op(pos, Op::And, Vec::new())
}

/// The predicate that is never true.
pub(super) fn falsity(pos: Pos) -> Expr {
    Expr::op(pos, Op::Or, Vec::new())
}

/// A conjunction.
pub(super) fn all(pos: Pos, mut parts: Vec<Expr>) -> Expr {
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => Expr::op(pos, Op::And, parts),
    }
}

fn pair(pos: Pos, left: Expr, right: Expr) -> Expr {
    Expr::op(pos, Op::Couple, vec![left, right])
}

/// A set of the values of expressions.
pub(super) fn extension(pos: Pos, items: Vec<Expr>) -> Expr {
    Expr::op(pos, Op::SetOf, items)
}

/// Bound variables.
pub(super) fn bound(names: &[Name]) -> Vec<Bound> {
    names.iter().cloned().map(variable).collect()
}

/// The names of a tuple of different names from left to right, if an expression is one that is nested to the left.
fn tuple(expr: &Expr) -> Option<Vec<Name>> {
    match &expr.kind {
        Kind::Name(name) => Some(vec![name.clone()]),
        Kind::Op(Op::Couple, parts) => match (tuple(&parts[0])?, &parts[1].kind) {
            (mut left, Kind::Name(right)) if !left.contains(right) => {
                left.push(right.clone());
                Some(left)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The names that occur free in an expression, in order.
pub(super) fn free(expr: &Expr, into: &mut Vec<Name>) {
    match &expr.kind {
        Kind::Name(name) if !into.contains(name) => into.push(name.clone()),
        Kind::Binder(_, bound, parts) => {
            let mut inside = Vec::new();
            parts.iter().for_each(|part| free(part, &mut inside));
            inside.retain(|name| bound.iter().all(|var| var.name != *name));
            for name in inside {
                if !into.contains(&name) {
                    into.push(name);
                }
            }
        }
        _ => expr.parts().into_iter().for_each(|part| free(part, into)),
    }
}

/// `{x · P ∣ E}`
pub(super) fn comprehension(pos: Pos, names: &[Name], such: Expr, value: Expr) -> Expr {
    let is = |expr: &Expr| {
        tuple(expr).filter(|found| found.len() == names.len() && names.iter().all(|name| found.contains(name)))
    };
    if let Some(order) = is(&value) {
        return Expr::new(pos, Kind::Binder(Binder::Set, bound(&order), vec![such]));
    }
    if let Kind::Op(Op::Couple, parts) = &value.kind
        && let Some(order) = is(&parts[0])
    {
        return Expr::new(pos, Kind::Binder(Binder::Lambda, bound(&order), vec![such, parts[1].clone()]));
    }
    Expr::new(pos, Kind::Binder(Binder::Union, bound(names), vec![such, extension(pos, vec![value])]))
}

/// `λ pattern · P ∣ E`
pub(super) fn lambda(pos: Pos, pattern: Expr, such: Expr, value: Expr) -> Expr {
    let mut names = Vec::new();
    free(&pattern, &mut names);
    comprehension(pos, &names, such, pair(pos, pattern, value))
}

/// A lambda term on all values.
fn generic(pos: Pos, names: &[&str], value: Expr) -> Expr {
    let names: Vec<Name> = names.iter().map(|&name| name.into()).collect();
    Expr::new(pos, Kind::Binder(Binder::Lambda, bound(&names), vec![truth(pos), value]))
}

/// `id`, `prj1`, `prj2`, `pred`, `succ`: functions on all values.
pub(super) fn function(pos: Pos, word: &str) -> Option<Expr> {
    // No name of the language ends like these.
    let (x, y) = ("x°", "y°");
    let var = |text: &str| name(pos, &text.into());
    let by = |op| {
        let one = Expr::literal(pos, Value::Int(1));
        Expr::op(pos, op, vec![var(x), one])
    };
    Some(match word {
        "id" => generic(pos, &[x], var(x)),
        "prj1" => generic(pos, &[x, y], var(x)),
        "prj2" => generic(pos, &[x, y], var(y)),
        "pred" => generic(pos, &[x], by(Op::Subtract)),
        "succ" => generic(pos, &[x], by(Op::Add)),
        _ => return None,
    })
}

/// `partition(S, A, B, …)`: S is their union, and they are disjoint.
pub(super) fn partition(pos: Pos, whole: Expr, parts: Vec<Expr>) -> Expr {
    let mut all_of = vec![Expr::op(
        pos,
        Op::Equal,
        vec![
            whole,
            parts
                .iter()
                .cloned()
                .reduce(|left, right| Expr::op(pos, Op::Union, vec![left, right]))
                .unwrap_or_else(|| extension(pos, Vec::new())),
        ],
    )];
    for (at, left) in parts.iter().enumerate() {
        for right in &parts[at + 1..] {
            all_of.push(match (single(left), single(right)) {
                (Some(left), Some(right)) => Expr::op(pos, Op::Unequal, vec![left.clone(), right.clone()]),
                _ => Expr::op(
                    pos,
                    Op::Equal,
                    vec![
                        Expr::op(pos, Op::Intersection, vec![left.clone(), right.clone()]),
                        extension(pos, Vec::new()),
                    ],
                ),
            });
        }
    }
    all(pos, all_of)
}

/// The element of a set that is written with one.
fn single(set: &Expr) -> Option<&Expr> {
    match &set.kind {
        Kind::Op(Op::SetOf, items) if items.len() == 1 => items.first(),
        _ => None,
    }
}

/// `finite(S)`. All sets that have a value here are finite, but for those of numbers that have a name.
pub(super) fn finite(pos: Pos, set: Expr) -> Expr {
    if matches!(set.kind, Kind::Carrier(Carrier::Integer | Carrier::Natural | Carrier::Natural1)) {
        return falsity(pos);
    }
    let zero = Expr::literal(pos, Value::Int(0));
    Expr::op(pos, Op::GreaterEqual, vec![Expr::op(pos, Op::Card, vec![set]), zero])
}

/// Is a predicate `finite` of a name?
pub(super) fn finite_name(expr: &Expr) -> Option<&Name> {
    let Kind::Op(Op::GreaterEqual, sides) = &expr.kind else { return None };
    match &sides[0].kind {
        Kind::Op(Op::Card, inner) => match &inner[0].kind {
            Kind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Relations with all of one side in them: total, surjective.
fn relation_sides(pos: Pos, relation: &Expr, sides: &[Expr], total: bool, surjective: bool) -> Vec<Expr> {
    let mut such = vec![Expr::op(
        pos,
        Op::In,
        vec![relation.clone(), Expr::op(pos, Op::Relations, vec![sides[0].clone(), sides[1].clone()])],
    )];
    for (wanted, op, side) in [(total, Op::Domain, &sides[0]), (surjective, Op::Range, &sides[1])] {
        if wanted {
            let whole = Expr::op(pos, op, vec![relation.clone()]);
            such.push(Expr::op(pos, Op::Equal, vec![whole, side.clone()]));
        }
    }
    such
}

/// The relations from one set to another that are total, surjective, or both.
pub(super) fn relations(pos: Pos, sides: [Expr; 2], total: bool, surjective: bool) -> Expr {
    let relation: Name = "r°".into();
    let such = relation_sides(pos, &name(pos, &relation), &sides, total, surjective);
    Expr::new(pos, Kind::Binder(Binder::Set, bound(&[relation]), vec![all(pos, such)]))
}

/// `E ∈ S`; of the sets of relations above, the condition itself.
pub(super) fn member(pos: Pos, left: Expr, right: Expr) -> Expr {
    if let Kind::Binder(Binder::Set, bound, parts) = &right.kind
        && bound.len() == 1
        && &*bound[0].name == "r°"
        && matches!(left.kind, Kind::Name(_))
    {
        let mut such = parts[0].clone();
        such.replace(&|name| (&**name == "r°").then(|| left.clone()));
        return such;
    }
    Expr::op(pos, Op::In, vec![left, right])
}

/// A condition on the types of bound variables in front of a predicate.
pub(super) fn typed(pos: Pos, types: &[(Name, Expr)], such: Expr, under: Op) -> Expr {
    if types.is_empty() {
        return such;
    }
    let conditions =
        types.iter().map(|(var, set)| Expr::op(pos, Op::In, vec![name(pos, var), set.clone()])).collect::<Vec<_>>();
    match under {
        Op::Implies => Expr::op(pos, Op::Implies, vec![all(pos, conditions), such]),
        _ => all(pos, conditions.into_iter().chain([such]).collect()),
    }
}

/// Are two formulas the same, wherever they stand?
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    let kinds = match (&a.kind, &b.kind) {
        (Kind::Name(a), Kind::Name(b)) => a == b,
        (Kind::Literal(a), Kind::Literal(b)) => a == b,
        (Kind::Carrier(a), Kind::Carrier(b)) => a == b,
        (Kind::Op(a, _), Kind::Op(b, _)) => a == b,
        (Kind::Binder(a, x, _), Kind::Binder(b, y, _)) => {
            a == b && x.iter().map(|var| &var.name).eq(y.iter().map(|var| &var.name))
        }
        _ => false,
    };
    let (left, right) = (a.parts(), b.parts());
    kinds && left.len() == right.len() && left.into_iter().zip(right).all(|(a, b)| same(a, b))
}

//! Sizes of deferred sets, and their symmetry.
//!
//! A deferred set is a set whose elements the machine does not name. ProB gives it a size: that of `scope_S == n` or
//! `scope_S == a..b`, or what PROPERTIES say (`card(S) = n`, `S = {a, b}`), else as many elements as there are
//! constants that differ, and at least two.
//!
//! As the elements are interchangeable, ProB sets up only one of several equivalent values of constants (user manual,
//! "Symmetry reduction", static): constants that are pairwise different get the first elements; each further constant
//! that is an element may use one element more than those before it (the least number heuristic of finite model
//! finders, Claessen and Sörensson 2003); and where constants partition the set, the elements that no constant names
//! go to the parts in order. We keep the set-ups that are least in this sense.

use crate::budget::Budget;

use super::ast::{Carrier, Expr, Kind, Op};
use super::check::Checker;
use super::context::{Context, Env};
use super::error::{Error, Pos, Res};
use super::types::Type;
use super::values::Value;

/// Facts about a deferred set.
#[derive(Clone, Debug, Default)]
pub(super) struct Deferred {
    /// The given set.
    pub set: u32,
    /// Constants that are its first elements, in order: slots.
    pub fixed: Vec<u32>,
    /// Other constants that are elements, in order: slots.
    pub single: Vec<u32>,
    /// Constants that partition it: slots.
    pub parts: Vec<u32>,
    /// Sizes of these parts, if all are known.
    pub part_sizes: Option<Vec<u32>>,
    /// Constants that number its elements: slots, and whether numbers are on the left.
    pub numberings: Vec<(u32, bool)>,
}

/// Is a formula all of a given set?
fn is_carrier(expr: &Expr, set: u32) -> bool {
    matches!(expr.kind, Kind::Carrier(Carrier::Given(other)) if other == set)
}

fn slot(expr: &Expr) -> Option<u32> {
    match expr.kind {
        Kind::Slot(slot) => Some(slot),
        _ => None,
    }
}

fn slots(parts: &[Expr]) -> Vec<u32> {
    parts.iter().filter_map(slot).collect()
}

/// Constants that PROPERTIES say are different: pairs of slots.
fn different(properties: &[&Expr]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let mut all = |slots: &[u32]| {
        for (at, a) in slots.iter().enumerate() {
            pairs.extend(slots[..at].iter().flat_map(|b| [(*a, *b), (*b, *a)]));
        }
    };
    for expr in properties {
        let Kind::Op(op, parts) = &expr.kind else { continue };
        match (op, parts.as_slice()) {
            (Op::Unequal, [a, b]) => all(&slots(&[a.clone(), b.clone()])),
            // card({a, b, c}) = 3
            (Op::Equal, [a, b]) => {
                for (set, n) in [(a, b), (b, a)] {
                    if let (Kind::Op(Op::Card, inner), Kind::Literal(Value::Int(n))) = (&set.kind, &n.kind)
                        && let Kind::Op(Op::SetOf, items) = &inner[0].kind
                        && items.len() as i64 == *n
                    {
                        all(&slots(items));
                    }
                }
            }
            (Op::Not, [inner]) => {
                if let Kind::Op(Op::Equal, sides) = &inner.kind {
                    all(&slots(sides));
                }
            }
            // a /: {b, c}
            (Op::NotIn, [a, b]) => {
                if let (Some(a), Kind::Op(Op::SetOf, items)) = (slot(a), &b.kind) {
                    for b in slots(items) {
                        all(&[a, b]);
                    }
                }
            }
            _ => {}
        }
    }
    pairs
}

/// The largest set of constants of a type that are pairwise different, found greedily in the order of declaration.
fn clique(constants: &[u32], pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut best: Vec<u32> = Vec::new();
    for start in 0..constants.len() {
        let mut chosen: Vec<u32> = vec![constants[start]];
        for constant in constants {
            if !chosen.contains(constant) && chosen.iter().all(|other| pairs.contains(&(*other, *constant))) {
                chosen.push(*constant);
            }
        }
        if chosen.len() > best.len() {
            best = chosen;
        }
    }
    best
}

/// Sizes of deferred sets from what their scopes and PROPERTIES say; sizes of others are kept. Returns what is known
/// of the deferred ones.
///
/// # Errors
/// When a size has no value.
pub(super) fn analyse(
    checker: &Checker,
    context: &mut Context,
    deferred: &[(u32, Option<u32>)],
    constants: u32,
    properties: &[&Expr],
) -> Res<Vec<Deferred>> {
    let pairs = different(properties);
    let mut found = Vec::new();
    for (set, scope) in deferred {
        let of_type: Vec<u32> = (0..constants)
            .filter(|slot| checker.unifier.top(&checker.slots[*slot as usize].ty) == Type::Given(*set))
            .collect();
        let mut known = Deferred { set: *set, fixed: clique(&of_type, &pairs), ..Deferred::default() };
        let (mut exact, mut least) = (*scope, known.fixed.len() as u32);
        let default = context.sizes[*set as usize];
        for expr in properties {
            let Kind::Op(op, parts) = &expr.kind else { continue };
            let [a, b] = parts.as_slice() else { continue };
            for (a, b, flip) in [(a, b, false), (b, a, true)] {
                // card(S) = n, card(S) > n
                if let Kind::Op(Op::Card, inner) = &a.kind
                    && is_carrier(&inner[0], *set)
                    && b.free.is_empty()
                {
                    let mut env = Env::new(checker.slots.len(), Budget::none());
                    if let Ok(n) = context.int(b, &mut env) {
                        let n = u32::try_from(n).unwrap_or(0);
                        match (op, flip) {
                            (Op::Equal, _) => exact = Some(n),
                            (Op::Greater, false) | (Op::Less, true) => least = least.max(n + 1),
                            (Op::GreaterEqual, false) | (Op::LessEqual, true) => least = least.max(n),
                            _ => {}
                        }
                    }
                }
                // S = {a, b}
                if *op == Op::Equal && is_carrier(a, *set) {
                    if let Kind::Op(Op::SetOf, items) = &b.kind {
                        let items_slots = slots(items);
                        if items_slots.len() == items.len() && exact.is_none() {
                            exact = Some(items.len() as u32);
                        }
                    }
                    let parts = union_parts(b, properties);
                    if !parts.is_empty() {
                        // Parts of known sizes say how large the set is.
                        known.part_sizes =
                            parts.iter().map(|part| part_size(*part, checker, context, properties)).collect();
                        exact = exact.or(known.part_sizes.as_ref().map(|sizes| sizes.iter().sum()));
                        known.parts = parts;
                    }
                }
            }
        }
        // f : S >->> 1..n
        for expr in properties {
            let Kind::Op(Op::In, sides) = &expr.kind else { continue };
            let (Some(function), Kind::Op(Op::TotalBijections, ends)) = (slot(&sides[0]), &sides[1].kind) else {
                continue;
            };
            for (at, flip) in [(0, false), (1, true)] {
                if is_carrier(&ends[at], *set) && ends[1 - at].ty == Type::Int.set() {
                    known.numberings.push((function, flip));
                }
            }
        }
        // With as many elements as S = {a, b} names, they are different.
        for expr in properties {
            let Kind::Op(Op::Equal, parts) = &expr.kind else { continue };
            for (a, b) in [(0, 1), (1, 0)] {
                if let Kind::Op(Op::SetOf, items) = &parts[b].kind
                    && is_carrier(&parts[a], *set)
                    && exact == Some(items.len() as u32)
                    && slots(items).len() == items.len()
                {
                    known.fixed = slots(items);
                }
            }
        }
        if !known.numberings.is_empty() {
            if exact.is_none() {
                return Err(Error::refused(
                    Pos::default(),
                    "which size ProB gives to a deferred set whose elements a constant numbers is not known: say card(S) = n"
                        .into(),
                ));
            }
            known.fixed.clear();
        }
        if !known.parts.is_empty() {
            // ProB may know more of the constants inside the parts than we do.
            for expr in properties {
                let Kind::Op(Op::Equal, sides) = &expr.kind else { continue };
                for side in sides {
                    let Kind::Op(Op::Card, inner) = &side.kind else { continue };
                    let Some(inside) = slot(&inner[0]) else { continue };
                    if inner[0].ty == Type::Given(*set).set() && !known.parts.contains(&inside) {
                        return Err(Error::refused(
                            expr.pos,
                            "which set-ups of this constant are equivalent for ProB is not known: enumerate the deferred set".into(),
                        ));
                    }
                }
            }
        }
        known.single = of_type.into_iter().filter(|slot| !known.fixed.contains(slot)).collect();
        context.sizes[*set as usize] = exact.unwrap_or(least.max(default));
        found.push(known);
    }
    Ok(found)
}

/// The size of a constant that is a set, if PROPERTIES say it.
fn part_size(part: u32, checker: &Checker, context: &Context, properties: &[&Expr]) -> Option<u32> {
    properties.iter().find_map(|expr| {
        let Kind::Op(Op::Equal, sides) = &expr.kind else { return None };
        [(0, 1), (1, 0)].into_iter().find_map(|(a, b)| match &sides[a].kind {
            Kind::Op(Op::Card, inner) if slot(&inner[0]) == Some(part) && sides[b].free.is_empty() => {
                let n = context.int(&sides[b], &mut Env::new(checker.slots.len(), Budget::none())).ok()?;
                u32::try_from(n).ok()
            }
            _ => None,
        })
    })
}

/// The constants whose union is given and that are disjoint.
fn union_parts(expr: &Expr, properties: &[&Expr]) -> Vec<u32> {
    fn flat(expr: &Expr, into: &mut Vec<u32>) -> bool {
        match &expr.kind {
            Kind::Slot(slot) => {
                into.push(*slot);
                true
            }
            Kind::Op(Op::Union, parts) => parts.iter().all(|part| flat(part, into)),
            _ => false,
        }
    }
    let mut parts = Vec::new();
    if !flat(expr, &mut parts) {
        return Vec::new();
    }
    let disjoint = |a: u32, b: u32| {
        properties.iter().any(|expr| {
            let Kind::Op(Op::Equal, sides) = &expr.kind else { return false };
            sides.iter().any(|side| match &side.kind {
                Kind::Op(Op::Intersection, both) => {
                    let both = slots(both);
                    both == [a, b] || both == [b, a]
                }
                _ => false,
            })
        })
    };
    for (at, a) in parts.iter().enumerate() {
        if parts[..at].iter().any(|b| !disjoint(*a, *b)) {
            return Vec::new();
        }
    }
    parts
}

/// Is a set-up of constants the one that stands for all equivalent ones?
pub(super) fn stands(deferred: &[Deferred], sizes: &[u32], env: &Env) -> bool {
    deferred.iter().all(|known| {
        let index = |value: &Value| match value {
            Value::Element(_, n) => *n,
            _ => 0,
        };
        if let Some((function, flip)) = known.numberings.first() {
            // Elements are numbered in order; nothing is left to be exchanged.
            let mut pairs: Vec<(Value, Value)> = Vec::new();
            for pair in env.slots[*function as usize].members().unwrap_or(&[]) {
                let (left, right) = pair.sides();
                pairs.push(if *flip { (left.clone(), right.clone()) } else { (right.clone(), left.clone()) });
            }
            pairs.sort_unstable();
            return pairs.is_sorted_by(|a, b| a.1 < b.1);
        }
        let mut next = known.fixed.len() as u32;
        for slot in &known.single {
            let at = index(&env.slots[*slot as usize]);
            if at > next {
                return false;
            }
            next = next.max(at + 1);
        }
        // Elements that nobody names go to the parts in order.
        let named = if known.single.is_empty() {
            known.fixed.len() as u32
        } else {
            next.max(known.fixed.len() as u32 + known.single.len() as u32)
        };
        let mut last = 0;
        for n in named..sizes[known.set as usize] {
            let element = Value::Element(known.set, n);
            let part = known.parts.iter().position(|slot| {
                env.slots[*slot as usize].members().is_some_and(|items| items.binary_search(&element).is_ok())
            });
            let Some(part) = part else { continue };
            if part < last {
                return false;
            }
            last = part;
        }
        true
    })
}

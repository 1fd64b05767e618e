//! Operators on listed sets and relations: sorted slices.

use super::ast::Op;
use super::error::{Error, Pos, Res};
use super::values::{Value, run};

/// Elements of either set.
pub(super) fn union(a: &[Value], b: &[Value]) -> Vec<Value> {
    let mut found = Vec::with_capacity(a.len() + b.len());
    if b.len() < a.len() / 16 {
        // A few elements are inserted each in its place.
        let mut rest = a;
        for item in b {
            let place = rest.partition_point(|other| other < item);
            found.extend_from_slice(&rest[..place]);
            found.push(item.clone());
            rest = &rest[place + usize::from(rest.get(place) == Some(item))..];
        }
        found.extend_from_slice(rest);
        return found;
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => {
                found.push(a[i].clone());
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                found.push(b[j].clone());
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                found.push(a[i].clone());
                i += 1;
                j += 1;
            }
        }
    }
    found.extend_from_slice(&a[i..]);
    found.extend_from_slice(&b[j..]);
    found
}

/// Elements of both sets.
pub(super) fn intersection(a: &[Value], b: &[Value]) -> Vec<Value> {
    a.iter().filter(|x| b.binary_search(x).is_ok()).cloned().collect()
}

/// Elements of the first set alone.
pub(super) fn difference(a: &[Value], b: &[Value]) -> Vec<Value> {
    a.iter().filter(|x| b.binary_search(x).is_err()).cloned().collect()
}

/// The image of a set, in any order.
pub(super) fn image(relation: &[Value], set: &[Value]) -> Vec<Value> {
    set.iter().flat_map(|x| run(relation, x)).map(|pair| pair.sides().1.clone()).collect()
}

/// One relation after the other, in any order.
pub(super) fn compose(a: &[Value], b: &[Value]) -> Vec<Value> {
    let mut found = Vec::new();
    for pair in a {
        let (x, y) = pair.sides();
        found.extend(run(b, y).iter().map(|other| Value::pair(x.clone(), other.sides().1.clone())));
    }
    found
}

/// The transitive closure.
pub(super) fn closure(relation: &[Value]) -> Vec<Value> {
    let mut all = relation.to_vec();
    loop {
        let next = match Value::set(compose(&all, relation)) {
            Value::Set(next) => union(&all, &next),
            _ => return all,
        };
        if next.len() == all.len() {
            return all;
        }
        all = next;
    }
}

/// Left sides.
pub(super) fn domain(relation: &[Value]) -> Vec<Value> {
    let mut found: Vec<Value> = relation.iter().map(|pair| pair.sides().0.clone()).collect();
    found.dedup();
    found
}

/// Right sides.
pub(super) fn range(relation: &[Value]) -> Value {
    Value::set(relation.iter().map(|pair| pair.sides().1.clone()).collect())
}

/// The first relation, but for the domain of the second, which rules there.
pub(super) fn overridden(a: &[Value], b: &[Value]) -> Vec<Value> {
    let kept: Vec<Value> = a.iter().filter(|pair| run(b, pair.sides().0).is_empty()).cloned().collect();
    union(&kept, b)
}

/// The operators that need nothing but listed operands.
pub(super) fn operator(op: Op, operands: &[std::sync::Arc<Vec<Value>>], pos: Pos) -> Res<Value> {
    let a = &operands[0];
    Ok(match op {
        Op::Domain => Value::sorted(domain(a)),
        Op::Range => range(a),
        Op::Inverse => {
            Value::set(a.iter().map(|pair| Value::pair(pair.sides().1.clone(), pair.sides().0.clone())).collect())
        }
        Op::Override => Value::sorted(overridden(a, &operands[1])),
        Op::Identity => Value::sorted(a.iter().map(|x| Value::pair(x.clone(), x.clone())).collect()),
        Op::Closure1 => Value::sorted(closure(a)),
        Op::DirectProduct => {
            let mut found = Vec::new();
            for pair in a.iter() {
                let (x, y) = pair.sides();
                for other in run(&operands[1], x) {
                    found.push(Value::pair(x.clone(), Value::pair(y.clone(), other.sides().1.clone())));
                }
            }
            Value::set(found)
        }
        Op::ParallelProduct => {
            let mut found = Vec::new();
            for pair in a.iter() {
                for other in operands[1].iter() {
                    let ((a, b), (c, d)) = (pair.sides(), other.sides());
                    found.push(Value::pair(Value::pair(a.clone(), c.clone()), Value::pair(b.clone(), d.clone())));
                }
            }
            Value::set(found)
        }
        Op::ToFunction => Value::sorted(
            domain(a)
                .into_iter()
                .map(|x| {
                    let image = run(a, &x).iter().map(|pair| pair.sides().1.clone()).collect();
                    Value::pair(x, Value::set(image))
                })
                .collect(),
        ),
        Op::ToRelation => {
            let mut found = Vec::new();
            for pair in a.iter() {
                let (x, inner) = pair.sides();
                found.extend(inner.members().unwrap_or(&[]).iter().map(|y| Value::pair(x.clone(), y.clone())));
            }
            Value::set(found)
        }
        _ => return Err(Error::typing(pos, "this is no expression".into())),
    })
}

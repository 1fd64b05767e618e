//! Sets of sets, functions, sequences and records: membership, size and enumeration.
//!
//! `f : A +-> B` is asked of f's pairs and never lists the function space; its size is computed from those of A and
//! B, so that the solver can compare candidates before it lists one; and it is listed only up to a limit.

use super::apply::restore;
use super::ast::{Binder, Carrier, Expr, Kind, Op, is_whole};
use super::context::{Context, Env};
use super::error::{Error, Fault, Pos, Res};
use super::types::Type;
use super::values::{Value, record_values};
use std::ops::ControlFlow;

/// The largest set that is listed.
pub(super) const LISTED: usize = 1 << 19;

/// The largest set over which enumeration recurs.
pub(super) const DEEP: usize = 1000;

/// An interval of integers.
pub(super) fn interval(low: i64, high: i64, pos: Pos) -> Res<Value> {
    if high >= low && high.abs_diff(low) as usize >= LISTED {
        return Err(Error::infinite(pos, "this interval is too large"));
    }
    Ok(Value::sorted((low..=high).map(Value::Int).collect()))
}

/// Properties of a kind of relations: functions, total, injective, surjective.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub function: bool,
    pub total: bool,
    pub injective: bool,
    pub surjective: bool,
}

fn form(op: Op) -> Option<Form> {
    let (function, total, injective, surjective) = match op {
        Op::Relations => (false, false, false, false),
        Op::PartialFunctions => (true, false, false, false),
        Op::TotalFunctions => (true, true, false, false),
        Op::PartialInjections => (true, false, true, false),
        Op::TotalInjections => (true, true, true, false),
        Op::PartialSurjections => (true, false, false, true),
        Op::TotalSurjections => (true, true, false, true),
        Op::PartialBijections => (true, false, true, true),
        Op::TotalBijections => (true, true, true, true),
        _ => return None,
    };
    Some(Form { function, total, injective, surjective })
}

/// The properties of a kind of functions, permutations among them.
pub(super) fn function_form(op: Op) -> Option<Form> {
    form(if op == Op::Permutations { Op::TotalBijections } else { op }).filter(|form| form.function)
}

/// Sets of values, built up.
struct Collected {
    found: Vec<Value>,
    pos: Pos,
}

impl Collected {
    fn push(&mut self, value: Value) -> Res<()> {
        self.found.push(value);
        if self.found.len() > LISTED { Err(Error::infinite(self.pos, "this set is too large")) } else { Ok(()) }
    }
}

/// All functions of a shape from some values to others.
fn functions(domain: &[Value], range: &[Value], shape: &Form, pairs: &mut Vec<Value>, into: &mut Collected) -> Res<()> {
    let Some((first, rest)) = domain.split_first() else {
        if shape.surjective {
            let mut hit: Vec<&Value> = pairs.iter().map(|pair| pair.sides().1).collect();
            hit.sort_unstable();
            hit.dedup();
            if hit.len() < range.len() {
                return Ok(());
            }
        }
        return into.push(Value::sorted(pairs.clone()));
    };
    if !shape.total {
        functions(rest, range, shape, pairs, into)?;
    }
    for value in range {
        if shape.injective && pairs.iter().any(|pair| pair.sides().1 == value) {
            continue;
        }
        pairs.push(Value::pair(first.clone(), value.clone()));
        functions(rest, range, shape, pairs, into)?;
        pairs.pop();
    }
    Ok(())
}

/// All subsets of a list.
fn subsets(items: &[Value], empty: bool, pos: Pos) -> Res<Value> {
    if items.len() > 18 {
        return Err(Error::infinite(pos, "a set of too many subsets"));
    }
    let mut found = Vec::with_capacity(1 << items.len());
    for mask in u64::from(!empty)..1 << items.len() {
        let chosen = items.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1).map(|(_, item)| item.clone());
        found.push(Value::sorted(chosen.collect()));
    }
    Ok(Value::set(found))
}

/// Calls a function for each choice of items, of sizes between two bounds, in their order.
///
/// # Errors
/// When the function fails.
pub(super) fn combinations(
    items: &[Value],
    sizes: (usize, usize),
    each: &mut dyn FnMut(&[Value]) -> Res<ControlFlow<()>>,
) -> Res<ControlFlow<()>> {
    fn choose(
        items: &[Value],
        size: usize,
        chosen: &mut Vec<Value>,
        each: &mut dyn FnMut(&[Value]) -> Res<ControlFlow<()>>,
    ) -> Res<ControlFlow<()>> {
        if size == 0 {
            return each(chosen);
        }
        for at in 0..(items.len() + 1).saturating_sub(size) {
            chosen.push(items[at].clone());
            let flow = choose(&items[at + 1..], size - 1, chosen, each);
            chosen.pop();
            if flow?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
    for size in sizes.0..=sizes.1.min(items.len()) {
        if choose(items, size, &mut Vec::new(), each)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// All sequences of some lengths.
fn sequences(
    items: &[Value],
    lengths: (usize, usize),
    injective: bool,
    values: &mut Vec<Value>,
    into: &mut Collected,
) -> Res<()> {
    if values.len() >= lengths.0 {
        into.push(Value::sequence(values.iter().cloned()))?;
    }
    if values.len() < lengths.1 {
        for item in items {
            if injective && values.contains(item) {
                continue;
            }
            values.push(item.clone());
            sequences(items, lengths, injective, values, into)?;
            values.pop();
        }
    }
    Ok(())
}

/// The sequences over a list, of lengths between two bounds.
pub(super) fn sequences_of(items: &[Value], lengths: (usize, usize), injective: bool, pos: Pos) -> Res<Vec<Value>> {
    let mut into = Collected { found: Vec::new(), pos };
    if lengths.1 > DEEP {
        return Err(Error::infinite(pos, "sequences that are too long"));
    }
    sequences(items, lengths, injective, &mut Vec::new(), &mut into)?;
    Ok(into.found)
}

/// All values of a type.
///
/// # Errors
/// When there are too many.
pub(super) fn type_values(context: &Context, ty: &Type, env: &mut Env, pos: Pos) -> Res<Vec<Value>> {
    let limit = |count: usize| {
        if count > LISTED { Err(Error::infinite(pos, "a variable has too many values")) } else { Ok(()) }
    };
    match ty {
        Type::Bool => Ok(vec![Value::Bool(false), Value::Bool(true)]),
        Type::Given(set) => Ok((0..context.sizes[*set as usize]).map(|n| Value::Element(*set, n)).collect()),
        Type::Int => {
            if env.strict {
                return Err(Error::infinite(pos, "a number has no bounds here"));
            }
            env.unbounded.get_or_insert(pos);
            limit(context.maxint.abs_diff(context.minint) as usize)?;
            Ok((context.minint..=context.maxint).map(Value::Int).collect())
        }
        Type::Pair(pair) => {
            let (left, right) = (type_values(context, &pair.0, env, pos)?, type_values(context, &pair.1, env, pos)?);
            limit(left.len().saturating_mul(right.len()))?;
            Ok(left.iter().flat_map(|x| right.iter().map(|y| Value::pair(x.clone(), y.clone()))).collect())
        }
        Type::Set(inner) => {
            // Sets of integers without bounds: ProB finds other ones.
            let strict = env.strict;
            env.strict |= **inner == Type::Int;
            let items = type_values(context, inner, env, pos);
            env.strict = strict;
            let items = items?;
            Ok(subsets(&items, true, pos)?.members().unwrap_or(&[]).to_vec())
        }
        Type::Record(fields) => {
            let mut found = vec![Vec::new()];
            for (_, ty) in fields.iter() {
                let values = type_values(context, ty, env, pos)?;
                limit(found.len().saturating_mul(values.len()))?;
                found = found
                    .iter()
                    .flat_map(|front: &Vec<Value>| {
                        values.iter().map(|value| front.iter().cloned().chain([value.clone()]).collect())
                    })
                    .collect();
            }
            Ok(found.into_iter().map(|values| Value::Record(values.into())).collect())
        }
        Type::Text => Err(Error::infinite(pos, "a string has no bounds here")),
        Type::Unknown | Type::Var(_) | Type::Predicate => {
            Err(Error::typing(pos, "the type of a variable is not known".into()))
        }
    }
}

impl Context {
    /// Is a value in a set?
    ///
    /// # Errors
    /// When the set has no value.
    pub(super) fn member(&self, value: &Value, set: &Expr, env: &mut Env) -> Res<bool> {
        let pos = set.pos;
        if is_whole(set) {
            return Ok(true);
        }
        match &set.kind {
            Kind::Carrier(carrier) => {
                let Value::Int(n) = *value else { return Ok(true) };
                Ok(match carrier {
                    Carrier::Natural => n >= 0,
                    Carrier::Natural1 => n >= 1,
                    Carrier::Int => n >= self.minint && n <= self.maxint,
                    Carrier::Nat => n >= 0 && n <= self.maxint,
                    Carrier::Nat1 => n >= 1 && n <= self.maxint,
                    _ => true,
                })
            }
            Kind::Slot(slot) => match &env.slots[*slot as usize] {
                Value::Set(_) if matches!(value, Value::Symbolic(_)) => {
                    Err(Error::infinite(pos, "infinite sets cannot be compared"))
                }
                Value::Set(items) => Ok(items.binary_search(value).is_ok()),
                Value::Symbolic(symbolic) => {
                    let symbolic = symbolic.clone();
                    self.inside(&symbolic, env, |context, expr, env| context.member(value, expr, env))
                }
                Value::Undecided(items) => match items.binary_search_by(|(item, _)| item.cmp(value)) {
                    Ok(at) => items[at].1.ok_or_else(|| Error::unknown(pos)),
                    Err(_) => Ok(false),
                },
                Value::Undefined => Err(Error::unset(pos)),
                _ => Err(Error::unknown(pos)),
            },
            Kind::Struct(fields) => {
                let Some(values) = record_values(value) else { return Err(Error::unknown(pos)) };
                for ((_, set), value) in fields.iter().zip(values) {
                    if !self.member(value, set, env)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Kind::Binder(Binder::Set, bound, parts) => {
                let saved = self.spread(bound, value, env);
                let result = self.holds(&parts[0], env);
                restore(bound, saved, env);
                result
            }
            Kind::Binder(Binder::Lambda, bound, parts) => {
                let (argument, result) = value.sides();
                let saved = self.spread(bound, argument, env);
                let holds = self.holds(&parts[0], env);
                let holds = match holds {
                    Ok(true) => self.named(&parts[1], env).map(|value| value == *result),
                    other => other,
                };
                restore(bound, saved, env);
                holds
            }
            Kind::Op(op, parts) => match op {
                Op::Interval => {
                    let Value::Int(n) = *value else { return Err(Error::unknown(pos)) };
                    Ok(n >= self.int(&parts[0], env)? && n <= self.int(&parts[1], env)?)
                }
                Op::Union => Ok(self.member(value, &parts[0], env)? || self.member(value, &parts[1], env)?),
                Op::Intersection => Ok(self.member(value, &parts[0], env)? && self.member(value, &parts[1], env)?),
                Op::Difference => Ok(self.member(value, &parts[0], env)? && !self.member(value, &parts[1], env)?),
                Op::Product => {
                    let (left, right) = value.sides();
                    Ok(self.member(left, &parts[0], env)? && self.member(right, &parts[1], env)?)
                }
                Op::PowerSet | Op::FiniteSets | Op::PowerSet1 | Op::FiniteSets1 => {
                    let items = self.listed(value, env, pos)?;
                    if items.is_empty() && matches!(op, Op::PowerSet1 | Op::FiniteSets1) {
                        return Ok(false);
                    }
                    for item in items.iter() {
                        if !self.member(item, &parts[0], env)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                }
                Op::Domain => self.domain_member(value, &parts[0], env),
                Op::Identity => {
                    let (left, right) = value.sides();
                    Ok(left == right && self.member(left, &parts[0], env)?)
                }
                Op::Inverse => {
                    let (left, right) = value.sides();
                    self.member(&Value::pair(right.clone(), left.clone()), &parts[0], env)
                }
                Op::DomainRestrict | Op::DomainSubtract => {
                    let inside = self.member(value.sides().0, &parts[0], env)?;
                    Ok(inside == (*op == Op::DomainRestrict) && self.member(value, &parts[1], env)?)
                }
                Op::RangeRestrict | Op::RangeSubtract => {
                    let inside = self.member(value.sides().1, &parts[1], env)?;
                    Ok(inside == (*op == Op::RangeRestrict) && self.member(value, &parts[0], env)?)
                }
                Op::Sequences | Op::Sequences1 | Op::InjectiveSequences | Op::InjectiveSequences1 => {
                    let Some(values) = self.as_sequence(value, env, pos)? else { return Ok(false) };
                    if values.is_empty() {
                        return Ok(matches!(op, Op::Sequences | Op::InjectiveSequences));
                    }
                    for item in &values {
                        if !self.member(item, &parts[0], env)? {
                            return Ok(false);
                        }
                    }
                    Ok(!matches!(op, Op::InjectiveSequences | Op::InjectiveSequences1) || all_different(&values))
                }
                Op::Permutations => {
                    let Some(values) = self.as_sequence(value, env, pos)? else { return Ok(false) };
                    let whole = self.members(&parts[0], env)?;
                    Ok(values.len() == whole.len() && Value::set(values) == Value::Set(whole))
                }
                _ => match form(*op) {
                    Some(shape) => self.has_shape(value, &shape, parts, env, pos),
                    None => Ok(self.members(set, env)?.binary_search(value).is_ok()),
                },
            },
            _ => {
                let set = self.named(set, env)?;
                match set {
                    Value::Set(items) => Ok(items.binary_search(value).is_ok()),
                    Value::Symbolic(symbolic) if symbolic.expr.pos != pos => {
                        self.inside(&symbolic, env, |context, expr, env| context.member(value, expr, env))
                    }
                    _ => Err(Error::infinite(pos, "membership in a set that cannot be listed")),
                }
            }
        }
    }

    /// Is a set that cannot be listed in another set?
    pub(super) fn symbolic_member(&self, value: &Expr, set: &Expr, env: &mut Env) -> Res<bool> {
        if is_whole(set) {
            return Ok(true);
        }
        let value = self.named(value, env)?;
        self.member(&value, set, env)
    }

    fn as_sequence(&self, value: &Value, env: &mut Env, pos: Pos) -> Res<Option<Vec<Value>>> {
        Ok(Value::Set(self.listed(value, env, pos)?).as_sequence())
    }

    /// Is a relation of a shape, from one set to another?
    fn has_shape(&self, value: &Value, shape: &Form, parts: &[Expr], env: &mut Env, pos: Pos) -> Res<bool> {
        if let Value::Symbolic(symbolic) = value
            && let Some(answer) = lambda_shape(&symbolic.expr, shape, parts)
        {
            return Ok(answer);
        }
        let pairs = self.listed(value, env, pos)?;
        if shape.function && pairs.windows(2).any(|two| two[0].sides().0 == two[1].sides().0) {
            return Ok(false);
        }
        for pair in pairs.iter() {
            let (left, right) = pair.sides();
            if !self.member(left, &parts[0], env)? || !self.member(right, &parts[1], env)? {
                return Ok(false);
            }
        }
        if shape.total {
            match self.members(&parts[0], env) {
                Ok(domain) if domain.len() == pairs.len() => {}
                Ok(_) => return Ok(false),
                Err(error) if error.fault() == Fault::Infinite => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        if shape.injective {
            let values: Vec<Value> = pairs.iter().map(|pair| pair.sides().1.clone()).collect();
            if !all_different(&values) {
                return Ok(false);
            }
        }
        if shape.surjective {
            let range = super::relations::range(&pairs);
            return Ok(range.members().map_or(0, <[Value]>::len) == self.members(&parts[1], env)?.len());
        }
        Ok(true)
    }

    /// How large a set is, about; infinite if it is.
    ///
    /// # Errors
    /// When the set has no value.
    pub(super) fn estimate(&self, set: &Expr, env: &mut Env) -> Res<f64> {
        let known = match &set.kind {
            Kind::Carrier(carrier) => match carrier {
                Carrier::Bool => 2.0,
                Carrier::Given(set) => f64::from(self.sizes[*set as usize]),
                Carrier::Int => self.maxint as f64 - self.minint as f64 + 1.0,
                Carrier::Nat => self.maxint as f64 + 1.0,
                Carrier::Nat1 => self.maxint as f64,
                _ => f64::INFINITY,
            },
            Kind::Struct(fields) => {
                let mut size = 1.0;
                for (_, part) in fields {
                    size *= self.estimate(part, env)?;
                }
                size
            }
            Kind::Op(op, parts) => match op {
                Op::Interval => {
                    let (low, high) = (self.int(&parts[0], env)?, self.int(&parts[1], env)?);
                    (high.saturating_sub(low).saturating_add(1)).max(0) as f64
                }
                Op::Product => self.estimate(&parts[0], env)? * self.estimate(&parts[1], env)?,
                Op::PowerSet | Op::FiniteSets => self.estimate(&parts[0], env)?.exp2(),
                Op::PowerSet1 | Op::FiniteSets1 => self.estimate(&parts[0], env)?.exp2() - 1.0,
                Op::Sequences | Op::Sequences1 => match self.estimate(&parts[0], env)? {
                    0.0 => 1.0,
                    _ => f64::INFINITY,
                },
                Op::Permutations => factorial(self.estimate(&parts[0], env)?),
                Op::InjectiveSequences | Op::InjectiveSequences1 => {
                    factorial(self.estimate(&parts[0], env)?) * std::f64::consts::E
                }
                _ => match form(*op) {
                    None => return self.size_of_listed(set, env),
                    Some(shape) => {
                        let (a, b) = (self.estimate(&parts[0], env)?, self.estimate(&parts[1], env)?);
                        match shape {
                            Form { function: false, .. } => (a * b).exp2(),
                            Form { injective: true, total: true, .. } if a <= b => {
                                (0..a.min(200.0) as u32).map(|i| b - f64::from(i)).product()
                            }
                            Form { injective: true, total: true, .. } => 0.0,
                            Form { total: true, .. } => b.powf(a),
                            _ => (b + 1.0).powf(a),
                        }
                    }
                },
            },
            _ => return self.size_of_listed(set, env),
        };
        Ok(if known.is_nan() { f64::INFINITY } else { known })
    }

    fn size_of_listed(&self, set: &Expr, env: &mut Env) -> Res<f64> {
        match self.members(set, env) {
            Ok(items) => Ok(items.len() as f64),
            Err(error) if error.fault() == Fault::Infinite => Ok(f64::INFINITY),
            Err(error) => Err(error),
        }
    }

    /// Lists a set of sets, functions, sequences or records.
    pub(super) fn space(&self, set: &Expr, env: &mut Env) -> Res<Value> {
        let pos = set.pos;
        let mut into = Collected { found: Vec::new(), pos };
        match &set.kind {
            Kind::Struct(fields) => {
                let mut found = vec![Vec::new()];
                for (_, part) in fields {
                    let values = self.members(part, env)?;
                    if found.len().saturating_mul(values.len()) > LISTED {
                        return Err(Error::infinite(pos, "this set of records is too large"));
                    }
                    found = found
                        .iter()
                        .flat_map(|front: &Vec<Value>| {
                            values.iter().map(|value| front.iter().cloned().chain([value.clone()]).collect())
                        })
                        .collect();
                }
                into.found = found.into_iter().map(|values| Value::Record(values.into())).collect();
            }
            Kind::Op(op, parts) => {
                let items = self.members(&parts[0], env)?;
                match op {
                    Op::PowerSet | Op::FiniteSets => return subsets(&items, true, pos),
                    Op::PowerSet1 | Op::FiniteSets1 => return subsets(&items, false, pos),
                    Op::Sequences if items.is_empty() => into.found.push(Value::sorted(Vec::new())),
                    Op::Sequences1 if items.is_empty() => {}
                    Op::Sequences | Op::Sequences1 => return Err(Error::infinite(pos, "all sequences")),
                    Op::InjectiveSequences => into.found = sequences_of(&items, (0, items.len()), true, pos)?,
                    Op::InjectiveSequences1 => into.found = sequences_of(&items, (1, items.len()), true, pos)?,
                    Op::Permutations => into.found = sequences_of(&items, (items.len(), items.len()), true, pos)?,
                    Op::Relations => {
                        let range = self.members(&parts[1], env)?;
                        let pairs: Vec<_> = items
                            .iter()
                            .flat_map(|x| range.iter().map(|y| Value::pair(x.clone(), y.clone())))
                            .collect();
                        return subsets(&pairs, true, pos);
                    }
                    _ => {
                        let Some(shape) = form(*op) else { return Err(Error::unknown(pos)) };
                        let range = self.members(&parts[1], env)?;
                        if self.estimate(set, env)? > 100.0 * LISTED as f64 {
                            return Err(Error::infinite(pos, "this set of functions is too large"));
                        }
                        if items.len() > DEEP {
                            return Err(Error::infinite(pos, "functions with too many arguments"));
                        }
                        functions(&items, &range, &shape, &mut Vec::new(), &mut into)?;
                    }
                }
            }
            _ => return Err(Error::unknown(pos)),
        }
        Ok(Value::set(into.found))
    }
}

/// Are all values different?
pub(super) fn all_different(values: &[Value]) -> bool {
    let mut sorted: Vec<&Value> = values.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|two| two[0] != two[1])
}

fn factorial(n: f64) -> f64 {
    if n > 100.0 { f64::INFINITY } else { (1..=n as u32).map(f64::from).product() }
}

/// Is a lambda term over an infinite set obviously a function of a shape, or obviously not?
fn lambda_shape(expr: &Expr, shape: &Form, parts: &[Expr]) -> Option<bool> {
    let Kind::Binder(Binder::Lambda, bound, inner) = &expr.kind else { return None };
    if shape.injective || shape.surjective || !is_whole(&parts[1]) {
        return None;
    }
    let [var] = &bound[..] else { return (!shape.total && is_whole(&parts[0])).then_some(true) };
    // %x.(x : S | E) : S --> T
    let same = match &inner[0].kind {
        Kind::Op(Op::In, sides) => match (&sides[0].kind, &sides[1].kind, &parts[0].kind) {
            (Kind::Slot(slot), Kind::Carrier(a), Kind::Carrier(b)) => *slot == var.slot && a == b,
            _ => false,
        },
        _ => false,
    };
    (same || (!shape.total && is_whole(&parts[0]))).then_some(true)
}

//! Values of formulas.
//!
//! Plain recursion on the tree, with two ideas. Sets are listed only where their elements are needed: `x : S` asks the
//! formula S ([`Context::member`]), so that `f : NATURAL +-> POW(INTEGER)` costs as much as f is large; a set that
//! cannot be listed and is given a name stays a formula ([`Value::Symbolic`]). And binders ask the solver
//! ([`super::solver`]), which takes candidates from the most selective conjunct.
//!
//! An expression without a value (a function outside its domain, a division by zero, the minimum of nothing) is an
//! error of kind [`Fault::IllDefined`]. Integers have 64 bits; beyond them the model is refused.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::ast::{Binder, Bound, Carrier, Expr, Kind, Op, is_whole};
use super::context::{Context, Env};
use super::error::{Error, Fault, Pos, Res};
use super::operators::{arithmetic, overflow};
use super::relations as rel;
use super::spaces::{self, LISTED};
use super::types::Type;
use super::values::{Symbolic, Value, record_values};

/// How deep symbolic functions may be applied inside one another.
const APPLIED: u32 = 60;

impl Context {
    /// Does a predicate hold?
    ///
    /// # Errors
    /// When it has no value.
    pub(super) fn holds(&self, expr: &Expr, env: &mut Env) -> Res<bool> {
        let pos = expr.pos;
        match &expr.kind {
            Kind::Op(op, parts) => match op {
                Op::And | Op::Or => {
                    // What is not known yet may not matter.
                    let short = *op == Op::Or;
                    let mut unknown = None;
                    for part in parts {
                        match self.holds(part, env) {
                            Ok(value) if value == short => return Ok(short),
                            Ok(_) => {}
                            Err(error) if error.fault() == Fault::Unknown => unknown = Some(error),
                            Err(error) => return Err(unknown.unwrap_or(error)),
                        }
                    }
                    unknown.map_or(Ok(!short), Err)
                }
                Op::Not => Ok(!self.holds(&parts[0], env)?),
                Op::Implies => match self.holds(&parts[0], env) {
                    Ok(false) => Ok(true),
                    Ok(true) => self.holds(&parts[1], env),
                    Err(error) if error.fault() == Fault::Unknown => match self.holds(&parts[1], env) {
                        Ok(true) => Ok(true),
                        _ => Err(error),
                    },
                    Err(error) => Err(error),
                },
                Op::Iff => Ok(self.holds(&parts[0], env)? == self.holds(&parts[1], env)?),
                Op::If => {
                    let branch = if self.holds(&parts[0], env)? { 1 } else { 2 };
                    self.holds(&parts[branch], env)
                }
                Op::Equal => self.equal(&parts[0], &parts[1], env),
                Op::Unequal => Ok(!self.equal(&parts[0], &parts[1], env)?),
                Op::In | Op::NotIn => {
                    if let (Some(value), Some(Value::Set(items))) = (env.ready(&parts[0]), env.ready(&parts[1])) {
                        return Ok(contains(items, value) == (*op == Op::In));
                    }
                    let value = self.value(&parts[0], env);
                    let value = match value {
                        Err(error) if error.fault() == Fault::Infinite => {
                            return Ok(self.symbolic_member(&parts[0], &parts[1], env)? == (*op == Op::In));
                        }
                        value => value?,
                    };
                    Ok(self.member(&value, &parts[1], env)? == (*op == Op::In))
                }
                Op::Subset => self.subset(&parts[0], &parts[1], env),
                Op::NotSubset => Ok(!self.subset(&parts[0], &parts[1], env)?),
                Op::StrictSubset | Op::NotStrictSubset => {
                    let strict = self.subset(&parts[0], &parts[1], env)? && !self.equal(&parts[0], &parts[1], env)?;
                    Ok(strict == (*op == Op::StrictSubset))
                }
                Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                    let (a, b) = (self.int(&parts[0], env)?, self.int(&parts[1], env)?);
                    Ok(match op {
                        Op::Less => a < b,
                        Op::LessEqual => a <= b,
                        Op::Greater => a > b,
                        _ => a >= b,
                    })
                }
                _ => Err(Error::typing(pos, "this is no predicate".into())),
            },
            Kind::Binder(Binder::Forall, bound, parts) => self.forall(bound, &parts[0], env),
            Kind::Binder(Binder::Exists, bound, parts) => {
                let mut found = false;
                self.quantify(bound, &parts[0].conjuncts(), env, &mut |_, _| {
                    found = true;
                    Ok(ControlFlow::Break(()))
                })?;
                Ok(found)
            }
            Kind::Binder(Binder::Let, bound, parts) => {
                let mut result = None;
                self.quantify(bound, &parts[0].conjuncts(), env, &mut |context, env| {
                    result = Some(context.holds(&parts[1], env)?);
                    Ok(ControlFlow::Break(()))
                })?;
                result.ok_or_else(|| Error::ill(pos, "LET has no solution"))
            }
            _ => Err(Error::typing(pos, "this is no predicate".into())),
        }
    }

    /// `!x.(P)`
    fn forall(&self, bound: &[Bound], body: &Expr, env: &mut Env) -> Res<bool> {
        let mut premises = Vec::new();
        let mut conclusion = body;
        while let Kind::Op(Op::Implies, parts) = &conclusion.kind {
            premises.extend(parts[0].conjuncts());
            conclusion = &parts[1];
        }
        let (mut all, mut unknown) = (true, None);
        self.quantify(bound, &premises, env, &mut |context, env| {
            match context.holds(conclusion, env) {
                Ok(true) => {}
                Ok(false) => {
                    all = false;
                    return Ok(ControlFlow::Break(()));
                }
                Err(error) if error.fault() == Fault::Unknown => unknown = Some(error),
                Err(error) => return Err(error),
            }
            Ok(ControlFlow::Continue(()))
        })?;
        match unknown {
            Some(error) if all => Err(error),
            _ => Ok(all),
        }
    }

    /// Asks the solver for all values of bound variables; integers without bounds are an error unless the search ends
    /// before it is complete.
    fn quantify(
        &self,
        bound: &[Bound],
        such: &[&Expr],
        env: &mut Env,
        each: &mut dyn FnMut(&Context, &mut Env) -> Res<ControlFlow<()>>,
    ) -> Res<()> {
        let (outside, strict, lenient) = (env.unbounded.take(), env.strict, env.lenient);
        (env.strict, env.lenient) = (false, false);
        let result = self.solve(bound, such, env, each);
        let here = std::mem::replace(&mut env.unbounded, outside);
        (env.strict, env.lenient) = (strict, lenient);
        match (result?, here) {
            (ControlFlow::Continue(()), Some(pos)) => Err(Error::infinite(pos, "a variable has no bounds here")),
            _ => Ok(()),
        }
    }

    /// Asks the solver for all values of bound variables; integers without bounds are an error.
    pub(super) fn list(
        &self,
        bound: &[Bound],
        such: &Expr,
        env: &mut Env,
        each: &mut dyn FnMut(&Context, &mut Env) -> Res<()>,
    ) -> Res<()> {
        let strict = std::mem::replace(&mut env.strict, true);
        let lenient = std::mem::replace(&mut env.lenient, false);
        let result = self.solve(bound, &such.conjuncts(), env, &mut |context, env| {
            let inner = std::mem::replace(&mut env.strict, strict);
            let result = each(context, env);
            env.strict = inner;
            result.map(ControlFlow::Continue)
        });
        (env.strict, env.lenient) = (strict, lenient);
        result.map(|_| ())
    }

    /// `a = b`
    fn equal(&self, a: &Expr, b: &Expr, env: &mut Env) -> Res<bool> {
        if a.ty == Type::Int {
            return Ok(self.int(a, env)? == self.int(b, env)?);
        }
        // What lies ready is not copied.
        match (env.ready(a), env.ready(b)) {
            (Some(left), Some(right)) => return Ok(left == right),
            (None, None) => {}
            (left, _) => {
                let (ready, other) = if left.is_some() { (a, b) } else { (b, a) };
                let value = self.named(other, env)?;
                if !matches!(value, Value::Symbolic(_))
                    && let Some(ready) = env.ready(ready)
                {
                    return Ok(*ready == value);
                }
            }
        }
        let (left, right) = (self.named(a, env)?, self.named(b, env)?);
        if let (Value::Symbolic(_), _) | (_, Value::Symbolic(_)) = (&left, &right) {
            if left == right {
                return Ok(true);
            }
            return Err(Error::infinite(a.pos, "infinite sets cannot be compared"));
        }
        Ok(left == right)
    }

    /// `a <: b`
    fn subset(&self, a: &Expr, b: &Expr, env: &mut Env) -> Res<bool> {
        if is_whole(b) {
            // The whole type, for any value there is.
            if !env.binds(a) {
                self.value(a, env)?;
            }
            return Ok(true);
        }
        let items = match self.members(a, env) {
            Err(error) if error.fault() == Fault::Infinite => {
                return match (&a.kind, &b.kind) {
                    (Kind::Carrier(a), Kind::Carrier(b)) if rank(*a) <= rank(*b) => Ok(true),
                    _ => Err(error),
                };
            }
            items => items?,
        };
        for item in items.iter() {
            if !self.member(item, b, env)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The value of a formula, which may stay a formula if it is a set that cannot be listed.
    pub(super) fn named(&self, expr: &Expr, env: &mut Env) -> Res<Value> {
        match self.value(expr, env) {
            Err(error) if error.fault() == Fault::Infinite && expr.ty.element().is_some() => {
                let captured = expr.free.iter().map(|slot| (*slot, env.slots[*slot as usize].clone())).collect();
                Ok(Value::Symbolic(Arc::new(Symbolic::new(expr.clone(), captured))))
            }
            result => result,
        }
    }

    /// A number.
    pub(super) fn int(&self, expr: &Expr, env: &mut Env) -> Res<i64> {
        match &expr.kind {
            Kind::Literal(Value::Int(n)) => return Ok(*n),
            Kind::Slot(slot) => {
                if let Value::Int(n) = env.slots[*slot as usize] {
                    return Ok(n);
                }
            }
            Kind::Op(op @ (Op::Add | Op::Subtract | Op::Multiply), parts) => {
                let (a, b) = (self.int(&parts[0], env)?, self.int(&parts[1], env)?);
                return arithmetic(*op, a, b, expr.pos);
            }
            _ => {}
        }
        match self.value(expr, env)? {
            Value::Int(n) => Ok(n),
            _ => Err(Error::unknown(expr.pos)),
        }
    }

    /// The elements of a set.
    pub(super) fn members(&self, expr: &Expr, env: &mut Env) -> Res<Arc<Vec<Value>>> {
        let value = self.value(expr, env)?;
        self.listed(&value, env, expr.pos)
    }

    /// The elements of a set value.
    pub(super) fn listed(&self, value: &Value, env: &mut Env, pos: Pos) -> Res<Arc<Vec<Value>>> {
        match value {
            Value::Set(set) => Ok(set.clone()),
            Value::Symbolic(symbolic) => {
                let value = self.inside(symbolic, env, |context, expr, env| context.value(expr, env))?;
                match value {
                    Value::Set(set) => Ok(set),
                    _ => Err(Error::infinite(pos, "a symbolic set cannot be listed")),
                }
            }
            _ => Err(Error::unknown(pos)),
        }
    }

    /// Evaluates a symbolic set where its variables have their values.
    pub(super) fn inside<T>(
        &self,
        symbolic: &Symbolic,
        env: &mut Env,
        run: impl FnOnce(&Context, &Expr, &mut Env) -> Res<T>,
    ) -> Res<T> {
        if env.depth > APPLIED {
            return Err(Error::refused(symbolic.expr.pos, format!("functions are applied more than {APPLIED} deep")));
        }
        env.spend(1)?;
        env.depth += 1;
        let mut saved = Vec::with_capacity(symbolic.captured.len());
        for (slot, value) in &symbolic.captured {
            saved.push(std::mem::replace(&mut env.slots[*slot as usize], value.clone()));
        }
        let result = run(self, &symbolic.expr, env);
        for ((slot, _), value) in symbolic.captured.iter().zip(saved) {
            env.slots[*slot as usize] = value;
        }
        env.depth -= 1;
        result
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// When it has none, or none that can be listed.
    pub(super) fn value(&self, expr: &Expr, env: &mut Env) -> Res<Value> {
        let pos = expr.pos;
        match &expr.kind {
            Kind::Slot(slot) => match &env.slots[*slot as usize] {
                Value::Undefined => Err(Error::unset(pos)),
                Value::Partial(_) | Value::Undecided(_) => Err(Error::unknown(pos)),
                value => Ok(value.clone()),
            },
            Kind::Literal(value) => Ok(value.clone()),
            Kind::Carrier(carrier) => self.carrier(*carrier, pos),
            Kind::Name(name) => Err(Error::typing(pos, format!("{name} is not declared"))),
            Kind::Record(fields) => {
                let values: Res<Vec<_>> = fields.iter().map(|(_, part)| self.named(part, env)).collect();
                Ok(Value::Record(Arc::new(values?)))
            }
            Kind::Struct(_) => self.space(expr, env),
            Kind::Field(record, name) => {
                let value = self.value(record, env)?;
                field_index(&record.ty, name)
                    .and_then(|at| Some(record_values(&value)?.get(at)?.clone()))
                    .ok_or_else(|| Error::unknown(pos))
            }
            Kind::Update(record, name, new) => {
                let value = self.value(record, env)?;
                let new = self.named(new, env)?;
                let (Some(at), Some(values)) = (field_index(&record.ty, name), record_values(&value)) else {
                    return Err(Error::unknown(pos));
                };
                let mut values = values.clone();
                values[at] = new;
                Ok(Value::Record(Arc::new(values)))
            }
            Kind::Binder(binder, bound, parts) => self.binder(*binder, bound, parts, env, pos),
            Kind::Op(op, parts) => self.op(*op, parts, expr, env),
        }
    }

    /// A carrier set, listed.
    fn carrier(&self, carrier: Carrier, pos: Pos) -> Res<Value> {
        let interval = |low: i64, high: i64| spaces::interval(low, high, pos);
        match carrier {
            Carrier::Bool => Ok(Value::sorted(vec![Value::Bool(false), Value::Bool(true)])),
            Carrier::Given(set) if !self.given.is_empty() => Ok(self.given[set as usize].clone()),
            Carrier::Given(set) => {
                Ok(Value::sorted((0..self.sizes[set as usize]).map(|n| Value::Element(set, n)).collect()))
            }
            Carrier::Int => interval(self.minint, self.maxint),
            Carrier::Nat => interval(0, self.maxint),
            Carrier::Nat1 => interval(1, self.maxint),
            Carrier::Integer | Carrier::Natural | Carrier::Natural1 => Err(Error::infinite(pos, "the integers")),
            Carrier::String => Err(Error::infinite(pos, "STRING")),
        }
    }

    pub(super) fn binder(
        &self,
        binder: Binder,
        bound: &[Bound],
        parts: &[Expr],
        env: &mut Env,
        pos: Pos,
    ) -> Res<Value> {
        let tuple = |env: &Env| {
            let values = bound.iter().map(|var| env.slots[var.slot as usize].clone());
            values.reduce(Value::pair).unwrap_or(Value::Undefined)
        };
        match binder {
            Binder::Set | Binder::Lambda => {
                let mut found = Vec::new();
                self.list(bound, &parts[0], env, &mut |context, env| {
                    let tuple = tuple(env);
                    found.push(match parts.get(1) {
                        Some(body) => Value::pair(tuple, context.named(body, env)?),
                        None => tuple,
                    });
                    if found.len() > LISTED { Err(Error::infinite(pos, "this set is too large")) } else { Ok(()) }
                })?;
                Ok(Value::set(found))
            }
            Binder::Sigma | Binder::Pi => {
                // The same values may be found twice, but count once.
                let mut found = Vec::new();
                self.list(bound, &parts[0], env, &mut |context, env| {
                    found.push((tuple(env), context.int(&parts[1], env)?));
                    Ok(())
                })?;
                found.sort_unstable();
                found.dedup();
                let numbers = found.into_iter().map(|(_, n)| n);
                let total = match binder {
                    Binder::Sigma => numbers.into_iter().try_fold(0i64, i64::checked_add),
                    _ => numbers.into_iter().try_fold(1i64, i64::checked_mul),
                };
                total.map(Value::Int).ok_or_else(|| overflow(pos))
            }
            Binder::Union | Binder::Inter => {
                let mut found: Vec<Value> = Vec::new();
                let mut common: Option<Vec<Value>> = None;
                self.list(bound, &parts[0], env, &mut |context, env| {
                    let set = context.members(&parts[1], env)?;
                    if binder == Binder::Union {
                        found.extend(set.iter().cloned());
                        return Ok(());
                    }
                    common = Some(match common.take() {
                        Some(common) => rel::intersection(&common, &set),
                        None => set.to_vec(),
                    });
                    Ok(())
                })?;
                match (binder, common) {
                    (Binder::Union, _) => Ok(Value::set(found)),
                    (_, Some(common)) => Ok(Value::sorted(common)),
                    _ => Err(Error::ill(pos, "INTER of no sets")),
                }
            }
            Binder::Let => {
                let mut result = None;
                self.quantify(bound, &parts[0].conjuncts(), env, &mut |context, env| {
                    result = Some(context.named(&parts[1], env)?);
                    Ok(ControlFlow::Break(()))
                })?;
                result.ok_or_else(|| Error::ill(pos, "LET has no solution"))
            }
            Binder::Forall | Binder::Exists => Err(Error::typing(pos, "this is no expression".into())),
        }
    }
}

/// Is a value in a sorted list?
fn contains(items: &[Value], value: &Value) -> bool {
    if items.len() < 8 { items.contains(value) } else { items.binary_search(value).is_ok() }
}

/// Sets of integers by inclusion.
fn rank(carrier: Carrier) -> u32 {
    match carrier {
        Carrier::Natural1 => 1,
        Carrier::Natural => 2,
        Carrier::Integer => 3,
        _ => 0,
    }
}

/// Where a field is in a record of a type.
pub(super) fn field_index(ty: &Type, name: &str) -> Option<usize> {
    match ty {
        Type::Record(fields) => fields.iter().position(|(field, _)| &**field == name),
        _ => None,
    }
}

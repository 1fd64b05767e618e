//! Names and types: what turns syntax trees into something that can be evaluated.
//!
//! One pass gives each binder's variables slots of their own, resolves names, puts called operations in the place of
//! their calls, and unifies types; a second one, once all types are known, writes them into the trees, decides what
//! the overloaded `-` and `*` mean, and notes the free slots of each formula. Assignments to parts (`f(x) := v`,
//! `r'a := v`) become assignments to variables.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ast::{Binder, Bound, Carrier, Expr, Kind, Name, Op, Operation, Sub, SubKind};
use super::error::{Error, Pos, Res};
use super::types::{Type, Unifier};
use super::values::Value;

/// How deep operations may call one another.
const CALLS: usize = 8;

/// The meaning of a global name.
#[derive(Clone, Debug)]
pub(super) enum Global {
    /// A variable or constant.
    Slot(u32),
    /// An element of an enumerated set.
    Element(u32, u32),
    /// A given set.
    Given(u32),
}

/// A slot of the environment.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The name of the variable.
    pub name: Name,
    /// Its type.
    pub ty: Type,
}

/// Names and types of a model.
#[derive(Default)]
pub(super) struct Checker {
    /// Types.
    pub unifier: Unifier,
    /// Global names.
    pub globals: FxHashMap<Name, Global>,
    /// All slots.
    pub slots: Vec<Slot>,
    /// Operations that can be called.
    pub operations: FxHashMap<Name, Operation>,
    /// Visible names that are bound, inner ones last.
    locals: Vec<(Name, u32)>,
    /// Products that wait for their types: left, right, result.
    pub(super) products: Vec<(Type, Type, Type, Pos)>,
    /// Fields that wait for the types of their records: record, name, type of the field.
    fields: Vec<(Type, Name, Type, Pos)>,
    calls: usize,
}

impl Checker {
    /// A new slot.
    pub(super) fn slot(&mut self, name: &Name) -> u32 {
        let ty = self.unifier.fresh();
        self.slots.push(Slot { name: name.clone(), ty });
        self.slots.len() as u32 - 1
    }

    /// Gives bound variables slots and makes them visible.
    fn bind(&mut self, bound: &mut [Bound]) {
        for var in bound {
            var.slot = self.slot(&var.name);
            var.ty = self.slots[var.slot as usize].ty.clone();
            self.locals.push((var.name.clone(), var.slot));
        }
    }

    fn slot_type(&self, slot: u32) -> Type {
        self.slots[slot as usize].ty.clone()
    }

    /// Checks a predicate.
    ///
    /// # Errors
    /// When names are not known or types do not fit.
    pub(super) fn predicate(&mut self, expr: &mut Expr) -> Res<()> {
        self.want(expr, &Type::Predicate)
    }

    /// Checks an expression of a type.
    pub(super) fn want(&mut self, expr: &mut Expr, want: &Type) -> Res<()> {
        let have = self.infer(expr)?;
        self.unifier.same(&have, want, expr.pos)
    }

    /// A set: the type of its elements.
    pub(super) fn set(&mut self, expr: &mut Expr) -> Res<Type> {
        let element = self.unifier.fresh();
        self.want(expr, &element.clone().set())?;
        Ok(element)
    }

    /// A relation: the types of its sides.
    pub(super) fn relation(&mut self, expr: &mut Expr) -> Res<(Type, Type)> {
        let (left, right) = (self.unifier.fresh(), self.unifier.fresh());
        self.want(expr, &Type::relation(left.clone(), right.clone()))?;
        Ok((left, right))
    }

    /// A sequence: the type of its values.
    pub(super) fn sequence(&mut self, expr: &mut Expr) -> Res<Type> {
        let element = self.unifier.fresh();
        self.want(expr, &Type::relation(Type::Int, element.clone()))?;
        Ok(element)
    }

    pub(super) fn infer(&mut self, expr: &mut Expr) -> Res<Type> {
        let ty = self.infer_kind(expr)?;
        expr.ty = ty.clone();
        Ok(ty)
    }

    fn infer_kind(&mut self, expr: &mut Expr) -> Res<Type> {
        let pos = expr.pos;
        match &mut expr.kind {
            Kind::Name(name) => {
                if let Some((_, slot)) = self.locals.iter().rev().find(|(local, _)| local == name) {
                    let slot = *slot;
                    expr.kind = Kind::Slot(slot);
                    return Ok(self.slot_type(slot));
                }
                match self.globals.get(name).cloned() {
                    Some(Global::Slot(slot)) => {
                        expr.kind = Kind::Slot(slot);
                        Ok(self.slot_type(slot))
                    }
                    Some(Global::Element(set, at)) => {
                        expr.kind = Kind::Literal(Value::Element(set, at));
                        Ok(Type::Given(set))
                    }
                    Some(Global::Given(set)) => {
                        expr.kind = Kind::Carrier(Carrier::Given(set));
                        Ok(Type::Given(set).set())
                    }
                    None => Err(Error::typing(pos, format!("{name} is not declared"))),
                }
            }
            Kind::Slot(slot) => Ok(self.slots[*slot as usize].ty.clone()),
            Kind::Literal(value) => Ok(match value {
                Value::Bool(_) => Type::Bool,
                Value::Int(_) => Type::Int,
                Value::Text(_) => Type::Text,
                Value::Element(set, _) => Type::Given(*set),
                _ => self.unifier.fresh(),
            }),
            Kind::Carrier(carrier) => Ok(match carrier {
                Carrier::Bool => Type::Bool,
                Carrier::String => Type::Text,
                Carrier::Given(set) => Type::Given(*set),
                _ => Type::Int,
            }
            .set()),
            Kind::Record(fields) => {
                let mut types = Vec::new();
                for (name, part) in fields {
                    types.push((name.clone(), self.infer(part)?));
                }
                Ok(Type::Record(types.into()))
            }
            Kind::Struct(fields) => {
                let mut types = Vec::new();
                for (name, part) in fields {
                    types.push((name.clone(), self.set(part)?));
                }
                Ok(Type::Record(types.into()).set())
            }
            Kind::Field(record, name) => {
                let name = name.clone();
                let record = self.infer(record)?;
                let ty = self.unifier.fresh();
                self.fields.push((record, name, ty.clone(), pos));
                self.settle_fields(false)?;
                Ok(ty)
            }
            Kind::Update(record, name, value) => {
                let name = name.clone();
                let record = self.infer(record)?;
                let ty = self.infer(value)?;
                self.fields.push((record.clone(), name, ty, pos));
                Ok(record)
            }
            Kind::Binder(binder, bound, parts) => {
                let depth = self.locals.len();
                self.bind(bound);
                let tuple = bound.iter().map(|var| var.ty.clone()).reduce(Type::pair).unwrap_or(Type::Unknown);
                let binder = *binder;
                let result = self.infer_binder(binder, &tuple, parts);
                self.locals.truncate(depth);
                result
            }
            Kind::Op(op, parts) => {
                let op = *op;
                self.infer_op(op, parts, pos)
            }
        }
    }

    fn infer_binder(&mut self, binder: Binder, tuple: &Type, parts: &mut [Expr]) -> Res<Type> {
        self.predicate(&mut parts[0])?;
        Ok(match binder {
            Binder::Forall | Binder::Exists => Type::Predicate,
            Binder::Set => tuple.clone().set(),
            Binder::Lambda => Type::relation(tuple.clone(), self.infer(&mut parts[1])?),
            Binder::Sigma | Binder::Pi => {
                self.want(&mut parts[1], &Type::Int)?;
                Type::Int
            }
            Binder::Union | Binder::Inter => self.set(&mut parts[1])?.set(),
            Binder::Let => self.infer(&mut parts[1])?,
        })
    }

    /// Decides the products whose types are known by now.
    pub(super) fn settle_products(&mut self) -> Res<()> {
        loop {
            let before = self.products.len();
            for (left, right, result, pos) in std::mem::take(&mut self.products) {
                let tops = [&left, &right, &result].map(|ty| self.unifier.top(ty));
                if tops.contains(&Type::Int) {
                    for ty in [&left, &right, &result] {
                        self.unifier.same(ty, &Type::Int, pos)?;
                    }
                } else if tops.iter().any(|ty| matches!(ty, Type::Set(_))) {
                    let (a, b) = (self.unifier.fresh(), self.unifier.fresh());
                    self.unifier.same(&left, &a.clone().set(), pos)?;
                    self.unifier.same(&right, &b.clone().set(), pos)?;
                    self.unifier.same(&result, &Type::relation(a, b), pos)?;
                } else {
                    self.products.push((left, right, result, pos));
                }
            }
            if self.products.len() == before {
                return Ok(());
            }
        }
    }

    /// Gives fields types, where their records are known by now.
    fn settle_fields(&mut self, last: bool) -> Res<()> {
        for (record, name, ty, pos) in std::mem::take(&mut self.fields) {
            match self.unifier.top(&record) {
                Type::Record(fields) => match fields.iter().find(|(field, _)| *field == name) {
                    Some((_, field)) => self.unifier.same(&ty, field, pos)?,
                    None => return Err(Error::typing(pos, format!("this record has no field {name}"))),
                },
                Type::Var(_) if !last => self.fields.push((record, name, ty, pos)),
                _ => return Err(Error::typing(pos, format!("this is no record that has a field {name}"))),
            }
        }
        Ok(())
    }

    /// Decides what is still open, when everything has been checked.
    ///
    /// # Errors
    /// When a field belongs to no record.
    pub(super) fn settle(&mut self) -> Res<()> {
        self.settle_products()?;
        self.settle_fields(false)?;
        self.settle_products()?;
        self.settle_fields(true)
    }

    /// Checks a substitution.
    ///
    /// # Errors
    /// When names are not known or types do not fit.
    pub(super) fn substitution(&mut self, sub: &mut Sub) -> Res<()> {
        let pos = sub.pos;
        match &mut sub.kind {
            SubKind::Skip => {}
            SubKind::Assign(left, right) => {
                for (target, value) in left.iter_mut().zip(right) {
                    whole(target, value)?;
                    let ty = self.target(target)?;
                    self.want(value, &ty)?;
                }
                distinct(left, pos)?;
            }
            SubKind::BecomesIn(left, set) => {
                let types: Vec<_> = left.iter_mut().map(|target| self.target(target)).collect::<Res<_>>()?;
                let tuple = types.into_iter().reduce(Type::pair).unwrap_or(Type::Unknown);
                self.want(set, &tuple.set())?;
                distinct(left, pos)?;
            }
            SubKind::BecomesSuch(left, bound, such) => {
                let depth = self.locals.len();
                let mut names = Vec::new();
                for target in left.iter_mut() {
                    let Kind::Name(name) = &target.kind else {
                        return Err(Error::refused(target.pos, "expected a variable on the left of :( )".into()));
                    };
                    names.push(name.clone());
                    self.target(target)?;
                }
                distinct(left, pos)?;
                for (name, target) in names.iter().zip(left.iter()) {
                    let Kind::Slot(old) = target.kind else { continue };
                    self.locals.push((format!("{name}$0").into(), old));
                }
                *bound = names.iter().cloned().map(super::parser::variable).collect();
                self.bind(bound);
                for (var, target) in bound.iter().zip(left.iter()) {
                    self.unifier.same(&var.ty, &target.ty, pos)?;
                }
                let result = self.predicate(such);
                self.locals.truncate(depth);
                result?;
            }
            SubKind::Pre(guard, body) | SubKind::Assert(guard, body) | SubKind::While(guard, body) => {
                self.predicate(guard)?;
                self.substitution(body)?;
            }
            SubKind::Select(cases, other) | SubKind::If(cases, other) => {
                for (guard, body) in cases {
                    self.predicate(guard)?;
                    self.substitution(body)?;
                }
                if let Some(other) = other {
                    self.substitution(other)?;
                }
            }
            SubKind::Choice(parts) | SubKind::Sequence(parts) | SubKind::Parallel(parts) => {
                parts.iter_mut().try_for_each(|part| self.substitution(part))?;
            }
            SubKind::Any(bound, guard, body) => {
                let depth = self.locals.len();
                self.bind(bound);
                let result = self.predicate(guard).and_then(|()| self.substitution(body));
                self.locals.truncate(depth);
                result?;
            }
            SubKind::Var(bound, body) => {
                let depth = self.locals.len();
                self.bind(bound);
                let result = self.substitution(body);
                self.locals.truncate(depth);
                result?;
            }
            SubKind::Case(subject, cases, other) => {
                let ty = self.infer(subject)?;
                for (values, body) in cases {
                    for value in values {
                        self.want(value, &ty)?;
                    }
                    self.substitution(body)?;
                }
                if let Some(other) = other {
                    self.substitution(other)?;
                }
            }
            SubKind::Call(name, inputs, outputs) => {
                let (name, inputs, outputs) = (name.clone(), std::mem::take(inputs), std::mem::take(outputs));
                sub.kind = self.call(&name, inputs, outputs, pos)?;
            }
            SubKind::Inline(..) => {}
        }
        Ok(())
    }

    /// A variable that is assigned to.
    fn target(&mut self, target: &mut Expr) -> Res<Type> {
        let ty = self.infer(target)?;
        match target.kind {
            Kind::Slot(_) => Ok(ty),
            _ => Err(Error::syntax(target.pos, "this cannot be assigned to: it is no variable".into())),
        }
    }

    /// The operation in the place of its call.
    fn call(&mut self, name: &Name, mut inputs: Vec<Expr>, mut outputs: Vec<Expr>, pos: Pos) -> Res<SubKind> {
        let Some(mut operation) = self.operations.get(name).cloned() else {
            return Err(Error::typing(pos, format!("there is no operation {name} that can be called here")));
        };
        while inputs.len() > operation.inputs.len().max(1) {
            let right = inputs.remove(1);
            let left = inputs.remove(0);
            inputs.insert(0, Expr::op(left.pos, Op::Couple, vec![left, right]));
        }
        if inputs.len() != operation.inputs.len() || outputs.len() != operation.outputs.len() {
            return Err(Error::typing(pos, format!("{name} has other numbers of inputs or outputs")));
        }
        if self.calls >= CALLS {
            return Err(Error::refused(pos, format!("operations call one another more than {CALLS} deep")));
        }
        let mut types = Vec::new();
        for input in &mut inputs {
            types.push(self.infer(input)?);
        }
        let targets: Vec<_> = outputs.iter_mut().map(|target| self.target(target)).collect::<Res<_>>()?;
        distinct(&outputs, pos)?;
        let outside = std::mem::take(&mut self.locals);
        self.calls += 1;
        self.bind(&mut operation.inputs);
        self.bind(&mut operation.outputs);
        let result = (|| {
            for (var, ty) in operation.inputs.iter().zip(&types) {
                self.unifier.same(ty, &var.ty, pos)?;
            }
            for (var, ty) in operation.outputs.iter().zip(&targets) {
                self.unifier.same(ty, &var.ty, pos)?;
            }
            self.substitution(&mut operation.body)
        })();
        self.calls -= 1;
        self.locals = outside;
        result?;
        Ok(SubKind::Inline(operation.inputs, inputs, Box::new(operation.body), operation.outputs, outputs))
    }

    /// Checks an operation.
    ///
    /// # Errors
    /// When names are not known or types do not fit.
    pub(super) fn operation(&mut self, operation: &mut Operation) -> Res<()> {
        self.bind(&mut operation.inputs);
        self.bind(&mut operation.outputs);
        let result = self.substitution(&mut operation.body);
        self.locals.clear();
        result
    }

    /// Writes types and free slots into a formula, and decides what overloaded operators mean.
    pub(super) fn finish(&self, expr: &mut Expr) -> Arc<[u32]> {
        expr.ty = self.unifier.resolve(&expr.ty);
        let mut free: Vec<u32> = match &expr.kind {
            Kind::Slot(slot) => vec![*slot],
            _ => Vec::new(),
        };
        for part in expr.parts_mut() {
            free.extend_from_slice(&self.finish(part));
        }
        match &mut expr.kind {
            Kind::Op(op, _) => {
                let set = matches!(expr.ty, Type::Set(_));
                *op = match *op {
                    Op::Minus => {
                        if set {
                            Op::Difference
                        } else {
                            Op::Subtract
                        }
                    }
                    Op::Times => {
                        if set {
                            Op::Product
                        } else {
                            Op::Multiply
                        }
                    }
                    other => other,
                };
            }
            Kind::Binder(_, bound, _) => {
                self.finish_bound(bound);
                free.retain(|slot| !bound.iter().any(|var| var.slot == *slot));
            }
            _ => {}
        }
        free.sort_unstable();
        free.dedup();
        expr.free = free.into();
        expr.free.clone()
    }

    /// Writes types into bound variables.
    pub(super) fn finish_bound(&self, bound: &mut [Bound]) {
        for var in bound {
            var.ty = self.unifier.resolve(&var.ty);
        }
    }

    /// Writes types and free slots into a substitution.
    pub(super) fn finish_substitution(&self, sub: &mut Sub) {
        let expressions = |list: &mut Vec<Expr>| {
            for expr in list {
                self.finish(expr);
            }
        };
        match &mut sub.kind {
            SubKind::Skip => {}
            SubKind::Assign(left, right) => {
                expressions(left);
                expressions(right);
            }
            SubKind::BecomesIn(left, set) => {
                expressions(left);
                self.finish(set);
            }
            SubKind::BecomesSuch(left, bound, such) => {
                expressions(left);
                self.finish_bound(bound);
                self.finish(such);
            }
            SubKind::Pre(guard, body) | SubKind::Assert(guard, body) | SubKind::While(guard, body) => {
                self.finish(guard);
                self.finish_substitution(body);
            }
            SubKind::Select(cases, other) | SubKind::If(cases, other) => {
                for (guard, body) in cases {
                    self.finish(guard);
                    self.finish_substitution(body);
                }
                if let Some(other) = other {
                    self.finish_substitution(other);
                }
            }
            SubKind::Choice(parts) | SubKind::Sequence(parts) | SubKind::Parallel(parts) => {
                parts.iter_mut().for_each(|part| self.finish_substitution(part));
            }
            SubKind::Any(bound, guard, body) => {
                self.finish_bound(bound);
                self.finish(guard);
                self.finish_substitution(body);
            }
            SubKind::Var(bound, body) => {
                self.finish_bound(bound);
                self.finish_substitution(body);
            }
            SubKind::Case(subject, cases, other) => {
                self.finish(subject);
                for (values, body) in cases {
                    expressions(values);
                    self.finish_substitution(body);
                }
                if let Some(other) = other {
                    self.finish_substitution(other);
                }
            }
            SubKind::Call(_, inputs, outputs) => {
                expressions(inputs);
                expressions(outputs);
            }
            SubKind::Inline(inputs, values, body, outputs, targets) => {
                self.finish_bound(inputs);
                self.finish_bound(outputs);
                expressions(values);
                expressions(targets);
                self.finish_substitution(body);
            }
        }
    }
}

/// Turns the assignment to a part of a variable into one to the variable.
fn whole(target: &mut Expr, value: &mut Expr) -> Res<()> {
    loop {
        let pos = target.pos;
        let hole = || Expr::literal(pos, Value::Undefined);
        match &mut target.kind {
            Kind::Name(_) => return Ok(()),
            Kind::Op(Op::Apply, parts) => {
                let (Some(argument), Some(function)) = (parts.pop(), parts.pop()) else { return Ok(()) };
                let pair = Expr::op(pos, Op::Couple, vec![argument, std::mem::replace(value, hole())]);
                let single = Expr::op(pos, Op::SetOf, vec![pair]);
                *value = Expr::op(pos, Op::Override, vec![function.clone(), single]);
                *target = function;
            }
            Kind::Field(record, name) => {
                let (record, name) = (std::mem::replace(&mut **record, hole()), name.clone());
                let new = Box::new(std::mem::replace(value, hole()));
                *value = Expr::new(pos, Kind::Update(Box::new(record.clone()), name, new));
                *target = record;
            }
            _ => return Err(Error::syntax(pos, "this cannot be assigned to: it is no variable".into())),
        }
    }
}

/// No variable may be assigned to twice.
fn distinct(targets: &[Expr], pos: Pos) -> Res<()> {
    for (at, target) in targets.iter().enumerate() {
        let same = |other: &Expr| matches!((&other.kind, &target.kind), (Kind::Slot(a), Kind::Slot(b)) if a == b);
        if targets[..at].iter().any(same) {
            return Err(Error::refused(pos, "a variable is assigned to twice".into()));
        }
    }
    Ok(())
}

//! Values of functions for arguments.
//!
//! A function that is listed is searched by bisection. Others are asked as formulas: a lambda term binds its variables
//! to the argument, an override looks at its right side first, and so on.

use super::ast::{Binder, Bound, Expr, Kind, Op};
use super::context::{Context, Env};
use super::error::{Error, Fault, Pos, Res};
use super::values::{Value, run};

impl Context {
    /// The value of a function for an argument.
    pub(super) fn apply(&self, function: &Expr, argument: &Value, env: &mut Env, pos: Pos) -> Res<Value> {
        match &function.kind {
            Kind::Slot(slot) => {
                if let Value::Set(pairs) = &env.slots[*slot as usize] {
                    return applied(pairs, argument, pos);
                }
                let value = env.slots[*slot as usize].clone();
                self.apply_value(&value, argument, env, pos)
            }
            Kind::Binder(Binder::Lambda, bound, parts) => {
                let saved = self.spread(bound, argument, env);
                let result = self
                    .holds(&parts[0], env)
                    .and_then(|inside| if inside { self.named(&parts[1], env) } else { Err(Error::outside(pos)) });
                restore(bound, saved, env);
                result
            }
            Kind::Op(Op::Override, parts) => {
                let second = self.domain_member(argument, &parts[1], env)?;
                self.apply(&parts[usize::from(second)], argument, env, pos)
            }
            Kind::Op(Op::First1, _) => Ok(argument.sides().0.clone()),
            Kind::Op(Op::Second2, _) => Ok(argument.sides().1.clone()),
            Kind::Op(Op::Identity, _) => Ok(argument.clone()),
            Kind::Op(Op::DomainRestrict, parts) => {
                if self.member(argument, &parts[0], env)? {
                    self.apply(&parts[1], argument, env, pos)
                } else {
                    Err(Error::outside(pos))
                }
            }
            _ => {
                let value = match self.value(function, env) {
                    Err(error) if error.fault() == Fault::Infinite => {
                        return self.apply_symbolic(function, argument, env, pos, error);
                    }
                    value => value?,
                };
                self.apply_value(&value, argument, env, pos)
            }
        }
    }

    /// The value of a function that cannot be listed.
    fn apply_symbolic(&self, function: &Expr, argument: &Value, env: &mut Env, pos: Pos, error: Error) -> Res<Value> {
        match &function.kind {
            Kind::Binder(Binder::Set, bound, parts) if bound.len() > 1 => {
                let (front, last) = bound.split_at(bound.len() - 1);
                let saved = self.spread(front, argument, env);
                let mut found: Option<Value> = None;
                let result = self.list(last, &parts[0], env, &mut |_, env| {
                    let value = env.slots[last[0].slot as usize].clone();
                    if found.as_ref().is_some_and(|known| *known != value) {
                        return Err(Error::ill(pos, "a relation is applied that is no function"));
                    }
                    found = Some(value);
                    Ok(())
                });
                restore(front, saved, env);
                result?;
                found.ok_or_else(|| Error::outside(pos))
            }
            Kind::Op(Op::Union, parts) => match self.apply(&parts[0], argument, env, pos) {
                Err(error) if error.fault() == Fault::IllDefined => self.apply(&parts[1], argument, env, pos),
                value => value,
            },
            Kind::Op(Op::Compose, parts) => {
                let middle = self.apply(&parts[0], argument, env, pos)?;
                self.apply(&parts[1], &middle, env, pos)
            }
            Kind::Op(Op::Product, parts) => {
                if !self.member(argument, &parts[0], env)? {
                    return Err(Error::outside(pos));
                }
                match &self.members(&parts[1], env)?[..] {
                    [one] => Ok(one.clone()),
                    _ => Err(Error::ill(pos, "a relation is applied that is no function")),
                }
            }
            _ => Err(error),
        }
    }

    /// The value of a function value for an argument.
    pub(super) fn apply_value(&self, function: &Value, argument: &Value, env: &mut Env, pos: Pos) -> Res<Value> {
        match function {
            Value::Set(pairs) => applied(pairs, argument, pos),
            Value::Symbolic(symbolic) => {
                self.inside(symbolic, env, |context, expr, env| context.apply(expr, argument, env, pos))
            }
            Value::Partial(cells) => match cells.binary_search_by(|(key, _)| key.cmp(argument)) {
                Ok(at) => match &cells[at].1 {
                    Some(Value::Undefined) => Err(Error::outside(pos)),
                    Some(value) => Ok(value.clone()),
                    None => Err(Error::unknown(pos)),
                },
                Err(_) => Err(Error::outside(pos)),
            },
            _ => Err(Error::unset(pos)),
        }
    }

    /// Is a value in the domain of a relation?
    pub(super) fn domain_member(&self, value: &Value, relation: &Expr, env: &mut Env) -> Res<bool> {
        match &relation.kind {
            Kind::Binder(Binder::Lambda, bound, parts) => {
                let saved = self.spread(bound, value, env);
                let result = self.holds(&parts[0], env);
                restore(bound, saved, env);
                result
            }
            Kind::Slot(slot) => {
                if let Value::Symbolic(symbolic) = env.slots[*slot as usize].clone() {
                    return self.inside(&symbolic, env, |context, expr, env| context.domain_member(value, expr, env));
                }
                Ok(!run(&self.members(relation, env)?, value).is_empty())
            }
            Kind::Op(Op::Override | Op::Union, parts) => {
                Ok(self.domain_member(value, &parts[0], env)? || self.domain_member(value, &parts[1], env)?)
            }
            Kind::Op(Op::Product, parts) => {
                Ok(self.member(value, &parts[0], env)? && !self.members(&parts[1], env)?.is_empty())
            }
            _ => Ok(!run(&self.members(relation, env)?, value).is_empty()),
        }
    }

    /// Gives bound variables the parts of a tuple; what they were is returned.
    pub(super) fn spread(&self, bound: &[Bound], tuple: &Value, env: &mut Env) -> Vec<Value> {
        let mut rest = tuple.clone();
        let mut values = Vec::with_capacity(bound.len());
        for _ in 1..bound.len() {
            let (left, right) = rest.sides();
            values.push(right.clone());
            rest = left.clone();
        }
        values.push(rest);
        values.reverse();
        bound
            .iter()
            .zip(values)
            .map(|(var, value)| std::mem::replace(&mut env.slots[var.slot as usize], value))
            .collect()
    }
}

/// The value of a listed function for an argument.
fn applied(pairs: &[Value], argument: &Value, pos: Pos) -> Res<Value> {
    match run(pairs, argument) {
        [pair] => Ok(pair.sides().1.clone()),
        [] => Err(Error::outside(pos)),
        _ => Err(Error::ill(pos, "a relation is applied that is no function")),
    }
}

/// Puts back what [`Context::spread`] returned.
pub(super) fn restore(bound: &[Bound], saved: Vec<Value>, env: &mut Env) {
    for (var, value) in bound.iter().zip(saved) {
        env.slots[var.slot as usize] = value;
    }
}

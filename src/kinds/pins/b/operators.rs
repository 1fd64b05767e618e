//! Values of operators on expressions.
//!
//! Most operators on relations need nothing but listed operands ([`super::relations`]); here are those on numbers and
//! sequences, and those that can do with one operand that is not listed (`r[S]`, `S <| r`, `A /\\ B`, `f; g`).

use super::ast::{Binder, Expr, Kind, Op};
use super::context::{Context, Env};
use super::error::{Error, Fault, Pos, Res};
use super::relations as rel;
use super::spaces::{self, LISTED};
use super::types::Type;
use super::values::Value;
use std::sync::Arc;

/// An overflow.
pub(super) fn overflow(pos: Pos) -> Error {
    Error::refused(pos, "a number has more than 64 bits".into())
}

/// The work of composing two relations.
const TURN: u32 = 16;

impl Context {
    /// The relation at an operand.
    fn operand(&self, parts: &[Expr], at: usize, env: &mut Env) -> Res<Arc<Vec<Value>>> {
        self.members(&parts[at], env)
    }

    /// The value of an operator on operands.
    pub(super) fn op(&self, op: Op, parts: &[Expr], expr: &Expr, env: &mut Env) -> Res<Value> {
        let pos = expr.pos;
        let set = |values: Vec<Value>| Ok(Value::sorted(values));
        match op {
            Op::ToBool => Ok(Value::Bool(self.holds(&parts[0], env)?)),
            Op::If => {
                let branch = if self.holds(&parts[0], env)? { 1 } else { 2 };
                self.named(&parts[branch], env)
            }
            Op::MaxInt => Ok(Value::Int(self.maxint)),
            Op::MinInt => Ok(Value::Int(self.minint)),
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo | Op::Power => {
                let (a, b) = (self.int(&parts[0], env)?, self.int(&parts[1], env)?);
                arithmetic(op, a, b, pos).map(Value::Int)
            }
            Op::Negate => self.int(&parts[0], env)?.checked_neg().map(Value::Int).ok_or_else(|| overflow(pos)),
            Op::Min | Op::Max => {
                let members = self.operand(parts, 0, env)?;
                let found = if op == Op::Min { members.first() } else { members.last() };
                found.cloned().ok_or_else(|| Error::ill(pos, "the minimum or maximum of an empty set"))
            }
            Op::Card => Ok(Value::Int(self.cardinal(&parts[0], env)?)),
            Op::Interval => spaces::interval(self.int(&parts[0], env)?, self.int(&parts[1], env)?, pos),
            Op::Couple => Ok(Value::pair(self.named(&parts[0], env)?, self.named(&parts[1], env)?)),
            Op::SetOf if parts.len() == 1 => set(vec![self.named(&parts[0], env)?]),
            Op::SetOf => {
                let values: Res<Vec<_>> = parts.iter().map(|part| self.named(part, env)).collect();
                Ok(Value::set(values?))
            }
            Op::Sequence => {
                let values: Res<Vec<_>> = parts.iter().map(|part| self.named(part, env)).collect();
                Ok(Value::sequence(values?))
            }
            Op::Union => {
                let (a, b) = (self.operand(parts, 0, env)?, self.operand(parts, 1, env)?);
                if b.is_empty() {
                    return Ok(Value::Set(a));
                }
                set(rel::union(&a, &b))
            }
            Op::Intersection => {
                // One side may be infinite.
                let (a, other) = match self.operand(parts, 0, env) {
                    Err(error) if error.fault() == Fault::Infinite => (self.operand(parts, 1, env)?, &parts[0]),
                    a => (a?, &parts[1]),
                };
                set(self.filter(&a, other, true, env)?)
            }
            Op::Difference => {
                let a = self.operand(parts, 0, env)?;
                set(self.filter(&a, &parts[1], false, env)?)
            }
            Op::Product => {
                let (a, b) = (self.operand(parts, 0, env)?, self.operand(parts, 1, env)?);
                if a.len().saturating_mul(b.len()) > LISTED {
                    return Err(Error::infinite(pos, "this product is too large"));
                }
                set(a.iter().flat_map(|x| b.iter().map(|y| Value::pair(x.clone(), y.clone()))).collect())
            }
            Op::UnionAll => {
                let sets = self.operand(parts, 0, env)?;
                let mut found = Vec::new();
                for inner in sets.iter() {
                    found.extend(self.listed(inner, env, pos)?.iter().cloned());
                }
                Ok(Value::set(found))
            }
            Op::InterAll => {
                let sets = self.operand(parts, 0, env)?;
                let mut common: Option<Vec<Value>> = None;
                for inner in sets.iter() {
                    let inner = self.listed(inner, env, pos)?;
                    common = Some(match common {
                        Some(common) => rel::intersection(&common, &inner),
                        None => inner.to_vec(),
                    });
                }
                common.map(Value::sorted).ok_or_else(|| Error::ill(pos, "inter of no sets"))
            }
            Op::PowerSet
            | Op::PowerSet1
            | Op::FiniteSets
            | Op::FiniteSets1
            | Op::Relations
            | Op::PartialFunctions
            | Op::TotalFunctions
            | Op::PartialInjections
            | Op::TotalInjections
            | Op::PartialSurjections
            | Op::TotalSurjections
            | Op::PartialBijections
            | Op::TotalBijections
            | Op::Sequences
            | Op::Sequences1
            | Op::InjectiveSequences
            | Op::InjectiveSequences1
            | Op::Permutations => self.space(expr, env),
            Op::Apply => {
                let argument = self.named(&parts[1], env)?;
                self.apply(&parts[0], &argument, env, pos)
            }
            Op::Image => {
                let relation = self.named(&parts[0], env)?;
                if let Value::Symbolic(symbolic) = &relation {
                    // A function on each element of a finite set.
                    let mut found = Vec::new();
                    for item in self.operand(parts, 1, env)?.iter() {
                        match self.inside(symbolic, env, |context, expr, env| context.apply(expr, item, env, pos)) {
                            Ok(value) => found.push(value),
                            Err(error) if error.fault() == Fault::IllDefined => {}
                            Err(error) => return Err(error),
                        }
                    }
                    return Ok(Value::set(found));
                }
                let relation = self.listed(&relation, env, pos)?;
                match self.operand(parts, 1, env) {
                    Err(error) if error.fault() == Fault::Infinite => {
                        let mut found = Vec::new();
                        for pair in relation.iter() {
                            let (left, right) = pair.sides();
                            if self.member(left, &parts[1], env)? {
                                found.push(right.clone());
                            }
                        }
                        Ok(Value::set(found))
                    }
                    members => Ok(Value::set(rel::image(&relation, &members?))),
                }
            }
            Op::DomainRestrict | Op::DomainSubtract => {
                let keep = op == Op::DomainRestrict;
                match self.operand(parts, 1, env) {
                    Err(error) if error.fault() == Fault::Infinite && keep => {
                        // A symbolic function on a finite set.
                        let mut found = Vec::new();
                        for item in self.operand(parts, 0, env)?.iter() {
                            let value = self.apply(&parts[1], item, env, pos)?;
                            found.push(Value::pair(item.clone(), value));
                        }
                        Ok(Value::set(found))
                    }
                    relation => {
                        let mut found = Vec::new();
                        for pair in relation?.iter() {
                            if self.member(pair.sides().0, &parts[0], env)? == keep {
                                found.push(pair.clone());
                            }
                        }
                        set(found)
                    }
                }
            }
            Op::RangeRestrict | Op::RangeSubtract => {
                let keep = op == Op::RangeRestrict;
                let mut found = Vec::new();
                for pair in self.operand(parts, 0, env)?.iter() {
                    if self.member(pair.sides().1, &parts[1], env)? == keep {
                        found.push(pair.clone());
                    }
                }
                set(found)
            }
            Op::Compose => {
                let left = self.operand(parts, 0, env)?;
                match self.operand(parts, 1, env) {
                    Err(error) if error.fault() == Fault::Infinite => {
                        let mut found = Vec::new();
                        for pair in left.iter() {
                            let (x, y) = pair.sides();
                            found.push(Value::pair(x.clone(), self.apply(&parts[1], y, env, pos)?));
                        }
                        Ok(Value::set(found))
                    }
                    right => Ok(Value::set(rel::compose(&left, &right?))),
                }
            }
            Op::Domain if matches!(parts[0].kind, Kind::Binder(Binder::Lambda, ..)) => {
                // Without the values of the function.
                let Kind::Binder(_, bound, inner) = &parts[0].kind else { return Err(Error::unknown(pos)) };
                self.binder(Binder::Set, bound, &inner[..1], env, pos)
            }
            Op::Iterate => {
                let relation = self.operand(parts, 0, env)?;
                let times = self.int(&parts[1], env)?;
                if times < 0 {
                    return Err(Error::ill(pos, "iterate with a negative number"));
                }
                if times == 0 {
                    let field: Vec<_> =
                        relation.iter().flat_map(|pair| [pair.sides().0.clone(), pair.sides().1.clone()]).collect();
                    return Ok(Value::set(field.into_iter().map(|x| Value::pair(x.clone(), x)).collect()));
                }
                let mut result = relation.to_vec();
                for _ in 1..times {
                    env.spend(TURN)?;
                    let next = Value::set(rel::compose(&result, &relation));
                    result = next.members().unwrap_or(&[]).to_vec();
                }
                set(result)
            }
            Op::Closure => {
                let relation = self.operand(parts, 0, env)?;
                let whole = spaces::type_values(self, parts[0].ty.sides().map_or(&Type::Unknown, |s| s.0), env, pos)?;
                let closure = rel::closure(&relation);
                let identity: Vec<_> = whole.iter().map(|x| Value::pair(x.clone(), x.clone())).collect();
                Ok(Value::set(closure.into_iter().chain(identity).collect()))
            }
            Op::First1 | Op::Second2 => {
                let (a, b) = (self.operand(parts, 0, env)?, self.operand(parts, 1, env)?);
                if a.len().saturating_mul(b.len()) > LISTED {
                    return Err(Error::infinite(pos, "this projection is too large"));
                }
                let mut found = Vec::new();
                for x in a.iter() {
                    for y in b.iter() {
                        let side = if op == Op::First1 { x.clone() } else { y.clone() };
                        found.push(Value::pair(Value::pair(x.clone(), y.clone()), side));
                    }
                }
                set(found)
            }
            Op::Append | Op::Prepend => {
                let (at, other) = if op == Op::Append { (0, 1) } else { (1, 0) };
                let mut values = self.sequence(&parts[at], env)?;
                let value = self.named(&parts[other], env)?;
                if op == Op::Append {
                    values.push(value)
                } else {
                    values.insert(0, value)
                }
                Ok(Value::sequence(values))
            }
            Op::Concat => {
                let mut values = self.sequence(&parts[0], env)?;
                values.extend(self.sequence(&parts[1], env)?);
                Ok(Value::sequence(values))
            }
            Op::Take | Op::Drop => {
                let mut values = self.sequence(&parts[0], env)?;
                let count = self.int(&parts[1], env)?;
                let Some(count) = usize::try_from(count).ok().filter(|count| *count <= values.len()) else {
                    return Err(Error::ill(pos, "more values than the sequence has"));
                };
                let rest = values.split_off(count);
                Ok(Value::sequence(if op == Op::Take { values } else { rest }))
            }
            Op::Size => Ok(Value::Int(self.sequence(&parts[0], env)?.len() as i64)),
            Op::First | Op::Last => {
                let values = self.sequence(&parts[0], env)?;
                let found = if op == Op::First { values.first() } else { values.last() };
                found.cloned().ok_or_else(|| Error::ill(pos, "first or last of an empty sequence"))
            }
            Op::Front | Op::Tail => {
                let mut values = self.sequence(&parts[0], env)?;
                if values.is_empty() {
                    return Err(Error::ill(pos, "front or tail of an empty sequence"));
                }
                if op == Op::Front {
                    values.pop();
                } else {
                    values.remove(0);
                }
                Ok(Value::sequence(values))
            }
            Op::Reverse => Ok(Value::sequence(self.sequence(&parts[0], env)?.into_iter().rev())),
            Op::Flatten => {
                let mut values = Vec::new();
                for inner in self.sequence(&parts[0], env)? {
                    values.extend(inner.as_sequence().ok_or_else(|| Error::ill(pos, "this is no sequence"))?);
                }
                Ok(Value::sequence(values))
            }
            _ => {
                let operands: Res<Vec<_>> = (0..parts.len()).map(|at| self.operand(parts, at, env)).collect();
                rel::operator(op, &operands?, pos)
            }
        }
    }

    /// The elements of a list that are, or are not, in a set.
    fn filter(&self, items: &[Value], set: &Expr, keep: bool, env: &mut Env) -> Res<Vec<Value>> {
        // What has to be listed to be asked is listed once.
        let known = match set.kind {
            Kind::Slot(_) | Kind::Op(Op::SetOf, _) => Some(self.value(set, env)?),
            Kind::Op(Op::Range | Op::Image | Op::UnionAll | Op::InterAll | Op::Compose | Op::Closure1, _) => {
                match self.value(set, env) {
                    Err(error) if error.fault() == Fault::Infinite => None,
                    value => Some(value?),
                }
            }
            _ => None,
        };
        if let Some(Value::Set(set)) = known {
            return Ok(if keep { rel::intersection(items, &set) } else { rel::difference(items, &set) });
        }
        let mut found = Vec::new();
        for item in items {
            if self.member(item, set, env)? == keep {
                found.push(item.clone());
            }
        }
        Ok(found)
    }

    /// How many elements a set has.
    fn cardinal(&self, expr: &Expr, env: &mut Env) -> Res<i64> {
        match self.members(expr, env) {
            Ok(members) => Ok(members.len() as i64),
            Err(error) if error.fault() == Fault::Infinite => {
                let size = self.estimate(expr, env)?;
                if size < 9e15 { Ok(size as i64) } else { Err(error) }
            }
            Err(error) => Err(error),
        }
    }

    /// The values of a sequence.
    fn sequence(&self, expr: &Expr, env: &mut Env) -> Res<Vec<Value>> {
        let value = self.value(expr, env)?;
        let value = match value {
            Value::Symbolic(_) => Value::Set(self.listed(&value, env, expr.pos)?),
            value => value,
        };
        value.as_sequence().ok_or_else(|| Error::ill(expr.pos, "this is no sequence"))
    }
}

/// Operators on two numbers.
pub(super) fn arithmetic(op: Op, a: i64, b: i64, pos: Pos) -> Res<i64> {
    let result = match op {
        Op::Add => a.checked_add(b),
        Op::Subtract => a.checked_sub(b),
        Op::Multiply => a.checked_mul(b),
        Op::Divide if b == 0 => return Err(Error::ill(pos, "division by zero")),
        Op::Divide => a.checked_div(b),
        Op::Modulo if b <= 0 || a < 0 => return Err(Error::ill(pos, "mod needs a natural and a positive number")),
        Op::Modulo => a.checked_rem(b),
        _ if b < 0 => return Err(Error::ill(pos, "a negative exponent")),
        _ => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
    };
    result.ok_or_else(|| overflow(pos))
}

//! Types of operators: one rule each.

use super::ast::{Expr, Op};
use super::check::Checker;
use super::error::{Pos, Res};
use super::types::Type;

impl Checker {
    /// The type of an operator on operands.
    pub(super) fn infer_op(&mut self, op: Op, parts: &mut [Expr], pos: Pos) -> Res<Type> {
        Ok(match op {
            Op::And | Op::Or | Op::Not | Op::Implies | Op::Iff => {
                for part in parts {
                    self.predicate(part)?;
                }
                Type::Predicate
            }
            Op::ToBool => {
                self.predicate(&mut parts[0])?;
                Type::Bool
            }
            Op::If => {
                self.predicate(&mut parts[0])?;
                let ty = self.infer(&mut parts[1])?;
                self.want(&mut parts[2], &ty)?;
                ty
            }
            Op::Equal | Op::Unequal => {
                let ty = self.infer(&mut parts[0])?;
                self.want(&mut parts[1], &ty)?;
                Type::Predicate
            }
            Op::In | Op::NotIn => {
                let ty = self.infer(&mut parts[0])?;
                self.want(&mut parts[1], &ty.set())?;
                Type::Predicate
            }
            Op::Subset | Op::NotSubset | Op::StrictSubset | Op::NotStrictSubset => {
                let ty = self.set(&mut parts[0])?.set();
                self.want(&mut parts[1], &ty)?;
                Type::Predicate
            }
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                self.numbers(parts)?;
                Type::Predicate
            }
            Op::Minus => {
                let ty = self.infer(&mut parts[0])?;
                self.want(&mut parts[1], &ty)?;
                ty
            }
            Op::Times => {
                let left = self.infer(&mut parts[0])?;
                let right = self.infer(&mut parts[1])?;
                let result = self.unifier.fresh();
                self.products.push((left, right, result.clone(), pos));
                self.settle_products()?;
                result
            }
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo | Op::Power | Op::Negate => {
                self.numbers(parts)?;
                Type::Int
            }
            Op::MaxInt | Op::MinInt => Type::Int,
            Op::Min | Op::Max => {
                self.want(&mut parts[0], &Type::Int.set())?;
                Type::Int
            }
            Op::Interval => {
                self.numbers(parts)?;
                Type::Int.set()
            }
            Op::Union | Op::Intersection | Op::Difference => {
                let ty = self.set(&mut parts[0])?.set();
                self.want(&mut parts[1], &ty)?;
                ty
            }
            Op::Product => {
                let left = self.set(&mut parts[0])?;
                let right = self.set(&mut parts[1])?;
                Type::relation(left, right)
            }
            Op::SetOf => {
                let ty = self.unifier.fresh();
                for part in parts {
                    self.want(part, &ty)?;
                }
                ty.set()
            }
            Op::Card => {
                self.set(&mut parts[0])?;
                Type::Int
            }
            Op::UnionAll | Op::InterAll => {
                let ty = self.unifier.fresh();
                self.want(&mut parts[0], &ty.clone().set().set())?;
                ty.set()
            }
            Op::PowerSet | Op::PowerSet1 | Op::FiniteSets | Op::FiniteSets1 => self.set(&mut parts[0])?.set().set(),
            Op::Couple => {
                let left = self.infer(&mut parts[0])?;
                let right = self.infer(&mut parts[1])?;
                Type::pair(left, right)
            }
            Op::Relations
            | Op::PartialFunctions
            | Op::TotalFunctions
            | Op::PartialInjections
            | Op::TotalInjections
            | Op::PartialSurjections
            | Op::TotalSurjections
            | Op::PartialBijections
            | Op::TotalBijections => {
                let left = self.set(&mut parts[0])?;
                let right = self.set(&mut parts[1])?;
                Type::relation(left, right).set()
            }
            Op::Domain => self.relation(&mut parts[0])?.0.set(),
            Op::Range => self.relation(&mut parts[0])?.1.set(),
            Op::Inverse => {
                let (left, right) = self.relation(&mut parts[0])?;
                Type::relation(right, left)
            }
            Op::Image => {
                let (left, right) = self.relation(&mut parts[0])?;
                self.want(&mut parts[1], &left.set())?;
                right.set()
            }
            Op::DomainRestrict | Op::DomainSubtract => {
                let (left, right) = self.relation(&mut parts[1])?;
                self.want(&mut parts[0], &left.clone().set())?;
                Type::relation(left, right)
            }
            Op::RangeRestrict | Op::RangeSubtract => {
                let (left, right) = self.relation(&mut parts[0])?;
                self.want(&mut parts[1], &right.clone().set())?;
                Type::relation(left, right)
            }
            Op::Override => {
                let (left, right) = self.relation(&mut parts[0])?;
                let ty = Type::relation(left, right);
                self.want(&mut parts[1], &ty)?;
                ty
            }
            Op::DirectProduct => {
                let (left, a) = self.relation(&mut parts[0])?;
                let (same, b) = self.relation(&mut parts[1])?;
                self.unifier.same(&same, &left, pos)?;
                Type::relation(left, Type::pair(a, b))
            }
            Op::ParallelProduct => {
                let (a, b) = self.relation(&mut parts[0])?;
                let (c, d) = self.relation(&mut parts[1])?;
                Type::relation(Type::pair(a, c), Type::pair(b, d))
            }
            Op::Compose => {
                let (a, b) = self.relation(&mut parts[0])?;
                let (c, d) = self.relation(&mut parts[1])?;
                self.unifier.same(&c, &b, pos)?;
                Type::relation(a, d)
            }
            Op::Identity => {
                let ty = self.set(&mut parts[0])?;
                Type::relation(ty.clone(), ty)
            }
            Op::First1 | Op::Second2 => {
                let left = self.set(&mut parts[0])?;
                let right = self.set(&mut parts[1])?;
                let side = if op == Op::First1 { left.clone() } else { right.clone() };
                Type::relation(Type::pair(left, right), side)
            }
            Op::Iterate | Op::Closure | Op::Closure1 => {
                let (left, right) = self.relation(&mut parts[0])?;
                self.unifier.same(&left, &right, pos)?;
                if op == Op::Iterate {
                    self.want(&mut parts[1], &Type::Int)?;
                }
                Type::relation(left, right)
            }
            Op::ToFunction => {
                let (left, right) = self.relation(&mut parts[0])?;
                Type::relation(left, right.set())
            }
            Op::ToRelation => {
                let (left, right) = self.relation(&mut parts[0])?;
                let inner = self.unifier.fresh();
                self.unifier.same(&right, &inner.clone().set(), pos)?;
                Type::relation(left, inner)
            }
            Op::Apply => {
                let (left, right) = self.relation(&mut parts[0])?;
                self.want(&mut parts[1], &left)?;
                right
            }
            Op::Sequence => {
                let ty = self.unifier.fresh();
                for part in parts {
                    self.want(part, &ty)?;
                }
                Type::relation(Type::Int, ty)
            }
            Op::Sequences | Op::Sequences1 | Op::InjectiveSequences | Op::InjectiveSequences1 | Op::Permutations => {
                let ty = self.set(&mut parts[0])?;
                Type::relation(Type::Int, ty).set()
            }
            Op::Concat => {
                let ty = self.sequence(&mut parts[0])?;
                let ty = Type::relation(Type::Int, ty);
                self.want(&mut parts[1], &ty)?;
                ty
            }
            Op::Append => {
                let ty = self.sequence(&mut parts[0])?;
                self.want(&mut parts[1], &ty)?;
                Type::relation(Type::Int, ty)
            }
            Op::Prepend => {
                let ty = self.sequence(&mut parts[1])?;
                self.want(&mut parts[0], &ty)?;
                Type::relation(Type::Int, ty)
            }
            Op::Take | Op::Drop => {
                let ty = self.sequence(&mut parts[0])?;
                self.want(&mut parts[1], &Type::Int)?;
                Type::relation(Type::Int, ty)
            }
            Op::Size => {
                self.sequence(&mut parts[0])?;
                Type::Int
            }
            Op::First | Op::Last => self.sequence(&mut parts[0])?,
            Op::Front | Op::Tail | Op::Reverse => {
                let ty = self.sequence(&mut parts[0])?;
                Type::relation(Type::Int, ty)
            }
            Op::Flatten => {
                let ty = self.unifier.fresh();
                let inner = Type::relation(Type::Int, ty);
                self.want(&mut parts[0], &Type::relation(Type::Int, inner.clone()))?;
                inner
            }
        })
    }

    fn numbers(&mut self, parts: &mut [Expr]) -> Res<()> {
        parts.iter_mut().try_for_each(|part| self.want(part, &Type::Int))
    }
}

//! Bounds of integer variables from linear comparisons.
//!
//! `x : NATURAL & y : NATURAL & x + y <= 10`: each comparison is read as a sum of coefficients times unbound variables
//! plus a number, and bounds are passed between variables until nothing changes or some rounds are over (bounds
//! consistency, as a finite-domain solver has it). What is no linear sum is left out.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::ast::{Carrier, Expr, Kind, Op};
use super::context::{Context, Env};
use super::types::Type;
use super::values::Value;

/// Bounds of variables: least and greatest value, where known.
pub(super) type Bounds = FxHashMap<u32, (Option<i64>, Option<i64>)>;

/// Coefficients of unbound variables, and a number.
type Sum = (SmallVec<[(u32, i64); 4]>, i64);

impl Context {
    /// An integer expression as a linear sum over its unbound variables.
    fn linear(&self, expr: &Expr, env: &mut Env) -> Option<Sum> {
        if env.binds(expr) {
            return Some((SmallVec::new(), self.int(expr, env).ok()?));
        }
        match &expr.kind {
            Kind::Slot(slot) => Some((SmallVec::from_slice(&[(*slot, 1)]), 0)),
            Kind::Op(Op::Add, parts) => add(self.linear(&parts[0], env)?, self.linear(&parts[1], env)?, 1),
            Kind::Op(Op::Subtract, parts) => add(self.linear(&parts[0], env)?, self.linear(&parts[1], env)?, -1),
            Kind::Op(Op::Negate, parts) => add((SmallVec::new(), 0), self.linear(&parts[0], env)?, -1),
            Kind::Op(Op::Multiply, parts) => {
                let (a, b) = (self.linear(&parts[0], env)?, self.linear(&parts[1], env)?);
                match (a.0.is_empty(), b.0.is_empty()) {
                    (true, _) => add((SmallVec::new(), 0), b, a.1),
                    (_, true) => add((SmallVec::new(), 0), a, b.1),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The bounds that some conjuncts put on unbound integer variables.
    pub(super) fn bounds(&self, conjuncts: &[&Expr], env: &mut Env) -> Bounds {
        // Sums that are at most zero.
        let mut sums: Vec<Sum> = Vec::new();
        let mut found = Bounds::default();
        let pair = |a: &Expr, b: &Expr, offset: i64, env: &mut Env, sums: &mut Vec<Sum>| {
            if let (Some(a), Some(b)) = (self.linear(a, env), self.linear(b, env))
                && let Some((terms, constant)) = add(a, b, -1)
                && let Some(constant) = constant.checked_add(offset)
            {
                sums.push((terms, constant));
            }
        };
        for expr in conjuncts {
            let Kind::Op(op, parts) = &expr.kind else { continue };
            match op {
                Op::Less => pair(&parts[0], &parts[1], 1, env, &mut sums),
                Op::LessEqual => pair(&parts[0], &parts[1], 0, env, &mut sums),
                Op::Greater => pair(&parts[1], &parts[0], 1, env, &mut sums),
                Op::GreaterEqual => pair(&parts[1], &parts[0], 0, env, &mut sums),
                Op::Equal if parts[0].ty == Type::Int => {
                    pair(&parts[0], &parts[1], 0, env, &mut sums);
                    pair(&parts[1], &parts[0], 0, env, &mut sums);
                }
                Op::In if parts[0].ty == Type::Int => {
                    let (low, high) = match &parts[1].kind {
                        Kind::Carrier(Carrier::Natural) => (Some(0), None),
                        Kind::Carrier(Carrier::Natural1) => (Some(1), None),
                        Kind::Carrier(Carrier::Int) => (Some(self.minint), Some(self.maxint)),
                        Kind::Carrier(Carrier::Nat) => (Some(0), Some(self.maxint)),
                        Kind::Carrier(Carrier::Nat1) => (Some(1), Some(self.maxint)),
                        Kind::Op(Op::Interval, ends) => {
                            pair(&ends[0], &parts[0], 0, env, &mut sums);
                            pair(&parts[0], &ends[1], 0, env, &mut sums);
                            continue;
                        }
                        _ => match self.listed_ends(&parts[1], env) {
                            Some((low, high)) => (Some(low), Some(high)),
                            None => continue,
                        },
                    };
                    if let Some(value) = self.linear(&parts[0], env) {
                        if let Some(low) = low {
                            sums.extend(add((SmallVec::new(), low), value.clone(), -1));
                        }
                        if let Some(high) = high {
                            sums.extend(add(value, (SmallVec::new(), high), -1));
                        }
                    }
                }
                _ => {}
            }
        }
        for _ in 0..6 {
            let mut changed = false;
            for (terms, constant) in &sums {
                changed |= propagate(terms, *constant, &mut found);
            }
            if !changed {
                break;
            }
        }
        found
    }

    /// The least and the greatest element of a set of integers that is a variable.
    fn listed_ends(&self, set: &Expr, env: &mut Env) -> Option<(i64, i64)> {
        let Kind::Slot(slot) = set.kind else { return None };
        let items = env.slots[slot as usize].members()?;
        match (items.first()?, items.last()?) {
            (Value::Int(low), Value::Int(high)) => Some((*low, *high)),
            _ => None,
        }
    }
}

/// `a + factor * b`
fn add(mut a: Sum, b: Sum, factor: i64) -> Option<Sum> {
    for (slot, coefficient) in b.0 {
        let scaled = coefficient.checked_mul(factor)?;
        match a.0.iter_mut().find(|(other, _)| *other == slot) {
            Some((_, sum)) => *sum = sum.checked_add(scaled)?,
            None => a.0.push((slot, scaled)),
        }
    }
    a.0.retain(|(_, coefficient)| *coefficient != 0);
    a.1 = a.1.checked_add(b.1.checked_mul(factor)?)?;
    Some(a)
}

/// Bounds from a sum that is at most zero. Was there anything new?
fn propagate(terms: &[(u32, i64)], constant: i64, bounds: &mut Bounds) -> bool {
    let mut changed = false;
    'terms: for (slot, coefficient) in terms {
        // coefficient * x <= -constant - (least value of the other terms)
        let mut rest = -i128::from(constant);
        for (other, factor) in terms {
            if other != slot {
                let (low, high) = bounds.get(other).copied().unwrap_or((None, None));
                let end = if *factor > 0 { low } else { high };
                let Some(end) = end else { continue 'terms };
                let Some(less) = rest.checked_sub(i128::from(*factor) * i128::from(end)) else { continue 'terms };
                rest = less;
            }
        }
        let factor = i128::from(*coefficient);
        let entry = bounds.entry(*slot).or_insert((None, None));
        if factor > 0 {
            let Ok(high) = i64::try_from(rest.div_euclid(factor)) else { continue };
            if entry.1.is_none_or(|old| high < old) {
                entry.1 = Some(high);
                changed = true;
            }
        } else {
            // x >= rest / factor, rounded up.
            let Ok(low) = i64::try_from(-rest.div_euclid(-factor)) else { continue };
            if entry.0.is_none_or(|old| low > old) {
                entry.0 = Some(low);
                changed = true;
            }
        }
    }
    changed
}

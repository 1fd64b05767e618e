//! Where the solver finds candidates for its variables, and how many there are.

use smallvec::SmallVec;

use super::ast::{Bound, Expr, Kind, Op};
use super::context::{Context, Env};
use super::error::{Fault, Res};
use super::spaces::{DEEP, LISTED};
use super::types::Type;
use super::values::Value;

/// Conjuncts that are still to be satisfied.
pub(super) type Todo<'e> = SmallVec<[&'e Expr; 12]>;

/// Where candidates come from.
pub(super) enum Source<'e> {
    /// The elements of a set for a pattern.
    Members(usize, &'e Expr, &'e Expr),
    /// The subsets of a set for a variable, of sizes between two bounds. For a relation: of a product.
    Subsets(u32, &'e Expr, Option<&'e Expr>, (usize, usize)),
    /// An interval for an integer variable.
    Range(u32, i64, i64),
    /// The ways to cut a sequence into parts.
    Cuts(usize, &'e Expr, &'e Expr),
    /// Sequences whose length is bounded, over a set.
    Sequences(usize, &'e Expr, &'e Expr, (usize, usize), &'e Expr),
    /// The arguments that a listed function has, for a pattern that it is applied to.
    Arguments(&'e Expr, Vec<Value>),
}

/// The best candidates so far.
struct Best<'e> {
    source: Option<Source<'e>>,
    size: f64,
    rank: f64,
}

impl<'e> Best<'e> {
    /// Takes candidates if there are none or they rank lower.
    fn offer(&mut self, source: Source<'e>, size: f64, rank: f64) {
        if rank < self.rank || self.source.is_none() {
            (self.source, self.size, self.rank) = (Some(source), size, rank);
        }
    }
}

/// Variables that an equation gives a value once others are bound are better bound later: by how much.
fn later(slot: u32, todo: &Todo<'_>, env: &Env) -> f64 {
    let defines = |expr: &&Expr| {
        let Kind::Op(Op::Equal, parts) = &expr.kind else { return false };
        let is = |at: usize| {
            matches!(parts[at].kind, Kind::Slot(other) if other == slot)
                && !env.binds(&parts[1 - at])
                && !parts[1 - at].free.contains(&slot)
        };
        is(0) != is(1) && !matches!(parts[usize::from(is(0))].kind, Kind::Slot(_))
    };
    if todo.iter().any(defines) { 1e4 } else { 1.0 }
}

impl Context {
    /// The conjunct or the bounds with fewest candidates, and their number.
    pub(super) fn best_source<'e>(
        &self,
        todo: &Todo<'e>,
        vars: &[&Bound],
        env: &mut Env,
    ) -> Res<(Option<Source<'e>>, f64)> {
        let mut best = Best { source: None, size: f64::INFINITY, rank: f64::INFINITY };
        for (at, expr) in todo.iter().enumerate() {
            let expr: &'e Expr = expr;
            let Kind::Op(op, parts) = &expr.kind else { continue };
            match op {
                Op::In if env.binds(&parts[1]) && is_pattern(&parts[0], env) && !env.binds(&parts[0]) => {
                    let mut size = match self.estimate(&parts[1], env) {
                        Err(error) if error.fault() == Fault::IllDefined => f64::INFINITY,
                        size => size?,
                    };
                    if let Kind::Op(Op::Couple, sides) = &parts[0].kind
                        && env.binds(&sides[0])
                        && size.is_finite()
                    {
                        size = size.sqrt();
                    }
                    if let (Kind::Slot(slot), Kind::Op(form, over)) = (&parts[0].kind, &parts[1].kind)
                        && matches!(
                            form,
                            Op::Sequences | Op::Sequences1 | Op::InjectiveSequences | Op::InjectiveSequences1
                        )
                        && size.is_infinite()
                    {
                        if let Some(lengths) = self.length_bounds(*slot, todo, env, &parts[1]) {
                            // Those that are not in the set are left out where the conjunct is tested.
                            let mut items = &over[0];
                            let mut base = self.estimate(items, env)?;
                            if base.is_infinite()
                                && let Some(range) = range_of(*slot, todo, env)
                            {
                                (items, base) = (range, self.estimate(range, env)?);
                            }
                            size = base.powf(lengths.1 as f64) * 1.5;
                            if size < LISTED as f64 {
                                best.offer(Source::Sequences(at, &parts[0], &parts[1], lengths, items), size, size);
                            }
                        }
                        continue;
                    }
                    if let (Kind::Slot(slot), Kind::Op(op, over)) = (&parts[0].kind, &parts[1].kind) {
                        let right = match op {
                            Op::PowerSet | Op::PowerSet1 | Op::FiniteSets | Op::FiniteSets1 => None,
                            Op::Relations => Some(&over[1]),
                            _ => {
                                let rank = size * later(*slot, todo, env);
                                best.offer(Source::Members(at, &parts[0], &parts[1]), size, rank);
                                continue;
                            }
                        };
                        if let Some((source, size)) = self.subsets(*slot, &over[0], right, todo, env)? {
                            best.offer(source, size, size * later(*slot, todo, env));
                        }
                    } else if let Kind::Slot(slot) = parts[0].kind {
                        let rank = size * later(slot, todo, env);
                        best.offer(Source::Members(at, &parts[0], &parts[1]), size, rank);
                    } else {
                        best.offer(Source::Members(at, &parts[0], &parts[1]), size, size);
                    }
                }
                Op::Subset | Op::StrictSubset if env.binds(&parts[1]) => {
                    let Kind::Slot(slot) = parts[0].kind else { continue };
                    if let Some((source, size)) = self.subsets(slot, &parts[1], None, todo, env)? {
                        best.offer(source, size, size * later(slot, todo, env));
                    }
                }
                Op::Equal if (0..2).any(|at| is_cut(&parts[at], env) && env.binds(&parts[1 - at])) => {
                    let pattern = usize::from(!is_cut(&parts[0], env));
                    best.offer(Source::Cuts(at, &parts[pattern], &parts[1 - pattern]), 50.0, 50.0);
                }
                Op::Equal => {
                    // x \/ y = S: subsets of S
                    for (union, set) in [(0, 1), (1, 0)] {
                        if !env.binds(&parts[set]) || !matches!(parts[union].kind, Kind::Op(Op::Union, _)) {
                            continue;
                        }
                        let Some(slot) = open_side(&parts[union], env) else { continue };
                        if let Some((source, size)) = self.subsets(slot, &parts[set], None, todo, env)? {
                            best.offer(source, size, size * later(slot, todo, env));
                        }
                    }
                }
                _ => {}
            }
        }
        // A few candidates need no bounds.
        if best.rank > 8.0 {
            let numbers = |var: &&Bound| var.ty == Type::Int && !env.is_bound(var.slot);
            let open: SmallVec<[u32; 8]> =
                vars.iter().copied().filter(|var| numbers(var)).map(|var| var.slot).collect();
            if !open.is_empty() {
                let bounds = self.bounds(todo, env);
                for slot in open {
                    let (low, high) = bounds.get(&slot).copied().unwrap_or((None, None));
                    if let (Some(low), Some(high)) = (low, high) {
                        let size = (i128::from(high) - i128::from(low) + 1).max(0) as f64;
                        best.offer(Source::Range(slot, low, high), size, size * later(slot, todo, env));
                    }
                }
            }
        }
        // Outside its domain an application has no value, so the comparison does not hold.
        if best.rank.is_infinite()
            && let Some((function, argument)) = todo.iter().find_map(|expr| applied(expr, env))
            && let Value::Set(pairs) = self.named(function, env)?
        {
            let keys = super::relations::domain(&pairs);
            let size = keys.len() as f64;
            best.offer(Source::Arguments(argument, keys), size, size);
        }
        Ok((best.source, best.size))
    }

    /// The subsets of a set for a variable, if they are not infinitely many, and their number.
    fn subsets<'e>(
        &self,
        slot: u32,
        set: &'e Expr,
        right: Option<&'e Expr>,
        todo: &Todo<'_>,
        env: &mut Env,
    ) -> Res<Option<(Source<'e>, f64)>> {
        let mut count = match self.estimate(set, env) {
            Err(error) if error.fault() == Fault::IllDefined => return Ok(None),
            size => size?,
        };
        if let Some(right) = right {
            count *= self.estimate(right, env)?;
        }
        if !count.is_finite() || count > DEEP as f64 {
            return Ok(None);
        }
        let whole = count as usize;
        let (low, high) = self.length_bounds(slot, todo, env, set).unwrap_or((0, whole));
        let sizes = (low.min(whole + 1), high.min(whole));
        let mut number = 0.0;
        for size in sizes.0..=sizes.1 {
            number += (0..size.min(2000)).fold(1.0, |n, i| n * (whole - i) as f64 / (i + 1) as f64);
        }
        Ok(Some((Source::Subsets(slot, set, right, sizes), number)))
    }

    /// Bounds on the length of a sequence variable, or the size of a set.
    fn length_bounds(&self, slot: u32, todo: &Todo<'_>, env: &mut Env, set: &Expr) -> Option<(usize, usize)> {
        let measure = |expr: &Expr| match &expr.kind {
            Kind::Op(Op::Size | Op::Card, parts) => matches!(parts[0].kind, Kind::Slot(s) if s == slot),
            _ => false,
        };
        let mut low = usize::from(matches!(set.kind, Kind::Op(Op::Sequences1 | Op::InjectiveSequences1, _))) as i64;
        let mut high = None;
        for expr in todo {
            let Kind::Op(op, parts) = &expr.kind else { continue };
            let (other, flip) = match parts.as_slice() {
                [a, b] if measure(a) => (b, false),
                [a, b] if measure(b) => (a, true),
                _ => continue,
            };
            if *op == Op::In && !flip && env.binds(other) {
                if let Ok(items) = self.members(other, env)
                    && let (Some(Value::Int(first)), Some(Value::Int(last))) = (items.first(), items.last())
                {
                    low = low.max(*first);
                    high = Some(high.map_or(*last, |old: i64| old.min(*last)));
                }
                continue;
            }
            if other.ty != Type::Int || !env.binds(other) {
                continue;
            }
            let Ok(n) = self.int(other, env) else { continue };
            let mut at_most = |n: i64| high = Some(high.map_or(n, |old: i64| old.min(n)));
            match (op, flip) {
                (Op::Equal, _) => {
                    low = low.max(n);
                    at_most(n);
                }
                (Op::LessEqual, false) | (Op::GreaterEqual, true) => at_most(n),
                (Op::Less, false) | (Op::Greater, true) => at_most(n.saturating_sub(1)),
                (Op::GreaterEqual, false) | (Op::LessEqual, true) => low = low.max(n),
                (Op::Greater, false) | (Op::Less, true) => low = low.max(n.saturating_add(1)),
                _ => {}
            }
        }
        Some((usize::try_from(low).ok()?, usize::try_from(high?.max(0)).ok()?))
    }
}

/// An application in a comparison, of a known function to a pattern that is not bound.
fn applied<'e>(expr: &'e Expr, env: &Env) -> Option<(&'e Expr, &'e Expr)> {
    fn inside<'e>(expr: &'e Expr, env: &Env) -> Option<(&'e Expr, &'e Expr)> {
        match &expr.kind {
            Kind::Op(Op::Apply, parts) if env.binds(&parts[0]) && !env.binds(expr) && is_pattern(&parts[1], env) => {
                // Other types are small enough to be listed.
                has_numbers(&parts[1].ty).then_some((&parts[0], &parts[1]))
            }
            Kind::Op(Op::If | Op::ToBool, _) => None,
            Kind::Op(_, parts) => parts.iter().find_map(|part| inside(part, env)),
            Kind::Field(record, _) => inside(record, env),
            _ => None,
        }
    }
    let Kind::Op(op, parts) = &expr.kind else { return None };
    let compares = matches!(
        op,
        Op::Equal | Op::Unequal | Op::In | Op::NotIn | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual
    );
    if compares { parts.iter().find_map(|part| inside(part, env)) } else { None }
}

/// Are there numbers or strings in the values of a type?
fn has_numbers(ty: &Type) -> bool {
    match ty {
        Type::Int | Type::Text => true,
        Type::Set(inner) => has_numbers(inner),
        Type::Pair(pair) => has_numbers(&pair.0) || has_numbers(&pair.1),
        Type::Record(fields) => fields.iter().any(|(_, ty)| has_numbers(ty)),
        _ => false,
    }
}

/// A known set that has all values of a sequence variable: `ran(s) = S` or `ran(s) <: S`.
fn range_of<'e>(slot: u32, todo: &Todo<'e>, env: &Env) -> Option<&'e Expr> {
    let is = |expr: &Expr| match &expr.kind {
        Kind::Op(Op::Range, parts) => matches!(parts[0].kind, Kind::Slot(other) if other == slot),
        _ => false,
    };
    todo.iter().find_map(|expr| {
        let expr: &'e Expr = expr;
        match &expr.kind {
            Kind::Op(Op::Equal | Op::Subset, parts) if is(&parts[0]) && env.binds(&parts[1]) => Some(&parts[1]),
            Kind::Op(Op::Equal, parts) if is(&parts[1]) && env.binds(&parts[0]) => Some(&parts[0]),
            _ => None,
        }
    })
}

/// Is a formula a concatenation of patterns that are not all bound?
fn is_cut(expr: &Expr, env: &Env) -> bool {
    let mut parts = Vec::new();
    cut_parts(expr, &mut parts);
    parts.len() > 1 && !env.binds(expr) && parts.iter().all(|part| is_pattern(part, env))
}

/// The parts of a concatenation.
pub(super) fn cut_parts<'e>(expr: &'e Expr, into: &mut Vec<&'e Expr>) {
    match &expr.kind {
        Kind::Op(Op::Concat, parts) => parts.iter().for_each(|part| cut_parts(part, into)),
        _ => into.push(expr),
    }
}

/// An unbound variable that is one side of a union.
fn open_side(expr: &Expr, env: &Env) -> Option<u32> {
    match &expr.kind {
        Kind::Slot(slot) if !env.is_bound(*slot) => Some(*slot),
        Kind::Op(Op::Union, parts) => open_side(&parts[0], env).or_else(|| open_side(&parts[1], env)),
        _ => None,
    }
}

/// Can a formula be matched against a value, so that its unbound variables are bound?
pub(super) fn is_pattern(expr: &Expr, env: &Env) -> bool {
    match &expr.kind {
        Kind::Slot(_) => true,
        _ if env.binds(expr) => true,
        Kind::Op(Op::Couple | Op::Sequence, parts) => parts.iter().all(|part| is_pattern(part, env)),
        Kind::Op(Op::SetOf, parts) => parts.len() == 1 && is_pattern(&parts[0], env),
        Kind::Record(fields) => fields.iter().all(|(_, part)| is_pattern(part, env)),
        Kind::Op(Op::Add | Op::Subtract, parts) => {
            (env.binds(&parts[0]) && is_pattern(&parts[1], env)) || (env.binds(&parts[1]) && is_pattern(&parts[0], env))
        }
        Kind::Op(Op::Negate, parts) => is_pattern(&parts[0], env),
        _ => false,
    }
}

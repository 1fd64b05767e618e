//! Execution of substitutions.
//!
//! A substitution is a relation between the values before and sets of updates: executing it gives all of them, none if
//! it is not feasible. `||` combines the updates of both sides, which read the same values; `;` lets the second side
//! read what the first one has written. Updates of local variables and outputs travel with those of the machine's
//! variables and are cut off where their scope ends.
//!
//! Operations are prepared for it once ([`super::plan`]).

use smallvec::SmallVec;

use super::ast::{Expr, Kind, Sub, SubKind};
use super::context::{Context, Env, Large};
use super::error::{Error, Pos, Res};
use super::values::Value;

const VIOLATED: &str = "this ASSERT is violated";

/// The work of a turn of a loop.
const TURN: u32 = 16;

/// New values of some slots, sorted by slot.
pub(super) type Updates = SmallVec<[(u32, Value); 4]>;

/// The slot of a checked variable.
fn slot(target: &Expr) -> Res<u32> {
    match target.kind {
        Kind::Slot(slot) => Ok(slot),
        _ => Err(Error::syntax(target.pos, "this is no variable".into())),
    }
}

/// Two updates of a variable.
fn twice(pos: Pos) -> Error {
    Error::refused(pos, "a variable is assigned to on both sides of ||".into())
}

/// Adds an update of a slot that has none.
fn put(updates: &mut Updates, slot: u32, value: Value, pos: Pos) -> Res<()> {
    match updates.binary_search_by_key(&slot, |(other, _)| *other) {
        Ok(_) => Err(twice(pos)),
        Err(at) => {
            updates.insert(at, (slot, value));
            Ok(())
        }
    }
}

/// Updates of the first, and those of the second, which win.
fn after(first: &Updates, second: Updates) -> Updates {
    if first.is_empty() {
        return second;
    }
    let mut all = first.clone();
    for (slot, value) in second {
        match all.binary_search_by_key(&slot, |(other, _)| *other) {
            Ok(at) => all[at].1 = value,
            Err(at) => all.insert(at, (slot, value)),
        }
    }
    all
}

/// Does a substitution have one result at most, whatever the values are, and none that it reads itself?
pub(super) fn is_single(sub: &Sub) -> bool {
    match &sub.kind {
        SubKind::Skip | SubKind::Assign(..) => true,
        SubKind::Select(cases, _) if cases.len() > 1 => false,
        SubKind::Pre(..)
        | SubKind::Assert(..)
        | SubKind::Select(..)
        | SubKind::If(..)
        | SubKind::Case(..)
        | SubKind::Parallel(_) => sub.parts().into_iter().all(is_single),
        _ => false,
    }
}

impl Context {
    /// Executes a substitution that has one result at most ([`is_single`]): adds its updates, in any order, and tells
    /// whether it is feasible.
    ///
    /// # Errors
    /// As [`Context::execute`].
    pub(super) fn execute_single(&self, sub: &Sub, env: &mut Env, into: &mut Updates) -> Res<bool> {
        let pos = sub.pos;
        match &sub.kind {
            SubKind::Skip => Ok(true),
            SubKind::Assign(left, right) => {
                let start = into.len();
                for (target, expr) in left.iter().zip(right) {
                    let value = self.named(expr, env)?;
                    let slot = slot(target)?;
                    if Large::is(&value) {
                        env.note(slot, &value, expr, &self.sizes);
                    }
                    if into[start..].iter().any(|(other, _)| *other == slot) {
                        return Err(twice(pos));
                    }
                    into.push((slot, value));
                }
                Ok(true)
            }
            SubKind::Pre(guard, body) => Ok(self.holds(guard, env)? && self.execute_single(body, env, into)?),
            SubKind::Assert(guard, body) => {
                if self.holds(guard, env)? {
                    self.execute_single(body, env, into)
                } else {
                    Err(Error::ill(pos, VIOLATED))
                }
            }
            SubKind::Select(cases, other) | SubKind::If(cases, other) => {
                for (guard, body) in cases {
                    if self.holds(guard, env)? {
                        return self.execute_single(body, env, into);
                    }
                }
                let none = matches!(sub.kind, SubKind::If(..));
                other.as_ref().map_or(Ok(none), |other| self.execute_single(other, env, into))
            }
            SubKind::Case(subject, cases, other) => {
                let subject = self.named(subject, env)?;
                for (values, body) in cases {
                    for value in values {
                        if self.named(value, env)? == subject {
                            return self.execute_single(body, env, into);
                        }
                    }
                }
                other.as_ref().map_or(Ok(true), |other| self.execute_single(other, env, into))
            }
            SubKind::Parallel(parts) => {
                // What is not feasible may still be without a value.
                let (start, mut feasible) = (into.len(), true);
                for part in parts {
                    let middle = into.len();
                    feasible &= self.execute_single(part, env, into)?;
                    if !feasible {
                        into.truncate(start);
                        continue;
                    }
                    let (first, second) = into[start..].split_at(middle - start);
                    if second.iter().any(|(slot, _)| first.iter().any(|(other, _)| other == slot)) {
                        return Err(twice(part.pos));
                    }
                }
                Ok(feasible)
            }
            _ => Err(Error::typing(pos, "this substitution may have several results".into())),
        }
    }

    /// Runs a function where some updates have been made.
    fn with<T>(&self, updates: &Updates, env: &mut Env, run: impl FnOnce(&mut Env) -> Res<T>) -> Res<T> {
        let saved: SmallVec<[Value; 4]> = updates
            .iter()
            .map(|(slot, value)| std::mem::replace(&mut env.slots[*slot as usize], value.clone()))
            .collect();
        let result = run(env);
        for ((slot, _), value) in updates.iter().zip(saved) {
            env.slots[*slot as usize] = value;
        }
        result
    }

    /// Executes a substitution.
    ///
    /// # Errors
    /// When an expression has no value.
    pub(super) fn execute(&self, sub: &Sub, env: &mut Env) -> Res<Vec<Updates>> {
        let pos = sub.pos;
        match &sub.kind {
            SubKind::Skip => Ok(vec![Updates::new()]),
            SubKind::Assign(left, right) => {
                let mut updates = Updates::new();
                for (target, value) in left.iter().zip(right) {
                    let expr = value;
                    let value = self.named(expr, env)?;
                    if Large::is(&value) {
                        env.note(slot(target)?, &value, expr, &self.sizes);
                    }
                    put(&mut updates, slot(target)?, value, pos)?;
                }
                Ok(vec![updates])
            }
            SubKind::BecomesIn(left, set) => {
                let items = self.members(set, env)?;
                let mut results = Vec::with_capacity(items.len());
                for item in items.iter() {
                    let mut updates = Updates::new();
                    let mut rest = item;
                    for target in left[1..].iter().rev() {
                        let (front, last) = rest.sides();
                        put(&mut updates, slot(target)?, last.clone(), pos)?;
                        rest = front;
                    }
                    put(&mut updates, slot(&left[0])?, rest.clone(), pos)?;
                    results.push(updates);
                }
                Ok(results)
            }
            SubKind::BecomesSuch(left, bound, such) => {
                let mut results = Vec::new();
                let slots: Vec<u32> = left.iter().map(slot).collect::<Res<_>>()?;
                self.solve_all(bound, &such.conjuncts(), env, &mut |_, env| {
                    let mut updates = Updates::new();
                    for (slot, var) in slots.iter().zip(bound) {
                        put(&mut updates, *slot, env.slots[var.slot as usize].clone(), pos)?;
                    }
                    results.push(updates);
                    Ok(())
                })?;
                results.sort_unstable();
                results.dedup();
                Ok(results)
            }
            SubKind::Pre(guard, body) => {
                if self.holds(guard, env)? {
                    self.execute(body, env)
                } else {
                    Ok(Vec::new())
                }
            }
            SubKind::Assert(guard, body) => {
                if self.holds(guard, env)? {
                    self.execute(body, env)
                } else {
                    Err(Error::ill(pos, VIOLATED))
                }
            }
            SubKind::Select(cases, other) => {
                let (mut results, mut any) = (Vec::new(), false);
                for (guard, body) in cases {
                    if self.holds(guard, env)? {
                        any = true;
                        results.extend(self.execute(body, env)?);
                    }
                }
                match other {
                    Some(other) if !any => self.execute(other, env),
                    _ => Ok(results),
                }
            }
            SubKind::If(cases, other) => {
                for (guard, body) in cases {
                    if self.holds(guard, env)? {
                        return self.execute(body, env);
                    }
                }
                other.as_ref().map_or_else(|| Ok(vec![Updates::new()]), |other| self.execute(other, env))
            }
            SubKind::Choice(parts) => {
                let mut results = Vec::new();
                for part in parts {
                    results.extend(self.execute(part, env)?);
                }
                Ok(results)
            }
            SubKind::Any(bound, guard, body) => {
                let mut results = Vec::new();
                self.solve_all(bound, &guard.conjuncts(), env, &mut |context, env| {
                    results.extend(context.execute(body, env)?);
                    Ok(())
                })?;
                Ok(results)
            }
            SubKind::Var(bound, body) => {
                let cleared: Updates = bound.iter().map(|var| (var.slot, Value::Undefined)).collect();
                let mut results = self.with(&cleared, env, |env| self.execute(body, env))?;
                for updates in &mut results {
                    updates.retain(|(slot, _)| bound.iter().all(|var| var.slot != *slot));
                }
                Ok(results)
            }
            SubKind::Sequence(parts) => self.one_after_the_other(parts, env),
            SubKind::Parallel(parts) => self.side_by_side(parts, env),
            SubKind::Case(subject, cases, other) => {
                let subject = self.named(subject, env)?;
                for (values, body) in cases {
                    for value in values {
                        if self.named(value, env)? == subject {
                            return self.execute(body, env);
                        }
                    }
                }
                other.as_ref().map_or_else(|| Ok(vec![Updates::new()]), |other| self.execute(other, env))
            }
            SubKind::While(condition, body) => self.repeated(condition, body, pos, env),
            SubKind::Inline(..) => self.called(sub, env),
            SubKind::Call(name, ..) => Err(Error::typing(pos, format!("the call of {name} was not resolved"))),
        }
    }

    /// Substitutions one after the other.
    fn one_after_the_other(&self, parts: &[Sub], env: &mut Env) -> Res<Vec<Updates>> {
        let mut all = vec![Updates::new()];
        for part in parts {
            let mut next = Vec::new();
            for first in &all {
                let second = self.with(first, env, |env| self.execute(part, env))?;
                next.extend(second.into_iter().map(|second| after(first, second)));
            }
            next.sort_unstable();
            next.dedup();
            all = next;
        }
        Ok(all)
    }

    /// Substitutions side by side.
    fn side_by_side(&self, parts: &[Sub], env: &mut Env) -> Res<Vec<Updates>> {
        let mut all = vec![Updates::new()];
        for part in parts {
            let side = self.execute(part, env)?;
            let mut next = Vec::with_capacity(all.len() * side.len());
            for first in &all {
                for second in &side {
                    let mut both = first.clone();
                    for (slot, value) in second {
                        put(&mut both, *slot, value.clone(), part.pos)?;
                    }
                    next.push(both);
                }
            }
            all = next;
        }
        Ok(all)
    }

    /// A substitution as long as a condition holds.
    fn repeated(&self, condition: &Expr, body: &Sub, pos: Pos, env: &mut Env) -> Res<Vec<Updates>> {
        let (mut running, mut done) = (vec![Updates::new()], Vec::new());
        for _ in 0..self.loops {
            env.spend(TURN)?;
            let mut next = Vec::new();
            for first in running {
                let more = self.with(&first, env, |env| {
                    if self.holds(condition, env)? { self.execute(body, env).map(Some) } else { Ok(None) }
                })?;
                match more {
                    None => done.push(first),
                    Some(more) => next.extend(more.into_iter().map(|second| after(&first, second))),
                }
            }
            next.sort_unstable();
            next.dedup();
            if next.is_empty() {
                return Ok(done);
            }
            running = next;
        }
        Err(Error::refused(pos, format!("this loop runs more than {} times", self.loops)))
    }

    /// A call with the operation in its place.
    fn called(&self, sub: &Sub, env: &mut Env) -> Res<Vec<Updates>> {
        let SubKind::Inline(inputs, values, body, outputs, targets) = &sub.kind else { return Ok(Vec::new()) };
        let pos = sub.pos;
        let mut given = Updates::new();
        for (var, value) in inputs.iter().zip(values) {
            put(&mut given, var.slot, self.named(value, env)?, pos)?;
        }
        for var in outputs {
            put(&mut given, var.slot, Value::Undefined, pos)?;
        }
        let results = self.with(&given, env, |env| self.execute(body, env))?;
        let mut renamed = Vec::with_capacity(results.len());
        for updates in results {
            let mut outside = Updates::new();
            for (slot_, value) in updates {
                match outputs.iter().position(|var| var.slot == slot_) {
                    Some(at) => put(&mut outside, slot(&targets[at])?, value, pos)?,
                    None => put(&mut outside, slot_, value, pos)?,
                }
            }
            renamed.push(outside);
        }
        Ok(renamed)
    }
}

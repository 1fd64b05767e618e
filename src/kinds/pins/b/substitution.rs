//! Execution of substitutions.
//!
//! A substitution is a relation between the values before and sets of updates: executing it gives all of them, none if
//! it is not feasible. `||` combines the updates of both sides, which read the same values; `;` lets the second side
//! read what the first one has written. Updates of local variables and outputs travel with those of the machine's
//! variables and are cut off where their scope ends.
//!
//! The guards at the top of an operation (PRE, SELECT, ANY and what is nested in them) are handed to the solver
//! together with the operation's inputs, so that each guard can provide candidates.

use smallvec::SmallVec;

use super::ast::{Binder, Bound, Expr, Kind, Op, Operation, Sub, SubKind, is_whole};
use super::context::{Context, Env, Large};
use super::error::{Error, Pos, Res};
use super::solver::negated;
use super::values::Value;

/// The work of a turn of a loop.
const TURN: u32 = 16;

/// New values of some slots, sorted by slot.
pub(super) type Updates = SmallVec<[(u32, Value); 4]>;

/// One way in which an operation can happen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Outcome {
    /// Values of its inputs.
    pub inputs: Vec<Value>,
    /// Values of its outputs.
    pub outputs: Vec<Value>,
    /// Its updates.
    pub updates: Updates,
}

/// The slot of a checked variable.
fn slot(target: &Expr) -> Res<u32> {
    match target.kind {
        Kind::Slot(slot) => Ok(slot),
        _ => Err(Error::syntax(target.pos, "this is no variable".into())),
    }
}

/// Adds an update of a slot that has none.
fn put(updates: &mut Updates, slot: u32, value: Value, pos: Pos) -> Res<()> {
    match updates.binary_search_by_key(&slot, |(other, _)| *other) {
        Ok(_) => Err(Error::refused(pos, "a variable is assigned to on both sides of ||".into())),
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

impl Context {
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
                    Err(Error::ill(pos, "this ASSERT is violated"))
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

    /// All ways in which an operation can happen, sorted.
    ///
    /// # Errors
    /// When an expression has no value.
    pub(super) fn outcomes(&self, operation: &Operation, env: &mut Env) -> Res<Vec<Outcome>> {
        for var in &operation.outputs {
            env.slots[var.slot as usize] = Value::Undefined;
        }
        let mut found = Vec::new();
        let vars: Vec<Bound> = operation.inputs.clone();
        self.descend(operation, vars, Vec::new(), &operation.body, env, &mut found)?;
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Collects guards at the top of an operation, then solves them.
    fn descend(
        &self,
        operation: &Operation,
        vars: Vec<Bound>,
        guards: Vec<&Expr>,
        sub: &Sub,
        env: &mut Env,
        found: &mut Vec<Outcome>,
    ) -> Res<()> {
        let joined = |guard| -> Vec<&Expr> { guards.iter().copied().chain([guard]).collect() };
        match &sub.kind {
            SubKind::Pre(guard, body) => self.descend(operation, vars, joined(guard), body, env, found),
            SubKind::Any(bound, guard, body) => {
                let vars = vars.into_iter().chain(bound.iter().cloned()).collect();
                self.descend(operation, vars, joined(guard), body, env, found)
            }
            SubKind::Select(cases, other) if cases.len() == 1 || !vars.is_empty() => {
                for (guard, body) in cases {
                    self.descend(operation, vars.clone(), joined(guard), body, env, found)?;
                }
                let Some(other) = other else { return Ok(()) };
                let none: Vec<Expr> = cases.iter().map(|(guard, _)| negated(guard)).collect();
                let guards = guards.iter().copied().chain(&none).collect();
                self.descend(operation, vars, guards, other, env, found)
            }
            SubKind::Choice(parts) if !vars.is_empty() => {
                for part in parts {
                    self.descend(operation, vars.clone(), guards.clone(), part, env, found)?;
                }
                Ok(())
            }
            SubKind::If(cases, other) if vars.iter().any(|var| !mentions(&guards, var.slot)) => {
                let mut none: Vec<Expr> = Vec::new();
                for (guard, body) in cases {
                    let guards = guards.iter().copied().chain(&none).chain([guard]).collect();
                    self.descend(operation, vars.clone(), guards, body, env, found)?;
                    none.push(negated(guard));
                }
                let guards = guards.iter().copied().chain(&none).collect();
                match other {
                    Some(other) => self.descend(operation, vars, guards, other, env, found),
                    None => {
                        let skip = Sub::new(sub.pos, SubKind::Skip);
                        self.descend(operation, vars, guards, &skip, env, found)
                    }
                }
            }
            _ => {
                // That an output has its type says nothing of it.
                let types = |expr: &&Expr| match &expr.kind {
                    Kind::Op(Op::In, sides) if is_whole(&sides[1]) => operation
                        .outputs
                        .iter()
                        .any(|out| matches!(sides[0].kind, Kind::Slot(slot) if slot == out.slot)),
                    _ => false,
                };
                let (mut guards, mut outer) = (guards, 1);
                if let Some(first) = guards.first().copied()
                    && first.conjuncts().iter().any(types)
                {
                    let rest: Vec<&Expr> = first.conjuncts().into_iter().filter(|expr| !types(expr)).collect();
                    outer = rest.len();
                    guards.splice(0..1, rest);
                }
                // ProB reports what has no value below the outermost guard.
                env.hard.clear();
                guards.iter().skip(outer).for_each(|guard| places(guard, &mut env.hard));
                self.solve_all(&vars, &guards, env, &mut |context, env| {
                    let value = |var: &Bound, env: &Env| env.slots[var.slot as usize].clone();
                    let inputs: Vec<Value> = operation.inputs.iter().map(|var| value(var, env)).collect();
                    for mut updates in context.execute(sub, env)? {
                        let mut outputs = Vec::with_capacity(operation.outputs.len());
                        for var in &operation.outputs {
                            match updates.binary_search_by_key(&var.slot, |(slot, _)| *slot) {
                                Ok(at) => outputs.push(updates.remove(at).1),
                                Err(_) => outputs.push(Value::Undefined),
                            }
                        }
                        found.push(Outcome { inputs: inputs.clone(), outputs, updates });
                    }
                    Ok(())
                })?;
                Ok(())
            }
        }
    }
}

/// Where a guard and the parts into which the solver takes it are in memory.
fn places(guard: &Expr, into: &mut Vec<usize>) {
    into.push(std::ptr::from_ref(guard) as usize);
    if matches!(guard.kind, Kind::Op(Op::And | Op::Or | Op::Implies, _) | Kind::Binder(Binder::Exists, ..)) {
        guard.parts().into_iter().for_each(|part| places(part, into));
    }
}

/// Does a guard restrict a variable, so that its candidates need not come from elsewhere?
fn mentions(guards: &[&Expr], slot: u32) -> bool {
    guards
        .iter()
        .flat_map(|guard| guard.conjuncts())
        .any(|guard| guard.free.contains(&slot) && matches!(guard.kind, Kind::Op(Op::In | Op::Equal | Op::Subset, _)))
}

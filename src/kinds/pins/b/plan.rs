//! Operations, prepared for execution.
//!
//! The guards at the top of an operation (PRE, SELECT, ANY and what is nested in them) are handed to the solver
//! together with the operation's inputs, so that each guard can provide candidates. Which guards lie on the way to
//! which substitution does not depend on a state: the ways are found once, as *cases*. In a state the solver gives the
//! values of a case's variables; where it has none, its guards are conditions.
//!
//! The usual case needs no solver: each of its variables is in a set that does not depend on the others (`x : S`,
//! `x |-> y : r`). Then the sets are *sources*: they are listed, the smallest is the outermost loop, and each guard is
//! tested as soon as its variables have values. Where anything has no value the solver begins anew, as it knows what
//! that means.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::ast::{Binder, Bound, Carrier, Expr, Kind, Op, Operation, Sub, SubKind, is_whole};
use super::context::{Context, Env};
use super::error::{Fault, Res};
use super::solver::negated;
use super::substitution::{Updates, is_single};
use super::values::Value;

/// More combinations of candidates than the solver's overhead is worth.
const MANY: usize = 1 << 12;

/// A source and its elements.
type Listed = (usize, Arc<Vec<Value>>);

/// Sources and their elements.
type Loops = SmallVec<[Listed; 4]>;

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

/// A substitution of an operation and the way to it.
#[derive(Debug)]
pub(super) struct Case {
    /// The variables to be found: inputs, and those of ANY.
    pub vars: Vec<Bound>,
    /// The guards, without conjunctions.
    pub guards: Vec<Expr>,
    /// What is done.
    pub body: Sub,
    /// Has the body one result at most?
    single: bool,
    /// For each guard: the variables that it reads, as bits.
    reads: Vec<u64>,
    /// Guards that are sources, if all variables are in one.
    sources: Vec<usize>,
}

impl Case {
    fn new(vars: Vec<Bound>, guards: Vec<Expr>, body: &Sub) -> Case {
        let bit = |slot: &u32| vars.iter().position(|var| var.slot == *slot).map_or(0, |at| 1 << at);
        let bits = |expr: &Expr| expr.free.iter().fold(0, |bits, slot| bits | bit(slot));
        let (mut reads, mut sources, mut covered) = (Vec::new(), Vec::new(), 0u64);
        if vars.len() < 64 {
            reads = guards.iter().map(&bits).collect();
            for (at, guard) in guards.iter().enumerate() {
                if let Kind::Op(Op::In, sides) = &guard.kind
                    && bits(&sides[1]) == 0
                    && is_tuple(&sides[0], &|slot| bit(&slot) != 0)
                    && is_short(&sides[1])
                    && covered & reads[at] != reads[at]
                {
                    sources.push(at);
                    covered |= reads[at];
                }
            }
        }
        // Equations give values without a search.
        let defines = |guard: &Expr| {
            let Kind::Op(Op::Equal, sides) = &guard.kind else { return false };
            sides.iter().any(|side| matches!(side.kind, Kind::Slot(slot) if bit(&slot) != 0))
        };
        if covered.count_ones() as usize != vars.len() || guards.iter().any(defines) {
            sources.clear();
        }
        let single = is_single(body);
        Case { vars, guards, body: body.clone(), single, reads, sources }
    }
}

/// Is a formula a tuple of variables?
fn is_tuple(expr: &Expr, variable: &dyn Fn(u32) -> bool) -> bool {
    match &expr.kind {
        Kind::Slot(slot) => variable(*slot),
        Kind::Op(Op::Couple, sides) => sides.iter().all(|side| is_tuple(side, variable)),
        _ => false,
    }
}

/// Is a set one that is listed where it is needed, and has no form that the solver makes use of?
fn is_short(set: &Expr) -> bool {
    match &set.kind {
        Kind::Slot(_) | Kind::Carrier(Carrier::Bool | Carrier::Given(_)) => true,
        Kind::Op(Op::Interval, ends) => ends.iter().all(|end| matches!(end.kind, Kind::Literal(_) | Kind::Slot(_))),
        Kind::Op(Op::Domain | Op::Range | Op::Inverse | Op::Image | Op::Union | Op::Intersection, parts) => {
            parts.iter().all(is_short)
        }
        Kind::Op(Op::Difference, parts) => is_short(&parts[0]),
        Kind::Op(Op::SetOf, items) => items.len() > 1,
        _ => false,
    }
}

/// An operation as cases.
#[derive(Debug)]
pub(super) struct Plan {
    /// The ways to its substitutions.
    pub cases: Vec<Case>,
    /// Slots of its inputs.
    pub inputs: Vec<u32>,
    /// Slots of its outputs.
    pub outputs: Vec<u32>,
}

impl Plan {
    /// The plan of an operation. Guards below the outermost one, of which ProB reports that they have no value, are
    /// noted by where they are in memory.
    pub(super) fn of(operation: &Operation, hard: &mut FxHashSet<usize>) -> Plan {
        let slots = |bound: &[Bound]| bound.iter().map(|var| var.slot).collect();
        let (inputs, outputs) = (slots(&operation.inputs), slots(&operation.outputs));
        let mut plan = Plan { cases: Vec::new(), inputs, outputs };
        plan.descend(operation, operation.inputs.clone(), Vec::new(), &operation.body, hard);
        plan
    }

    /// Collects the guards at the top of an operation.
    fn descend(
        &mut self,
        operation: &Operation,
        vars: Vec<Bound>,
        guards: Vec<&Expr>,
        sub: &Sub,
        hard: &mut FxHashSet<usize>,
    ) {
        let joined = |guard| -> Vec<&Expr> { guards.iter().copied().chain([guard]).collect() };
        match &sub.kind {
            SubKind::Pre(guard, body) => self.descend(operation, vars, joined(guard), body, hard),
            SubKind::Any(bound, guard, body) => {
                let vars = vars.into_iter().chain(bound.iter().cloned()).collect();
                self.descend(operation, vars, joined(guard), body, hard);
            }
            SubKind::Select(cases, other) if cases.len() == 1 || !vars.is_empty() => {
                for (guard, body) in cases {
                    self.descend(operation, vars.clone(), joined(guard), body, hard);
                }
                let Some(other) = other else { return };
                let none: Vec<Expr> = cases.iter().map(|(guard, _)| negated(guard)).collect();
                let guards = guards.iter().copied().chain(&none).collect();
                self.descend(operation, vars, guards, other, hard);
            }
            SubKind::Choice(parts) if !vars.is_empty() => {
                for part in parts {
                    self.descend(operation, vars.clone(), guards.clone(), part, hard);
                }
            }
            SubKind::If(cases, other) if vars.iter().any(|var| !mentions(&guards, var.slot)) => {
                let mut none: Vec<Expr> = Vec::new();
                for (guard, body) in cases {
                    let guards = guards.iter().copied().chain(&none).chain([guard]).collect();
                    self.descend(operation, vars.clone(), guards, body, hard);
                    none.push(negated(guard));
                }
                let guards = guards.iter().copied().chain(&none).collect();
                match other {
                    Some(other) => self.descend(operation, vars, guards, other, hard),
                    None => self.descend(operation, vars, guards, &Sub::new(sub.pos, SubKind::Skip), hard),
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
                let mut own: Vec<Expr> = Vec::new();
                let mut outer = 0;
                for (at, guard) in guards.iter().enumerate() {
                    own.extend(guard.conjuncts().into_iter().filter(|expr| at > 0 || !types(expr)).cloned());
                    outer = if at == 0 { own.len() } else { outer };
                }
                // ProB reports what has no value below the outermost guard.
                own.iter().skip(outer).for_each(|guard| places(guard, hard));
                self.cases.push(Case::new(vars, own, sub));
            }
        }
    }
}

impl Context {
    /// All ways in which an operation can happen, sorted.
    ///
    /// # Errors
    /// When an expression has no value.
    pub(super) fn outcomes(&self, plan: &Plan, env: &mut Env) -> Res<Vec<Outcome>> {
        for slot in &plan.outputs {
            env.slots[*slot as usize] = Value::Undefined;
        }
        let mut found = Vec::new();
        for case in &plan.cases {
            if case.vars.is_empty()
                && let Some(holds) = self.all_hold(&case.guards, env)?
            {
                if holds && let Err(error) = self.happen(plan, case, env, &mut found) {
                    if !env.lenient || !error.is_outside() {
                        return Err(error);
                    }
                    env.dropped.get_or_insert(error);
                }
                continue;
            }
            if !case.sources.is_empty() && self.listed_out(plan, case, env, &mut found)? {
                continue;
            }
            let guards: Vec<&Expr> = case.guards.iter().collect();
            self.solve_all(&case.vars, &guards, env, &mut |context, env| context.happen(plan, case, env, &mut found))?;
        }
        if found.len() > 1 {
            found.sort_unstable();
            found.dedup();
        }
        Ok(found)
    }

    /// Executes a case for all values of its variables in its sources. False if something has no value, and nothing has
    /// been done: what that means is for the solver to tell.
    fn listed_out(&self, plan: &Plan, case: &Case, env: &mut Env, found: &mut Vec<Outcome>) -> Res<bool> {
        let (mark, dropped) = (found.len(), env.dropped.clone());
        let mut clear = |var: &Bound| std::mem::replace(&mut env.slots[var.slot as usize], Value::Undefined);
        let saved: SmallVec<[Value; 8]> = case.vars.iter().map(&mut clear).collect();
        let result = self.begin(plan, case, env, found);
        for (var, value) in case.vars.iter().zip(saved) {
            env.slots[var.slot as usize] = value;
        }
        match result {
            Ok(true) => Ok(true),
            Err(error) if error.fault() == Fault::Exhausted => Err(error),
            _ => {
                found.truncate(mark);
                env.dropped = dropped;
                Ok(false)
            }
        }
    }

    /// Lists the sources, and begins with the smallest; false if the solver is better at it.
    fn begin(&self, plan: &Plan, case: &Case, env: &mut Env, found: &mut Vec<Outcome>) -> Res<bool> {
        env.spend(1)?;
        // What reads a variable without a value is for the solver to report.
        let bound = |slot: &u32| env.is_bound(*slot) || case.vars.iter().any(|var| var.slot == *slot);
        if !case.guards.iter().all(|guard| guard.free.iter().all(bound)) {
            return Ok(false);
        }
        for (guard, _) in case.guards.iter().zip(&case.reads).filter(|(_, reads)| **reads == 0) {
            if !self.holds(guard, env)? {
                return Ok(true);
            }
        }
        let (mut loops, mut most) = (Loops::new(), 1usize);
        for &at in &case.sources {
            let Kind::Op(_, sides) = &case.guards[at].kind else { return Ok(false) };
            let items = self.members(&sides[1], env)?;
            most = most.saturating_mul(items.len());
            loops.push((at, items));
        }
        if most > MANY {
            return Ok(false);
        }
        loops.sort_by_key(|(_, items)| items.len());
        self.nested(plan, case, (&loops, 0), env, found)
    }

    /// Executes a case for all values of the variables in some sources; others, given as bits, have values.
    fn nested(
        &self,
        plan: &Plan,
        case: &Case,
        (loops, before): (&[Listed], u64),
        env: &mut Env,
        found: &mut Vec<Outcome>,
    ) -> Res<bool> {
        let Some(((at, items), inner)) = loops.split_first() else {
            if let Err(error) = self.happen(plan, case, env, found) {
                if !env.lenient || !error.is_outside() {
                    return Err(error);
                }
                env.dropped.get_or_insert(error);
            }
            return Ok(true);
        };
        let Kind::Op(_, sides) = &case.guards[*at].kind else { return Ok(false) };
        let now = before | case.reads[*at];
        let mut trail = SmallVec::new();
        for item in items.iter() {
            env.spend(1)?;
            let mut fits = self.matches(&sides[0], item, env, &mut trail)?;
            for (number, (guard, reads)) in case.guards.iter().zip(&case.reads).enumerate() {
                // All that it reads has a value now, and had not before.
                if fits && reads & !before != 0 && reads & !now == 0 && number != *at {
                    fits = self.holds(guard, env)?;
                }
            }
            if fits && !self.nested(plan, case, (inner, now), env, found)? {
                return Ok(false);
            }
            for slot in trail.drain(..) {
                env.slots[slot as usize] = Value::Undefined;
            }
        }
        Ok(true)
    }

    /// Do all guards hold? `None` if one of them has no value, which the solver is to judge.
    fn all_hold(&self, guards: &[Expr], env: &mut Env) -> Res<Option<bool>> {
        env.spend(1)?;
        if !guards.iter().all(|guard| env.binds(guard)) {
            return Ok(None);
        }
        for guard in guards {
            match self.holds(guard, env) {
                Ok(true) => {}
                Ok(false) => return Ok(Some(false)),
                Err(error) if error.fault() == Fault::IllDefined => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(true))
    }

    /// Executes the body of a case whose variables have values.
    fn happen(&self, plan: &Plan, case: &Case, env: &mut Env, found: &mut Vec<Outcome>) -> Res<()> {
        let inputs: Vec<Value> = plan.inputs.iter().map(|slot| env.slots[*slot as usize].clone()).collect();
        let outcome = |mut updates: Updates, inputs: Vec<Value>| {
            let mut outputs = Vec::with_capacity(plan.outputs.len());
            for slot in &plan.outputs {
                match updates.iter().position(|(other, _)| slot == other) {
                    Some(at) => outputs.push(updates.remove(at).1),
                    None => outputs.push(Value::Undefined),
                }
            }
            Outcome { inputs, outputs, updates }
        };
        if case.single {
            let mut updates = Updates::new();
            if self.execute_single(&case.body, env, &mut updates)? {
                if updates.len() > 1 {
                    updates.sort_unstable_by_key(|(slot, _)| *slot);
                }
                found.push(outcome(updates, inputs));
            }
            return Ok(());
        }
        for updates in self.execute(&case.body, env)? {
            found.push(outcome(updates, inputs.clone()));
        }
        Ok(())
    }
}

/// Where a guard and the parts into which the solver takes it are in memory.
fn places(guard: &Expr, into: &mut FxHashSet<usize>) {
    into.insert(std::ptr::from_ref(guard) as usize);
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

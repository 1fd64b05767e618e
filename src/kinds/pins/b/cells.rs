//! Search for a function, one argument after the other.
//!
//! Constants of puzzles are often functions from a space that is too large to list: `queens : perm(1..8) & ...`. The
//! function is built up argument by argument; while it is [`Value::Partial`], the other conjuncts are evaluated with
//! three values: an application to an argument that has none yet is *unknown*, and only a conjunct that is false
//! whatever follows prunes the search. So a quantified constraint takes effect as soon as its instances are known.
//! Instances that are equations `f(a) = E` give values at once (unit propagation); a function into an infinite set
//! can be found in this way only.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::ast::{Binder, Bound, Expr, Kind, Op};
use super::context::{Context, Each, Env};
use super::error::{Error, Fault, Res};
use super::sources::Todo;
use super::spaces::{DEEP, Form, function_form};
use super::values::Value;

/// The arguments of a function and their values, where known; [`Value::Undefined`]: the argument has none.
type Cells = Vec<(Value, Option<Value>)>;

/// The target of a search.
struct Search<'e> {
    slot: u32,
    /// Possible values, if they can be listed.
    range: Option<Arc<Vec<Value>>>,
    /// The set that they are from.
    range_set: &'e Expr,
    partial: bool,
    injective: bool,
    surjective: bool,
    /// Conjuncts that read the function and nothing unbound.
    tests: Vec<&'e Expr>,
}

/// The conjuncts that read a variable, and nothing else that has no value yet.
fn tests_of<'e>(slot: u32, todo: &Todo<'e>, env: &Env) -> Vec<&'e Expr> {
    let reads =
        |expr: &&&Expr| expr.free.contains(&slot) && expr.free.iter().all(|free| *free == slot || env.is_bound(*free));
    todo.iter().filter(reads).copied().collect()
}

impl Context {
    /// Searches the conjunct `pattern : set`, at its place in `todo`, argument by argument, if it is a function that
    /// other conjuncts restrict.
    pub(super) fn search_cells(
        &self,
        todo: &Todo<'_>,
        (at, pattern, set): (usize, &Expr, &Expr),
        vars: &[&Bound],
        env: &mut Env,
        each: Each<'_>,
    ) -> Res<Option<ControlFlow<()>>> {
        let (Kind::Slot(slot), Kind::Op(op, parts)) = (&pattern.kind, &set.kind) else { return Ok(None) };
        let Some(Form { total, injective, surjective, .. }) = function_form(*op) else { return Ok(None) };
        let partial = !total;
        let mut rest = todo.clone();
        rest.remove(at);
        let tests = tests_of(*slot, &rest, env);
        if tests.is_empty() {
            return Ok(None);
        }
        let finite = |result: Res<Arc<Vec<Value>>>| match result {
            Err(error) if error.fault() == Fault::Infinite => Ok(None),
            result => result.map(Some),
        };
        let (domain, range, range_set) = if *op == Op::Permutations {
            let items = self.members(&parts[0], env)?;
            (Arc::new((1..=items.len() as i64).map(Value::Int).collect()), Some(items), &parts[0])
        } else {
            let Some(domain) = finite(self.members(&parts[0], env))? else { return Ok(None) };
            (domain, finite(self.members(&parts[1], env))?, &parts[1])
        };
        if domain.len() > DEEP || (range.is_none() && (partial || surjective)) {
            return Ok(None);
        }
        if injective && surjective && !partial && range.as_ref().is_some_and(|range| domain.len() != range.len()) {
            return Ok(Some(ControlFlow::Continue(())));
        }
        let infinite = range.is_none();
        let first = if infinite { self.first_value(*slot, &tests, env)? } else { None };
        let search = Search { slot: *slot, range, range_set, partial, injective, surjective, tests };
        let mut cells: Cells = domain.iter().map(|key| (key.clone(), None)).collect();
        if let Some((key, values)) = first {
            // Only where equations give all other values.
            let Ok(at) = cells.binary_search_by(|(other, _)| other.cmp(&key)) else { return Ok(None) };
            for value in values.iter() {
                if !self.member(value, search.range_set, env)? {
                    continue;
                }
                let mut cells = cells.clone();
                cells[at].1 = Some(value.clone());
                let filled = self.deduce(&search, &mut cells, env);
                env.slots[*slot as usize] = Value::Undefined;
                if filled?.is_none() {
                    continue;
                }
                if cells.iter().any(|(_, value)| value.is_none()) {
                    return Ok(None);
                }
                let flow = self.choose(&search, &mut cells, &rest, vars, env, each);
                env.slots[*slot as usize] = Value::Undefined;
                if flow?.is_break() {
                    return Ok(Some(ControlFlow::Break(())));
                }
            }
            return Ok(Some(ControlFlow::Continue(())));
        }
        if infinite {
            // Only where equations give all values.
            let filled = self.deduce(&search, &mut cells, env);
            env.slots[*slot as usize] = Value::Undefined;
            match filled? {
                None => return Ok(Some(ControlFlow::Continue(()))),
                Some(_) if cells.iter().any(|(_, value)| value.is_none()) => return Ok(None),
                Some(_) => cells.iter_mut().for_each(|cell| cell.1 = None),
            }
        }
        let flow = self.fill(&search, &mut cells, &rest, vars, env, each);
        env.slots[*slot as usize] = Value::Undefined;
        flow.map(Some)
    }

    /// An argument of a function whose values are in a finite set, `f(0) : S`, and the set.
    fn first_value(&self, slot: u32, tests: &[&Expr], env: &mut Env) -> Res<Option<(Value, Arc<Vec<Value>>)>> {
        for test in tests {
            let Kind::Op(Op::In, sides) = &test.kind else { continue };
            let Kind::Op(Op::Apply, parts) = &sides[0].kind else { continue };
            let of_slot = matches!(parts[0].kind, Kind::Slot(other) if other == slot);
            if of_slot && env.binds(&parts[1]) && env.binds(&sides[1]) && self.estimate(&sides[1], env)?.is_finite() {
                return Ok(Some((self.value(&parts[1], env)?, self.members(&sides[1], env)?)));
            }
        }
        Ok(None)
    }

    /// Searches the subsets of a set for a variable element by element, if other conjuncts restrict it: each of them
    /// is asked as soon as it can be decided.
    pub(super) fn search_members(
        &self,
        todo: &Todo<'_>,
        (slot, set, right): (u32, &Expr, Option<&Expr>),
        vars: &[&Bound],
        env: &mut Env,
        each: Each<'_>,
    ) -> Res<Option<ControlFlow<()>>> {
        let tests = tests_of(slot, todo, env);
        let helps = |expr: &&Expr| matches!(expr.kind, Kind::Binder(Binder::Forall, ..));
        if right.is_some() || !tests.iter().any(helps) {
            return Ok(None);
        }
        let mut items: Vec<_> = self.members(set, env)?.iter().map(|item| (item.clone(), None)).collect();
        let flow = self.decide(slot, &mut items, 0, &tests, todo, vars, env, each);
        env.slots[slot as usize] = Value::Undefined;
        flow.map(Some)
    }

    /// Decides about an element of a set, and those behind it.
    #[expect(clippy::too_many_arguments)]
    fn decide(
        &self,
        slot: u32,
        items: &mut Vec<(Value, Option<bool>)>,
        next: usize,
        tests: &[&Expr],
        todo: &Todo<'_>,
        vars: &[&Bound],
        env: &mut Env,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        env.budget.check().map_err(Error::exhausted)?;
        if next == items.len() {
            let chosen = items.iter().filter(|(_, is)| *is == Some(true)).map(|(item, _)| item.clone());
            env.slots[slot as usize] = Value::sorted(chosen.collect());
            return self.step(todo.clone(), vars, env, each);
        }
        env.slots[slot as usize] = Value::Undecided(Arc::new(items.clone()));
        for test in tests {
            match self.holds(test, env) {
                Ok(true) => {}
                Ok(false) => return Ok(ControlFlow::Continue(())),
                Err(error) if matches!(error.fault(), Fault::Unknown | Fault::IllDefined) => {}
                Err(error) => return Err(error),
            }
        }
        for is in [false, true] {
            items[next].1 = Some(is);
            let flow = self.decide(slot, items, next + 1, tests, todo, vars, env, each);
            items[next].1 = None;
            if flow?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Finds values for the arguments that have none.
    fn fill(
        &self,
        search: &Search<'_>,
        cells: &mut Cells,
        rest: &Todo<'_>,
        vars: &[&Bound],
        env: &mut Env,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        let Some(trail) = self.deduce(search, cells, env)? else { return Ok(ControlFlow::Continue(())) };
        let result = self.choose(search, cells, rest, vars, env, each);
        for at in trail {
            cells[at].1 = None;
        }
        result
    }

    /// Tries values for the first argument that has none.
    fn choose(
        &self,
        search: &Search<'_>,
        cells: &mut Cells,
        rest: &Todo<'_>,
        vars: &[&Bound],
        env: &mut Env,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        let Some(next) = cells.iter().position(|(_, value)| value.is_none()) else {
            let pairs = cells.iter().filter_map(|(key, value)| match value {
                Some(Value::Undefined) | None => None,
                Some(value) => Some(Value::pair(key.clone(), value.clone())),
            });
            let function = Value::sorted(pairs.collect());
            if search.surjective {
                let range = super::relations::range(function.members().unwrap_or(&[]));
                if range.members() != search.range.as_ref().map(|range| &range[..]) {
                    return Ok(ControlFlow::Continue(()));
                }
            }
            env.slots[search.slot as usize] = function;
            return self.step(rest.clone(), vars, env, each);
        };
        let Some(range) = search.range.clone() else {
            return Err(Error::infinite(search.range_set.pos, "the values of a function have no bounds"));
        };
        let absent = [Value::Undefined];
        let absent: &[Value] = if search.partial { &absent } else { &[] };
        for value in absent.iter().chain(range.iter()) {
            if !allowed(search, cells, value) {
                continue;
            }
            cells[next].1 = Some(value.clone());
            let flow = self.fill(search, cells, rest, vars, env, each);
            cells[next].1 = None;
            if flow?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Values that follow from those known: which arguments got one, or nothing if there is a contradiction.
    fn deduce(&self, search: &Search<'_>, cells: &mut Cells, env: &mut Env) -> Res<Option<Vec<usize>>> {
        let mut trail = Vec::new();
        let result = self.deduce_all(search, cells, env, &mut trail);
        match result {
            Ok(true) => Ok(Some(trail)),
            other => {
                for at in trail {
                    cells[at].1 = None;
                }
                other.map(|_| None)
            }
        }
    }

    fn deduce_all(&self, search: &Search<'_>, cells: &mut Cells, env: &mut Env, trail: &mut Vec<usize>) -> Res<bool> {
        loop {
            env.slots[search.slot as usize] = Value::Partial(Arc::new(cells.clone()));
            for test in &search.tests {
                match self.holds(test, env) {
                    Ok(true) => {}
                    Ok(false) => return Ok(false),
                    Err(error) if matches!(error.fault(), Fault::Unknown | Fault::IllDefined) => {}
                    Err(error) => return Err(error),
                }
            }
            let before = trail.len();
            let mut found = Vec::new();
            for test in &search.tests {
                self.equations(test, search.slot, env, &mut found)?;
            }
            for (key, value) in found {
                let Ok(at) = cells.binary_search_by(|(other, _)| other.cmp(&key)) else { continue };
                match &cells[at].1 {
                    Some(old) if *old == value => {}
                    Some(_) => return Ok(false),
                    None => {
                        let inside = match &search.range {
                            Some(range) => range.binary_search(&value).is_ok(),
                            None => self.member(&value, search.range_set, env)?,
                        };
                        if !inside || !allowed(search, cells, &value) {
                            return Ok(false);
                        }
                        cells[at].1 = Some(value);
                        trail.push(at);
                    }
                }
            }
            if trail.len() == before {
                return Ok(true);
            }
        }
    }

    /// The equations `f(a) = E` in a conjunct whose sides are known.
    fn equations(&self, expr: &Expr, slot: u32, env: &mut Env, found: &mut Vec<(Value, Value)>) -> Res<()> {
        if !expr.free.contains(&slot) {
            return Ok(());
        }
        match &expr.kind {
            Kind::Op(Op::And, parts) => parts.iter().try_for_each(|part| self.equations(part, slot, env, found)),
            Kind::Op(Op::Implies, parts) => match self.holds(&parts[0], env) {
                Ok(true) => self.equations(&parts[1], slot, env, found),
                _ => Ok(()),
            },
            Kind::Op(Op::Equal, parts) => {
                for (function, value) in [(0, 1), (1, 0)] {
                    let Kind::Op(Op::Apply, inner) = &parts[function].kind else { continue };
                    if !matches!(inner[0].kind, Kind::Slot(other) if other == slot) {
                        continue;
                    }
                    if let (Ok(key), Ok(value)) = (self.value(&inner[1], env), self.value(&parts[value], env)) {
                        found.push((key, value));
                    }
                }
                Ok(())
            }
            Kind::Binder(Binder::Forall, bound, parts) => {
                let Kind::Op(Op::Implies, sides) = &parts[0].kind else { return Ok(()) };
                let result = self.solve(bound, &sides[0].conjuncts(), env, &mut |context, env| {
                    context.equations(&sides[1], slot, env, found)?;
                    Ok(ControlFlow::Continue(()))
                });
                match result {
                    Err(error) if !matches!(error.fault(), Fault::Unknown | Fault::IllDefined) => Err(error),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

/// May another argument have this value?
fn allowed(search: &Search<'_>, cells: &Cells, value: &Value) -> bool {
    !search.injective || *value == Value::Undefined || cells.iter().all(|(_, other)| other.as_ref() != Some(value))
}

//! Functions, sets and numbers as variables of finite domains ([`super::domains`]), and the search through them.
//!
//! A function over a finite set is a variable for each argument (and a condition, where it may have no value there), a
//! subset of a finite set a condition for each element, an element of a given set or a number with two ends a variable.
//! Conjuncts become constraints ([`super::ground`]). For each assignment that is found the solver tests all conjuncts again, and finds values
//! for the variables that are none of these.

use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::ast::{Bound, Expr, Kind, Op};
use super::bounds::Bounds;
use super::context::{Context, Each, Env, count};
use super::domains::{Constraint, Store};
use super::error::{Error, Fault, Res};
use super::sources::Todo;
use super::spaces::{self, Form, function_form};
use super::terms::{Pred, Term, Var};
use super::types::Type;
use super::values::Value;

/// More candidates than this and constraints are worth their making. In tests they nearly always are.
pub(super) const WORTH: f64 = if cfg!(test) { 5.0 } else { 500.0 };
/// The most arguments of a function, or elements of a set, that are variables.
const CELLS: usize = 1 << 10;
/// The most values of one.
pub(super) const VALUES: usize = 1 << 12;
/// The most parts of all constraints.
pub(super) const PARTS: usize = 1 << 16;

/// The value of a function for an argument: a condition, if there may be none, and a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub present: Option<Var>,
    pub value: Var,
}

/// How a variable of the search is made of variables of the store.
#[derive(Debug)]
pub(super) enum Shape {
    Scalar(Var),
    Function(Arc<Vec<Value>>, Vec<Cell>),
    Set(Arc<Vec<Value>>, Vec<Var>),
}

/// A translation.
pub(super) struct Ground<'a> {
    pub context: &'a Context,
    pub store: Store,
    pub shapes: FxHashMap<u32, Shape>,
    /// Values that are no numbers, by their codes.
    pub codes: IndexSet<Value, FxBuildHasher>,
    /// Terms that names of LET stand for.
    pub names: FxHashMap<u32, Term>,
    pub parts: usize,
}

/// What constraints say.
struct Constrained {
    /// Anything of functions and sets?
    says: bool,
    /// Are there conjuncts about them that are no constraints?
    open: bool,
    /// Do some of these read a function that may have no value somewhere? The solver tests them as soon as it can tell, and
    /// takes what has no value for no solution there.
    partial: bool,
    /// Variables with equations that are no constraints: they get their values from the solver.
    defined: Vec<u32>,
}

/// Is a number one that some sums are small with ([`Store::is_small`])?
fn is_small(n: i64) -> bool {
    n.unsigned_abs() <= 1 << 44
}

impl Context {
    /// Searches functions and sets as variables of a finite domain each; `None` if that says nothing.
    pub(super) fn search_ground(
        &self,
        todo: &Todo<'_>,
        vars: &[&Bound],
        env: &mut Env,
        each: Each<'_>,
    ) -> Res<Option<ControlFlow<()>>> {
        // Numbers and elements alone are bounded without this.
        if !vars.iter().any(|var| !env.is_bound(var.slot) && var.ty.element().is_some()) {
            return Ok(None);
        }
        let mut ground = Ground {
            context: self,
            store: Store::default(),
            shapes: FxHashMap::default(),
            codes: IndexSet::default(),
            names: FxHashMap::default(),
            parts: 0,
        };
        let bounds = self.bounds(todo, env);
        let mut useful = false;
        for var in vars {
            if !env.is_bound(var.slot) {
                useful |= ground.shape(var, &bounds, todo, env)?;
            }
        }
        if ground.shapes.values().all(|shape| matches!(shape, Shape::Scalar(_))) {
            return Ok(None);
        }
        let budget = env.budget;
        let mut look = || budget.check().map_err(Error::exhausted);
        // Which terms have values depends on what the variables may be.
        if ground.store.propagate(&mut look)?.is_err() {
            return Ok(Some(ControlFlow::Continue(())));
        }
        let Constrained { says, open, partial, defined } = ground.constrain(todo, env)?;
        if partial || !(says || useful && !open) || ground.parts > PARTS {
            return Ok(None);
        }
        if ground.store.propagate(&mut look)?.is_err() {
            return Ok(Some(ControlFlow::Continue(())));
        }
        let Ground { mut store, shapes, codes, .. } = ground;
        let mut choices = Vec::new();
        let mut found = Vec::new();
        for var in vars.iter().filter(|var| !defined.contains(&var.slot)) {
            let Some(shape) = shapes.get(&var.slot) else { continue };
            let start = choices.len();
            match shape {
                Shape::Scalar(var) => choices.push(*var),
                Shape::Function(_, cells) => {
                    choices.extend(cells.iter().flat_map(|cell| cell.present.into_iter().chain([cell.value])));
                }
                Shape::Set(_, members) => choices.extend(members),
            }
            let finite = choices[start..].iter().all(|var| {
                let (low, high) = store.ends(*var);
                high - low < VALUES as i64
            });
            match (finite, shape) {
                (true, _) => found.push((var, shape)),
                (false, Shape::Scalar(_)) => choices.truncate(start),
                (false, _) => return Ok(None),
            }
        }
        // The search is as deep as there are choices.
        let small = found.iter().all(|(_, shape)| matches!(shape, Shape::Scalar(_)));
        if small || choices.len() > CELLS {
            return Ok(None);
        }
        let flow = store.search(&choices, &mut look, &mut |store| {
            for (var, shape) in &found {
                env.slots[var.slot as usize] = built(shape, &var.ty, store, &codes);
            }
            let flow = self.step(todo.clone(), vars, env, each);
            for (var, _) in &found {
                env.slots[var.slot as usize] = Value::Undefined;
            }
            flow
        });
        flow.map(Some)
    }
}

/// The value of a code of a type.
pub(super) fn decoded(code: i64, ty: &Type, codes: &IndexSet<Value, FxBuildHasher>) -> Value {
    match ty {
        Type::Int => Value::Int(code),
        Type::Bool => Value::Bool(code != 0),
        _ => usize::try_from(code).ok().and_then(|at| codes.get_index(at)).cloned().unwrap_or(Value::Undefined),
    }
}

/// The value of a variable of the search.
fn built(shape: &Shape, ty: &Type, store: &Store, codes: &IndexSet<Value, FxBuildHasher>) -> Value {
    match shape {
        Shape::Scalar(var) => decoded(store.ends(*var).0, ty, codes),
        Shape::Function(keys, cells) => {
            let right = ty.sides().map_or(&Type::Unknown, |(_, right)| right);
            let there = |cell: &Cell| cell.present.is_none_or(|var| store.ends(var).0 != 0);
            let pairs = keys.iter().zip(cells).filter(|(_, cell)| there(cell));
            let pairs =
                pairs.map(|(key, cell)| Value::pair(key.clone(), decoded(store.ends(cell.value).0, right, codes)));
            Value::sorted(pairs.collect())
        }
        Shape::Set(items, members) => {
            let chosen = items.iter().zip(members).filter(|(_, var)| store.ends(**var).0 != 0);
            Value::sorted(chosen.map(|(item, _)| item.clone()).collect())
        }
    }
}

impl Ground<'_> {
    /// Makes constraints of conjuncts.
    fn constrain(&mut self, todo: &Todo<'_>, env: &mut Env) -> Res<Constrained> {
        let (mut says, mut open, mut partial, mut defined) = (false, false, false, Vec::new());
        for expr in todo.iter().flat_map(|expr| expr.conjuncts()) {
            if env.binds(expr) || self.is_shape(expr) {
                continue;
            }
            let pred = self.pred(expr, env)?;
            if let (Pred::Unknown, Kind::Op(Op::Equal, sides)) = (&pred, &expr.kind) {
                let variables =
                    [(0, 1), (1, 0)].into_iter().filter_map(|(variable, value)| match sides[variable].kind {
                        Kind::Slot(slot) if !sides[value].free.contains(&slot) => Some(slot),
                        _ => None,
                    });
                defined.extend(variables);
            }
            let parts = if let Pred::And(parts) = pred { parts } else { vec![pred] };
            let about_large = expr.free.iter().any(|slot| self.is_large(*slot));
            for part in parts {
                match part {
                    Pred::Unknown => {
                        open |= about_large;
                        partial |= expr.free.iter().any(|slot| self.is_partial(*slot));
                    }
                    Pred::Const(true) => {}
                    part => {
                        says |= about_large;
                        self.store.add(Constraint::Holds(part));
                    }
                }
            }
        }
        Ok(Constrained { says, open, partial, defined })
    }

    /// Is a variable a function or a set that is searched for?
    fn is_large(&self, slot: u32) -> bool {
        self.shapes.get(&slot).is_some_and(|shape| !matches!(shape, Shape::Scalar(_)))
    }

    /// Is a variable a function that may have no value somewhere?
    fn is_partial(&self, slot: u32) -> bool {
        matches!(self.shapes.get(&slot), Some(Shape::Function(_, cells)) if cells.iter().any(|cell| cell.present.is_some()))
    }

    /// Is a conjunct one that a shape was made of, or might have been?
    fn is_shape(&self, expr: &Expr) -> bool {
        let Kind::Op(Op::In, sides) = &expr.kind else { return false };
        let Kind::Slot(slot) = sides[0].kind else { return false };
        self.is_large(slot) && !matches!(sides[1].kind, Kind::Op(Op::SetOf, _))
    }

    /// The code of a value.
    pub(super) fn code(&mut self, value: &Value) -> Option<i64> {
        match value {
            Value::Int(n) => is_small(*n).then_some(*n),
            Value::Bool(b) => Some(i64::from(*b)),
            Value::Undefined | Value::Partial(_) | Value::Undecided(_) | Value::Symbolic(_) => None,
            value => Some(self.codes.insert_full(value.clone()).0 as i64),
        }
    }

    /// The codes of some values, sorted.
    pub(super) fn codes_of(&mut self, values: &[Value]) -> Option<Rc<[i64]>> {
        let mut codes: Vec<i64> = values.iter().map(|value| self.code(value)).collect::<Option<_>>()?;
        codes.sort_unstable();
        Some(codes.into())
    }

    /// What is listed without variables; nothing if it is none.
    pub(super) fn listed(&self, expr: &Expr, most: usize, env: &mut Env) -> Res<Option<Arc<Vec<Value>>>> {
        if !env.binds(expr) {
            return Ok(None);
        }
        match self.context.estimate(expr, env) {
            Ok(size) if size <= most as f64 => {}
            Err(error) if error.fault() == Fault::Exhausted => return Err(error),
            _ => return Ok(None),
        }
        soft(self.context.members(expr, env)).map(|items| items.filter(|items| items.len() <= most))
    }

    /// A variable whose number is one of these codes, which are sorted; nothing if there are none.
    fn one_of(&mut self, codes: &Rc<[i64]>, condition: Option<Var>) -> Option<Var> {
        let (Some(first), Some(last)) = (codes.first(), codes.last()) else { return None };
        let var = self.store.variable(*first, *last, condition);
        if (*last - *first) as usize + 1 != codes.len() {
            self.store.add(Constraint::Holds(Pred::In(Term::Var(var), Rc::clone(codes))));
        }
        Some(var)
    }

    /// Finds the shape of a variable; true if that alone restricts it.
    fn shape(&mut self, var: &Bound, bounds: &Bounds, todo: &Todo<'_>, env: &mut Env) -> Res<bool> {
        for expr in todo {
            let Kind::Op(op @ (Op::In | Op::Subset), sides) = &expr.kind else { continue };
            if !matches!(sides[0].kind, Kind::Slot(slot) if slot == var.slot) || !env.binds(&sides[1]) {
                continue;
            }
            let shape = match (op, &sides[1].kind) {
                (Op::Subset, _) => self.subset_shape(&sides[1], None, env)?,
                (_, Kind::Op(Op::PowerSet | Op::PowerSet1 | Op::FiniteSets | Op::FiniteSets1, parts)) => {
                    self.subset_shape(&parts[0], None, env)?
                }
                (_, Kind::Op(Op::Relations, parts)) => self.subset_shape(&parts[0], Some(&parts[1]), env)?,
                (_, Kind::Op(kind, parts)) => match function_form(*kind) {
                    Some(form) => {
                        let shape = self.function_shape(*kind, form, parts, env)?;
                        if let Some(shape) = shape {
                            self.shapes.insert(var.slot, shape);
                            return Ok(form.injective || form.surjective);
                        }
                        None
                    }
                    None => None,
                },
                _ => None,
            };
            if let Some(shape) = shape {
                self.shapes.insert(var.slot, shape);
                return Ok(false);
            }
        }
        let scalar = match &var.ty {
            Type::Int => match bounds.get(&var.slot) {
                Some((Some(low), Some(high))) if low <= high && is_small(*low) && is_small(*high) => {
                    Some(self.store.variable(*low, *high, None))
                }
                _ => None,
            },
            Type::Bool => Some(self.store.variable(0, 1, None)),
            Type::Given(set) => {
                let values: Vec<Value> =
                    (0..self.context.sizes[*set as usize]).map(|n| Value::Element(*set, n)).collect();
                self.codes_of(&values).and_then(|codes| self.one_of(&codes, None))
            }
            Type::Set(inner) if count(inner, &self.context.sizes).is_some_and(|count| count <= CELLS) => {
                let values = soft(spaces::type_values(self.context, inner, env, Default::default()))?;
                if let Some(mut values) = values {
                    values.sort_unstable();
                    let members = values.iter().map(|_| self.store.variable(0, 1, None)).collect();
                    self.shapes.insert(var.slot, Shape::Set(Arc::new(values), members));
                }
                None
            }
            _ => None,
        };
        if let Some(scalar) = scalar {
            self.shapes.insert(var.slot, Shape::Scalar(scalar));
        }
        Ok(false)
    }

    /// A condition for each element of a set, or of a product.
    fn subset_shape(&mut self, set: &Expr, right: Option<&Expr>, env: &mut Env) -> Res<Option<Shape>> {
        let Some(mut items) = self.listed(set, CELLS, env)? else { return Ok(None) };
        if let Some(right) = right {
            let Some(right) = self.listed(right, CELLS, env)? else { return Ok(None) };
            if items.len() * right.len() > CELLS {
                return Ok(None);
            }
            let pairs = items.iter().flat_map(|x| right.iter().map(|y| Value::pair(x.clone(), y.clone())));
            items = Arc::new(pairs.collect());
        }
        let members = items.iter().map(|_| self.store.variable(0, 1, None)).collect();
        Ok(Some(Shape::Set(items, members)))
    }

    /// A variable for each argument of a function.
    fn function_shape(&mut self, kind: Op, form: Form, parts: &[Expr], env: &mut Env) -> Res<Option<Shape>> {
        let (keys, range) = if kind == Op::Permutations {
            let Some(range) = self.listed(&parts[0], CELLS, env)? else { return Ok(None) };
            (Arc::new((1..=range.len() as i64).map(Value::Int).collect::<Vec<_>>()), Some(range))
        } else {
            let Some(keys) = self.listed(&parts[0], CELLS, env)? else { return Ok(None) };
            (keys, self.listed(&parts[1], VALUES, env)?)
        };
        let Some(codes) = range.and_then(|range| self.codes_of(&range)) else { return Ok(None) };
        let mut cells = Vec::with_capacity(keys.len());
        for _ in keys.iter() {
            let present = (!form.total).then(|| self.store.variable(0, 1, None));
            let Some(value) = self.one_of(&codes, present) else { return Ok(None) };
            cells.push(Cell { present, value });
        }
        let list: Vec<_> = cells.iter().map(|cell| (cell.present, cell.value)).collect();
        if form.injective {
            self.store.add(Constraint::Different(list.clone()));
        }
        if form.surjective {
            self.store.add(Constraint::Covered(codes, list));
        }
        Ok(Some(Shape::Function(keys, cells)))
    }
}

/// A result, or nothing where there is none; only the end of the time is an error.
pub(super) fn soft<T>(result: Res<T>) -> Res<Option<T>> {
    match result {
        Err(error) if error.fault() == Fault::Exhausted => Err(error),
        result => Ok(result.ok()),
    }
}

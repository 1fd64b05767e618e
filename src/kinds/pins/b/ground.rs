//! Constraints over finite domains ([`super::domains`]), made of conjuncts that are to be satisfied.
//!
//! Quantifiers, sums and comprehensions are written out for what their own sets list. A conjunct is translated as a whole or
//! not at all: where a part has no translation, or might have no value (a partial function that is searched for is applied,
//! a known function outside its domain, a division by zero), or a number might be large, it is [`Pred::Unknown`], and left to
//! the solver. So a translation is false only where the conjunct has a value, and is false.

use std::ops::ControlFlow;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::ast::{Binder, Bound, Carrier, Expr, Kind, Op};
use super::context::Env;
use super::error::Res;
use super::shapes::{Cell, Ground, PARTS, Shape, VALUES, decoded, soft};
use super::terms::{Pred, Term, all, any, indicator, not, same, sum};
use super::types::Type;
use super::values::Value;

/// The most values of a variable for which an expression is listed.
const LISTED: i64 = 1 << 7;

/// The elements of a set, each with the condition that it is one.
type Elements = Vec<(Value, Pred)>;

/// What is done for values of bound variables: with the conjuncts that are left.
type Run<'r, G> = &'r mut dyn FnMut(&mut G, &[&Expr], &mut Env) -> Res<()>;

impl Ground<'_> {
    /// Counts parts; false once they are too many.
    fn room(&mut self, parts: usize) -> bool {
        self.parts = self.parts.saturating_add(parts);
        self.parts <= PARTS
    }

    /// The condition that a predicate is.
    pub(super) fn pred(&mut self, expr: &Expr, env: &mut Env) -> Res<Pred> {
        if !self.room(1) {
            return Ok(Pred::Unknown);
        }
        if env.binds(expr) {
            return Ok(soft(self.context.holds(expr, env))?.map_or(Pred::Unknown, Pred::Const));
        }
        match &expr.kind {
            Kind::Op(op, parts) => match op {
                Op::And => Ok(all(self.preds(parts, false, env)?)),
                Op::Or => Ok(any(self.preds(parts, true, env)?)),
                Op::Not => Ok(not(self.pred(&parts[0], env)?)),
                Op::Implies => {
                    let premise = self.pred(&parts[0], env)?;
                    if matches!(premise, Pred::Const(false)) {
                        return Ok(Pred::Const(true));
                    }
                    Ok(any(vec![not(premise), self.pred(&parts[1], env)?]))
                }
                Op::Iff => {
                    let sides = (self.pred(&parts[0], env)?, self.pred(&parts[1], env)?);
                    Ok(same(sides))
                }
                _ => self.atom(*op, parts, env),
            },
            Kind::Binder(Binder::Forall, bound, parts) => {
                let (mut premises, mut conclusion) = (Vec::new(), &parts[0]);
                while let Kind::Op(Op::Implies, sides) = &conclusion.kind {
                    premises.extend(sides[0].conjuncts());
                    conclusion = &sides[1];
                }
                let mut found = Vec::new();
                let complete = self.each(bound, &premises, env, &mut |ground, open, env| {
                    let premise = all(ground.preds(open.iter().copied(), false, env)?);
                    if !matches!(premise, Pred::Const(false)) {
                        found.push(any(vec![not(premise), ground.pred(conclusion, env)?]));
                    }
                    Ok(())
                })?;
                Ok(if complete { all(found) } else { Pred::Unknown })
            }
            Kind::Binder(Binder::Exists, bound, parts) => {
                let mut found = Vec::new();
                let complete = self.each(bound, &parts[0].conjuncts(), env, &mut |ground, open, env| {
                    found.push(all(ground.preds(open.iter().copied(), false, env)?));
                    Ok(())
                })?;
                Ok(if complete { any(found) } else { Pred::Unknown })
            }
            Kind::Binder(Binder::Let, bound, parts) => {
                let named = self.name(bound, &parts[0], env);
                let body = if named? { self.pred(&parts[1], env) } else { Ok(Pred::Unknown) };
                bound.iter().for_each(|var| {
                    self.names.remove(&var.slot);
                });
                body
            }
            _ => Ok(Pred::Unknown),
        }
    }

    /// The conditions up to the first that is surely as said: what is right of it need have no value.
    fn preds<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>, last: bool, env: &mut Env) -> Res<Vec<Pred>> {
        let mut preds = Vec::new();
        for part in parts {
            preds.push(self.pred(part, env)?);
            if matches!(preds.last(), Some(Pred::Const(value)) if *value == last) {
                break;
            }
        }
        Ok(preds)
    }

    /// A sum of terms with coefficients, if it is small.
    fn sum(&self, terms: Vec<(i64, Term)>) -> Option<Term> {
        sum(terms).filter(|term| self.store.is_small(term))
    }

    /// A number of conditions.
    fn number(&self, preds: impl Iterator<Item = Pred>) -> Option<Term> {
        self.sum(preds.map(|pred| Some((1, indicator(pred)?))).collect::<Option<_>>()?)
    }

    /// Gives the names of a LET their terms; false if one has none.
    fn name(&mut self, bound: &[Bound], such: &Expr, env: &mut Env) -> Res<bool> {
        let equations = such.conjuncts();
        if equations.len() != bound.len() {
            return Ok(false);
        }
        for (var, equation) in bound.iter().zip(equations) {
            let Kind::Op(Op::Equal, sides) = &equation.kind else { return Ok(false) };
            if !matches!(sides[0].kind, Kind::Slot(slot) if slot == var.slot) {
                return Ok(false);
            }
            let Some(term) = self.term(&sides[1], env)? else { return Ok(false) };
            self.names.insert(var.slot, term);
        }
        Ok(true)
    }

    /// Calls `run` for the values of bound variables for which the conjuncts that read nothing else that is searched for
    /// hold, with the other conjuncts; false if these values cannot be listed.
    fn each(&mut self, bound: &[Bound], such: &[&Expr], env: &mut Env, run: Run<'_, Self>) -> Res<bool> {
        let known =
            |expr: &Expr| expr.free.iter().all(|slot| env.is_bound(*slot) || bound.iter().any(|var| var.slot == *slot));
        let (closed, open): (Vec<&Expr>, Vec<&Expr>) = such.iter().partition(|expr| known(expr));
        // The same values may be found twice.
        let mut tuples: IndexSet<Vec<Value>, FxBuildHasher> = IndexSet::default();
        let (strict, lenient) = (std::mem::replace(&mut env.strict, true), std::mem::replace(&mut env.lenient, false));
        let most = PARTS.saturating_sub(self.parts);
        let mut complete = true;
        let flow = self.context.solve(bound, &closed, env, &mut |_, env| {
            tuples.insert(bound.iter().map(|var| env.slots[var.slot as usize].clone()).collect());
            complete = tuples.len() <= most;
            Ok(if complete { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        (env.strict, env.lenient) = (strict, lenient);
        if soft(flow)?.is_none() || !complete {
            return Ok(false);
        }
        for tuple in tuples {
            let saved: SmallVec<[Value; 4]> = bound
                .iter()
                .zip(tuple)
                .map(|(var, value)| std::mem::replace(&mut env.slots[var.slot as usize], value))
                .collect();
            let result = run(self, &open, env);
            for (var, value) in bound.iter().zip(saved) {
                env.slots[var.slot as usize] = value;
            }
            result?;
            if self.parts > PARTS {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A comparison.
    fn atom(&mut self, op: Op, parts: &[Expr], env: &mut Env) -> Res<Pred> {
        match op {
            Op::Equal => self.equal(&parts[0], &parts[1], env),
            Op::Unequal => Ok(not(self.equal(&parts[0], &parts[1], env)?)),
            Op::In => self.inside(&parts[0], &parts[1], env),
            Op::NotIn => Ok(not(self.inside(&parts[0], &parts[1], env)?)),
            Op::Less => self.at_most(&parts[0], &parts[1], 1, env),
            Op::LessEqual => self.at_most(&parts[0], &parts[1], 0, env),
            Op::Greater => self.at_most(&parts[1], &parts[0], 1, env),
            Op::GreaterEqual => self.at_most(&parts[1], &parts[0], 0, env),
            Op::Subset => self.subset(&parts[0], &parts[1], env),
            Op::NotSubset => Ok(not(self.subset(&parts[0], &parts[1], env)?)),
            Op::If => {
                let [condition, yes, no] = parts else { return Ok(Pred::Unknown) };
                let condition = self.pred(condition, env)?;
                if let Pred::Const(value) = condition {
                    return self.pred(if value { yes } else { no }, env);
                }
                let (yes, no) = (self.pred(yes, env)?, self.pred(no, env)?);
                Ok(all(vec![any(vec![not(condition.clone()), yes]), any(vec![condition, no])]))
            }
            _ => Ok(Pred::Unknown),
        }
    }

    /// `a + offset <= b`
    fn at_most(&mut self, a: &Expr, b: &Expr, offset: i64, env: &mut Env) -> Res<Pred> {
        let (Some(a), Some(b)) = (self.term(a, env)?, self.term(b, env)?) else { return Ok(Pred::Unknown) };
        Ok(match self.sum(vec![(1, a), (-1, b), (offset, Term::Const(1))]) {
            Some(Term::Const(n)) => Pred::Const(n <= 0),
            Some(term) => Pred::AtMostZero(term),
            None => Pred::Unknown,
        })
    }

    fn equal(&mut self, a: &Expr, b: &Expr, env: &mut Env) -> Res<Pred> {
        if let (Kind::Op(Op::Couple, left), Kind::Op(Op::Couple, right)) = (&a.kind, &b.kind) {
            let (first, second) = (self.equal(&left[0], &right[0], env)?, self.equal(&left[1], &right[1], env)?);
            return Ok(all(vec![first, second]));
        }
        if a.ty.element().is_some() {
            let (Some(left), Some(right)) = (self.elements(a, env)?, self.elements(b, env)?) else {
                return Ok(Pred::Unknown);
            };
            let (left, right) = (of_all(left), of_all(right));
            let mut parts = Vec::new();
            for (value, pred) in &left {
                let other = right.get(value).cloned().unwrap_or(Pred::Const(false));
                parts.push(same((pred.clone(), other)));
            }
            parts.extend(right.into_iter().filter(|(value, _)| !left.contains_key(value)).map(|(_, pred)| not(pred)));
            self.room(parts.len());
            return Ok(all(parts));
        }
        let (Some(left), Some(right)) = (self.term(a, env)?, self.term(b, env)?) else { return Ok(Pred::Unknown) };
        if let (Term::Const(x), Term::Const(y)) = (&left, &right) {
            return Ok(Pred::Const(x == y));
        }
        if a.ty == Type::Int
            && !matches!((&left, &right), (Term::Var(_) | Term::Const(_), Term::Var(_) | Term::Const(_)))
        {
            return Ok(self.sum(vec![(1, left), (-1, right)]).map_or(Pred::Unknown, Pred::Zero));
        }
        Ok(Pred::Equal(Box::new((left, right))))
    }

    fn inside(&mut self, item: &Expr, set: &Expr, env: &mut Env) -> Res<Pred> {
        match &set.kind {
            Kind::Carrier(Carrier::Natural | Carrier::Natural1) => {
                let least = i64::from(matches!(set.kind, Kind::Carrier(Carrier::Natural1)));
                let Some(term) = self.term(item, env)? else { return Ok(Pred::Unknown) };
                let below = self.sum(vec![(-1, term), (least, Term::Const(1))]);
                return Ok(below.map_or(Pred::Unknown, Pred::AtMostZero));
            }
            Kind::Op(Op::Interval, ends) => {
                return Ok(all(vec![self.at_most(&ends[0], item, 0, env)?, self.at_most(item, &ends[1], 0, env)?]));
            }
            Kind::Op(Op::SetOf, items) => {
                let parts: Res<Vec<Pred>> = items.iter().map(|other| self.equal(item, other, env)).collect();
                return Ok(any(parts?));
            }
            _ => {}
        }
        if let (Kind::Slot(slot), Kind::Op(Op::Couple, sides)) = (&set.kind, &item.kind)
            && let Some(Shape::Function(keys, cells)) = self.shapes.get(slot)
            && env.binds(&sides[0])
        {
            let Some(key) = soft(self.context.value(&sides[0], env))? else { return Ok(Pred::Unknown) };
            let Ok(at) = keys.binary_search(&key) else { return Ok(Pred::Const(false)) };
            let cell = cells[at];
            let Some(value) = self.term(&sides[1], env)? else { return Ok(Pred::Unknown) };
            let same = Pred::Equal(Box::new((Term::Var(cell.value), value)));
            return Ok(all(cell.present.map(Pred::Var).into_iter().chain([same]).collect()));
        }
        if env.binds(set) {
            let Some(items) = self.listed(set, VALUES, env)? else { return Ok(Pred::Unknown) };
            let Some(term) = self.term(item, env)? else { return Ok(Pred::Unknown) };
            let Some(codes) = self.codes_of(&items) else { return Ok(Pred::Unknown) };
            return Ok(Pred::In(term, codes));
        }
        let Some(elements) = self.elements(set, env)? else { return Ok(Pred::Unknown) };
        if env.binds(item) {
            let Some(value) = soft(self.context.value(item, env))? else { return Ok(Pred::Unknown) };
            return Ok(any(elements.into_iter().filter(|(other, _)| *other == value).map(|(_, pred)| pred).collect()));
        }
        let Some(term) = self.term(item, env)? else { return Ok(Pred::Unknown) };
        let mut parts = Vec::new();
        for (value, pred) in elements {
            let Some(code) = self.code(&value) else { return Ok(Pred::Unknown) };
            parts.push(all(vec![Pred::Equal(Box::new((term.clone(), Term::Const(code)))), pred]));
        }
        self.room(parts.len());
        Ok(any(parts))
    }

    fn subset(&mut self, a: &Expr, b: &Expr, env: &mut Env) -> Res<Pred> {
        let Some(left) = self.elements(a, env)? else { return Ok(Pred::Unknown) };
        let right = if env.binds(b) { None } else { self.elements(b, env)?.map(of_all) };
        let mut parts = Vec::new();
        for (value, pred) in left {
            let inside = match &right {
                Some(right) => right.get(&value).cloned().unwrap_or(Pred::Const(false)),
                None if env.binds(b) => soft(self.context.member(&value, b, env))?.map_or(Pred::Unknown, Pred::Const),
                None => return Ok(Pred::Unknown),
            };
            parts.push(any(vec![not(pred), inside]));
        }
        self.room(parts.len());
        Ok(all(parts))
    }

    /// The elements that a set may have. An element may be there twice.
    fn elements(&mut self, expr: &Expr, env: &mut Env) -> Res<Option<Elements>> {
        if env.binds(expr) {
            let items = self.listed(expr, VALUES, env)?;
            return Ok(items.map(|items| items.iter().map(|item| (item.clone(), Pred::Const(true))).collect()));
        }
        match &expr.kind {
            Kind::Slot(slot) => match self.shapes.get(slot) {
                Some(Shape::Set(items, members)) => {
                    Ok(Some(items.iter().cloned().zip(members.iter().map(|var| Pred::Var(*var))).collect()))
                }
                _ => Ok(None),
            },
            Kind::Op(op @ (Op::Union | Op::Intersection | Op::Difference), parts) => {
                let (Some(left), Some(right)) = (self.elements(&parts[0], env)?, self.elements(&parts[1], env)?) else {
                    return Ok(None);
                };
                if *op == Op::Union {
                    return Ok(Some(left.into_iter().chain(right).collect()));
                }
                let right = of_all(right);
                let both = left.into_iter().map(|(value, pred)| {
                    let other = right.get(&value).cloned().unwrap_or(Pred::Const(false));
                    let other = if *op == Op::Difference { not(other) } else { other };
                    (value, all(vec![pred, other]))
                });
                Ok(Some(both.collect()))
            }
            Kind::Op(Op::SetOf, items) if items.iter().all(|item| env.binds(item)) => {
                let values: Res<Option<Vec<_>>> =
                    items.iter().map(|item| soft(self.context.value(item, env))).collect();
                Ok(values?.map(|values| values.into_iter().map(|value| (value, Pred::Const(true))).collect()))
            }
            Kind::Op(Op::Domain, parts) => {
                let Some((keys, cells)) = self.function(&parts[0]) else { return Ok(None) };
                let there = |cell: &Cell| cell.present.map_or(Pred::Const(true), Pred::Var);
                Ok(Some(keys.iter().cloned().zip(cells.iter().map(there)).collect()))
            }
            Kind::Op(Op::Range, parts) => self.image(&parts[0], None, env),
            Kind::Op(Op::Image, parts) if env.binds(&parts[0]) => {
                let Some(pairs) = self.listed(&parts[0], VALUES, env)? else { return Ok(None) };
                let Some(of) = self.elements(&parts[1], env)?.map(of_all) else { return Ok(None) };
                self.room(pairs.len());
                let inside = |pair: &Value| Some((pair.sides().1.clone(), of.get(pair.sides().0)?.clone()));
                Ok(Some(pairs.iter().filter_map(inside).collect()))
            }
            Kind::Op(Op::Image, parts) => {
                let Some(set) = self.listed(&parts[1], VALUES, env)? else { return Ok(None) };
                match &parts[0].kind {
                    Kind::Op(Op::Inverse, inner) => {
                        let Some((keys, cells)) = self.function(&inner[0]) else { return Ok(None) };
                        let Some(codes) = self.codes_of(&set) else { return Ok(None) };
                        let inside = |cell: &Cell| {
                            let value = Pred::In(Term::Var(cell.value), codes.clone());
                            all(cell.present.map(Pred::Var).into_iter().chain([value]).collect())
                        };
                        self.room(keys.len());
                        Ok(Some(keys.iter().cloned().zip(cells.iter().map(inside)).collect()))
                    }
                    _ => self.image(&parts[0], Some(&set), env),
                }
            }
            Kind::Binder(Binder::Set, bound, parts) => {
                let mut found = Vec::new();
                let complete = self.each(bound, &parts[0].conjuncts(), env, &mut |ground, open, env| {
                    let values = bound.iter().map(|var| env.slots[var.slot as usize].clone());
                    let value = values.reduce(Value::pair).unwrap_or(Value::Undefined);
                    found.push((value, all(ground.preds(open.iter().copied(), false, env)?)));
                    Ok(())
                })?;
                Ok(complete.then_some(found))
            }
            _ => Ok(None),
        }
    }

    /// The cells of a function that is searched for.
    fn function(&self, expr: &Expr) -> Option<(Arc<Vec<Value>>, Vec<Cell>)> {
        let Kind::Slot(slot) = &expr.kind else { return None };
        match self.shapes.get(slot)? {
            Shape::Function(keys, cells) => Some((Arc::clone(keys), cells.clone())),
            _ => None,
        }
    }

    /// The values of a function that is searched for, of some of its arguments.
    fn image(&mut self, function: &Expr, of: Option<&[Value]>, env: &mut Env) -> Res<Option<Elements>> {
        let Some((keys, cells)) = self.function(function) else { return Ok(None) };
        let mut found = Vec::new();
        let right = function.ty.sides().map_or(Type::Unknown, |(_, right)| right.clone());
        env.spend(1)?;
        for (key, cell) in keys.iter().zip(&cells) {
            if of.is_some_and(|of| of.binary_search(key).is_err()) {
                continue;
            }
            let (low, high) = self.store.ends(cell.value);
            if high - low >= VALUES as i64 || !self.room((high - low) as usize + 1) {
                return Ok(None);
            }
            for code in low..=high {
                let same = Pred::Equal(Box::new((Term::Var(cell.value), Term::Const(code))));
                let pred = all(cell.present.map(Pred::Var).into_iter().chain([same]).collect());
                found.push((decoded(code, &right, &self.codes), pred));
            }
        }
        Ok(Some(found))
    }

    /// The term that an expression is, if it has a value in any case, and is small.
    fn term(&mut self, expr: &Expr, env: &mut Env) -> Res<Option<Term>> {
        if !self.room(1) {
            return Ok(None);
        }
        if env.binds(expr) {
            let value = soft(self.context.value(expr, env))?;
            return Ok(value.and_then(|value| self.code(&value)).map(Term::Const));
        }
        let term = match &expr.kind {
            Kind::Slot(slot) => match (self.names.get(slot), self.shapes.get(slot)) {
                (Some(term), _) => return Ok(Some(term.clone())),
                (_, Some(Shape::Scalar(var))) => return Ok(Some(Term::Var(*var))),
                _ => return Ok(None),
            },
            Kind::Op(op @ (Op::Add | Op::Subtract), parts) => {
                let factor = if *op == Op::Add { 1 } else { -1 };
                let sides = (self.term(&parts[0], env)?, self.term(&parts[1], env)?);
                if let (Some(a), Some(b)) = sides { self.sum(vec![(1, a), (factor, b)]) } else { None }
            }
            Kind::Op(Op::Negate, parts) => self.term(&parts[0], env)?.and_then(|term| self.sum(vec![(-1, term)])),
            Kind::Op(Op::Multiply, parts) => match (self.term(&parts[0], env)?, self.term(&parts[1], env)?) {
                (Some(Term::Const(n)), Some(term)) | (Some(term), Some(Term::Const(n))) => self.sum(vec![(n, term)]),
                (Some(a), Some(b)) => Some(Term::Product(vec![a, b])),
                _ => None,
            },
            Kind::Op(Op::Apply, parts) => self.applied(&parts[0], &parts[1], env)?,
            Kind::Op(Op::Card, parts) => match self.function(&parts[0]) {
                Some((_, cells)) => {
                    self.number(cells.iter().map(|cell| cell.present.map_or(Pred::Const(true), Pred::Var)))
                }
                None => {
                    let elements = self.elements(&parts[0], env)?.map(of_all);
                    elements.and_then(|elements| self.number(elements.into_values()))
                }
            },
            Kind::Op(Op::ToBool, parts) => indicator(self.pred(&parts[0], env)?),
            Kind::Op(Op::If, parts) => {
                let condition = self.pred(&parts[0], env)?;
                if let Pred::Const(value) = condition {
                    return self.term(&parts[if value { 1 } else { 2 }], env);
                }
                match (condition, self.term(&parts[1], env)?, self.term(&parts[2], env)?) {
                    (Pred::Unknown, ..) => None,
                    (condition, Some(a), Some(b)) => Some(Term::If(Box::new((condition, a, b)))),
                    _ => None,
                }
            }
            Kind::Binder(binder @ (Binder::Sigma | Binder::Pi), bound, parts) => {
                self.total(*binder == Binder::Pi, bound, parts, env)?
            }
            _ => None,
        };
        match term {
            Some(term) => Ok(Some(term).filter(|term| self.store.is_small(term))),
            None => self.tabulated(expr, env),
        }
    }

    /// SIGMA or PI.
    fn total(&mut self, product: bool, bound: &[Bound], parts: &[Expr], env: &mut Env) -> Res<Option<Term>> {
        let (mut terms, mut whole) = (Vec::new(), true);
        let neutral = i64::from(product);
        let complete = self.each(bound, &parts[0].conjuncts(), env, &mut |ground, open, env| {
            match all(ground.preds(open.iter().copied(), false, env)?) {
                Pred::Const(false) => {}
                Pred::Unknown => whole = false,
                condition => match (condition, ground.term(&parts[1], env)?) {
                    (_, None) => whole = false,
                    (Pred::Const(true), Some(term)) => terms.push(term),
                    (condition, Some(term)) => terms.push(Term::If(Box::new((condition, term, Term::Const(neutral))))),
                },
            }
            Ok(())
        })?;
        if !complete || !whole {
            return Ok(None);
        }
        Ok(if product {
            Some(Term::Product(terms))
        } else {
            self.sum(terms.into_iter().map(|term| (1, term)).collect())
        })
    }

    /// The value of a function for an argument, if it has one for all that the argument may be.
    fn applied(&mut self, function: &Expr, argument: &Expr, env: &mut Env) -> Res<Option<Term>> {
        let (keys, terms) = if env.binds(function) {
            // A known function of an argument that is searched for.
            let Some(pairs) = self.listed(function, VALUES, env)? else { return Ok(None) };
            let (mut keys, mut terms) = (Vec::new(), Vec::new());
            for pair in pairs.iter() {
                let (left, right) = pair.sides();
                let Some(code) = self.code(right) else { return Ok(None) };
                if keys.last() == Some(left) {
                    return Ok(None);
                }
                keys.push(left.clone());
                terms.push(Term::Const(code));
            }
            (Arc::new(keys), terms)
        } else {
            let Some((keys, cells)) = self.function(function) else { return Ok(None) };
            if cells.iter().any(|cell| cell.present.is_some()) {
                return Ok(None);
            }
            if env.binds(argument) {
                let Some(key) = soft(self.context.value(argument, env))? else { return Ok(None) };
                let Ok(at) = keys.binary_search(&key) else { return Ok(None) };
                return Ok(Some(Term::Var(cells[at].value)));
            }
            (keys, cells.iter().map(|cell| Term::Var(cell.value)).collect())
        };
        let Some(index) = self.term(argument, env)? else { return Ok(None) };
        if !self.room(terms.len()) {
            return Ok(None);
        }
        let mut cells = Vec::new();
        for (key, term) in keys.iter().zip(terms) {
            let Some(code) = self.code(key) else { return Ok(None) };
            cells.push((code, term));
        }
        let Some(codes) = self.codes_of(&keys) else { return Ok(None) };
        if !self.store.is_within(&index, &codes) {
            return Ok(None);
        }
        Ok(Some(Term::Element(Box::new(index), cells.into())))
    }

    /// An expression that reads one variable of the store, listed for all its values.
    fn tabulated(&mut self, expr: &Expr, env: &mut Env) -> Res<Option<Term>> {
        let mut read = Vec::new();
        if !self.reads(expr, env, &mut read)? || read.len() != 1 {
            return Ok(None);
        }
        let (slot, key) = read.remove(0);
        let (var, ty) = match (self.shapes.get(&slot), &key) {
            (Some(Shape::Scalar(var)), None) => (*var, slot_type(expr, slot)),
            (Some(Shape::Function(keys, cells)), Some(key)) => {
                let Ok(at) = keys.binary_search(key) else { return Ok(None) };
                if cells[at].present.is_some() {
                    return Ok(None);
                }
                (cells[at].value, slot_type(expr, slot).and_then(|ty| Some(ty.sides()?.1.clone())))
            }
            _ => return Ok(None),
        };
        let (Some(ty), (low, high)) = (ty, self.store.ends(var)) else { return Ok(None) };
        if high - low >= LISTED || !self.room((high - low) as usize + 1) {
            return Ok(None);
        }
        let mut rows = Vec::new();
        for code in (low..=high).filter(|code| self.store.contains(var, *code)).collect::<Vec<_>>() {
            let value = decoded(code, &ty, &self.codes);
            let value = match &key {
                Some(key) => Value::Partial(Arc::new(vec![(key.clone(), Some(value))])),
                None => value,
            };
            let saved = std::mem::replace(&mut env.slots[slot as usize], value);
            let result = soft(self.context.value(expr, env));
            env.slots[slot as usize] = saved;
            let Some(result) = result?.and_then(|value| self.code(&value)) else { return Ok(None) };
            rows.push((code, Term::Const(result)));
        }
        Ok(Some(Term::Element(Box::new(Term::Var(var)), rows.into())))
    }

    /// The variables that an expression reads, with the arguments of functions; false if that is not told.
    fn reads(&mut self, expr: &Expr, env: &mut Env, into: &mut Vec<(u32, Option<Value>)>) -> Res<bool> {
        if env.binds(expr) {
            return Ok(true);
        }
        let mut note = |slot: u32, key: Option<Value>| {
            if !into.contains(&(slot, key.clone())) {
                into.push((slot, key));
            }
        };
        match &expr.kind {
            Kind::Slot(slot) => {
                note(*slot, None);
                Ok(matches!(self.shapes.get(slot), Some(Shape::Scalar(_))))
            }
            Kind::Op(Op::Apply, parts) if !env.binds(&parts[0]) && env.binds(&parts[1]) => {
                let Kind::Slot(slot) = parts[0].kind else { return Ok(false) };
                let Some(key) = soft(self.context.value(&parts[1], env))? else { return Ok(false) };
                note(slot, Some(key));
                Ok(true)
            }
            Kind::Op(_, parts) => {
                for part in parts {
                    if !self.reads(part, env, into)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// The type of a variable in an expression.
fn slot_type(expr: &Expr, slot: u32) -> Option<Type> {
    match &expr.kind {
        Kind::Slot(own) => (*own == slot).then(|| expr.ty.clone()),
        _ => expr.parts().into_iter().find_map(|part| slot_type(part, slot)),
    }
}

/// The elements of a set with their conditions, each element once.
fn of_all(elements: Elements) -> indexmap::IndexMap<Value, Pred, FxBuildHasher> {
    let mut all: indexmap::IndexMap<Value, Pred, FxBuildHasher> = indexmap::IndexMap::default();
    for (value, pred) in elements {
        match all.get_mut(&value) {
            Some(known) => {
                let old = std::mem::replace(known, Pred::Unknown);
                *known = any(vec![old, pred]);
            }
            None => {
                all.insert(value, pred);
            }
        }
    }
    all
}

//! All values of some variables that satisfy a conjunction.
//!
//! A search that binds variables one after the other. At each node: test what has no unbound variable left; take apart
//! conjunctions, implications whose premise is decided, and equations between patterns (`x |-> y = E`); then bind the
//! variables of the conjunct that has fewest candidates: `x : S` and `x <: S` by the size of S (function spaces are
//! not listed to know it), integers by the bounds that linear comparisons give them ([`super::bounds`]). Where only
//! large or infinite sets are left, functions and sets are searched as variables over finite domains ([`super::shapes`]);
//! else disjunctions, implications and existential quantifiers are split into cases, and large function spaces are
//! searched argument by argument ([`super::cells`]). At last variables take all values of
//! their types, integers those from MININT to MAXINT; [`Env::unbounded`] keeps a note of that, as the answer may then
//! be incomplete.
//!
//! Case splits may find a solution twice: who counts has to make them different. A conjunct that has no value is put
//! off: another one may be false (`x : dom(f) & f(x) > 0` in any order).

use std::ops::ControlFlow;
use std::sync::Arc;

use smallvec::SmallVec;

use super::ast::{Binder, Bound, Expr, Kind, Op};
use super::context::{Context, Each, Env};
use super::error::{Error, Fault, Res};
use super::shapes::WORTH;
use super::sources::{Source, Todo, cut_parts, is_pattern};
use super::spaces::{self, LISTED};
use super::types::Type;
use super::values::{Symbolic, Value, run};

/// Candidates that are cheaper to list than to split a disjunction.
const FEW: f64 = 60.0;
/// Subsets that are more are searched element by element, where that helps.
const LARGE_POWER: f64 = 1e5;

/// The rest of a disjunction.
enum Unit<'e> {
    /// A part is true.
    True,
    /// All parts are false.
    False,
    /// One part is open, the others are false.
    Last(&'e Expr),
    /// More than one part is open.
    Open,
}

/// Have all that a conjunction reads a value, besides the variables that are searched for? To the search a variable of
/// the machine without one (in INITIALISATION) would be one more to find a value for, and an equation with it no
/// condition.
fn all_set(bound: &[Bound], such: &[&Expr], env: &Env) -> Res<()> {
    for expr in such {
        let unset = |slot: &&u32| !env.is_bound(**slot) && bound.iter().all(|var| var.slot != **slot);
        if expr.free.iter().any(|slot| unset(&slot)) {
            return Err(Error::unset(expr.pos));
        }
    }
    Ok(())
}

impl Context {
    /// Calls `each` for all values of some variables, while `such` holds.
    ///
    /// # Errors
    /// When a conjunct has no value, or a variable too many of them.
    pub(super) fn solve(&self, bound: &[Bound], such: &[&Expr], env: &mut Env, each: Each<'_>) -> Res<ControlFlow<()>> {
        all_set(bound, such, env)?;
        let vars: SmallVec<[&Bound; 8]> = bound.iter().collect();
        let saved: SmallVec<[Value; 8]> =
            vars.iter().map(|var| std::mem::replace(&mut env.slots[var.slot as usize], Value::Undefined)).collect();
        let todo: Todo<'_> = such.iter().copied().collect();
        let result = self.step(todo, &vars, env, each);
        for (var, value) in vars.iter().zip(saved) {
            env.slots[var.slot as usize] = value;
        }
        result
    }

    /// Calls `each` for all values of some variables for which `such` holds, and never stops.
    ///
    /// # Errors
    /// As [`Context::solve`].
    pub(super) fn solve_all(
        &self,
        bound: &[Bound],
        such: &[&Expr],
        env: &mut Env,
        each: &mut dyn FnMut(&Context, &mut Env) -> Res<()>,
    ) -> Res<()> {
        let flow =
            self.solve(bound, such, env, &mut |context, env| each(context, env).map(|()| ControlFlow::Continue(())))?;
        debug_assert!(flow.is_continue());
        Ok(())
    }

    /// One node of the search: what it binds is unbound when it returns.
    pub(super) fn step(
        &self,
        mut todo: Todo<'_>,
        vars: &[&Bound],
        env: &mut Env,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        env.spend(1)?;
        let mut trail = SmallVec::<[u32; 8]>::new();
        let result = self
            .reduce(&mut todo, env, &mut trail)
            .and_then(|open| if open { self.branch(&todo, vars, env, each) } else { Ok(ControlFlow::Continue(())) });
        for slot in trail {
            env.slots[slot as usize] = Value::Undefined;
        }
        result
    }

    /// Tests and takes apart conjuncts until nothing changes; false if one of them is false.
    fn reduce<'e>(&self, todo: &mut Todo<'e>, env: &mut Env, trail: &mut SmallVec<[u32; 8]>) -> Res<bool> {
        let mut progress = true;
        while progress {
            progress = false;
            let mut at = 0;
            while at < todo.len() {
                let expr: &'e Expr = todo[at];
                if let Kind::Op(Op::And, parts) = &expr.kind {
                    todo.remove(at);
                    for (by, part) in parts.iter().enumerate() {
                        todo.insert(at + by, part);
                    }
                    continue;
                }
                if env.binds(expr) {
                    match self.holds(expr, env) {
                        Ok(false) => return Ok(false),
                        Ok(true) => {
                            todo.remove(at);
                            continue;
                        }
                        Err(error) if error.fault() == Fault::IllDefined => {
                            at += 1;
                            continue;
                        }
                        Err(error) => return Err(error),
                    }
                }
                if let Kind::Op(op, parts) = &expr.kind {
                    match op {
                        Op::Implies if env.binds(&parts[0]) => {
                            match self.holds(&parts[0], env) {
                                Ok(true) => todo[at] = &parts[1],
                                Ok(false) => {
                                    todo.remove(at);
                                }
                                Err(error) if error.fault() == Fault::IllDefined => at += 1,
                                Err(error) => return Err(error),
                            }
                            continue;
                        }
                        Op::Or => match self.unit(parts, env)? {
                            Unit::True => {
                                todo.remove(at);
                                continue;
                            }
                            Unit::False => return Ok(false),
                            Unit::Last(part) => {
                                todo[at] = part;
                                progress = true;
                                continue;
                            }
                            Unit::Open => {}
                        },
                        Op::Iff if parts.iter().any(|part| env.binds(part)) => {
                            let side = usize::from(!env.binds(&parts[0]));
                            if let Ok(true) = self.holds(&parts[side], env) {
                                todo[at] = &parts[1 - side];
                                progress = true;
                                continue;
                            }
                        }
                        Op::Equal => {
                            let before = trail.len();
                            if let Some((slot, value)) = recursive(parts, env) {
                                env.slots[slot as usize] = value;
                                trail.push(slot);
                            } else {
                                for (pattern, value) in [(0, 1), (1, 0)] {
                                    if env.binds(&parts[value]) && is_pattern(&parts[pattern], env) {
                                        let value = match self.named(&parts[value], env) {
                                            Err(error) if error.fault() == Fault::IllDefined => break,
                                            value => value?,
                                        };
                                        if !self.matches(&parts[pattern], &value, env, trail)? {
                                            return Ok(false);
                                        }
                                        break;
                                    }
                                }
                            }
                            if trail.len() > before {
                                todo.remove(at);
                                progress = true;
                                continue;
                            }
                        }
                        Op::In => {
                            // x : {E}
                            if let Kind::Op(Op::SetOf, items) = &parts[1].kind
                                && items.len() == 1
                                && env.binds(&items[0])
                                && is_pattern(&parts[0], env)
                            {
                                let value = self.named(&items[0], env)?;
                                if !self.matches(&parts[0], &value, env, trail)? {
                                    return Ok(false);
                                }
                                todo.remove(at);
                                progress = true;
                                continue;
                            }
                        }
                        _ => {}
                    }
                }
                at += 1;
            }
        }
        Ok(true)
    }

    /// The rest of a disjunction, some of whose parts may be decided.
    fn unit<'e>(&self, parts: &'e [Expr], env: &mut Env) -> Res<Unit<'e>> {
        let mut last = Unit::False;
        for part in parts {
            let decided = if env.binds(part) {
                match self.holds(part, env) {
                    Err(error) if error.fault() == Fault::IllDefined => return Ok(Unit::Open),
                    result => Some(result?),
                }
            } else {
                None
            };
            last = match (decided, last) {
                (Some(true), _) => return Ok(Unit::True),
                (Some(false), last) => last,
                (None, Unit::False) => Unit::Last(part),
                (None, _) => Unit::Open,
            };
        }
        Ok(last)
    }

    /// Does a value fit a pattern? Binds its variables.
    pub(super) fn matches(
        &self,
        pattern: &Expr,
        value: &Value,
        env: &mut Env,
        trail: &mut SmallVec<[u32; 8]>,
    ) -> Res<bool> {
        match &pattern.kind {
            Kind::Slot(slot) if !env.is_bound(*slot) => {
                env.slots[*slot as usize] = value.clone();
                trail.push(*slot);
                Ok(true)
            }
            _ if env.binds(pattern) => Ok(self.named(pattern, env)? == *value),
            Kind::Op(Op::Couple, parts) => {
                let (left, right) = value.sides();
                Ok(self.matches(&parts[0], left, env, trail)? && self.matches(&parts[1], right, env, trail)?)
            }
            Kind::Op(Op::SetOf, parts) => match value.members() {
                Some([one]) => self.matches(&parts[0], one, env, trail),
                _ => Ok(false),
            },
            Kind::Op(Op::Sequence, parts) => {
                let Some(values) = value.as_sequence() else { return Ok(false) };
                if values.len() != parts.len() {
                    return Ok(false);
                }
                for (part, value) in parts.iter().zip(&values) {
                    if !self.matches(part, value, env, trail)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Kind::Record(fields) => {
                let Value::Record(values) = value else { return Ok(false) };
                for ((_, part), value) in fields.iter().zip(values.iter()) {
                    if !self.matches(part, value, env, trail)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Kind::Op(Op::Add | Op::Subtract | Op::Negate, _) => {
                // Invert a sum whose one unbound part is a pattern.
                let (Kind::Op(op, parts), Value::Int(n)) = (&pattern.kind, value) else { return Ok(false) };
                let (at, wanted) = match op {
                    Op::Negate => (0, n.checked_neg()),
                    Op::Add if env.binds(&parts[0]) => (1, n.checked_sub(self.int(&parts[0], env)?)),
                    Op::Add => (0, n.checked_sub(self.int(&parts[1], env)?)),
                    _ if env.binds(&parts[0]) => (1, self.int(&parts[0], env)?.checked_sub(*n)),
                    _ => (0, n.checked_add(self.int(&parts[1], env)?)),
                };
                let Some(wanted) = wanted else {
                    return Err(Error::refused(pattern.pos, "a number has more than 64 bits".into()));
                };
                self.matches(&parts[at], &Value::Int(wanted), env, trail)
            }
            _ => Ok(false),
        }
    }

    /// Binds some variable, or reports a solution.
    fn branch(&self, todo: &Todo<'_>, vars: &[&Bound], env: &mut Env, each: Each<'_>) -> Res<ControlFlow<()>> {
        if vars.iter().all(|var| env.is_bound(var.slot)) {
            // Only what has no value can be left: report it.
            for expr in todo {
                match self.holds(expr, env) {
                    Ok(true) => {}
                    Ok(false) => return Ok(ControlFlow::Continue(())),
                    Err(error) => return self.dropped(expr, error, env),
                }
            }
            return each(self, env).or_else(|error| {
                if !env.lenient || !error.is_outside() {
                    return Err(error);
                }
                env.dropped.get_or_insert(error);
                Ok(ControlFlow::Continue(()))
            });
        }
        let (best, size) = self.best_source(todo, vars, env)?;
        if size > WORTH
            && let Some(flow) = self.search_ground(todo, vars, env, each)?
        {
            return Ok(flow);
        }
        if size > FEW
            && let Some(flow) = self.split(todo, vars, env, each, size)?
        {
            return Ok(flow);
        }
        match best {
            Some(Source::Members(at, pattern, set)) if size.is_infinite() => {
                match self.search_cells(todo, (at, pattern, set), vars, env, each)? {
                    Some(flow) => Ok(flow),
                    None => self.enumerate_type(todo, vars, env, each),
                }
            }
            Some(Source::Members(at, pattern, set)) if size.is_finite() => {
                if size > 200.0
                    && let Some(flow) = self.search_cells(todo, (at, pattern, set), vars, env, each)?
                {
                    return Ok(flow);
                }
                // The left side of a pair is often known.
                let items = self.members(set, env)?;
                let items: &[Value] = match &pattern.kind {
                    Kind::Op(Op::Couple, parts) if env.binds(&parts[0]) => {
                        let left = self.named(&parts[0], env)?;
                        run(&items, &left)
                    }
                    _ => &items,
                };
                let mut rest = todo.clone();
                rest.remove(at);
                self.each_candidate(items.iter(), pattern, &rest, vars, env, each)
            }
            Some(Source::Cuts(at, pattern, value)) => {
                let Some(values) = self.value(value, env)?.as_sequence() else {
                    return Ok(ControlFlow::Continue(()));
                };
                let mut rest = todo.clone();
                rest.remove(at);
                let mut parts = Vec::new();
                cut_parts(pattern, &mut parts);
                self.cut(&parts, &values, &rest, vars, env, each)
            }
            Some(Source::Sequences(at, pattern, set, lengths, over)) if size.is_finite() => {
                let Kind::Op(op, parts) = &set.kind else { return Err(Error::unknown(set.pos)) };
                let items = self.members(over, env)?;
                let injective = matches!(op, Op::InjectiveSequences | Op::InjectiveSequences1);
                let values = spaces::sequences_of(&items, lengths, injective, set.pos)?;
                let mut rest = todo.clone();
                if std::ptr::eq(over, &parts[0]) {
                    rest.remove(at);
                }
                self.each_candidate(values.iter(), pattern, &rest, vars, env, each)
            }
            Some(Source::Arguments(pattern, keys)) => {
                env.applied |= env.lenient;
                self.each_candidate(keys.iter(), pattern, todo, vars, env, each)
            }
            Some(Source::Subsets(slot, set, right, sizes)) if size.is_finite() => {
                if size > LARGE_POWER
                    && let Some(flow) = self.search_members(todo, (slot, set, right), vars, env, each)?
                {
                    return Ok(flow);
                }
                if size > 4.0 * LISTED as f64 {
                    return Err(Error::infinite(set.pos, "a set has too many subsets"));
                }
                let mut items = self.members(set, env)?.to_vec();
                if let Some(right) = right {
                    let right = self.members(right, env)?;
                    items =
                        items.iter().flat_map(|x| right.iter().map(|y| Value::pair(x.clone(), y.clone()))).collect();
                }

                spaces::combinations(&items, sizes, &mut |chosen| {
                    env.slots[slot as usize] = Value::sorted(chosen.to_vec());
                    let flow = self.step(todo.clone(), vars, env, each);
                    env.slots[slot as usize] = Value::Undefined;
                    flow
                })
            }
            Some(Source::Range(slot, low, high)) => {
                for n in low..=high {
                    env.slots[slot as usize] = Value::Int(n);
                    let flow = self.step(todo.clone(), vars, env, each);
                    env.slots[slot as usize] = Value::Undefined;
                    if flow?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            _ => self.enumerate_type(todo, vars, env, each),
        }
    }

    /// Goes on with each way to cut a sequence into parts that fit some patterns.
    fn cut(
        &self,
        parts: &[&Expr],
        values: &[Value],
        rest: &Todo<'_>,
        vars: &[&Bound],
        env: &mut Env,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        let Some((first, others)) = parts.split_first() else {
            return if values.is_empty() {
                self.step(rest.clone(), vars, env, each)
            } else {
                Ok(ControlFlow::Continue(()))
            };
        };
        for length in 0..=values.len() {
            if others.is_empty() && length < values.len() {
                continue;
            }
            let mut trail = SmallVec::new();
            let front = Value::sequence(values[..length].iter().cloned());
            let flow = match self.matches(first, &front, env, &mut trail) {
                Ok(true) => self.cut(others, &values[length..], rest, vars, env, each),
                Ok(false) => Ok(ControlFlow::Continue(())),
                Err(error) => Err(error),
            };
            for slot in trail {
                env.slots[slot as usize] = Value::Undefined;
            }
            if flow?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Goes on with each of some candidates for a pattern.
    fn each_candidate<'v>(
        &self,
        items: impl Iterator<Item = &'v Value>,
        pattern: &Expr,
        rest: &Todo<'_>,
        vars: &[&Bound],
        env: &mut Env,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        let mut trail = SmallVec::new();
        for item in items {
            let fits = self.matches(pattern, item, env, &mut trail);
            let flow = match fits {
                Ok(true) => self.step(rest.clone(), vars, env, each),
                Ok(false) => Ok(ControlFlow::Continue(())),
                Err(error) => Err(error),
            };
            for slot in trail.drain(..) {
                env.slots[slot as usize] = Value::Undefined;
            }
            if flow?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Splits a disjunction, an implication, an equivalence or an existential quantifier, if there is one.
    fn split(
        &self,
        todo: &Todo<'_>,
        vars: &[&Bound],
        env: &mut Env,
        each: Each<'_>,
        size: f64,
    ) -> Res<Option<ControlFlow<()>>> {
        let split = todo.iter().position(|expr| match &expr.kind {
            Kind::Op(Op::Or, parts) => parts.len() <= 64 && (size.is_infinite() || parts.iter().all(useful)),
            Kind::Op(Op::Implies, parts) => useful(&parts[1]) && size.is_infinite(),
            Kind::Binder(Binder::Exists, _, parts) => size.is_infinite() || useful(&parts[0]),
            _ => false,
        });
        let Some(at) = split else { return Ok(None) };
        let mut rest = todo.clone();
        let expr = rest.remove(at);
        match &expr.kind {
            Kind::Op(Op::Or, parts) => {
                for part in parts {
                    let mut case = rest.clone();
                    case.insert(at, part);
                    if self.step(case, vars, env, each)?.is_break() {
                        return Ok(Some(ControlFlow::Break(())));
                    }
                }
            }
            Kind::Op(Op::Implies, parts) => {
                let mut case = rest.clone();
                case.insert(at, &parts[1]);
                if self.step(case, vars, env, each)?.is_break() {
                    return Ok(Some(ControlFlow::Break(())));
                }
                let not = negated(&parts[0]);
                let mut case: Todo<'_> = rest.iter().copied().collect();
                case.insert(at, &not);
                return self.step(case, vars, env, each).map(Some);
            }
            Kind::Binder(Binder::Exists, bound, parts) => {
                let mut more: SmallVec<[&Bound; 8]> = vars.iter().copied().collect();
                more.extend(bound.iter());
                for (by, part) in parts[0].conjuncts().into_iter().enumerate() {
                    rest.insert(at + by, part);
                }
                let saved: SmallVec<[Value; 4]> = bound
                    .iter()
                    .map(|var| std::mem::replace(&mut env.slots[var.slot as usize], Value::Undefined))
                    .collect();
                let flow = self.step(rest, &more, env, each);
                for (var, value) in bound.iter().zip(saved) {
                    env.slots[var.slot as usize] = value;
                }
                return flow.map(Some);
            }
            _ => return Ok(None),
        }
        Ok(Some(ControlFlow::Continue(())))
    }

    /// Binds the variable whose type has fewest values.
    fn enumerate_type(&self, todo: &Todo<'_>, vars: &[&Bound], env: &mut Env, each: Each<'_>) -> Res<ControlFlow<()>> {
        let mut open: SmallVec<[&Bound; 8]> = vars.iter().copied().filter(|var| !env.is_bound(var.slot)).collect();
        open.sort_by_key(|var| self.type_weight(&var.ty));
        let Some(var) = open.first() else { return Ok(ControlFlow::Continue(())) };
        let pos = todo.first().map_or_else(Default::default, |expr| expr.pos);
        let values = if var.ty == Type::Int {
            // Half a bound is better than none.
            let bounds = self.bounds(todo, env);
            let (low, high) = bounds.get(&var.slot).copied().unwrap_or((None, None));
            if env.strict {
                return Err(Error::infinite(pos, format!("{} has no bounds here", var.name)));
            }
            // ProB takes MININT..MAXINT as well, but not where its constraints leave other numbers only, or a hole.
            let plain = |expr: &&Expr| !expr.free.contains(&var.slot) || !has_holes(expr);
            let low_enough =
                low.is_none_or(|low| low <= 1 || low > self.maxint) && high.is_none_or(|high| high >= self.minint);
            let mut others = true;
            if env.unbounded.is_none() {
                // Later on, values of other variables are bounds.
                for var in open.iter().filter(|var| var.ty == Type::Int) {
                    let (low, high) = bounds.get(&var.slot).copied().unwrap_or((None, None));
                    others &= high.is_some() || low.is_none_or(|low| low <= 1 || low > self.maxint);
                }
            }
            let low_enough = others && (env.unbounded.is_some() || low_enough);
            if !todo.iter().all(plain) || !low_enough {
                return Err(Error::infinite(pos, format!("{} has no bounds here: give it some, as 0..10", var.name)));
            }
            env.unbounded.get_or_insert(pos);
            // Above MAXINT it takes the least that is possible.
            let high = high.unwrap_or(low.map_or(self.maxint, |low| low.max(self.maxint)));
            let low = low.unwrap_or(self.minint);
            spaces::interval(low, high, pos)?.members().unwrap_or(&[]).to_vec()
        } else {
            match spaces::type_values(self, &var.ty, env, pos) {
                Err(error) if error.fault() == Fault::Infinite => {
                    return Err(Error::infinite(
                        pos,
                        format!("the variable {} has too many values: {}", var.name, error.text()),
                    ));
                }
                values => values?,
            }
        };
        for value in values {
            env.slots[var.slot as usize] = value;
            let flow = self.step(todo.clone(), vars, env, each);
            env.slots[var.slot as usize] = Value::Undefined;
            if flow?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A guard that has no value: what it guards does not happen where that is wanted, else the search fails. Under a
    /// negation ProB may decide otherwise.
    fn dropped(&self, guard: &Expr, error: Error, env: &mut Env) -> Res<ControlFlow<()>> {
        let hard = self.hard.contains(&(std::ptr::from_ref(guard) as usize));
        if !env.lenient || hard || !error.is_outside() || negates(guard) {
            return Err(error);
        }
        env.dropped.get_or_insert(error);
        Ok(ControlFlow::Continue(()))
    }

    /// About how many bits the values of a type have.
    fn type_weight(&self, ty: &Type) -> u64 {
        match ty {
            Type::Bool => 1,
            Type::Given(set) => u64::from(32 - self.sizes[*set as usize].leading_zeros()),
            Type::Int => 40,
            Type::Pair(pair) => self.type_weight(&pair.0).saturating_add(self.type_weight(&pair.1)),
            Type::Set(inner) => 1u64.checked_shl(self.type_weight(inner).min(40) as u32).unwrap_or(u64::MAX),
            Type::Record(fields) => fields.iter().map(|(_, ty)| self.type_weight(ty)).sum(),
            _ => u64::MAX,
        }
    }
}

/// A function that an equation defines by itself: its variable, and the formula as its value. What else the formula
/// reads has a value by now.
fn recursive(sides: &[Expr], env: &Env) -> Option<(u32, Value)> {
    fn is_function(expr: &Expr, slot: u32) -> bool {
        match &expr.kind {
            Kind::Binder(Binder::Lambda, ..) => true,
            Kind::Op(Op::Union, parts) => parts.iter().all(|part| is_function(part, slot)),
            Kind::Op(Op::SetOf, _) => !expr.free.contains(&slot),
            _ => false,
        }
    }
    for (variable, body) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
        let Kind::Slot(slot) = variable.kind else { continue };
        let rest = |free: &&u32| **free != slot;
        if !env.is_bound(slot)
            && body.free.contains(&slot)
            && is_function(body, slot)
            && body.free.iter().filter(rest).all(|free| env.is_bound(*free))
        {
            let captured = body.free.iter().filter(rest).map(|slot| (*slot, env.slots[*slot as usize].clone()));
            return Some((slot, Value::Symbolic(Arc::new(Symbolic::new(body.clone(), captured.collect())))));
        }
    }
    None
}

/// Is there a negation in a formula, but that of a literal?
fn negates(expr: &Expr) -> bool {
    let here = match &expr.kind {
        Kind::Op(Op::Not, parts) => !parts[0].parts().iter().any(|part| matches!(part.kind, Kind::Literal(_))),
        _ => false,
    };
    here || expr.parts().into_iter().any(negates)
}

/// May a predicate leave a hole in the values of its integer variables, or be without a value for some?
fn has_holes(expr: &Expr) -> bool {
    if let Kind::Op(Op::Not, parts) = &expr.kind
        && let Kind::Op(Op::And, several) = &parts[0].kind
        && several.len() > 1
    {
        // A disjunction: no constraint of ProB's until all parts but one are decided.
        return several.iter().any(has_holes);
    }
    matches!(expr.kind, Kind::Op(Op::Not | Op::NotIn | Op::Apply, _)) || expr.parts().into_iter().any(has_holes)
}

/// Does a formula help to find values?
fn useful(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Op(Op::Equal | Op::In | Op::Subset, _) => true,
        Kind::Op(Op::And | Op::Or, parts) => parts.iter().any(useful),
        Kind::Op(Op::Implies, parts) => useful(&parts[1]),
        Kind::Binder(Binder::Exists, _, parts) => useful(&parts[0]),
        _ => false,
    }
}

/// The negation of a checked predicate.
pub(super) fn negated(expr: &Expr) -> Expr {
    let mut not = Expr::op(expr.pos, Op::Not, vec![expr.clone()]);
    not.ty = Type::Predicate;
    not.free = expr.free.clone();
    not
}

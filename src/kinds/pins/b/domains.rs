//! A solver over finite domains: variables with possible numbers, constraints, propagation, search.
//!
//! Constraints are trees. What a tree may be worth is known from the numbers that its variables may have (bounds of
//! terms, truth of predicates); what is wanted of it narrows them (HC4: Benhamou, Goualard, Granvilliers, Puget, ICLP
//! 1999). A constraint is looked at anew when one of its variables has changed. The search takes the variable first that
//! has fewest numbers for the weight of its constraints, which grows as they fail (dom/wdeg: Boussemart, Hemery,
//! Lecoutre, Sais, ECAI 2004). Nothing here knows B: [`super::ground`] makes the constraints.
//!
//! Terms are bounded ([`Store::is_small`]), so that no arithmetic here leaves the words. [`Pred::Unknown`] is never pruned.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::rc::Rc;

use super::error::Res;
use super::terms::{Pred, Term, Var, variables};

/// Beyond all terms.
const FAR: i64 = 1 << 60;
/// No term is larger, in size.
const SMALL: i128 = 1 << 50;
/// Work between two looks at the time, in variables of constraints.
const LOOK: usize = 256;
/// The most numbers of a variable that are told apart, but for the ends.
const WIDE: i64 = 1 << 13;
/// How often one constraint may narrow the same variables in a row, as bounds may move by one each time.
const AGAIN: u32 = 64;

/// There is no solution.
#[derive(Debug)]
pub(super) struct Conflict;

type Narrowed = Result<(), Conflict>;

/// The numbers that a variable may have.
#[derive(Clone, Debug)]
struct Domain {
    low: i64,
    high: i64,
    /// Those from `base` on, once some between the ends are out.
    bits: Vec<u64>,
    base: i64,
}

impl Domain {
    fn contains(&self, n: i64) -> bool {
        if n < self.low || n > self.high {
            return false;
        }
        self.bits.is_empty() || {
            let at = (n - self.base) as usize;
            self.bits[at / 64] >> (at % 64) & 1 == 1
        }
    }

    fn size(&self) -> i64 {
        if self.bits.is_empty() {
            return self.high - self.low + 1;
        }
        (self.low..=self.high).filter(|n| self.contains(*n)).count() as i64
    }

    /// Leaves out a number; true if that is new.
    fn remove(&mut self, n: i64) -> Result<bool, Conflict> {
        if !self.contains(n) {
            return Ok(false);
        }
        if self.low == self.high {
            return Err(Conflict);
        }
        if n != self.low && n != self.high && self.bits.is_empty() {
            if self.high - self.low >= WIDE {
                return Ok(false);
            }
            self.base = self.low;
            self.bits = vec![u64::MAX; ((self.high - self.low) / 64 + 1) as usize];
        }
        if !self.bits.is_empty() {
            let at = (n - self.base) as usize;
            self.bits[at / 64] &= !(1 << (at % 64));
        }
        let (low, high) = (self.low + i64::from(n == self.low), self.high - i64::from(n == self.high));
        self.restrict(low, high)?;
        Ok(true)
    }

    /// Keeps what is between two numbers; true if something is out.
    fn restrict(&mut self, low: i64, high: i64) -> Result<bool, Conflict> {
        let (old_low, old_high) = (self.low, self.high);
        (self.low, self.high) = (self.low.max(low), self.high.min(high));
        while self.low <= self.high && !self.contains(self.low) {
            self.low += 1;
        }
        while self.low <= self.high && !self.contains(self.high) {
            self.high -= 1;
        }
        if self.low > self.high { Err(Conflict) } else { Ok((self.low, self.high) != (old_low, old_high)) }
    }
}

/// Constraints that are no trees.
#[derive(Debug)]
pub(super) enum Constraint {
    Holds(Pred),
    /// No two of these variables have the same number; those whose condition is false do not count.
    Different(Vec<(Option<Var>, Var)>),
    /// Each of these numbers is that of some variable whose condition is true.
    Covered(Rc<[i64]>, Vec<(Option<Var>, Var)>),
}

/// Variables, constraints, and what is known so far.
#[derive(Debug, Default)]
pub(super) struct Store {
    domains: Vec<Domain>,
    constraints: Vec<(Rc<Constraint>, Rc<[Var]>)>,
    /// For each variable: how many constraints it has, and how often one of them had no solution.
    weights: Vec<u32>,
    /// For each variable: its constraints.
    readers: Vec<Vec<u32>>,
    /// For each variable: another one, a condition without which its number does not matter.
    conditions: Vec<Option<Var>>,
    trail: Vec<(Var, Domain)>,
    queue: VecDeque<u32>,
    waiting: Vec<bool>,
    /// Work done since the last look at the time.
    work: usize,
}

fn clamp(n: i128) -> i64 {
    n.clamp(i128::from(-FAR), i128::from(FAR)) as i64
}

/// A number times another.
fn times(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

impl Store {
    /// A new variable between two numbers.
    pub(super) fn variable(&mut self, low: i64, high: i64, condition: Option<Var>) -> Var {
        self.domains.push(Domain { low, high, bits: Vec::new(), base: low });
        self.readers.push(Vec::new());
        self.weights.push(1);
        self.conditions.push(condition);
        self.domains.len() as Var - 1
    }

    /// Adds a constraint.
    pub(super) fn add(&mut self, constraint: Constraint) {
        let number = self.constraints.len() as u32;
        let mut vars = Vec::new();
        match &constraint {
            Constraint::Holds(pred) => variables(pred, &mut vars),
            Constraint::Different(list) | Constraint::Covered(_, list) => {
                vars.extend(list.iter().flat_map(|(condition, var)| condition.iter().copied().chain([*var])));
            }
        }
        vars.sort_unstable();
        vars.dedup();
        for var in &vars {
            self.readers[*var as usize].push(number);
            self.weights[*var as usize] += 1;
        }
        self.constraints.push((Rc::new(constraint), vars.into()));
        self.waiting.push(true);
        self.queue.push_back(number);
    }

    /// The least and the greatest number of a variable.
    pub(super) fn ends(&self, var: Var) -> (i64, i64) {
        let domain = &self.domains[var as usize];
        (domain.low, domain.high)
    }

    /// The number of a variable, if there is one left.
    pub(super) fn value(&self, var: Var) -> Option<i64> {
        let (low, high) = self.ends(var);
        (low == high).then_some(low)
    }

    fn change(&mut self, var: Var, run: impl FnOnce(&mut Domain) -> Result<bool, Conflict>) -> Narrowed {
        let old = self.domains[var as usize].clone();
        if run(&mut self.domains[var as usize]).inspect_err(|_| self.domains[var as usize] = old.clone())? {
            self.trail.push((var, old));
            for reader in &self.readers[var as usize] {
                if !std::mem::replace(&mut self.waiting[*reader as usize], true) {
                    self.queue.push_back(*reader);
                }
            }
        }
        Ok(())
    }

    /// The bounds of a term.
    fn bounds(&self, term: &Term) -> (i64, i64) {
        match term {
            Term::Const(n) => (*n, *n),
            Term::Var(var) => self.ends(*var),
            Term::Sum(terms, constant) => {
                let (mut low, mut high) = (i128::from(*constant), i128::from(*constant));
                for (factor, term) in terms {
                    let (a, b) = self.bounds(term);
                    let (a, b) = if *factor < 0 { (b, a) } else { (a, b) };
                    low += times(*factor, a);
                    high += times(*factor, b);
                }
                (clamp(low), clamp(high))
            }
            Term::Product(terms) => terms.iter().fold((1, 1), |(low, high), term| {
                let (a, b) = self.bounds(term);
                let corners = [times(low, a), times(low, b), times(high, a), times(high, b)];
                (clamp(corners.into_iter().min().unwrap_or(0)), clamp(corners.into_iter().max().unwrap_or(0)))
            }),
            Term::If(parts) => match self.truth(&parts.0) {
                Some(true) => self.bounds(&parts.1),
                Some(false) => self.bounds(&parts.2),
                None => hull(self.bounds(&parts.1), self.bounds(&parts.2)),
            },
            Term::Element(index, cells) => {
                let own = |(_, cell): &(i64, Term)| self.bounds(cell);
                let possible = cells.iter().filter(|(key, _)| self.possible(index, *key)).map(own).reduce(hull);
                possible.or_else(|| cells.iter().map(own).reduce(hull)).unwrap_or((0, 0))
            }
        }
    }

    /// Are a term, its parts, and all sums and products of some of them small?
    pub(super) fn is_small(&self, term: &Term) -> bool {
        self.size_of(term).is_some()
    }

    /// The greatest size of a term, if it is small.
    fn size_of(&self, term: &Term) -> Option<i128> {
        let size = match term {
            Term::Const(n) => i128::from(*n).abs(),
            Term::Var(var) => {
                let (low, high) = self.ends(*var);
                i128::from(low).abs().max(i128::from(high).abs())
            }
            Term::Sum(terms, constant) => {
                let mut all = i128::from(*constant).abs();
                for (factor, term) in terms {
                    let factor = i128::from(*factor).abs();
                    if factor > SMALL {
                        return None;
                    }
                    all += factor * self.size_of(term)?;
                }
                all
            }
            Term::Product(terms) => {
                let mut all = 1;
                for term in terms {
                    all *= self.size_of(term)?.max(1);
                    if all > SMALL {
                        return None;
                    }
                }
                all
            }
            Term::If(parts) => self.size_of(&parts.1)?.max(self.size_of(&parts.2)?),
            Term::Element(index, cells) => {
                let mut most = self.size_of(index)?;
                for (_, cell) in cells.iter() {
                    most = most.max(self.size_of(cell)?);
                }
                most
            }
        };
        (size <= SMALL).then_some(size)
    }

    /// May a term be only these numbers, which are sorted?
    pub(super) fn is_within(&self, term: &Term, numbers: &[i64]) -> bool {
        let (low, high) = self.bounds(term);
        high - low < WIDE && (low..=high).all(|n| numbers.binary_search(&n).is_ok() || !self.possible(term, n))
    }

    /// May a variable be this number?
    pub(super) fn contains(&self, var: Var, n: i64) -> bool {
        self.domains[var as usize].contains(n)
    }

    /// May a term be this number?
    fn possible(&self, term: &Term, n: i64) -> bool {
        match term {
            Term::Var(var) => self.domains[*var as usize].contains(n),
            _ => {
                let (low, high) = self.bounds(term);
                low <= n && n <= high
            }
        }
    }

    /// What is known of a condition.
    fn truth(&self, pred: &Pred) -> Option<bool> {
        match pred {
            Pred::Const(value) => Some(*value),
            Pred::Var(var) => self.value(*var).map(|n| n != 0),
            Pred::Not(inner) => self.truth(inner).map(|value| !value),
            Pred::And(parts) | Pred::Or(parts) => {
                let short = matches!(pred, Pred::Or(_));
                let mut open = false;
                for part in parts {
                    match self.truth(part) {
                        Some(value) if value == short => return Some(short),
                        Some(_) => {}
                        None => open = true,
                    }
                }
                if open { None } else { Some(!short) }
            }
            Pred::Iff(sides) => Some(self.truth(&sides.0)? == self.truth(&sides.1)?),
            Pred::Equal(sides) => {
                let ((a, b), (c, d)) = (self.bounds(&sides.0), self.bounds(&sides.1));
                if a == b && c == d && a == c {
                    return Some(true);
                }
                let apart = b < c || d < a;
                let hole = (c == d && !self.possible(&sides.0, c)) || (a == b && !self.possible(&sides.1, a));
                if apart || hole { Some(false) } else { None }
            }
            Pred::Zero(term) => match self.bounds(term) {
                (0, 0) => Some(true),
                (low, high) if low > 0 || high < 0 => Some(false),
                _ => None,
            },
            Pred::AtMostZero(term) => match self.bounds(term) {
                (_, high) if high <= 0 => Some(true),
                (low, _) if low > 0 => Some(false),
                _ => None,
            },
            Pred::In(term, numbers) => {
                let (low, high) = self.bounds(term);
                let from = numbers.partition_point(|n| *n < low);
                let inside = numbers[from..].iter().take_while(|n| **n <= high);
                if low == high {
                    return Some(numbers.get(from) == Some(&low));
                }
                let mut possible = inside.filter(|n| self.possible(term, **n));
                if possible.next().is_none() { Some(false) } else { None }
            }
            Pred::Unknown => None,
        }
    }

    /// A term is between two numbers.
    fn narrow(&mut self, term: &Term, low: i64, high: i64) -> Narrowed {
        match term {
            Term::Const(n) => within(*n, low, high),
            Term::Var(var) => {
                let ends = self.ends(*var);
                if low <= ends.0 && high >= ends.1 {
                    return Ok(());
                }
                self.change(*var, |domain| domain.restrict(low, high))
            }
            Term::Sum(terms, _) => {
                let (least, most) = self.bounds(term);
                if least > high || most < low {
                    return Err(Conflict);
                }
                if least >= low && most <= high {
                    return Ok(());
                }
                for (factor, inner) in terms {
                    // Of the others: all of it without this one.
                    let (least, most) = self.bounds(term);
                    let (a, b) = self.bounds(inner);
                    let (own_low, own_high) = if *factor < 0 {
                        (times(*factor, b), times(*factor, a))
                    } else {
                        (times(*factor, a), times(*factor, b))
                    };
                    let from = i128::from(low) - (i128::from(most) - own_high);
                    let to = i128::from(high) - (i128::from(least) - own_low);
                    let factor = i128::from(*factor);
                    let (from, to) = if factor < 0 { (-to, -from) } else { (from, to) };
                    let size = factor.abs();
                    self.narrow(inner, clamp(-(-from).div_euclid(size)), clamp(to.div_euclid(size)))?;
                }
                Ok(())
            }
            Term::Product(terms) => self.narrow_product(term, terms, low, high),
            Term::If(parts) => match self.truth(&parts.0) {
                Some(true) => self.narrow(&parts.1, low, high),
                Some(false) => self.narrow(&parts.2, low, high),
                None => {
                    let apart = |(a, b): (i64, i64)| b < low || a > high;
                    match (apart(self.bounds(&parts.1)), apart(self.bounds(&parts.2))) {
                        (true, true) => Err(Conflict),
                        (true, false) => self.demand(&parts.0, false),
                        (false, true) => self.demand(&parts.0, true),
                        _ => Ok(()),
                    }
                }
            },
            Term::Element(index, cells) => {
                let mut only = None;
                let mut count = 0;
                for (key, cell) in cells.iter() {
                    if !self.possible(index, *key) {
                        continue;
                    }
                    let (a, b) = self.bounds(cell);
                    if b < low || a > high {
                        self.exclude(index, *key)?;
                    } else {
                        count += 1;
                        only = Some(cell);
                    }
                }
                match (self.bounds(index), only) {
                    (_, None) => Err(Conflict),
                    ((a, b), Some(cell)) if a == b && count == 1 => self.narrow(cell, low, high),
                    _ => Ok(()),
                }
            }
        }
    }

    /// A product is between two numbers.
    fn narrow_product(&mut self, whole: &Term, terms: &[Term], low: i64, high: i64) -> Narrowed {
        let (least, most) = self.bounds(whole);
        if least > high || most < low {
            return Err(Conflict);
        }
        let bounds: Vec<(i64, i64)> = terms.iter().map(|term| self.bounds(term)).collect();
        if low == high && low != 0 {
            // What is known divides the product.
            let known = bounds.iter().filter(|(a, b)| a == b).try_fold(1i64, |all, (a, _)| all.checked_mul(*a));
            let Some(known) = known else { return Ok(()) };
            if known == 0 || low % known != 0 {
                return Err(Conflict);
            }
            let mut open = bounds.iter().zip(terms).filter(|((a, b), _)| a != b);
            if let (Some((_, term)), None) = (open.next(), open.next()) {
                return self.narrow(term, low / known, low / known);
            }
        }
        if bounds.iter().any(|(a, _)| *a < 0) {
            return Ok(());
        }
        for (at, term) in terms.iter().enumerate() {
            let others = |end: fn(&(i64, i64)) -> i64| {
                let rest = bounds.iter().enumerate().filter(|(other, _)| *other != at);
                rest.fold(1i64, |all, (_, bounds)| clamp(times(all, end(bounds))))
            };
            let (least, most) = (others(|bounds| bounds.0), others(|bounds| bounds.1));
            let to = if least > 0 { high / least } else { FAR };
            let from = if most > 0 && low > 0 { (low - 1) / most + 1 } else { -FAR };
            self.narrow(term, from, to)?;
        }
        Ok(())
    }

    /// A term is not this number.
    fn exclude(&mut self, term: &Term, n: i64) -> Narrowed {
        match term {
            Term::Const(own) if *own == n => Err(Conflict),
            Term::Const(_) => Ok(()),
            Term::Var(var) => self.change(*var, |domain| domain.remove(n)),
            Term::Sum(terms, constant) => {
                // One term that is open gets the rest.
                let (mut open, mut rest) = (None, i128::from(n) - i128::from(*constant));
                for (factor, term) in terms {
                    match self.bounds(term) {
                        (a, b) if a == b => rest -= times(*factor, a),
                        _ if open.is_some() => return Ok(()),
                        _ => open = Some((i128::from(*factor), term)),
                    }
                }
                match open {
                    None if rest == 0 => Err(Conflict),
                    Some((factor, term)) if rest % factor == 0 => self.exclude(term, clamp(rest / factor)),
                    _ => Ok(()),
                }
            }
            Term::Element(index, cells) => {
                for (key, cell) in cells.iter() {
                    if self.bounds(cell) == (n, n) && self.possible(index, *key) {
                        self.exclude(index, *key)?;
                    }
                }
                Ok(())
            }
            _ if self.bounds(term) == (n, n) => Err(Conflict),
            _ => Ok(()),
        }
    }

    /// A condition is true, or false.
    fn demand(&mut self, pred: &Pred, wanted: bool) -> Narrowed {
        match pred {
            Pred::Const(value) => {
                if *value == wanted {
                    Ok(())
                } else {
                    Err(Conflict)
                }
            }
            Pred::Var(var) => self.change(*var, |domain| domain.restrict(i64::from(wanted), i64::from(wanted))),
            Pred::Not(inner) => self.demand(inner, !wanted),
            Pred::And(parts) | Pred::Or(parts) => {
                if matches!(pred, Pred::And(_)) == wanted {
                    return parts.iter().try_for_each(|part| self.demand(part, wanted));
                }
                // One of them is as wanted: the last that may be.
                let mut last = None;
                for part in parts {
                    match self.truth(part) {
                        Some(value) if value == wanted => return Ok(()),
                        Some(_) => {}
                        None if last.is_some() => return Ok(()),
                        None => last = Some(part),
                    }
                }
                last.map_or(Err(Conflict), |part| self.demand(part, wanted))
            }
            Pred::Iff(sides) => match (self.truth(&sides.0), self.truth(&sides.1)) {
                (Some(left), _) => self.demand(&sides.1, left == wanted),
                (_, Some(right)) => self.demand(&sides.0, right == wanted),
                _ => Ok(()),
            },
            Pred::Equal(sides) => {
                let (a, b) = (self.bounds(&sides.0), self.bounds(&sides.1));
                if wanted {
                    self.narrow(&sides.0, b.0, b.1)?;
                    self.narrow(&sides.1, a.0, a.1)?;
                    match (&sides.0, &sides.1) {
                        (Term::Var(x), Term::Var(y)) => {
                            self.intersect(*x, *y)?;
                            self.intersect(*y, *x)
                        }
                        _ => Ok(()),
                    }
                } else {
                    if a.0 == a.1 {
                        self.exclude(&sides.1, a.0)?;
                    }
                    if b.0 == b.1 {
                        self.exclude(&sides.0, b.0)?;
                    }
                    Ok(())
                }
            }
            Pred::Zero(term) if wanted => self.narrow(term, 0, 0),
            Pred::Zero(term) => self.exclude(term, 0),
            Pred::AtMostZero(term) if wanted => self.narrow(term, -FAR, 0),
            Pred::AtMostZero(term) => self.narrow(term, 1, FAR),
            Pred::In(term, numbers) => {
                if !wanted {
                    return numbers.iter().try_for_each(|n| self.exclude(term, *n));
                }
                let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return Err(Conflict) };
                self.narrow(term, *first, *last)?;
                let (low, high) = self.bounds(term);
                if high - low < WIDE {
                    for n in low..=high {
                        if numbers.binary_search(&n).is_err() {
                            self.exclude(term, n)?;
                        }
                    }
                }
                Ok(())
            }
            Pred::Unknown => Ok(()),
        }
    }

    /// A variable has a number that another may have.
    fn intersect(&mut self, var: Var, other: Var) -> Narrowed {
        let (low, high) = self.ends(var);
        if high - low >= WIDE {
            return Ok(());
        }
        for n in low..=high {
            if !self.domains[other as usize].contains(n) {
                self.change(var, |domain| domain.remove(n))?;
            }
        }
        Ok(())
    }

    /// Is a condition of a variable true?
    fn counts(&self, condition: Option<Var>) -> Option<bool> {
        condition.map_or(Some(true), |var| self.value(var).map(|n| n != 0))
    }

    fn propagate_one(&mut self, constraint: &Constraint) -> Narrowed {
        match constraint {
            Constraint::Holds(pred) => self.demand(pred, true),
            Constraint::Different(list) => {
                for (at, (condition, var)) in list.iter().enumerate() {
                    let Some(n) = self.value(*var).filter(|_| self.counts(*condition) == Some(true)) else { continue };
                    for (other, (condition, var)) in list.iter().enumerate() {
                        if other == at || !self.domains[*var as usize].contains(n) {
                            continue;
                        }
                        match self.counts(*condition) {
                            Some(true) => self.change(*var, |domain| domain.remove(n))?,
                            None if self.value(*var).is_some() => {
                                let Some(condition) = condition else { continue };
                                self.change(*condition, |domain| domain.restrict(0, 0))?;
                            }
                            _ => {}
                        }
                    }
                }
                Ok(())
            }
            Constraint::Covered(numbers, list) => {
                for n in numbers.iter() {
                    let may = |store: &Store, (condition, var): &&(Option<Var>, Var)| {
                        store.counts(*condition) != Some(false) && store.domains[*var as usize].contains(*n)
                    };
                    let mut those = list.iter().filter(|cell| may(self, cell));
                    match (those.next(), those.next()) {
                        (None, _) => return Err(Conflict),
                        (Some((condition, var)), None) => {
                            if let Some(condition) = condition {
                                self.change(*condition, |domain| domain.restrict(1, 1))?;
                            }
                            self.change(*var, |domain| domain.restrict(*n, *n))?;
                        }
                        _ => {}
                    }
                }
                Ok(())
            }
        }
    }

    /// Narrows until nothing changes; `look` is called now and then.
    ///
    /// # Errors
    /// Those of `look`.
    pub(super) fn propagate(&mut self, look: &mut dyn FnMut() -> Res<()>) -> Res<Narrowed> {
        while let Some(number) = self.queue.pop_front() {
            let (constraint, vars) = self.constraints[number as usize].clone();
            for _ in 0..AGAIN {
                self.work += 1 + vars.len();
                if self.work >= LOOK {
                    self.work = 0;
                    look()?;
                }
                let before = self.trail.len();
                // Its own changes are no reason to wait.
                self.waiting[number as usize] = true;
                let result = self.propagate_one(&constraint);
                self.waiting[number as usize] = false;
                if result.is_err() {
                    for var in vars.iter() {
                        let weight = &mut self.weights[*var as usize];
                        *weight = weight.saturating_add(1);
                    }
                    for number in self.queue.drain(..) {
                        self.waiting[number as usize] = false;
                    }
                    return Ok(Err(Conflict));
                }
                if self.trail.len() == before {
                    break;
                }
            }
        }
        Ok(Ok(()))
    }

    /// Takes back all changes since there were so many.
    fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((var, domain)) = self.trail.pop() {
                self.domains[var as usize] = domain;
            }
        }
    }

    /// Calls `each` for all numbers of some variables for which no constraint is false; `look` is called now and then.
    pub(super) fn search(
        &mut self,
        vars: &[Var],
        look: &mut dyn FnMut() -> Res<()>,
        each: &mut dyn FnMut(&Store) -> Res<ControlFlow<()>>,
    ) -> Res<ControlFlow<()>> {
        let mut best: Option<(f64, Var)> = None;
        for &var in vars {
            let (low, high) = self.ends(var);
            // The number of what does not count does not matter.
            if low == high || self.counts(self.conditions[var as usize]) != Some(true) {
                continue;
            }
            let rank = self.domains[var as usize].size() as f64 / f64::from(self.weights[var as usize]);
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, var));
            }
        }
        let Some((_, var)) = best else { return each(self) };
        let (low, high) = self.ends(var);
        for n in low..=high {
            if !self.domains[var as usize].contains(n) {
                continue;
            }
            let mark = self.trail.len();
            let narrowed = match self.change(var, |domain| domain.restrict(n, n)) {
                Ok(()) => self.propagate(look)?,
                conflict => conflict,
            };
            let flow = match narrowed {
                Ok(()) => self.search(vars, look, each),
                Err(Conflict) => Ok(ControlFlow::Continue(())),
            };
            self.undo(mark);
            if flow?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn hull(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    (a.0.min(b.0), a.1.max(b.1))
}

fn within(n: i64, low: i64, high: i64) -> Narrowed {
    if low <= n && n <= high { Ok(()) } else { Err(Conflict) }
}

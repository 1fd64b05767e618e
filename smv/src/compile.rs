//! Terms and programs as decision diagrams.
//!
//! Steps are a conjunction of *rows*: one for each assignment, `TRANS`, and primed invariant. A row is a condition on the
//! current and the next values of few variables. First states are a conjunction of conditions on current values.
//!
//! Faults of values, over all values of the variables that an expression reads, reachable or not, as far as its guards
//! let them through, are leaves of these diagrams (SPEC.md, section 6).

use crate::ast::{Role, When};
use crate::diagram::{Diagram, Diagrams, Leaf, OTHERS, TooLarge};
use crate::eval;
use crate::model::{Assignment, Domain, Model};
use crate::term::{Lack, Node, Op, Term, Type, Value};
use std::collections::{BTreeMap, HashMap};

/// Runs for the diagram of first states.
const MOST_FIRST: usize = 500_000;
/// Nodes up to which parts of a condition that are about the same next values are one row.
const TOGETHER: usize = 500;

/// Compiles terms of a model.
#[derive(Debug)]
pub struct Compiler<'m> {
    pub(crate) model: &'m Model,
    /// The diagrams.
    pub diagrams: Diagrams,
    /// By variable: its slot.
    slots: Vec<Option<u32>>,
    done: HashMap<Term, Diagram>,
    /// The values of variables: which, and their levels.
    variable_of: HashMap<Diagram, (usize, u32)>,
    operations: HashMap<(Op, Type, Type, Type), u32>,
    /// The next number for an operation.
    fresh: u32,
}

/// The steps with one label: a conjunction of rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    /// The value of the process selector; 0 where there is none.
    pub label: u32,
    /// The rows.
    pub rows: Vec<Diagram>,
    /// The slots whose variables stay as they are, which no row mentions the next value of.
    pub kept: Vec<u32>,
}

/// Why there are no diagrams of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// They are too large.
    TooLarge,
    /// A value is a fault.
    Fault,
}

impl From<TooLarge> for Trouble {
    fn from(_: TooLarge) -> Self {
        Trouble::TooLarge
    }
}

/// Some first states of a model, in the order of its variables without inputs, up to so many, and whether they are all.
/// `None` where their diagram is too large, or a value is a fault.
pub fn first_states(model: &Model, most: usize) -> Option<(Vec<Vec<Value>>, bool)> {
    let of_state = |&variable: &usize| model.variables[variable].role != Role::Input;
    let order: Vec<usize> = (0..model.variables.len()).filter(of_state).collect();
    let mut compiler = Compiler::new(model, &order, MOST_FIRST)?;
    let mut all = Diagrams::TRUE;
    for row in compiler.first().ok()? {
        all = compiler.diagrams.and(all, row).ok()?;
    }
    // Depth first, least values last on the stack.
    let (mut found, mut open) = (Vec::new(), vec![(Vec::new(), all)]);
    while let Some((values, condition)) = open.pop() {
        let slot = values.len();
        if slot == order.len() {
            if found.len() == most {
                return Some((found, false));
            }
            found.push(values);
            continue;
        }
        let level = 2 * slot as u32;
        for number in (0..compiler.diagrams.size(level)).rev() {
            let below = compiler.diagrams.child(level, condition, number);
            if below != Diagrams::FALSE {
                let mut values: Vec<Value> = values.clone();
                values.push(model.variables[order[slot]].domain.value(number.into()));
                open.push((values, below));
            }
        }
    }
    Some((found, true))
}

impl<'m> Compiler<'m> {
    /// A compiler for terms over variables in this order, each with a slot; nodes may have `most` runs together. `None` if a
    /// domain is too large.
    pub fn new(model: &'m Model, order: &[usize], most: usize) -> Option<Self> {
        let mut slots = vec![None; model.variables.len()];
        let mut sizes = Vec::new();
        for (slot, &variable) in (0..).zip(order) {
            slots[variable] = Some(slot);
            let size = u32::try_from(model.variables[variable].domain.size()).ok();
            sizes.push(size.filter(|&size| size as usize <= most)?);
        }
        let diagrams = Diagrams::new(sizes, most);
        let (done, variable_of, operations) = (HashMap::new(), HashMap::new(), HashMap::new());
        Some(Compiler { model, diagrams, slots, done, variable_of, operations, fresh: OTHERS + 1 })
    }

    /// The diagrams alone.
    pub fn into_diagrams(self) -> Diagrams {
        self.diagrams
    }

    /// The slot of a variable.
    pub fn slot(&self, variable: usize) -> Option<u32> {
        self.slots[variable]
    }

    fn fresh(&mut self) -> u32 {
        self.fresh += 1;
        self.fresh - 1
    }

    fn fault(&mut self, message: String) -> Diagram {
        self.diagrams.leaf(Leaf::Fault(message))
    }

    /// The value of a variable.
    ///
    /// # Errors
    /// [`TooLarge`], also for a variable without a slot.
    pub fn variable(&mut self, variable: usize, next: bool) -> Result<Diagram, TooLarge> {
        let level = 2 * self.slots[variable].ok_or(TooLarge)? + u32::from(next);
        let domain = &self.model.variables[variable].domain;
        let mut runs = Vec::new();
        for number in 0..self.diagrams.size(level) {
            runs.push((number, self.diagrams.constant(domain.value(u64::from(number)))));
        }
        let diagram = self.diagrams.make(level, &runs)?;
        self.variable_of.insert(diagram, (variable, level));
        Ok(diagram)
    }

    /// The value of a term that is no set.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn term(&mut self, term: Term) -> Result<Diagram, TooLarge> {
        if let Some(&done) = self.done.get(&term) {
            return Ok(done);
        }
        let model = self.model;
        let terms = &model.terms;
        let result = match terms.node(term) {
            Node::Const(value) => self.diagrams.constant(*value),
            &Node::Variable { variable, next } => self.variable(variable, next)?,
            Node::Lack(Lack::Case, place) => self.fault(format!("no guard of the `case` in line {} holds", place.line)),
            Node::Lack(Lack::Index, place) => {
                self.fault(format!("the index in line {} is outside of its array", place.line))
            }
            &Node::If(condition, yes, no) => {
                let condition = self.term(condition)?;
                // What no condition leads to is not built.
                match self.diagrams.as_value(condition) {
                    Some(Value::Bool(true)) => self.term(yes)?,
                    Some(_) => self.term(no)?,
                    None => {
                        let (yes, no) = (self.term(yes)?, self.term(no)?);
                        self.diagrams.choice(condition, yes, no)?
                    }
                }
            }
            &Node::Member(left, right) => self.subset(left, right)?,
            Node::Apply(op @ (Op::And | Op::Or), operands) if terms.kind(term) == Type::Bool => {
                let mut all = self.diagrams.constant(Value::Bool(*op == Op::And));
                for &operand in operands {
                    let operand = self.term(operand)?;
                    all = if *op == Op::And {
                        self.diagrams.and(all, operand)?
                    } else {
                        self.diagrams.or(all, operand)?
                    };
                }
                all
            }
            Node::Apply(Op::Eq, operands) if self.is_value(operands).is_some() => {
                let (variable, next, value) = self.is_value(operands).ok_or(TooLarge)?;
                let level = 2 * self.slots[variable].ok_or(TooLarge)? + u32::from(next);
                has_value(&mut self.diagrams, &model.variables[variable].domain, level, value)?
            }
            Node::Apply(Op::Not, operands) if terms.kind(term) == Type::Bool => {
                let operand = self.term(operands[0])?;
                self.diagrams.not(operand)?
            }
            Node::Apply(Op::Count, operands) => {
                let (zero, one) = (self.diagrams.constant(Value::Int(0)), self.diagrams.constant(Value::Int(1)));
                let mut sum = zero;
                for &operand in operands {
                    let operand = self.term(operand)?;
                    let here = self.diagrams.choice(operand, one, zero)?;
                    sum = self.operation(Op::Add, sum, here, [Type::Int; 3])?;
                }
                sum
            }
            Node::Apply(op, operands) => {
                let kinds: Vec<Type> = operands.iter().map(|&operand| terms.kind(operand)).collect();
                let (from, second) = (kinds[0], kinds.get(1).copied().unwrap_or(Type::Bool));
                let to = terms.kind(term);
                let first = self.term(operands[0])?;
                match operands.get(1..) {
                    Some([]) | None => self.unary(*op, first, [from, second, to])?,
                    Some(rest) => {
                        let mut all = first;
                        for &operand in rest {
                            let operand = self.term(operand)?;
                            all = self.operation(*op, all, operand, [from, second, to])?;
                        }
                        all
                    }
                }
            }
            Node::Set(members) if members.len() == 1 => self.term(members[0])?,
            &Node::Range(from, to) if from == to => self.diagrams.constant(Value::Int(from)),
            Node::Set(_) | Node::Range(..) => self.fault("a set stands where one value is wanted".to_owned()),
            Node::Temporal(..) => self.fault("a temporal formula has no value in a state".to_owned()),
        };
        self.done.insert(term, result);
        Ok(result)
    }

    /// A variable, whether it is its next value, and the value that it is compared with.
    fn is_value(&self, operands: &[Term]) -> Option<(usize, bool, Value)> {
        let &[a, b] = operands else { return None };
        match (self.model.terms.node(a), self.model.terms.node(b)) {
            (&Node::Variable { variable, next }, &Node::Const(value))
            | (&Node::Const(value), &Node::Variable { variable, next }) => Some((variable, next, value)),
            _ => None,
        }
    }

    fn number(&mut self, op: Op, [from, second, to]: [Type; 3]) -> u32 {
        if let Some(&known) = self.operations.get(&(op, from, second, to)) {
            return known;
        }
        let number = self.fresh();
        self.operations.insert((op, from, second, to), number);
        number
    }

    fn operation(&mut self, op: Op, a: Diagram, b: Diagram, kinds: [Type; 3]) -> Result<Diagram, TooLarge> {
        let number = self.number(op, kinds);
        let [from, second, to] = kinds;
        // A variable is compared with a constant at once: its domain may be large.
        let variable = (op == Op::Eq).then(|| self.variable_of.get(&a)).flatten().copied();
        let model = self.model;
        self.diagrams.apply(number, a, b, &mut |all, x, y| match (all.as_leaf(x), all.as_leaf(y)) {
            (Some(Leaf::Fault(_)), _) => Some(x),
            (_, Some(Leaf::Fault(_))) => Some(y),
            (Some(&Leaf::Value(x)), Some(&Leaf::Value(y))) => {
                Some(found(all, eval::apply(op, &[x, y], from, second, to)))
            }
            (None, Some(&Leaf::Value(value))) if x == a => {
                let (variable, level) = variable?;
                has_value(all, &model.variables[variable].domain, level, value).ok()
            }
            _ => None,
        })
    }

    fn unary(&mut self, op: Op, a: Diagram, [from, second, to]: [Type; 3]) -> Result<Diagram, TooLarge> {
        let number = self.number(op, [from, second, to]);
        self.diagrams.apply(number, a, a, &mut |all, a, _| match all.as_leaf(a) {
            Some(Leaf::Fault(_)) => Some(a),
            Some(&Leaf::Value(x)) => Some(found(all, eval::apply(op, &[x], from, second, to))),
            None => None,
        })
    }

    /// Where the values of a diagram are such; faults stay.
    fn such(&mut self, a: Diagram, such: &dyn Fn(Value) -> bool) -> Result<Diagram, TooLarge> {
        let number = self.fresh();
        self.diagrams.apply(number, a, a, &mut |all, a, _| match all.as_leaf(a) {
            Some(Leaf::Fault(_)) => Some(a),
            Some(&Leaf::Value(value)) => Some(all.constant(Value::Bool(such(value)))),
            None => None,
        })
    }

    /// Is a value one of those that a term stands for?
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn member(&mut self, value: Diagram, of: Term) -> Result<Diagram, TooLarge> {
        let model = self.model;
        match model.terms.node(of) {
            Node::Set(members) => {
                let mut any = Diagrams::FALSE;
                for &member in members {
                    let here = self.member(value, member)?;
                    any = self.diagrams.or(any, here)?;
                }
                Ok(any)
            }
            &Node::Range(from, to) => {
                self.such(value, &|value| matches!(value, Value::Int(number) if (from..=to).contains(&number)))
            }
            &Node::If(condition, yes, no) => {
                let condition = self.term(condition)?;
                match self.diagrams.as_value(condition) {
                    Some(Value::Bool(true)) => self.member(value, yes),
                    Some(_) => self.member(value, no),
                    None => {
                        let (yes, no) = (self.member(value, yes)?, self.member(value, no)?);
                        self.diagrams.choice(condition, yes, no)
                    }
                }
            }
            _ => {
                let one = self.term(of)?;
                self.operation(Op::Eq, value, one, [Type::Mixed, Type::Mixed, Type::Bool])
            }
        }
    }

    /// Are all values of one term among those of another?
    fn subset(&mut self, left: Term, right: Term) -> Result<Diagram, TooLarge> {
        let model = self.model;
        match model.terms.node(left) {
            Node::Set(members) => {
                let mut all = Diagrams::TRUE;
                for &member in members {
                    let here = self.subset(member, right)?;
                    all = self.diagrams.and(all, here)?;
                }
                Ok(all)
            }
            &Node::Range(from, to) => {
                let mut all = Diagrams::TRUE;
                for number in from..=to {
                    let number = self.diagrams.constant(Value::Int(number));
                    let here = self.member(number, right)?;
                    all = self.diagrams.and(all, here)?;
                }
                Ok(all)
            }
            &Node::If(condition, yes, no) if model.terms.is_set(left) => {
                let condition = self.term(condition)?;
                let (yes, no) = (self.subset(yes, right)?, self.subset(no, right)?);
                self.diagrams.choice(condition, yes, no)
            }
            _ => {
                let value = self.term(left)?;
                self.member(value, right)
            }
        }
    }

    /// Where a term stands for a value that a domain has not.
    fn outside(&mut self, of: Term, domain: &Domain) -> Result<Diagram, TooLarge> {
        let model = self.model;
        match model.terms.node(of) {
            Node::Set(members) => {
                let mut any = Diagrams::FALSE;
                for &member in members {
                    let here = self.outside(member, domain)?;
                    any = self.diagrams.or(any, here)?;
                }
                Ok(any)
            }
            &Node::Range(from, to) => {
                let inside = (from..=to).all(|number| domain.number(Value::Int(number)).is_some());
                Ok(self.diagrams.constant(Value::Bool(!inside)))
            }
            &Node::If(condition, yes, no) => {
                let condition = self.term(condition)?;
                match self.diagrams.as_value(condition) {
                    Some(Value::Bool(true)) => self.outside(yes, domain),
                    Some(_) => self.outside(no, domain),
                    None => {
                        let (yes, no) = (self.outside(yes, domain)?, self.outside(no, domain)?);
                        self.diagrams.choice(condition, yes, no)
                    }
                }
            }
            _ => {
                let value = self.term(of)?;
                self.such(value, &|value| domain.number(value).is_none())
            }
        }
    }

    /// A fault of a term, or that it stands for a value that its target has not; `None` if there is no such.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub(crate) fn fault_of(&mut self, term: Term, target: Option<usize>) -> Result<Option<String>, TooLarge> {
        let model = self.model;
        let Some(target) = target else {
            let value = match model.terms.is_set(term) {
                true => self.outside(term, &Domain::Values(Vec::new()))?,
                false => self.term(term)?,
            };
            return Ok(self.diagrams.fault(value).map(str::to_owned));
        };
        let variable = &model.variables[target];
        let outside = self.outside(term, &variable.domain)?;
        if let Some(message) = self.diagrams.fault(outside) {
            return Ok(Some(message.to_owned()));
        }
        let Some(values) = self.diagrams.example(outside) else { return Ok(None) };
        let mut evaluator = eval::Evaluator::new(model);
        for (variable, slot) in self.slots.iter().enumerate().filter_map(|(variable, slot)| Some((variable, (*slot)?)))
        {
            for next in [false, true] {
                let number = values.get(&(2 * slot + u32::from(next))).copied().unwrap_or(0);
                evaluator.set(variable, next, Some(model.variables[variable].domain.value(number.into())));
            }
        }
        let found = evaluator.choices(term).ok().flatten().unwrap_or_default();
        let outside = found.into_iter().find(|&value| variable.domain.number(value).is_none());
        let shown = outside.map_or("a value".to_owned(), |value| model.show(value, variable.kind));
        Ok(Some(format!("`{}` is assigned {shown}, which is none of its values", variable.name)))
    }

    /// Conditions that have a value everywhere.
    pub(crate) fn conditions(&mut self, terms: &[Term]) -> Result<Vec<Diagram>, Trouble> {
        let mut rows = Vec::with_capacity(terms.len());
        for &term in terms {
            let row = self.term(term)?;
            if self.diagrams.has_fault(row) {
                return Err(Trouble::Fault);
            }
            rows.push(row);
        }
        Ok(rows)
    }

    /// That variables have one of the values that are assigned to them then. All of these have to be values of theirs.
    fn assigned(&mut self, when: When) -> Result<Vec<Diagram>, Trouble> {
        let model = self.model;
        let mut rows = Vec::new();
        for &Assignment { variable, value, .. } in model.assignments.iter().filter(|assignment| assignment.when == when)
        {
            // False everywhere, or a fault, or true somewhere.
            if self.outside(value, &model.variables[variable].domain)? != Diagrams::FALSE {
                return Err(Trouble::Fault);
            }
            let own = self.variable(variable, when == When::Next)?;
            rows.push(self.member(own, value)?);
        }
        Ok(rows)
    }

    /// The conditions on first states.
    ///
    /// # Errors
    /// [`Trouble`].
    pub fn first(&mut self) -> Result<Vec<Diagram>, Trouble> {
        let model = self.model;
        let mut rows = self.always()?;
        rows.extend(self.conditions(&model.init)?);
        rows.extend(self.assigned(When::Init)?);
        Ok(without_true(rows))
    }

    /// The conditions on all states.
    fn always(&mut self) -> Result<Vec<Diagram>, Trouble> {
        let model = self.model;
        let mut rows = self.conditions(&model.invar)?;
        rows.extend(self.assigned(When::Current)?);
        Ok(rows)
    }

    /// The rows of all steps.
    fn rows(&mut self) -> Result<Vec<Diagram>, Trouble> {
        let parts = self.model.parts_of_steps();
        let mut rows = self.rows_without_trans()?;
        for part in parts {
            rows.extend(self.pieces(part)?);
        }
        Ok(without_true(rows))
    }

    /// A condition on steps as several: `guard -> a & b` is two of them. Those about the same next values are one while
    /// they are small.
    fn pieces(&mut self, part: Term) -> Result<Vec<Diagram>, Trouble> {
        let (mut open, mut pieces) = (vec![(Diagrams::FALSE, part)], Vec::new());
        let terms = &self.model.terms;
        while let Some((unless, term)) = open.pop() {
            match terms.node(term) {
                Node::Apply(Op::And, operands) if terms.kind(term) == Type::Bool => {
                    open.extend(operands.iter().map(|&operand| (unless, operand)));
                }
                Node::Apply(Op::Or, operands) if terms.kind(term) == Type::Bool => {
                    let (steps, guards): (Vec<Term>, Vec<Term>) =
                        operands.iter().partition(|&&operand| terms.mentions_next(operand));
                    let [step] = steps[..] else {
                        pieces.push((unless, term));
                        continue;
                    };
                    let mut unless = unless;
                    for guard in guards {
                        let guard = self.term(guard)?;
                        unless = self.diagrams.or(unless, guard)?;
                    }
                    open.push((unless, step));
                }
                &Node::If(condition, yes, no) if !terms.mentions_next(condition) => {
                    let condition = self.term(condition)?;
                    let otherwise = self.diagrams.not(condition)?;
                    for (other, side) in [(otherwise, yes), (condition, no)] {
                        open.push((self.diagrams.or(unless, other)?, side));
                    }
                }
                _ => pieces.push((unless, term)),
            }
        }
        if let [_] = pieces[..] {
            return self.conditions(&[part]);
        }
        let mut about: BTreeMap<Vec<u32>, Vec<Diagram>> = BTreeMap::new();
        for (unless, term) in pieces {
            let row = self.term(term)?;
            let row = self.diagrams.or(unless, row)?;
            if self.diagrams.has_fault(row) {
                // Another part may stand before it.
                return self.conditions(&[part]);
            }
            let next = self.diagrams.support(row).into_iter().filter(|level| level % 2 == 1).collect();
            let rows = about.entry(next).or_default();
            match rows.last_mut() {
                Some(last) => {
                    let both = self.diagrams.and(*last, row)?;
                    if self.diagrams.nodes_of(both) <= TOGETHER {
                        *last = both;
                    } else {
                        rows.push(row);
                    }
                }
                None => rows.push(row),
            }
        }
        Ok(about.into_values().flatten().collect())
    }

    /// The rows of assignments and invariants.
    pub(crate) fn rows_without_trans(&mut self) -> Result<Vec<Diagram>, Trouble> {
        let mut rows = Vec::new();
        for row in self.always()? {
            rows.push(self.diagrams.primed(row, &[])?);
        }
        rows.extend(self.assigned(When::Next)?);
        for variable in 0..self.model.variables.len() {
            if self.model.variables[variable].role == Role::Frozen {
                rows.push(self.same(variable)?);
            }
        }
        Ok(without_true(rows))
    }

    /// That a variable stays as it is.
    pub(crate) fn same(&mut self, variable: usize) -> Result<Diagram, TooLarge> {
        let (now, next) = (self.variable(variable, false)?, self.variable(variable, true)?);
        self.operation(Op::Eq, next, now, [Type::Mixed, Type::Mixed, Type::Bool])
    }

    /// All steps, apart for each process. Inputs have slots as variables have; whoever asks quantifies them.
    ///
    /// # Errors
    /// [`Trouble`].
    pub fn steps(&mut self) -> Result<Vec<Steps>, Trouble> {
        if let Some(steps) = self.interleaved()? {
            return Ok(steps);
        }
        let rows = self.rows()?;
        let Some(selector) = self.model.selector() else {
            return Ok(vec![self.kept(0, rows)?]);
        };
        let level = 2 * self.slots[selector].ok_or(TooLarge)?;
        let mut all = Vec::new();
        for value in 0..self.diagrams.size(level) {
            let mut fixed = Vec::new();
            for &row in &rows {
                fixed.push(self.diagrams.fix(row, level, value)?);
            }
            all.push(self.kept(value, without_true(fixed))?);
        }
        Ok(all)
    }

    /// Rows that only keep the value of a variable, apart.
    pub(crate) fn kept(&mut self, label: u32, mut rows: Vec<Diagram>) -> Result<Steps, Trouble> {
        let mut mentions: HashMap<u32, usize> = HashMap::new();
        for &row in &rows {
            for level in self.diagrams.support(row) {
                *mentions.entry(level).or_default() += 1;
            }
        }
        let mut kept = Vec::new();
        for variable in 0..self.model.variables.len() {
            let Some(slot) = self.slots[variable].filter(|_| self.model.variables[variable].role != Role::Input) else {
                continue;
            };
            if mentions.get(&(2 * slot + 1)) == Some(&1) {
                let same = self.same(variable)?;
                if let Some(at) = rows.iter().position(|&row| row == same) {
                    rows.swap_remove(at);
                    kept.push(slot);
                }
            } else if self.diagrams.size(2 * slot) == 1 {
                kept.push(slot);
            }
        }
        Ok(Steps { label, rows, kept })
    }
}

/// That a variable with this domain, on this level, has this value.
fn has_value(all: &mut Diagrams, domain: &Domain, level: u32, value: Value) -> Result<Diagram, TooLarge> {
    let Some(number) = domain.number(value).and_then(|number| u32::try_from(number).ok()) else {
        return Ok(Diagrams::FALSE);
    };
    let runs = [(0, Diagrams::FALSE), (number, Diagrams::TRUE), (number + 1, Diagrams::FALSE)];
    let end = if number + 1 == all.size(level) { 2 } else { 3 };
    all.make(level, &runs[usize::from(number == 0)..end])
}

fn found(all: &mut Diagrams, result: Result<Value, eval::Failure>) -> Diagram {
    match result {
        Ok(value) => all.constant(value),
        Err(failure) => all.leaf(Leaf::Fault(failure.0)),
    }
}

pub(crate) fn without_true(mut rows: Vec<Diagram>) -> Vec<Diagram> {
    rows.retain(|&row| row != Diagrams::TRUE);
    rows.sort_unstable();
    rows.dedup();
    rows
}

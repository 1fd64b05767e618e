//! Compilation of operations and labels ([`super::compiled`]).
//!
//! Instructions are made of what works on numbers, on equality and on truth values. Any other expression is kept as
//! it is, with the slots that it reads as operands; where these are more than two, operands of operators become code of
//! their own, so that the same few words are asked for again and again. What ways, substitutions or expressions have no
//! code for (loops, integers without bounds, functions as parameters) leaves the operation to the execution on values.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Bound, Carrier, Expr, Kind, Op, Sub, SubKind, is_whole};
use super::compiled::{Asked, Code, Node, OPERANDS, Program, Step, Way};
use super::context::Context;
use super::plan::Plan;
use super::rows::rows;
use super::substitution::is_single;
use super::types::Type;
use super::values::Value;
use super::words::{Pattern, Sort, UNSET, Words};

/// So many operands and an expression is not taken apart.
const FEW: usize = 2;

/// The compiler of a machine.
pub(super) struct Compiler<'a> {
    pub context: &'a Context,
    pub program: Program,
    /// Types with pools.
    pools: FxHashMap<Type, usize>,
    /// Slots whose values never change, and those of them that have a word.
    fixed: FxHashSet<u32>,
    plain: FxHashSet<u32>,
    /// Slots that have a value here.
    pub known: FxHashSet<u32>,
    /// Where the expressions that have been seen are, by their texts.
    seen: FxHashMap<String, usize>,
    /// How many conditions of a search have been taken by cases.
    pub splits: usize,
}

impl<'a> Compiler<'a> {
    /// A compiler for a machine with so many slots, the first of which are these variables of the model. Constants with
    /// one value each are given with it.
    pub(super) fn new(context: &'a Context, slots: usize, variables: &[Bound], constants: &[(u32, Value)]) -> Self {
        let mut compiler = Compiler {
            context,
            program: Program { sorts: vec![Sort::Bool; slots], fixed: constants.to_vec(), ..Program::default() },
            pools: FxHashMap::default(),
            fixed: constants.iter().map(|(slot, _)| *slot).collect(),
            plain: FxHashSet::default(),
            known: FxHashSet::default(),
            seen: FxHashMap::default(),
            splits: 0,
        };
        compiler.declare(variables);
        let mut words = Words::new(Vec::new(), compiler.program.pools, 0, Vec::new(), Vec::new());
        for (slot, value) in constants {
            if words.word(compiler.program.sorts[*slot as usize], value).is_some() {
                compiler.plain.insert(*slot);
            }
        }
        compiler
    }

    /// What has been compiled.
    pub(super) fn finish(self) -> Program {
        self.program
    }

    /// Adds an operation whose rows read these variables.
    pub(super) fn operation(&mut self, plan: &Plan, reads: &[usize], arguments: &[&[Bound]]) {
        arguments.iter().for_each(|bound| self.declare(bound));
        self.begin(reads);
        let ways: Option<Vec<Way>> = plan
            .cases
            .iter()
            .map(|case| {
                let guards: Vec<&Expr> = case.guards.iter().collect();
                let finds = self.finds(&case.vars, &guards)?;
                let single = is_single(&case.body);
                Some(Way { finds, body: self.step(&case.body)?, single })
            })
            .collect();
        let code = ways.map(|ways| Code { ways, inputs: plan.inputs.clone(), outputs: plan.outputs.clone() });
        self.program.groups.push(code);
    }

    /// Adds a label.
    pub(super) fn label(&mut self, expr: &Expr) {
        self.begin(&expr.free.iter().map(|slot| *slot as usize).collect::<Vec<_>>());
        let node = self.predicate(expr);
        self.program.labels.push(node);
    }

    /// These variables have values.
    fn begin(&mut self, reads: &[usize]) {
        self.known = self.fixed.clone();
        self.known.extend(reads.iter().map(|slot| *slot as u32));
    }

    /// How values of a type are words.
    pub(super) fn sort(&mut self, ty: &Type) -> Sort {
        match ty {
            Type::Int => Sort::Int,
            Type::Bool | Type::Predicate => Sort::Bool,
            Type::Given(set) => Sort::Given(*set),
            _ => {
                let next = self.pools.len();
                let pool = *self.pools.entry(ty.clone()).or_insert(next);
                self.program.pools = self.pools.len();
                Sort::Pool(pool)
            }
        }
    }

    /// Variables have the sorts of their types.
    pub(super) fn declare(&mut self, bound: &[Bound]) {
        for var in bound {
            self.program.sorts[var.slot as usize] = self.sort(&var.ty);
        }
    }

    /// A slot for a value of a type.
    fn slot(&mut self, ty: &Type) -> u32 {
        let sort = self.sort(ty);
        self.program.sorts.push(sort);
        self.program.sorts.len() as u32 - 1
    }

    /// Has all that a formula reads a value?
    pub(super) fn reads_known(&self, expr: &Expr) -> bool {
        expr.free.iter().all(|slot| self.known.contains(slot))
    }

    /// The operands of an expression: slots whose values change.
    fn operands(&self, expr: &Expr) -> Vec<u32> {
        expr.free.iter().copied().filter(|slot| !self.fixed.contains(slot)).collect()
    }

    /// The code of a predicate.
    pub(super) fn predicate(&mut self, expr: &Expr) -> Option<Node> {
        let Kind::Op(op, parts) = &expr.kind else { return self.asked(expr, true) };
        let all = |compiler: &mut Self| parts.iter().map(|part| compiler.predicate(part)).collect::<Option<Vec<_>>>();
        match op {
            Op::And => Some(Node::And(all(self)?)),
            Op::Or => Some(Node::Or(all(self)?)),
            Op::Not => Some(Node::Not(Box::new(self.predicate(&parts[0])?))),
            Op::Implies => {
                let parts = [self.predicate(&parts[0])?, self.predicate(&parts[1])?, Node::Const(1)];
                Some(Node::If(Box::new(parts)))
            }
            Op::Iff => Some(Node::Equal(Box::new([self.predicate(&parts[0])?, self.predicate(&parts[1])?]))),
            Op::If => {
                let parts = [self.predicate(&parts[0])?, self.predicate(&parts[1])?, self.predicate(&parts[2])?];
                Some(Node::If(Box::new(parts)))
            }
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                Some(Node::Compare(*op, Box::new([self.value(&parts[0])?, self.value(&parts[1])?])))
            }
            Op::Equal | Op::Unequal => {
                let node = self.equal(expr, &parts[0], &parts[1])?;
                let whole = matches!(node, Node::Ask(..)) || *op == Op::Equal;
                Some(if whole { node } else { Node::Not(Box::new(node)) })
            }
            Op::In | Op::NotIn => match self.inside(&parts[0], &parts[1]) {
                Some(node) if *op == Op::In => Some(node),
                Some(node) => Some(Node::Not(Box::new(node))),
                None => self.asked(expr, true),
            },
            _ => self.asked(expr, true),
        }
    }

    /// The code of an equation, or of the inequality `whole` if it is asked for as it is.
    fn equal(&mut self, whole: &Expr, a: &Expr, b: &Expr) -> Option<Node> {
        let simple = |expr: &Expr| match &expr.kind {
            Kind::Slot(slot) => !self.fixed.contains(slot) || self.plain.contains(slot),
            Kind::Literal(_) => true,
            _ => expr.ty == Type::Int,
        };
        if !(simple(a) && simple(b)) && self.operands(whole).len() <= FEW {
            return self.asked(whole, true);
        }
        match (self.value(a), self.value(b)) {
            (Some(left), Some(right)) if self.sort(&a.ty) == self.sort(&b.ty) => {
                Some(Node::Equal(Box::new([left, right])))
            }
            _ => self.asked(whole, true),
        }
    }

    /// The code of a membership in what numbers alone tell.
    fn inside(&mut self, item: &Expr, set: &Expr) -> Option<Node> {
        if is_whole(set) && matches!(item.kind, Kind::Slot(slot) if self.known.contains(&slot)) {
            return Some(Node::Const(1));
        }
        let (low, high) = match &set.kind {
            Kind::Op(Op::Interval, ends) => (self.value(&ends[0])?, self.value(&ends[1])?),
            Kind::Carrier(carrier) => {
                let (low, high) = self.ends(*carrier)?;
                (Node::Const(low), Node::Const(high))
            }
            _ => return None,
        };
        Some(Node::Between(Box::new([self.value(item)?, low, high])))
    }

    /// The ends of a set of integers.
    pub(super) fn ends(&self, carrier: Carrier) -> Option<(i64, i64)> {
        match carrier {
            Carrier::Natural => Some((0, i64::MAX)),
            Carrier::Natural1 => Some((1, i64::MAX)),
            Carrier::Int => Some((self.context.minint, self.context.maxint)),
            Carrier::Nat => Some((0, self.context.maxint)),
            Carrier::Nat1 => Some((1, self.context.maxint)),
            _ => None,
        }
    }

    /// The code of an expression whose value a variable gets.
    pub(super) fn value_for(&mut self, slot: u32, expr: &Expr) -> Option<Node> {
        // Words of one sort mean nothing to another.
        let same = self.sort(&expr.ty) == self.program.sorts[slot as usize];
        if same { self.value(expr) } else { None }
    }

    /// The code of an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Option<Node> {
        match &expr.kind {
            Kind::Slot(slot) => {
                let read = if self.fixed.contains(slot) { &self.plain } else { &self.known };
                let read = read.contains(slot);
                (read && self.sort(&expr.ty) == self.program.sorts[*slot as usize]).then_some(Node::Slot(*slot))
            }
            Kind::Literal(Value::Int(n)) => (*n != UNSET).then_some(Node::Const(*n)),
            Kind::Literal(Value::Bool(b)) => Some(Node::Const(i64::from(*b))),
            Kind::Literal(Value::Element(_, n)) => Some(Node::Const(i64::from(*n))),
            Kind::Op(Op::MaxInt, _) => Some(Node::Const(self.context.maxint)),
            Kind::Op(Op::MinInt, _) => Some(Node::Const(self.context.minint)),
            Kind::Op(op @ (Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo | Op::Power), parts) => {
                Some(Node::Arithmetic(*op, Box::new([self.value(&parts[0])?, self.value(&parts[1])?])))
            }
            Kind::Op(Op::Negate, parts) => {
                Some(Node::Arithmetic(Op::Subtract, Box::new([Node::Const(0), self.value(&parts[0])?])))
            }
            Kind::Op(Op::ToBool, parts) => self.predicate(&parts[0]),
            Kind::Op(Op::If, parts) => {
                let parts = [self.predicate(&parts[0])?, self.value(&parts[1])?, self.value(&parts[2])?];
                Some(Node::If(Box::new(parts)))
            }
            _ => self.asked(expr, false),
        }
    }

    /// The code that asks the evaluator of formulas.
    fn asked(&mut self, expr: &Expr, predicate: bool) -> Option<Node> {
        if !self.reads_known(expr) {
            return None;
        }
        let mut expr = expr.clone();
        let mut cut = FxHashMap::default();
        if self.operands(&expr).len() > FEW {
            self.cut(&mut expr, &mut cut);
        }
        let operands = self.operands(&expr);
        if operands.len() > OPERANDS {
            return None;
        }
        let nodes = operands.iter().map(|slot| cut.remove(slot).unwrap_or(Node::Slot(*slot))).collect();
        let text = format!("{predicate} {:?} {:?}", expr.ty, expr.kind);
        if let Some(number) = self.seen.get(&text) {
            return Some(Node::Ask(*number, nodes));
        }
        let sort = if predicate { Sort::Bool } else { self.sort(&expr.ty) };
        let operands = operands.into_iter().map(|slot| (slot, self.program.sorts[slot as usize])).collect();
        let number = self.program.expressions.len();
        self.program.expressions.push(Asked { expr, operands, sort, predicate });
        self.seen.insert(text, number);
        Some(Node::Ask(number, nodes))
    }

    /// Replaces operands of operators by slots, and keeps their code.
    fn cut(&mut self, expr: &mut Expr, into: &mut FxHashMap<u32, Node>) {
        if matches!(expr.kind, Kind::Binder(..)) {
            return;
        }
        for part in expr.parts_mut() {
            if matches!(part.kind, Kind::Slot(_) | Kind::Literal(_) | Kind::Carrier(_)) {
                continue;
            }
            if is_listed(part)
                && !self.operands(part).is_empty()
                && let Some(node) = self.value(part)
            {
                let slot = self.slot(&part.ty);
                into.insert(slot, node);
                *part = Expr { kind: Kind::Slot(slot), free: [slot].into(), ..part.clone() };
            } else {
                self.cut(part, into);
            }
        }
        let mut free: Vec<u32> = expr.parts().iter().flat_map(|part| part.free.iter().copied()).collect();
        if matches!(expr.kind, Kind::Slot(_)) {
            return;
        }
        free.sort_unstable();
        free.dedup();
        expr.free = free.into();
    }

    /// The code of a substitution.
    fn step(&mut self, sub: &Sub) -> Option<Step> {
        match &sub.kind {
            SubKind::Skip => Some(Step::Assign(Vec::new())),
            SubKind::Assign(left, right) => {
                let updates =
                    left.iter().zip(right).map(|(target, value)| Some((target_slot(target)?, self.value(value)?)));
                Some(Step::Assign(updates.collect::<Option<_>>()?))
            }
            SubKind::BecomesIn(left, set) => {
                // One variable alone: what several would get is in pairs.
                let [target] = &left[..] else { return None };
                let target = target_slot(target)?;
                let sort = self.program.sorts[target as usize];
                self.program.sorts.push(sort);
                let slot = self.program.sorts.len() as u32 - 1;
                let find = self.elements(Op::In, Pattern::Leaf(slot, sort), vec![slot], set)?;
                let body = Step::Assign(vec![(target, Node::Slot(slot))]);
                Some(Step::Any(vec![find], Box::new(body)))
            }
            SubKind::BecomesSuch(left, bound, such) => {
                let finds = self.finds(bound, &[such])?;
                let updates = left
                    .iter()
                    .zip(bound)
                    .map(|(target, var)| Some((self.renamed(var.slot, target)?, Node::Slot(var.slot))));
                Some(Step::Any(finds, Box::new(Step::Assign(updates.collect::<Option<_>>()?))))
            }
            SubKind::Pre(guard, body) => Some(Step::First(vec![(self.predicate(guard)?, self.step(body)?)], None)),
            SubKind::Select(cases, other) => {
                let other = self.other(other.as_deref())?;
                let cases = self.cases(cases)?;
                Some(if cases.len() > 1 { Step::Each(cases, other) } else { Step::First(cases, other) })
            }
            SubKind::If(cases, other) => {
                let other = self.other(other.as_deref())?.unwrap_or_else(|| Box::new(Step::Assign(Vec::new())));
                Some(Step::First(self.cases(cases)?, Some(other)))
            }
            SubKind::Case(subject, cases, other) => {
                let other = self.other(other.as_deref())?.unwrap_or_else(|| Box::new(Step::Assign(Vec::new())));
                let mut all = Vec::new();
                for (values, body) in cases {
                    let mut equations = Vec::new();
                    for value in values {
                        equations.push(Node::Equal(Box::new([self.value(subject)?, self.value(value)?])));
                    }
                    all.push((Node::Or(equations), self.step(body)?));
                }
                Some(Step::First(all, Some(other)))
            }
            SubKind::Choice(parts) => Some(Step::Choice(self.steps(parts)?)),
            SubKind::Parallel(parts) => Some(Step::Parallel(self.steps(parts)?)),
            SubKind::Any(bound, guard, body) => {
                let finds = self.finds(bound, &[guard])?;
                Some(Step::Any(finds, Box::new(self.step(body)?)))
            }
            SubKind::Sequence(parts) => {
                // What is surely written has a value from there on.
                let before = self.known.clone();
                let mut steps = Vec::new();
                for part in parts {
                    steps.push(self.step(part)?);
                    self.known.extend(rows(part).must);
                }
                self.known = before;
                Some(Step::Sequence(steps))
            }
            SubKind::Var(bound, body) => {
                self.declare(bound);
                Some(Step::Local(bound.iter().map(|var| var.slot).collect(), Box::new(self.step(body)?)))
            }
            SubKind::Inline(inputs, values, body, outputs, targets) => {
                self.declare(inputs);
                self.declare(outputs);
                let given =
                    inputs.iter().zip(values).map(|(var, value)| Some((var.slot, self.value_for(var.slot, value)?)));
                let given = given.collect::<Option<_>>()?;
                self.known.extend(inputs.iter().map(|var| var.slot));
                let renamed = outputs.iter().zip(targets);
                let renamed = renamed.map(|(var, target)| Some((var.slot, self.renamed(var.slot, target)?)));
                let renamed = renamed.collect::<Option<_>>()?;
                Some(Step::Call(given, Box::new(self.step(body)?), renamed))
            }
            // Violations of ASSERT are errors; loops may run long.
            SubKind::Assert(..) | SubKind::While(..) | SubKind::Call(..) => None,
        }
    }

    /// The variable that gets the value of a slot.
    fn renamed(&self, slot: u32, target: &Expr) -> Option<u32> {
        let sorts = &self.program.sorts;
        target_slot(target).filter(|target| sorts[*target as usize] == sorts[slot as usize])
    }

    fn steps(&mut self, parts: &[Sub]) -> Option<Vec<Step>> {
        parts.iter().map(|part| self.step(part)).collect()
    }

    fn cases(&mut self, cases: &[(Expr, Sub)]) -> Option<Vec<(Node, Step)>> {
        cases.iter().map(|(guard, body)| Some((self.predicate(guard)?, self.step(body)?))).collect()
    }

    fn other(&mut self, other: Option<&Sub>) -> Option<Option<Box<Step>>> {
        match other {
            Some(other) => Some(Some(Box::new(self.step(other)?))),
            None => Some(None),
        }
    }
}

/// The slot of a variable that is assigned to.
fn target_slot(target: &Expr) -> Option<u32> {
    match target.kind {
        Kind::Slot(slot) => Some(slot),
        _ => None,
    }
}

/// Is an expression one whose value is listed where it is needed?
#[rustfmt::skip]
pub(super) fn is_listed(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Op(op, _) => matches!(
            op,
            Op::ToBool | Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo | Op::Power | Op::Negate
                | Op::Min | Op::Max | Op::Union | Op::Intersection | Op::Difference | Op::SetOf | Op::Card
                | Op::UnionAll | Op::InterAll | Op::Couple | Op::Domain | Op::Range | Op::Inverse | Op::Image
                | Op::DomainRestrict | Op::DomainSubtract | Op::RangeRestrict | Op::RangeSubtract | Op::Override
                | Op::Compose | Op::Closure1 | Op::Apply | Op::Sequence | Op::Concat | Op::Append | Op::Prepend
                | Op::Take | Op::Drop | Op::Size | Op::First | Op::Last | Op::Front | Op::Tail | Op::Reverse
        ),
        Kind::Record(_) | Kind::Field(..) | Kind::Update(..) => true,
        _ => false,
    }
}

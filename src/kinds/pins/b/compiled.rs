//! Compiled operations.
//!
//! The code of an operation ([`super::compile`] makes it) works on words ([`super::words`]): numbers, comparisons,
//! equality and the connectives are instructions of its own; anything else is an expression with a few words as its
//! operands, which the evaluator of formulas is asked for once for each combination of them. So there is one meaning of
//! the operators of B.
//!
//! The code has no errors. Where something has no value, a number is too large or a set is no listed one, it has no
//! answer, and the whole operation is executed on values instead ([`super::plan`]), which knows what that means. The
//! answer of the code is exactly that of the execution on values, in the same order.

use std::cmp::Ordering;

use smallvec::SmallVec;

use crate::budget::Budget;

use super::ast::{Expr, Op};
use super::context::{Context, Env};
use super::error::Pos;
use super::operators::arithmetic;
use super::values::Value;
use super::words::{Cache, Outcome, Pattern, Sort, UNSET, Updates, Word, Words};

/// The most operands of an expression.
pub(super) const OPERANDS: usize = 8;

/// More elements of a set, or candidates in all, than are tried one by one: the solver may know better.
const ELEMENTS: usize = 1 << 12;
const CANDIDATES: u32 = 1 << 16;

/// Work between two looks at the time.
const LOOK: u32 = 1 << 10;

/// An expression or a predicate (0 or 1).
#[derive(Debug)]
pub(super) enum Node {
    Const(Word),
    Slot(u32),
    /// Plus, minus and so on.
    Arithmetic(Op, Box<[Node; 2]>),
    /// Is one number less than the other, and so on?
    Compare(Op, Box<[Node; 2]>),
    /// Is a number between two others?
    Between(Box<[Node; 3]>),
    Equal(Box<[Node; 2]>),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    If(Box<[Node; 3]>),
    /// What an expression is worth for these operands: its number in [`Program::expressions`].
    Ask(usize, Vec<Node>),
}

/// An expression that the evaluator of formulas is asked for.
#[derive(Debug)]
pub(super) struct Asked {
    /// The expression. Its operands are in slots.
    pub expr: Expr,
    /// Slots of the operands, and their sorts.
    pub operands: Vec<(u32, Sort)>,
    /// The sort of its value; of a predicate BOOL.
    pub sort: Sort,
    /// Is it a predicate?
    pub predicate: bool,
}

/// A step of a search for values of variables.
#[derive(Debug)]
pub(super) enum Find {
    /// A condition.
    Test(Node),
    /// The only value of a variable.
    Is(u32, Node),
    /// One of some values of a variable.
    OneOf(u32, Vec<Node>),
    /// The numbers from the first to the second.
    Range(u32, Node, Node),
    /// The elements of a set: a pool, and a pattern, some of whose variables may have values already.
    In { set: Node, pool: usize, pattern: Pattern, bound: Vec<u32>, source: usize },
    /// Each of some ways to go on.
    Either(Vec<Vec<Find>>),
    /// One way to go on, or another one.
    If(Node, Vec<Find>, Vec<Find>),
    /// For the solver.
    Unknown,
}

/// A substitution.
#[derive(Debug)]
pub(super) enum Step {
    Assign(Vec<(u32, Node)>),
    /// The first case whose condition holds, or else another.
    First(Vec<(Node, Step)>, Option<Box<Step>>),
    /// Each case whose condition holds, or else another.
    Each(Vec<(Node, Step)>, Option<Box<Step>>),
    Choice(Vec<Step>),
    Parallel(Vec<Step>),
    Sequence(Vec<Step>),
    Any(Vec<Find>, Box<Step>),
    /// With local variables.
    Local(Vec<u32>, Box<Step>),
    /// A call: inputs and their values, the body, and where outputs go.
    Call(Vec<(u32, Node)>, Box<Step>, Vec<(u32, u32)>),
}

/// A way to a substitution.
#[derive(Debug)]
pub(super) struct Way {
    pub finds: Vec<Find>,
    pub body: Step,
    /// Has the body one result at most?
    pub single: bool,
}

/// An operation.
#[derive(Debug)]
pub(super) struct Code {
    pub ways: Vec<Way>,
    pub inputs: Vec<u32>,
    pub outputs: Vec<u32>,
}

/// The operations and labels of a machine, as far as they can be compiled.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub groups: Vec<Option<Code>>,
    pub labels: Vec<Option<Node>>,
    pub expressions: Vec<Asked>,
    /// The sort of each slot.
    pub sorts: Vec<Sort>,
    /// Slots whose values never change.
    pub fixed: Vec<(u32, Value)>,
    pub pools: usize,
    pub sources: usize,
}

/// Updates of the first, and those of the second, which win.
fn after(first: &Updates, second: &Updates) -> Updates {
    let mut all = first.clone();
    for &(slot, word) in second {
        match all.iter_mut().find(|(other, _)| *other == slot) {
            Some(update) => update.1 = word,
            None => all.push((slot, word)),
        }
    }
    all.sort_unstable();
    all
}

/// Do two lists update a variable both?
fn clash(first: &[(u32, Word)], second: &[(u32, Word)]) -> bool {
    second.iter().any(|(slot, _)| first.iter().any(|(other, _)| slot == other))
}

impl Program {
    /// Has a slot one value for ever?
    pub(super) fn is_fixed(&self, slot: usize) -> bool {
        // Constants come first, and all of them are fixed or none.
        slot < self.fixed.len()
    }

    /// The words of a thread for it.
    pub(super) fn words(&self) -> Words {
        let answers = self.expressions.iter().map(|asked| Cache::new(asked.operands.len())).collect();
        let arguments = |code: &Option<Code>| code.as_ref().map_or(0, |code| code.inputs.len() + code.outputs.len());
        let actions = self.groups.iter().map(|code| Cache::new(arguments(code))).collect();
        let values = vec![Value::Undefined; self.sorts.len()];
        let mut words = Words::new(values, self.pools, self.sources, answers, actions);
        for (slot, value) in &self.fixed {
            words.values[*slot as usize] = value.clone();
            // What has no word is not read as one.
            words.slots[*slot as usize] = words.word(self.sorts[*slot as usize], value).unwrap_or(UNSET);
        }
        words
    }
}

/// An execution.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub program: &'a Program,
    pub context: &'a Context,
    pub budget: &'a Budget,
}

/// A receiver of words.
type Each<'f> = &'f mut dyn FnMut(&mut Words) -> Option<()>;

impl Run<'_> {
    /// The value of a node.
    pub(super) fn eval(&self, node: &Node, words: &mut Words) -> Option<Word> {
        match node {
            Node::Const(word) => Some(*word),
            Node::Slot(slot) => Some(words.slots[*slot as usize]).filter(|word| *word != UNSET),
            Node::Arithmetic(op, sides) => {
                let (a, b) = (self.eval(&sides[0], words)?, self.eval(&sides[1], words)?);
                let result = match op {
                    Op::Add => a.checked_add(b),
                    Op::Subtract => a.checked_sub(b),
                    _ => arithmetic(*op, a, b, Pos::default()).ok(),
                };
                result.filter(|word| *word != UNSET)
            }
            Node::Compare(op, sides) => {
                let (a, b) = (self.eval(&sides[0], words)?, self.eval(&sides[1], words)?);
                Some(Word::from(match op {
                    Op::Less => a < b,
                    Op::LessEqual => a <= b,
                    Op::Greater => a > b,
                    _ => a >= b,
                }))
            }
            Node::Between(parts) => {
                let (low, high) = (self.eval(&parts[1], words)?, self.eval(&parts[2], words)?);
                let number = self.eval(&parts[0], words)?;
                Some(Word::from(low <= number && number <= high))
            }
            Node::Equal(sides) => Some(Word::from(self.eval(&sides[0], words)? == self.eval(&sides[1], words)?)),
            Node::Not(inner) => Some(1 - self.eval(inner, words)?),
            Node::And(parts) => {
                for part in parts {
                    if self.eval(part, words)? == 0 {
                        return Some(0);
                    }
                }
                Some(1)
            }
            Node::Or(parts) => {
                for part in parts {
                    if self.eval(part, words)? != 0 {
                        return Some(1);
                    }
                }
                Some(0)
            }
            Node::If(parts) => {
                let branch = if self.eval(&parts[0], words)? != 0 { 1 } else { 2 };
                self.eval(&parts[branch], words)
            }
            Node::Ask(number, operands) => {
                let mut key = [0; OPERANDS];
                for (place, operand) in key.iter_mut().zip(operands) {
                    *place = self.eval(operand, words)?;
                }
                let key = &key[..operands.len()];
                match words.answers[*number].get(key) {
                    Some(word) => Some(word),
                    None => self.ask(*number, key, words),
                }
            }
        }
    }

    /// Asks the evaluator of formulas, and keeps the answer.
    #[cold]
    fn ask(&self, number: usize, key: &[Word], words: &mut Words) -> Option<Word> {
        let asked = &self.program.expressions[number];
        let mut env = Env::of(std::mem::take(&mut words.values), self.budget);
        for ((slot, sort), word) in asked.operands.iter().zip(key) {
            env.slots[*slot as usize] = words.value(*sort, *word);
        }
        let value = match asked.predicate {
            true => self.context.holds(&asked.expr, &mut env).map(Value::Bool),
            false => self.context.value(&asked.expr, &mut env),
        };
        for (slot, _) in &asked.operands {
            env.slots[*slot as usize] = Value::Undefined;
        }
        // What would be a warning is for the execution on values.
        let plain = env.unbounded.is_none() && !env.applied && env.dropped.is_none();
        words.values = env.slots;
        let word = words.word(asked.sort, &value.ok().filter(|_| plain)?)?;
        words.answers[number].put(key, word);
        Some(word)
    }

    /// Does a condition hold?
    fn holds(&self, node: &Node, words: &mut Words) -> Option<bool> {
        Some(self.eval(node, words)? != 0)
    }

    /// Notes some work; no answer where the time is over or the work is better left to the solver.
    fn spend(&self, words: &mut Words) -> Option<()> {
        words.work += 1;
        if words.work > CANDIDATES || (words.work.is_multiple_of(LOOK) && self.budget.check().is_err()) {
            None
        } else {
            Some(())
        }
    }

    /// All values of some variables.
    fn find(&self, finds: &[Find], words: &mut Words, each: Each<'_>) -> Option<()> {
        let Some((first, rest)) = finds.split_first() else { return each(words) };
        match first {
            Find::Test(node) => match self.holds(node, words)? {
                true => self.find(rest, words, each),
                false => Some(()),
            },
            Find::Either(ways) => {
                for way in ways {
                    self.find(way, words, each)?;
                }
                Some(())
            }
            Find::If(condition, yes, no) => {
                let way = if self.holds(condition, words)? { yes } else { no };
                self.find(way, words, each)
            }
            Find::Unknown => None,
            Find::Is(slot, node) => {
                words.slots[*slot as usize] = self.eval(node, words)?;
                self.find(rest, words, each)
            }
            Find::OneOf(slot, nodes) => {
                let mut seen = SmallVec::<[Word; 8]>::new();
                for node in nodes {
                    self.spend(words)?;
                    let word = self.eval(node, words)?;
                    if !seen.contains(&word) {
                        seen.push(word);
                        words.slots[*slot as usize] = word;
                        self.find(rest, words, each)?;
                    }
                }
                Some(())
            }
            Find::Range(slot, low, high) => {
                let (low, high) = (self.eval(low, words)?, self.eval(high, words)?);
                for word in low..=high {
                    self.spend(words)?;
                    words.slots[*slot as usize] = word;
                    self.find(rest, words, each)?;
                }
                Some(())
            }
            Find::In { set, pool, pattern, bound, source } => {
                let set = self.eval(set, words)?;
                let items = words.items(*source, *pool, set, pattern, ELEMENTS)?;
                let mut width = 0;
                count(pattern, &mut width);
                for item in items.chunks_exact(width) {
                    self.spend(words)?;
                    if fits(pattern, bound, &mut &item[..], words) {
                        self.find(rest, words, each)?;
                    }
                }
                Some(())
            }
        }
    }

    /// Executes a substitution that has one result at most: adds its updates, and tells whether it is feasible.
    fn single(&self, step: &Step, words: &mut Words, into: &mut Updates) -> Option<bool> {
        match step {
            Step::Assign(updates) => {
                let start = into.len();
                for (slot, node) in updates {
                    let word = self.eval(node, words)?;
                    if into[start..].iter().any(|(other, _)| other == slot) {
                        return None;
                    }
                    into.push((*slot, word));
                }
                Some(true)
            }
            Step::First(cases, other) => {
                for (condition, body) in cases {
                    if self.holds(condition, words)? {
                        return self.single(body, words, into);
                    }
                }
                other.as_ref().map_or(Some(false), |other| self.single(other, words, into))
            }
            Step::Parallel(parts) => {
                // What is not feasible may still be without a value.
                let (start, mut feasible) = (into.len(), true);
                for part in parts {
                    let middle = into.len();
                    feasible &= self.single(part, words, into)?;
                    let (first, second) = into[start..].split_at(middle - start);
                    if clash(first, second) {
                        return None;
                    }
                }
                Some(feasible)
            }
            _ => None,
        }
    }

    /// Executes a substitution.
    fn execute(&self, step: &Step, words: &mut Words) -> Option<Vec<Updates>> {
        match step {
            Step::Assign(_) => {
                let mut updates = Updates::new();
                self.single(step, words, &mut updates)?;
                Some(vec![updates])
            }
            Step::First(cases, other) => {
                for (condition, body) in cases {
                    if self.holds(condition, words)? {
                        return self.execute(body, words);
                    }
                }
                other.as_ref().map_or_else(|| Some(Vec::new()), |other| self.execute(other, words))
            }
            Step::Each(cases, other) => {
                let (mut results, mut any) = (Vec::new(), false);
                for (condition, body) in cases {
                    if self.holds(condition, words)? {
                        any = true;
                        results.extend(self.execute(body, words)?);
                    }
                }
                match other {
                    Some(other) if !any => self.execute(other, words),
                    _ => Some(results),
                }
            }
            Step::Choice(parts) => {
                let mut results = Vec::new();
                for part in parts {
                    results.extend(self.execute(part, words)?);
                }
                Some(results)
            }
            Step::Any(finds, body) => {
                let mut results = Vec::new();
                self.find(finds, words, &mut |words| {
                    results.extend(self.execute(body, words)?);
                    Some(())
                })?;
                Some(results)
            }
            Step::Parallel(parts) => {
                let mut all = vec![Updates::new()];
                for part in parts {
                    let side = self.execute(part, words)?;
                    let mut next = Vec::with_capacity(all.len() * side.len());
                    for first in &all {
                        for second in &side {
                            if clash(first, second) {
                                return None;
                            }
                            next.push(first.iter().chain(second).copied().collect());
                        }
                    }
                    all = next;
                }
                Some(all)
            }
            Step::Sequence(parts) => {
                let mut all = vec![Updates::new()];
                for part in parts {
                    let mut next: Vec<Updates> = Vec::new();
                    for first in &all {
                        self.spend(words)?;
                        next.extend(self.with(first, part, words)?.iter().map(|second| after(first, second)));
                    }
                    next.sort_unstable();
                    next.dedup();
                    all = next;
                }
                Some(all)
            }
            Step::Local(slots, body) => {
                let cleared: Updates = slots.iter().map(|slot| (*slot, UNSET)).collect();
                let mut results = self.with(&cleared, body, words)?;
                for updates in &mut results {
                    updates.retain(|(slot, _)| !slots.contains(slot));
                }
                Some(results)
            }
            Step::Call(inputs, body, outputs) => {
                let mut given: Updates = outputs.iter().map(|(slot, _)| (*slot, UNSET)).collect();
                for (slot, node) in inputs {
                    given.push((*slot, self.eval(node, words)?));
                }
                let mut results = self.with(&given, body, words)?;
                for updates in &mut results {
                    for at in 0..updates.len() {
                        if let Some((_, target)) = outputs.iter().find(|(slot, _)| *slot == updates[at].0) {
                            updates[at].0 = *target;
                        }
                        if clash(&updates[..at], &updates[at..=at]) {
                            return None;
                        }
                    }
                }
                Some(results)
            }
        }
    }

    /// Executes a substitution where some updates have been made.
    fn with(&self, updates: &Updates, step: &Step, words: &mut Words) -> Option<Vec<Updates>> {
        let mut swap = |(slot, word): &(u32, Word)| std::mem::replace(&mut words.slots[*slot as usize], *word);
        let saved: SmallVec<[Word; 4]> = updates.iter().map(&mut swap).collect();
        let results = self.execute(step, words);
        for ((slot, _), word) in updates.iter().zip(saved) {
            words.slots[*slot as usize] = word;
        }
        results
    }

    /// All ways in which an operation can happen, in the order of their values; none if that is for the execution on
    /// values to say.
    pub(super) fn outcomes(&self, code: &Code, words: &mut Words, found: &mut Vec<Outcome>) -> Option<()> {
        words.work = 0;
        for way in &code.ways {
            self.find(&way.finds, words, &mut |words| {
                let inputs: SmallVec<[Word; 4]> = code.inputs.iter().map(|slot| words.slots[*slot as usize]).collect();
                let mut happens = |mut updates: Updates| {
                    let mut arguments = inputs.clone();
                    for slot in &code.outputs {
                        let at = updates.iter().position(|(other, _)| other == slot);
                        arguments.push(at.map_or(UNSET, |at| updates.remove(at).1));
                    }
                    updates.sort_unstable_by_key(|(slot, _)| *slot);
                    found.push(Outcome { arguments, updates });
                };
                if way.single {
                    let mut updates = Updates::new();
                    if self.single(&way.body, words, &mut updates)? {
                        happens(updates);
                    }
                } else {
                    self.execute(&way.body, words)?.into_iter().for_each(happens);
                }
                Some(())
            })?;
        }
        if found.len() > 1 {
            found.sort_by(|a, b| self.compare(code, a, b, words));
            found.dedup();
        }
        Some(())
    }

    /// Outcomes in the order of their values.
    fn compare(&self, code: &Code, a: &Outcome, b: &Outcome, words: &Words) -> Ordering {
        let sorts = &self.program.sorts;
        let compare = |slot: u32, a: Word, b: Word| words.compare(sorts[slot as usize], a, b);
        for ((slot, a), b) in code.inputs.iter().chain(&code.outputs).zip(&a.arguments).zip(&b.arguments) {
            let order = compare(*slot, *a, *b);
            if order.is_ne() {
                return order;
            }
        }
        for ((slot, a), (other, b)) in a.updates.iter().zip(&b.updates) {
            let order = slot.cmp(other).then_with(|| compare(*slot, *a, *b));
            if order.is_ne() {
                return order;
            }
        }
        a.updates.len().cmp(&b.updates.len())
    }
}

/// The number of variables of a pattern.
fn count(pattern: &Pattern, into: &mut usize) {
    match pattern {
        Pattern::Leaf(..) => *into += 1,
        Pattern::Pair(parts) => parts.iter().for_each(|part| count(part, into)),
    }
}

/// Gives the variables of a pattern their words; those that have a value already must have the same.
fn fits(pattern: &Pattern, bound: &[u32], item: &mut &[Word], words: &mut Words) -> bool {
    match pattern {
        Pattern::Leaf(slot, _) => {
            let Some((word, rest)) = item.split_first() else { return false };
            *item = rest;
            let place = &mut words.slots[*slot as usize];
            if bound.contains(slot) {
                return place == word;
            }
            *place = *word;
            true
        }
        Pattern::Pair(parts) => parts.iter().all(|part| fits(part, bound, item, words)),
    }
}

//! The values of terms, as far as they are known.
//!
//! Variables may have a value or none yet. A term has a value if those that it has do not depend on the others: false
//! for a conjunction with one false part, though the rest is unknown, or a fault. So a fault counts where guards let it
//! through only, as where a program is compiled to decision diagrams.
//!
//! Integers have 32 bits and wrap; division truncates. Words are their bits.

use crate::lexer::signed;
use crate::model::Model;
use crate::term::{Lack, Node, Op, Term, Terms, Type, Value};
use std::collections::HashMap;

/// Why a term has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure(pub String);

/// Greatest number of values of a range that are listed.
const WIDEST: i64 = 1 << 22;

/// The value of a term: none if it is not known yet.
pub(crate) type Found<T> = Result<Option<T>, Failure>;

/// Evaluates terms of a model.
#[derive(Debug)]
pub struct Evaluator<'m> {
    terms: &'m Terms,
    /// The current values, and the next ones, by variable.
    pub(crate) current: Vec<Option<Value>>,
    pub(crate) next: Vec<Option<Value>>,
    /// Values that were found, by term, since the last change of a variable.
    known: Vec<(u64, Option<Value>)>,
    round: u64,
    /// The variables of terms that were asked for.
    supports: HashMap<Term, Vec<(usize, bool)>>,
}

/// The room of an evaluator, kept from one use to the next.
#[derive(Clone, Default, Debug)]
pub struct Memory {
    current: Vec<Option<Value>>,
    next: Vec<Option<Value>>,
    known: Vec<(u64, Option<Value>)>,
    round: u64,
    supports: HashMap<Term, Vec<(usize, bool)>>,
}

impl<'m> Evaluator<'m> {
    /// An evaluator to which no variable is known.
    pub fn new(model: &'m Model) -> Self {
        Evaluator::resumed(model, Memory::default())
    }

    /// An evaluator to which no variable is known, with the room of an earlier one.
    pub(crate) fn resumed(model: &'m Model, memory: Memory) -> Self {
        let Memory { mut current, mut next, mut known, round, supports } = memory;
        for values in [&mut current, &mut next] {
            values.clear();
            values.resize(model.variables.len(), None);
        }
        known.resize(model.terms.len(), (0, None));
        Evaluator { terms: &model.terms, current, next, known, round: round + 1, supports }
    }

    /// The room of this evaluator, for the next one of the same model.
    pub(crate) fn into_memory(self) -> Memory {
        let Evaluator { current, next, known, round, supports, .. } = self;
        Memory { current, next, known, round, supports }
    }

    /// The variables in a term, with `true` for next values.
    pub(crate) fn support(&mut self, term: Term) -> &[(usize, bool)] {
        let terms = self.terms;
        self.supports.entry(term).or_insert_with(|| terms.variables(term))
    }

    /// Give a variable a value, or take it back.
    pub fn set(&mut self, variable: usize, next: bool, value: Option<Value>) {
        let values = if next { &mut self.next } else { &mut self.current };
        values[variable] = value;
        self.round += 1;
    }

    /// The value of a term without variables.
    pub(crate) fn constant(&mut self, term: Term) -> Option<Value> {
        self.value(term).ok().flatten()
    }

    /// The value of a term that is no set.
    pub(crate) fn value(&mut self, term: Term) -> Found<Value> {
        let at = term.0 as usize;
        if self.known[at].0 == self.round {
            return Ok(self.known[at].1);
        }
        let value = self.computed(term)?;
        self.known[at] = (self.round, value);
        Ok(value)
    }

    /// Is a condition true? None if that is not known.
    ///
    /// # Errors
    /// [`Failure`] where its value is a fault.
    pub fn holds(&mut self, term: Term) -> Result<Option<bool>, Failure> {
        Ok(self.value(term)?.map(|value| value == Value::Bool(true)))
    }

    fn computed(&mut self, term: Term) -> Found<Value> {
        let terms = self.terms;
        match terms.node(term) {
            Node::Const(value) => Ok(Some(*value)),
            &Node::Variable { variable, next } => Ok(if next { self.next[variable] } else { self.current[variable] }),
            Node::Lack(Lack::Case, place) => {
                Err(Failure(format!("no guard of the `case` in line {} holds", place.line)))
            }
            Node::Lack(Lack::Index, place) => {
                Err(Failure(format!("the index in line {} is outside of its array", place.line)))
            }
            Node::If(..) => self.chosen(term),
            Node::Set(_) | Node::Range(..) => Ok(self.choices(term)?.filter(|all| all.len() == 1).map(|all| all[0])),
            &Node::Member(left, right) => {
                let (Some(left), Some(right)) = (self.choices(left)?, self.choices(right)?) else { return Ok(None) };
                Ok(Some(Value::Bool(left.iter().all(|value| right.contains(value)))))
            }
            Node::Apply(op @ (Op::And | Op::Or), _) if terms.kind(term) == Type::Bool => self.junction(*op, term),
            Node::Apply(op, operands) => {
                let mut values = Vec::with_capacity(operands.len());
                for &operand in operands {
                    match self.value(operand)? {
                        Some(value) => values.push(value),
                        None => return Ok(None),
                    }
                }
                let from = operands.first().map_or(Type::Bool, |&operand| terms.kind(operand));
                let second = operands.get(1).map_or(Type::Bool, |&operand| terms.kind(operand));
                apply(*op, &values, from, second, terms.kind(term)).map(Some)
            }
            Node::Temporal(..) => Err(Failure("a temporal formula has no value in a state".to_owned())),
        }
    }

    /// The value of a chain of choices, as long as a `case` is.
    fn chosen(&mut self, mut term: Term) -> Found<Value> {
        let terms = self.terms;
        // What all branches passed so far are, whose guards are not known.
        let mut common: Option<Value> = None;
        while let &Node::If(condition, yes, no) = terms.node(term) {
            match (self.holds(condition), common) {
                (Ok(Some(true)), _) => term = yes,
                (Ok(Some(false)), _) => term = no,
                (Err(failure), None) => return Err(failure),
                (Err(_), Some(_)) => return Ok(None),
                (Ok(None), _) => match self.value(yes) {
                    Ok(Some(value)) if common.is_none_or(|common| common == value) => {
                        common = Some(value);
                        term = no;
                    }
                    _ => return Ok(None),
                },
            }
        }
        match common {
            None => self.value(term),
            Some(common) => Ok(self.value(term).ok().flatten().filter(|&value| value == common)),
        }
    }

    /// The value of a conjunction or disjunction, whose first operand may be one, and so on.
    fn junction(&mut self, op: Op, term: Term) -> Found<Value> {
        let terms = self.terms;
        let mut spine = vec![term];
        loop {
            let at = spine[spine.len() - 1];
            let Node::Apply(_, operands) = terms.node(at) else { break };
            let first = operands[0];
            let is_known = self.known[first.0 as usize].0 == self.round;
            match terms.node(first) {
                Node::Apply(inner, _) if *inner == op && terms.kind(first) == Type::Bool && !is_known => {
                    spine.push(first)
                }
                _ => break,
            }
        }
        let mut below: Option<Found<Value>> = None;
        for &at in spine.iter().rev() {
            let Node::Apply(_, operands) = terms.node(at) else { continue };
            let found = self.joined(op, below.take(), operands);
            if let Ok(value) = found {
                self.known[at.0 as usize] = (self.round, value);
            }
            below = Some(found);
        }
        below.unwrap_or(Ok(None))
    }

    /// The value of one conjunction or disjunction; that of its first operand may be found already.
    fn joined(&mut self, op: Op, first: Option<Found<Value>>, operands: &[Term]) -> Found<Value> {
        let stop = Value::Bool(op == Op::Or);
        let (mut failure, mut unknown) = (None, false);
        let mut first = first;
        for &operand in operands {
            let found = first.take().unwrap_or_else(|| self.value(operand));
            match found {
                Ok(Some(value)) if value == stop => return Ok(Some(stop)),
                Ok(Some(_)) => {}
                Ok(None) => unknown = true,
                Err(found) => failure = Some(found),
            }
        }
        // What is unknown may still be a guard.
        match failure {
            Some(failure) if !unknown => Err(failure),
            None if !unknown => Ok(Some(Value::Bool(op == Op::And))),
            _ => Ok(None),
        }
    }

    /// The values that a term stands for, without repetition.
    pub(crate) fn choices(&mut self, mut term: Term) -> Found<Vec<Value>> {
        let terms = self.terms;
        while let (true, &Node::If(condition, yes, no)) = (terms.is_set(term), terms.node(term)) {
            match self.holds(condition)? {
                Some(true) => term = yes,
                Some(false) => term = no,
                None => return Ok(None),
            }
        }
        match terms.node(term) {
            _ if !terms.is_set(term) => Ok(self.value(term)?.map(|value| vec![value])),
            Node::Set(members) => {
                let mut all = Vec::new();
                for &member in members {
                    let Some(values) = self.choices(member)? else { return Ok(None) };
                    for value in values {
                        if !all.contains(&value) {
                            all.push(value);
                        }
                    }
                }
                Ok(Some(all))
            }
            &Node::Range(low, high) if high - low >= WIDEST => {
                Err(Failure(format!("the range {low}..{high} has too many values to list them")))
            }
            &Node::Range(low, high) => Ok(Some((low..=high).map(Value::Int).collect())),
            _ => Ok(self.value(term)?.map(|value| vec![value])),
        }
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

pub(crate) fn apply(op: Op, values: &[Value], from: Type, second: Type, to: Type) -> Result<Value, Failure> {
    use Value::{Bool, Int, Word};
    let by_zero = || Err(Failure("a division by zero".to_owned()));
    match (op, values) {
        (Op::Not, [Bool(a)]) => Ok(Bool(!a)),
        (Op::Xor, [Bool(a), Bool(b)]) => Ok(Bool(a != b)),
        (Op::Iff | Op::Eq, [a, b]) => Ok(Bool(a == b)),
        (Op::Count, _) => Ok(Int(values.iter().filter(|&&value| value == Bool(true)).count() as i64)),
        (Op::ToInt, [Bool(a)]) => Ok(Int(i64::from(*a))),
        (Op::ToWord, [Bool(a)]) => Ok(Word(u64::from(*a))),
        (Op::ToBool, [Int(a)]) => Ok(Bool(*a != 0)),
        (Op::ToBool, [Word(a)]) => Ok(Bool(*a != 0)),
        (Op::FromInt, [Int(a)]) => match to {
            Type::Word { width, .. } => Ok(Word(*a as u64 & mask(width))),
            _ => Err(Failure("a number becomes no word".to_owned())),
        },
        (Op::Lt, [Int(a), Int(b)]) => Ok(Bool(a < b)),
        (Op::Le, [Int(a), Int(b)]) => Ok(Bool(a <= b)),
        (Op::Neg, [Int(a)]) => Ok(wrapped(-a)),
        (Op::Abs, [Int(a)]) => Ok(wrapped(a.abs())),
        (Op::Add, [Int(a), Int(b)]) => Ok(wrapped(a + b)),
        (Op::Sub, [Int(a), Int(b)]) => Ok(wrapped(a - b)),
        (Op::Mul, [Int(a), Int(b)]) => Ok(wrapped(a.wrapping_mul(*b))),
        (Op::Div | Op::Mod, [Int(_), Int(0)]) => by_zero(),
        (Op::Div, [Int(a), Int(b)]) => Ok(wrapped(a / b)),
        (Op::Mod, [Int(a), Int(b)]) => Ok(wrapped(a % b)),
        (Op::Min, [Int(a), Int(b)]) => Ok(Int(*a.min(b))),
        (Op::Max, [Int(a), Int(b)]) => Ok(Int(*a.max(b))),
        _ => match from {
            Type::Word { width, signed } => words(op, values, (width, signed), second, to),
            _ => Err(Failure("an operator without a value for these operands".to_owned())),
        },
    }
}

fn wrapped(value: i64) -> Value {
    Value::Int(i64::from(value as i32))
}

fn words(op: Op, values: &[Value], (width, is_signed): (u32, bool), second: Type, to: Type) -> Result<Value, Failure> {
    use Value::{Bool, Int, Word};
    let number = |bits: u64| if is_signed { i128::from(signed(bits, width)) } else { i128::from(bits) };
    let cut = |value: i128| Word(value as u64 & mask(width));
    let target = match to {
        Type::Word { width, .. } => width,
        _ => width,
    };
    match (op, values) {
        (Op::Not, [Word(a)]) => Ok(Word(!a & mask(width))),
        (Op::And, [Word(a), Word(b)]) => Ok(Word(a & b)),
        (Op::Or, [Word(a), Word(b)]) => Ok(Word(a | b)),
        (Op::Xor, [Word(a), Word(b)]) => Ok(Word(a ^ b)),
        (Op::Lt, [Word(a), Word(b)]) => Ok(Bool(number(*a) < number(*b))),
        (Op::Le, [Word(a), Word(b)]) => Ok(Bool(number(*a) <= number(*b))),
        (Op::Neg, [Word(a)]) => Ok(cut(-number(*a))),
        (Op::Abs, [Word(a)]) => Ok(cut(number(*a).abs())),
        (Op::Add, [Word(a), Word(b)]) => Ok(cut(number(*a) + number(*b))),
        (Op::Sub, [Word(a), Word(b)]) => Ok(cut(number(*a) - number(*b))),
        (Op::Mul, [Word(a), Word(b)]) => Ok(cut(number(*a).wrapping_mul(number(*b)))),
        (Op::Div | Op::Mod, [Word(_), Word(0)]) => Err(Failure("a division by zero".to_owned())),
        (Op::Div, [Word(a), Word(b)]) => Ok(cut(number(*a) / number(*b))),
        (Op::Mod, [Word(a), Word(b)]) => Ok(cut(number(*a) % number(*b))),
        (Op::Min, [Word(a), Word(b)]) => Ok(if number(*a) <= number(*b) { Word(*a) } else { Word(*b) }),
        (Op::Max, [Word(a), Word(b)]) => Ok(if number(*a) >= number(*b) { Word(*a) } else { Word(*b) }),
        (Op::ShiftLeft | Op::ShiftRight, [Word(_), Int(by)]) if *by < 0 || *by > i64::from(width) => {
            Err(Failure(format!("a word of {width} bits is shifted by {by}")))
        }
        (Op::ShiftLeft, [Word(a), Int(by)]) => Ok(Word((u128::from(*a) << by) as u64 & mask(width))),
        (Op::ShiftRight, [Word(a), Int(by)]) => Ok(cut(number(*a) >> by)),
        (Op::Concat, [Word(a), Word(b)]) => match second {
            Type::Word { width: low, .. } => Ok(Word((u128::from(*a) << low) as u64 | b)),
            _ => Err(Failure("a word is put together with something else".to_owned())),
        },
        (Op::Bits(high, low), [Word(a)]) => Ok(Word((a >> low) & mask(high - low + 1))),
        (Op::Extend, [Word(a)]) => Ok(Word(number(*a) as u64 & mask(target))),
        (Op::Resize, [Word(a)]) if is_signed && target < width => {
            // The sign, and the low bits beside it.
            let sign = (a >> (width - 1)) & 1;
            Ok(Word((a & (mask(target) >> 1)) | (sign << (target - 1))))
        }
        (Op::Resize, [Word(a)]) => Ok(Word(number(*a) as u64 & mask(target))),
        (Op::Cast, [Word(a)]) => Ok(Word(*a)),
        (Op::ToInt, [Word(a)]) => Ok(wrapped(number(*a) as i64)),
        _ => Err(Failure("an operator without a value for these words".to_owned())),
    }
}

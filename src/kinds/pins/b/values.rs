//! Values: canonical, ordered, cheap to copy.
//!
//! A set is a sorted slice without repetitions, a relation a set of pairs (so that the image of an element is a
//! contiguous run, found by bisection), a sequence a relation on 1..n. Equal values have equal structure; comparing
//! stops at shared parts. Where states are stored, [`Table`] gives each value of a type a number.
//!
//! A set that is infinite, or too large to be listed, is a [`Symbolic`] value: the formula with what its free
//! variables stood for. Symbolic values can be asked for members and applied, and are equal if their texts are.

use std::sync::RwLock;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

pub(super) use super::expr::{Symbolic, Value};
use super::types::Type;

/// The pairs of a relation whose left side is this one.
pub(super) fn run<'a>(relation: &'a [Value], left: &Value) -> &'a [Value] {
    let start = relation.partition_point(|pair| pair.sides().0 < left);
    let rest = &relation[start..];
    let length = if rest.len() < 8 {
        rest.iter().take_while(|pair| pair.sides().0 == left).count()
    } else {
        rest.partition_point(|pair| pair.sides().0 <= left)
    };
    &rest[..length]
}

/// The values of a record.
pub(super) fn record_values(value: &Value) -> Option<&Vec<Value>> {
    match value {
        Value::Record(values) => Some(values),
        _ => None,
    }
}

/// How values look.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// Of given sets.
    pub sets: Vec<String>,
    /// Of their elements.
    pub elements: Vec<Vec<String>>,
    /// Are sequences shown as the sets that they are? Event-B has none.
    pub plain: bool,
}

impl Names {
    /// A value as B writes it. Sequences of two and more values are shown in brackets, as ProB does.
    pub(super) fn show(&self, value: &Value, ty: &Type) -> String {
        let mut out = String::new();
        self.write(value, ty, &mut out);
        out
    }

    fn write(&self, value: &Value, ty: &Type, out: &mut String) {
        match value {
            Value::Undefined | Value::Partial(_) | Value::Undecided(_) => out.push('?'),
            Value::Bool(b) => out.push_str(if *b { "TRUE" } else { "FALSE" }),
            Value::Int(n) => out.push_str(&n.to_string()),
            Value::Element(set, n) => match self.elements.get(*set as usize).and_then(|set| set.get(*n as usize)) {
                Some(name) => out.push_str(name),
                None => out.push_str(&format!("{set}#{n}")),
            },
            Value::Text(text) => out.push_str(&format!("{text:?}")),
            Value::Pair(pair) => {
                let unknown = (Type::Unknown, Type::Unknown);
                let sides = if let Type::Pair(sides) = ty { sides } else { &unknown };
                out.push('(');
                self.write(&pair.0, &sides.0, out);
                out.push_str("|->");
                self.write(&pair.1, &sides.1, out);
                out.push(')');
            }
            Value::Set(set) => {
                let element = ty.element().unwrap_or(&Type::Unknown);
                let sequence = if set.is_empty() || self.plain { None } else { value.as_sequence() };
                if let (Some(values), Type::Pair(sides)) = (&sequence, element)
                    && values.len() > 1
                    && matches!(sides.0, Type::Int)
                {
                    out.push('[');
                    for (at, value) in values.iter().enumerate() {
                        if at > 0 {
                            out.push(',');
                        }
                        self.write(value, &sides.1, out);
                    }
                    out.push(']');
                    return;
                }
                out.push('{');
                for (at, value) in set.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    self.write(value, element, out);
                }
                out.push('}');
            }
            Value::Record(values) => {
                out.push_str("rec(");
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    if let Type::Record(fields) = ty
                        && let Some((name, ty)) = fields.get(at)
                    {
                        out.push_str(&format!("{name}:"));
                        self.write(value, ty, out);
                        continue;
                    }
                    self.write(value, &Type::Unknown, out);
                }
                out.push(')');
            }
            Value::Symbolic(symbolic) => {
                let pos = symbolic.expr.pos;
                out.push_str(&format!("symbolic set of {}:{}", pos.line, pos.column));
            }
        }
    }
}

/// Integers from this one on, and so many, have their numbers in arrays.
const LEAST: i64 = -64;
const FEW: usize = 1024;

/// No number, and no integer, yet.
const NONE: u32 = u32::MAX;
const UNKNOWN: i64 = i64::MIN;

/// What is known of a type's numbers without a lock.
#[derive(Debug, Default)]
enum Known {
    /// Nothing.
    #[default]
    Nothing,
    /// All values, numbered in their order: truth values, elements of a given set.
    Ordered(Vec<Value>),
    /// The numbers of small integers, and the integers of small numbers. Both are final once they are known.
    Integers(Box<([AtomicU32; FEW], [AtomicI64; FEW])>),
}

/// Numbers for the values of one type. It grows while the model is explored, behind a lock.
#[derive(Debug, Default)]
pub(super) struct Table(RwLock<IndexSet<Value, FxBuildHasher>>, Known);

impl Table {
    /// A table for BOOL or a given set, with all its values in their order.
    pub(super) fn ordered(values: Vec<Value>) -> Table {
        Table(RwLock::new(values.iter().cloned().collect()), Known::Ordered(values))
    }

    /// A table for the values of a type.
    pub(super) fn of(ty: &Type) -> Table {
        let known = match ty {
            Type::Int => {
                let (numbers, integers) =
                    ([const { AtomicU32::new(NONE) }; FEW], [const { AtomicI64::new(UNKNOWN) }; FEW]);
                Known::Integers(Box::new((numbers, integers)))
            }
            _ => Known::Nothing,
        };
        Table(RwLock::default(), known)
    }

    /// The number of a value.
    pub(super) fn number(&self, value: &Value) -> u32 {
        if let Some(number) = self.find(value) {
            return number;
        }
        let mut table = self.0.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let number = table.insert_full(value.clone()).0 as u32;
        self.note(value, number);
        number
    }

    /// Keeps the number of a small integer where it is found without a lock.
    fn note(&self, value: &Value, number: u32) {
        if let (Known::Integers(arrays), Value::Int(n)) = (&self.1, value) {
            if let Some(slot) = small(*n).and_then(|at| arrays.0.get(at)) {
                slot.store(number, Ordering::Relaxed);
            }
            if let Some(slot) = arrays.1.get(number as usize) {
                slot.store(*n, Ordering::Relaxed);
            }
        }
    }

    /// The number of a value, if it has one.
    pub(super) fn find(&self, value: &Value) -> Option<u32> {
        match (&self.1, value) {
            (Known::Ordered(_), Value::Bool(b)) => return Some(u32::from(*b)),
            (Known::Ordered(_), Value::Element(_, n)) => return Some(*n),
            (_, Value::Int(n)) => {
                if let Some(number) = self.of_integer(*n) {
                    return Some(number);
                }
            }
            _ => {}
        }
        let table = self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        table.get_index_of(value).map(|number| number as u32)
    }

    /// The value of a number.
    pub(super) fn value(&self, number: u32) -> Option<Value> {
        if let Known::Ordered(values) = &self.1 {
            return values.get(number as usize).cloned();
        }
        if let Some(n) = self.integer(number) {
            return Some(Value::Int(n));
        }
        let table = self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        table.get_index(number as usize).cloned()
    }

    /// The number of a small integer, where it is found without a lock.
    pub(super) fn of_integer(&self, n: i64) -> Option<u32> {
        let Known::Integers(arrays) = &self.1 else { return None };
        let number = arrays.0.get(small(n)?)?.load(Ordering::Relaxed);
        (number != NONE).then_some(number)
    }

    /// The integer of a small number, where it is found without a lock.
    pub(super) fn integer(&self, number: u32) -> Option<i64> {
        let Known::Integers(arrays) = &self.1 else { return None };
        let n = arrays.1.get(number as usize)?.load(Ordering::Relaxed);
        (n != UNKNOWN).then_some(n)
    }

    /// How many values have a number.
    pub(super) fn len(&self) -> u32 {
        self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner).len() as u32
    }
}

/// The place of a small integer in arrays.
fn small(n: i64) -> Option<usize> {
    usize::try_from(n.checked_sub(LEAST)?).ok().filter(|at| *at < FEW)
}

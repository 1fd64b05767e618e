//! Values: canonical, ordered, cheap to copy.
//!
//! A set is a sorted slice without repetitions, a relation a set of pairs (so that the image of an element is a
//! contiguous run, found by bisection), a sequence a relation on 1..n. Equal values have equal structure; comparing
//! stops at shared parts. Where states are stored, [`Table`] gives each value of a type a number.
//!
//! A set that is infinite, or too large to be listed, is a [`Symbolic`] value: the formula with what its free
//! variables stood for. Symbolic values can be asked for members and applied, and are equal if their texts are.

use std::cmp::Ordering;
use std::sync::{Arc, RwLock};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::ast::Expr;
use super::types::Type;

/// A value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Value {
    /// No value: a slot that is not bound.
    Undefined,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An element of a given set.
    Element(u32, u32),
    /// A string.
    Text(Arc<str>),
    /// A pair.
    Pair(Arc<(Value, Value)>),
    /// A finite set, sorted.
    Set(Arc<Vec<Value>>),
    /// A record: values in the order of the names of its fields.
    Record(Arc<Vec<Value>>),
    /// A set that is not listed.
    Symbolic(Arc<Symbolic>),
    /// A function of which some values are known, while constants are searched for.
    Partial(Arc<Vec<(Value, Option<Value>)>>),
}

/// A set that is not listed: a formula and its environment.
#[derive(Clone, Debug)]
pub(super) struct Symbolic {
    /// The formula.
    pub expr: Expr,
    /// The values of its free slots.
    pub captured: Vec<(u32, Value)>,
    /// The formula written out, to be compared.
    text: String,
}

impl Symbolic {
    /// A formula and its environment.
    pub(super) fn new(expr: Expr, captured: Vec<(u32, Value)>) -> Self {
        let text = format!("{:?}", expr.kind);
        Symbolic { expr, captured, text }
    }

    fn key(&self) -> (&str, &Vec<(u32, Value)>) {
        (&self.text, &self.captured)
    }
}

impl PartialEq for Symbolic {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Symbolic {}

impl PartialOrd for Symbolic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbolic {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl std::hash::Hash for Symbolic {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Value {
    /// A pair.
    pub(super) fn pair(left: Value, right: Value) -> Value {
        Value::Pair(Arc::new((left, right)))
    }

    /// A set of values in any order.
    pub(super) fn set(mut values: Vec<Value>) -> Value {
        if !values.is_sorted_by(|a, b| a < b) {
            values.sort_unstable();
            values.dedup();
        }
        Value::Set(Arc::new(values))
    }

    /// A set of values that are sorted and different.
    pub(super) fn sorted(values: Vec<Value>) -> Value {
        Value::Set(Arc::new(values))
    }

    /// A sequence.
    pub(super) fn sequence(values: impl IntoIterator<Item = Value>) -> Value {
        Value::sorted(values.into_iter().zip(1..).map(|(value, at)| Value::pair(Value::Int(at), value)).collect())
    }

    /// The values of a sequence, in order.
    pub(super) fn as_sequence(&self) -> Option<Vec<Value>> {
        let Value::Set(set) = self else { return None };
        set.iter()
            .zip(1..)
            .map(|(item, at)| match item {
                Value::Pair(pair) if pair.0 == Value::Int(at) => Some(pair.1.clone()),
                _ => None,
            })
            .collect()
    }

    /// The values of a set.
    pub(super) fn members(&self) -> Option<&[Value]> {
        match self {
            Value::Set(set) => Some(set),
            _ => None,
        }
    }

    /// The sides of a pair; both are undefined if it is none, which types rule out.
    pub(super) fn sides(&self) -> (&Value, &Value) {
        match self {
            Value::Pair(pair) => (&pair.0, &pair.1),
            _ => (&Value::Undefined, &Value::Undefined),
        }
    }
}

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

/// How values look.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// Of given sets.
    pub sets: Vec<String>,
    /// Of their elements.
    pub elements: Vec<Vec<String>>,
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
            Value::Undefined | Value::Partial(_) => out.push('?'),
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
                let sequence = if set.is_empty() { None } else { value.as_sequence() };
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

/// Numbers for the values of one type. It grows while the model is explored, behind a lock.
#[derive(Debug, Default)]
pub(super) struct Table(RwLock<IndexSet<Value, FxBuildHasher>>);

impl Table {
    /// The number of a value.
    pub(super) fn number(&self, value: &Value) -> u32 {
        if let Some(number) = self.find(value) {
            return number;
        }
        let mut table = self.0.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        table.insert_full(value.clone()).0 as u32
    }

    /// The number of a value, if it has one.
    pub(super) fn find(&self, value: &Value) -> Option<u32> {
        let table = self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        table.get_index_of(value).map(|number| number as u32)
    }

    /// The value of a number.
    pub(super) fn value(&self, number: u32) -> Option<Value> {
        let table = self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        table.get_index(number as usize).cloned()
    }

    /// How many values have a number.
    pub(super) fn len(&self) -> u32 {
        self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner).len() as u32
    }
}

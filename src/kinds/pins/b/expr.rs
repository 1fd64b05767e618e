//! Formulas (expressions and predicates in one type), and the values in them.
//!
//! Expressions and predicates share one tree, because macros (DEFINITIONS) do not say which of the two they are; the
//! type checker tells them apart. The same tree serves before and after it: names become [`Kind::Slot`]s, places in
//! the environment of the evaluator, unique to their binder in the whole model, and overloaded operators are resolved.

use std::cmp::Ordering;
use std::sync::Arc;

use super::error::Pos;
use super::types::{Name, Type};

/// A formula: an expression or a predicate.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    /// Where it is.
    pub pos: Pos,
    /// The sort of substitution.
    pub kind: Kind,
    /// Its type, once checked.
    pub ty: Type,
    /// The slots that it reads and does not bind, sorted; once checked.
    pub free: Arc<[u32]>,
}

/// Forms of formulas.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A name, before it is resolved.
    Name(Name),
    /// A variable, constant, parameter or bound variable.
    Slot(u32),
    /// A literal value.
    Literal(Value),
    /// A carrier set: BOOL, a given set, or an integer set.
    Carrier(Carrier),
    /// An operator on operands.
    Op(Op, Vec<Expr>),
    /// A binder: bound variables; a predicate and, but for sets and quantifiers, a body.
    Binder(Binder, Vec<Bound>, Vec<Expr>),
    /// `rec(a: 1, b: 2)`
    Record(Vec<(Name, Expr)>),
    /// `struct(a: S, b: T)`
    Struct(Vec<(Name, Expr)>),
    /// `r'a`
    Field(Box<Expr>, Name),
    /// A record with another value in one field: of `r'a := v`.
    Update(Box<Expr>, Name, Box<Expr>),
}

/// A bound variable.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// Its name.
    pub name: Name,
    /// Its slot, once resolved.
    pub slot: u32,
    /// Its type, once checked.
    pub ty: Type,
}

/// Sets that have a name in the language or the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carrier {
    /// BOOL
    Bool,
    /// STRING
    String,
    /// A deferred or enumerated set.
    Given(u32),
    /// INTEGER
    Integer,
    /// NATURAL
    Natural,
    /// NATURAL1
    Natural1,
    /// INT
    Int,
    /// NAT
    Nat,
    /// NAT1
    Nat1,
}

/// Binders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binder {
    /// `!x.(P)`
    Forall,
    /// `#x.(P)`
    Exists,
    /// `{x | P}`
    Set,
    /// `%x.(P | E)`
    Lambda,
    /// `SIGMA(x).(P | E)`
    Sigma,
    /// `PI(x).(P | E)`
    Pi,
    /// `UNION(x).(P | E)`
    Union,
    /// `INTER(x).(P | E)`
    Inter,
    /// `LET x BE P IN E END`
    Let,
}

/// Operators, functions and relations of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[rustfmt::skip]
pub(super) enum Op {
    And, Or, Not, Implies, Iff, ToBool, If,
    Equal, Unequal, In, NotIn, Subset, NotSubset, StrictSubset, NotStrictSubset, Less, LessEqual, Greater, GreaterEqual,
    /// Subtraction or difference of sets: not resolved yet.
    Minus,
    /// Multiplication or product of sets: not resolved yet.
    Times,
    Add, Subtract, Multiply, Divide, Modulo, Power, Negate, Min, Max, MaxInt, MinInt,
    Interval, Union, Intersection, Difference, Product, SetOf, Card, UnionAll, InterAll,
    PowerSet, PowerSet1, FiniteSets, FiniteSets1,
    Couple, Relations, PartialFunctions, TotalFunctions, PartialInjections, TotalInjections, PartialSurjections,
    TotalSurjections, PartialBijections, TotalBijections,
    Domain, Range, Inverse, Image, DomainRestrict, DomainSubtract, RangeRestrict, RangeSubtract, Override,
    DirectProduct, ParallelProduct, Compose, Identity, First1, Second2, Iterate, Closure, Closure1, ToFunction,
    ToRelation, Apply,
    Sequence, Sequences, Sequences1, InjectiveSequences, InjectiveSequences1, Permutations,
    Concat, Append, Prepend, Take, Drop, Size, First, Last, Front, Tail, Reverse, Flatten,
}

impl Expr {
    /// A formula that has not been checked.
    pub(super) fn new(pos: Pos, kind: Kind) -> Self {
        Expr { pos, kind, ty: Type::Unknown, free: Arc::from([]) }
    }

    /// An operator on operands.
    pub(super) fn op(pos: Pos, op: Op, operands: Vec<Expr>) -> Self {
        Expr::new(pos, Kind::Op(op, operands))
    }

    /// A literal.
    pub(super) fn literal(pos: Pos, value: Value) -> Self {
        Expr::new(pos, Kind::Literal(value))
    }

    /// The direct parts.
    pub(super) fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Name(_) | Kind::Slot(_) | Kind::Literal(_) | Kind::Carrier(_) => Vec::new(),
            Kind::Op(_, parts) | Kind::Binder(_, _, parts) => parts.iter().collect(),
            Kind::Record(fields) | Kind::Struct(fields) => fields.iter().map(|(_, part)| part).collect(),
            Kind::Field(part, _) => vec![part],
            Kind::Update(record, _, value) => vec![record, value],
        }
    }

    /// The direct parts, to be changed.
    pub(super) fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            Kind::Name(_) | Kind::Slot(_) | Kind::Literal(_) | Kind::Carrier(_) => Vec::new(),
            Kind::Op(_, parts) | Kind::Binder(_, _, parts) => parts.iter_mut().collect(),
            Kind::Record(fields) | Kind::Struct(fields) => fields.iter_mut().map(|(_, part)| part).collect(),
            Kind::Field(part, _) => vec![part],
            Kind::Update(record, _, value) => vec![record, value],
        }
    }

    /// How many formulas are inside one another.
    pub(super) fn height(&self) -> usize {
        1 + self.parts().into_iter().map(Expr::height).max().unwrap_or(0)
    }

    /// The conjuncts of a predicate.
    pub(super) fn conjuncts(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Op(Op::And, parts) => parts.iter().flat_map(Expr::conjuncts).collect(),
            _ => vec![self],
        }
    }

    /// Replaces names by formulas, the bodies of macros and the names of parameters; names that are bound inside are
    /// left alone.
    pub(super) fn replace(&mut self, with: &dyn Fn(&Name) -> Option<Expr>) {
        match &mut self.kind {
            Kind::Name(name) => {
                if let Some(expr) = with(name) {
                    *self = expr;
                }
            }
            Kind::Binder(_, bound, parts) => {
                // A parameter may stand for the name of a bound variable.
                let mut own = Vec::new();
                for var in bound.iter_mut() {
                    match with(&var.name).map(|expr| expr.kind) {
                        Some(Kind::Name(name)) => var.name = name,
                        _ => own.push(var.name.clone()),
                    }
                }
                for part in parts {
                    part.replace(&|name| if own.contains(name) { None } else { with(name) });
                }
            }
            _ => self.parts_mut().into_iter().for_each(|part| part.replace(with)),
        }
    }
}

/// Is a set all of its type?
pub(super) fn is_whole(set: &Expr) -> bool {
    match &set.kind {
        Kind::Carrier(Carrier::Bool | Carrier::Given(_) | Carrier::Integer | Carrier::String) => true,
        Kind::Op(Op::PowerSet | Op::FiniteSets, parts) => is_whole(&parts[0]),
        Kind::Op(Op::Product | Op::Relations, parts) => is_whole(&parts[0]) && is_whole(&parts[1]),
        _ => false,
    }
}

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
    /// A set of which some elements are known to be in or out, while constants are searched for.
    Undecided(Arc<Vec<(Value, Option<bool>)>>),
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

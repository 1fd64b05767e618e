//! Syntax of machines: formulas (expressions and predicates in one type), substitutions, machines.
//!
//! Expressions and predicates share one tree, because macros (DEFINITIONS) do not say which of the two they are; the
//! type checker tells them apart. The same tree serves before and after it: names become [`Kind::Slot`]s, places in
//! the environment of the evaluator, unique to their binder in the whole model, and overloaded operators are resolved.

use std::sync::Arc;

use super::error::Pos;
use super::types::Type;
use super::values::Value;

/// A name.
pub(super) type Name = Arc<str>;

/// A formula: an expression or a predicate.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    /// Where it is.
    pub pos: Pos,
    /// What it is.
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

/// A substitution with its place.
#[derive(Clone, Debug)]
pub(super) struct Sub {
    /// Where it is.
    pub pos: Pos,
    /// What it is.
    pub kind: SubKind,
}

/// Forms of substitutions.
#[derive(Clone, Debug)]
pub(super) enum SubKind {
    /// `skip`
    Skip,
    /// `x, f(y) := 1, 2`
    Assign(Vec<Expr>, Vec<Expr>),
    /// `x, y :: S`
    BecomesIn(Vec<Expr>, Expr),
    /// `x, y : (P)`; P may read `x$0`. The bound variables stand for the new values.
    BecomesSuch(Vec<Expr>, Vec<Bound>, Expr),
    /// `PRE P THEN S END`
    Pre(Expr, Box<Sub>),
    /// `ASSERT P THEN S END`
    Assert(Expr, Box<Sub>),
    /// `SELECT P THEN S WHEN ... ELSE ... END`
    Select(Vec<(Expr, Sub)>, Option<Box<Sub>>),
    /// `IF P THEN S ELSIF ... ELSE ... END`
    If(Vec<(Expr, Sub)>, Option<Box<Sub>>),
    /// `CHOICE S OR S END`
    Choice(Vec<Sub>),
    /// `ANY x WHERE P THEN S END`, and `LET`
    Any(Vec<Bound>, Expr, Box<Sub>),
    /// `VAR x IN S END`
    Var(Vec<Bound>, Box<Sub>),
    /// `S; S`
    Sequence(Vec<Sub>),
    /// `S || S`
    Parallel(Vec<Sub>),
    /// `CASE E OF EITHER a, b THEN S OR ... ELSE ... END END`
    Case(Expr, Vec<(Vec<Expr>, Sub)>, Option<Box<Sub>>),
    /// `WHILE P DO S INVARIANT I VARIANT V END`
    While(Expr, Box<Sub>),
    /// `x <-- op(y)`, before it is resolved.
    Call(Name, Vec<Expr>, Vec<Expr>),
    /// A call, with the operation in its place: inputs and their values, the body, outputs and where they go.
    Inline(Vec<Bound>, Vec<Expr>, Box<Sub>, Vec<Bound>, Vec<Expr>),
}

impl Sub {
    /// A substitution.
    pub(super) fn new(pos: Pos, kind: SubKind) -> Self {
        Sub { pos, kind }
    }

    /// The substitutions directly inside.
    pub(super) fn parts(&self) -> Vec<&Sub> {
        match &self.kind {
            SubKind::Pre(_, body)
            | SubKind::Assert(_, body)
            | SubKind::While(_, body)
            | SubKind::Any(_, _, body)
            | SubKind::Var(_, body)
            | SubKind::Inline(_, _, body, ..) => vec![body],
            SubKind::Select(cases, other) | SubKind::If(cases, other) => {
                cases.iter().map(|(_, body)| body).chain(other.as_deref()).collect()
            }
            SubKind::Case(_, cases, other) => cases.iter().map(|(_, body)| body).chain(other.as_deref()).collect(),
            SubKind::Choice(parts) | SubKind::Sequence(parts) | SubKind::Parallel(parts) => parts.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// How many substitutions are inside one another.
    pub(super) fn height(&self) -> usize {
        1 + self.parts().into_iter().map(Sub::height).max().unwrap_or(0)
    }

    /// Replaces names in all formulas inside.
    pub(super) fn replace(&mut self, with: &dyn Fn(&Name) -> Option<Expr>) {
        let hide = |bound: &mut [Bound]| {
            let mut own = Vec::new();
            for var in bound.iter_mut() {
                match with(&var.name).map(|expr| expr.kind) {
                    Some(Kind::Name(name)) => var.name = name,
                    _ => own.push(var.name.clone()),
                }
            }
            own
        };
        match &mut self.kind {
            SubKind::Skip => {}
            SubKind::Assign(left, right) => left.iter_mut().chain(right).for_each(|expr| expr.replace(with)),
            SubKind::BecomesIn(left, set) => left.iter_mut().chain([set]).for_each(|expr| expr.replace(with)),
            SubKind::BecomesSuch(left, _, such) => left.iter_mut().chain([such]).for_each(|expr| expr.replace(with)),
            SubKind::Pre(guard, body) | SubKind::Assert(guard, body) | SubKind::While(guard, body) => {
                guard.replace(with);
                body.replace(with);
            }
            SubKind::Select(cases, other) | SubKind::If(cases, other) => {
                for (guard, body) in cases {
                    guard.replace(with);
                    body.replace(with);
                }
                if let Some(other) = other {
                    other.replace(with);
                }
            }
            SubKind::Choice(parts) | SubKind::Sequence(parts) | SubKind::Parallel(parts) => {
                parts.iter_mut().for_each(|part| part.replace(with));
            }
            SubKind::Any(bound, guard, body) => {
                let own = hide(bound);
                let inner = |name: &Name| if own.contains(name) { None } else { with(name) };
                guard.replace(&inner);
                body.replace(&inner);
            }
            SubKind::Var(bound, body) => {
                let own = hide(bound);
                body.replace(&|name| if own.contains(name) { None } else { with(name) });
            }
            SubKind::Case(subject, cases, other) => {
                subject.replace(with);
                for (values, body) in cases {
                    values.iter_mut().for_each(|value| value.replace(with));
                    body.replace(with);
                }
                if let Some(other) = other {
                    other.replace(with);
                }
            }
            SubKind::Call(_, inputs, outputs) => inputs.iter_mut().chain(outputs).for_each(|expr| expr.replace(with)),
            SubKind::Inline(_, inputs, _, _, outputs) => {
                inputs.iter_mut().chain(outputs).for_each(|expr| expr.replace(with));
            }
        }
    }
}

/// An operation.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// Its name.
    pub name: Name,
    /// Outputs.
    pub outputs: Vec<Bound>,
    /// Inputs.
    pub inputs: Vec<Bound>,
    /// Body.
    pub body: Sub,
}

/// A machine that another one uses.
#[derive(Clone, Debug)]
pub(super) struct Used {
    /// Where it is named.
    pub pos: Pos,
    /// Prefix of its names, for `INCLUDES left.Wheel`.
    pub prefix: Option<Name>,
    /// Its name.
    pub name: Name,
    /// Values of its parameters.
    pub arguments: Vec<Expr>,
    /// Are its operations those of the user as well (EXTENDS)?
    pub extends: bool,
    /// May its operations be called (INCLUDES, EXTENDS), or is it only read (SEES, USES)?
    pub owned: bool,
}

/// A machine as it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    /// Its name.
    pub name: String,
    /// Parameters.
    pub parameters: Vec<Name>,
    /// Machines that it uses.
    pub uses: Vec<Used>,
    /// Operations of included machines that it promotes.
    pub promotes: Vec<(Name, Pos)>,
    /// Given sets: name and elements, if enumerated.
    pub sets: Vec<(Name, Option<Vec<Name>>, Pos)>,
    /// Constants.
    pub constants: Vec<(Name, Pos)>,
    /// Variables.
    pub variables: Vec<(Name, Pos)>,
    /// CONSTRAINTS and PROPERTIES.
    pub properties: Vec<Expr>,
    /// INVARIANT.
    pub invariant: Vec<Expr>,
    /// ASSERTIONS.
    pub assertions: Vec<Expr>,
    /// INITIALISATION.
    pub initialisation: Option<Sub>,
    /// OPERATIONS.
    pub operations: Vec<Operation>,
    /// Preferences among the DEFINITIONS, as `SET_PREF_MAXINT` or `scope_S`: name and body.
    pub preferences: Vec<(Name, Expr)>,
}

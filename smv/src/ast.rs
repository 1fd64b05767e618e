//! Programs as they are written: modules, their sections, expressions with places. Names are not resolved.

use crate::error::Place;
use crate::lexer::Word;

/// A module.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) parameters: Vec<String>,
    pub(crate) items: Vec<Item>,
}

/// A part of a module.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// `VAR`, `IVAR` or `FROZENVAR`: one declaration.
    Variable { role: Role, name: String, place: Place, kind: TypeExpr },
    /// `DEFINE name := value`.
    Define { name: String, place: Place, value: Expr },
    /// `CONSTANTS name`.
    Constant(String),
    /// `x := e`, `init(x) := e`, `next(x) := e`.
    Assign { when: When, target: Expr, value: Expr },
    /// `INIT`, `INVAR`, `TRANS`, `FAIRNESS` and `JUSTICE`.
    Constraint(Constraint, Expr),
    /// `COMPASSION (p, q)`.
    Compassion(Expr, Expr),
    /// A property.
    Property(PropertyItem),
    /// `ISA module`.
    Isa(String, Place),
}

/// The role of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Part of the state.
    State,
    /// Part of the state, and never changes.
    Frozen,
    /// Part of the step.
    Input,
}

/// What an assignment is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum When {
    /// The current value, always.
    Current,
    /// The first value.
    Init,
    /// The next value.
    Next,
}

/// The sort of a constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Constraint {
    Init,
    Invar,
    Trans,
    Justice,
}

/// A property as it is written.
#[derive(Clone, Debug)]
pub(crate) struct PropertyItem {
    pub(crate) sort: Sort,
    pub(crate) name: Option<String>,
    pub(crate) place: Place,
    pub(crate) formula: Expr,
    /// The second formula of `COMPUTE`.
    pub(crate) until: Option<Expr>,
    /// Its number among those that are no part of the file.
    pub(crate) further: Option<usize>,
}

/// The sort of a property.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// `CTLSPEC`, `SPEC`.
    Ctl,
    /// `LTLSPEC`.
    Ltl,
    /// `INVARSPEC`.
    Invariant,
    /// `PSLSPEC`.
    Psl,
    /// `COMPUTE MIN [p, q]`.
    Shortest,
    /// `COMPUTE MAX [p, q]`.
    Longest,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub(crate) enum TypeExpr {
    Boolean,
    /// `{a, 1, b.c}`.
    Values(Vec<Expr>),
    /// `e1 .. e2`.
    Range(Expr, Expr),
    /// `word[e]`.
    Word {
        width: Expr,
        signed: bool,
    },
    /// `array e1 .. e2 of T`.
    Array(Expr, Expr, Box<TypeExpr>),
    /// `m(e, …)`, `process m(e, …)`.
    Instance {
        module: String,
        place: Place,
        actuals: Vec<Expr>,
        process: bool,
    },
    /// Refused by name.
    Refused(&'static str, Place),
}

/// An expression, and where it starts.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) place: Place,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Bool(bool),
    Number(i64),
    Word(Word),
    /// A name without dots.
    Name(String),
    /// `self`.
    Myself,
    /// `e.name`, `e.2`.
    Dot(Box<Expr>, String),
    /// `e[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `e[h:l]`.
    Bits(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `next(e)`.
    Next(Box<Expr>),
    /// An operator or a function by its spelling, with its operands.
    Apply(&'static str, Vec<Expr>),
    /// `case g : e; … esac`.
    Case(Vec<(Expr, Expr)>),
    /// `{e, …}`.
    Set(Vec<Expr>),
    /// `[e, …]` in definitions.
    List(Vec<Expr>),
    /// A temporal operator by its spelling, its operands, and its bounds.
    Temporal(&'static str, Vec<Expr>, Option<(i64, Option<i64>)>),
}

impl Expr {
    pub(crate) fn new(kind: ExprKind, place: Place) -> Self {
        Expr { kind, place }
    }
}

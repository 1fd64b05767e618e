//! Syntax of machines: substitutions, operations, machines. Formulas are in [`super::expr`].

use super::error::Pos;
pub(super) use super::expr::{Binder, Bound, Carrier, Expr, Kind, Op, is_whole};
pub(super) use super::types::Name;

/// A substitution with its place.
#[derive(Clone, Debug)]
pub(super) struct Sub {
    /// Where it is.
    pub pos: Pos,
    /// The sort of expression.
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
    /// Temporal formulas among the DEFINITIONS.
    pub questions: Vec<Question>,
    /// Predicates in them.
    pub conditions: Vec<Condition>,
}

/// A question of a machine about its behaviour.
#[derive(Clone, Debug)]
pub struct Question {
    /// The name of the definition.
    pub id: String,
    /// The formula as it is written.
    pub written: String,
    /// Is it about paths (LTL), not states (CTL)?
    pub linear: bool,
    /// The formula in the notation of this library, or why there is none.
    pub formula: Result<String, String>,
}

/// A predicate in a formula: the name of its label, and the question that needs it.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    /// The label.
    pub name: String,
    /// The predicate.
    pub expr: Expr,
    /// The question, by its number.
    pub question: usize,
}

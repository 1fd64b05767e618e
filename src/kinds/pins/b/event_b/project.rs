//! Contexts and machines as plain data: what both forms of files are read into.

use super::super::ast::{Expr, Kind, Name, Op};
use super::super::error::{Error, Pos, Res};
use super::terms;

/// A name where it is declared or used.
pub(super) type Named = (Name, Pos);

/// A predicate with its label.
#[derive(Clone, Debug)]
pub(super) struct Labelled {
    /// Its label.
    pub label: String,
    /// The predicate.
    pub formula: Expr,
    /// Does it follow from the others?
    pub theorem: bool,
}

/// A context: sets and constants.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// Its name.
    pub name: String,
    /// Contexts that it extends.
    pub extends: Vec<Named>,
    /// Carrier sets.
    pub sets: Vec<Named>,
    /// Constants.
    pub constants: Vec<Named>,
    /// Axioms.
    pub axioms: Vec<Labelled>,
}

/// A machine: variables and events.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    /// Its name.
    pub name: String,
    /// The machine that it refines.
    pub refines: Option<Named>,
    /// Contexts that it sees.
    pub sees: Vec<Named>,
    /// Variables.
    pub variables: Vec<Named>,
    /// Invariants, and theorems.
    pub invariants: Vec<Labelled>,
    /// Where its variant is.
    pub variant: Option<Pos>,
    /// Events.
    pub events: Vec<Event>,
}

/// An event.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// Its name.
    pub name: Name,
    /// Where it is.
    pub pos: Pos,
    /// Does it have all that the event that it refines has?
    pub extended: bool,
    /// Events that it refines.
    pub refines: Vec<Named>,
    /// Parameters.
    pub parameters: Vec<Named>,
    /// Guards.
    pub guards: Vec<Labelled>,
    /// Actions.
    pub actions: Vec<Action>,
    /// Witnesses: what for, and the predicate.
    pub witnesses: Vec<(Name, Expr)>,
}

/// An action.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// `x, y ≔ E, F`
    Assign(Vec<(Named, Expr)>),
    /// `x :∈ S`
    In(Named, Expr),
    /// `x, y :∣ P`, where P reads `x'`.
    Such(Vec<Named>, Expr),
}

/// The name of the event that begins.
pub(super) const INITIALISATION: &str = "INITIALISATION";

impl Action {
    /// `x, f(y) ≔ E, F`
    ///
    /// # Errors
    /// When other things than variables are assigned to, or their number is another than that of the values.
    pub(super) fn assign(pos: Pos, targets: Vec<Expr>, values: Vec<Expr>) -> Res<Action> {
        if targets.len() != values.len() {
            let (left, right) = (targets.len(), values.len());
            return Err(Error::syntax(pos, format!("{right} values for {left} variables")));
        }
        let assigned = targets.into_iter().zip(values).map(|(target, value)| match target.kind {
            // f(x) ≔ E is f ≔ f <+ {x ↦ E}.
            Kind::Op(Op::Apply, mut parts) if parts.len() == 2 => {
                let (Some(argument), Some(function)) = (parts.pop(), parts.pop()) else {
                    return Err(Error::syntax(pos, "expected a variable".into()));
                };
                let pair = Expr::op(pos, Op::Couple, vec![argument, value]);
                let over = Expr::op(pos, Op::Override, vec![function.clone(), terms::extension(pos, vec![pair])]);
                Ok((variable(function)?, over))
            }
            _ => Ok((variable(target)?, value)),
        });
        Ok(Action::Assign(assigned.collect::<Res<_>>()?))
    }

    /// `x :∈ S`
    ///
    /// # Errors
    /// When it is not one variable.
    pub(super) fn becomes_in(pos: Pos, mut targets: Vec<Expr>, set: Expr) -> Res<Action> {
        match targets.len() {
            1 => Ok(Action::In(variable(targets.swap_remove(0))?, set)),
            _ => Err(Error::syntax(pos, "one variable stands before :∈".into())),
        }
    }

    /// `x, y :∣ P`
    ///
    /// # Errors
    /// When other things than variables stand on the left.
    pub(super) fn becomes_such(_: Pos, targets: Vec<Expr>, such: Expr) -> Res<Action> {
        Ok(Action::Such(targets.into_iter().map(variable).collect::<Res<_>>()?, such))
    }

    /// The variables that it assigns to.
    pub(super) fn targets(&self) -> Vec<&Named> {
        match self {
            Action::Assign(pairs) => pairs.iter().map(|(target, _)| target).collect(),
            Action::In(target, _) => vec![target],
            Action::Such(targets, _) => targets.iter().collect(),
        }
    }

    /// The same action, but for what some names stand for.
    pub(super) fn renamed(&self, with: &dyn Fn(&Name) -> Option<Expr>) -> Action {
        let change = |expr: &Expr| {
            let mut expr = expr.clone();
            expr.replace(with);
            expr
        };
        match self {
            Action::Assign(pairs) => {
                Action::Assign(pairs.iter().map(|(target, value)| (target.clone(), change(value))).collect())
            }
            Action::In(target, set) => Action::In(target.clone(), change(set)),
            Action::Such(targets, such) => Action::Such(targets.clone(), change(such)),
        }
    }
}

/// The variable that an expression is.
fn variable(expr: Expr) -> Res<Named> {
    match expr.kind {
        Kind::Name(name) => Ok((name, expr.pos)),
        _ => Err(Error::syntax(expr.pos, "this cannot be assigned to: it is no variable".into())),
    }
}

/// A project: contexts and machines by their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Project {
    /// Contexts.
    pub contexts: Vec<Context>,
    /// Machines.
    pub machines: Vec<Machine>,
    /// Names of files, and lines that stand for what is at places in them.
    pub files: Vec<String>,
    /// Texts of files.
    pub texts: Vec<String>,
}

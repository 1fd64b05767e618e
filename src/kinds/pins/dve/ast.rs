//! A DVE model as it is written.
//!
//! Names are not resolved and types are not checked: that is for [`super::scope`] and [`super::system`].

use super::super::source::Place;

/// A name and where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Name {
    /// The name.
    pub text: String,
    /// Where it is.
    pub place: Place,
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// Global variables and constants, in their order.
    pub variables: Vec<VariableDeclaration>,
    /// Channels.
    pub channels: Vec<ChannelDeclaration>,
    /// Processes.
    pub processes: Vec<ProcessDeclaration>,
    /// The process of `system async property P`.
    pub property: Option<Name>,
}

/// The two types of DVE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    /// 0 to 255.
    Byte,
    /// −32 768 to 32 767.
    Int,
}

/// A variable, an array, or a constant of either shape.
#[derive(Clone, Debug)]
pub(super) struct VariableDeclaration {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub kind: Type,
    /// Is it a constant?
    pub constant: bool,
    /// For an array: how many cells.
    pub size: Option<Expression>,
    /// Initial values: of a scalar one, of an array as many as are given.
    pub initial: Vec<Expression>,
    /// Are the initial values in braces?
    pub braces: bool,
}

/// A channel.
#[derive(Clone, Debug)]
pub(super) struct ChannelDeclaration {
    /// Its name.
    pub name: Name,
    /// The types of the values of a message, if it is typed.
    pub types: Option<Vec<Type>>,
    /// How many messages it holds; none for rendezvous.
    pub capacity: u32,
}

/// A process.
#[derive(Clone, Debug)]
pub(super) struct ProcessDeclaration {
    /// Its name.
    pub name: Name,
    /// Its variables and constants.
    pub variables: Vec<VariableDeclaration>,
    /// Its states.
    pub states: Vec<Name>,
    /// Its initial state.
    pub initial: Option<Name>,
    /// Accepting states.
    pub accepting: Vec<Name>,
    /// Committed states.
    pub committed: Vec<Name>,
    /// Assertions: what must hold in a state.
    pub assertions: Vec<(Name, Expression)>,
    /// Its transitions.
    pub transitions: Vec<TransitionDeclaration>,
}

/// A transition of a process.
#[derive(Clone, Debug)]
pub(super) struct TransitionDeclaration {
    /// From this state …
    pub from: Name,
    /// … to this one.
    pub to: Name,
    /// When.
    pub guard: Option<Expression>,
    /// With whom.
    pub synchronisation: Option<Synchronisation>,
    /// Its assignments, in their order.
    pub effects: Vec<Assignment>,
}

/// `c!…` or `c?…`.
#[derive(Clone, Debug)]
pub(super) struct Synchronisation {
    /// The channel.
    pub channel: Name,
    /// Does it send?
    pub sends: bool,
    /// Values that are sent, or variables that receive.
    pub values: Vec<Expression>,
    /// The text of it, for the name of the transition.
    pub text: String,
}

/// `target = value`.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    /// A variable or a cell of an array.
    pub target: Expression,
    /// The new value.
    pub value: Expression,
}

/// An expression, where it starts, and its text.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    /// Its node.
    pub node: Node,
    /// Where it starts.
    pub place: Place,
    /// How deep the tree is.
    pub depth: u32,
    /// Where its text starts and ends, in bytes.
    pub span: (usize, usize),
}

/// The sort of an expression.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A number, `true` or `false`.
    Number(i32),
    /// A variable or constant, perhaps of another process (`P->x`), perhaps a cell of it.
    Variable {
        /// The process, if one is named.
        process: Option<Name>,
        /// The variable.
        name: Name,
        /// The cell.
        index: Option<Box<Expression>>,
    },
    /// `P.q`: is process P in state q?
    InState {
        /// The process.
        process: Name,
        /// The state.
        state: Name,
    },
    /// An operator before its operand.
    Unary(Unary, Box<Expression>),
    /// An operator between its operands.
    Binary(Binary, Box<(Expression, Expression)>),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Unary {
    /// `-`
    Negate,
    /// `~`
    Complement,
    /// `not`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Binary {
    Imply,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Binary {
    /// The operator of a mark and how strongly it binds: those of C in their order, `imply` below them.
    pub fn of_mark(mark: &str) -> Option<(Binary, u32)> {
        Some(match mark {
            "imply" => (Binary::Imply, 1),
            "||" => (Binary::Or, 2),
            "&&" => (Binary::And, 3),
            "|" => (Binary::BitOr, 4),
            "^" => (Binary::BitXor, 5),
            "&" => (Binary::BitAnd, 6),
            "==" => (Binary::Equal, 7),
            "!=" => (Binary::NotEqual, 7),
            "<" => (Binary::Less, 8),
            "<=" => (Binary::LessEqual, 8),
            ">" => (Binary::Greater, 8),
            ">=" => (Binary::GreaterEqual, 8),
            "<<" => (Binary::ShiftLeft, 9),
            ">>" => (Binary::ShiftRight, 9),
            "+" => (Binary::Add, 10),
            "-" => (Binary::Subtract, 10),
            "*" => (Binary::Multiply, 11),
            "/" => (Binary::Divide, 11),
            "%" => (Binary::Remainder, 11),
            _ => return None,
        })
    }
}

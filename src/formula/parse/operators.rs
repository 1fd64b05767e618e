//! The operators: how they are spelled, and how tightly they bind.

use crate::formula::ast::{Comparison, Formula};
use crate::formula::pool::{FormulaId, Pool};

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Implies,
    Or,
    Xor,
    And,
    Temporal,
    Prefix,
    Comparison,
    Sum,
    Product,
    Sign,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Infix {
    Iff,
    Implies,
    Or,
    Xor,
    And,
    Until,
    /// `BU`, with bounds behind it.
    BoundedUntil,
    Release,
    WeakUntil,
    StrongRelease,
    Since,
    Trigger,
    Compare(Comparison),
    Plus,
    Minus,
    Times,
    Over,
}

/// Spellings of infix operators; of those that fit, the longest is meant.
pub(super) const INFIX: &[(&str, Infix)] = &[
    ("<->", Infix::Iff),
    ("<-->", Infix::Iff),
    ("<=>", Infix::Iff),
    ("↔", Infix::Iff),
    ("⇔", Infix::Iff),
    ("iff", Infix::Iff),
    ("->", Infix::Implies),
    ("-->", Infix::Implies),
    ("=>", Infix::Implies),
    ("→", Infix::Implies),
    ("⇒", Infix::Implies),
    ("implies", Infix::Implies),
    ("|", Infix::Or),
    ("||", Infix::Or),
    ("\\/", Infix::Or),
    ("∨", Infix::Or),
    ("or", Infix::Or),
    ("^", Infix::Xor),
    ("⊕", Infix::Xor),
    ("xor", Infix::Xor),
    ("&", Infix::And),
    ("&&", Infix::And),
    ("/\\", Infix::And),
    ("∧", Infix::And),
    ("and", Infix::And),
    ("U", Infix::Until),
    ("BU", Infix::BoundedUntil),
    ("R", Infix::Release),
    ("V", Infix::Release),
    ("W", Infix::WeakUntil),
    ("M", Infix::StrongRelease),
    ("S", Infix::Since),
    ("T", Infix::Trigger),
    ("=", Infix::Compare(Comparison::Eq)),
    ("==", Infix::Compare(Comparison::Eq)),
    ("!=", Infix::Compare(Comparison::Ne)),
    ("<>", Infix::Compare(Comparison::Ne)),
    ("≠", Infix::Compare(Comparison::Ne)),
    ("<", Infix::Compare(Comparison::Lt)),
    ("<=", Infix::Compare(Comparison::Le)),
    ("≤", Infix::Compare(Comparison::Le)),
    (">", Infix::Compare(Comparison::Gt)),
    (">=", Infix::Compare(Comparison::Ge)),
    ("≥", Infix::Compare(Comparison::Ge)),
    ("+", Infix::Plus),
    ("-", Infix::Minus),
    ("−", Infix::Minus),
    ("*", Infix::Times),
    ("·", Infix::Times),
    ("×", Infix::Times),
    ("/", Infix::Over),
    ("÷", Infix::Over),
];

impl Infix {
    pub(super) fn level(self) -> Level {
        match self {
            Infix::Iff | Infix::Implies => Level::Implies,
            Infix::Or => Level::Or,
            Infix::Xor => Level::Xor,
            Infix::And => Level::And,
            Infix::Until | Infix::Release | Infix::WeakUntil | Infix::StrongRelease => Level::Temporal,
            Infix::BoundedUntil | Infix::Since | Infix::Trigger => Level::Temporal,
            Infix::Compare(_) => Level::Comparison,
            Infix::Plus | Infix::Minus => Level::Sum,
            Infix::Times | Infix::Over => Level::Product,
        }
    }

    /// The meaning of the operator where nothing is a number: `*` and `+` are conjunction and disjunction, as for Spot.
    pub(super) fn among_propositions(self) -> Option<Infix> {
        match self {
            Infix::Times => Some(Infix::And),
            Infix::Plus => Some(Infix::Or),
            Infix::Compare(_) | Infix::Minus | Infix::Over => None,
            _ => Some(self),
        }
    }

    /// Does a chain of such operators group to the right?
    pub(super) fn groups_right(self) -> bool {
        matches!(self.level(), Level::Implies | Level::Temporal)
    }

    /// The weakest level that the right operand may have.
    pub(super) fn right(self) -> Level {
        match self {
            Infix::Iff | Infix::Implies => Level::Implies,
            Infix::Or => Level::Xor,
            Infix::Xor => Level::And,
            Infix::And | Infix::Until | Infix::Release | Infix::WeakUntil | Infix::StrongRelease => Level::Temporal,
            Infix::BoundedUntil | Infix::Since | Infix::Trigger => Level::Temporal,
            Infix::Compare(_) => Level::Sum,
            Infix::Plus | Infix::Minus => Level::Product,
            Infix::Times | Infix::Over => Level::Sign,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Prefix {
    Not,
    Next,
    Finally,
    Globally,
    Exists,
    Forall,
    WeakNext,
    Yesterday,
    WeakYesterday,
    Once,
    Historically,
}

impl Prefix {
    /// The operator that a character alone or as part of a joined word like `AG` stands for.
    pub(super) fn of(c: char) -> Option<Prefix> {
        Some(match c {
            '!' | '~' | '¬' => Prefix::Not,
            'X' | '◯' | '○' => Prefix::Next,
            'F' | '◇' | '♢' => Prefix::Finally,
            'G' | '□' => Prefix::Globally,
            'E' | '∃' => Prefix::Exists,
            'A' | '∀' => Prefix::Forall,
            _ => return None,
        })
    }

    /// The formula that it makes of its operand.
    pub(super) fn apply(self, operand: FormulaId, pool: &mut Pool) -> FormulaId {
        let node = match self {
            Prefix::Not => Formula::Not(operand),
            Prefix::Next => Formula::Next(operand),
            Prefix::Finally => Formula::Finally(operand),
            Prefix::Globally => Formula::Globally(operand),
            Prefix::Exists => Formula::Exists(operand),
            Prefix::Forall => Formula::Forall(operand),
            Prefix::WeakNext => {
                let fails = pool.add(Formula::Not(operand));
                let next = pool.add(Formula::Next(fails));
                Formula::Not(next)
            }
            Prefix::Yesterday => Formula::Yesterday(operand),
            Prefix::WeakYesterday => Formula::WeakYesterday(operand),
            Prefix::Once => Formula::Since(pool.add(Formula::True), operand),
            Prefix::Historically => Formula::Trigger(pool.add(Formula::False), operand),
        };
        pool.add(node)
    }
}

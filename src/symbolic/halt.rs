//! Why a symbolic computation ended without a result.

use crate::budget::Exhausted;

/// Why a symbolic computation ended without a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Halt {
    /// Time, memory, or patience of the caller ran out.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// A variable left the range of diagram values: the model is unbounded, or has counts beyond 2^32.
    #[error("{variable} left the range of 2^32 values: the model is probably unbounded")]
    OutOfRange {
        /// Level of the variable.
        level: u32,
        /// Name of the variable.
        variable: String,
    },
    /// The model has infinitely many reachable states.
    #[error("the net is unbounded: the tokens in {variable} grow without end")]
    Unbounded {
        /// A variable whose values have no bound.
        variable: String,
    },
    /// A formula divides by zero in a reachable state.
    #[error("the formula divides by zero in a reachable state")]
    DivisionByZero,
    /// The value of an expression does not fit 128 bits.
    #[error("an integer expression of the formula exceeds 128 bits")]
    Arithmetic,
    /// A path formula has no automaton.
    #[error(transparent)]
    Translation(crate::automaton::TranslationError),
    /// The formula asks for something this engine does not do.
    #[error("{0}")]
    Unsupported(&'static str),
}

impl Halt {
    #[cold]
    pub(crate) fn out_of_range(relation: &crate::relation::Relation, level: u32) -> Self {
        Halt::OutOfRange { level, variable: relation.names()[level as usize].clone() }
    }
}

//! Why there is no automaton.

use super::AutomatonError;
use crate::budget::Exhausted;

/// Why a formula was not translated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranslationError {
    /// Out of time or memory, or cancelled.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// Too many eventualities at once.
    #[error("the automaton would need {0} acceptance sets; at most 64 are supported")]
    TooManySets(u32),
    /// The automaton is beyond the size that the translator makes, whatever time and memory there are.
    #[error("the automaton would have more than {edges} edges, which is the most that the translator makes")]
    TooLarge {
        /// The most edges of an automaton.
        edges: usize,
    },
    /// The formula is of another store.
    #[error("the formula is of another store")]
    Foreign,
    /// Nested deeper than [`MAX_DEPTH`](super::ltl::MAX_DEPTH).
    #[error("formula nested too deeply")]
    TooDeep,
    /// Another tool, asked for the automaton, failed or gave a wrong one.
    #[error("translator `{tool}`: {message}")]
    Tool {
        /// The tool.
        tool: String,
        /// The problem.
        message: String,
    },
    /// The result was refused: a defect of the translator.
    #[error(transparent)]
    Automaton(#[from] AutomatonError),
}

//! Why a model is no program.

use crate::budget::Exhausted;
use crate::kinds::net::coloured::UnfoldError;
use crate::kinds::pins::etf::NoTables;
use crate::model::Terms;

/// Why a model is no program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoProgram {
    /// Values have no bound that is known.
    #[error(
        "not every {} has a greatest value that is known: there are more than {most} reachable {}s; raise --most, unless \
         the model grows without end, for then there is no program of SMV",
        .terms.variable, .terms.state
    )]
    Bounds {
        /// The terms of the model.
        terms: Terms,
        /// So many states were visited.
        most: usize,
    },
    /// A number is too large.
    #[error("`{variable}` may be {value}, and numbers of SMV have 32 bits")]
    Number {
        /// The variable.
        variable: String,
        /// Its value.
        value: u64,
    },
    /// The net is not unfolded.
    #[error(transparent)]
    Folded(UnfoldError),
    /// Time passes in the model.
    #[error(
        "time passes in the model, which no program of SMV says; write its tables (.etf), where `tick` is an action"
    )]
    Time,
    /// Its initial states are not all listed.
    #[error("the model has more than {0} initial states, too many for a program that lists them")]
    ManyInitial(usize),
    /// The model has no tables.
    #[error(transparent)]
    Tables(#[from] NoTables),
    /// The budget was used up.
    #[error(transparent)]
    Budget(#[from] Exhausted),
}

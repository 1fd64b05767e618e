//! Why there is no certificate.

use crate::stop_reason::StopReason;
use starset_checker::Refused;

/// Why there is no certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Uncertified {
    /// The checker does not read the model, or not in the same way.
    #[error("the checker does not read this model: {0}")]
    Model(String),
    /// It reads tables of the steps of such a model, and there are none.
    #[error("{0}")]
    Tables(String),
    /// The formula says something that certificates cannot.
    #[error("{0} cannot be certified")]
    Formula(&'static str),
    /// The computation ended without a proof.
    #[error(transparent)]
    Stopped(#[from] StopReason),
    /// The proof of the verdict fails: the verdict is wrong, or the maker is.
    #[error("the verdict could not be proved: one of it and the proof is an error of the program")]
    NotProved,
    /// The proof is more than the checker looks at.
    #[error("{0}")]
    Limit(String),
    /// The checker refuses the certificate: an error of the program.
    #[error("the checker refuses the certificate: {0}")]
    Refused(Refused),
}

impl From<Refused> for Uncertified {
    fn from(refused: Refused) -> Self {
        if refused.is_limit() { Uncertified::Limit(refused.0) } else { Uncertified::Refused(refused) }
    }
}

impl From<crate::mdd::SetError> for Uncertified {
    fn from(error: crate::mdd::SetError) -> Self {
        StopReason::from(error).into()
    }
}

impl From<crate::budget::Exhausted> for Uncertified {
    fn from(error: crate::budget::Exhausted) -> Self {
        StopReason::from(error).into()
    }
}

//! What can go wrong in the simple case, as one error.

use crate::budget::Exhausted;
use crate::formula::{NameError, ParseError};
use crate::halt::Halt;
use crate::kinds::{ReadError, SavedError};
use crate::mdd::SetError;

/// What can go wrong in the simple case.
///
/// ```
/// use starset::{Error, Model};
/// let model = Model::read("models/philo-5.pnml")?;
/// assert!(matches!(Model::read("models/none.pnml"), Err(Error::Read(_))));
/// assert!(matches!(model.check("EF dedlock"), Err(Error::Formula(_))));
/// // The same file read twice gives two models.
/// let other = Model::read("models/philo-5.pnml")?;
/// let mixed = &model.deadlocks()? | &other.deadlocks()?;
/// assert!(matches!(mixed, Err(Error::OtherModel)));
/// # Ok::<(), starset::Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The formula cannot be read.
    #[error(transparent)]
    Formula(#[from] ParseError),
    /// There is no variable of this name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A variable does not have such values.
    #[error("`{value}` is no value that `{variable}` can have")]
    Value {
        /// Name of the variable.
        variable: String,
        /// The value.
        value: String,
    },
    /// Two sets, or a set and a state, are of different models. (Reading a file twice gives two models; cloning one does
    /// not.)
    #[error("sets and states of different models do not go together; read the model once, and clone it")]
    OtherModel,
    /// A saved set cannot be read.
    #[error(transparent)]
    Saved(SavedError),
    /// A set cannot be saved.
    #[error("cannot save to {file}: {error}")]
    Save {
        /// The file.
        file: String,
        /// Why not.
        error: std::io::Error,
    },
    /// An answer, a number or a set is not known, and why.
    #[error(transparent)]
    Unknown(#[from] Halt),
}

impl From<Exhausted> for Error {
    fn from(exhausted: Exhausted) -> Self {
        Error::Unknown(exhausted.into())
    }
}

impl From<SetError> for Error {
    fn from(error: SetError) -> Self {
        Error::Unknown(error.into())
    }
}

impl From<SavedError> for Error {
    fn from(error: SavedError) -> Self {
        match error {
            SavedError::Exhausted(exhausted) => exhausted.into(),
            error => Error::Saved(error),
        }
    }
}

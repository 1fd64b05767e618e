//! Errors of the simple case, as one type.

use crate::budget::Exhausted;
use crate::certify::Uncertified;
use crate::decide::{HybridError, NotFinite};
use crate::formula::{NameError, ParseError, PropertyError, PropertyFileError, WrongAssumption};
use crate::kinds::{ReadError, SavedError, WriteError};
use crate::mdd::SetError;
use crate::stop_reason::StopReason;

/// Errors of the simple case.
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
    /// A formula that gives names to states cannot be read, or is not of such a model.
    #[error(transparent)]
    Hybrid(#[from] HybridError),
    /// An assumption about paths cannot be read.
    #[error("{assumption}: {wrong}")]
    Assumption {
        /// The assumption.
        assumption: String,
        /// What is wrong with it.
        wrong: WrongAssumption,
    },
    /// A formula is not asked of finite runs.
    #[error(transparent)]
    Finite(#[from] NotFinite),
    /// A file of formulas states assumptions about their paths.
    #[error("{file}: it has assumptions about paths; give them to `with_fairness`, and the formulas without them")]
    Assumes {
        /// The file.
        file: String,
    },
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
    /// Two sets, or a set and a state, are of different models. (Reading a file twice gives two models; cloning one
    /// does not.)
    #[error(
        "sets and states of different models do not go together; read the file once, for each reading is a model of its own"
    )]
    OtherModel,
    /// A file of formulas cannot be read.
    #[error(transparent)]
    Properties(#[from] PropertyFileError),
    /// A formula in a file cannot be read.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A property in a file asks for a number.
    #[error("{file}: `{id}` asks for a bound, and not whether a formula holds; ask for the bound of its places")]
    NoFormula {
        /// The file.
        file: String,
        /// The property.
        id: String,
    },
    /// A file cannot be read.
    #[error("cannot read {file}: {error}")]
    Open {
        /// The file.
        file: String,
        /// Why not.
        error: std::io::Error,
    },
    /// A model cannot be written in a form.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// There is no certificate.
    #[error(transparent)]
    Uncertified(Uncertified),
    /// A model that is no workflow net, and why not.
    #[error("{model}: {error}")]
    NoWorkflow {
        /// Its name.
        model: String,
        /// The problem and the remedy.
        error: String,
    },
    /// A graph with more states than were allowed.
    #[error(
        "more than {0} states are reachable; allow more, or ask for a set of states, which may be as large as it likes"
    )]
    ManyStates(usize),
    /// There is no step of this name, or it is not possible.
    #[error("`{action}` is not possible in this state")]
    NoStep {
        /// The action.
        action: String,
    },
    /// A result does not pass its own check, a run does not replay, or two ways contradict each other: an error of the
    /// program.
    #[error("{0}; this is an error of the program")]
    SelfCheck(String),
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
    Unknown(#[from] StopReason),
}

impl Error {
    /// The place in a file that it is about: its name, and line and column from 1, as far as they are known.
    ///
    /// ```
    /// let file = std::env::temp_dir().join(format!("starset-{}.counters", std::process::id()));
    /// std::fs::write(&file, "machine m\nconter x = 0\n").unwrap();
    /// let error = starset::Model::read(&file).unwrap_err();
    /// assert_eq!(error.place(), (Some(file.display().to_string()), Some(2), None));
    /// # std::fs::remove_file(&file).unwrap();
    /// ```
    pub fn place(&self) -> (Option<String>, Option<usize>, Option<usize>) {
        match self {
            Error::Read(error) => error.place(),
            Error::Formula(error) => (None, Some(error.line), Some(error.column)),
            Error::Save { file, .. } | Error::Open { file, .. } | Error::NoFormula { file, .. } => {
                (Some(file.clone()), None, None)
            }
            Error::Properties(PropertyFileError::Open { file, .. })
            | Error::Saved(
                SavedError::Open { file, .. }
                | SavedError::Load { file, .. }
                | SavedError::Foreign { file, .. }
                | SavedError::Match { file, .. }
                | SavedError::Unreachable { file, .. },
            ) => (Some(file.clone()), None, None),
            _ => (None, None, None),
        }
    }
}

impl From<Uncertified> for Error {
    fn from(error: Uncertified) -> Self {
        match error {
            Uncertified::Stopped(stop) => Error::Unknown(stop),
            error => Error::Uncertified(error),
        }
    }
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
            SavedError::Stopped(stop) => stop.into(),
            error => Error::Saved(error),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Model;

    /// Sets and files of formulas that are not there, or are none, are told with their names.
    #[test]
    fn files_have_their_names() {
        let model = Model::read("models/philo-5.pnml").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let [none, wrong] = ["none", "wrong"].map(|name| folder.path().join(name));
        std::fs::write(&wrong, "no set").unwrap();
        let errors = [model.load_set(&none).unwrap_err(), model.formulas(&none).unwrap_err()];
        errors.iter().for_each(|error| assert_eq!(error.place(), (Some(none.display().to_string()), None, None)));
        assert_eq!(model.load_set(&wrong).unwrap_err().place().0, Some(wrong.display().to_string()));
    }
}

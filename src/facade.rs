//! The simple case: a model from a file, a formula as text, an answer.
//!
//! Everything here is owned. Limits are a [`Budget`], whose flag is the way to cancel from another thread; the rest is as
//! the program does it by default. Who wants more uses [`crate::decide`].

use crate::budget::Budget;
use crate::decide::{
    Answer, Asked, Explained, Figure, Listener, Question, Settings, Subject, Technique, Value, decide,
};
use crate::formula::{ParseError, Pool, parse};
use crate::halt::Halt;
use crate::kinds::{self, Kind, Loaded, ReadError, Reading};
use crate::report::witness::{Names, text};
use crate::symbolic::Route;
use num_bigint::BigUint;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What can go wrong in the simple case.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The formula cannot be read.
    #[error(transparent)]
    Formula(#[from] ParseError),
    /// A number is not known, and why.
    #[error(transparent)]
    Unknown(#[from] Halt),
}

/// A model that was read from a file, of any kind.
///
/// ```
/// use starset::Model;
/// let model = Model::read("models/philo-5.pnml")?;
/// assert_eq!(model.states()?.to_string(), "243");
/// assert_eq!(model.check("AG #Fork_0 <= 1")?.verdict(), Some(true));
/// let answer = model.check("AG !deadlock")?;
/// assert_eq!(answer.verdict(), Some(false));
/// assert!(answer.witness().is_some_and(|run| run.contains("deadlock")));
/// # Ok::<(), starset::Error>(())
/// ```
#[derive(Debug)]
pub struct Model {
    loaded: Loaded,
    budget: Budget,
    threads: usize,
}

/// The answer to a formula.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    value: Value,
    technique: Technique,
    witness: Option<String>,
}

impl Verdict {
    /// Does the formula hold in the initial state? `None` if that is not known.
    pub fn verdict(&self) -> Option<bool> {
        match self.value {
            Value::Verdict(verdict) => Some(verdict),
            _ => None,
        }
    }

    /// Why it is not known.
    pub fn reason(&self) -> Option<&Halt> {
        match &self.value {
            Value::Unknown(halt) => Some(halt),
            _ => None,
        }
    }

    /// How it was found.
    pub fn technique(&self) -> Technique {
        self.technique
    }

    /// A run that shows why, in text, if one was found.
    pub fn witness(&self) -> Option<&str> {
        self.witness.as_deref()
    }
}

/// Keeps what it hears of one question.
#[derive(Default)]
struct Keep(Mutex<(Option<Answer>, Option<Explained>)>);

impl Listener for Keep {
    fn answered(&self, answer: Answer) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0 = Some(answer);
    }

    fn explained(&self, _: usize, explained: Explained) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(explained);
    }
}

impl Model {
    /// Read a model: whatever [`kinds::read`] reads, by the name of the file.
    ///
    /// # Errors
    /// What is wrong with the file, where, and what to do.
    pub fn read(path: impl AsRef<Path>) -> Result<Model, Error> {
        let budget = Budget::unlimited();
        let loaded = kinds::read(&[path.as_ref().to_owned()], &Reading::default(), &budget)?;
        Ok(Model { loaded, budget, threads: 1 })
    }

    /// The same model, with limits for each question.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Model { budget, ..self }
    }

    /// The same model, with so many cores for each question.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Model { threads, ..self }
    }

    /// The model itself, for the rest of the library.
    pub fn kind(&self) -> &dyn Kind {
        &*self.loaded.model
    }

    /// Does a formula hold in the initial state? Its paths are those of its logic: docs/semantics.md.
    ///
    /// # Errors
    /// When the text is no formula about this model.
    pub fn check(&self, formula: &str) -> Result<Verdict, Error> {
        let mut pool = Pool::new();
        let formula = parse(formula, &self.loaded.symbols, &mut pool)?;
        let paths = self.kind().default_paths(pool.logic(formula));
        let question = Question::formula(&mut pool, formula, paths, Route::Fixpoints);
        let (answer, explained) = self.ask(&pool, Asked { question, set: false, witness: true });
        let names = Names { model: self.kind(), pool: &pool, symbols: &self.loaded.symbols };
        let witness = match explained {
            Some(Explained::Witness(witness)) => Some(text(&witness, names)),
            _ => None,
        };
        let unknown = Value::Unknown(Halt::Unsupported("nothing was answered"));
        let (value, technique) = answer.map_or((unknown, Technique::None), |a| (a.value, a.technique));
        Ok(Verdict { value, technique, witness })
    }

    /// How many states are reachable.
    ///
    /// # Errors
    /// [`Error::Unknown`] when the budget is used up, or there are infinitely many.
    pub fn states(&self) -> Result<BigUint, Error> {
        let (answer, _) = self.ask(&Pool::new(), Question::Figure(Figure::States).into());
        match answer.map(|answer| answer.value) {
            Some(Value::Number(states)) => Ok(states),
            Some(Value::Unknown(halt)) => Err(halt.into()),
            _ => Err(Halt::Unsupported("there are infinitely many reachable states").into()),
        }
    }

    fn ask(&self, pool: &Pool, asked: Asked) -> (Option<Answer>, Option<Explained>) {
        let keep = Keep::default();
        let subject = Subject { model: self.kind(), groups: &self.loaded.groups, pool };
        let settings = Settings { threads: self.threads, ..Settings::default() };
        decide(subject, &[asked], &settings, &self.budget, &keep);
        keep.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

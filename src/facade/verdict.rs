//! The answer to a formula, and why.

use super::Model;
use super::run::{NamedRun, runs};
use crate::decide::{Explained, Recorded, Technique, Value};
use crate::formula::PathSemantics;
use crate::report::witness::{Names, text};
use crate::stop_reason::StopReason;

/// The answer to a formula.
///
/// ```
/// use starset::Model;
/// use std::time::Duration;
/// let model = Model::read("models/philo-5.pnml")?;
/// let answer = model.check("EF deadlock")?;
/// assert_eq!((answer.verdict(), answer.reason()), (Some(true), None));
/// assert_ne!(answer.technique().name(), "none");
/// assert!(answer.witness().is_some());
/// let answer = model.with_time(Duration::ZERO).check("EF deadlock")?;
/// assert_eq!(answer.verdict(), None);
/// assert_eq!(answer.reason().map(|stop| stop.to_string()).as_deref(), Some("out of time"));
/// # Ok::<(), starset::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    formula: String,
    paths: PathSemantics,
    finite: bool,
    value: Value,
    technique: Technique,
    witness: Option<String>,
    runs: Vec<NamedRun>,
    vacuous: Option<bool>,
}

impl Verdict {
    /// The verdict from the record of a question about a model.
    pub(super) fn new(
        heard: Recorded,
        names: Names<'_>,
        model: &Model,
        (formula, paths, finite): (&str, PathSemantics, bool),
        vacuous: Option<bool>,
    ) -> Self {
        let (witness, runs) = match heard.explained {
            Some(Explained::Witness(witness)) => (Some(text(&witness, names, None)), runs(&witness, names, model)),
            _ => (None, Vec::new()),
        };
        let unknown = Value::Unknown(StopReason::Unsupported("nothing was answered"));
        let (value, technique) = heard.answer.map_or((unknown, Technique::None), |a| (a.value, a.technique));
        Verdict { formula: formula.to_owned(), paths, finite, value, technique, witness, runs, vacuous }
    }

    /// The formula.
    pub fn formula(&self) -> &str {
        &self.formula
    }

    /// The semantics of paths.
    pub fn paths(&self) -> PathSemantics {
        self.paths
    }

    /// Is it about finite runs instead ([`Model::with_finite_runs`])?
    pub fn is_about_finite_runs(&self) -> bool {
        self.finite
    }

    /// Where the formula is about fair paths or finite runs alone: does none begin in the initial state (of several: in some of
    /// them)? There `E φ` is false and `A φ` true, whatever φ. `None` where all paths count, or this is not known.
    ///
    /// ```
    /// use starset::Model;
    /// let model = Model::read("models/philo-5.pnml")?;
    /// assert_eq!(model.check("G false")?.is_vacuous(), None);
    /// let answer = model.clone().with_fairness(&["justice false"])?.check("G false")?;
    /// assert_eq!((answer.verdict(), answer.is_vacuous()), (Some(true), Some(true)));
    /// assert_eq!(model.with_finite_runs(None)?.check("G false")?.is_vacuous(), Some(false));
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn is_vacuous(&self) -> Option<bool> {
        self.vacuous
    }

    /// Does the formula hold in the initial state? `None` if that is not known.
    pub fn verdict(&self) -> Option<bool> {
        match self.value {
            Value::Verdict(verdict) => Some(verdict),
            _ => None,
        }
    }

    /// Why it is not known.
    pub fn reason(&self) -> Option<&StopReason> {
        match &self.value {
            Value::Unknown(stop) => Some(stop),
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

    /// The runs of the witness; the first begins in an initial state, the others in states of earlier ones.
    ///
    /// ```
    /// use starset::Model;
    /// use starset::witness::End;
    /// let model = Model::read("models/philo-5.pnml")?;
    /// let answer = model.check("EF deadlock")?;
    /// let [run] = answer.runs() else { panic!("one run") };
    /// assert_eq!(run.states().len(), run.steps().len() + 1);
    /// assert_eq!(run.states()[0], model.initial());
    /// assert!(run.states().last().is_some_and(|state| state.enabled().is_empty()));
    /// assert_eq!(run.end(), End::Deadlock);
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn runs(&self) -> &[NamedRun] {
        &self.runs
    }
}

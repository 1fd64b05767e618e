//! The examinations of the Model Checking Contest: which questions each of them asks.
//!
//! [`questions`] turns an examination and its properties into questions for [`crate::decide`], and [`run`] asks them.
//! The path semantics are those of the contest ([`Examination::paths`]). Of the unfolding of a coloured net the global
//! properties speak of coloured places and transitions ([`Groups`]).
//!
//! ```
//! use starset::budget::Budget;
//! use starset::decide::{Settings, Subject, Value};
//! use starset::examination::{Event, Examination, run};
//! use starset::formula::Pool;
//! use starset::model::Groups;
//! use starset::net::NetBuilder;
//! let mut b = NetBuilder::new("buffer");
//! let (free, full) = (b.place("free", 3)?, b.place("full", 0)?);
//! let put = b.transition("put")?;
//! b.input(free, put, 1)?;
//! b.output(put, full, 1)?;
//! let net = b.build()?;
//! let (groups, mut pool) = (Groups::single(&net), Pool::new());
//! let states = std::sync::Mutex::new(None);
//! let keep = |event: Event| match event {
//!     Event::Answer(answer) if answer.id == "STATES" => *states.lock().unwrap() = Some(answer.value),
//!     Event::Answer(_) => {}
//!     Event::Fault(id, fault) => panic!("{id}: {fault}"),
//! };
//! let settings = Settings::default();
//! run((&net, &groups), Examination::StateSpace, &[], &mut pool, &settings, &Budget::unlimited(), &keep);
//! assert_eq!(states.into_inner().unwrap(), Some(Value::Number(4u32.into())));
//! # Ok::<(), starset::net::BuildError>(())
//! ```

mod answer;
#[doc(hidden)]
pub mod batch;
mod each;
#[doc(hidden)]
pub mod rers;
#[cfg(test)]
mod tests;

pub use answer::{Answer, Event, Examination, UnknownExamination};
pub use each::{Each, OfOne, each_of};

use crate::budget::Budget;
use crate::decide::{
    self, Fault, Global, Listener, Question, Request, Settings, Statistic, Subject, Technique, Value, decide,
};
use crate::files;
use crate::formula::{Pool, Property, PropertyError, PropertyQuestion, Symbols, read_properties};
use crate::kinds::Kind;
use crate::model::Groups;
use crate::stop_reason::StopReason;
use crate::symbolic::Route;
use std::path::Path;

/// Read the property file of an examination from the folder of an instance, or an archive of it; no properties for an
/// examination that has no such file.
///
/// # Errors
/// The fault of the file, as a message that names it.
pub fn read(
    folder: &Path,
    examination: Examination,
    symbols: &Symbols,
    pool: &mut Pool,
) -> Result<Vec<Property>, QuestionsError> {
    if !examination.has_properties() {
        return Ok(Vec::new());
    }
    let file = format!("{}.xml", examination.name());
    let name = folder.join(&file).display().to_string();
    let file = files::open_in(folder, &file).map_err(|error| QuestionsError::Open { name: name.clone(), error })?;
    Ok(read_properties(file, &name, symbols, pool)?)
}

/// The reason why the questions of an examination could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QuestionsError {
    /// The file cannot be opened.
    #[error("{name}: {error}")]
    Open {
        /// The file.
        name: String,
        /// Why not.
        error: std::io::Error,
    },
    /// The file is not a property file for this net.
    #[error(transparent)]
    Property(#[from] PropertyError),
}

/// The questions of an examination, each with its identifier; `None` for a property that does not belong to it.
pub fn questions(
    examination: Examination,
    properties: &[Property],
    pool: &mut Pool,
) -> Vec<(String, Option<Question>)> {
    let whole = |global| vec![(examination.name().to_owned(), Some(Question::Global(global)))];
    let statistic = |(id, statistic): (&str, Statistic)| (id.to_owned(), Some(Question::Statistic(statistic)));
    match examination {
        Examination::StateSpace => [
            ("STATES", Statistic::States),
            ("TRANSITIONS", Statistic::Transitions),
            ("MAX_TOKEN_IN_PLACE", Statistic::MaxInVariable),
            ("MAX_TOKEN_PER_MARKING", Statistic::MaxInState),
        ]
        .map(statistic)
        .into(),
        Examination::OneSafe => whole(Global::OneSafe),
        Examination::StableMarking => whole(Global::StableMarking),
        Examination::QuasiLiveness => whole(Global::QuasiLiveness),
        Examination::Liveness => whole(Global::Liveness),
        Examination::ReachabilityDeadlock => whole(Global::Deadlock),
        _ => {
            let bounds = examination == Examination::UpperBounds;
            let mut question = |property: &Property| match &property.query {
                PropertyQuestion::Refused(error) => Some(Question::Unreadable(error.to_string())),
                PropertyQuestion::Bound(places) => bounds.then(|| Question::Bound(places.clone())),
                PropertyQuestion::Steps(_) => None,
                &PropertyQuestion::Formula(formula) => {
                    let paths = examination.paths();
                    let formula = pool.under(formula, &property.assumptions);
                    (!bounds).then(|| Question::formula(pool, formula, paths, Route::Fixpoints))
                }
            };
            properties.iter().map(|property| (property.id.clone(), question(property))).collect()
        }
    }
}

/// Run an examination. `hear` is called with exactly one answer for every question, as soon as that is known, or in the
/// end with [`Value::Unknown`]; and with faults that are found out.
pub fn run(
    (model, groups): (&dyn Kind, &Groups),
    examination: Examination,
    properties: &[Property],
    pool: &mut Pool,
    settings: &Settings<'_>,
    budget: &Budget,
    hear: &(dyn Fn(Event) + Sync),
) {
    let (mut ids, mut asked) = (Vec::new(), Vec::new());
    for (id, question) in questions(examination, properties, pool) {
        match question {
            Some(question) => {
                ids.push(id);
                asked.push(Request::from(question));
            }
            None => {
                let value = Value::Unknown(StopReason::Unsupported("the property does not belong to this examination"));
                hear(Event::Answer(Answer { id, value, technique: Technique::None }));
            }
        }
    }
    ask(Subject { model, groups, pool }, (&ids, &asked), settings, budget, hear);
}

/// Ask questions that have identifiers. `hear` is called as by [`run`].
pub fn ask(
    subject: Subject<'_>,
    (ids, requests): (&[String], &[Request]),
    settings: &Settings<'_>,
    budget: &Budget,
    hear: &(dyn Fn(Event) + Sync),
) {
    decide(subject, requests, settings, budget, &Naming { ids, hear });
}

/// Gives answers the identifiers of their questions.
struct Naming<'a> {
    ids: &'a [String],
    hear: &'a (dyn Fn(Event) + Sync),
}

impl Listener for Naming<'_> {
    fn answered(&self, decide::Answer { question, value, technique, .. }: decide::Answer) {
        (self.hear)(Event::Answer(Answer { id: self.ids[question].clone(), value, technique }));
    }

    fn faulty(&self, question: usize, fault: Fault) {
        (self.hear)(Event::Fault(self.ids[question].clone(), fault));
    }
}

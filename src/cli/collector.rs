//! Where what the decider finds is put together, question by question.
//!
//! Answers come in any order, and each in parts: the verdict, then perhaps a sat-set and a witness. What of them is
//! printed when is the concern of [`super::answers`].

use super::asking::Common;
use super::console::Console;
use super::formulas::NamedQuestion;
use super::ways::Engine;
use super::{Failure, Status};
use starset::StopReason;
use starset::automaton::TranslationError;
use starset::budget::Exhausted;
use starset::cross::{quoted, reproduce};
use starset::decide::{self, Agreement, Answer, Comparison, Explained, Fault, Request, Value};
use starset::formula::Pool;
use starset::kinds::Loaded;
use starset::report::fields::Fields;
use starset::report::formulas::{Explored, QuestionReport, SetReport};
use starset::report::witness::Names;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Something that the decider has found.
pub(super) enum Event {
    /// An answer, and when.
    Answered(Answer, Duration),
    /// Why an answer is as it is.
    Explained(usize, Explained),
    /// The sat-set of a question, or the loaded set.
    Set(Option<usize>, Result<SetReport, Failure>),
    /// The reachable set.
    Explored(Explored),
    /// An error of the program.
    Faulty(usize, Fault),
    /// The values of two engines.
    Compared(Vec<Comparison>),
}

/// The printing of a record.
#[derive(Default)]
pub(super) struct Printing {
    /// Since when it could be printed.
    pub(super) ready: Option<Instant>,
    pub(super) printed: bool,
    /// As it was printed, if as JSON.
    pub(super) shown: Option<Fields>,
}

/// How a command went.
#[derive(Clone, Copy, Default)]
pub(super) struct Summary {
    /// A witness did not replay, or ways disagree.
    pub(super) broken: bool,
    pub(super) unknown: bool,
    /// A formula has no value.
    pub(super) undefined: bool,
    /// A property is false.
    pub(super) refuted: bool,
}

impl Summary {
    /// Both this and another.
    pub(super) fn add(&mut self, other: Summary) {
        self.broken |= other.broken;
        self.unknown |= other.unknown;
        self.undefined |= other.undefined;
        self.refuted |= other.refuted;
    }

    /// The status to end with.
    pub(super) fn status(self) -> Status {
        match self {
            Summary { broken: true, .. } => Status::SelfCheck,
            Summary { undefined: true, .. } => Status::Undefined,
            Summary { unknown: true, .. } => Status::Unknown,
            _ => Status::Answered,
        }
    }
}

/// A formula that something is said of, and the options with which it was asked.
struct Claim {
    id: String,
    formula: String,
    paths: String,
    options: String,
}

/// Puts answers in order and prints them.
pub(super) struct Collector<'a> {
    pub(super) args: &'a Common,
    pub(super) model: &'a Loaded,
    pub(super) names: Names<'a>,
    asked: &'a [Request],
    reproducers: &'a Path,
    /// The engine that is asked.
    pub(super) engine: Engine,
    /// Are sets asked for, beside verdicts?
    pub(super) sets: bool,
    /// Are the answers of two engines compared? Then all come at the end.
    pub(super) compares: bool,
    /// The loaded set, if there is one, then the questions.
    pub(super) records: Vec<QuestionReport>,
    /// The printing of each of them.
    pub(super) printing: Vec<Printing>,
    pub(super) loaded: bool,
    /// Of each question, where its answer comes among those about other models; empty if there are none.
    pub(super) turns: Vec<usize>,
    /// The questions whether there are fair paths, by number: the records that they are about, and whether they are
    /// answered.
    pub(super) fair: BTreeMap<usize, (Vec<usize>, bool)>,
    pub(super) space: Option<Explored>,
    /// How many traces have been printed.
    pub(super) traces: usize,
    pub(super) summary: Summary,
    /// Why something stayed unknown that has to do with the limits.
    pub(super) stops: Vec<StopReason>,
}

impl<'a> Collector<'a> {
    /// A desk without questions.
    pub(super) fn new(
        args: &'a Common,
        model: &'a Loaded,
        pool: &'a Pool,
        asked: &'a [Request],
        reproducers: &'a Path,
    ) -> Self {
        Collector {
            args,
            model,
            names: Names { model: &*model.model, pool, symbols: &model.symbols },
            asked,
            reproducers,
            engine: Engine::Auto,
            sets: false,
            compares: false,
            records: Vec::new(),
            printing: Vec::new(),
            loaded: false,
            turns: Vec::new(),
            fair: BTreeMap::new(),
            space: None,
            traces: 0,
            summary: Summary::default(),
            stops: Vec::new(),
        }
    }

    /// One more question.
    pub(super) fn add(&mut self, question: &NamedQuestion) {
        let asked = self.asked.get(self.records.len() - usize::from(self.loaded));
        let automaton = matches!(question.asked, decide::Question::Automaton { .. });
        let formula = match &question.asked {
            decide::Question::Formula { linear, .. } => Some(*linear),
            _ => None,
        };
        self.push(QuestionReport {
            formula,
            written: question.written.clone(),
            invariant: question.invariant,
            logic: question.logic.map(|logic| logic.to_string()).or(automaton.then(|| "automaton".to_owned())),
            // A formula that is asked by an automaton is about finite runs.
            paths: match question.logic {
                Some(_) if self.args.formulas.is_finite() => Some("finite".to_owned()),
                _ => question.paths().map(|paths| paths.to_string()),
            },
            assumptions: question.fair.iter().flat_map(|fair| fair.texts.iter().cloned()).collect(),
            wants_set: asked.is_some_and(|asked| asked.set),
            wants_witness: asked.is_some_and(|asked| asked.witness),
            ..QuestionReport::new(question.id.clone(), question.text.clone())
        });
    }

    /// The loaded set comes first; `text` is what the file says that it is the set of.
    pub(super) fn add_loaded(&mut self, text: &str) {
        self.loaded = true;
        self.push(QuestionReport { wants_set: true, ..QuestionReport::new("loaded".to_owned(), text.to_owned()) });
    }

    fn push(&mut self, record: QuestionReport) {
        self.records.push(record);
        self.printing.push(Printing::default());
    }

    /// Hear the decider out.
    pub(super) fn listen(&mut self, events: &Receiver<Event>, console: &mut Console) -> Result<(), Failure> {
        loop {
            let event = match self.deadline() {
                Some(deadline) => events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(event) => self.hear(event, console)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.print_ready(console)?;
        }
    }

    fn hear(&mut self, event: Event, console: &Console) -> Result<(), Failure> {
        let offset = usize::from(self.loaded);
        match event {
            Event::Answered(answer, after) => {
                // It will fail for the other formulas too.
                if let Value::Unknown(StopReason::Translation(error @ TranslationError::Tool { .. })) = &answer.value {
                    return Err(Failure::Input(error.to_string()));
                }
                if let Some((about, answered)) = self.fair.get_mut(&answer.question) {
                    *answered = true;
                    for &record in &*about {
                        if let (Some(record), &Value::Verdict(exists)) = (self.records.get_mut(record), &answer.value) {
                            record.fair_path = Some(exists);
                        }
                    }
                    return Ok(());
                }
                match self.records.get_mut(answer.question + offset) {
                    Some(record) => (record.answer, record.after) = (Some(answer), after),
                    // The reachable set, which only the loaded set needs.
                    None => self.answer_loaded(answer, after),
                }
            }
            Event::Explained(question, explained) => {
                let Some(record) = self.records.get_mut(question + offset) else { return Ok(()) };
                match &explained {
                    Explained::Witness(witness) => self.args.witness.draw(&record.id, witness, self.names)?,
                    Explained::Broken(broken) => record.doubt = Some(broken.to_string()),
                    Explained::State(_) | Explained::Missing(_) => {}
                }
                record.explained = Some(explained);
            }
            Event::Set(question, report) => {
                let Some(record) = self.records.get_mut(question.map_or(0, |question| question + offset)) else {
                    return Ok(());
                };
                let report = match report {
                    Err(Failure::Unknown(_)) => return Ok(()),
                    report => report?,
                };
                if let Some(Value::Verdict(verdict)) = record.answer.as_ref().map(|answer| &answer.value)
                    && *verdict != report.holds
                {
                    let holds = report.holds;
                    record.doubt = Some(format!("the verdict is {verdict}, but that of the sat-set is {holds}"));
                }
                record.set = Some(report);
            }
            Event::Explored(space) => self.space = Some(space),
            Event::Faulty(question, Fault::Contradiction { one: (one, by), other: (other, otherwise) }) => {
                self.disagreement(question, (by.name(), &one), (otherwise.name(), &other), console)?;
            }
            Event::Faulty(question, fault @ Fault::Unconfirmed { .. }) => {
                self.unconfirmed(question, &fault, console)?
            }
            Event::Compared(comparisons) => {
                self.compares = false;
                for comparison in comparisons {
                    self.compared(&comparison, console)?;
                }
            }
        }
        Ok(())
    }

    /// The size of the reachable set is known, or will not be: so is the loaded set, then.
    fn answer_loaded(&mut self, answer: Answer, after: Duration) {
        let Some(record) = self.records.first_mut().filter(|_| self.loaded) else { return };
        let value = match (&answer.value, &record.set) {
            (Value::Unknown(_), _) => answer.value.clone(),
            (_, Some(set)) => Value::Verdict(set.holds),
            // Only the limits can have kept it.
            (_, None) => Value::Unknown(Exhausted::Time.into()),
        };
        (record.answer, record.after) = (Some(Answer { value, ..answer }), after);
    }

    /// The values of two engines for a question.
    fn compared(&mut self, comparison: &Comparison, console: &Console) -> Result<(), Failure> {
        let Comparison { question, symbolic, explicit } = comparison;
        let agreement = comparison.agreement();
        if agreement == Agreement::Different {
            self.disagreement(*question, ("symbolic", symbolic), ("explicit", explicit), console)?;
        }
        let Some(record) = self.records.get_mut(*question) else { return Ok(()) };
        record.agreement = Some(agreement);
        if let (Agreement::Missing, Value::Unknown(stop)) = (agreement, explicit)
            && !matches!(symbolic, Value::Unknown(_))
        {
            console.note(format_args!("{}: not compared: explicit search: {stop}", record.id));
        }
        Ok(())
    }

    /// Leave files that reproduce a claim whose run does not replay. The answer is that of another way.
    fn unconfirmed(&mut self, question: usize, fault: &Fault, console: &Console) -> Result<(), Failure> {
        self.summary.broken = true;
        let Some(claim) = self.claim(question) else { return Ok(()) };
        let Claim { id, formula, paths, options } = &claim;
        let note = reproduce(self.reproducers, &*self.model.model, id, |model| {
            let command = format!("starset check {model}{options} -f {}", quoted(formula));
            format!("formula: {formula}\npaths: {paths}\nfault: {fault}\ncommand: {command}\n")
        });
        let note = note.map_err(Failure::Input)?;
        console.note(format_args!("{id}: internal error: {fault}: please report {}", note.display()));
        Ok(())
    }

    /// Leave files that reproduce a disagreement, and doubt the answer.
    fn disagreement(
        &mut self,
        question: usize,
        (by, says): (&str, &Value),
        (otherwise, contradicts): (&str, &Value),
        console: &Console,
    ) -> Result<(), Failure> {
        let Some(claim) = self.claim(question) else { return Ok(()) };
        let Claim { id, formula, paths, options } = &claim;
        let note = reproduce(self.reproducers, &*self.model.model, id, |model| {
            let command = format!("starset check {model} --engine both{options} -f {}", quoted(formula));
            format!(
                "formula: {formula}\npaths: {paths}\n{by}: {says}\n{otherwise}: {contradicts}\ncommand: {command}\n"
            )
        });
        let note = note.map_err(Failure::Input)?;
        let doubt = format!("{by} says {says}, {otherwise} says {contradicts}: please report {}", note.display());
        match self.records.get_mut(question + usize::from(self.loaded)) {
            Some(record) => record.doubt = Some(doubt),
            None => {
                // Whether there is a path of the wanted sort: the verdicts beside are not in doubt.
                self.summary.broken = true;
                console.note(format_args!("{id}: internal error: {doubt}"));
            }
        }
        Ok(())
    }

    /// What is said in files that reproduce a fault about a question: one of the records, or whether there are paths of the
    /// sort that some of them are about.
    fn claim(&self, question: usize) -> Option<Claim> {
        if let Some(record) = self.records.get(question + usize::from(self.loaded)) {
            let paths = record.paths.as_deref().unwrap_or("maximal");
            let mut options = format!(" --paths {paths}");
            if let Some(last) = self.args.formulas.final_text() {
                options += &format!(" --final {}", quoted(last));
            }
            let paths = paths.to_owned();
            return Some(Claim { id: record.id.clone(), formula: self.said(record), paths, options });
        }
        let (about, _) = self.fair.get(&question)?;
        let id = format!("{}-paths", self.records.get(*about.first()?)?.id);
        let decide::Question::Formula { linear, paths, .. } = &self.asked.get(question)?.question else { return None };
        let formula = self.names.pool.display(*linear, self.names.symbols).to_string();
        Some(Claim { id, formula, paths: paths.to_string(), options: format!(" --paths {paths}") })
    }

    /// The formula that was decided: under assumptions, one that says what they say.
    fn said(&self, record: &QuestionReport) -> String {
        match record.formula {
            Some(formula) if !record.assumptions.is_empty() => {
                self.names.pool.display(formula, self.names.symbols).to_string()
            }
            _ => record.text.clone(),
        }
    }

    /// Is it known whether fair paths begin in the initial state, where that has to be said of a record?
    pub(super) fn knows_fair_path(&self, record: usize) -> bool {
        self.fair.values().all(|(about, answered)| *answered || !about.contains(&record))
    }
}

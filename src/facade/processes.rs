//! Processes in the simple case: soundness and times of diagrams of BPMN, rules and event logs.
//!
//! A diagram is read from its file anew, if it is still the same file, with the defaults of docs/processes.md: who asks
//! wants the elements, not the net.

use super::{Error, Model};
use crate::budget::Budget;
use crate::formula::Naming;
use crate::kinds::bpmn::diagram::NodeId;
use crate::kinds::bpmn::layout::{Layout, read_layout};
use crate::kinds::bpmn::{Environment, NoTime, ReadProcess, is_bpmn, read_bpmn, timed};
use crate::kinds::clocks::markings::ExploreError;
use crate::kinds::{ReadError, TextError};
use crate::processes::{Answers, NoAnswers, in_time, soundness};
use crate::report::fields::Fields;
use crate::report::traces::Ruled;
use crate::report::{processes, traces};
use crate::traces::{Behaviour, Labelled, LogReading, NoAnswer, Rule, TimedBehaviour, read_log, read_rules, replay};
use std::path::Path;

/// Is a diagram of BPMN sound, in each of the notions? See [`Model::process_soundness`].
#[derive(Debug)]
pub struct ProcessSoundness {
    process: ReadProcess,
    layout: Layout,
    answers: Answers,
}

impl ProcessSoundness {
    /// The notions with their answers, by their names in JSON; `None` for what is not known.
    pub fn notions(&self) -> [(&'static str, Option<bool>); 11] {
        self.answers.verdicts().map(|(_, key, verdict)| (key, verdict))
    }

    /// Why some of them are not known.
    pub fn reason(&self) -> Option<&'static str> {
        self.answers.stopped.as_ref().map(processes::reason)
    }

    /// The runs that refute something, each with the name in JSON of what it refutes: the names of their steps.
    pub fn runs(&self) -> Vec<(&'static str, Vec<&str>)> {
        let name = |&step: &usize| self.process.net.transitions[step].name.as_str();
        self.answers.runs().map(|(_, key, run)| (key, run.iter().map(name).collect())).collect()
    }

    /// Activities that never begin.
    pub fn dead(&self) -> Vec<&str> {
        let shown = |&node: &NodeId| self.process.diagram.nodes[node].shown();
        self.answers.dead.iter().map(shown).collect()
    }

    /// The answers line by line, with runs that refute what is refuted.
    pub fn text(&self) -> Vec<String> {
        processes::text(&self.process.net, &self.answers)
    }

    /// The same as an object of JSON, as `starset soundness --json` prints it: docs/json.md.
    pub fn fields(&self) -> Fields {
        let ReadProcess { file, diagram, net } = &self.process;
        processes::fields(file, net, &diagram.warnings, &self.answers)
    }

    /// The same as a page for a browser, with the runs on the diagram as it is drawn.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn page(&self) -> Result<String, Error> {
        let page = processes::page(&self.process, &self.layout, &self.answers);
        page.map_err(|error| Error::SelfCheck(error.to_string()))
    }
}

impl Model {
    /// Is this a diagram of BPMN, in a file?
    pub fn is_process(&self) -> bool {
        self.shared.source.as_ref().is_some_and(|source| is_bpmn(source.path()))
    }

    fn process(&self) -> Result<(&Path, ReadProcess), Error> {
        match self.shared.source.as_ref().filter(|source| is_bpmn(source.path())) {
            Some(source) => {
                let path = source.unchanged()?;
                Ok((path, read_bpmn(path, Environment::default())?))
            }
            None => Err(self.no_workflow(&"it is no diagram of BPMN in a file")),
        }
    }

    /// Is a diagram of BPMN sound, in the notions of docs/processes.md?
    ///
    /// ```
    /// use starset::Model;
    /// let soundness = Model::read("models/order.bpmn")?.process_soundness()?;
    /// assert_eq!(soundness.notions()[0], ("sound", Some(true)));
    /// assert_eq!(soundness.runs()[0].0, "clean");
    /// assert!(soundness.dead().is_empty() && soundness.page()?.contains("<svg"));
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoWorkflow`] when it is no diagram of BPMN.
    pub fn process_soundness(&self) -> Result<ProcessSoundness, Error> {
        let (path, process) = self.process()?;
        let layout = read_layout(path)?;
        let answers = self.run(|budget| soundness(&process.net, budget))?;
        Ok(ProcessSoundness { process, layout, answers })
    }

    /// The same with the durations of timers, and when each step can happen, as `starset soundness --timers --json`
    /// prints it.
    ///
    /// ```
    /// let times = starset::Model::read("models/order.bpmn")?.process_times()?;
    /// assert_eq!(serde_json::to_value(&times).map(|times| times["sound"] == true).ok(), Some(true));
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoWorkflow`] when it is no diagram of BPMN, or has no time that is known; [`Error::Unknown`] when the budget
    /// is used up.
    pub fn process_times(&self) -> Result<Fields, Error> {
        let (_, process) = self.process()?;
        let answers = self.run(|budget| in_time(&process, budget)).map_err(|error| match error {
            NoAnswers::NoTime(NoTime::Exhausted(exhausted))
            | NoAnswers::Explore(ExploreError::Exhausted(exhausted)) => exhausted.into(),
            NoAnswers::Broken(_) => Error::SelfCheck(error.to_string()),
            error => self.no_workflow(&error),
        })?;
        Ok(processes::timed_fields(&process.file, &process.net, &answers))
    }

    /// Do the complete runs of a diagram, or a net, keep the rules in a file? As `starset rules --json` prints it; those of
    /// a diagram with the durations of its timers where a rule has a time (`within P5D`).
    ///
    /// ```
    /// let rules = starset::Model::read("models/order.bpmn")?.rules("models/order.rules")?;
    /// let rules = serde_json::to_value(&rules).unwrap_or_default();
    /// assert_eq!(rules["rules"][0]["all"], true);
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// The fault of the file of rules; [`Error::NoWorkflow`] when the model has no activities.
    pub fn rules(&self, rules: impl AsRef<Path>) -> Result<Fields, Error> {
        let rules = read(rules.as_ref())?;
        let file = self.shared.source.as_ref().map_or(String::new(), |source| source.path().display().to_string());
        let in_time = rules.iter().any(|rule| rule.deadline.is_some());
        self.labelled(|name, model, process, budget| {
            if !in_time {
                let behaviour = Behaviour::explore(model, budget)?;
                return Ok(traces::rules(&file, &Ruled::without_time(name, model, &behaviour, &rules, budget)));
            }
            let process = process.ok_or_else(|| self.no_workflow(&"rules with `within` are about diagrams here"))?;
            let time = timed(process, budget).map_err(|error| match error {
                NoTime::Exhausted(exhausted) => exhausted.into(),
                error => self.no_workflow(&error),
            })?;
            let behaviour = TimedBehaviour::process(model, time);
            let ruled = Ruled::in_time(name, model, &behaviour, &rules, budget).map_err(|error| match error {
                NoAnswer::Broken(_) => Error::SelfCheck(error.to_string()),
                error => self.no_workflow(&error),
            })?;
            Ok(traces::rules(&file, &ruled))
        })
    }

    /// Does a diagram, or a net, have the traces of an event log, and do these keep rules? As `starset replay --json`
    /// prints it.
    ///
    /// ```
    /// let replayed = starset::Model::read("models/order.bpmn")?.replay("models/orders.csv", None)?;
    /// let replayed = serde_json::to_value(&replayed).unwrap_or_default();
    /// assert!(replayed["variants"].is_array());
    /// # Ok::<(), starset::Error>(())
    /// ```
    ///
    /// # Errors
    /// The fault of the log or of the rules; [`Error::NoWorkflow`] when the model has no activities.
    pub fn replay(&self, log: impl AsRef<Path>, rules: Option<&Path>) -> Result<Fields, Error> {
        let asked = rules.map_or(Ok(Vec::new()), read)?;
        let beyond = asked.iter().find_map(|rule| Some((&rule.id, rule.beyond_logs()?)));
        if let (Some(path), Some((id, why))) = (rules, beyond) {
            return Err(at(&path.display().to_string(), 1, format!("rule {id}: {why}")));
        }
        let file = log.as_ref().display().to_string();
        let log = read_log(log.as_ref(), &LogReading::default());
        let log = log.map_err(|error| at(&error.file, error.line as usize, error.message))?;
        self.labelled(|model_name, model, _, budget| {
            let found = replay(&log, model, &asked, budget);
            let replayed = traces::Replayed { file: &file, log: &log, model_name, model, rules: &asked, found: &found };
            Ok(traces::fields(&replayed))
        })
    }

    /// Asks the model as one of traces.
    fn labelled<T: Send>(
        &self,
        ask: impl FnOnce(&str, &Labelled<'_>, Option<&ReadProcess>, &Budget) -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        if self.is_process() {
            let (_, process) = self.process()?;
            let model = Labelled::process(&process, Naming::Either);
            return self.run(|budget| ask(&process.net.name, &model, Some(&process), budget));
        }
        let net = self.kind().as_net().ok_or_else(|| self.no_workflow(&"it has no labels of activities"))?;
        let model = Labelled::net(net, Naming::Either);
        let model = model.ok_or_else(|| self.no_workflow(&"it has too many tokens in a place"))?;
        self.run(|budget| ask(self.name(), &model, None, budget))
    }
}

fn read(rules: &Path) -> Result<Vec<Rule>, Error> {
    let read = read_rules(rules).map_err(|error| at(&error.file, error.line, error.message))?;
    Ok(read.0)
}

/// What is wrong at a line of a file.
fn at(file: &str, line: usize, message: String) -> Error {
    ReadError::from(TextError::new(file, line, message)).into()
}

//! The results of a formula in outputs: outcome, sizes, witness, and a JSON object of all of them.

use super::fields::Fields;
use super::mcc::techniques;
use super::state::{scale, text};
use super::witness::{JsonWitness, Names};
use crate::budget::{Budget, Exhausted};
use crate::decide::{Agreement, Answer, Explained, StateSpace, Technique, Value};
use crate::explicit::Stats;
use crate::formula::FormulaId;
use crate::mdd::Mdd;
use crate::memory::peak_resident_bytes;
use crate::model::State;
use crate::order::Order;
use crate::stop_reason::StopReason;
use crate::witness::Witness;
use num_bigint::BigUint;
use serde::Serialize;
use std::time::Duration;

/// Facts about the reachable set.
pub struct Explored {
    pub order: String,
    /// Which variable is on each level, and how many nodes, from the top. `None` if the diagram is that of a smaller
    /// net.
    pub levels: Option<(Order, Vec<usize>)>,
    pub peak_nodes: usize,
    pub states: Option<BigUint>,
}

impl Explored {
    /// From a state space, or from that of a smaller net that stands for this number of states of the model.
    pub fn of(space: &StateSpace, model_states: Option<&BigUint>, budget: &Budget) -> Self {
        let levels = || (space.order.order.clone(), space.nodes_per_variable());
        Explored {
            order: space.order.name.clone(),
            levels: model_states.is_none().then(levels),
            peak_nodes: space.peak_nodes(),
            states: model_states.cloned().or_else(|| space.meant_states(budget).ok()),
        }
    }
}

/// The effort of explicit search, in JSON.
#[derive(Serialize)]
pub struct Effort {
    states: u64,
    firings: u64,
    bytes: u64,
    filled: u64,
    bits_per_state: u32,
}

impl From<Stats> for Effort {
    fn from(Stats { states, firings, bytes, filled, bits_per_state, .. }: Stats) -> Self {
        Effort { states, firings, bytes, filled, bits_per_state }
    }
}

/// The effort of passes beyond memory that found nothing, in its written form.
#[derive(Serialize)]
struct Passes {
    passes: u32,
    states: u64,
}

/// Numbers of settings of inputs.
pub struct SettingCounts {
    /// How many there are.
    pub of: BigUint,
    /// Those for which all states are in a set.
    pub all: BigUint,
    /// Those for which some state is.
    pub some: BigUint,
}

/// The same in their written form.
#[derive(Serialize)]
struct JsonSettings {
    of: String,
    all: String,
    some: String,
}

impl From<&SettingCounts> for JsonSettings {
    fn from(SettingCounts { of, all, some }: &SettingCounts) -> Self {
        JsonSettings { of: of.to_string(), all: all.to_string(), some: some.to_string() }
    }
}

/// A set, as far as the budget goes.
pub struct SetReport {
    /// Whether all initial states are in it; of a question about some of them, whether one is.
    pub holds: bool,
    /// Its size.
    pub size: Option<BigUint>,
    /// The settings of inputs for which all or some states are in it, where there are inputs.
    pub settings: Option<SettingCounts>,
    /// Some members.
    pub members: Option<Vec<State>>,
    /// The file that it was saved to.
    pub saved: Option<String>,
    /// The reason why something is missing.
    pub stop: Option<StopReason>,
}

impl SetReport {
    /// Count a set, that of a question about `some` initial state or about all, and list some of its lightest members.
    pub fn of(space: &StateSpace, set: &Mdd, some: bool, list: Option<usize>, budget: &Budget) -> Self {
        let mut report = SetReport { holds: false, size: None, settings: None, members: None, saved: None, stop: None };
        let counted = (|| {
            report.holds = space.starts_in(set, some, budget)?;
            let set = &space.meant(set, budget)?;
            report.size = Some(set.count(budget)?);
            let settings = space.settings(set, budget)?;
            report.settings = settings.map(|found| SettingCounts { of: found.of, all: found.all, some: found.some });
            if let Some(most) = list {
                report.members = Some(space.lightest(set, budget)?.take(most).collect());
            }
            Ok::<(), StopReason>(())
        })();
        report.stop = counted.err();
        report
    }
}

/// A question, and what has come of it.
pub struct QuestionReport {
    pub id: String,
    pub text: String,
    /// The formula as a person wrote it.
    pub written: Option<String>,
    /// As it was read and closed, if it is a formula.
    pub formula: Option<FormulaId>,
    /// Is it about all reachable states, as an invariant of the model is?
    pub invariant: bool,
    pub logic: Option<String>,
    pub paths: Option<String>,
    /// The assumptions about paths, as they are written.
    pub assumptions: Vec<String>,
    /// Does a path that satisfies them begin in the initial state (in each, if there are several)? Of finite runs: does one begin
    /// there that ends? As far as it is known.
    pub fair_path: Option<bool>,
    /// The results that are wanted beside the answer.
    pub wants_set: bool,
    pub wants_witness: bool,
    pub answer: Option<Answer>,
    pub after: Duration,
    pub set: Option<SetReport>,
    pub explained: Option<Explained>,
    /// The agreement of two engines, where two are asked.
    pub agreement: Option<Agreement>,
    /// The reason for doubt about the answer, from checks of starset itself.
    pub doubt: Option<String>,
}

/// The state of a question, in words.
pub struct Outcome {
    pub verdict: Option<bool>,
    pub bound: Option<String>,
    pub reason: Option<&'static str>,
    pub message: Option<String>,
}

impl Outcome {
    fn unknown(reason: &'static str, message: String) -> Self {
        Outcome { verdict: None, bound: None, reason: Some(reason), message: Some(message) }
    }

    /// The answer as it is printed.
    pub fn text(&self) -> String {
        match (self.verdict, &self.bound) {
            (Some(verdict), _) => verdict.to_string(),
            (None, Some(bound)) => bound.clone(),
            (None, None) => "unknown".to_owned(),
        }
    }
}

impl QuestionReport {
    /// A question of which nothing is known.
    pub fn new(id: String, text: String) -> Self {
        QuestionReport {
            id,
            text,
            written: None,
            formula: None,
            invariant: false,
            logic: None,
            paths: None,
            assumptions: Vec::new(),
            fair_path: None,
            wants_set: false,
            wants_witness: false,
            answer: None,
            after: Duration::ZERO,
            set: None,
            explained: None,
            agreement: None,
            doubt: None,
        }
    }

    /// The state of the question.
    pub fn outcome(&self) -> Outcome {
        if let Some(doubt) = &self.doubt {
            return Outcome::unknown("self-check", doubt.clone());
        }
        if let Some(stop) = self.set.as_ref().and_then(|set| set.stop.as_ref()) {
            return Outcome::unknown(stop.reason(), stop.to_string());
        }
        let plain = Outcome { verdict: None, bound: None, reason: None, message: None };
        match self.answer.as_ref().map(|answer| &answer.value) {
            Some(Value::Verdict(verdict)) => Outcome { verdict: Some(*verdict), ..plain },
            Some(Value::Unknown(stop)) => Outcome::unknown(stop.reason(), stop.to_string()),
            Some(value) => Outcome { bound: Some(value.to_string()), ..plain },
            None => Outcome::unknown("interrupted", Exhausted::Cancelled.to_string()),
        }
    }

    /// The passes beyond memory that found nothing, if there were some.
    fn passes(&self) -> Option<Passes> {
        match self.answer.as_ref().map(|answer| &answer.value) {
            Some(&Value::Unknown(StopReason::NotFound { passes, states })) => Some(Passes { passes, states }),
            _ => None,
        }
    }

    /// The way that found the answer.
    pub fn technique(&self) -> Technique {
        self.answer.as_ref().map_or(Technique::None, |answer| answer.technique)
    }

    /// The engine that answered, of those that were asked.
    fn engine(&self, asked: &'static str) -> &'static str {
        match (self.agreement, self.technique()) {
            (Some(Agreement::Same), _) => "both",
            (_, Technique::None) => asked,
            (_, technique) => technique.name(),
        }
    }

    /// The witness, unless there is a doubt about the answer.
    pub fn witness(&self) -> Option<&Witness> {
        match &self.explained {
            Some(Explained::Witness(witness)) if self.doubt.is_none() => Some(witness),
            _ => None,
        }
    }

    /// Is nothing to be waited for any more but what is left out?
    pub fn is_complete(&self, set: bool, witness: bool) -> bool {
        let Some(answer) = &self.answer else { return false };
        let known = !matches!(answer.value, Value::Unknown(_));
        let set = set && self.wants_set && known && self.set.is_none();
        let witness = witness && self.wants_witness && self.explained.is_none();
        !(set || witness)
    }

    /// All of it as a JSON object, which docs/json.md describes. `asked` is the engine that was asked.
    pub fn fields(&self, names: Names<'_>, space: Option<&Explored>, asked: &'static str) -> Fields {
        let outcome = self.outcome();
        let technique = self.technique();
        let set = self.set.as_ref();
        let satisfying = set.and_then(|set| set.size.as_ref()).map(BigUint::to_string);
        let uncounted = match set.map(|set| set.stop.as_ref()) {
            _ if !self.wants_set || outcome.verdict.is_none() => None,
            Some(None) => None,
            Some(Some(stop)) => Some(format!("not counted: {stop}")),
            None => Some("not counted in time".to_owned()),
        };
        // What only diagrams know.
        let space = space.filter(|_| technique == Technique::DecisionDiagrams || set.is_some());
        let shown = self.witness().map(|witness| JsonWitness { witness, names });
        let listed = |all: &Vec<State>| {
            all.iter().map(|state| text(names.model, names.symbols, state, usize::MAX)).collect::<Vec<_>>()
        };
        let unshown = match &self.explained {
            Some(Explained::Missing(why)) if outcome.verdict.is_some() || outcome.bound.is_some() => Some(why),
            _ => None,
        };
        Fields::new("starset/check/1")
            .with("model", names.model.name())
            .with("id", &self.id)
            .with("formula", &self.text)
            .with_some("written", self.written.as_ref())
            .with("logic", &self.logic)
            .with("paths", &self.paths)
            .with_some("scale", scale(names.model))
            .with_some("assumptions", (!self.assumptions.is_empty()).then_some(&self.assumptions))
            .with_some(if self.paths.as_deref() == Some("finite") { "finite_run" } else { "fair_path" }, self.fair_path)
            .with("verdict", outcome.verdict)
            .with_some("bound", outcome.bound.as_ref())
            .with("reason", outcome.reason)
            .with("message", &outcome.message)
            .with("satisfying", &satisfying)
            .with_some("satisfying_message", uncounted)
            .with_some("settings", set.and_then(|set| set.settings.as_ref()).map(JsonSettings::from))
            .with("reachable", space.and_then(|space| space.states.as_ref()).map(BigUint::to_string))
            .with_some("markings", set.and_then(|set| set.members.as_ref()).map(listed))
            .with_some("saved", set.and_then(|set| set.saved.as_ref()))
            .with("engine", self.engine(asked))
            .with("technique", technique.name())
            .with("techniques", techniques(technique).split(' ').collect::<Vec<_>>())
            .with("order", space.map(|space| &space.order))
            .with("peak_nodes", space.map(|space| space.peak_nodes))
            .with_some("explored", self.answer.as_ref().and_then(|answer| answer.explored).map(Effort::from))
            .with_some("bit_state", self.passes())
            .with("peak_memory_bytes", peak_resident_bytes())
            .with("seconds", self.after.as_secs_f64())
            .with("witness", shown)
            .with_some("witness_message", unshown)
    }
}

//! A witness as JSON; the fields are described in docs/json.md.

use super::super::fields::Fields;
use super::{Names, between, moves};
use crate::formula::Formula;
use crate::model::{State, Step};
use crate::witness::{Because, End, Reason, Run, Witness};
use serde::{Serialize, Serializer};

/// A witness, to be written as a JSON object.
#[derive(Clone, Copy, Debug)]
pub struct JsonWitness<'a> {
    /// The witness.
    pub witness: &'a Witness,
    /// How to name its parts.
    pub names: Names<'a>,
}

#[derive(Serialize)]
struct Object {
    reason: Why,
    runs: Vec<JsonRun>,
}

#[derive(Serialize)]
struct Why {
    formula: String,
    holds: bool,
    because: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<Why>>,
}

#[derive(Serialize)]
struct JsonRun {
    formula: String,
    holds: bool,
    states: Vec<JsonState>,
    labels: Vec<String>,
    /// Of each step the inputs that it rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<Tokens>,
    /// Of each step where the model says what the variables that it changes get.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<Tokens>,
    end: &'static str,
    loop_index: Option<usize>,
    shortest: Option<bool>,
    least: usize,
}

#[derive(Serialize)]
struct JsonState {
    marking: Tokens,
    parts: Vec<JsonPart>,
}

#[derive(Serialize)]
struct JsonPart {
    formula: String,
    holds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Why>,
}

/// Place → tokens, in the order of the net.
struct Tokens(Vec<(String, String)>);

impl Serialize for Tokens {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(place, tokens)| (place, tokens)))
    }
}

impl Serialize for JsonWitness<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let runs = self.witness.runs.iter().map(|run| self.run(run)).collect();
        Object { reason: self.why(&self.witness.reason), runs }.serialize(serializer)
    }
}

/// A state: variables that are not 0, and each value that has a name as `variable=value`.
fn tokens(names: Names<'_>, state: &State) -> Tokens {
    let entry = |marked: &super::Marked<'_>| match marked.named {
        true => (format!("{}={}", marked.id, marked.value), "1".to_owned()),
        false => (marked.id.to_owned(), marked.value.clone().into_owned()),
    };
    Tokens(names.marked(state).iter().map(entry).collect())
}

/// What is told of steps.
struct Told {
    labels: Vec<String>,
    inputs: Vec<Tokens>,
    sources: Vec<Tokens>,
}

fn told<'r>(names: Names<'_>, moves: impl Iterator<Item = (&'r State, Step, &'r State)> + Clone) -> Told {
    let inputs = |(from, step, _)| {
        let inputs = super::inputs(names.model, from, step).into_iter();
        Tokens(inputs.map(|input| (input.name, input.value)).collect())
    };
    let sources = |(from, _, to)| {
        let sources = names.sources(from, to).into_iter();
        Tokens(sources.map(|(variable, source)| (variable.to_owned(), source.into_owned())).collect())
    };
    Told {
        labels: moves.clone().map(|(from, step, _)| names.model.describe(from, step).into_owned()).collect(),
        inputs: unless_all_empty(moves.clone().map(inputs)),
        sources: unless_all_empty(moves.map(sources)),
    }
}

/// The fields of a run without a purpose, as those of a run of a witness.
pub fn run_fields(fields: Fields, names: Names<'_>, states: &[State], steps: &[Step]) -> Fields {
    let all: Vec<Tokens> = states.iter().map(|state| tokens(names, state)).collect();
    let Told { labels, inputs, sources } = told(names, between(states, steps));
    let is_dead = states.last().is_some_and(|last| names.model.is_deadlock(last));
    fields
        .with("states", all)
        .with("labels", labels)
        .with_some("inputs", (!inputs.is_empty()).then_some(inputs))
        .with_some("sources", (!sources.is_empty()).then_some(sources))
        .with("end", if is_dead { "deadlock" } else { "open" })
}

/// The list, or none if all that is in it is empty.
fn unless_all_empty(all: impl Iterator<Item = Tokens>) -> Vec<Tokens> {
    let all: Vec<Tokens> = all.collect();
    if all.iter().all(|one| one.0.is_empty()) { Vec::new() } else { all }
}

impl JsonWitness<'_> {
    fn formula(&self, formula: crate::formula::FormulaId) -> String {
        self.names.pool.display(formula, self.names.symbols).to_string()
    }

    fn why(&self, reason: &Reason) -> Why {
        let (because, run, parts) = match &reason.because {
            Because::Marking => ("marking", None, None),
            Because::Computed => ("computed", None, None),
            Because::Run(number) => ("run", Some(*number), None),
            Because::Parts(parts) => ("parts", None, Some(parts.iter().map(|part| self.why(part)).collect())),
        };
        Why { formula: self.formula(reason.formula), holds: reason.holds, because, run, parts }
    }

    fn run(&self, run: &Run) -> JsonRun {
        let pool = self.names.pool;
        let state = |position: &crate::witness::Position| JsonState {
            marking: tokens(self.names, &position.marking),
            parts: {
                let part = |part: &crate::witness::Part| {
                    let reason = position.reasons.iter().find(|reason| reason.formula == part.formula);
                    let reason = reason.map(|reason| self.why(reason));
                    JsonPart { formula: self.formula(part.formula), holds: part.holds, reason }
                };
                position.parts.iter().map(part).collect()
            },
        };
        let (end, loop_index) = match run.end {
            End::Open => ("open", None),
            End::Deadlock => ("deadlock", None),
            End::Final => ("final", None),
            End::Loop(start) => ("loop", Some(start)),
        };
        let Told { labels, inputs, sources } = told(self.names, moves(run));
        JsonRun {
            formula: self.formula(run.formula),
            holds: matches!(pool[run.formula], Formula::Exists(_)),
            states: run.positions.iter().map(state).collect(),
            labels,
            inputs,
            sources,
            end,
            loop_index,
            shortest: run.is_shortest().then_some(true),
            least: run.least,
        }
    }
}

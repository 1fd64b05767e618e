//! A witness as JSON; the fields are described in docs/json.md.

use super::Names;
use crate::formula::Formula;
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
            marking: Tokens({
                let marked = self.names.marked(&position.marking);
                let entry = |marked: &super::Marked<'_>| match marked.named {
                    true => (format!("{}={}", marked.id, marked.value), "1".to_owned()),
                    false => (marked.id.to_owned(), marked.value.clone().into_owned()),
                };
                marked.iter().map(entry).collect()
            }),
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
        JsonRun {
            formula: self.formula(run.formula),
            holds: matches!(pool[run.formula], Formula::Exists(_)),
            states: run.positions.iter().map(state).collect(),
            labels: (0..run.fired.len()).map(|step| self.names.step(run, step).into_owned()).collect(),
            end,
            loop_index,
            shortest: run.is_shortest().then_some(true),
            least: run.least,
        }
    }
}

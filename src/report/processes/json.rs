//! The answers about a process as a JSON object; the fields are described in docs/json.md.

use super::{activities, grows};
use crate::kinds::bpmn::Problem;
use crate::kinds::bpmn::process_net::ProcessNet;
use crate::processes::{Answers, Run, Stopped};
use crate::report::fields::Fields;
use serde_json::{Value, json};

/// The schema.
const SCHEMA: &str = "starset/process/1";

/// The answers about the diagram in a file.
pub fn fields(file: &str, net: &ProcessNet, warnings: &[Problem], answers: &Answers) -> Fields {
    let sizes = json!({
        "activities": net.activities.len(), "places": net.places.len(), "transitions": net.transitions.len(),
    });
    let mut fields = Fields::new(SCHEMA).with("file", file).with("model", &net.name).with("process", sizes);
    for (_, key, verdict) in answers.verdicts() {
        fields = fields.with(key, verdict);
    }
    let ids = |nodes: &[usize]| activities(net, nodes, |activity| &activity.id);
    let steps = |run: &Run| -> Value {
        run.iter().map(|&step| json!({ "id": net.transitions[step].id, "name": net.transitions[step].name })).collect()
    };
    let refuted: serde_json::Map<String, Value> =
        answers.runs().map(|(_, key, run)| (key.to_owned(), steps(run))).collect();
    let counts = answers.counts.as_ref();
    let unbounded = grows(net, answers).map(|(what, place)| json!({ "in": place.id, "what": what }));
    let warning = |problem: &Problem| json!({ "line": problem.line, "message": problem.message });
    fields
        .with("dead_activities", ids(&answers.dead))
        .with("useless_activities", ids(&answers.useless))
        .with("refuted_by", refuted)
        .with("unbounded", unbounded)
        .with("markings", counts.map(|counts| counts.states.to_string()))
        .with("steps", counts.and_then(|counts| counts.steps.as_ref()).map(ToString::to_string))
        .with("deadlocks", counts.map(|counts| counts.deadlocks.to_string()))
        .with("hopeless", counts.map(|counts| counts.hopeless.to_string()))
        .with("final", counts.map(|counts| counts.completed.to_string()))
        .with("warnings", warnings.iter().map(warning).collect::<Vec<_>>())
        .with("reason", answers.stopped.as_ref().map(reason))
}

/// Why something stayed unknown, in a word.
pub fn reason(stopped: &Stopped) -> &'static str {
    match stopped {
        Stopped::Unbounded(_) => "unbounded",
        Stopped::Instances(_) => "instances",
        Stopped::Limits => "limits",
    }
}

/// A file that is not read, and why.
pub fn refused(file: &str, message: &str) -> Fields {
    Fields::new(SCHEMA).with("file", file).with("refused", message)
}

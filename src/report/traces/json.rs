//! The replay of a log as a JSON object; the fields are described in docs/json.md.

use super::{Replayed, words};
use crate::report::fields::Fields;
use crate::traces::{Outcome, Variant};
use serde_json::{Value, json};

/// The answers.
pub fn fields(replayed: &Replayed<'_>) -> Fields {
    let Replayed { file, log, model_name, rules, found, .. } = replayed;
    let rule = |(number, rule): (usize, &crate::traces::Rule)| {
        let broken = found.traces(|variant| variant.broken.contains(&number));
        json!({ "id": rule.id, "formula": rule.text, "broken": broken })
    };
    let unknown = replayed.traces("unknown");
    let reason = match (&found.stopped, unknown) {
        (_, 0) => None,
        (Some(exhausted), _) => Some(exhausted.to_string()),
        (None, _) => Some("more markings than are kept".to_owned()),
    };
    Fields::new("starset/replay/1")
        .with("log", file)
        .with("model", model_name)
        .with("traces", log.traces())
        .with("events", log.events())
        .with("left_out", log.left_out)
        .with("complete", replayed.traces("complete"))
        .with("open", replayed.traces("open"))
        .with("leaving", replayed.traces("leaves"))
        .with("unknown", unknown)
        .with("not_in_model", replayed.strangers())
        .with("rules", rules.iter().enumerate().map(rule).collect::<Vec<Value>>())
        .with("variants", found.variants.iter().map(|variant| of_variant(replayed, variant)).collect::<Vec<Value>>())
        .with("reason", reason)
}

fn of_variant(replayed: &Replayed<'_>, variant: &Variant<'_>) -> Value {
    let (at, next, may_end) = match &variant.outcome {
        Outcome::Complete | Outcome::Unknown => (None, None, None),
        Outcome::Open(next) => (None, Some(next), None),
        Outcome::Leaves { at, next, may_end } => (Some(at + 1), Some(next), Some(may_end)),
    };
    let activities: Vec<&str> = variant.trace.iter().map(|&number| replayed.log.activity(number)).collect();
    let broken: Vec<&str> = variant.broken.iter().map(|&rule| replayed.rules[rule].id.as_str()).collect();
    json!({
        "cases": variant.cases.names, "activities": activities, "verdict": words(&variant.outcome).1,
        "at": at, "next": next, "may_end": may_end, "breaks": broken,
    })
}

//! The answers about soundness as a JSON object; the fields are described in docs/json.md.

use super::demands;
use crate::kinds::clocks::fairness::Incomplete;
use crate::kinds::clocks::markings::ExploreError;
use crate::kinds::clocks::model::{ClockNet, PlaceId};
use crate::kinds::clocks::notions::Answers;
use crate::kinds::clocks::replay::Run;
use crate::kinds::clocks::soundness::Demand;
use crate::report::fields::Fields;
use crate::report::timing::{about, run_json};
use serde_json::{Value, json};

/// The answers.
pub fn fields(net: &ClockNet, answers: &Answers) -> Fields {
    let place = |p: PlaceId| &net.places[p.index()].id;
    let run = |run: &Run| run_json(net, run);
    let mut fields = about("starset/soundness/1", net)
        .with("source", place(answers.workflow.source))
        .with("sink", place(answers.workflow.sink));
    for (notion, verdict) in answers.verdicts() {
        fields = fields.with(notion, verdict);
    }
    fields = fields.with_some("unbounded", answers.unbounded.then_some(true));
    if let Some(s) = &answers.demands {
        for (_, key, demand) in demands(s) {
            let refuted = match demand {
                Demand::Met | Demand::Refuted(None) => None,
                Demand::Refuted(Some(by)) => Some(run(by)),
            };
            fields = fields.with(key, json!({ "met": demand.is_met(), "refuted_by": refuted }));
        }
        fields = fields
            .with("dead_transitions", net.transition_names(&s.dead))
            .with("useless_transitions", net.transition_names(&s.useless));
    }
    let fair = answers.fair.as_ref().map(|fair| {
        let (stem, cycle) = match fair {
            None => (None, None),
            Some(Incomplete::Stops(stem)) => (Some(run(stem)), None),
            Some(Incomplete::Repeats(stem, cycle)) => (Some(run(stem)), Some(run(cycle))),
        };
        json!({ "met": fair.is_none(), "refuted_by": stem, "repeats": cycle })
    });
    let stopped = answers.stopped.as_ref();
    fields
        .with("completion_of_fair_runs", fair.unwrap_or(Value::Null))
        .with("time_model", if net.clocks.is_empty() { "none" } else { "dense" })
        .with("reason", stopped.map(ExploreError::reason).or(answers.unbounded.then_some("unbounded")))
        .with("message", stopped.map(ToString::to_string))
}

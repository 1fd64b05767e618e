//! The answers about soundness as a JSON object; the fields are described in docs/json.md.

use super::{demands, scaled};
use crate::kinds::clocks::fairness::Incomplete;
use crate::kinds::clocks::markings::ExploreError;
use crate::kinds::clocks::model::ClockNet;
use crate::kinds::clocks::notions::Answers;
use crate::kinds::clocks::replay::Run;
use crate::kinds::clocks::soundness::{Demand, Region};
use crate::kinds::clocks::zone::region_text;
use crate::report::fields::Fields;
use crate::report::timing::{about, marking_json, run_json};
use serde_json::{Value, json};

/// The answers.
pub fn fields(net: &ClockNet, answers: &Answers) -> Fields {
    let run = |run: &Run| run_json(net, run);
    let workflow = &answers.workflow;
    let ends = || json!(workflow.ends.iter().map(|end| marking_json(net, end)).collect::<Vec<_>>());
    let mut fields = about("starset/soundness/1", net)
        .with("source", &net.places[workflow.source.index()].id)
        .with("sink", workflow.sink().map(|sink| &net.places[sink.index()].id))
        .with_some("ends", workflow.sink().is_none().then(ends));
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
        let scaled = scaled(net);
        let region = |region: &Region| {
            let values = scaled.as_ref().map(|scaled| region_text(&region.values, scaled.units()));
            json!({ "marking": marking_json(net, &region.marking), "clocks": values })
        };
        let regions: Vec<Value> = s.stuck.regions.iter().map(region).collect();
        fields = fields
            .with("cannot_complete", json!({ "markings": s.stuck.markings, "regions": regions }))
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

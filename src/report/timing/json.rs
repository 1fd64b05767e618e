//! The answers about time as a JSON object; the fields are described in docs/json.md.

use crate::kinds::clocks::inquiry::{Answers, Blocked};
use crate::kinds::clocks::model::{ClockNet, TransitionId};
use crate::kinds::clocks::rational::Rational;
use crate::kinds::clocks::repair::{Outcome, Proposal};
use crate::kinds::clocks::replay::Run;
use crate::kinds::clocks::scaled::Scaled;
use crate::kinds::clocks::times::{Measured, Times};
use crate::kinds::clocks::zone::{Interval, Units, region_text};
use crate::report::fields::Fields;
use num_traits::Zero;
use serde_json::{Value, json};

/// The begin of an object about a net with clocks.
pub fn about(schema: &'static str, net: &ClockNet) -> Fields {
    Fields::about(schema, &net.name, "clocknet", &net.sizes())
}

/// The answers.
pub fn fields(scaled: &Scaled<'_>, answers: &Answers) -> Fields {
    let net = scaled.net;
    let id = |t: TransitionId| net.transitions[t.index()].id.as_str();
    let diagnosis = &answers.diagnosis;
    let dead = diagnosis.dead_transitions.iter();
    let dead = dead.map(|d| json!({ "transition": id(d.transition), "by": if d.in_time { "time" } else { "tokens" } }));
    let deadlocks =
        diagnosis.deadlocks.iter().zip(&answers.deadlocks).map(
            |(reached, by)| json!({ "marking": marking(net, reached), "run": by.as_ref().map(|by| run(net, by)) }),
        );
    let tightenings = answers.tightenings.iter().map(|tightening| {
        let clock = tightening.clock.index();
        json!({
            "constraint": tightening.constraint.text(net),
            "clock": net.clocks[clock],
            "allowed": scaled.units().interval(clock, tightening.allowed),
            "arises": scaled.units().interval(clock, tightening.arises),
        })
    });
    let inconsistent: Vec<String> = answers.inconsistencies.iter().map(|problem| problem.text(scaled)).collect();
    let since_start = &answers.since_start;
    let since = answers.since.iter().map(|(from, since)| (id(*from).to_owned(), times(net, since)));
    about("starset/time/1", net)
        .with("consistent", inconsistent.is_empty())
        .with("inconsistencies", inconsistent)
        .with("untimed_markings", diagnosis.untimed.to_string())
        .with("markings", diagnosis.timed.to_string())
        .with("unreachable", list(diagnosis.unreachable.iter().map(|lost| marking(net, lost))))
        .with("dead_places", list(diagnosis.dead_places.iter().map(|p| json!(net.places[p.index()].id))))
        .with("dead_transitions", list(dead))
        .with("deadlocks", list(deadlocks))
        .with("blocks", list(answers.blocks.iter().map(|blocked| block(scaled, blocked))))
        .with("tightenings", list(tightenings))
        .with("horizon", answers.horizon)
        .with("since_start", times(net, since_start))
        .with("completion", since_start.completion.as_ref().map(|whole| measured(net, since_start, whole)))
        .with("since", Value::Object(since.collect()))
}

/// The delays and transitions of a run.
pub fn run(net: &ClockNet, run: &Run) -> Value {
    let mut now = Rational::zero();
    let steps = run.steps.iter().map(|(delay, t)| {
        now += delay;
        json!({ "delay": delay.to_string(), "transition": net.transitions[t.index()].id, "at": now.to_string() })
    });
    json!({ "steps": list(steps), "rest": run.rest.to_string(), "duration": run.duration().to_string() })
}

fn list(items: impl Iterator<Item = Value>) -> Value {
    Value::Array(items.collect())
}

pub(in crate::report) fn marking(net: &ClockNet, tokens: &[u32]) -> Value {
    let marked = net.places.iter().zip(tokens).filter(|&(_, &n)| n > 0);
    Value::Object(marked.map(|(place, n)| (place.id.clone(), n.to_string().into())).collect())
}

fn block(scaled: &Scaled<'_>, blocked: &Blocked) -> Value {
    let (net, units, block) = (scaled.net, scaled.units(), &blocked.block);
    let hull = block.region.hull().map(|hull| {
        let clocks = net.clocks.iter().zip(&hull.intervals).enumerate();
        Value::Object(clocks.map(|(x, (name, &i))| (name.clone(), json!(units.interval(x, i)))).collect())
    });
    json!({
        "marking": marking(net, &block.marking),
        "kind": block.kind.name(),
        "region": region_text(&block.region, units),
        "clocks": hull,
        "run": blocked.run.as_ref().map(|by| run(net, by)),
        "repairs": list(blocked.proposals.iter().map(|proposal| tried(scaled, proposal))),
    })
}

/// A change that was tried out, and what came of it.
fn tried(scaled: &Scaled<'_>, proposal: &Proposal) -> Value {
    let net = scaled.net;
    let (outcome, region, created) = match &proposal.outcome {
        Outcome::Removes => ("removes", None, None),
        Outcome::Shrinks(region) => ("shrinks", Some(region_text(region, scaled.units())), None),
        Outcome::Leaves => ("leaves", None, None),
        Outcome::Creates(created) => ("creates", None, Some(marking(net, created))),
        Outcome::Empties => ("empties", None, None),
    };
    json!({
        "change": proposal.change.text(net),
        "outcome": outcome,
        "region": region,
        "creates": created,
        "lost": list(proposal.lost.iter().map(|lost| marking(net, lost))),
        "text": proposal.text(scaled),
    })
}

fn times(net: &ClockNet, times: &Times) -> Value {
    let firing = net.transitions.iter().zip(&times.firing);
    let firing = firing.filter_map(|(t, m)| Some((t.id.clone(), measured(net, times, m.as_ref()?))));
    Value::Object(firing.collect())
}

fn measured(net: &ClockNet, times: &Times, measured: &Measured) -> Value {
    let units = Units { clocks: &[], scale: times.scale };
    let Interval { lower, upper } = measured.interval;
    let shown = |by: &Option<Run>| by.as_ref().map(|by| run(net, by));
    json!({
        "fastest": (!measured.beyond).then(|| units.constant(-lower.constant()).to_string()),
        "fastest_attained": !measured.beyond && !lower.is_strict(),
        "fastest_run": shown(&measured.fastest),
        "slowest": (!upper.is_none()).then(|| units.constant(upper.constant()).to_string()),
        "slowest_attained": !upper.is_none() && !upper.is_strict(),
        "slowest_run": shown(&measured.slowest),
    })
}

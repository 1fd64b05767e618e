//! The results as text, as JSON, and as lines of the Model Checking Contest.

use super::super::Failure;
use super::super::console::Console;
use super::super::model::{fields as model_fields, header};
use super::super::options::stopped;
use super::super::order;
use super::{MOST_DRAWN, Results, SEARCHES, StatesArgs};
use crate::cli::elsewhere::{Folder, Together};
use num_bigint::BigUint;
use starset::StopReason;
use starset::decide::{Statistic, Technique, Value};
use starset::examination::{Answer, Examination};
use starset::kinds::{Kind, Loaded};
use starset::memory::peak_resident_bytes;
use starset::model::{State, VariableId};
use starset::report::fields::{Fields, Pairs};
use starset::report::formulas::Effort;
use starset::report::mcc::{CANNOT_COMPUTE, line, techniques};
use starset::report::number::{bytes, count, seconds};
use starset::report::state;
use std::time::Duration;

/// Bytes before what a line says.
const TITLE: usize = 25;

/// Variables shown of one state in text.
const SHOWN: usize = 12;

/// A figure as text and in the contest: those that every net has.
const STATISTICS: [(Statistic, &str, &str); 4] = [
    (Statistic::States, "states", "STATES"),
    (Statistic::Transitions, "transitions", "TRANSITIONS"),
    (Statistic::MaxInVariable, "max tokens in place", "MAX_TOKEN_IN_PLACE"),
    (Statistic::MaxInState, "max tokens per marking", "MAX_TOKEN_PER_MARKING"),
];

/// The name of a figure.
pub(super) fn name(statistic: Statistic) -> &'static str {
    let known = STATISTICS.iter().find(|known| known.0 == statistic);
    let other = match statistic {
        Statistic::Bounds => "bounds",
        Statistic::Markings => "markings",
        _ => "deadlocks",
    };
    known.map_or(other, |known| known.1)
}

/// How the reachable set was searched.
fn search(args: &StatesArgs, results: &Results) -> &'static str {
    let named = SEARCHES.iter().find(|known| known.1 == args.search).map_or("", |known| known.0);
    if results.technique() == Technique::Explicit || args.is_elsewhere() { "bfs" } else { named }
}

/// The engine that counted.
fn engine(args: &StatesArgs, results: &Results) -> &'static str {
    match results.both {
        true => "both",
        false if args.is_elsewhere() => "explicit",
        false => args.ways.engine.answered_by(results.technique()),
    }
}

/// The bound of each variable, `None` for one that has none.
pub(super) fn bounds(model: &dyn Kind, results: &Results) -> Option<Vec<(VariableId, Option<String>)>> {
    let bounds: Vec<Option<u128>> = match &results.answer(Statistic::Bounds)?.value {
        Value::Numbers(bounds) => bounds.iter().copied().map(Some).collect(),
        Value::Suprema(bounds) => bounds.clone(),
        _ => return None,
    };
    let bound = |bound: Option<u128>| bound.map(|bound| bound.to_string());
    Some(model.variable_ids().zip(bounds.into_iter().map(bound)).collect())
}

/// A bound for people.
pub(super) fn told(bound: Option<String>) -> String {
    bound.unwrap_or_else(|| Value::Infinite.to_string())
}

/// The results for people.
pub(super) fn text(
    args: &StatesArgs,
    loaded: &Loaded,
    results: &Results,
    console: &mut Console,
) -> Result<(), Failure> {
    let (model, symbols) = (&*loaded.model, &loaded.symbols);
    console.line(header(model))?;
    let shown = |state: &State| state::text(model, symbols, state, SHOWN);
    for (statistic, _) in results.answers.iter().filter(|(statistic, _)| *statistic != Statistic::Bounds) {
        let value = match results.answer(*statistic).map(|answer| &answer.value) {
            Some(Value::Number(number)) => count(number),
            Some(value) => value.to_string(),
            None => match results.at_least().filter(|_| *statistic == Statistic::States) {
                Some(number) => format!("at least {}", count(number)),
                None => "unknown".to_owned(),
            },
        };
        console.judged(TITLE, &format!("  {:<22} {value}", name(*statistic)))?;
    }
    if let Some(deadlock) = &results.deadlock {
        console.line(format_args!("  {:<22} {}", "a deadlock", shown(deadlock)))?;
    }
    if args.bounds && model.terms().counts {
        console.line("bounds")?;
        match bounds(model, results) {
            Some(bounds) => {
                let name = |variable| state::variable(model, symbols, variable);
                let mut bounds = bounds.into_iter();
                bounds.try_for_each(|(place, bound)| {
                    console.line(format_args!("  {:<22} {}", name(place), told(bound)))
                })?
            }
            None => console.judged(2, "  unknown")?,
        }
    }
    if args.list.is_some() {
        console.line(format_args!("{}s", model.terms().state))?;
        match &results.members {
            Some(members) => members.iter().try_for_each(|state| console.line(format_args!("  {}", shown(state))))?,
            None => console.judged(2, "  unknown")?,
        }
    }
    Ok(())
}

/// The results as one JSON object; docs/json.md describes it.
pub(super) fn fields(args: &StatesArgs, model: &dyn Kind, results: &Results, time: Duration) -> Fields {
    let number = |statistic| results.number(statistic).map(BigUint::to_string);
    let counts = model.terms().counts;
    let values = |state: &State| {
        let values = state::values(model, state);
        Pairs(values.into_iter().map(|(name, value)| (name.to_owned(), value.into_owned())).collect())
    };
    let technique = results.technique();
    let identified = |bounds: Vec<(VariableId, Option<String>)>| {
        Pairs(bounds.into_iter().map(|(variable, bound)| (model.variable(variable).to_owned(), bound)).collect())
    };
    let diagrams = technique != Technique::Explicit;
    let (reason, message) = results.reason().unzip();
    let saved = |file: &std::path::PathBuf| results.saved.then(|| file.display().to_string());
    let listed = |_| results.members.as_ref().map(|all| all.iter().map(values).collect::<Vec<_>>());
    model_fields("starset/states/1", model)
        .with("states", number(Statistic::States))
        .with_some("states_at_least", results.at_least().map(BigUint::to_string))
        .with("transitions", number(Statistic::Transitions))
        .with_some("max_tokens_in_place", counts.then(|| number(Statistic::MaxInVariable)))
        .with_some("max_tokens_per_marking", counts.then(|| number(Statistic::MaxInState)))
        .with_some("deadlocks", args.deadlocks.then(|| number(Statistic::Deadlocks)))
        .with_some("deadlock", args.deadlocks.then(|| results.deadlock.as_ref().map(values)))
        .with_some("bounds", (args.bounds && counts).then(|| bounds(model, results).map(identified)))
        .with_some("markings", args.list.map(listed))
        .with_some("time_model", args.time_model.map(|_| "integer"))
        .with_some("markings", args.time_model.map(|_| number(Statistic::Markings)))
        .with_some("saved", args.save.as_ref().map(saved))
        .with("reason", reason)
        .with("message", message)
        .with("engine", engine(args, results))
        .with("technique", technique.name())
        .with("search", search(args, results))
        .with("techniques", techniques(technique).split(' ').collect::<Vec<_>>())
        .with("order", results.order.as_ref().filter(|_| diagrams).map(order::fields))
        .with("orders_tried", results.orders_tried.filter(|_| diagrams))
        .with("nodes", results.nodes.filter(|_| diagrams))
        .with("peak_nodes", results.peak_nodes.filter(|_| diagrams))
        .with_some("next_state_calls", model.next_state_calls())
        .with_some("explored", results.explored().map(Effort::from))
        .with_some("disk", results.disk.as_ref().map(Folder::fields))
        .with_some("distributed", results.together.as_ref().map(Together::fields))
        .with("peak_memory_bytes", peak_resident_bytes())
        .with("seconds", time.as_secs_f64())
}

/// The results as the contest wants them.
pub(super) fn mcc(results: &Results, console: &mut Console) -> Result<(), Failure> {
    if results.answer(Statistic::States).is_none() {
        return Ok(console.line(CANNOT_COMPUTE)?);
    }
    for (statistic, _, id) in STATISTICS {
        let unknown = || (Value::Unknown(StopReason::Unsupported("not counted")), Technique::None);
        let (value, technique) = match results.answer(statistic) {
            Some(answer) => (answer.value.clone(), answer.technique),
            None => unknown(),
        };
        let answer = Answer { id: id.to_owned(), value, technique };
        console.line(line(Examination::StateSpace, &answer))?;
    }
    Ok(())
}

/// How it went, on standard error.
pub(super) fn summary(args: &StatesArgs, results: &Results, console: &Console) {
    let stops = results.answers.iter().flat_map(|(_, answer)| answer).filter_map(|answer| match &answer.value {
        Value::Unknown(stop) => Some(stop),
        _ => None,
    });
    match (&results.disagreement, stops.chain(&results.stop).next(), results.reason()) {
        (Some(disagreement), ..) => console.error(disagreement),
        (None, Some(stop), _) => console.error(stopped(stop, &args.limits)),
        // That there are infinitely many is an answer.
        (None, None, Some((_, message))) => console.error(message),
        (None, None, None) => {}
    }
    if let Some(nodes) = results.nodes.filter(|_| results.undrawn) {
        let why = format!("the diagram has {nodes} nodes; at most {MOST_DRAWN} are drawn");
        console.error(format_args!("--dot: not written: {why}"));
    }
    let time = console.started().elapsed().as_secs_f64();
    let mut parts = vec![format!("{} in {}", search(args, results), seconds(time))];
    if engine(args, results) != "symbolic" {
        parts.insert(0, format!("engine {}", engine(args, results)));
    }
    if let Some(order) = &results.order {
        parts.push(format!("order {}", order.name));
    }
    if let (Some(nodes), Some(peak)) = (results.nodes, results.peak_nodes) {
        parts.push(format!("{nodes} nodes (peak {peak})"));
    }
    if let Some(memory) = peak_resident_bytes() {
        parts.push(bytes(memory));
    }
    if let Some(disk) = &results.disk {
        parts.push(disk.told());
    }
    if let Some(together) = &results.together {
        parts.push(together.told());
    }
    if let (true, Some(file)) = (results.saved, &args.save) {
        parts.push(format!("saved to {}", file.display()));
    }
    console.note(parts.join(", "));
}

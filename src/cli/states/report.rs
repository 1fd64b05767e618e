//! The results as text, as JSON, and as lines of the Model Checking Contest.

use super::super::engine::Explored;
use super::super::model::{Model, marking_text};
use super::super::number::{bytes, count, seconds};
use super::super::order::Order;
use super::super::outcome::{reason, stopped};
use super::super::output_file::OutputFile;
use super::super::page::Collected;
use super::super::{Console, Failure, model};
use super::StatesArgs;
use super::compute::{Marked, Results, undrawn};
use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use starset::examination::{Answer, Examination, Technique, TokenMaxima, Value};
use starset::net::{PetriNet, Place};
use starset::report::mcc::{CANNOT_COMPUTE, line};
use starset::symbolic::Halt;

/// Places shown of one marking in text.
const PLACES_SHOWN: usize = 12;

/// Names of the techniques used, in the vocabulary of the contest.
const TECHNIQUES: [&str; 2] = ["DECISION_DIAGRAMS", "SEQUENTIAL_PROCESSING"];

/// The techniques that were used, in the vocabulary of the contest.
fn techniques(results: &Results) -> [&'static str; 2] {
    if results.engine == "explicit" { ["EXPLICIT", TECHNIQUES[1]] } else { TECHNIQUES }
}

/// How the reachable set was searched.
pub(super) fn search(args: &StatesArgs, results: &Results) -> &'static str {
    if results.engine == "explicit" { "bfs" } else { args.search.name() }
}

/// The results for people.
pub(super) fn text(args: &StatesArgs, net: &PetriNet, results: &Results, console: &mut Console) -> Result<(), Failure> {
    console.line(format_args!("{}: {}", net.name(), model::size(net)))?;
    let mut line = |key: &str, value: Option<String>| {
        console.line(format_args!("  {key:<22} {}", value.unwrap_or_else(|| "unknown".to_owned())))
    };
    let maxima = results.maxima.as_ref();
    line("states", results.states.as_ref().map(count))?;
    line("transitions", results.transitions.as_ref().map(count))?;
    line("max tokens in place", maxima.map(|m| m.in_place.to_string()))?;
    line("max tokens per marking", maxima.map(|m| m.per_marking.to_string()))?;
    if args.deadlocks {
        line("deadlocks", results.deadlocks.as_ref().map(count))?;
        if let Some(marking) = &results.deadlock {
            line("a deadlock", Some(marking_text(net, marking, PLACES_SHOWN)))?;
        }
    }
    if args.bounds {
        console.line("bounds")?;
        match maxima {
            Some(maxima) => {
                for (place, bound) in net.places().iter().zip(&maxima.per_place) {
                    console.line(format_args!("  {:<22} {bound}", place.id))?;
                }
            }
            None => console.line("  unknown")?,
        }
    }
    if args.list.is_some() {
        console.line("markings")?;
        match &results.members {
            Some(members) => {
                for marking in members {
                    console.line(format_args!("  {}", marking_text(net, marking, PLACES_SHOWN)))?;
                }
            }
            None => console.line("  unknown")?,
        }
    }
    Ok(())
}

/// One JSON object; docs/json.md describes it.
#[derive(Serialize)]
struct Object<'a> {
    schema: &'static str,
    model: &'a str,
    net: model::Sizes,
    states: Option<String>,
    transitions: Option<String>,
    max_tokens_in_place: Option<String>,
    max_tokens_per_marking: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlocks: Asked<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlock: Asked<Tokens<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Asked<Tokens<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    markings: Asked<Vec<Tokens<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Asked<String>,
    reason: Option<&'static str>,
    message: Option<String>,
    engine: &'static str,
    search: &'static str,
    techniques: [&'static str; 2],
    order: Option<Order<'a>>,
    orders_tried: Option<usize>,
    nodes: Option<usize>,
    peak_nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explored: Option<Explored>,
    peak_memory_bytes: Option<u64>,
    seconds: f64,
}

/// What was asked, `None` if it was not; inside, what is known of it.
type Asked<T> = Option<Option<T>>;
/// Token counts by place identifier, in the order of the net.
struct Tokens<'a>(Vec<(&'a str, String)>);

impl Serialize for Tokens<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(place, tokens)| (place, tokens)))
    }
}

/// The results as one JSON object.
pub(super) fn json(args: &StatesArgs, net: &PetriNet, results: &Results, console: &mut Console) -> Result<(), Failure> {
    Ok(console.json(&object(args, net, results))?)
}

/// The results as a page.
pub(super) fn page(args: &StatesArgs, net: &Model, results: &Results, file: OutputFile) -> Result<(), Failure> {
    let mut page = Collected::default();
    page.add(&object(args, net, results), None);
    let levels = results.order.as_ref().zip(results.levels.as_deref());
    page.write(file, net, net.origin(), levels)
}

fn object<'a>(args: &StatesArgs, net: &'a PetriNet, results: &'a Results) -> Object<'a> {
    let number = |n: &Option<BigUint>| n.as_ref().map(BigUint::to_string);
    let tokens = |marking: &Marked| -> Tokens<'_> {
        Tokens(marking.iter().map(|&(place, n)| (net.place(place).id.as_str(), n.to_string())).collect())
    };
    let maxima = results.maxima.as_ref();
    let bounds = |m: &TokenMaxima| -> Tokens<'a> {
        let bound = |(place, bound): (&'a Place, &u128)| (place.id.as_str(), bound.to_string());
        Tokens(net.places().iter().zip(&m.per_place).map(bound).collect())
    };
    let members = results.members.as_ref();
    Object {
        schema: "starset/states/1",
        model: net.name(),
        net: model::Sizes::of(net),
        states: number(&results.states),
        transitions: number(&results.transitions),
        max_tokens_in_place: maxima.map(|m| m.in_place.to_string()),
        max_tokens_per_marking: maxima.map(|m| m.per_marking.to_string()),
        deadlocks: args.deadlocks.then(|| number(&results.deadlocks)),
        deadlock: args.deadlocks.then(|| results.deadlock.as_ref().map(tokens)),
        bounds: args.bounds.then(|| maxima.map(bounds)),
        markings: args.list.is_some().then(|| members.map(|all| all.iter().map(tokens).collect())),
        saved: args.save.as_ref().map(|file| results.saved.then(|| file.display().to_string())),
        reason: results.disagreement.as_ref().map(|_| "self-check").or(results.stop.as_ref().map(reason)),
        message: results.disagreement.clone().or(results.stop.as_ref().map(Halt::to_string)),
        engine: results.engine,
        search: search(args, results),
        techniques: techniques(results),
        order: results.order.as_ref().map(Order::of),
        orders_tried: results.orders_tried,
        nodes: results.nodes,
        peak_nodes: results.peak_nodes,
        explored: results.explored,
        peak_memory_bytes: results.peak_memory,
        seconds: results.seconds,
    }
}

/// The results as the contest wants them. It has a word for what an unbounded net has infinitely many of.
pub(super) fn mcc(results: &Results, console: &mut Console) -> Result<(), Failure> {
    let unbounded = matches!(results.stop, Some(Halt::Unbounded { .. }));
    if results.states.is_none() && !unbounded {
        console.line(CANNOT_COMPUTE)?;
        return Ok(());
    }
    let maxima = results.maxima.as_ref();
    let values = [
        ("STATES", results.states.as_ref().map(BigUint::to_string)),
        ("TRANSITIONS", results.transitions.as_ref().map(BigUint::to_string)),
        ("MAX_TOKEN_IN_PLACE", maxima.map(|m| m.in_place.to_string())),
        ("MAX_TOKEN_PER_MARKING", maxima.map(|m| m.per_marking.to_string())),
    ];
    for (key, value) in values {
        let value = value.as_deref().unwrap_or("-1");
        if unbounded {
            let answer = Answer { id: key.to_owned(), value: Value::Infinite, technique: Technique::Coverability };
            console.line(line(Examination::StateSpace, &answer))?;
        } else {
            console.line(format_args!("STATE_SPACE {key} {value} TECHNIQUES {}", techniques(results).join(" ")))?;
        }
    }
    Ok(())
}

/// How it went, on standard error.
pub(super) fn summary(args: &StatesArgs, results: &Results, console: &Console) {
    if let Some(disagreement) = &results.disagreement {
        console.error(disagreement);
    } else if let Some(halt) = &results.stop {
        console.error(stopped(halt, &args.limits));
    }
    if let Some(message) = undrawn(results) {
        console.error(message);
    }
    let mut parts = vec![format!("{} in {}", search(args, results), seconds(results.seconds))];
    if results.engine != "symbolic" {
        parts.insert(0, format!("engine {}", results.engine));
    }
    if let Some(order) = &results.order {
        parts.push(format!("order {}", order.name));
    }
    if let (Some(nodes), Some(peak)) = (results.nodes, results.peak_nodes) {
        parts.push(format!("{nodes} nodes (peak {peak})"));
    }
    if let Some(memory) = results.peak_memory {
        parts.push(bytes(memory));
    }
    if let (true, Some(file)) = (results.saved, &args.save) {
        parts.push(format!("saved to {}", file.display()));
    }
    console.note(parts.join(", "));
}

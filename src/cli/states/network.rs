//! The reachable states of a network of transition systems.

use super::super::engine::Explored;
use super::super::network::{Sizes, local_states, size, state_text};
use super::super::number::count;
use super::super::order::Order;
use super::super::outcome::reason;
use super::compute::{Files, Marked, Results, figures};
use super::{Console, Failure, Format, Meter, StatesArgs, StatesEngine, Status, explicit, report};
use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use starset::budget::Budget;
use starset::examination::{Options, explore_relation};
use starset::lts::Network;
use starset::mdd::with_deep_stack;
use starset::memory::peak_resident_bytes;
use starset::relation::Relation;
use starset::symbolic::Halt;
use std::time::Instant;

/// A state, by component.
struct Locals<'a>(Vec<(&'a str, &'a str)>);

impl Serialize for Locals<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// One JSON object; docs/lts.md describes it.
#[derive(Serialize)]
struct Object<'a> {
    schema: &'static str,
    model: &'a str,
    network: Sizes,
    states: Option<String>,
    transitions: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlocks: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlock: Option<Option<Locals<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Option<Vec<Locals<'a>>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<Option<String>>,
    reason: Option<&'static str>,
    message: Option<String>,
    engine: &'static str,
    search: &'static str,
    order: Option<Order<'a>>,
    orders_tried: Option<usize>,
    nodes: Option<usize>,
    peak_nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explored: Option<Explored>,
    peak_memory_bytes: Option<u64>,
    seconds: f64,
}

pub(super) fn run(
    args: &StatesArgs,
    network: &Network,
    budget: &Budget,
    console: &mut Console,
) -> Result<Status, Failure> {
    let format = args.format.get();
    let refused =
        [(args.bounds, "--bounds"), (args.report.is_asked(), "--report"), (format == Format::Mcc, "--format mcc")];
    if let Some((_, option)) = refused.into_iter().find(|(given, _)| *given) {
        return Err(Failure::Input(format!(
            "{option} is about Petri nets and does not apply to a network; leave it out"
        )));
    }
    args.suits_engine()?;
    let meter = Meter::start(args.progress, args.search.into(), network.components().len(), console);
    let started = console.started();
    let results = match args.engine {
        StatesEngine::Explicit => Ok(explicit::compute(args, network, budget, &meter, started)),
        StatesEngine::Symbolic => compute(args, network, budget, &meter, started),
        StatesEngine::Both => compute(args, network, budget, &meter, started).and_then(|results| {
            let second = explicit::compute(args, network, budget, &meter, started);
            explicit::compare(args, network, results, second, console)
        }),
    };
    meter.stop();
    let results = results?;
    match format {
        Format::Json => json(args, network, &results, console)?,
        Format::Text | Format::Mcc => text(args, network, &results, console)?,
    }
    console.flush()?;
    report::summary(args, &results, console);
    Ok(results.status())
}

/// Find what `args` ask by diagrams.
fn compute(
    args: &StatesArgs,
    network: &Network,
    budget: &Budget,
    meter: &Meter,
    started: Instant,
) -> Result<Results, Failure> {
    let skeleton = network.skeleton();
    let files = Files::create(args)?;
    let orders = args.order.candidates(&skeleton, budget)?;
    let options = Options { search: args.search.into(), orders, threads: args.limits.threads.get(), fixpoints: false };
    let components = network.components().len();
    with_deep_stack(components, || {
        let mut results = Results { engine: "symbolic", ..Results::default() };
        let build = |order: &starset::order::Order| Relation::of_network(network, order.as_slice());
        let mut watch = |event: starset::examination::Event<'_>| meter.event(event);
        match explore_relation(components, &build, &options, budget, &mut watch) {
            Ok(space) => {
                figures(args, &space, false, budget, meter, &mut results);
                files.write(&space, network, meter, &mut results)?;
            }
            Err(halt) => results.stop = Some(halt),
        }
        results.seconds = started.elapsed().as_secs_f64();
        results.peak_memory = peak_resident_bytes();
        Ok(results)
    })
}

fn text(args: &StatesArgs, network: &Network, results: &Results, console: &mut Console) -> Result<(), Failure> {
    console.line(format_args!("{}: {}", network.name(), size(network)))?;
    let mut line = |key: &str, value: Option<String>| {
        console.line(format_args!("  {key:<22} {}", value.unwrap_or_else(|| "unknown".to_owned())))
    };
    line("states", results.states.as_ref().map(count))?;
    line("transitions", results.transitions.as_ref().map(count))?;
    let text = |state: &Marked| state_text(&local_states(network, state));
    if args.deadlocks {
        line("deadlocks", results.deadlocks.as_ref().map(count))?;
        if let Some(state) = &results.deadlock {
            line("a deadlock", Some(text(state)))?;
        }
    }
    if args.list.is_some() {
        console.line("states")?;
        match &results.members {
            Some(members) => {
                for state in members {
                    console.line(format_args!("  {}", text(state)))?;
                }
            }
            None => console.line("  unknown")?,
        }
    }
    Ok(())
}

fn json(args: &StatesArgs, network: &Network, results: &Results, console: &mut Console) -> Result<(), Failure> {
    let number = |n: &Option<BigUint>| n.as_ref().map(BigUint::to_string);
    let locals = |state: &Marked| Locals(local_states(network, state));
    console.json(&Object {
        schema: "starset/network-states/1",
        model: network.name(),
        network: Sizes::of(network),
        states: number(&results.states),
        transitions: number(&results.transitions),
        deadlocks: args.deadlocks.then(|| number(&results.deadlocks)),
        deadlock: args.deadlocks.then(|| results.deadlock.as_ref().map(locals)),
        list: args.list.is_some().then(|| results.members.as_ref().map(|all| all.iter().map(locals).collect())),
        saved: args.save.as_ref().map(|file| results.saved.then(|| file.display().to_string())),
        reason: results.disagreement.as_ref().map(|_| "self-check").or(results.stop.as_ref().map(reason)),
        message: results.disagreement.clone().or(results.stop.as_ref().map(Halt::to_string)),
        engine: results.engine,
        search: report::search(args, results),
        order: results.order.as_ref().map(Order::of),
        orders_tried: results.orders_tried,
        nodes: results.nodes,
        peak_nodes: results.peak_nodes,
        explored: results.explored,
        peak_memory_bytes: results.peak_memory,
        seconds: results.seconds,
    })?;
    Ok(())
}

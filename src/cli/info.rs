//! `starset info`: what a net is, before any marking is explored.

use super::interrupt::on_interrupt;
use super::model::{self, ModelArg};
use super::options::{Format, FormatArgs};
use super::order::{Order, OrderArgs};
use super::output_file::OutputFile;
use super::{Console, Failure, Status, network};
use serde::Serialize;
use starset::budget::Budget;
use starset::lts::{components_as_net, write_dot};
use starset::net::PetriNet;
use starset::order::Scored;
use starset::picture::View;
use starset::structure::{Effort, PlaceBounds, p_semiflows, t_semiflows};
use std::io::Write as _;
use std::path::PathBuf;

/// How many of the variable orders are shown.
const SHOWN: usize = 6;

/// Arguments of `starset info`.
#[derive(clap::Args, Debug)]
pub(super) struct InfoArgs {
    #[command(flatten)]
    model: ModelArg,
    #[command(flatten)]
    order: OrderArgs,
    #[command(flatten)]
    format: FormatArgs,
    /// Write a picture of the net, or of the components of a network, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a picture of the net, or of the components of a network, for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Places and transitions in a picture; of a larger net, those nearest to the tokens are drawn
    #[arg(long, value_name = "N", default_value = "400")]
    draw: usize,
}

/// What there is to say.
struct Facts {
    initial_tokens: u128,
    max_weight: u64,
    inhibitor_arcs: usize,
    units: Option<(usize, bool)>,
    p_semiflows: (usize, bool),
    t_semiflows: (usize, bool),
    bounded_places: usize,
    bound: Option<u64>,
    /// Variable orders, the most promising first.
    orders: Vec<Scored>,
}

pub(super) fn run(args: &InfoArgs, console: &mut Console) -> Result<Status, Failure> {
    if let Some(network) = args.model.network(console)? {
        if let Some(path) = &args.svg {
            let net = components_as_net(&network).map_err(|e| Failure::Input(e.to_string()))?;
            let view = View::new(&net, args.draw);
            OutputFile::create(path)?.write(|out| out.write_all(view.svg().as_bytes()))?;
            note(&view, console);
        }
        if let Some(path) = &args.dot {
            OutputFile::create(path)?.write(|out| write_dot(&network, out))?;
        }
        return network::info(&network, &args.order, &args.format, console);
    }
    let net = args.model.read(&Budget::unlimited().with_flag(on_interrupt()), console)?;
    draw(args, &net, console)?;
    let facts = facts(&net, &args.order)?;
    match args.format.get() {
        Format::Json => json(&net, &facts, console)?,
        Format::Text | Format::Mcc => text(&net, &facts, console)?,
    }
    Ok(Status::Answered)
}

/// Write the pictures that are asked for.
fn draw(args: &InfoArgs, net: &PetriNet, console: &Console) -> Result<(), Failure> {
    if args.svg.is_none() && args.dot.is_none() {
        return Ok(());
    }
    let view = View::new(net, args.draw);
    let write = |path: &PathBuf, text: String| OutputFile::create(path)?.write(|out| out.write_all(text.as_bytes()));
    if let Some(path) = &args.svg {
        write(path, view.svg())?;
    }
    if let Some(path) = &args.dot {
        write(path, view.dot())?;
    }
    note(&view, console);
    Ok(())
}

/// Say what a picture leaves out.
fn note(view: &View<'_>, console: &Console) {
    if let Some(note) = view.note() {
        console.note(format_args!("the picture shows {note}; --draw N shows more"));
    }
}

fn facts(net: &PetriNet, order: &OrderArgs) -> Result<Facts, Failure> {
    // The effort of these is limited, so they need no other budget.
    let budget = Budget::unlimited();
    let (places, p_semiflows) = match p_semiflows(net, Effort::default(), &budget) {
        Ok(found) => (PlaceBounds::new(net, &found.flows), (found.flows.len(), found.complete)),
        Err(_) => (PlaceBounds::new(net, &[]), (0, false)),
    };
    let t_semiflows = match t_semiflows(net, Effort::default(), &budget) {
        Ok(found) => (found.flows.len(), found.complete),
        Err(_) => (0, false),
    };
    let arcs = |f: fn(&starset::net::Transition) -> &[starset::net::Arc]| {
        net.transitions().iter().flat_map(f).map(|arc| arc.weight)
    };
    let mut orders = order.candidates(net, &budget)?;
    orders.truncate(SHOWN);
    Ok(Facts {
        initial_tokens: net.places().iter().map(|p| u128::from(p.initial)).sum(),
        max_weight: arcs(|t| &t.pre).chain(arcs(|t| &t.post)).max().unwrap_or(0),
        inhibitor_arcs: arcs(|t| &t.inhibitors).count(),
        units: net.nupn().map(|nupn| (nupn.units.len(), nupn.safe)),
        p_semiflows,
        t_semiflows,
        bounded_places: places.as_slice().iter().flatten().count(),
        bound: if places.all_bounded() { places.as_slice().iter().flatten().max().copied() } else { None },
        orders,
    })
}

fn text(net: &PetriNet, facts: &Facts, console: &mut Console) -> Result<(), Failure> {
    let at_least = |(n, complete): (usize, bool)| if complete { n.to_string() } else { format!("at least {n}") };
    console.line(format_args!("{}: {}", net.name(), model::size(net)))?;
    let mut line = |key: &str, value: String| console.line(format_args!("  {key:<22} {value}"));
    line("initial tokens", facts.initial_tokens.to_string())?;
    line("largest arc weight", facts.max_weight.to_string())?;
    line("inhibitor arcs", facts.inhibitor_arcs.to_string())?;
    if let Some((units, safe)) = facts.units {
        line("units", format!("{units}{}", if safe { ", declared safe" } else { "" }))?;
    }
    line("P-semiflows", at_least(facts.p_semiflows))?;
    line("T-semiflows", at_least(facts.t_semiflows))?;
    let bounded = match facts.bound {
        Some(bound) => format!("yes, by P-semiflows: at most {bound} tokens in a place"),
        None => format!("not known: P-semiflows bound {} of {} places", facts.bounded_places, net.place_count()),
    };
    line("bounded", bounded)?;
    for (rank, order) in facts.orders.iter().enumerate() {
        let key = if rank == 0 { "variable orders" } else { "" };
        line(key, format!("{} (score {})", order.name, order.metrics.score))?;
    }
    Ok(())
}

/// One JSON object; docs/json.md describes it.
#[derive(Serialize)]
struct Object<'a> {
    schema: &'static str,
    model: &'a str,
    net: model::Sizes,
    initial_tokens: String,
    max_arc_weight: String,
    inhibitor_arcs: usize,
    units: Option<Units>,
    p_semiflows: Semiflows,
    t_semiflows: Semiflows,
    bounded_places: usize,
    bound: Option<String>,
    orders: Vec<Order<'a>>,
}

#[derive(Serialize)]
struct Units {
    count: usize,
    safe: bool,
}

#[derive(Serialize)]
struct Semiflows {
    count: usize,
    complete: bool,
}

fn json(net: &PetriNet, facts: &Facts, console: &mut Console) -> Result<(), Failure> {
    let semiflows = |(count, complete): (usize, bool)| Semiflows { count, complete };
    console.json(&Object {
        schema: "starset/info/1",
        model: net.name(),
        net: model::Sizes::of(net),
        initial_tokens: facts.initial_tokens.to_string(),
        max_arc_weight: facts.max_weight.to_string(),
        inhibitor_arcs: facts.inhibitor_arcs,
        units: facts.units.map(|(count, safe)| Units { count, safe }),
        p_semiflows: semiflows(facts.p_semiflows),
        t_semiflows: semiflows(facts.t_semiflows),
        bounded_places: facts.bounded_places,
        bound: facts.bound.map(|bound| bound.to_string()),
        orders: facts.orders.iter().map(Order::of).collect(),
    })?;
    Ok(())
}

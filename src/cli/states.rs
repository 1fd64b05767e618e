//! `starset states`: the reachable markings of a net and their figures.

mod compute;
mod explicit;
mod network;
mod report;

use super::model::ModelArg;
use super::options::{Format, FormatArgs, Limits, ProgressMode};
use super::order::OrderArgs;
use super::page::ReportArgs;
use super::progress::Meter;
use super::{Console, Failure, Status};
use clap::ValueEnum;
use compute::Files;
use starset::mdd::with_deep_stack;
use starset::symbolic::Search;
use std::path::PathBuf;

/// Arguments of `starset states`.
#[derive(clap::Args, Debug)]
pub(super) struct StatesArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Also count the deadlocks (markings that enable no transition) and show one
    #[arg(long)]
    deadlocks: bool,
    /// Also show the largest number of tokens of each place
    #[arg(long)]
    bounds: bool,
    /// Also list N reachable markings, those with the fewest tokens
    #[arg(long, value_name = "N")]
    list: Option<usize>,
    /// Save the set of reachable markings to a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write the decision diagram of the reachable markings for Graphviz, if it has at most 5000 nodes
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
    /// How to search
    #[arg(long, value_enum, default_value = "saturation")]
    search: SearchArg,
    /// Which engine counts
    #[arg(long, value_enum, default_value = "symbolic")]
    engine: StatesEngine,
    /// With --engine both, where they disagree: the folder for the files that reproduce it
    #[arg(long, value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    reproducers: PathBuf,
    #[command(flatten)]
    order: OrderArgs,
    #[command(flatten)]
    format: FormatArgs,
    /// When to show progress on standard error
    #[arg(long, value_enum, default_value = "auto")]
    progress: ProgressMode,
    #[command(flatten)]
    limits: Limits,
}

/// Which engine counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum StatesEngine {
    /// Decision diagrams
    Symbolic,
    /// Marking by marking
    Explicit,
    /// Both, and compare: status 4 if they differ
    Both,
}

/// Algorithms for the reachable set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum SearchArg {
    /// Close the diagram level by level from the bottom
    Saturation,
    /// Breadth-first, all transitions at once
    Bfs,
    /// Transition after transition on the growing set
    Chaining,
}

impl SearchArg {
    fn name(self) -> &'static str {
        match self {
            SearchArg::Saturation => "saturation",
            SearchArg::Bfs => "bfs",
            SearchArg::Chaining => "chaining",
        }
    }
}

impl From<SearchArg> for Search {
    fn from(arg: SearchArg) -> Self {
        match arg {
            SearchArg::Saturation => Search::Saturation,
            SearchArg::Bfs => Search::BreadthFirst,
            SearchArg::Chaining => Search::Chaining,
        }
    }
}

impl StatesArgs {
    /// Is nothing asked for that the engine does not have?
    fn suits_engine(&self) -> Result<(), Failure> {
        if self.engine == StatesEngine::Explicit && (self.list.is_some() || self.save.is_some() || self.dot.is_some()) {
            let usage = "--list, --save and --dot need diagrams: use --engine symbolic or both";
            return Err(Failure::Input(usage.to_owned()));
        }
        Ok(())
    }
}

pub(super) fn run(args: &StatesArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    if let Some(network) = args.model.network(console)? {
        return network::run(args, &network, &budget, console);
    }
    let net = args.model.read(&budget, console)?;
    args.suits_engine()?;
    let files = Files::create(args)?;
    let page = args.report.create()?;
    let meter = Meter::start(args.progress, args.search.into(), net.place_count(), console);
    let started = console.started();
    let results = match args.engine {
        StatesEngine::Explicit => Ok(explicit::compute(args, &*net, &budget, &meter, started)),
        StatesEngine::Symbolic | StatesEngine::Both => {
            let orders = args.order.candidates(&net, &budget)?;
            with_deep_stack(net.place_count(), || compute::compute(args, &net, orders, files, &budget, &meter, started))
        }
    };
    let results = results.and_then(|results| match args.engine {
        StatesEngine::Both => {
            let second = explicit::compute(args, &*net, &budget, &meter, started);
            explicit::compare(args, &*net, results, second, console)
        }
        _ => Ok(results),
    });
    meter.stop();
    let results = results?;
    match args.format.get() {
        Format::Text => report::text(args, &net, &results, console)?,
        Format::Json => report::json(args, &net, &results, console)?,
        Format::Mcc => report::mcc(&results, console)?,
    }
    if let Some(file) = page {
        report::page(args, &net, &results, file)?;
    }
    // The results come first where both streams go to one terminal.
    console.flush()?;
    report::summary(args, &results, console);
    Ok(results.status())
}

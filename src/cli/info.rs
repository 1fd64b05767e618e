//! `starset info`: what a model is, before any state is explored.

use super::examples;
use super::model::{self, ModelArg};
use super::options::{Format, FormatArgs, Limits};
use super::order::{self, OrderArgs};
use super::output_file::OutputFile;
use super::{Console, Failure, Status};
use starset::budget::Budget;
use starset::kinds::{Loaded, Writing};
use starset::picture::View;
use std::io::Write as _;
use std::path::PathBuf;

/// How many of the variable orders are shown.
const SHOWN: usize = 6;

/// Arguments of `starset info`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::INFO)]
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
    #[command(flatten)]
    limits: Limits,
}

pub(super) fn run(args: &InfoArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    let loaded = args.model.read(&budget, console)?;
    let model = &*loaded.model;
    draw(args, &loaded, console)?;
    let mut orders = args.order.candidates(model, &budget)?;
    orders.truncate(SHOWN);
    let facts = model.facts(&budget);
    // What is said is true, but there may be more to say.
    let status = match budget.check() {
        Ok(()) => Status::Answered,
        Err(exhausted) => {
            console.error(format_args!("{exhausted}: what else there is to say of the model is left out"));
            Status::Unknown
        }
    };
    if args.format.get() == Format::Json {
        let fields = model::fields("starset/info/1", model);
        let fields = facts.into_iter().fold(fields, |fields, fact| fields.with(fact.key, fact.value));
        let orders: Vec<_> = orders.iter().map(order::fields).collect();
        console.json(&fields.with("orders", orders))?;
        return Ok(status);
    }
    console.line(model::header(model))?;
    for (title, text) in facts.iter().flat_map(|fact| &fact.lines) {
        console.line(format_args!("  {title:<22} {text}"))?;
    }
    for (rank, order) in orders.iter().enumerate() {
        let key = if rank == 0 { "variable orders" } else { "" };
        console.line(format_args!("  {key:<22} {} (score {})", order.name, order.metrics.score))?;
    }
    Ok(status)
}

/// Write the pictures that are asked for.
fn draw(args: &InfoArgs, loaded: &Loaded, console: &Console) -> Result<(), Failure> {
    if args.svg.is_none() && args.dot.is_none() {
        return Ok(());
    }
    let model = &*loaded.model;
    let net = model.picture();
    let mut view = View::new(&net, args.draw);
    // The picture of a net is that net; of another model it has names of its own.
    if model.as_net().is_some() {
        view = view.named(&loaded.symbols);
    }
    let write = |path: &PathBuf, text: &[u8]| OutputFile::create(path)?.write(|out| out.write_all(text));
    if let Some(path) = &args.svg {
        write(path, view.svg().as_bytes())?;
    }
    if let Some(path) = &args.dot {
        let mut text = Vec::new();
        // A model whose own form is for Graphviz is its best picture.
        match model.form() {
            "dot" => drop(model.write("dot", &Writing::default(), &Budget::unlimited(), &mut text)),
            _ => text = view.dot().into_bytes(),
        }
        write(path, &text)?;
    }
    if let Some(note) = view.note().filter(|_| args.svg.is_some() || model.form() != "dot") {
        console.note(format_args!("the picture shows {note}; --draw N shows more"));
    }
    Ok(())
}

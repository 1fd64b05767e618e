//! `starset convert`: models from one form of file into another.

use super::model::{Model, Reading};
use super::network::{self, Form};
use super::options::Limits;
use super::output_file::OutputFile;
use super::{Console, Failure, Status};
use clap::{Args, ValueEnum};
use starset::budget::Budget;
use starset::lts::{Component, Network, NoGraph, graph_of_net, graph_of_network, to_net, write_aut, write_dot};
use starset::net::PetriNet;
use starset::pnml;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Arguments of `starset convert`.
#[derive(Args, Debug)]
#[command(override_usage = "starset convert [OPTIONS] <MODEL>... <OUT>")]
#[command(after_help = "A net becomes a .dot file as the network that its units (NUPN) are. A network becomes a net \
    with one unit per component. An .aut file holds one transition system: that of a network with one component, \
    otherwise the graph of the reachable states.")]
pub(super) struct ConvertArgs {
    /// The model, in one or several files as for other commands; then the file to write, - for standard output, whose
    /// name says the form: .dot, .aut or .pnml
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    /// The form to write, whatever the name of the file
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<Target>,
    /// Most states of a reachability graph
    #[arg(long, value_name = "N", default_value = "1000000")]
    most: usize,
    #[command(flatten)]
    limits: Limits,
}

/// Forms that are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Target {
    /// A network as DOT
    Dot,
    /// One transition system in the form of Aldebaran
    Aut,
    /// A net, with units (NUPN) if it stands for a network
    Pnml,
}

impl Target {
    fn of(path: &Path) -> Option<Target> {
        match Form::of(path) {
            Some(Form::Dot) => Some(Target::Dot),
            Some(Form::Aut) => Some(Target::Aut),
            Some(Form::Pml) => None,
            None => path.extension().filter(|extension| *extension == "pnml").map(|_| Target::Pnml),
        }
    }
}

/// What is converted.
enum Source {
    Network(Network),
    Net(Model),
}

pub(super) fn run(args: &ConvertArgs, console: &mut Console) -> Result<Status, Failure> {
    let Some((output, models)) = args.files.split_last().filter(|(_, models)| !models.is_empty()) else {
        return Err(Failure::Input("give the model, then the file to write".to_owned()));
    };
    let name = output.display();
    let Some(target) = args.to.or_else(|| Target::of(output)) else {
        return Err(Failure::Input(format!("{name}: which form is that? Say it with --to dot, aut or pnml")));
    };
    let budget = args.limits.budget(console);
    let source = match args.reading.network(models, console)? {
        Some(network) => Source::Network(network),
        // Only a network can be written as DOT.
        None if target == Target::Dot => Source::Network(network::read(models, args.reading.labels(), console)?),
        None => Source::Net(args.reading.net(models, &budget, console)?),
    };
    let mut written = Vec::new();
    let about = match (&source, target) {
        (Source::Network(network), Target::Dot) => {
            write_dot(network, &mut written).map(|()| network::size(network)).map_err(unwritable)?
        }
        (Source::Network(network), Target::Pnml) => {
            let net = to_net(network).map_err(|e| Failure::Input(e.to_string()))?;
            net_text(&net, &mut written)?
        }
        (Source::Net(net), _) if target != Target::Aut => net_text(net, &mut written)?,
        (source, _) => {
            let graph = match graph(source, args, &budget) {
                Ok(graph) => graph,
                Err(NoGraph::Budget(exhausted)) => {
                    console.error(format_args!("unknown: {exhausted}"));
                    return Ok(Status::Unknown);
                }
                Err(e) => return Err(Failure::Input(e.to_string())),
            };
            write_aut(&graph, &mut written).map_err(unwritable)?;
            format!("{} states, {} edges", graph.states.len(), graph.edges.len())
        }
    };
    if output == Path::new("-") {
        console.out().write_all(&written)?;
    } else {
        OutputFile::create(output)?.write(|out| out.write_all(&written))?;
        console.note(format_args!("{name}: {about}"));
    }
    Ok(Status::Answered)
}

fn unwritable(e: io::Error) -> Failure {
    Failure::Input(e.to_string())
}

fn net_text(net: &PetriNet, written: &mut Vec<u8>) -> Result<String, Failure> {
    pnml::write(net, written).map_err(unwritable)?;
    Ok(super::model::size(net))
}

/// The only component of a network, or the graph of its reachable states, or that of a net.
fn graph(source: &Source, args: &ConvertArgs, budget: &Budget) -> Result<Component, NoGraph> {
    match source {
        Source::Network(network) => match network.components() {
            [only] => Ok(only.clone()),
            _ => graph_of_network(network, args.most, budget),
        },
        Source::Net(net) => graph_of_net(net, args.reading.labels(), args.most, budget),
    }
}

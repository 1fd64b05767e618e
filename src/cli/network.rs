//! Networks of transition systems as inputs, and what the commands say about them.

use super::model::{Model, Reading};
use super::options::{Format, FormatArgs};
use super::order::{Order, OrderArgs};
use super::{Console, Failure, Status};
use serde::Serialize;
use starset::budget::Budget;
use starset::formula::{Naming, Symbols};
use starset::lts::{Network, ReadError, of_net, read_aut, read_dot, read_pml, to_net, to_readable_net};
use starset::net::{PetriNet, PlaceId};
use starset::order::Scored;
use std::fs;
use std::path::{Path, PathBuf};

/// Components shown of one state in text.
pub(crate) const MOST_SHOWN: usize = 24;

impl From<ReadError> for Failure {
    fn from(e: ReadError) -> Self {
        Failure::Input(e.to_string())
    }
}

impl Reading {
    /// The network in these files, if it is one.
    pub(crate) fn network(&self, paths: &[PathBuf], console: &Console) -> Result<Option<Network>, Failure> {
        if let [_, others @ ..] = paths
            && let Some(other) = others.iter().find(|path| !path.exists())
        {
            let other = other.display();
            return Err(Failure::Input(format!(
                "{other}: there is no such file; a formula is given with -f, in quotes"
            )));
        }
        if self.as_network() || paths.iter().any(|path| Form::of(path).is_some()) {
            return read(paths, self.labels(), console).map(Some);
        }
        Ok(None)
    }
}

/// Forms of files with networks, but for nets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Components as subgraphs.
    Dot,
    /// Promela of the RERS generator.
    Pml,
    /// One transition system of Aldebaran.
    Aut,
}

impl Form {
    /// The form of a file, by its name.
    pub(super) fn of(path: &Path) -> Option<Form> {
        match path.extension()?.to_str()? {
            "dot" | "gv" => Some(Form::Dot),
            "pml" | "promela" => Some(Form::Pml),
            "aut" => Some(Form::Aut),
            _ => None,
        }
    }
}

/// Read the network in files: several are composed if they are all of Aldebaran's form. A net is the network of
/// its units.
pub(super) fn read(paths: &[PathBuf], labels: Naming, console: &Console) -> Result<Network, Failure> {
    let text = |path: &Path| {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|e| Failure::Input(format!("{name}: cannot be read: {e}")))?;
        Ok::<_, Failure>((text, name))
    };
    let network = match paths {
        [path] => match Form::of(path) {
            Some(Form::Dot) => text(path).and_then(|(text, name)| Ok(read_dot(&text, &name)?))?,
            Some(Form::Pml) => text(path).and_then(|(text, name)| Ok(read_pml(&text, &name)?))?,
            Some(Form::Aut) => text(path).and_then(|(text, name)| Ok(read_aut(&[(&text, &name)])?))?,
            None => {
                let net = Model::read(path, &Budget::unlimited(), console)?;
                of_net(&net, labels).map_err(|e| Failure::Input(format!("{}: {e}", path.display())))?
            }
        },
        _ => {
            if let Some(other) = paths.iter().find(|path| Form::of(path) != Some(Form::Aut)) {
                let other = other.display();
                return Err(Failure::Input(format!("{other}: several files are composed only if all are .aut files")));
            }
            let texts = paths.iter().map(|path| text(path)).collect::<Result<Vec<_>, _>>()?;
            let texts: Vec<(&str, &str)> = texts.iter().map(|(text, name)| (text.as_str(), name.as_str())).collect();
            read_aut(&texts)?
        }
    };
    console.detail(format_args!("{}: {}", network.name(), size(&network)));
    Ok(network)
}

/// The size of a network in words.
pub(crate) fn size(network: &Network) -> String {
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let Sizes { components, states, edges, labels, shared_labels } = Sizes::of(network);
    let sizes = [(components, "component"), (states, "local state"), (edges, "edge"), (labels, "label")];
    format!("{} ({shared_labels} shared)", sizes.map(|(n, what)| plural(n, what)).join(", "))
}

/// The size of a network in JSON.
#[derive(Serialize)]
pub(crate) struct Sizes {
    components: usize,
    states: usize,
    edges: usize,
    labels: usize,
    shared_labels: usize,
}

impl Sizes {
    /// The size of `network`.
    pub(crate) fn of(network: &Network) -> Self {
        let participants = network.label_ids().flat_map(|label| network.participants(label));
        Sizes {
            components: network.components().len(),
            states: network.components().iter().map(|component| component.states.len()).sum(),
            edges: participants.map(|participant| participant.edges.len()).sum(),
            labels: network.label_count(),
            shared_labels: network.shared_label_count(),
        }
    }
}

/// The labels of a network, as names for formulas.
pub(crate) fn symbols(network: &Network) -> Symbols {
    Symbols::of_labels(network.label_ids().map(|label| network.label(label)))
}

/// The net of a network, for a page that shows its runs.
pub(crate) fn shown_net(network: &Network) -> Result<PetriNet, Failure> {
    to_readable_net(network).or_else(|_| to_net(network)).map_err(|e| Failure::Input(e.to_string()))
}

/// A state as the names of the local states, by component; `values` are the components not in state 0.
pub(crate) fn local_states<'a>(network: &'a Network, values: &[(PlaceId, u128)]) -> Vec<(&'a str, &'a str)> {
    let of = |(index, component): (usize, &'a starset::lts::Component)| {
        let value = values.iter().find(|(place, _)| place.index() == index).map_or(0, |&(_, value)| value);
        let state = usize::try_from(value).ok().and_then(|value| component.states.get(value));
        (component.name.as_str(), state.map_or("?", String::as_str))
    };
    network.components().iter().enumerate().map(of).collect()
}

/// A state for people, with an end to it.
pub(crate) fn state_text(state: &[(&str, &str)]) -> String {
    let shown = state.iter().take(MOST_SHOWN).map(|(component, local)| format!("{component}={local}"));
    let mut text = shown.collect::<Vec<_>>().join(" ");
    if state.len() > MOST_SHOWN {
        text.push_str(&format!(" … and {} more components (all with --json)", state.len() - MOST_SHOWN));
    }
    text
}

/// One JSON object; docs/lts.md describes it.
#[derive(Serialize)]
struct Object<'a> {
    schema: &'static str,
    model: &'a str,
    network: Sizes,
    orders: Vec<Order<'a>>,
}

/// What a network is, before any state is explored.
pub(crate) fn info(
    network: &Network,
    order: &OrderArgs,
    format: &FormatArgs,
    console: &mut Console,
) -> Result<Status, Failure> {
    let orders: Vec<Scored> = order.candidates(&network.skeleton(), &Budget::unlimited())?;
    if format.get() == Format::Json {
        let (network, model) = (Sizes::of(network), network.name());
        console.json(&Object {
            schema: "starset/network-info/1",
            model,
            network,
            orders: orders.iter().map(Order::of).collect(),
        })?;
        return Ok(Status::Answered);
    }
    console.line(format_args!("{}: {}", network.name(), size(network)))?;
    for component in network.components() {
        let (states, edges) = (component.states.len(), component.edges.len());
        console.line(format_args!("  {:<22} {states} states, {edges} edges", component.name))?;
    }
    for (rank, order) in orders.iter().enumerate() {
        let key = if rank == 0 { "variable orders" } else { "" };
        console.line(format_args!("  {key:<22} {} (score {})", order.name, order.metrics.score))?;
    }
    Ok(Status::Answered)
}

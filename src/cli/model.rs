//! The net that a command is about.

use super::{Console, Failure};
use clap::{Args, ValueEnum};
use serde::Serialize;
use starset::budget::Budget;
use starset::coloured::{self, Unfolding};
use starset::examination::Subject;
use starset::formula::{Naming, Symbols};
use starset::lts::Network;
use starset::net::{PetriNet, PlaceId};
use starset::pnml::{self, Net};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The arguments that name the model.
#[derive(Args, Debug)]
pub(crate) struct ModelArg {
    /// A .pnml file, a folder with a model.pnml in it, or - for standard input; or transition systems: a .dot file,
    /// a .pml file of the RERS challenge, or .aut files, several of which are composed on equal labels
    #[arg(value_name = "MODEL", required = true)]
    models: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

/// How the files of a model are read.
#[derive(Args, Debug)]
pub(crate) struct Reading {
    /// Take a net as the network of transition systems that its units (NUPN) are
    #[arg(long = "network")]
    as_network: bool,
    /// What the label of a transition of a net is, in `action(a)` and `<a>`, and of a step with --network
    #[arg(long, value_enum, default_value = "either")]
    labels: LabelsArg,
}

/// What labels are, as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum LabelsArg {
    /// Its display name; the identifier where there is no display name
    Name,
    /// Its identifier
    Id,
    /// Either; refused where it could mean both
    Either,
}

impl ModelArg {
    /// What labels are.
    pub(crate) fn labels(&self) -> Naming {
        self.reading.labels()
    }

    /// The network that the arguments name, if they name one.
    pub(crate) fn network(&self, console: &Console) -> Result<Option<Network>, Failure> {
        self.reading.network(&self.models, console)
    }

    /// Read the net; unfold it if it is coloured.
    pub(crate) fn read(&self, budget: &Budget, console: &Console) -> Result<Model, Failure> {
        self.reading.net(&self.models, budget, console)
    }
}

impl Reading {
    /// Is a net to be taken as a network?
    pub(super) fn as_network(&self) -> bool {
        self.as_network
    }

    /// What labels are.
    pub(crate) fn labels(&self) -> Naming {
        match self.labels {
            LabelsArg::Name => Naming::Name,
            LabelsArg::Id => Naming::Id,
            LabelsArg::Either => Naming::Either,
        }
    }

    /// Read the net in these files, of which there is one; unfold it if it is coloured.
    pub(crate) fn net(&self, paths: &[PathBuf], budget: &Budget, console: &Console) -> Result<Model, Failure> {
        match paths {
            [path] => Model::read(path, budget, console),
            _ => Err(Failure::Input("one net at a time: only .aut files are composed".to_owned())),
        }
    }
}

/// A net that can be explored, perhaps the unfolding of a coloured one.
pub(crate) enum Model {
    /// A place/transition net.
    Flat(PetriNet),
    /// What a coloured net was unfolded to.
    Unfolded(Unfolding),
}

impl Deref for Model {
    type Target = PetriNet;

    fn deref(&self) -> &PetriNet {
        match self {
            Model::Flat(net) => net,
            Model::Unfolded(unfolding) => &unfolding.net,
        }
    }
}

impl Model {
    /// Read the net at this path, `-` being standard input; unfold it if it is coloured.
    pub(crate) fn read(path: &Path, budget: &Budget, console: &Console) -> Result<Model, Failure> {
        let net = if path == Path::new("-") {
            pnml::read_net(io::stdin().lock(), "<stdin>")?
        } else {
            pnml::read_net_path(path)?
        };
        let model = match net {
            Net::Flat(net) => Model::Flat(net),
            Net::Coloured(net) => {
                let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
                let (places, transitions) = (net.place_count(), net.transition_count());
                let (places, transitions) = (plural(places, "place"), plural(transitions, "transition"));
                let begin = Instant::now();
                let unfolding = coloured::unfold(&net, &coloured::Limits::default(), budget)?;
                let seconds = begin.elapsed().as_secs_f64();
                console.detail(format_args!(
                    "{}: coloured, {places}, {transitions}, unfolded in {seconds:.3} s",
                    net.name
                ));
                Model::Unfolded(unfolding)
            }
        };
        console.detail(format_args!("{}: {}", model.name(), size(&model)));
        Ok(model)
    }

    /// The names that formulas may use.
    pub(crate) fn symbols(&self) -> Symbols {
        match self {
            Model::Flat(net) => Symbols::new(net),
            Model::Unfolded(unfolding) => unfolding.symbols(),
        }
    }

    /// What the net is, if there is more to say than its name.
    pub(crate) fn origin(&self) -> &'static str {
        match self {
            Model::Flat(_) => "",
            Model::Unfolded(_) => "The unfolding of a coloured net.",
        }
    }

    /// What examinations are about.
    pub(crate) fn subject(&self) -> Subject<'_> {
        match self {
            Model::Flat(net) => Subject::new(net),
            Model::Unfolded(unfolding) => unfolding.subject(),
        }
    }
}

/// The size of a net in words.
pub(crate) fn size(net: &PetriNet) -> String {
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let sizes = [(net.place_count(), "place"), (net.transition_count(), "transition"), (net.arc_count(), "arc")];
    sizes.map(|(n, what)| plural(n, what)).join(", ")
}

/// The size of a net in JSON.
#[derive(Serialize)]
pub(crate) struct Sizes {
    places: usize,
    transitions: usize,
    arcs: usize,
}

impl Sizes {
    /// The size of `net`.
    pub(crate) fn of(net: &PetriNet) -> Self {
        Sizes { places: net.place_count(), transitions: net.transition_count(), arcs: net.arc_count() }
    }
}

/// `p=2 q=1`, with an end to it.
pub(crate) fn marking_text(net: &PetriNet, marking: &[(PlaceId, u128)], most: usize) -> String {
    if marking.is_empty() {
        return "no tokens".to_owned();
    }
    let place = |&(place, tokens): &(PlaceId, u128)| match tokens {
        1 => net.place(place).id.clone(),
        n => format!("{}={n}", net.place(place).id),
    };
    let mut text = marking.iter().take(most).map(place).collect::<Vec<_>>().join(" ");
    if marking.len() > most {
        text.push_str(&format!(" … and {} more places (all with --json)", marking.len() - most));
    }
    text
}

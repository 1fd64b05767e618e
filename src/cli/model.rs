//! The net that a command is about.

use super::{Console, Failure};
use clap::Args;
use serde::Serialize;
use starset::net::{PetriNet, PlaceId};
use starset::pnml;
use std::io;
use std::path::{Path, PathBuf};

/// The argument that names the net.
#[derive(Args, Debug)]
pub(crate) struct ModelArg {
    /// A .pnml file, a folder with a model.pnml in it, or - for standard input
    #[arg(value_name = "MODEL")]
    path: PathBuf,
}

impl ModelArg {
    /// Read the net.
    pub(crate) fn read(&self, console: &Console) -> Result<PetriNet, Failure> {
        let net = if self.path == Path::new("-") {
            pnml::read(io::stdin().lock(), "<stdin>")?
        } else {
            pnml::read_path(&self.path)?
        };
        console.detail(format_args!("{}: {}", net.name(), size(&net)));
        Ok(net)
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

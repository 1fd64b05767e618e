//! The reader of nets: PNML files, folders of the Model Checking Contest, standard input; coloured nets are unfolded.

use super::coloured::{self, ColouredNet, Unfolding};
use super::pnml::{self, Net};
use crate::budget::Budget;
use crate::formula::Symbols;
use crate::kinds::{Loaded, ReadError, Reading, Size, in_words};
use crate::model::Groups;
use crate::net::PetriNet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A net, or what a coloured net is unfolded to.
pub(in crate::kinds) fn pnml(paths: &[PathBuf], reading: &Reading, budget: &Budget) -> Result<Loaded, ReadError> {
    let path = paths.first().ok_or(ReadError::Nothing)?;
    let net = if path == Path::new("-") {
        pnml::read_net(io::stdin().lock(), "<stdin>")?
    } else {
        pnml::read_net_path(path)?
    };
    let mut loaded = match net {
        Net::Flat(net) => flat(net),
        Net::Coloured(net) => unfolded(&net, budget)?,
    };
    loaded.symbols = loaded.symbols.with_labels(reading.labels);
    Ok(loaded)
}

fn flat(net: PetriNet) -> Loaded {
    let (symbols, groups) = (Symbols::new(&net), Groups::single(&net));
    Loaded { symbols, groups, origin: "", notes: Vec::new(), model: Box::new(net) }
}

fn unfolded(net: &ColouredNet, budget: &Budget) -> Result<Loaded, ReadError> {
    let begin = Instant::now();
    let unfolding = coloured::unfold(net, &coloured::Limits::default(), budget)?;
    let sizes = [
        Size::new("places", "place", net.place_count()),
        Size::new("transitions", "transition", net.transition_count()),
    ];
    let (sizes, seconds) = (in_words(&sizes), begin.elapsed().as_secs_f64());
    let note = format!("{}: coloured, {sizes}, unfolded in {seconds:.3} s", net.name);
    let (symbols, groups) = (unfolding.symbols(), unfolding.groups());
    let Unfolding { net, .. } = unfolding;
    let origin = "The unfolding of a coloured net.";
    Ok(Loaded { symbols, groups, origin, notes: vec![note], model: Box::new(net) })
}

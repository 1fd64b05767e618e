//! The reader of nets: PNML files, folders of the Model Checking Contest, standard input; coloured nets are unfolded.

use super::coloured::{ColouredNet, Folded, Limits, UnfoldError, Unfolding, unfold};
use super::pnml::{self, Net};
use crate::budget::Budget;
use crate::files;
use crate::formula::Symbols;
use crate::kinds::{Loaded, ModelQuestions, ReadError, Reading, Size, in_words};
use crate::model::{Groups, TransitionSystem};
use crate::net::PetriNet;
use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

/// The part of the time that unfolding may take: where it takes more, not much could be done with it.
const UNFOLDING: (u32, u32) = (2, 3);

/// A net, or what a coloured net is unfolded to.
pub(in crate::kinds) fn pnml(path: &Path, reading: &Reading, budget: &Budget) -> Result<Loaded, ReadError> {
    let net = pnml::read_net_path_within(path, budget).map_err(|error| match budget.check() {
        Err(exhausted) => ReadError::Exhausted { file: path.display().to_string(), exhausted },
        Ok(()) => error.into(),
    });
    loaded(net?, reading, budget)
}

/// The same of a file that is in memory.
pub(in crate::kinds) fn pnml_in(
    bytes: &[u8],
    name: &str,
    reading: &Reading,
    budget: &Budget,
) -> Result<Loaded, ReadError> {
    loaded(pnml::read_net(bytes, name)?, reading, budget)
}

/// Standard input, compressed or not, up to the largest file that is read.
pub(in crate::kinds) fn piped() -> Result<Vec<u8>, ReadError> {
    let (input, mut bytes) = (Path::new("-"), Vec::new());
    match files::open(input).and_then(|input| input.take(pnml::MAX_FILE_BYTES + 1).read_to_end(&mut bytes)) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(ReadError::Open { file: files::shown(input), error }),
    }
}

pub(in crate::kinds) fn loaded(net: Net, reading: &Reading, budget: &Budget) -> Result<Loaded, ReadError> {
    let mut loaded = match net {
        Net::Flat(net) => flat(net),
        Net::Coloured(net) => coloured(net, budget)?,
    };
    loaded.symbols = loaded.symbols.with_labels(reading.labels);
    Ok(loaded)
}

fn flat(net: PetriNet) -> Loaded {
    let (symbols, groups) = (Symbols::new(&net), Groups::single(&net));
    let (notes, remarks, questions) = (Vec::new(), Vec::new(), ModelQuestions::default());
    Loaded {
        symbols,
        groups,
        names: None,
        origin: "",
        notes,
        remarks,
        questions,
        files: Vec::new(),
        model: Box::new(net),
    }
}

/// The unfolding; if it is too large, or takes too long, the net as it is.
fn coloured(net: ColouredNet, budget: &Budget) -> Result<Loaded, ReadError> {
    let error = match unfolded(&net, &budget.part(UNFOLDING.0, UNFOLDING.1)) {
        Ok(loaded) => return Ok(loaded),
        Err(error) => error,
    };
    budget.check().map_err(UnfoldError::from)?;
    let too_large = matches!(error, UnfoldError::TooLarge { .. } | UnfoldError::Exhausted(_));
    if !too_large {
        return Err(error.into());
    }
    let remarks = net.remarks.clone();
    let model = Folded::new(net, error.clone()).ok_or(error)?;
    let note = format!("{}: coloured, not unfolded: {}", model.name(), model.why());
    let (symbols, groups) = (model.symbols(), model.groups());
    let origin = "A coloured net that is too large to be unfolded.";
    let questions = ModelQuestions::default();
    Ok(Loaded {
        symbols,
        groups,
        names: None,
        origin,
        notes: vec![note],
        remarks,
        questions,
        files: Vec::new(),
        model: Box::new(model),
    })
}

fn unfolded(coloured: &ColouredNet, budget: &Budget) -> Result<Loaded, UnfoldError> {
    let begin = Instant::now();
    let unfolding = unfold(coloured, &Limits::default(), budget)?;
    let sizes = [
        Size::new("places", "place", coloured.place_count()),
        Size::new("transitions", "transition", coloured.transition_count()),
    ];
    let (sizes, seconds) = (in_words(&sizes), begin.elapsed().as_secs_f64());
    let note = format!("{}: coloured, {sizes}, unfolded in {seconds:.3} s", coloured.name);
    let (symbols, groups) = (unfolding.symbols(), unfolding.groups());
    let Unfolding { net, places, transitions } = unfolding;
    let variables = places.into_iter().map(|family| family.id).collect();
    let names = Some([variables, transitions.into_iter().map(|family| family.id).collect()]);
    let origin = "The unfolding of a coloured net.";
    let (remarks, questions) = (coloured.remarks.clone(), ModelQuestions::default());
    Ok(Loaded {
        symbols,
        groups,
        names,
        origin,
        notes: vec![note],
        remarks,
        questions,
        files: Vec::new(),
        model: Box::new(net),
    })
}

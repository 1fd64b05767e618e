//! The set of `satset --load`: read from a file, held against the net or network.

use super::Failure;
use starset::budget::Budget;
use starset::examination::StateSpace;
use starset::lts::Model;
use starset::mdd::{MatchError, Mdd, SavedSet, TransferError};
use starset::net::{PetriNet, PlaceId};
use starset::order::Order;
use starset::symbolic::Halt;
use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// A bound on the number of levels of the set in a file, which is known only when the file is read: a level
/// takes a line of at least six bytes.
pub(super) fn saved_levels(path: &Path) -> usize {
    path.metadata().map_or(0, |file| file.len() as usize / 6).min(1 << 20)
}

/// A saved set whose components are the places of the net, or the components of the network.
pub(super) struct Loaded {
    /// Name of the file.
    pub(super) name: String,
    /// What the file says and holds.
    pub(super) saved: SavedSet,
    /// The variable order of the set, which suits the model too.
    pub(super) order: Order,
}

impl Loaded {
    /// Read a file; `net` is the model or its skeleton.
    pub(super) fn read(path: &Path, model: Model<'_>, net: &PetriNet, budget: &Budget) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|e| Failure::Input(format!("cannot read {name}: {e}")))?;
        let saved = SavedSet::load(BufReader::new(file), budget).map_err(|e| Failure::Input(format!("{name}: {e}")))?;
        let (kind, variable) = match model {
            Model::Net(_) => ("net", "place"),
            Model::Network(_) => ("network", "component"),
        };
        let foreign = |problem: String| {
            let (from, own) = (&saved.model, net.name());
            Failure::Input(format!("{name}: a set of another {kind}: it was saved from {from}, and {problem} {own}"))
        };
        let ids: HashMap<&str, PlaceId> = net.place_ids().map(|p| (net.place(p).id.as_str(), p)).collect();
        let mut places = Vec::with_capacity(saved.names.len());
        for name in &saved.names {
            let place = ids.get(name.as_str()).ok_or_else(|| foreign(format!("its {variable} `{name}` is not in")))?;
            places.push(*place);
        }
        let order = Order::new(net, places).ok_or_else(|| foreign(format!("has not once each {variable} of")))?;
        Ok(Loaded { name, saved, order })
    }

    /// The set in the space of the reachable markings. The outer error is one of the input: the set is not one
    /// of reachable markings.
    pub(super) fn within(
        &self,
        space: &StateSpace,
        model: Model<'_>,
        budget: &Budget,
    ) -> Result<Result<Mdd, Halt>, Failure> {
        let unreachable = || {
            let (file, own, from) = (&self.name, model.name(), &self.saved.model);
            let problem = format!("{file}: some of its markings are not reachable in {own}; it was saved from {from}");
            Failure::Input(problem)
        };
        let set = match space.to_saved(model).matching(&self.saved, budget) {
            Ok(set) => set,
            Err(MatchError::Transfer(TransferError::Exhausted(exhausted))) => return Ok(Err(exhausted.into())),
            Err(MatchError::Transfer(TransferError::OutOfRange(_))) => return Err(unreachable()),
            Err(error) => return Err(Failure::Input(format!("{}: {error}", self.name))),
        };
        match set.is_subset(&space.set, budget) {
            Ok(true) => Ok(Ok(set)),
            Ok(false) => Err(unreachable()),
            Err(exhausted) => Ok(Err(exhausted.into())),
        }
    }
}

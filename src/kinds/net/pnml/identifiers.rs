//! Meanings of the identifiers of a file.
//!
//! *References.* A reference node stands for what it refers to, perhaps through further references. Chains are
//! followed once, every node on the way remembering its end, so that resolving all of them is linear.

use super::error::{Located, PnmlProblem};
use crate::net::{PlaceId, TransitionId};
use crate::xml::{Location, excerpt};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Number of an interned identifier.
pub(super) type Symbol = usize;

/// The meaning of an identifier of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// It was referred to, but not declared so far.
    Undeclared,
    Place(PlaceId),
    Transition(TransitionId),
    PlaceReference(Symbol),
    TransitionReference(Symbol),
    /// A page or an arc: nothing to connect to.
    Other,
}

/// Every identifier seen, with its meaning and where that was declared.
#[derive(Default, Debug)]
pub(super) struct Identifiers {
    map: IndexMap<Box<str>, (Meaning, Location), FxBuildHasher>,
}

impl Identifiers {
    /// The symbol for `id`, which need not be declared yet.
    pub(super) fn intern(&mut self, id: &str) -> Symbol {
        match self.map.get_index_of(id) {
            Some(symbol) => symbol,
            None => self.map.insert_full(id.into(), (Meaning::Undeclared, Location::START)).0,
        }
    }

    /// Has `id` been declared? Then it may not be declared again.
    pub(super) fn check_new(&self, id: &str, location: Location) -> Result<(), Located> {
        match self.map.get(id) {
            Some(&(meaning, first)) if meaning != Meaning::Undeclared => {
                Err(Located::at(location, PnmlProblem::DuplicateId { id: excerpt(id), first }))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn declare(&mut self, id: String, meaning: Meaning, location: Location) -> Result<(), Located> {
        self.check_new(&id, location)?;
        self.map.insert(id.into(), (meaning, location));
        Ok(())
    }

    /// Give `symbol`, which has been declared, another meaning.
    pub(super) fn change(&mut self, symbol: Symbol, meaning: Meaning) {
        if let Some((_, entry)) = self.map.get_index_mut(symbol) {
            entry.0 = meaning;
        }
    }

    fn get(&self, symbol: Symbol) -> (Meaning, Location) {
        self.map.get_index(symbol).map_or((Meaning::Undeclared, Location::START), |(_, &entry)| entry)
    }

    /// The meaning of `symbol`; references have been resolved.
    pub(super) fn meaning(&self, symbol: Symbol) -> Meaning {
        self.get(symbol).0
    }

    /// The identifier, for messages.
    pub(super) fn name(&self, symbol: Symbol) -> String {
        self.map.get_index(symbol).map_or_else(String::new, |(id, _)| excerpt(id))
    }

    /// Replace the meaning of every reference node by that of the place or transition it leads to.
    pub(super) fn resolve_references(&mut self) -> Result<(), Located> {
        let mut path = Vec::new();
        for start in 0..self.map.len() {
            let mut symbol = start;
            let end = loop {
                let (meaning, location) = self.get(symbol);
                let (next, wanted) = match meaning {
                    Meaning::PlaceReference(next) => (next, "place"),
                    Meaning::TransitionReference(next) => (next, "transition"),
                    _ => break meaning,
                };
                // A chain longer than there are identifiers has been here before.
                if path.len() > self.map.len() {
                    return Err(Located::at(location, PnmlProblem::ReferenceCycle(self.name(symbol))));
                }
                path.push((symbol, location, wanted));
                symbol = next;
            };
            for (from, location, wanted) in path.drain(..).rev() {
                let problem = match (wanted, end) {
                    ("place", Meaning::Place(_)) | ("transition", Meaning::Transition(_)) => {
                        if let Some((_, entry)) = self.map.get_index_mut(from) {
                            entry.0 = end;
                        }
                        continue;
                    }
                    (_, Meaning::Undeclared) => PnmlProblem::Dangling {
                        referrer: format!("reference `{}`", self.name(from)),
                        id: self.name(symbol),
                    },
                    _ => {
                        PnmlProblem::ReferenceKind { id: self.name(from), expected: wanted, target: self.name(symbol) }
                    }
                };
                return Err(Located::at(location, problem));
            }
        }
        Ok(())
    }
}

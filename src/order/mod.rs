//! Variable orders: which place is on which level of the diagrams.
//!
//! The size of a decision diagram depends on the order of its variables, often exponentially, and a static
//! order has to be chosen before anything is explored. Each heuristic here is one function from a net to an
//! order; [`HEURISTICS`] lists them. [`metrics`] foretell how good an order is, and [`candidates`] computes
//! orders by all heuristics that suit the size of the net, as they are, reversed, and refined by FORCE, and
//! sorts them by what the metrics foretell.
//!
//! Nets with very many transitions are given an order by a sample of these ([`sampled()`]).
//!
//! [`unit_orders()`] gives orders of the *units* of a net, sets of places of which one has a token, which then are one
//! level each.
//!
//! Everything here is a function of the net and the seed: the clock takes part only through the caller's
//! budget, which ends the search early. Orders that earlier runs found can be kept in a folder ([`KnownOrders`]).

mod as_given;
mod choice;
mod context;
mod cuthill_mckee;
mod effects;
mod file;
mod force;
mod gibbs_poole_stockmeyer;
mod graph;
mod greedy;
mod heuristics;
mod king;
mod known;
mod lists;
pub mod metrics;
mod noack;
mod nupn;
mod sampled;
mod semiflow_chain;
mod semiflow_gradient;
mod sloan;
mod tovchigrechko;
mod traversal;
mod units;

pub use choice::{LevelOrder, Metrics, Scored, candidates, measure, thorough};
pub use context::Context;
pub use file::{OrderFileError, read_order};
pub use heuristics::{HEURISTICS, Heuristic, heuristic};
pub use known::{KnownOrders, OrderUse};
pub use sampled::sampled;
pub use units::unit_orders;

use crate::net::{PetriNet, PlaceId};

/// A variable order: every place of a net once, from the top level to the bottom level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Order(Vec<PlaceId>);

impl Order {
    /// The order with these places from top to bottom; `None` unless it names every place of `net` once.
    pub fn new(net: &PetriNet, places: Vec<PlaceId>) -> Option<Self> {
        let mut seen = vec![false; net.place_count()];
        for p in &places {
            if std::mem::replace(seen.get_mut(p.index())?, true) {
                return None;
            }
        }
        (places.len() == seen.len()).then_some(Order(places))
    }

    /// The order of the file.
    pub fn as_given(net: &PetriNet) -> Self {
        Order(net.place_ids().collect())
    }

    /// The places from the top level to the bottom level.
    pub fn as_slice(&self) -> &[PlaceId] {
        &self.0
    }

    /// Upside down.
    #[must_use]
    pub(crate) fn reversed(&self) -> Self {
        Order(self.0.iter().rev().copied().collect())
    }

    /// The height of each place, by place index: 1 at the bottom level, the number of places at the top.
    pub(crate) fn heights(&self) -> Vec<u32> {
        let mut heights = vec![0; self.0.len()];
        for (i, p) in self.0.iter().rev().enumerate() {
            heights[p.index()] = i as u32 + 1;
        }
        heights
    }

    fn indices(&self) -> Vec<u32> {
        self.0.iter().map(|p| p.0).collect()
    }

    fn from_indices(indices: Vec<u32>) -> Self {
        Order(indices.into_iter().map(PlaceId).collect())
    }
}

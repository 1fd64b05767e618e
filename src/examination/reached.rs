//! The reachable markings of a net as a decision diagram.

use super::Settings;
use super::state_space::{Options, explore};
use crate::budget::{Budget, Exhausted};
use crate::mdd::{Layers, Mdd, with_deep_stack};
use crate::net::{PetriNet, PlaceId};
use crate::order::{self, Scored};
use crate::relation::Relation;
use crate::symbolic::{Halt, Search};

/// The part of the budget that the search for variable orders may take.
const ORDERS: u32 = 20;
/// Seed of the heuristics for variable orders.
const SEED: u64 = 1;

/// Compute the reachable markings, under whichever variable order gets there first or, if `fixpoints` are to be
/// computed in them, makes a small diagram.
pub(super) fn reach(net: &PetriNet, settings: &Settings, fixpoints: bool, budget: &Budget) -> Result<Reached, Halt> {
    let mut orders = settings.orders.clone();
    if orders.is_empty() {
        orders = candidates(net, budget);
    }
    let options = Options { search: Search::Saturation, orders, threads: settings.threads, fixpoints };
    let space = with_deep_stack(net.place_count(), || explore(net, &options, budget, &mut |_| ()))?;
    Ok(Reached { relation: space.relation, states: space.set })
}

fn candidates(net: &PetriNet, budget: &Budget) -> Vec<Scored> {
    let share = budget.remaining().map(|time| time / ORDERS);
    let limited = share.map_or(budget.clone(), |share| budget.clone().with_time(share));
    order::candidates(net, &limited, SEED)
}

/// The reachable markings of a net.
#[derive(Debug)]
pub(super) struct Reached {
    /// The net under the order that was first.
    pub(super) relation: Relation,
    /// The reachable markings.
    pub(super) states: Mdd,
}

impl Reached {
    /// The greatest sum of the tokens in `places`, counted as often as listed.
    pub(super) fn maximum(&self, places: &[PlaceId]) -> i128 {
        self.extreme(places, 1)
    }

    /// The least sum of the tokens in `places`, counted as often as listed.
    pub(super) fn minimum(&self, places: &[PlaceId]) -> i128 {
        -self.extreme(places, -1)
    }

    /// The greatest `sign`·sum.
    fn extreme(&self, places: &[PlaceId], sign: i64) -> i128 {
        let mut weights = vec![0i64; self.relation.levels() as usize];
        let mut offset = 0i128;
        for place in places {
            let level = self.relation.level_of(place.index()) as usize;
            weights[level] += sign;
            offset += i128::from(sign) * i128::from(self.relation.offsets()[level]);
        }
        self.states.maximum_of_sum(&weights).unwrap_or(0) + offset
    }

    /// For each place, by index, the least and the greatest count.
    pub(super) fn ranges(&self) -> Vec<(u64, u64)> {
        let mut ranges = vec![(0, 0); self.relation.levels() as usize];
        let budget = Budget::unlimited();
        self.states.with_session(&budget, |session, root| {
            let variables = self.relation.variables_by_level();
            let layers = Layers::of(session, root).rows;
            for ((layer, variable), offset) in layers.iter().zip(variables).zip(self.relation.offsets()) {
                let values = || layer.nodes().flatten().map(|&(value, _)| u64::from(value));
                // The diagram is quasi-reduced and without dead ends: each value is that of some marking.
                if let (Some(least), Some(greatest)) = (values().min(), values().max()) {
                    ranges[variable] = (least + offset, greatest + offset);
                }
            }
        });
        ranges
    }

    /// For each of these sets of places, the least and the greatest sum of its tokens.
    pub(super) fn ranges_of_sums(
        &self,
        sets: &[Vec<PlaceId>],
        budget: &Budget,
    ) -> Result<Vec<(i128, i128)>, Exhausted> {
        let single = self.ranges();
        let range = |places: &Vec<PlaceId>| {
            budget.check()?;
            Ok(match places[..] {
                [place] => (single[place.index()].0.into(), single[place.index()].1.into()),
                _ => (self.minimum(places), self.maximum(places)),
            })
        };
        sets.iter().map(range).collect()
    }
}

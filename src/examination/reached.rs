//! The reachable markings of a net as a decision diagram, under whichever variable order gets there first.
//!
//! No heuristic foretells the best order, and a bad one can cost any factor. So the candidates run in turn,
//! each in a short slice of time; when all have had theirs, the caller may come back with a longer one
//! ([`Race::advance`]). From slice to slice the field narrows to those that got furthest, so that what is lost
//! to the others is a constant factor.

use crate::budget::{Budget, Exhausted};
use crate::mdd::{Layers, Mdd, MddSpace};
use crate::net::{PetriNet, PlaceId};
use crate::relation::Relation;
use crate::symbolic::{Halt, Search, reachable_set};
use std::time::Duration;

/// How many orders take part in each round; one in those after the last.
const FIELD: [usize; 5] = [3, 6, 4, 3, 2];

/// Variable orders in competition.
#[derive(Debug)]
pub(super) struct Race {
    /// The net under each order that may still succeed, with the level that saturation has come to (from the
    /// last to 0; more if it has not run): the leading ones first.
    runners: Vec<(u32, Relation)>,
    round: usize,
}

impl Race {
    /// A race of these orders of the places of `net`, the favourite first, each from the top level down.
    pub(super) fn new(net: &PetriNet, orders: &[Vec<PlaceId>]) -> Self {
        let relations = orders.iter().filter_map(|order| Relation::of_net(net, order).ok());
        Race { runners: relations.map(|relation| (u32::MAX, relation)).collect(), round: 0 }
    }

    /// Give each order in the field a slice of time. `Ok(None)` if none has finished, but more time might help.
    pub(super) fn advance(&mut self, slice: Duration, budget: &Budget) -> Result<Option<Reached>, Halt> {
        let mut failure = Halt::Unsupported("no variable order");
        let mut failed = vec![false; self.runners.len()];
        let field = FIELD.get(self.round).copied().unwrap_or(1);
        self.round += 1;
        for ((level, relation), failed) in self.runners.iter_mut().zip(&mut failed).take(field) {
            let space = MddSpace::new(relation.levels(), budget);
            let limited = budget.clone().with_time(slice);
            *level = relation.levels();
            match reachable_set(relation, &space, Search::Saturation, &limited, &mut |closing| *level = closing) {
                Ok(states) => return Ok(Some(Reached { relation: relation.clone(), states })),
                Err(Halt::Exhausted(Exhausted::Time)) => budget.check()?,
                Err(halt @ Halt::Exhausted(Exhausted::Cancelled)) => return Err(halt),
                Err(halt) => {
                    *failed = true;
                    failure = halt;
                }
            }
        }
        let mut failed = failed.into_iter();
        self.runners.retain(|_| !failed.next().unwrap_or(false));
        self.runners.sort_by_key(|&(level, _)| level);
        if self.runners.is_empty() { Err(failure) } else { Ok(None) }
    }
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

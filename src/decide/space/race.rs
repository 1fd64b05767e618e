//! The race of variable orders for the reachable set of a model.
//!
//! The favourite among the orders with a level for each variable runs first; most nets are done with it. If it does not
//! finish soon, more orders are looked for ([`crate::order::thorough`]), and orders of units take part
//! ([`crate::order::unit_orders`]): the places of a unit are one level, as long as the set is searched. What such a
//! search finds is spread over a level for each place at last, so that nobody else has to know of units.
//!
//! Where earlier runs may have left an order ([`crate::order::KnownOrders`]), that one is the favourite, and what wins is
//! kept for later ones.

use crate::budget::{Budget, Exhausted};
use crate::decide::settings::Settings;
use crate::decide::state_space::{Progress, StateSpace};
use crate::kinds::Kind;
use crate::mdd::{Mdd, MddManager, with_deep_stack};
use crate::model::VariableId;
use crate::order::{LevelOrder, OrderUse, Scored, sampled, thorough, unit_orders};
use crate::relation::{Relation, RelationError};
use crate::stop_reason::StopReason;
use crate::symbolic::{self, Field, Search, Standing};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The part of the time that the search for variable orders may take.
pub(in crate::decide) const ORDERS: u32 = 20;
/// To count what was found when the time is over.
const COUNTED: Duration = Duration::from_millis(200);
/// Peak number of nodes of a search up to which fixpoints in its set are quick.
pub(in crate::decide) const LARGE: usize = 50_000;
/// The work by which other orders are looked at for a smaller diagram, for each node that the search had at most, by events
/// and breadth first, and no more than so much; nor more than this part of the budget.
const WORK_PER_NODE: [u64; 2] = [8, 1];
const MOST_WORK: u64 = 1 << 24;
const PART: u32 = 8;

/// The work of a look at an order: at least, for each level, and at most.
const LOOK: (u64, u64, u64) = (1 << 16, 1 << 7, 1 << 18);
/// But it is at least so much for each action: to make their relation is work, too.
const LOOK_PER_ACTION: u64 = 8;

/// Nodes of the clusters of a relation that is kept for an order that takes part again.
const MOST_KEPT: u32 = 200_000;

/// Peak number of nodes of explorations that are not worth a file.
const EASY: usize = 5_000;

/// An order that an earlier run left.
pub(super) struct Favourite {
    order: LevelOrder,
    /// Was it compared with others for what is wanted now?
    is_compared: bool,
}

impl Favourite {
    /// The order that is known for this model, if one is wanted and there is one.
    pub(super) fn known(model: &dyn Kind, settings: &Settings<'_>, fixpoints: bool) -> Option<Self> {
        let known = settings.known_orders.as_ref().filter(|_| settings.orders.is_empty())?;
        let net = model.interactions();
        let found = |purpose| {
            let order = known.get(&net, purpose)?;
            Some(Favourite { order, is_compared: purpose == use_of(fixpoints) })
        };
        found(use_of(fixpoints)).or_else(|| found(use_of(!fixpoints)))
    }
}

/// The use of what an exploration finds.
fn use_of(fixpoints: bool) -> OrderUse {
    if fixpoints { OrderUse::Fixpoints } else { OrderUse::Exploration }
}

/// The race of variable orders.
pub(super) struct Race<'a> {
    model: &'a dyn Kind,
    /// An order that is known, which runs first.
    favourite: Option<Favourite>,
    /// Those with a level for each variable.
    plain: &'a [Scored],
    /// All, once the first has not finished soon. The first is the favourite, or the first of the plain ones.
    all: OnceLock<Vec<LevelOrder>>,
    settings: &'a Settings<'a>,
    fixpoints: bool,
    watch: &'a (dyn Fn(Progress<'_>) + Sync),
    /// Relations of orders that may take part again.
    made: Mutex<FxHashMap<usize, Relation>>,
}

impl<'a> Race<'a> {
    /// The race of these orders with a level for each variable, the favourite first.
    pub(super) fn new(
        model: &'a dyn Kind,
        (favourite, plain): (Option<Favourite>, &'a [Scored]),
        settings: &'a Settings<'a>,
        fixpoints: bool,
        watch: &'a (dyn Fn(Progress<'_>) + Sync),
    ) -> Self {
        let (all, made) = Default::default();
        Race { model, favourite, plain, all, settings, fixpoints, watch, made }
    }

    /// The orders, so listed that every prefix is a good race.
    fn all(&self, budget: &Budget) -> &[LevelOrder] {
        self.all.get_or_init(|| {
            // Orders that are asked for stay among themselves.
            let free = self.settings.orders.is_empty();
            let looking = || budget.part(1, ORDERS);
            let mut plain = self.plain.to_vec();
            if free {
                plain.truncate(1);
                let more = thorough(&sampled(self.model.interactions()), &looking(), self.settings.seed);
                let first = plain.first().map(|scored| scored.order.clone());
                plain.extend(more.into_iter().filter(|scored| Some(&scored.order) != first.as_ref()));
            }
            let net = self.model.as_net().filter(|_| self.settings.techniques.units && free);
            let of_units = net.map_or(Vec::new(), |net| unit_orders(net, &looking(), self.settings.seed));
            let mut plain = plain.into_iter().map(LevelOrder::from).fuse();
            let mut all = Vec::from_iter(self.favourite.as_ref().map(|favourite| favourite.order.clone()));
            all.extend(plain.next());
            for order in of_units {
                all.push(order);
                all.extend(plain.next());
            }
            all.extend(plain);
            all
        })
    }

    /// The order with this number.
    fn candidate(&self, number: usize, budget: &Budget) -> LevelOrder {
        match number {
            0 => match &self.favourite {
                Some(favourite) => favourite.order.clone(),
                None => self.plain[0].clone().into(),
            },
            _ => self.all(budget)[number].clone(),
        }
    }

    /// The relation under the order with this number. Of steps of all variables at once it is kept: to make it takes more
    /// of a look than the search, and is in no share of work.
    fn relation(&self, number: usize, order: &[VariableId], budget: &Budget) -> Result<Relation, StopReason> {
        let made = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made().get(&number) {
            return Ok(known.clone());
        }
        let relation = self.model.relation_within(order, budget).map_err(stopped)?;
        if relation.is_conjunctive() && relation.conjunctive_operators() <= MOST_KEPT {
            made().insert(number, relation.clone());
        }
        Ok(relation)
    }

    /// The reachable set under one order, and the most nodes on the way; `at` tells how far the search is.
    fn attempt(&self, number: usize, budget: &Budget, at: &mut Standing) -> Result<Found, StopReason> {
        let LevelOrder { scored: Scored { name, order, .. }, units } = self.candidate(number, budget);
        let relation = self.relation(number, order.as_slice(), budget)?;
        let units = units.and_then(|lengths| Some((relation.merged(&lengths)?, lengths)));
        let searched = units.as_ref().map_or(&relation, |(merged, _)| merged);
        let space = MddManager::new(searched.levels(), budget)?;
        (self.watch)(Progress::Start { order: &name, space: &space });
        let mut last = 0;
        let mut progress = |step| {
            last = step;
            (self.watch)(Progress::Step(step));
        };
        let mut known = None;
        let found = symbolic::discover(searched, &space, self.settings.search, budget, &mut progress, &mut known);
        (self.watch)(Progress::End);
        *at = match searched.is_conjunctive() {
            true => Standing::after_rounds(last),
            false => standing(space.peak_nodes(), known.as_ref()),
        };
        if let Some(Ok(known)) = known.map(|known| known.count(&Budget::unlimited().with_time(COUNTED))) {
            (self.watch)(Progress::AtLeast(&known));
        }
        let (set, complete) = found?;
        let peak = space.peak_nodes();
        match units {
            None => Ok(Found { relation: complete, set, peak }),
            Some((_, lengths)) => {
                let whole = MddManager::new(relation.levels(), budget)?;
                let set = set.spread(&whole, &lengths, budget)?;
                let peak = peak.max(set.size().nodes);
                Ok(Found { relation, set, peak })
            }
        }
    }

    pub(super) fn run(&self, budget: &Budget) -> Result<StateSpace, StopReason> {
        let levels = self.model.most_levels();
        let tried = AtomicUsize::new(0);
        let attempt = |number: usize, budget: &Budget, standing: &mut Standing| {
            tried.fetch_max(number + 1, Relaxed);
            self.attempt(number, budget, standing)
        };
        if self.plain.is_empty() && self.favourite.is_none() {
            return Err(Exhausted::Cancelled.into());
        }
        // Only saturation tells how far it is.
        let alone = self.settings.search != Search::Saturation || self.settings.orders.len() == 1;
        let count = || if alone { 1 } else { self.all(budget).len() };
        let open = self.model.favours_declared_order();
        let look = (LOOK.0 + LOOK.1 * self.model.variables() as u64)
            .min(LOOK.2)
            .max(LOOK_PER_ACTION * self.model.actions() as u64);
        let (mut winner, mut found) = match self.settings.threads {
            _ if alone => (0, with_deep_stack(levels, || attempt(0, budget, &mut { Standing::UNKNOWN }))?),
            0..=2 => with_deep_stack(levels, || symbolic::race(Field { count, look, open }, budget, attempt))?,
            threads => symbolic::race_on_threads(
                threads - 1,
                Field { count, look, open },
                budget,
                |number, budget, standing| with_deep_stack(levels, || attempt(number, budget, standing)),
            )?,
        };
        // The order that is quickest to explore is seldom the worst to work with, but may be far from the best.
        let is_compared = self.favourite.as_ref().is_some_and(|favourite| favourite.is_compared);
        if self.fixpoints && !is_compared && found.peak > LARGE && count() > 1 {
            let (first, nodes) = (winner, found.set.size().nodes);
            let smaller = |number: usize, budget: &Budget, standing: &mut Standing| {
                let other = (number != first).then(|| attempt(number, budget, standing)).transpose()?;
                other.filter(|other| other.set.size().nodes < nodes).ok_or(Exhausted::Work.into())
            };
            let per_node = WORK_PER_NODE[usize::from(found.relation.is_conjunctive())];
            let work = (per_node * found.peak as u64).min(MOST_WORK);
            let (field, limited) = (Field { count: count(), look, open }, budget.part(1, PART));
            let other = with_deep_stack(levels, || symbolic::others(field, work, &limited, smaller));
            (winner, found) = other.unwrap_or((winner, found));
        }
        let winner = self.candidate(winner, budget);
        if found.peak > EASY {
            self.keep(&winner);
        }
        Ok(StateSpace::found(found.relation, found.set, winner.scored, tried.into_inner(), found.peak))
    }

    /// Keep the winner for later runs, unless it is from an earlier one.
    fn keep(&self, winner: &LevelOrder) {
        let is_old = |favourite: &Favourite| favourite.is_compared && favourite.order == *winner;
        if let Some(known) = &self.settings.known_orders
            && self.settings.orders.is_empty()
            && !self.favourite.as_ref().is_some_and(is_old)
        {
            known.keep(&self.model.interactions(), use_of(self.fixpoints), winner);
        }
    }
}

/// The result of an attempt.
struct Found {
    relation: Relation,
    set: Mdd,
    /// The most nodes on the way.
    peak: usize,
}

/// How far a search is: what it has paid in nodes for the states that it knows, the one and the other in doublings.
///
/// **Measured** on six place/transition nets whose race has more than one round, some 40 orders each run for 5 s, after
/// looks of a hundredth to a tenth of a second: the order that is done first is among the first two of those that have
/// paid least on five of them. The levels that are left, which this replaces, had it between the 4th and the 26th
/// place.
fn standing(nodes: usize, known: Option<&Mdd>) -> Standing {
    let doublings = known.map_or(0.0, Mdd::magnitude);
    let cost = ((nodes + 2) as f64).log2() / (doublings + 1.0);
    Standing((cost * 65536.0) as u32)
}

/// Why there is no relation.
pub(super) fn stopped(error: RelationError) -> StopReason {
    match error {
        RelationError::Exhausted(exhausted) => exhausted.into(),
        RelationError::Unsupported(reason) => StopReason::Unsupported(reason),
        _ => StopReason::Unsupported("a variable order must name each variable of the model once"),
    }
}

#[cfg(test)]
mod tests;

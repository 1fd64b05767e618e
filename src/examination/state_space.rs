//! The state space of a net: its reachable markings as a set, and the figures that are asked of it.
//!
//! [`explore`] computes the set under one of several candidate variable orders. The figures are methods of
//! its result, each with a budget of its own, so that a caller whose time runs out keeps those it has.
//!
//! What is shown of a set of markings does not depend on the variable order: example markings are chosen by
//! a weight of the marking itself ([`StateSpace::lightest`]).

use crate::budget::{Budget, Exhausted};
use crate::lts::Model;
use crate::mdd::{Mdd, MddSpace, SavedSet, with_deep_stack};
use crate::net::{PetriNet, PlaceId};
use crate::order::{Order, Scored, candidates};
use crate::relation::{Relation, RelationError};
use crate::structure::{Coverability, Effort, Supremum};
use crate::symbolic::{self, Halt, Search};
use num_bigint::BigUint;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The search for a proof that the net is unbounded.
const COVER: Effort = Effort { rows: 2_000, work: 20_000_000 };
/// A search that takes longer may have no end.
const EASY: Duration = Duration::from_millis(250);

/// Fixpoints in a diagram of fewer nodes are quick.
const LARGE: usize = 50_000;
/// How many other orders are tried for a smaller diagram, and the work that each of them may take: so much for each
/// node of the first diagram, but no more than that of some seconds, nor more than this part of the budget.
const TRIES: usize = 8;
const WORK_PER_NODE: u64 = 4;
const MOST_WORK: u64 = 1 << 22;
const PART: u32 = 8;

/// How the state space is computed.
#[derive(Clone, Debug)]
pub struct Options {
    /// The algorithm.
    pub search: Search,
    /// Variable orders to try, the favourite first.
    pub orders: Vec<Scored>,
    /// How many of them may run at the same time.
    pub threads: usize,
    /// Will fixpoints be computed in the set? Then a smaller diagram of it is worth a search.
    pub fixpoints: bool,
}

impl Options {
    /// Saturation under the orders that are best by their scores, on one thread, for sets that fixpoints will be
    /// computed in.
    pub fn automatic(net: &PetriNet, budget: &Budget) -> Self {
        Options { search: Search::Saturation, orders: candidates(net, budget, 0), threads: 1, fixpoints: true }
    }
}

/// What an exploration is doing, for display.
#[derive(Debug)]
pub enum Event<'a> {
    /// A search starts under this order.
    Start {
        /// Name of the variable order.
        order: &'a str,
        /// The space that its nodes are made in.
        space: &'a MddSpace,
    },
    /// Saturation closes this level (of those from the last to 0), or another search starts this round.
    Step(u32),
    /// The search is over, or given up for another order.
    End,
}

/// The reachable markings of a net.
#[derive(Debug)]
pub struct StateSpace {
    /// The net as a relation under the variable order.
    pub relation: Relation,
    /// The reachable markings.
    pub set: Mdd,
    /// The variable order that was used.
    pub order: Scored,
    /// How many variable orders were tried.
    pub tried: usize,
}

/// Largest token counts over all reachable markings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenMaxima {
    /// For each place, by its index.
    pub per_place: Vec<u128>,
    /// In any place.
    pub in_place: u128,
    /// The largest total of a marking.
    pub per_marking: u128,
}

/// Explore `net` under the orders of `options`, which race each other if the first does not finish soon.
///
/// A net that keeps the search busy may be unbounded; a proof of that is looked for beside the search.
///
/// # Errors
/// [`Halt`] when the budget is used up, when the net turns out to be unbounded, when a place leaves the
/// range of token counts, or when there is no order.
pub fn explore(
    net: &PetriNet,
    options: &Options,
    budget: &Budget,
    watch: &mut (dyn FnMut(Event<'_>) + Send),
) -> Result<StateSpace, Halt> {
    let endless = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        // Dropped at the end of the search, which ends the wait.
        let (searching, done) = mpsc::channel::<()>();
        let (found, over) = (Arc::clone(&endless), Arc::new(AtomicBool::new(false)));
        let proof_budget = budget.clone().with_flag(Arc::clone(&over));
        let proof = std::thread::Builder::new().name("unbounded".into()).spawn_scoped(scope, move || {
            if done.recv_timeout(EASY) != Err(RecvTimeoutError::Timeout) {
                return None;
            }
            let place = unbounded_place(net, &proof_budget);
            found.store(place.is_some(), Relaxed);
            place
        });
        let build = |order: &Order| Relation::of_net(net, order.as_slice());
        let budget = budget.clone().with_flag(Arc::clone(&endless));
        let raced = explore_relation(net.place_count(), &build, options, &budget, watch);
        over.store(true, Relaxed);
        drop(searching);
        match (raced, proof) {
            (Err(_), Ok(proof)) if endless.load(Relaxed) => match proof.join() {
                Ok(Some(place)) => Err(Halt::Unbounded { variable: net.place(place).id.clone() }),
                Ok(None) | Err(_) => Err(Exhausted::Cancelled.into()),
            },
            (raced, _) => raced,
        }
    })
}

/// A place that can hold any number of tokens, if a limited search proves that there is one.
fn unbounded_place(net: &PetriNet, budget: &Budget) -> Option<PlaceId> {
    let cover = Coverability::new(net, COVER, budget).ok().flatten()?;
    net.place_ids().find(|&place| cover.supremum(&[place]) == Some(Supremum::Infinite))
}

/// The race of the orders of `options` for any model with that many variables: `build` makes the relation for
/// an order.
///
/// # Errors
/// As [`explore`], but for the proof that a net is unbounded.
pub fn explore_relation(
    variables: usize,
    build: &(dyn Fn(&Order) -> Result<Relation, RelationError> + Sync),
    options: &Options,
    budget: &Budget,
    watch: &mut (dyn FnMut(Event<'_>) + Send),
) -> Result<StateSpace, Halt> {
    let tried = AtomicUsize::new(0);
    let watch = Mutex::new(watch);
    let tell = |event: Event<'_>| (*watch.lock().unwrap_or_else(PoisonError::into_inner))(event);
    let attempt = |number: usize, budget: &Budget, left: &mut u32| {
        tried.fetch_max(number + 1, Relaxed);
        let Scored { name, order, .. } = &options.orders[number];
        let relation = build(order)
            .map_err(|_| Halt::Unsupported("a variable order must name each variable of the model once"))?;
        let space = MddSpace::new(relation.levels(), budget)?;
        tell(Event::Start { order: name, space: &space });
        let mut progress = |step| {
            *left = step;
            tell(Event::Step(step));
        };
        let set = symbolic::reachable_set(&relation, &space, options.search, budget, &mut progress);
        tell(Event::End);
        Ok((relation, set?))
    };
    // Only saturation tells how far it is.
    let saturation = options.search == Search::Saturation;
    let count = if saturation { options.orders.len() } else { options.orders.len().min(1) };
    let (winner, (relation, set)) = match options.threads {
        0 | 1 => symbolic::race(count, budget, attempt)?,
        threads => symbolic::race_on_threads(threads, count, budget, |number, budget, left| {
            with_deep_stack(variables, || attempt(number, budget, left))
        })?,
    };
    let (mut winner, mut relation, mut set) = (winner, relation, set);
    let nodes = set.size().nodes;
    if options.fixpoints && count > 1 && nodes > LARGE {
        // The order that is quickest to explore is seldom the worst to work with, but may be far from the best.
        let mut limited = budget.clone().with_work((WORK_PER_NODE * nodes as u64).min(MOST_WORK));
        if let Some(time) = budget.remaining() {
            limited = limited.with_time(time / PART);
        }
        let first = winner;
        for number in (0..count).filter(|&number| number != first).take(TRIES) {
            let found = with_deep_stack(variables, || attempt(number, &limited, &mut 0));
            if let Ok((other, smaller)) = found
                && smaller.size().nodes < set.size().nodes
            {
                (winner, relation, set) = (number, other, smaller);
            }
        }
    }
    let tried = tried.into_inner();
    Ok(StateSpace { relation, set, order: options.orders[winner].clone(), tried })
}

impl StateSpace {
    /// The number of reachable markings.
    pub fn states(&self, budget: &Budget) -> Result<BigUint, Exhausted> {
        self.set.count(budget)
    }

    /// The number of pairs of a reachable marking and a transition enabled in it.
    pub fn transitions(&self, budget: &Budget) -> Result<BigUint, Exhausted> {
        symbolic::count_transitions(&self.relation, &self.set, budget)
    }

    /// The reachable markings that enable no transition.
    pub fn deadlocks(&self, budget: &Budget) -> Result<Mdd, Halt> {
        symbolic::deadlocks(&self.relation, &self.set, budget)
    }

    /// The largest token counts.
    pub fn maxima(&self, budget: &Budget) -> Result<TokenMaxima, Exhausted> {
        budget.check()?;
        let offsets = self.relation.offsets();
        let Some(found) = self.set.maxima() else {
            return Ok(TokenMaxima { per_place: vec![0; offsets.len()], in_place: 0, per_marking: 0 });
        };
        let tokens = |level: usize| u128::from(found.per_level[level]) + u128::from(offsets[level]);
        let mut per_place = vec![0; offsets.len()];
        for (level, place) in self.relation.variables_by_level().into_iter().enumerate() {
            per_place[place] = tokens(level);
        }
        let in_place = per_place.iter().copied().max().unwrap_or(0);
        let shift: u128 = offsets.iter().map(|&offset| u128::from(offset)).sum();
        Ok(TokenMaxima { per_place, in_place, per_marking: u128::from(found.sum) + shift })
    }

    /// The markings of `set` (a set in the space of this one), those with the fewest tokens first. Each is
    /// given as its marked places with their tokens, by place index.
    ///
    /// Which markings come first does not depend on the variable order: markings with as many tokens are
    /// told apart by a hash of place and token count.
    pub fn lightest(
        &self,
        set: &Mdd,
        budget: &Budget,
    ) -> Result<impl Iterator<Item = Vec<(PlaceId, u128)>> + use<>, Exhausted> {
        let variables = self.relation.variables_by_level();
        let offsets = self.relation.offsets().to_vec();
        let places = variables.clone();
        let weight = move |level: u32, value: u32| {
            let place = places[level as usize] as u64;
            (u128::from(value) << 64) + u128::from(mix(place << 32 | u64::from(value)) >> 32)
        };
        let tuples = set.lightest(weight, budget)?;
        Ok(tuples.map(move |tuple| {
            let tokens = |(level, value): (usize, u32)| {
                let tokens = u128::from(value) + u128::from(offsets[level]);
                (PlaceId(variables[level] as u32), tokens)
            };
            let mut marked: Vec<_> = tuple.into_iter().enumerate().map(tokens).filter(|&(_, n)| n > 0).collect();
            marked.sort_unstable_by_key(|&(place, _)| place);
            marked
        }))
    }

    /// The reachable set with what a file says about it.
    pub fn to_saved<'m>(&self, model: impl Into<Model<'m>>) -> SavedSet {
        let model = model.into();
        let values = |variable: usize| match model {
            Model::Net(_) => Vec::new(),
            Model::Network(network) => network.components().get(variable).map_or(Vec::new(), |c| c.states.clone()),
        };
        SavedSet {
            model: model.name().to_owned(),
            formula: String::new(),
            names: self.relation.names().to_vec(),
            offsets: self.relation.offsets().to_vec(),
            values: self.relation.variables_by_level().into_iter().map(values).collect(),
            set: self.set.clone(),
        }
    }
}

/// A hash of 64 bits in which all bits depend on all of the input (the finalizer of splitmix64: Steele, Lea,
/// Flood 2014).
fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

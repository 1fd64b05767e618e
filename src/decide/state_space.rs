//! The state space of a model: its reachable states as a set, and the statistics that are asked of it.
//!
//! Each statistic is a method with a budget of its own, so that a caller whose time runs out keeps those it has.
//!
//! Examples from a set of states do not depend on the variable order: they are chosen by a weight of the state itself
//! ([`StateSpace::lightest`]).

use crate::budget::{Budget, Exhausted};
use crate::formula::PathSemantics;
use crate::kinds::{Kind, Saved, SavedError};
use crate::mdd::{Layers, Mdd, MddManager, SetError};
use crate::model::{Standstill, State, VariableId};
use crate::net::PlaceId;
use crate::order::Scored;
use crate::relation::Relation;
use crate::stop_reason::StopReason;
use crate::symbolic;
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Progress of an exploration, for display.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A search starts under this order.
    Start {
        /// Name of the variable order.
        order: &'a str,
        /// The space that its nodes are made in.
        space: &'a MddManager,
    },
    /// Saturation closes this level (of those from the last to 0), or another search starts this round.
    Step(u32),
    /// The search is over, or given up for another order.
    End,
    /// At least so many states are reachable. Later ones may be smaller, as searches begin anew.
    AtLeast(&'a BigUint),
}

/// The reachable markings of a net. Clones share relation and set.
#[derive(Clone, Debug)]
pub struct StateSpace {
    /// The net as a relation under the variable order.
    pub relation: Relation,
    /// The reachable markings.
    pub set: Mdd,
    /// The variable order that was used.
    pub order: Scored,
    /// How many variable orders were tried.
    pub tried: usize,
    /// The most nodes that were there at a time under that order, when it was computed.
    peak: usize,
    /// What checkers of these states share.
    steps: symbolic::SharedSteps,
    /// Results that are computed once.
    counted: OnceLock<BigUint>,
    maxima: OnceLock<TokenMaxima>,
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

impl StateSpace {
    /// A checker of these states, which finds what others of them have computed.
    ///
    /// # Errors
    /// When the set is one of other tuples than the relation's.
    pub fn checker<'a>(&self, paths: PathSemantics) -> Result<symbolic::Checker<'a>, StopReason> {
        symbolic::Checker::sharing(&self.steps, &self.relation, self.set.clone(), paths)
    }

    /// The reachable set under an order, after so many orders, with the most nodes at a time.
    pub(super) fn found(relation: Relation, set: Mdd, order: Scored, tried: usize, peak: usize) -> Self {
        let (steps, counted, maxima) = Default::default();
        StateSpace { relation, set, order, tried, peak, steps, counted, maxima }
    }

    /// The state space of a model, lifted from that of a smaller one.
    pub(super) fn lifted(other: &StateSpace, relation: Relation, set: Mdd, order: Scored) -> Self {
        let peak = other.peak.max(set.size().nodes);
        StateSpace::found(relation, set, order, other.tried, peak)
    }

    /// The number of reachable markings.
    pub fn states(&self, budget: &Budget) -> Result<BigUint, Exhausted> {
        if let Some(known) = self.counted.get() {
            return Ok(known.clone());
        }
        let counted = self.set.count(budget)?;
        Ok(self.counted.get_or_init(|| counted).clone())
    }

    /// Highest number of nodes so far under the order that was used, garbage included.
    pub fn peak_nodes(&self) -> usize {
        self.peak.max(self.set.space().peak_nodes())
    }

    /// The nodes of each variable, in the variable order: on its level, or on those of its bits.
    pub fn nodes_per_variable(&self) -> Vec<usize> {
        let nodes = self.set.size().nodes_per_level;
        let of_variable = |variable: &VariableId| -> usize {
            self.relation.places_of(variable.index()).filter_map(|(level, _)| nodes.get(level as usize)).sum()
        };
        self.order.order.as_slice().iter().map(of_variable).collect()
    }

    /// Whether all initial states are in a set, or `some` of them.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn starts_in(&self, set: &Mdd, some: bool, budget: &Budget) -> Result<bool, StopReason> {
        match some {
            true => Ok(!symbolic::initial_set(&self.relation, set, budget)?.intersection(set, budget)?.is_empty()),
            false => symbolic::all_initial_in(&self.relation, set, budget),
        }
    }

    /// Of some of these states those that people mean: all, but where states that are not initial are only passed through.
    /// Variables that only remember something of the last step have their least value.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn meant(&self, set: &Mdd, budget: &Budget) -> Result<Mdd, StopReason> {
        symbolic::meant(&self.relation, set, budget)
    }

    /// The same space without states that are only passed through.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn of_meant(&self, budget: &Budget) -> Result<StateSpace, StopReason> {
        if !self.relation.has_passages() {
            return Ok(self.clone());
        }
        let set = self.meant(&self.set, budget)?;
        Ok(StateSpace::found(self.relation.clone(), set, self.order.clone(), self.tried, self.peak))
    }

    /// How many of these states people mean.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn meant_states(&self, budget: &Budget) -> Result<BigUint, StopReason> {
        match self.relation.is_meant() {
            true => Ok(self.states(budget)?),
            false => Ok(self.meant(&self.set, budget)?.count(budget)?),
        }
    }

    /// For how many settings of the inputs all states are in a set, or some; `None` where the model has no inputs that stay
    /// as they are, or its states are explored.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn settings(&self, set: &Mdd, budget: &Budget) -> Result<Option<symbolic::InputSettings>, StopReason> {
        let set = self.meant(set, budget)?;
        symbolic::input_settings(&self.relation, &self.meant(&self.set, budget)?, &set, budget)
    }

    /// The states with settings of the inputs for which all states are in a set; `None` as for [`StateSpace::settings`].
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn settings_within(&self, set: &Mdd, budget: &Budget) -> Result<Option<Mdd>, StopReason> {
        let set = self.meant(set, budget)?;
        symbolic::settings_within(&self.relation, &self.meant(&self.set, budget)?, &set, budget)
    }

    /// The trap space around an attractor among these states: each variable that has one value there, and this value.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn trap_space(
        &self,
        found: &symbolic::Attractors,
        attractor: &Mdd,
        budget: &Budget,
    ) -> Result<Vec<(VariableId, u64)>, StopReason> {
        let levels = found.trap_space(attractor, budget)?;
        let fixed = (0..self.relation.variables()).filter_map(|variable| {
            let mut sum = self.relation.offset_of(variable);
            for (level, weight) in self.relation.places_of(variable) {
                let mut values = levels[level as usize].iter();
                let (Some(&value), None) = (values.next(), values.next()) else { return None };
                sum += u64::from(value) * weight;
            }
            Some((VariableId(variable as u32), sum))
        });
        Ok(fixed.collect())
    }

    /// The states that differ from one in a set in some variables alone.
    pub(super) fn any_values(
        &self,
        set: &Mdd,
        variables: &dyn Fn(usize) -> bool,
        budget: &Budget,
    ) -> Result<Mdd, StopReason> {
        let kept = self.relation.variables_by_level().into_iter().map(|variable| !variables(variable)).collect();
        symbolic::any_values(&self.set, set, kept, budget)
    }

    /// The values of each variable within a set of states.
    ///
    /// # Errors
    /// [`StopReason`] when the budget is used up.
    pub fn values_within(&self, set: &Mdd, budget: &Budget) -> Result<Vec<BTreeSet<u64>>, StopReason> {
        let mut values = vec![BTreeSet::new(); self.relation.variables()];
        if self.relation.is_in_bits() {
            let of_level = self.relation.variables_by_level();
            for (variable, values) in values.iter_mut().enumerate() {
                let others: Vec<bool> = of_level.iter().map(|&other| other != variable).collect();
                let alone = symbolic::without(set, &others, budget)?;
                values.extend(alone.members().map(|tuple| self.relation.values_of(&tuple)[variable]));
            }
            return Ok(values);
        }
        let levels = symbolic::values_of(set).into_iter().zip(self.relation.offsets());
        for (variable, (found, offset)) in self.relation.variables_by_level().into_iter().zip(levels) {
            values[variable] = found.into_iter().map(|value| u64::from(value) + offset).collect();
        }
        Ok(values)
    }

    /// Those of these states that a file has.
    ///
    /// # Errors
    /// [`SavedError`] when they are states of another model, or not all are reachable.
    pub fn load(&self, saved: &Saved, model: &dyn Kind, budget: &Budget) -> Result<Mdd, SavedError> {
        let named = saved.named("loaded", model)?;
        let set = symbolic::named_set(&self.relation, &named, &self.set, budget)?;
        let states = self.meant(&set, budget)?.count(budget).map_err(StopReason::from)?;
        saved.expect(model, &states, budget)?;
        Ok(set)
    }

    /// The number of pairs of a reachable marking and a transition enabled in it.
    pub fn transitions(&self, budget: &Budget) -> Result<BigUint, StopReason> {
        symbolic::count_transitions(&self.relation, &self.set, budget)
    }

    /// The reachable markings that enable no transition; where time passes by itself, none but that, then and later.
    pub fn deadlocks(&self, budget: &Budget) -> Result<Mdd, StopReason> {
        symbolic::standstills(&self.relation, &self.set, Standstill::Deadlock, budget)
    }

    /// The number of reachable states, what some variables have left aside.
    pub(super) fn states_without(
        &self,
        variables: &dyn Fn(usize) -> bool,
        budget: &Budget,
    ) -> Result<BigUint, StopReason> {
        let left_out: Vec<bool> = self.relation.variables_by_level().into_iter().map(variables).collect();
        Ok(symbolic::without(&self.set, &left_out, budget)?.count(budget)?)
    }

    /// The largest token counts.
    pub fn maxima(&self, budget: &Budget) -> Result<&TokenMaxima, Exhausted> {
        budget.check()?;
        Ok(self.maxima.get_or_init(|| self.find_maxima()))
    }

    fn find_maxima(&self) -> TokenMaxima {
        let offsets = self.relation.offsets();
        let Some(found) = self.set.maxima() else {
            return TokenMaxima { per_place: vec![0; self.relation.variables()], in_place: 0, per_marking: 0 };
        };
        if self.relation.is_in_bits() {
            let all: Vec<PlaceId> =
                (0..self.relation.variables()).map(|variable| VariableId(variable as u32)).collect();
            let sum = |places: &[PlaceId]| u128::try_from(self.greatest_sum(places)).unwrap_or(0);
            let per_place: Vec<u128> = all.iter().map(|&place| sum(&[place])).collect();
            let in_place = per_place.iter().copied().max().unwrap_or(0);
            return TokenMaxima { per_place, in_place, per_marking: sum(&all) };
        }
        let tokens = |level: usize| u128::from(found.per_level[level]) + u128::from(offsets[level]);
        let mut per_place = vec![0; offsets.len()];
        for (level, place) in self.relation.variables_by_level().into_iter().enumerate() {
            per_place[place] = tokens(level);
        }
        let in_place = per_place.iter().copied().max().unwrap_or(0);
        let shift: u128 = offsets.iter().map(|&offset| u128::from(offset)).sum();
        TokenMaxima { per_place, in_place, per_marking: u128::from(found.sum) + shift }
    }

    /// The states of `set` (a set in the space of this one), those with the least sum of values first: of a net, the
    /// markings with the fewest tokens.
    ///
    /// Which states come first does not depend on the variable order: states with the same sum are
    /// told apart by a hash of variable and value.
    ///
    /// # Errors
    /// [`SetError`] when the budget is used up, or the set is one of another space.
    pub fn lightest(&self, set: &Mdd, budget: &Budget) -> Result<impl Iterator<Item = State> + use<>, SetError> {
        self.set.with_session(budget, |session, _| set.edge(session).map(|_| ()))?;
        // By level: its variable, and what a 1 adds to its value.
        let mut places = vec![(0, 0); self.relation.levels() as usize];
        for variable in 0..self.relation.variables() {
            self.relation.places_of(variable).for_each(|(level, one)| places[level as usize] = (variable as u64, one));
        }
        let relation = self.relation.clone();
        let weight = move |level: u32, value: u32| {
            let (variable, one) = places[level as usize];
            let value = one * u64::from(value);
            (u128::from(value) << 64) + u128::from(mix(variable << 32 | value) >> 32)
        };
        let tuples = set.lightest(weight, budget)?;
        Ok(tuples.map(move |tuple| State::new(relation.values_of(&tuple))))
    }

    /// The greatest sum of the tokens in `places`, counted as often as listed.
    pub(crate) fn greatest_sum(&self, places: &[PlaceId]) -> i128 {
        self.greatest_weighted_sum(&places.iter().map(|&place| (place, 1)).collect::<Vec<_>>())
    }

    /// The least sum of the tokens in `places`, counted as often as listed.
    fn least_sum(&self, places: &[PlaceId]) -> i128 {
        -self.greatest_weighted_sum(&places.iter().map(|&place| (place, -1)).collect::<Vec<_>>())
    }

    /// The greatest Σ weight · tokens.
    pub(super) fn greatest_weighted_sum(&self, terms: &[(PlaceId, i64)]) -> i128 {
        let mut weights = vec![0i64; self.relation.levels() as usize];
        let mut offset = 0i128;
        for &(place, weight) in terms {
            self.relation
                .places_of(place.index())
                .for_each(|(level, one)| weights[level as usize] += weight * one as i64);
            offset += i128::from(weight) * i128::from(self.relation.offset_of(place.index()));
        }
        self.set.maximum_of_sum(&weights).unwrap_or(0) + offset
    }

    /// For each place, by index, the least and the greatest count.
    fn ranges(&self) -> Vec<(u64, u64)> {
        let mut ranges = vec![(0, 0); self.relation.variables()];
        if self.relation.is_in_bits() {
            let value = |sum: i128| u64::try_from(sum).unwrap_or(0);
            for (variable, range) in ranges.iter_mut().enumerate() {
                let place = [VariableId(variable as u32)];
                *range = (value(self.least_sum(&place)), value(self.greatest_sum(&place)));
            }
            return ranges;
        }
        self.set.read(|session, root| {
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
    pub(crate) fn ranges_of_sums(
        &self,
        sets: &[Vec<PlaceId>],
        budget: &Budget,
    ) -> Result<Vec<(i128, i128)>, Exhausted> {
        let single = self.ranges();
        let range = |places: &Vec<PlaceId>| {
            budget.check()?;
            Ok(match places[..] {
                [place] => (single[place.index()].0.into(), single[place.index()].1.into()),
                _ => (self.least_sum(places), self.greatest_sum(places)),
            })
        };
        sets.iter().map(range).collect()
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

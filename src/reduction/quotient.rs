//! Nets in which places are one that belong to one class.
//!
//! A place of the quotient has the tokens of its class, and a transition takes from each class what it took from the places
//! of it together. Whatever the classes, each run of the net is one of the quotient; whether the quotient has others
//! is what [`super::fusion`] and [`super::skeleton`] differ in.

use crate::budget::Budget;
use crate::net::{Arc, BuildError, NetBuilder, PetriNet, PlaceId, TransitionId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// Numbers for things, in the order in which they are first met.
pub(super) struct Numbers<T>(FxHashMap<T, u32>);

impl<T: Hash + Eq> Numbers<T> {
    pub(super) fn new() -> Self {
        Numbers(FxHashMap::default())
    }

    pub(super) fn of(&mut self, thing: T) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(thing).or_insert(next)
    }
}

/// Arcs, with numbers for places.
pub(super) type Arcs = Box<[(u32, u64)]>;

/// For each place the sums that it is part of, with how often.
pub(super) fn seen_in(net: &PetriNet, sums: &[&[PlaceId]]) -> Vec<Vec<(u32, u32)>> {
    let mut seen: Vec<Vec<(u32, u32)>> = vec![Vec::new(); net.place_count()];
    for (number, sum) in sums.iter().enumerate() {
        let number = number as u32;
        for place in *sum {
            match seen[place.index()].last_mut() {
                Some((last, times)) if *last == number => *times += 1,
                _ => seen[place.index()].push((number, 1)),
            }
        }
    }
    seen
}

/// An equivalence of places.
pub(super) struct Classes {
    pub(super) class: Vec<u32>,
    /// Members of each class.
    pub(super) sizes: Vec<usize>,
}

/// Treatment of inhibitor arcs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inhibitors {
    /// They stay; their places are alone in their classes.
    Preserved,
    /// They are left out, which allows more.
    Dropped,
}

impl Classes {
    /// The places for which this is the same are equivalent.
    pub(super) fn new<T: Hash + Eq>(of_places: impl IntoIterator<Item = T>) -> Self {
        let mut numbers = Numbers::new();
        let class: Vec<u32> = of_places.into_iter().map(|key| numbers.of(key)).collect();
        let mut sizes = vec![0; numbers.0.len()];
        class.iter().for_each(|&class| sizes[class as usize] += 1);
        Classes { class, sizes }
    }

    /// The arcs of a transition up to the equivalence.
    fn arcs(&self, arcs: &[Arc]) -> Option<Arcs> {
        let mut sums: Vec<(u32, u64)> = arcs.iter().map(|arc| (self.class[arc.place.index()], arc.weight)).collect();
        sums.sort_unstable();
        let mut merged: Vec<(u32, u64)> = Vec::with_capacity(sums.len());
        for (class, weight) in sums {
            match merged.last_mut() {
                Some((last, sum)) if *last == class => *sum = sum.checked_add(weight)?,
                _ => merged.push((class, weight)),
            }
        }
        Some(merged.into())
    }

    /// The net of the classes, in which transitions with the same arcs and labels are one. `None` when a number of tokens is
    /// too large, or the budget is used up.
    pub(super) fn quotient(
        &self,
        net: &PetriNet,
        labels: &[u32],
        inhibitors: Inhibitors,
        budget: &Budget,
    ) -> Option<Quotient> {
        let mut builder = NetBuilder::new(net.name());
        let mut tokens = vec![0u64; self.sizes.len()];
        for (place, &class) in net.places().iter().zip(&self.class) {
            tokens[class as usize] = tokens[class as usize].checked_add(place.initial)?;
        }
        let mut at: Vec<Option<PlaceId>> = vec![None; self.sizes.len()];
        let mut places = Vec::with_capacity(self.class.len());
        for (place, &class) in net.places().iter().zip(&self.class) {
            let id = match at[class as usize] {
                Some(id) => id,
                None => builder.place(&*place.id, tokens[class as usize]).ok()?,
            };
            at[class as usize] = Some(id);
            places.push(id);
        }
        let mut known: FxHashMap<(u32, Arcs, Arcs), TransitionId> = FxHashMap::default();
        let mut transitions = Vec::with_capacity(labels.len());
        for (t, &label) in net.transitions().iter().zip(labels) {
            budget.check().ok()?;
            let (pre, post) = (self.arcs(&t.pre)?, self.arcs(&t.post)?);
            let mut add = || -> Result<TransitionId, BuildError> {
                let id = builder.transition(&*t.id)?;
                let place = |class: u32| at[class as usize].unwrap_or(PlaceId(0));
                pre.iter().try_for_each(|&(class, weight)| builder.input(place(class), id, weight))?;
                post.iter().try_for_each(|&(class, weight)| builder.output(id, place(class), weight))?;
                if inhibitors == Inhibitors::Preserved {
                    let mut inhibitors = t.inhibitors.iter();
                    inhibitors.try_for_each(|arc| builder.inhibitor(places[arc.place.index()], id, arc.weight))?;
                }
                Ok(id)
            };
            let id = match known.get(&(label, pre.clone(), post.clone())) {
                Some(&id) => id,
                None => add().ok()?,
            };
            known.insert((label, pre, post), id);
            transitions.push(id);
        }
        Some(Quotient { net: builder.build().ok()?, places, transitions })
    }
}

/// A net in which the places of a class are one.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The net.
    pub net: PetriNet,
    places: Vec<PlaceId>,
    transitions: Vec<TransitionId>,
}

impl Quotient {
    /// The net in which each place is alone in its class.
    pub(super) fn of_itself(net: PetriNet) -> Self {
        let (places, transitions) = (net.place_ids().collect(), net.transition_ids().collect());
        Quotient { net, places, transitions }
    }

    /// The place that a place of the original has become part of.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn place(&self, original: PlaceId) -> PlaceId {
        self.places[original.index()]
    }

    /// The places whose sum is that of these places of the original, which were asked for together: each class as often as
    /// each of its members is listed.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn sum(&self, places: &[PlaceId]) -> Vec<PlaceId> {
        let (mut sum, mut known, mut places) = (Vec::new(), FxHashSet::default(), places.to_vec());
        places.sort_unstable();
        for of_place in places.chunk_by(|a, b| a == b) {
            let class = self.place(of_place[0]);
            if known.insert(class) {
                sum.extend(of_place.iter().map(|_| class));
            }
        }
        sum
    }

    /// The images of these transitions of the original, sorted.
    ///
    /// # Panics
    /// If there is no such transition.
    pub fn list(&self, transitions: &[TransitionId]) -> Vec<TransitionId> {
        let mut list: Vec<TransitionId> = transitions.iter().map(|t| self.transitions[t.index()]).collect();
        list.sort_unstable();
        list.dedup();
        list
    }
}

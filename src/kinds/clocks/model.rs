//! Petri nets with clocks: the model every input is read into.
//!
//! A [`ClockNet`] is a place/transition net with weighted arcs, global clocks that all run at the same speed,
//! an *invariant* at each place and a *condition* and a set of clocks to reset at each transition (Riesco,
//! Montejano, Vilallonga, Uzal, "Business Process Modeling using Petri Nets with Clocks", definitions 1-5).
//!
//! Its semantics, with the choices that the paper leaves open:
//!
//! * A state is a marking and a value of every clock; it must satisfy the invariant of every marked place
//!   (definition 9), whatever the number of tokens: clocks are global, not ages of tokens.
//! * Time may pass from `v` to `v+d` if the invariants hold *all the way*: a non-convex invariant is a wall.
//! * A transition fires if its input places have the tokens and its condition holds; afterwards its clocks are
//!   zero, and the invariants of the new marking must hold, otherwise it cannot fire (definition 14).
//! * Invariants are deadlines (time stops, something must fire); conditions are windows that can be missed.
//!
//! The net keeps its constraints as written, with rational constants; [`super::scaled::Scaled`] is the form that
//! the engines read. It is immutable once built: [`NetBuilder`] checks identifiers and merges parallel arcs.

use super::predicate::{ClockId, Predicate};
use crate::kinds::{Size, in_words};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Index of a place in its net.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlaceId(pub u32);

/// Index of a transition in its net.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TransitionId(pub u32);

impl PlaceId {
    /// The index as `usize`, for indexing slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TransitionId {
    /// The index as `usize`, for indexing slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Identifier, unique among places and transitions.
    pub id: String,
    /// Tokens in the initial marking.
    pub initial: u32,
    /// The condition on clocks while the place is marked.
    pub invariant: Predicate,
}

/// A weighted arc between a place and the transition that holds it; the weight is at least 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arc {
    /// The place.
    pub place: PlaceId,
    /// Tokens moved.
    pub weight: u32,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Identifier, unique among places and transitions.
    pub id: String,
    /// Tokens taken, sorted by place.
    pub inputs: Vec<Arc>,
    /// Tokens put, sorted by place.
    pub outputs: Vec<Arc>,
    /// The condition on clocks for a firing.
    pub condition: Predicate,
    /// Clocks set to zero, sorted.
    pub resets: Vec<ClockId>,
}

/// A Petri net with clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockNet {
    /// Name of the net.
    pub name: String,
    /// Names of the clocks.
    pub clocks: Vec<String>,
    /// The places.
    pub places: Vec<Place>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// The markings in which a case is done, where the file says which these are.
    pub finals: Vec<Box<[u32]>>,
    /// The transitions that nobody sees, sorted.
    pub silent: Vec<TransitionId>,
}

impl ClockNet {
    /// How large it is.
    pub fn sizes(&self) -> [Size; 3] {
        [
            Size::new("places", "place", self.places.len()),
            Size::new("transitions", "transition", self.transitions.len()),
            Size::new("clocks", "clock", self.clocks.len()),
        ]
    }

    /// Its name with its sizes.
    pub fn header(&self) -> String {
        let sizes = self.sizes();
        // Of a net without time there is nothing to say of clocks.
        let told = if self.clocks.is_empty() { &sizes[..2] } else { &sizes[..] };
        format!("{}: {}", self.name, in_words(told))
    }

    /// The place with an identifier.
    pub fn place(&self, id: &str) -> Option<PlaceId> {
        self.places.iter().position(|p| p.id == id).map(|i| PlaceId(i as u32))
    }

    /// The transition with an identifier.
    pub fn transition(&self, id: &str) -> Option<TransitionId> {
        self.transitions.iter().position(|t| t.id == id).map(|i| TransitionId(i as u32))
    }

    /// The clock with a name.
    pub fn clock(&self, name: &str) -> Option<ClockId> {
        self.clocks.iter().position(|c| c == name).map(|i| ClockId(i as u32))
    }

    /// The initial marking.
    pub fn initial_marking(&self) -> Box<[u32]> {
        self.places.iter().map(|p| p.initial).collect()
    }

    /// Has the transition the tokens it takes?
    pub fn enabled(&self, t: TransitionId, marking: &[u32]) -> bool {
        self.transitions[t.index()].inputs.iter().all(|a| marking[a.place.index()] >= a.weight)
    }

    /// The marking after a transition that has its tokens; nothing if a count leaves 32 bits.
    pub fn fire(&self, t: TransitionId, marking: &[u32]) -> Option<Box<[u32]>> {
        let t = &self.transitions[t.index()];
        let mut next: Box<[u32]> = marking.into();
        for a in &t.inputs {
            next[a.place.index()] = next[a.place.index()].checked_sub(a.weight)?;
        }
        for a in &t.outputs {
            next[a.place.index()] = next[a.place.index()].checked_add(a.weight)?;
        }
        Some(next)
    }

    /// The net without clocks: its markings are all those that tokens allow.
    pub fn without_time(&self) -> ClockNet {
        let mut net = self.clone();
        net.clocks.clear();
        net.places.iter_mut().for_each(|p| p.invariant = Predicate::True);
        for t in &mut net.transitions {
            t.condition = Predicate::True;
            t.resets.clear();
        }
        net
    }

    /// A marking as people write it: `{approved packed*2}`.
    pub fn marking_text(&self, marking: &[u32]) -> String {
        let mut parts = Vec::new();
        for (p, &n) in self.places.iter().zip(marking) {
            match n {
                0 => {}
                1 => parts.push(p.id.clone()),
                n => parts.push(format!("{}*{n}", p.id)),
            }
        }
        format!("{{{}}}", parts.join(" "))
    }

    /// A marking as people write it: `closed`, or `done*2 idle`.
    ///
    /// # Errors
    /// The fault of the text.
    pub fn marking_of(&self, text: &str) -> Result<Vec<u32>, String> {
        let mut tokens = vec![0; self.places.len()];
        for word in text.split_whitespace() {
            let (id, number) = match word.rsplit_once('*') {
                Some((id, number)) if self.place(word).is_none() => (id, number),
                _ => (word, "1"),
            };
            let place = self.place(id).ok_or_else(|| format!("there is no place `{id}`"))?;
            tokens[place.index()] = number.parse().map_err(|_| format!("`{number}` is no number of tokens"))?;
        }
        Ok(tokens)
    }

    /// The identifiers of some transitions.
    pub fn transition_names(&self, transitions: &[TransitionId]) -> Vec<&str> {
        transitions.iter().map(|t| self.transitions[t.index()].id.as_str()).collect()
    }
}

/// The reason why a net cannot be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BuildError {
    /// Two things have one identifier.
    #[error("`{0}` is declared twice; give every place, transition and clock an identifier of its own")]
    Duplicate(String),
    /// An arc names a place that is not there.
    #[error("`{0}` is no place of the net; declare it, or correct the identifier")]
    NoPlace(String),
    /// A reset names a clock that is not there.
    #[error("`{0}` is no clock of the net; declare it, or correct the name")]
    NoClock(String),
    /// A weight that is zero, or parallel arcs that add up to more than 32 bits.
    #[error("an arc of `{0}` has a weight out of range; weights are 1 to 4294967295")]
    Weight(String),
}

/// Collects the parts of a net and checks them.
pub struct NetBuilder {
    net: ClockNet,
    names: FxHashMap<String, Named>,
}

#[derive(Clone, Copy)]
enum Named {
    Place(PlaceId),
    Transition,
}

impl NetBuilder {
    /// An empty net.
    pub fn new(name: &str) -> Self {
        let net = ClockNet {
            name: name.to_owned(),
            clocks: Vec::new(),
            places: Vec::new(),
            transitions: Vec::new(),
            finals: Vec::new(),
            silent: Vec::new(),
        };
        NetBuilder { net, names: FxHashMap::default() }
    }

    /// Sets the name.
    pub fn name(&mut self, name: &str) {
        self.net.name = name.to_owned();
    }

    /// The clocks declared so far.
    pub fn clocks(&self) -> &[String] {
        &self.net.clocks
    }

    /// Declares a clock. Clocks have a name space of their own.
    pub fn clock(&mut self, name: &str) -> Result<ClockId, BuildError> {
        let net = &mut self.net;
        if net.clocks.iter().any(|c| c == name) {
            return Err(BuildError::Duplicate(name.to_owned()));
        }
        net.clocks.push(name.to_owned());
        Ok(ClockId(net.clocks.len() as u32 - 1))
    }

    /// Declares a place.
    pub fn place(&mut self, id: &str, initial: u32, invariant: Predicate) -> Result<PlaceId, BuildError> {
        let place = PlaceId(self.net.places.len() as u32);
        self.declare(id, Named::Place(place))?;
        self.net.places.push(Place { id: id.to_owned(), initial, invariant });
        Ok(place)
    }

    /// Declares a transition, without arcs.
    pub fn transition(
        &mut self,
        id: &str,
        condition: Predicate,
        resets: &[ClockId],
    ) -> Result<TransitionId, BuildError> {
        self.declare(id, Named::Transition)?;
        let mut resets = resets.to_vec();
        resets.sort_unstable();
        resets.dedup();
        let net = &mut self.net;
        net.transitions.push(Transition {
            id: id.to_owned(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            condition,
            resets,
        });
        Ok(TransitionId(net.transitions.len() as u32 - 1))
    }

    /// An arc from a place to a transition. Parallel arcs add up.
    pub fn input(&mut self, t: TransitionId, place: PlaceId, weight: u32) -> Result<(), BuildError> {
        let t = &mut self.net.transitions[t.index()];
        add_arc(&mut t.inputs, place, weight).ok_or_else(|| BuildError::Weight(t.id.clone()))
    }

    /// An arc from a transition to a place. Parallel arcs add up.
    pub fn output(&mut self, t: TransitionId, place: PlaceId, weight: u32) -> Result<(), BuildError> {
        let t = &mut self.net.transitions[t.index()];
        add_arc(&mut t.outputs, place, weight).ok_or_else(|| BuildError::Weight(t.id.clone()))
    }

    /// The place with an identifier.
    pub fn find_place(&self, id: &str) -> Result<PlaceId, BuildError> {
        match self.names.get(id) {
            Some(&Named::Place(p)) => Ok(p),
            _ => Err(BuildError::NoPlace(id.to_owned())),
        }
    }

    /// The clock with a name.
    pub fn find_clock(&self, name: &str) -> Result<ClockId, BuildError> {
        let at = self.clocks().iter().position(|c| c == name);
        at.map(|i| ClockId(i as u32)).ok_or_else(|| BuildError::NoClock(name.to_owned()))
    }

    fn declare(&mut self, id: &str, named: Named) -> Result<(), BuildError> {
        match self.names.entry(id.to_owned()) {
            Entry::Occupied(_) => Err(BuildError::Duplicate(id.to_owned())),
            Entry::Vacant(slot) => {
                slot.insert(named);
                Ok(())
            }
        }
    }

    /// The net.
    pub fn build(self) -> ClockNet {
        self.net
    }
}

fn add_arc(arcs: &mut Vec<Arc>, place: PlaceId, weight: u32) -> Option<()> {
    if weight == 0 {
        return None;
    }
    match arcs.binary_search_by_key(&place, |a| a.place) {
        Ok(i) => arcs[i].weight = arcs[i].weight.checked_add(weight)?,
        Err(i) => arcs.insert(i, Arc { place, weight }),
    }
    Some(())
}

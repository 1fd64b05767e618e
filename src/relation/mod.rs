//! What the symbolic engine sees of a model: variables on levels, an initial state, and a partitioned
//! next-state relation.
//!
//! The relation is a set of `Event`s. An event touches a few levels (its support) and leaves all others
//! as they are; on each level of its support a `Step` says which values it accepts and what they become.
//! An event is the product of its steps, applied directly while a diagram is walked: no diagram is built
//! for it ("implicit relations": Biswal and Miner, Petri Nets 2019). For a Petri net a step is an affine
//! function with a guard; for a synchronised transition system it is a small table.
//!
//! Steps are hash-consed from the bottom up, so that events with the same lower part share it, and with it
//! all cached results of firing that part; transitions with the same effect become one event.

mod net;
mod network;
mod step;

pub use net::RelationError;
pub(crate) use step::{Effect, OutOfRange, Step, Table, Values};

use crate::net::PlaceId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Identifies a step together with all steps below it (a suffix of an event): an index into
/// [`Relation::link`].
pub(crate) type LinkId = u32;

/// The end of an event: all levels below stay as they are.
pub(crate) const END: LinkId = u32::MAX;

/// A step and the link to the next one below.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Link {
    pub(crate) step: Step,
    pub(crate) next: LinkId,
}

/// An event: where it starts, and which transitions of the model it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// First step; [`END`] for an event that accepts and keeps everything.
    pub(crate) first: LinkId,
    /// The labels (transition indices of a net) with exactly this behaviour.
    pub labels: SmallVec<[u32; 1]>,
    /// Does the event change nothing (all steps are tests)?
    pub(crate) idle: bool,
}

/// A model as variables, initial state and events; see the module documentation.
#[derive(Clone, Debug)]
pub struct Relation {
    names: Vec<String>,
    offsets: Vec<u64>,
    initial: Vec<u32>,
    links: Vec<Link>,
    link_ids: FxHashMap<Link, LinkId>,
    events: Vec<Event>,
    /// The event that starts with a link (or with [`END`]).
    event_of: FxHashMap<LinkId, u32>,
    /// Per level, the first links of the events whose top is that level.
    tops: Vec<Vec<u32>>,
    /// Level of each variable of the model (place index of a net).
    level_of: Vec<u32>,
}

impl Relation {
    /// A relation over variables on levels in the given order, each variable once, from the top: without
    /// names, offsets 0, initial values 0, and no events yet.
    fn without_events(variables: usize, order: &[PlaceId]) -> Result<Relation, RelationError> {
        let mut level_of = vec![u32::MAX; variables];
        for (level, variable) in order.iter().enumerate() {
            match level_of.get_mut(variable.index()) {
                Some(slot) if *slot == u32::MAX => *slot = level as u32,
                _ => return Err(RelationError::NotAPermutation { places: variables }),
            }
        }
        if order.len() != variables {
            return Err(RelationError::NotAPermutation { places: variables });
        }
        Ok(Relation {
            names: Vec::new(),
            offsets: vec![0; variables],
            initial: vec![0; variables],
            links: Vec::new(),
            link_ids: FxHashMap::default(),
            events: Vec::new(),
            event_of: FxHashMap::default(),
            tops: vec![Vec::new(); variables],
            level_of,
        })
    }

    /// Number of levels.
    pub fn levels(&self) -> u32 {
        self.names.len() as u32
    }
    /// Variable names, by level.
    pub fn names(&self) -> &[String] {
        &self.names
    }
    /// By level, the number to add to a diagram value to get the value of the variable: 0 except for
    /// variables whose initial value is beyond `u32`.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }
    /// The initial state, by level.
    pub fn initial(&self) -> &[u32] {
        &self.initial
    }
    /// The same relation started in another state, one value per level.
    pub(crate) fn started_in(&self, initial: Vec<u32>) -> Relation {
        Relation { initial, ..self.clone() }
    }
    /// The same variables with the events of some labels alone.
    pub(crate) fn restricted(&self, keep: impl Fn(u32) -> bool) -> Relation {
        let mut events = Vec::new();
        let mut tops = vec![Vec::new(); self.tops.len()];
        let mut event_of = FxHashMap::default();
        for event in &self.events {
            let labels: SmallVec<[u32; 1]> = event.labels.iter().copied().filter(|&label| keep(label)).collect();
            if labels.is_empty() {
                continue;
            }
            let number = events.len() as u32;
            event_of.insert(event.first, number);
            if let Some(link) = self.links.get(event.first as usize) {
                tops[link.step.level as usize].push(number);
            }
            events.push(Event { labels, ..event.clone() });
        }
        Relation { events, tops, event_of, ..self.clone() }
    }
    /// The events.
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }
    /// Level of the variable with this index in the model (place index of a net).
    pub fn level_of(&self, variable: usize) -> u32 {
        self.level_of[variable]
    }
    /// Index in the model of each level's variable.
    pub fn variables_by_level(&self) -> Vec<usize> {
        let mut variables = vec![0; self.level_of.len()];
        for (variable, &level) in self.level_of.iter().enumerate() {
            variables[level as usize] = variable;
        }
        variables
    }
    /// The link with this number.
    #[inline(always)]
    pub(crate) fn link(&self, id: LinkId) -> &Link {
        &self.links[id as usize]
    }
    /// Number of links.
    pub(crate) fn link_count(&self) -> u32 {
        self.links.len() as u32
    }
    /// Indices of the events whose highest step is on `level`.
    #[inline(always)]
    pub(crate) fn tops(&self, level: u32) -> &[u32] {
        &self.tops[level as usize]
    }
    /// Add an event with the given steps, sorted by level from the top.
    fn add_event(&mut self, label: u32, steps: Vec<Step>) {
        let idle = steps.iter().all(Step::is_test);
        let mut next = END;
        for step in steps.into_iter().rev() {
            let link = Link { step, next };
            next = match self.link_ids.get(&link) {
                Some(&id) => id,
                None => {
                    let id = self.links.len() as LinkId;
                    self.links.push(link.clone());
                    self.link_ids.insert(link, id);
                    id
                }
            };
        }
        if let Some(&event) = self.event_of.get(&next) {
            self.events[event as usize].labels.push(label);
            return;
        }
        let event = self.events.len() as u32;
        self.event_of.insert(next, event);
        self.events.push(Event { first: next, labels: SmallVec::from_slice(&[label]), idle });
        if let Some(link) = self.links.get(next as usize) {
            self.tops[link.step.level as usize].push(event);
        }
    }
}

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

mod step;

pub(crate) use step::{Effect, OutOfRange, Step, Table, Values};

use crate::model::VariableId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// Why a model has no relation under an order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RelationError {
    /// The order is not a permutation of the variables.
    #[error("the variable order must name each of the {variables} variables exactly once")]
    NotAPermutation {
        /// Number of variables of the model.
        variables: usize,
    },
    /// This kind of model has no relation.
    #[error("{0}")]
    Unsupported(&'static str),
}

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

/// An event: where it starts, and which actions of the model it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// First step; [`END`] for an event that accepts and keeps everything.
    pub(crate) first: LinkId,
    /// The actions with exactly this behaviour.
    pub labels: SmallVec<[u32; 1]>,
    /// Does the event change nothing (all steps are tests)?
    pub(crate) idle: bool,
}

/// A model as variables, initial state and events; see the module documentation. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Relation {
    variables: Arc<Variables>,
    initial: Vec<u32>,
    links: Arc<Links>,
    partition: Arc<Partition>,
}

/// What is on the levels.
#[derive(Clone, Debug)]
struct Variables {
    names: Vec<String>,
    offsets: Vec<u64>,
    /// Level of each variable of the model.
    level_of: Vec<u32>,
}

/// Hash-consed steps.
#[derive(Clone, Debug, Default)]
struct Links {
    links: Vec<Link>,
    ids: FxHashMap<Link, LinkId>,
}

/// The events.
#[derive(Clone, Debug)]
struct Partition {
    events: Vec<Event>,
    /// The event that starts with a link (or with [`END`]).
    event_of: FxHashMap<LinkId, u32>,
    /// Per level, the numbers of the events whose top is that level.
    tops: Vec<Vec<u32>>,
}

impl Partition {
    fn new(levels: usize) -> Self {
        Partition { events: Vec::new(), event_of: FxHashMap::default(), tops: vec![Vec::new(); levels] }
    }

    fn add(&mut self, event: Event, links: &[Link]) {
        let number = self.events.len() as u32;
        self.event_of.insert(event.first, number);
        if let Some(link) = links.get(event.first as usize) {
            self.tops[link.step.level as usize].push(number);
        }
        self.events.push(event);
    }
}

/// A variable on its level, as a kind of model gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    pub(crate) name: String,
    /// What to add to a diagram value to get the value of the variable.
    pub(crate) offset: u64,
    /// The diagram value at first.
    pub(crate) initial: u32,
}

impl Relation {
    /// A relation without events over variables on levels in the given order, from the top; `level` says what each
    /// variable is.
    ///
    /// # Errors
    /// When the order does not have each variable once.
    pub(crate) fn new(
        variables: usize,
        order: &[VariableId],
        level: impl Fn(VariableId) -> Level,
    ) -> Result<Relation, RelationError> {
        let mut level_of = vec![u32::MAX; variables];
        for (level, variable) in order.iter().enumerate() {
            match level_of.get_mut(variable.index()) {
                Some(slot) if *slot == u32::MAX => *slot = level as u32,
                _ => return Err(RelationError::NotAPermutation { variables }),
            }
        }
        if order.len() != variables {
            return Err(RelationError::NotAPermutation { variables });
        }
        let (mut names, mut offsets, mut initial) = (Vec::new(), Vec::new(), Vec::new());
        for &variable in order {
            let level = level(variable);
            names.push(level.name);
            offsets.push(level.offset);
            initial.push(level.initial);
        }
        Ok(Relation {
            variables: Arc::new(Variables { names, offsets, level_of }),
            initial,
            links: Arc::default(),
            partition: Arc::new(Partition::new(variables)),
        })
    }

    /// Number of levels.
    pub fn levels(&self) -> u32 {
        self.variables.names.len() as u32
    }
    /// Variable names, by level.
    pub fn names(&self) -> &[String] {
        &self.variables.names
    }
    /// By level, the number to add to a diagram value to get the value of the variable: 0 except for
    /// variables whose initial value is beyond `u32`.
    pub fn offsets(&self) -> &[u64] {
        &self.variables.offsets
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
        let mut partition = Partition::new(self.partition.tops.len());
        for event in &self.partition.events {
            let labels: SmallVec<[u32; 1]> = event.labels.iter().copied().filter(|&label| keep(label)).collect();
            if !labels.is_empty() {
                partition.add(Event { labels, ..event.clone() }, &self.links.links);
            }
        }
        Relation { partition: Arc::new(partition), ..self.clone() }
    }
    /// The events.
    pub(crate) fn events(&self) -> &[Event] {
        &self.partition.events
    }
    /// Level of the variable with this index in the model.
    pub fn level_of(&self, variable: usize) -> u32 {
        self.variables.level_of[variable]
    }
    /// Index in the model of each level's variable.
    pub fn variables_by_level(&self) -> Vec<usize> {
        let mut variables = vec![0; self.variables.level_of.len()];
        for (variable, &level) in self.variables.level_of.iter().enumerate() {
            variables[level as usize] = variable;
        }
        variables
    }
    /// The link with this number.
    #[inline(always)]
    pub(crate) fn link(&self, id: LinkId) -> &Link {
        &self.links.links[id as usize]
    }
    /// Number of links.
    pub(crate) fn link_count(&self) -> u32 {
        self.links.links.len() as u32
    }
    /// Indices of the events whose highest step is on `level`.
    #[inline(always)]
    pub(crate) fn tops(&self, level: u32) -> &[u32] {
        &self.partition.tops[level as usize]
    }
    /// Add an event with the given steps, sorted by level from the top.
    pub(crate) fn add_event(&mut self, label: u32, steps: Vec<Step>) {
        let idle = steps.iter().all(Step::is_test);
        let links = Arc::make_mut(&mut self.links);
        let mut next = END;
        for step in steps.into_iter().rev() {
            let link = Link { step, next };
            next = match links.ids.get(&link) {
                Some(&id) => id,
                None => {
                    let id = links.links.len() as LinkId;
                    links.links.push(link.clone());
                    links.ids.insert(link, id);
                    id
                }
            };
        }
        let partition = Arc::make_mut(&mut self.partition);
        if let Some(&event) = partition.event_of.get(&next) {
            partition.events[event as usize].labels.push(label);
            return;
        }
        partition.add(Event { first: next, labels: SmallVec::from_slice(&[label]), idle }, &links.links);
    }
}

//! A model as the symbolic engine sees it: variables on levels, an initial state, and a partitioned next-state
//! relation.
//!
//! The relation is a set of `Event`s. An event touches a few levels (its support) and leaves all others
//! as they are; on each level of its support a `Step` says which values it accepts and what they become.
//! An event is the product of its steps, applied directly while a diagram is walked: no diagram is built
//! for it ("implicit relations": Biswal and Miner, Petri Nets 2019). For a Petri net a step is an affine
//! function with a guard; for a synchronised transition system it is a small table. In general an event is
//! a diagram of its own: from a value to targets, each with a continuation of its own (`Branches`), of which
//! products of steps are the fast case.
//!
//! Links are hash-consed from the bottom up, so that events with the same lower part share it, and with it
//! all cached results of firing that part; transitions with the same effect become one event.
//!
//! A relation is fixed, or it is *learned* from a model that has to be asked (`Learner`): then it has no events
//! before the reachable set is known, and grows with it (`Growing`).

mod bits;
mod branches;
mod conjunctive;
mod footprint;
mod influence;
mod learned;
mod level_union;
mod mediators;
mod merged;
mod step;

pub(crate) use branches::{Arm, Branches, KEEP, Tail, Target};
pub(crate) use conjunctive::{ALWAYS, Condition, Conjunctive, ConjunctiveSteps, Mode, NEVER, Node, Plan, Test};
pub(crate) use footprint::Footprint;
pub(crate) use influence::Influence;
pub(crate) use learned::{Growing, Learned, Learner, entry};
pub use mediators::Mediated;
pub(crate) use step::{Effect, OutOfRange, Step, Table, Values};

use crate::budget::Exhausted;
use crate::model::VariableId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// The reason why a model has no relation under an order.
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
    /// The budget was used up before it was there.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// Identifies a step together with all steps below it (a suffix of an event): an index into
/// [`Relation::link`].
pub(crate) type LinkId = u32;

/// The end of an event: all levels below stay as they are.
pub(crate) const END: LinkId = u32::MAX;

/// The effect of an event from some level down.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Link {
    /// A step, and the same link below whatever it leads to.
    Step {
        /// The step.
        step: Step,
        /// The link below.
        next: LinkId,
    },
    /// Targets with a link of their own each.
    Branch {
        /// The level.
        level: u32,
        /// The targets of its values.
        branches: Arc<Branches>,
    },
}

impl Link {
    /// The level whose values it changes or tests.
    #[inline(always)]
    pub(crate) fn level(&self) -> u32 {
        match self {
            Link::Step { step, .. } => step.level,
            Link::Branch { level, .. } => *level,
        }
    }
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
    /// Further initial states.
    others: Arc<[Vec<u32>]>,
    links: Arc<Links>,
    partition: Arc<Partition>,
    /// The label by which time passes, where that is no deed of the model.
    tick: Option<u32>,
    /// The source of events, if they have to be learned.
    learned: Option<Arc<Learned>>,
    /// Steps of all variables at once, which are no events, and conditions on initial states.
    conjunctive: Arc<Conjunctive>,
    /// Does no step lead out of the initial states?
    closed: bool,
    /// Are states that are not initial only passed through?
    passages: bool,
    /// By variable: does it only remember something of the last step? `None` if none does.
    remembered: Option<Arc<[bool]>>,
    /// What moves levels where, if that is known.
    influences: Option<Arc<[Influence]>>,
    /// The network without its mediators, and with more and more of them, if these are wanted.
    mediated: Arc<[Mediated]>,
}

/// The variables of the levels.
#[derive(Clone, Debug)]
struct Variables {
    names: Vec<String>,
    offsets: Vec<u64>,
    /// Level of each variable of the model; of one in bits that of the lowest.
    level_of: Vec<u32>,
    /// The levels of each variable, the lowest bit first, if each is on as many as it has bits.
    bits: Option<Vec<Vec<u32>>>,
}

/// Hash-consed links.
#[derive(Clone, Debug, Default)]
struct Links {
    links: Vec<Link>,
    ids: FxHashMap<Link, LinkId>,
}

impl Links {
    /// The number of a link.
    fn intern(&mut self, link: Link) -> LinkId {
        if let Some(&id) = self.ids.get(&link) {
            return id;
        }
        let id = self.links.len() as LinkId;
        self.links.push(link.clone());
        self.ids.insert(link, id);
        id
    }
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
            self.tops[link.level() as usize].push(number);
        }
        self.events.push(event);
    }

    /// An event that starts with this link stands for a label, so many times.
    fn label(&mut self, first: LinkId, idle: bool, labels: impl Iterator<Item = u32>, links: &[Link]) {
        match self.event_of.get(&first) {
            Some(&event) => self.events[event as usize].labels.extend(labels),
            None => self.add(Event { first, labels: labels.collect(), idle }, links),
        }
    }
}

/// A variable on its level, as a kind of model gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    pub(crate) name: String,
    /// Difference between the value of the variable and its diagram value.
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
            variables: Arc::new(Variables { names, offsets, level_of, bits: None }),
            initial,
            others: Arc::default(),
            links: Arc::default(),
            partition: Arc::new(Partition::new(variables)),
            learned: None,
            tick: None,
            conjunctive: Arc::default(),
            closed: false,
            passages: false,
            remembered: None,
            influences: None,
            mediated: Arc::from([]),
        })
    }

    /// The same relation, of which it is known that no step leads out of the initial states: they are all that are
    /// reachable.
    pub(crate) fn closed(self) -> Relation {
        Relation { closed: true, ..self }
    }

    /// Is it known that no step leads out of the initial states?
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// The same relation, of which states that are not initial are only passed through, between those that people mean.
    pub(crate) fn with_passages(self) -> Relation {
        Relation { passages: true, ..self }
    }

    /// Are states that are not initial only passed through?
    pub(crate) fn has_passages(&self) -> bool {
        self.passages
    }

    /// The same relation, with the variables that only remember something of the last step.
    pub(crate) fn with_remembered(self, remembered: Vec<bool>) -> Relation {
        debug_assert_eq!(remembered.len(), self.variables());
        Relation { remembered: remembered.contains(&true).then(|| remembered.into()), ..self }
    }

    /// The levels of variables that only remember something of the last step, if there are any.
    pub(crate) fn remembered(&self) -> Option<Vec<bool>> {
        let remembered = self.remembered.as_ref()?;
        Some(self.variables_by_level().into_iter().map(|variable| remembered[variable]).collect())
    }

    /// Is each tuple a state that people mean, and no two the same one?
    pub(crate) fn is_meant(&self) -> bool {
        !self.passages && self.remembered.is_none()
    }

    /// The same relation, in which time passes by the events with this label.
    pub(crate) fn with_tick(self, tick: Option<u32>) -> Relation {
        Relation { tick, ..self }
    }

    /// The label by which time passes, where that is no deed of the model.
    pub(crate) fn tick(&self) -> Option<u32> {
        self.tick
    }

    /// The same relation with events that are still to be learned, and with these initial states besides, one value per
    /// level each.
    pub(crate) fn learned_from(self, learner: Arc<dyn Learner>, others: Vec<Vec<u32>>) -> Relation {
        let learned = Learned::new(learner, self.levels(), |variable| self.level_of(variable));
        Relation { learned: Some(Arc::new(learned)), others: others.into(), ..self }
    }

    /// The same relation with these initial states besides, one value per level each, and no others.
    pub(crate) fn with_initial(self, others: Vec<Vec<u32>>) -> Relation {
        let conjunctive = Conjunctive { first: None, ..Conjunctive::clone(&self.conjunctive) };
        Relation { others: others.into(), conjunctive: Arc::new(conjunctive), closed: false, ..self }
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
    /// The initial state, by level; if there are several, the first.
    pub fn initial(&self) -> &[u32] {
        &self.initial
    }
    /// All initial states, by level.
    pub fn initial_states(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..1 + self.others.len()).map(|number| match number.checked_sub(1) {
            None => &self.initial[..],
            Some(other) => &self.others[other],
        })
    }
    /// Has it several initial states, or are they not listed?
    pub(crate) fn has_several_starts(&self) -> bool {
        !self.others.is_empty() || self.conjunctive.first.is_some()
    }
    /// The same relation started in another state, one value per level.
    pub(crate) fn started_in(&self, initial: Vec<u32>) -> Relation {
        let conjunctive = Conjunctive { first: None, ..Conjunctive::clone(&self.conjunctive) };
        Relation { initial, others: Arc::default(), conjunctive: Arc::new(conjunctive), closed: false, ..self.clone() }
    }
    /// The source of events, if they have to be learned.
    pub(crate) fn learned(&self) -> Option<&Learned> {
        self.learned.as_deref()
    }
    /// The same relation with the events that have been learned.
    pub(crate) fn with_learned(&self, growing: Growing) -> Relation {
        let (links, partition) = growing.settled(self.levels());
        Relation { links: Arc::new(links), partition: Arc::new(partition), ..self.clone() }
    }
    /// The same variables with the events of some labels alone, which are not learned any more.
    pub(crate) fn restricted(&self, keep: impl Fn(u32) -> bool) -> Relation {
        let mut partition = Partition::new(self.partition.tops.len());
        for event in &self.partition.events {
            let labels: SmallVec<[u32; 1]> = event.labels.iter().copied().filter(|&label| keep(label)).collect();
            if !labels.is_empty() {
                partition.add(Event { labels, ..event.clone() }, &self.links.links);
            }
        }
        let mut conjunctive = Conjunctive::clone(&self.conjunctive);
        conjunctive.steps.retain(|steps| keep(steps.label));
        Relation { partition: Arc::new(partition), learned: None, conjunctive: Arc::new(conjunctive), ..self.clone() }
    }
    /// The events.
    pub(crate) fn events(&self) -> &[Event] {
        &self.partition.events
    }
    /// Level of the variable with this index in the model; of one in bits that of the lowest.
    pub fn level_of(&self, variable: usize) -> u32 {
        self.variables.level_of[variable]
    }
    /// Index in the model of each level's variable; of one in bits several times.
    pub fn variables_by_level(&self) -> Vec<usize> {
        let mut variables = vec![0; self.levels() as usize];
        for variable in 0..self.variables() {
            self.places_of(variable).for_each(|(level, _)| variables[level as usize] = variable);
        }
        variables
    }
    /// The state with these values of the variables, as a tuple by level; `None` if it cannot be represented.
    pub fn tuple_of(&self, values: &[u64]) -> Option<Vec<u32>> {
        let mut tuple = vec![0; self.levels() as usize];
        if values.len() != self.variables() {
            return None;
        }
        if let Some(bits) = &self.variables.bits {
            for (levels, &value) in bits.iter().zip(values) {
                set_bits(&mut tuple, levels, value)?;
            }
            return Some(tuple);
        }
        for (&level, &value) in self.variables.level_of.iter().zip(values) {
            let offset = *self.variables.offsets.get(level as usize)?;
            *tuple.get_mut(level as usize)? = u32::try_from(value.checked_sub(offset)?).ok()?;
        }
        Some(tuple)
    }
    /// The values of the variables, in the order of the model, in the state that is this tuple by level.
    pub fn values_of(&self, tuple: &[u32]) -> Vec<u64> {
        let stored = |level: u32| u64::from(tuple.get(level as usize).copied().unwrap_or(0));
        if let Some(bits) = &self.variables.bits {
            let value = |levels: &Vec<u32>| levels.iter().rev().fold(0, |value, &level| value << 1 | stored(level));
            return bits.iter().map(value).collect();
        }
        let value = |&level: &u32| {
            let offset = self.variables.offsets.get(level as usize);
            stored(level).saturating_add(offset.copied().unwrap_or(0))
        };
        self.variables.level_of.iter().map(value).collect()
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
        let first = steps.into_iter().rev().fold(END, |next, step| self.link_to(Link::Step { step, next }));
        self.add_event_from(label, first, idle);
    }
    /// The number of a link, which goes on to links that have numbers.
    pub(crate) fn link_to(&mut self, link: Link) -> LinkId {
        Arc::make_mut(&mut self.links).intern(link)
    }
    /// Add an event that starts with a link; `idle` if it changes nothing.
    pub(crate) fn add_event_from(&mut self, label: u32, first: LinkId, idle: bool) {
        Arc::make_mut(&mut self.partition).label(first, idle, std::iter::once(label), &self.links.links);
    }
}

/// Write the bits of a value; `None` if it has more.
fn set_bits(tuple: &mut [u32], levels: &[u32], value: u64) -> Option<()> {
    if levels.len() < 64 && value >> levels.len() != 0 {
        return None;
    }
    for (bit, &level) in levels.iter().enumerate() {
        *tuple.get_mut(level as usize)? = (value >> bit & 1) as u32;
    }
    Some(())
}

//! Markings, numbered, with what every engine asks of one: which transitions have their tokens and where they
//! lead, and which boxes its invariant has.
//!
//! The table is filled on demand, so an exploration with time numbers only the markings that it meets; without
//! time, [`MarkingTable::explore`] numbers all that are reachable. Reachability of a Petri net with clocks is
//! undecidable without a bound on the tokens, since an invariant can tell whether a place is empty; the number
//! of markings is therefore limited, and the limit is an error, not an answer.

use super::model::{Transition, TransitionId};
use super::scaled::Scaled;
use super::zone::ClockBox;
use crate::budget::{Budget, Exhausted};
use crate::stop_reason::StopReason;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// A marking by its marked places, in order, each with its tokens: of many places few have some.
type Marked = Arc<[(u32, u32)]>;

/// Number of a marking in its table.
pub type MarkingId = u32;

/// How far an exploration may go: an unbounded net would go on for ever, so the numbers are limited even where the
/// budget is not.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Markings.
    pub markings: usize,
    /// Zones, or states of integer time.
    pub states: usize,
    /// Time, memory and cancellation.
    pub budget: Budget,
}

impl Default for Limits {
    fn default() -> Self {
        Limits::of(&Budget::unlimited())
    }
}

impl Limits {
    /// The usual numbers, within a budget.
    pub fn of(budget: &Budget) -> Self {
        Limits { markings: 10_000_000, states: 50_000_000, budget: budget.clone() }
    }

    /// One of two shares of the memory, for two explorations that are kept at the same time.
    pub(super) fn half(&self) -> Self {
        Limits { budget: self.budget.share_of_memory(2), ..self.clone() }
    }

    /// An error if so many bytes are too many, or if time is up.
    pub(super) fn check(&self, bytes: usize) -> Result<(), Exhausted> {
        if self.budget.memory().is_some_and(|most| bytes as u64 > most) {
            return Err(Exhausted::Memory);
        }
        self.budget.check()
    }
}

/// An exploration that did not end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// The budget is used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// Too many markings: perhaps the net is unbounded.
    #[error(
        "more than {0} markings; the net may be unbounded, for which reachability with time is undecidable: bound its places, or raise the limit"
    )]
    Markings(usize),
    /// Too many zones or integer states.
    #[error("more than {0} states; raise the limit, or use smaller constants")]
    States(usize),
    /// A token count beyond 32 bits.
    #[error("`{0}` makes a token count leave 32 bits; bound the place")]
    Tokens(String),
    /// A marking whose invariants together have too many alternatives.
    #[error("the invariants of the places {0} together have too many alternatives; write them with fewer disjunctions")]
    Alternatives(String),
    /// Clocks that do not fit the packed form of integer states.
    #[error(
        "the clocks need {0} bits in a state of integer time, and 128 are there; use dense time, or smaller constants"
    )]
    ClockBits(u32),
}

impl ExploreError {
    /// A word for what stopped the exploration, as in JSON output.
    pub fn reason(&self) -> &'static str {
        match self {
            ExploreError::Exhausted(exhausted) => StopReason::from(*exhausted).reason(),
            ExploreError::Markings(_) => "unbounded",
            ExploreError::Tokens(_) => "range",
            ExploreError::States(_) | ExploreError::Alternatives(_) | ExploreError::ClockBits(_) => "size",
        }
    }
}

/// Markings between two looks at the budget.
const CHECK: usize = 256;

/// Bytes of a marking besides its tokens and successors: references, counts and the entry of the hash table.
const MARKING: usize = 120;

/// A transition that has its tokens in a marking, and the marking after it.
pub type Successor = (TransitionId, MarkingId);

/// The markings seen so far.
pub struct MarkingTable<'s, 'n> {
    scaled: &'s Scaled<'n>,
    ids: FxHashMap<Marked, MarkingId>,
    markings: Vec<Marked>,
    successors: Vec<Option<Arc<[Successor]>>>,
    invariants: Vec<Arc<[ClockBox]>>,
    /// Invariants by the marked places that have one; many markings share theirs.
    shared: FxHashMap<Vec<u32>, Arc<[ClockBox]>>,
    is_timed: Vec<bool>,
    /// Each transition stands at one of its input places, the one that serves the fewest others.
    at_place: Vec<Vec<TransitionId>>,
    /// Transitions without input.
    always: Vec<TransitionId>,
    limits: Limits,
    /// An estimate of the bytes that all this takes.
    bytes: usize,
}

impl<'s, 'n> MarkingTable<'s, 'n> {
    /// A table with the initial marking, numbered 0.
    pub fn new(scaled: &'s Scaled<'n>, limits: &Limits) -> Result<Self, ExploreError> {
        let timed = |boxes: &Vec<ClockBox>| !matches!(boxes.as_slice(), [b] if b.is_all());
        let is_timed = scaled.invariants.iter().map(timed).collect();
        let net = scaled.net;
        let mut consumers = vec![0u32; net.places.len()];
        net.transitions.iter().flat_map(|t| &t.inputs).for_each(|a| consumers[a.place.index()] += 1);
        let (mut at_place, mut always) = (vec![Vec::new(); net.places.len()], Vec::new());
        for (t, transition) in (0u32..).map(TransitionId).zip(&net.transitions) {
            match transition.inputs.iter().map(|a| a.place.index()).min_by_key(|&p| consumers[p]) {
                Some(p) => at_place[p].push(t),
                None => always.push(t),
            }
        }
        let mut table = MarkingTable {
            scaled,
            ids: FxHashMap::default(),
            markings: Vec::new(),
            successors: Vec::new(),
            invariants: Vec::new(),
            shared: FxHashMap::default(),
            is_timed,
            at_place,
            always,
            limits: limits.clone(),
            bytes: 0,
        };
        table.intern(&marked(&scaled.net.initial_marking()))?;
        Ok(table)
    }

    /// The net.
    pub fn scaled(&self) -> &'s Scaled<'n> {
        self.scaled
    }

    /// An estimate of the bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Number of markings seen.
    pub fn len(&self) -> usize {
        self.markings.len()
    }

    /// Never: the initial marking is there.
    pub fn is_empty(&self) -> bool {
        self.markings.is_empty()
    }

    /// The tokens of a marking, by place.
    pub fn tokens(&self, m: MarkingId) -> Box<[u32]> {
        tokens(self.marked(m), self.scaled.net.places.len())
    }

    /// The marked places of a marking, in order, with their tokens.
    pub fn marked(&self, m: MarkingId) -> &[(u32, u32)] {
        &self.markings[m as usize]
    }

    /// The number of a marking, if it was seen.
    pub fn find(&self, tokens: &[u32]) -> Option<MarkingId> {
        self.ids.get(marked(tokens).as_slice()).copied()
    }

    /// The boxes of the invariant of a marking.
    pub fn invariant(&self, m: MarkingId) -> &Arc<[ClockBox]> {
        &self.invariants[m as usize]
    }

    /// The transitions that have their tokens, and where they lead.
    pub fn successors(&mut self, m: MarkingId) -> Result<Arc<[Successor]>, ExploreError> {
        if let Some(known) = &self.successors[m as usize] {
            return Ok(Arc::clone(known));
        }
        let net = self.scaled.net;
        let marked = Arc::clone(&self.markings[m as usize]);
        let there = marked.iter().flat_map(|&(place, _)| &self.at_place[place as usize]);
        let is_enabled = |t: &TransitionId| is_enabled(&net.transitions[t.index()], &marked);
        let mut enabled: Vec<TransitionId> = there.chain(&self.always).copied().filter(is_enabled).collect();
        enabled.sort_unstable();
        let mut list = Vec::with_capacity(enabled.len());
        for t in enabled {
            let transition = &net.transitions[t.index()];
            let next = fired(transition, &marked).ok_or_else(|| ExploreError::Tokens(transition.id.clone()))?;
            list.push((t, self.intern(&next)?));
        }
        self.bytes += size_of::<Successor>() * list.len();
        let list: Arc<[Successor]> = list.into();
        self.successors[m as usize] = Some(Arc::clone(&list));
        Ok(list)
    }

    /// Numbers every marking that is reachable without time.
    pub fn explore(&mut self) -> Result<(), ExploreError> {
        let mut m = 0;
        while (m as usize) < self.len() {
            self.successors(m)?;
            m += 1;
        }
        Ok(())
    }

    /// The same, for a marking that was asked for before; nothing for others.
    pub fn known_successors(&self, m: MarkingId) -> &[Successor] {
        self.successors[m as usize].as_deref().unwrap_or(&[])
    }

    fn intern(&mut self, of: &[(u32, u32)]) -> Result<MarkingId, ExploreError> {
        if let Some(&m) = self.ids.get(of) {
            return Ok(m);
        }
        if self.markings.len() >= self.limits.markings.min(MarkingId::MAX as usize) {
            return Err(ExploreError::Markings(self.limits.markings));
        }
        if self.markings.len().is_multiple_of(CHECK) {
            self.limits.check(self.bytes)?;
        }
        let key: Vec<u32> = of.iter().map(|&(place, _)| place).filter(|&p| self.is_timed[p as usize]).collect();
        let invariant = match self.shared.entry(key) {
            Entry::Occupied(known) => Arc::clone(known.get()),
            Entry::Vacant(slot) => {
                let boxes = self.scaled.invariant_of(slot.key().iter().map(|&place| place as usize));
                let net = self.scaled.net;
                let text = || net.marking_text(&tokens(of, net.places.len()));
                let boxes = boxes.ok_or_else(|| ExploreError::Alternatives(text()))?;
                Arc::clone(slot.insert(boxes.into()))
            }
        };
        // Nothing fails from here on, so that a marking has its invariant.
        self.bytes += size_of_val(of) + MARKING;
        let m = self.markings.len() as MarkingId;
        let marked: Marked = of.into();
        self.ids.insert(Arc::clone(&marked), m);
        self.markings.push(marked);
        self.successors.push(None);
        self.invariants.push(invariant);
        Ok(m)
    }
}

/// The marked places of a marking.
fn marked(tokens: &[u32]) -> Vec<(u32, u32)> {
    (0..).zip(tokens.iter().copied()).filter(|&(_, held)| held > 0).collect()
}

/// The tokens of a marking, by place.
fn tokens(marked: &[(u32, u32)], places: usize) -> Box<[u32]> {
    let mut tokens = vec![0; places];
    marked.iter().for_each(|&(place, held)| tokens[place as usize] = held);
    tokens.into()
}

/// Has a transition its tokens?
fn is_enabled(transition: &Transition, marked: &[(u32, u32)]) -> bool {
    let held = |place: u32| marked.binary_search_by_key(&place, |&(p, _)| p).map_or(0, |at| marked[at].1);
    transition.inputs.iter().all(|arc| held(arc.place.0) >= arc.weight)
}

/// The marking after a transition that has its tokens; nothing if a count leaves 32 bits.
fn fired(transition: &Transition, marked: &[(u32, u32)]) -> Option<Vec<(u32, u32)>> {
    let mut next = marked.to_vec();
    let find = |next: &[(u32, u32)], place: u32| next.binary_search_by_key(&place, |&(p, _)| p);
    for arc in transition.inputs.iter().filter(|arc| arc.weight > 0) {
        let held = &mut next[find(marked, arc.place.0).ok()?].1;
        *held = held.checked_sub(arc.weight)?;
    }
    for arc in transition.outputs.iter().filter(|arc| arc.weight > 0) {
        match find(&next, arc.place.0) {
            Ok(at) => next[at].1 = next[at].1.checked_add(arc.weight)?,
            Err(at) => next.insert(at, (arc.place.0, arc.weight)),
        }
    }
    next.retain(|&(_, held)| held > 0);
    Some(next)
}

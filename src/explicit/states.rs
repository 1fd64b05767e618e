//! The states of one search, in its current encoding.
//!
//! A search holds state numbers and rules only. When a firing meets a value that the layout cannot hold,
//! [`States::grow`] takes a grown space and encodes all states anew under their old numbers; rules keep their
//! numbers, too. The search reads its current state again and repeats the firing.

use super::layout::Layout;
use super::packed_model::{Action, Fired, PackedModel, Rule};
use super::store::{Batch, Inserted, Packing, StateId, Store};
use crate::budget::{Budget, Exhausted};
use crate::model::{State, Step};
use crate::stop_reason::StopReason;
use std::ops::Range;
use std::sync::Arc;

/// States between two looks at the budget.
const CHECK_EVERY: u32 = 4096;

/// Products, which keep something beside each state, are searched one by one: packed densely, that would take longer than before there
/// were trees.
fn packing(extra: u32) -> Packing {
    if extra > 0 { Packing::Quick } else { Packing::Dense }
}

/// The states of one search.
#[derive(Debug)]
pub(super) struct States<S: PackedModel> {
    space: Arc<S>,
    /// The space's, with the extra field.
    layout: Layout,
    store: Store,
    scratch: S::Scratch,
    extra: u32,
    memory: u64,
    growths: u32,
}

impl<S: PackedModel> States<S> {
    /// No states yet. `extra` bits are kept beside each.
    pub(super) fn new(space: Arc<S>, extra: u32, budget: &Budget) -> Self {
        let layout = space.layout().with_extra(extra);
        let memory = budget.memory().unwrap_or(u64::MAX);
        let store = Store::new(layout.bits(), packing(extra), memory);
        States { space, layout, store, scratch: S::Scratch::default(), extra, memory, growths: 0 }
    }

    /// The space in its current encoding.
    #[inline]
    pub(super) fn space(&self) -> &S {
        &self.space
    }

    /// The same, to be kept.
    pub(super) fn shared(&self) -> &Arc<S> {
        &self.space
    }

    /// The current layout, with the extra field; it changes when the encoding grows.
    #[inline]
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The states found so far.
    #[inline]
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// The same, to be changed.
    #[inline]
    pub(super) fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }

    /// How often the encoding grew.
    pub(super) fn growths(&self) -> u32 {
        self.growths
    }

    /// The initial state, with 0 in the extra field; if there are several, the first.
    pub(super) fn initial(&self) -> Vec<u64> {
        let mut words = vec![0; self.layout.words()];
        let fits = self.layout.encode(self.space.system().initial().as_slice(), &mut words);
        debug_assert!(fits);
        words
    }

    /// All initial states.
    pub(super) fn initial_states(&self) -> Vec<Vec<u64>> {
        let all = self.space.system().initial_states();
        all.iter().filter_map(|state| self.packed(state)).collect()
    }

    /// Any state, with 0 in the extra field; `None` if the current layout cannot represent it.
    pub(super) fn packed(&self, state: &State) -> Option<Vec<u64>> {
        let mut words = vec![0; self.layout.words()];
        let known = state.as_slice().len() == self.layout.slots().len();
        (known && self.layout.encode(state.as_slice(), &mut words)).then_some(words)
    }

    /// The values of a state.
    pub(super) fn unpacked(&self, words: &[u64]) -> State {
        let mut values = Vec::new();
        self.layout.decode(words, &mut values);
        State::new(values)
    }

    /// Read a stored state into `words`.
    #[inline]
    pub(super) fn read(&self, id: StateId, words: &mut Vec<u64>) {
        words.resize(self.layout.words(), 0);
        self.store.get(id, &mut words[..self.layout.key_words()]);
        self.layout.complete(words);
    }

    /// Read a stored state, whose successors are added to a batch next.
    #[inline]
    pub(super) fn begin(&self, id: StateId, words: &mut [u64], batch: &mut Batch) {
        self.store.begin(id, &mut words[..self.layout.key_words()], batch);
        self.layout.complete(words);
    }

    /// Read a stored state into `words` and make it the current one, whose successors are inserted next.
    #[inline]
    pub(super) fn load(&mut self, id: StateId, words: &mut Vec<u64>) -> Result<(), StopReason> {
        words.resize(self.layout.words(), 0);
        self.store.take_up(id, &mut words[..self.layout.key_words()]);
        self.layout.complete(words);
        self.space.enter(&mut self.scratch, words)
    }

    /// Make `words` the current state.
    #[inline]
    pub(super) fn enter(&mut self, words: &[u64]) -> Result<(), StopReason> {
        self.space.enter(&mut self.scratch, words)
    }

    /// Enumerate the enabled rules of the current state from `from` on.
    #[inline]
    pub(super) fn cursor(&self, words: &[u64], from: Rule) -> S::Cursor {
        self.space.cursor(&self.scratch, words, from)
    }

    /// The next enabled rule of the current state.
    #[inline]
    pub(super) fn next(&self, words: &[u64], cursor: &mut S::Cursor) -> Option<Rule> {
        self.space.next(&self.scratch, words, cursor)
    }

    /// Fire an enabled rule of the current state `words` into `next`.
    #[inline]
    pub(super) fn fire(&self, words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired {
        self.space.fire(&self.scratch, words, rule, next)
    }

    /// The action of a rule.
    #[inline]
    pub(super) fn action(&self, rule: Rule) -> Action {
        self.space.action(rule)
    }

    /// Add a state to the store.
    #[inline]
    pub(super) fn insert(&mut self, words: &[u64]) -> Result<Inserted, Exhausted> {
        self.store.insert(words)
    }

    /// The number of a state with 0 in the extra field, if it has been found.
    pub(super) fn find(&self, state: &State) -> Option<StateId> {
        let mut words = vec![0; self.layout.words()];
        let fits = self.layout.encode(state.as_slice(), &mut words);
        let id = self.store.find(&words).filter(|_| fits)?;
        // What the store does not hold, the others imply.
        self.read(id, &mut words);
        (self.unpacked(&words) == *state).then_some(id)
    }

    /// The first step that leads from one stored state to another.
    pub(super) fn step(&self, from: StateId, to: StateId) -> Result<Option<Step>, StopReason> {
        let (space, mut scratch) = (&*self.space, S::Scratch::default());
        let (mut words, mut next) = (Vec::new(), Vec::new());
        self.read(from, &mut words);
        space.enter(&mut scratch, &words)?;
        let mut cursor = space.cursor(&scratch, &words, 0);
        while let Some(rule) = space.next(&scratch, &words, &mut cursor) {
            if space.fire(&scratch, &words, rule, &mut next) == Fired::Done && self.store.find(&next) == Some(to) {
                return Ok(Some(space.step(rule)));
            }
        }
        Ok(None)
    }

    /// Make room for the result of firing `rule` in the stored state `id`.
    pub(super) fn grow(&mut self, id: StateId, rule: Rule, budget: &Budget) -> Result<(), StopReason> {
        self.grow_these(std::slice::from_ref(&(0..self.store.len())), id, rule, budget)
    }

    /// The same where only the numbers in these ranges, in order, are of states; they get the numbers from 0 on.
    pub(super) fn grow_these(
        &mut self,
        used: &[Range<StateId>],
        id: StateId,
        rule: Rule,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        self.grow_numbered(used, None, id, rule, budget)
    }

    /// The same, but states keep their numbers. All numbers that are handed out now stay so.
    pub(super) fn grow_in_place(
        &mut self,
        used: &[Range<StateId>],
        id: StateId,
        rule: Rule,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        self.grow_numbered(used, Some(self.store.len()), id, rule, budget)
    }

    /// States keep their numbers if there is an end of those that are handed out.
    fn grow_numbered(
        &mut self,
        used: &[Range<StateId>],
        end: Option<StateId>,
        id: StateId,
        rule: Rule,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let (mut words, mut values) = (Vec::new(), Vec::new());
        let mut most = vec![0; self.layout.slots().len()];
        for id in used.iter().cloned().flatten() {
            if id.is_multiple_of(CHECK_EVERY) {
                budget.check()?;
            }
            self.read(id, &mut words);
            self.layout.decode(&words, &mut values);
            most.iter_mut().zip(&values).for_each(|(most, &n)| *most = n.max(*most));
        }
        self.load(id, &mut words)?;
        let space = Arc::new(self.space.grown(&self.scratch, &words, rule, &most)?);
        let layout = space.layout().with_extra(self.extra);
        // Both stores exist for a while.
        let rest = self.memory.saturating_sub(self.store.bytes());
        let mut store = Store::new(layout.bits(), packing(self.extra), rest);
        let mut key = vec![0; layout.words()];
        for range in used {
            if end.is_some() {
                store.skip_to(range.start)?;
            }
            for id in range.clone() {
                if id.is_multiple_of(CHECK_EVERY) {
                    budget.check()?;
                }
                self.read(id, &mut words);
                self.layout.recode(&words, &layout, &mut values, &mut key);
                store.insert(&key)?;
            }
        }
        if let Some(end) = end {
            store.skip_to(end)?;
        }
        store.set_limit(self.memory);
        (self.space, self.layout, self.store) = (space, layout, store);
        self.growths += 1;
        Ok(())
    }
}

//! What the searches need of a packed transition system.
//!
//! A search holds state numbers and *rules*: the steps in the fixed order in which they are tried. A packed state is
//! a vector of words with an extra field for the automaton's location. Two models have such a space, nets
//! ([`super::system`]) and networks of transition systems ([`super::synchronised`]); everything else is written once, over this
//! trait, and compiled for each of them.
//!
//! Rules that formulas do not tell apart are one *action*: of a net each transition, of a network all steps with the
//! same label.

use super::Stopped;
use super::layout::Layout;
use super::program::Rule;
use super::store::{Inserted, StateId, Store};
use super::system::System;
use crate::budget::{Budget, Exhausted};
use crate::lts::Model;
use crate::net::{Marking, PlaceId, TransitionId};

/// Index of what formulas call a transition or a label, in an order of the space's own.
pub(super) type Action = u32;

/// The result of firing a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fired {
    /// The successor is in the buffer.
    Done,
    /// The layout cannot represent the successor: grow, and try again.
    Misfit,
}

/// A packed transition system with the store of the states found so far.
pub(super) trait Space {
    /// An enumeration of the enabled rules of one state that can be resumed after any rule.
    type Cursor: Copy;

    /// What it is the space of.
    fn model(&self) -> Model<'_>;
    /// The states found so far.
    fn store(&self) -> &Store;
    /// The same, to be changed.
    fn store_mut(&mut self) -> &mut Store;
    /// The current layout; it changes when the encoding grows.
    fn layout(&self) -> &Layout;
    /// How often the encoding grew.
    fn growths(&self) -> u32;

    /// Number of rules.
    fn rules(&self) -> Rule;
    /// The step of a rule.
    fn step(&self, rule: Rule) -> TransitionId;
    /// The action of a rule.
    fn action(&self, rule: Rule) -> Action;
    /// The transition or label of an action.
    fn label(&self, action: Action) -> TransitionId;
    /// The action of a transition or label, if there is one.
    fn action_of(&self, label: TransitionId) -> Option<Action>;
    /// The variables that decide whether an action is enabled.
    fn reads(&self, action: Action) -> Vec<PlaceId>;
    /// May an action change one of `these` variables?
    fn changes(&self, action: Action, these: &dyn Fn(PlaceId) -> bool) -> bool;

    /// Read a stored state into `words` and make it the current one.
    fn load(&mut self, id: StateId, words: &mut Vec<u64>);
    /// Make `words` the current state.
    fn make_current(&mut self, words: &[u64]);
    /// Enumerate the enabled rules of the current state from `from` on.
    fn cursor(&self, words: &[u64], from: Rule) -> Self::Cursor;
    /// The next enabled rule of the current state.
    fn next(&self, words: &[u64], cursor: &mut Self::Cursor) -> Option<Rule>;
    /// Fire an enabled rule of the current state `words` into `next`.
    fn fire(&self, words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired;
    /// Is an action enabled in any given state?
    fn is_enabled(&self, words: &[u64], action: Action) -> bool;
    /// Is no action enabled in the given state?
    fn is_deadlock(&self, words: &[u64]) -> bool;
    /// How many rules are enabled in any given state?
    fn count_enabled(&self, words: &[u64]) -> u64;
    /// How much an action lacks to be enabled: of a transition tokens, and those that inhibit it; of a label, participants.
    fn lacking(&self, words: &[u64], action: Action) -> u64;
    /// Make room for the result of firing `rule` in the stored state `id`.
    fn grow(&mut self, id: StateId, rule: Rule, budget: &Budget) -> Result<(), Stopped>;

    /// The space of a net, if it is one: for stubborn sets, which are computed from its arcs.
    fn as_net(&self) -> Option<&System<'_>>;

    /// Number of actions.
    fn actions(&self) -> u32 {
        self.model().labels() as u32
    }

    /// The initial state, with 0 in the extra field. The first layout always fits it.
    fn initial(&self) -> Vec<u64> {
        let mut words = vec![0; self.layout().words()];
        let fits = self.layout().encode(self.model().initial().as_slice(), &mut words);
        debug_assert!(fits);
        words
    }

    /// Add a state to the store.
    #[inline]
    fn insert(&mut self, words: &[u64]) -> Result<Inserted, Exhausted> {
        self.store_mut().insert(words)
    }

    /// The marking of a state.
    fn marking(&self, words: &[u64]) -> Marking {
        let mut tokens = Vec::new();
        self.layout().decode(words, &mut tokens);
        Marking::new(tokens)
    }
}

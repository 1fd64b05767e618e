//! The interface of the searches to a packed transition system: the seam at which a kind of model meets this engine.
//!
//! A [`PackedModel`] is a model compiled for packed states: immutable, without any state that was found, and so shared
//! by all searches. What one search owns is in [`super::states`]. Everything else of the engine is written once, over
//! this trait, and compiled for each kind of space.
//!
//! A packed state is a slice of words: a working copy, as long as some `PackedModel::layout().with_extra(n)` says, with
//! the fields of [`PackedModel::layout`]. The extra field is the search's: a space neither reads it nor has to keep it.
//!
//! A search holds state numbers and *rules*, which number the ways in which a state can change. Rules that formulas do
//! not tell apart are one *action*: of a net each transition, of a network all steps with the same label.
//!
//! **Rules** are numbers below [`Rule::MAX`] that are enumerated in increasing order in every state. They are
//! not counted beforehand and need not be dense: a model whose actions have successors that nobody knows before asking
//! takes the high bits for the action and the low ones for the choice. But what a rule is a step of
//! ([`PackedModel::step`], [`PackedModel::action`]) is known from its number, and the same rule fired in the same state
//! always leads to the same state, whatever the layout.
//!
//! **The current state.** A search enters a state ([`PackedModel::enter`]) before it enumerates its rules and fires
//! them. That is where successors are asked for that are not computed one at a time; asking may fail, firing no more;
//! they are kept in the search's [`PackedModel::Scratch`]. A space that works on the words alone has no scratch.
//!
//! **Growing.** A layout may be a guess. When a firing does not fit ([`Fired::Misfit`]), the search asks for a space
//! with a layout that fits ([`PackedModel::grown`]), encodes what it has stored anew, and goes on. A firing that has no
//! result at all is reported in the same way: then `grown` says why. Values that are numbered while the model is
//! explored are fields that grow.

use super::layout::Layout;
use crate::model::{ActionId, LabelId, Standstill, State, Step, TransitionSystem, VariableId};
use crate::stop_reason::StopReason;
use std::fmt::Debug;

/// A way in which a state can change: the order of these numbers is that in which a search tries them.
pub(crate) type Rule = u32;

/// Index of what formulas call an action, in an order of the space's own, from 0 on.
pub(crate) type Action = u32;

/// The result of firing a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fired {
    /// The successor is in the buffer.
    Done,
    /// The layout cannot represent the successor: grow, and try again.
    Misfit,
}

/// A model compiled for packed states; see the module documentation.
pub(crate) trait PackedModel: Debug + Send + Sync + Sized {
    /// An enumeration of the enabled rules of one state that can be resumed after any rule.
    type Cursor: Copy;
    /// The memory of a search about its current state, beside its words.
    type Scratch: Debug + Default + Send + Sync;
    /// The reducer, which finds rules that suffice; [`NoReduction`] if there is none.
    type Reducer: Reducer<Self>;

    /// The model.
    fn system(&self) -> &dyn TransitionSystem;
    /// Where variables are in a state, with an extra field of no bits. It fits the initial states.
    fn layout(&self) -> &Layout;
    /// The same space, with the same rules, in a layout that fits all that this one does and the result of firing
    /// `rule` in the current state, too. `most` is the largest value of each variable in the states stored so far: a
    /// hint.
    ///
    /// # Errors
    /// When there is no such layout, or no such result.
    fn grown(&self, scratch: &Self::Scratch, words: &[u64], rule: Rule, most: &[u64]) -> Result<Self, StopReason>;

    /// The step of a rule.
    fn step(&self, rule: Rule) -> Step;
    /// The action of a rule.
    fn action(&self, rule: Rule) -> Action;
    /// The identifier of an action in formulas.
    fn id(&self, action: Action) -> ActionId;
    /// The action that formulas call so, if there is one.
    fn action_of(&self, id: ActionId) -> Option<Action>;
    /// The variables that decide whether an action is enabled, at least.
    fn reads(&self, action: Action) -> Vec<VariableId> {
        self.system().row(self.id(action)).reads
    }
    /// May an action change one of `these` variables?
    fn changes(&self, action: Action, these: &dyn Fn(VariableId) -> bool) -> bool {
        self.system().row(self.id(action)).writes.into_iter().any(these)
    }

    /// Make `words` the current state.
    ///
    /// # Errors
    /// When the model does not tell its successors.
    #[inline]
    fn enter(&self, _scratch: &mut Self::Scratch, _words: &[u64]) -> Result<(), StopReason> {
        Ok(())
    }
    /// Enumerate the enabled rules of the current state from `from` on.
    fn cursor(&self, scratch: &Self::Scratch, words: &[u64], from: Rule) -> Self::Cursor;
    /// The next enabled rule of the current state.
    fn next(&self, scratch: &Self::Scratch, words: &[u64], cursor: &mut Self::Cursor) -> Option<Rule>;
    /// Fire an enabled rule of the current state `words` into `next`, which becomes as long.
    fn fire(&self, scratch: &Self::Scratch, words: &[u64], rule: Rule, next: &mut Vec<u64>) -> Fired;

    /// Is an action enabled in any given state?
    ///
    /// # Errors
    /// When the model does not tell.
    fn is_enabled(&self, words: &[u64], action: Action) -> Result<bool, StopReason>;
    /// Is no action enabled in any given state?
    ///
    /// # Errors
    /// When the model does not tell.
    fn is_deadlock(&self, words: &[u64]) -> Result<bool, StopReason>;
    /// Does a state label hold in any given state?
    ///
    /// # Errors
    /// When the model does not tell.
    fn label(&self, _words: &[u64], _label: LabelId) -> Result<bool, StopReason> {
        Err(StopReason::Unsupported("the model has no state labels"))
    }
    /// Does any given state stand still?
    ///
    /// # Errors
    /// When the model does not tell.
    fn stands_still(&self, words: &[u64], _how: Standstill) -> Result<bool, StopReason> {
        self.is_deadlock(words)
    }
    /// Where states stand for others: the one that is kept for `state`, and for each of its variables that of `state`
    /// whose value it has. `None` where each state stands for itself alone.
    fn kept(&self, _state: &State) -> Option<(State, Vec<VariableId>)> {
        None
    }
    /// Where states stand for others: may a step with one of these actions stand for one with the other? Not if formulas
    /// tell them apart.
    fn are_alike(&self, _one: ActionId, _other: ActionId) -> bool {
        true
    }
    /// How many states of the system a given state stands for; `None` if that is beyond 128 bits.
    #[inline]
    fn stands_for(&self, _words: &[u64]) -> Option<u128> {
        Some(1)
    }
    /// How much an action that is not enabled in a given state lacks: at least 1. A guess, by which searches are
    /// ordered.
    fn lacking(&self, _words: &[u64], _action: Action) -> u64 {
        1
    }
    /// How much has to happen until no action is enabled in a given state, in which some is: at least 1. A guess.
    fn alive(&self, _words: &[u64]) -> u64 {
        1
    }

    /// The reducer, if there is one, for a question that can see the `visible` actions.
    fn reducer(&self, visible: &dyn Fn(Action) -> bool) -> Option<Self::Reducer>;
}

/// Something that must happen on each way to a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// A rule of this action is fired, or becomes enabled.
    Action(Action),
    /// The value of this variable goes up.
    Up(VariableId),
    /// It goes down.
    Down(VariableId),
}

/// Finds rules that are enough to fire in a state: stubborn sets, or whatever else has these properties.
pub(crate) trait Reducer<S>: Debug + Send {
    /// Some of the enabled rules of a state, in increasing order, at least one; `None` if all have to be fired. Where
    /// only these are fired,
    /// - every reachable deadlock is still reached;
    /// - every run that is infinite or ends in a deadlock has one like it up to the repetition of states that visible
    ///   actions do not tell apart, if besides everything is fired in some state of each cycle. (None of the rules
    ///   has a visible action.)
    fn reduce(&mut self, space: &S, words: &[u64]) -> Option<&[Rule]>;

    /// The rules that [`Reducer::reduce`] has found in this state, or those that it would find if it did not give up
    /// sooner: what is found depends on the state alone, even if another reducer of the same space, in another layout,
    /// has found it.
    fn reduce_again(&mut self, space: &S, words: &[u64]) -> Option<&[Rule]>;

    /// As [`Reducer::reduce`] for the question whether some state is reachable, given events one of which happens on
    /// each way there: if there is a way, then one that begins with one of the rules. There may be none; `None` if all
    /// have to be fired.
    fn towards(&mut self, space: &S, words: &[u64], events: &[Event]) -> Option<&[Rule]>;

    /// Add events of which one happens before an action that is enabled is so no more.
    fn disabling(space: &S, action: Action, events: &mut Vec<Event>);
}

/// The reducer of spaces that have none. There is no value of this type.
#[derive(Debug)]
pub(crate) enum NoReduction {}

impl<S> Reducer<S> for NoReduction {
    fn reduce(&mut self, _: &S, _: &[u64]) -> Option<&[Rule]> {
        match *self {}
    }

    fn reduce_again(&mut self, _: &S, _: &[u64]) -> Option<&[Rule]> {
        match *self {}
    }

    fn towards(&mut self, _: &S, _: &[u64], _: &[Event]) -> Option<&[Rule]> {
        match *self {}
    }

    fn disabling(_: &S, _: Action, _: &mut Vec<Event>) {}
}

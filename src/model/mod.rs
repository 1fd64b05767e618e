//! Models of all kinds: variables, states, actions, steps, paths.
//!
//! A [`TransitionSystem`] has *variables*, each with a name and a value; a [`State`] is one value per variable. An
//! *action* is what formulas name: a transition of a net, a label of a network. In a state an action may be taken in
//! several ways, which are told apart by a choice; a [`Step`] is an action with its choice, and leads from one
//! state to at most one other. A [`Path`] is what engines find and witnesses show.
//!
//! This module knows no engine and no kind of model. Engines do not work on this trait, which is written for clarity
//! and for replay: the symbolic engine sees a model as a [`crate::relation::Relation`], the explicit one as a
//! packed space (`explicit`), and [`crate::kinds::Kind`] says how to get them.

mod path;
mod state_set;
mod system;

pub use path::{Path, Then};
pub use state_set::{Branching, StateSet};
pub(crate) use system::indefinite;
pub use system::{Aside, Input, Row, Terms, TransitionSystem, Vocabulary};

/// Index of a variable in its model: of a place in its net, of a component in its network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(pub u32);

/// Index of an action in its model: of a transition in its net, of a label in its network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ActionId(pub u32);

/// Index of a state label in its model: of a condition on states that the model itself can tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelId(pub u32);

/// Variables and actions that belong together: the instances of each place and transition of a coloured net. Questions
/// about all variables or actions (is every transition live?) speak of groups.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Groups {
    /// Groups of variables whose values are added up.
    pub variables: Vec<Vec<VariableId>>,
    /// Groups of actions of which one is enough.
    pub actions: Vec<Vec<ActionId>>,
}

impl Groups {
    /// Every variable and every action for itself.
    pub fn single(model: &dyn TransitionSystem) -> Self {
        Groups {
            variables: model.variable_ids().map(|variable| vec![variable]).collect(),
            actions: model.action_ids().map(|action| vec![action]).collect(),
        }
    }
}

impl VariableId {
    /// The index as `usize`, for indexing slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ActionId {
    /// The index as `usize`, for indexing slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl LabelId {
    /// The index as `usize`, for indexing slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An action and, where a state allows it in several ways, which of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The action.
    pub action: ActionId,
    /// In which of the ways that there are; 0 where there is one.
    pub choice: u32,
}

impl From<ActionId> for Step {
    /// The only way, or the first.
    fn from(action: ActionId) -> Self {
        Step { action, choice: 0 }
    }
}

/// How a state stands still, where time passes by an action of its own ([`TransitionSystem::tick`]), which is no deed.
/// Where time is nothing of its own, both are that no step is possible.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Standstill {
    /// However much time passes, no other action is possible any more.
    Deadlock,
    /// The same, and time stops, too.
    Timelock,
}

/// The relation between the numbers that people write of a variable and its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Values per unit.
    pub parts: u64,
    /// The greatest value that is distinguished from greater ones.
    pub most: u64,
}

/// A state: the value of every variable, indexed by [`VariableId`]. Of a net it is a marking.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State(Vec<u64>);

impl State {
    /// A state from one value per variable, in their order.
    pub fn new(values: Vec<u64>) -> Self {
        State(values)
    }
    /// The value of a variable; of a net, the tokens in a place.
    pub fn value(&self, variable: VariableId) -> u64 {
        self.0[variable.index()]
    }
    /// The values of all variables, to be changed.
    pub(crate) fn values_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
    /// The values of all variables, in their order.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }
}

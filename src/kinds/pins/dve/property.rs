//! The property process as a Büchi automaton over the states of the system.
//!
//! `system async property P` says that P watches the system: P is no part of the system's state, and each of its
//! transitions has a guard over that state. The automaton *rejects* behaviour: the property holds if no run of the
//! product passes accepting states of P infinitely often.
//!
//! **Synchronisation**, as DiVinE 2 has it. From (s, p) there is a step to (s′, p′) for each step s → s′ of the
//! system and each transition p → p′ of P whose guard holds **in s**, the state that is left: the automaton reads the
//! word s₀ s₁ s₂ … of states, each one on the way out, starting from (s₀, initial). If s has no step in the system (a
//! committed state that is stuck included), P moves alone, with its guard in s: to (s, p′). In other words a deadlock
//! is a state that repeats for ever. If P has no transition there is no step, and the run has been accepted as
//! harmless. Whether a state accepts is said of P's states, not of transitions.
//!
//! Each different guard is a state label of the model, so that the product needs nothing but the interface.

/// The automaton of a property process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// The name of the process.
    pub name: String,
    /// The names of its states.
    pub states: Vec<String>,
    /// The initial state.
    pub initial: usize,
    /// The accepting states, sorted. Without any the property holds.
    pub accepting: Vec<usize>,
    /// Transitions, in their order.
    pub edges: Vec<PropertyEdge>,
}

/// A transition of a property process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyEdge {
    /// From this state …
    pub from: usize,
    /// … to this one …
    pub to: usize,
    /// … if this state label holds in the state that the system leaves; always, if there is none.
    pub guard: Option<usize>,
}

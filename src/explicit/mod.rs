//! Explicit-state search on packed markings: reachability, deadlocks, and LTL on the fly.
//!
//! This engine shares only `net/`, `lts/`, `formula/`, `automaton/` and `structure/` with the symbolic one, so that
//! the agreement of the two is evidence. It answers where diagrams blow up, and quickly where a small part of
//! the state space decides. It implements three ideas of EnPAC (He, Wang & Ding 2023) and carries each of them
//! further; [`Options`] switches each off, so that its gain can be measured:
//!
//! * **DRW** (`layout`, `program`): guards and firings read and write bit-packed words.
//! * **DYN** (`program`): enabled transitions are enumerated one at a time and never stored.
//! * **HBA** (`ltl`): the search follows automaton edges nearest to acceptance first.
//!
//! The searches are written over packed transition systems (`space`); nets (`system`) and networks of transition systems
//! (`synchronised`) have one each, for which the searches are compiled.
//!
//! [`check_ltl`] decides LTL formulas; [`find_accepting_run`] is its product with any automaton. [`explore()`]
//! visits all reachable markings; [`find_deadlock`] and [`find`] search for one marking and return a [`Trace`].
//! [`check_ctl`] decides CTL formulas by as few markings as it can; [`Labelling`] keeps the whole reachability graph and computes sat-sets of CTL formulas on it.

mod atoms;
mod bounds;
mod buchi;
mod emptiness;
#[cfg(test)]
mod emptiness_tests;
mod explore;
mod fixpoints;
mod graph;
mod labelling;
#[cfg(test)]
mod labelling_tests;
mod layout;
mod local;
mod ltl;
#[cfg(test)]
mod ltl_tests;
mod program;
mod space;
mod store;
mod stubborn;
mod survey;
mod synchronised;
#[cfg(test)]
mod synchronised_tests;
mod system;
#[cfg(test)]
mod tests;

pub use emptiness::{Emptiness, Lasso, Product, find_accepting_run};
pub use explore::{Exploration, Found, Trace, View, explore, find, find_deadlock};
pub(crate) use labelling::Onward;
pub use labelling::{AllLabels, Labelling, Labels};
pub use local::{Attempt, Decided, check_ctl};
pub use ltl::{Verdict, check_ltl};

use crate::budget::Exhausted;

/// Switches of the explicit engine. The default has everything on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Direct read and write: guards and firings work on packed words. Off: every state is decoded when it is
    /// taken up and encoded when it is reached.
    pub drw: bool,
    /// Dynamic fireset: enabled transitions are enumerated one at a time. Off: each stack frame stores them.
    pub dynamic_fireset: bool,
    /// Heuristic Büchi: automaton edges nearest to acceptance first. Off: edges as they come.
    pub heuristic_buchi: bool,
    /// Stubborn sets, where the property allows them.
    pub stubborn: bool,
    /// Unit codes for the units of a NUPN.
    pub nupn: bool,
    /// P-semiflows: unit codes for places that share a token, bounds of counters, places left out of the store.
    pub invariants: bool,
    /// Return a run that shows why, where there is one.
    pub witness: bool,
    /// Depth-first instead of breadth-first reachability.
    pub depth_first: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            drw: true,
            dynamic_fireset: true,
            heuristic_buchi: true,
            stubborn: true,
            nupn: true,
            invariants: true,
            witness: false,
            depth_first: false,
        }
    }
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Stopped {
    /// The budget was used up.
    #[error(transparent)]
    Budget(#[from] Exhausted),
    /// A reachable place exceeds 2^64-1 tokens.
    #[error("a place holds more than 2^64-1 tokens")]
    TooManyTokens,
    /// A division by zero in an atom.
    #[error("division by zero in an atom")]
    DivisionByZero,
    /// A value in an atom leaves the range of 128-bit integers.
    #[error("a value in an atom exceeds 128 bits")]
    Arithmetic,
    /// Something this engine does not do.
    #[error("the explicit engine does not support {0}")]
    Unsupported(&'static str),
}

/// What a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// States stored.
    pub states: u64,
    /// Firings: states generated, new or not.
    pub firings: u64,
    /// Bytes in use at the end.
    pub bytes: u64,
    /// Bits of a packed state.
    pub bits_per_state: u32,
    /// How often the encoding had to grow.
    pub growths: u32,
}

impl Stats {
    /// Add the effort of another search; of sizes, keep the larger.
    fn add(&mut self, other: &Stats) {
        self.states += other.states;
        self.firings += other.firings;
        self.bytes = self.bytes.max(other.bytes);
        self.bits_per_state = self.bits_per_state.max(other.bits_per_state);
        self.growths += other.growths;
    }
}

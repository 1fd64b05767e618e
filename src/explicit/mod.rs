//! Explicit-state search on packed states: reachability, deadlocks, CTL, and LTL on the fly.
//!
//! This engine shares only `model/`, `formula/` and `automaton/` with the symbolic one, so that
//! the agreement of the two is evidence. It answers where diagrams blow up, and quickly where a small part of
//! the state space decides. It implements three ideas of EnPAC (He, Wang & Ding 2023) and carries each of them
//! further; [`Encoding`] and [`Options`] switch each off, so that its gain can be measured:
//!
//! * **DRW** (`layout`; of nets `kinds::net::packed`): guards and firings read and write bit-packed words.
//! * **DYN** (`space`): enabled rules are enumerated one at a time and never stored.
//! * **HBA** (`ltl`): the search follows automaton edges nearest to acceptance first.
//!
//! A search for runs can be *guided* ([`Options::guided`]): of the enabled rules it fires first the one nearest to what
//! the automaton waits for.
//!
//! It knows no kind of model. A kind compiles a model to a packed transition system, a `PackedModel`, once
//! ([`crate::kinds::Kind::compile`]); the searches are written over spaces and compiled for each kind, and are behind
//! [`Explicit`], which has one call for a whole search. What is compiled is immutable and shared; what one search finds
//! is its own (`states`).
//!
//! [`Explicit::explore`] visits all reachable states; [`Explicit::find`] and [`Explicit::find_deadlock`] search for one
//! and return a [`Trace`]. [`check_ltl`] decides LTL formulas by [`Explicit::find_accepting_run`], the product with any
//! automaton. Where memory is not enough, passes that keep a few bits of each state look for the same
//! ([`Explicit::pursue`] and its like, [`pursue_ltl`]), and prove nothing by finding nothing. [`Explicit::check_ctl`]
//! decides CTL formulas by as few states as it can, and [`Explicit::check_ctl_partially`] by few of which some values stay
//! open; a [`Labelling`] keeps the whole reachability graph and computes
//! sat-sets of CTL\* formulas on it.

mod atoms;
mod beside;
mod bitstate;
mod bounds;
mod buchi;
mod chunked;
mod compiled;
mod ctl;
mod disk;
#[cfg(feature = "distributed")]
mod distributed;
mod emptiness;
#[cfg(test)]
mod emptiness_tests;
mod expand;
mod explore;
mod facts;
mod fair_components;
mod fair_hull;
mod fair_rw_lock;
mod fair_states;
mod fixpoints;
mod graph;
mod labelling;
#[cfg(test)]
mod labelling_tests;
mod layout;
mod lift;
mod liveness;
mod local;
mod ltl;
#[cfg(test)]
mod ltl_tests;
mod packed_model;
#[cfg(test)]
mod packed_model_tests;
mod parallel;
#[cfg(test)]
mod parallel_tests;
mod partial;
mod path_automaton;
mod pieces;
mod product;
mod results;
mod rows;
mod states;
mod steady;
mod store;
mod tally;
#[cfg(test)]
mod tests;
mod ways;

pub use bitstate::{BitstateResult, Pass};
pub(crate) use bounds::substitute as substitute_bounds;
pub(crate) use compiled::Compiled;
pub use compiled::Explicit;
pub use disk::{Disk, DiskError, OnDisk};
#[cfg(all(test, feature = "distributed"))]
pub(crate) use distributed::tests::{listeners, together};
#[cfg(feature = "distributed")]
pub use distributed::{Cluster, ClusterError, Distributed, Found, Goal, Host, hosts};
pub use emptiness::{Emptiness, Product};
pub use explore::View;
pub use facts::{Facts, Values};
pub use labelling::{AllLabels, Growing, Labelling, Labels};
pub(crate) use layout::{Builder, Implied, Layout, Slot, bits};
pub use local::{Attempt, Decided};
pub(crate) use ltl::by_facts;
pub use ltl::{LtlResult, check_ltl, pursue_ltl};
pub(crate) use packed_model::{Action, Event, Fired, NoReduction, PackedModel, Reducer, Rule};
pub use partial::Oracle;
pub(crate) use path_automaton::{automaton_of, stuttering};
pub use results::{Exploration, Growth, Searched, Trace};

use crate::model::VariableId;
use std::sync::Arc;

/// How a model is compiled. The default has everything on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoding {
    /// Direct read and write: guards and firings work on packed words. Off: every state is decoded when it is
    /// taken up and encoded when it is reached.
    pub drw: bool,
    /// Unit codes for the units of a NUPN.
    pub nupn: bool,
    /// P-semiflows: unit codes for places that share a token, bounds of counters, places left out of the store.
    pub invariants: bool,
    /// Of markings that differ by some of these swaps of places (`reduction::symmetries`) only one is kept, where a net
    /// is explored. Verdicts that do not notice them stay the same; numbers of states do not.
    pub swaps: Arc<[Vec<(VariableId, VariableId)>]>,
    /// The class of each action, where the questions tell some apart: `swaps` exchange actions of one class only. Empty if
    /// all are of one class.
    pub classes: Arc<[u128]>,
    /// Of markings that differ by the arrangement of the blocks of these families only one is kept, and counted as
    /// often as there are others: [`Exploration`] has the numbers of the net itself. Not together with `swaps`.
    pub families: Arc<[Family]>,
}

/// Blocks of variables that can be exchanged as a whole, each for each other one; no two of them share a variable.
pub type Family = Vec<Vec<VariableId>>;

impl Default for Encoding {
    fn default() -> Self {
        Encoding { drw: true, nupn: true, invariants: true, swaps: [].into(), classes: [].into(), families: [].into() }
    }
}

/// How a model is searched. The default has everything on but for what costs time or memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Dynamic fireset: enabled rules are enumerated one at a time. Off: each stack frame stores them. Of searches for
    /// runs on one thread.
    pub dynamic_fireset: bool,
    /// Heuristic Büchi: automaton edges nearest to acceptance first, on the first thread. Off: edges as they come.
    pub heuristic_buchi: bool,
    /// Stubborn sets, where the model has them and the property allows them.
    pub stubborn: bool,
    /// Guidance, with a seed: of the enabled rules fire first the one that comes nearest to what the automaton waits
    /// for; ties are broken at random with this seed, or by the order of the rules with 0. Of searches for runs on one
    /// thread, to which this keeps them.
    pub guided: Option<u64>,
    /// Return a run that shows why, where there is one: perhaps the beginning of one, where whatever follows will do.
    pub run: bool,
    /// Return a run that shows why, to its end: one that goes on for ever, or ends in a deadlock.
    pub witness: bool,
    /// Depth-first instead of breadth-first reachability.
    pub depth_first: bool,
    /// How many threads explore and search for runs; 0 counts as 1. With one, states are found in the same order each
    /// time.
    pub threads: usize,
    /// Facts about the reachable states: folded into automata of formulas of LTL, not into those that are given. They
    /// must be true.
    pub facts: Arc<Facts>,
}

impl Options {
    /// Is a run wanted?
    fn wants_run(&self) -> bool {
        self.run || self.witness
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dynamic_fireset: true,
            heuristic_buchi: true,
            stubborn: true,
            guided: None,
            run: false,
            witness: false,
            depth_first: false,
            threads: 1,
            facts: Arc::default(),
        }
    }
}

/// The effort of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// States stored.
    pub states: u64,
    /// Firings: states generated, new or not.
    pub firings: u64,
    /// Bytes in use at the end.
    pub bytes: u64,
    /// Bytes of these in which there is something: tables without their free places.
    pub filled: u64,
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
        self.filled = self.filled.max(other.filled);
        self.bits_per_state = self.bits_per_state.max(other.bits_per_state);
        self.growths += other.growths;
    }
}

//! Brute-force model checking on the explicit reachability graph, from the definitions of `docs/semantics.md`.
//!
//! Everything is written for clarity and shares no code with the engines: sets are vectors of Booleans,
//! fixpoints are computed by repeating until nothing changes, and CTL* goes through the assignments of
//! truth values to temporal subformulas, not through an automaton translator.
//!
//! - `ctl`: the textbook labelling algorithm for CTL.
//! - `ctl_star`: CTL* and LTL by a tableau.
//! - `fair`: strongly connected parts that satisfy fairness assumptions, by definition.
//! - `path`: the truth of a path formula on one given path, straight from the definition.
//! - `atoms`: the truth of atoms in each marking.
//!
//! The same code serves the integration tests and the unit tests of the library (`crate::oracle`).
#![allow(dead_code, unreachable_pub)] // each of the two uses only a part, and neither exports it
#![allow(clippy::unwrap_used)]

mod atoms;
mod ctl;
mod ctl_star;
mod fair;
pub mod path;

pub use fair::Fair;

use crate::reference::Graph;
use starset::formula::{FormulaId, PathSemantics, Pool};
use std::collections::BTreeMap;

/// A set of markings: one truth value per marking of the graph, in its order.
pub type Set = Vec<bool>;

/// Why a formula has no sat-set: an atom has no value in some reachable marking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    DivisionByZero,
    Overflow,
}

/// The graph, the formulas and the meaning of "path".
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub graph: &'a Graph,
    pub pool: &'a Pool,
    pub paths: PathSemantics,
    /// Quantifiers range over the paths that satisfy all of these.
    pub fair: &'a [Fair],
}

impl<'a> Setting<'a> {
    pub fn new(graph: &'a Graph, pool: &'a Pool, paths: PathSemantics) -> Self {
        Setting { graph, pool, paths, fair: &[] }
    }

    pub fn under(self, fair: &'a [Fair]) -> Self {
        Setting { fair, ..self }
    }

    fn states(&self) -> std::ops::Range<usize> {
        0..self.graph.states()
    }

    fn is_deadlock(&self, state: usize) -> bool {
        self.graph.edges[state].is_empty()
    }

    /// The states a path may go to next; under `stutter` a deadlock goes to itself.
    fn successors(&self, state: usize) -> Vec<usize> {
        if self.is_deadlock(state) && self.paths == PathSemantics::Stutter {
            return vec![state];
        }
        self.graph.edges[state].iter().map(|&(_, to)| to).collect()
    }
}

/// The sat-set of a state formula and of each of its state subformulas, by the CTL* method.
pub fn check(setting: Setting, formula: FormulaId) -> Result<BTreeMap<FormulaId, Set>, Undefined> {
    let mut sat = BTreeMap::new();
    ctl_star::label(setting, formula, &mut sat)?;
    Ok(sat)
}

/// The sat-set of a CTL formula and of each of its state subformulas, by the CTL labelling algorithm.
/// Panics on a formula that is not in CTL.
pub fn check_ctl(setting: Setting, formula: FormulaId) -> Result<BTreeMap<FormulaId, Set>, Undefined> {
    let mut sat = BTreeMap::new();
    ctl::label(setting, formula, &mut sat)?;
    Ok(sat)
}

/// The greatest value over the reachable markings of the sum of tokens in `places`.
pub fn bound(graph: &Graph, places: &[starset::net::PlaceId]) -> i128 {
    graph.markings.iter().map(|m| places.iter().map(|&p| i128::from(m.tokens(p))).sum()).max().unwrap()
}

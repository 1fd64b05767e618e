//! Linear-time temporal logic and its automata: formulas, transition-based generalized Büchi automata, HOA.
//!
//! Self-contained: this module knows nothing of nets or of CTL\*. Atoms are [`Prop`] indices with a table of
//! names; the layer above maps each maximal state subformula to one proposition. What it hands out, a
//! [`Tgba`], is plain data: edges carry a [`Guard`] (a disjunction of cubes of literals) and [`Marks`] (a bit
//! set of acceptance sets), so that neither the symbolic product nor the explicit engine needs a diagram
//! manager to read it.

mod bdd;
mod bisimulation;
mod cleanup;
mod composition;
pub mod dot;
mod emptiness;
mod error;
mod external;
pub mod fair;
pub mod finite;
mod graph;
mod guarantee;
mod guard;
pub mod hoa;
mod intersection;
mod knowledge;
pub mod ltl;
mod merging;
mod sat;
mod satisfiability;
mod simulation;
#[cfg(feature = "spot")]
mod spot;
mod statistics;
mod stutter;
mod suspension;
mod tableau;
mod tgba;
mod translate;
mod translator;
mod wdba;
mod window;

pub use emptiness::common_word;
pub use error::TranslationError;
pub use external::External;
pub use guard::{Cube, Guard, Literal, Prop};
pub use knowledge::Knowledge;
pub use satisfiability::satisfying_word;
#[cfg(feature = "spot")]
pub use spot::Spot;
pub use statistics::Statistics;
pub use tgba::{AutomatonError, Component, Edge, Location, Marks, Strength, Stuttering, Tgba, TgbaBuilder};
pub use translate::{Passes, translate};
pub use translator::{Builtin, Translator};

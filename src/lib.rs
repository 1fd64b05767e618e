//! starset: a symbolic model checker for Petri nets.
//!
//! It computes the reachable markings of a net, and those that satisfy a formula of CTL\*, CTL or LTL, exactly, as a
//! decision diagram. The program `starset` is one user of this library.
//!
//! # From a file to a set
//!
//! | step | how |
//! |---|---|
//! | a net | [`pnml::read_path`], [`net::NetBuilder`], [`models`]; coloured nets by [`coloured::unfold`] |
//! | its reachable markings | [`examination::explore`] under the orders of [`examination::Options`] |
//! | a formula | [`formula::parse()`] into a [`formula::Pool`] |
//! | Sat(φ) | [`symbolic::Checker::sat`], an [`mdd::Mdd`]: counted, listed, combined, saved |
//! | a verdict alone | [`symbolic::Checker::holds_initially`], or [`explicit`] without diagrams |
//! | why | [`witness::explain_by_sets`], printed by [`report::witness::text`] |
//!
//! ```
//! use starset::budget::Budget;
//! use starset::examination::{Options, explore};
//! use starset::formula::{PathSemantics, Pool, Symbols, parse};
//! use starset::net::NetBuilder;
//! use starset::symbolic::Checker;
//!
//! // Three items go into a buffer; then there is nothing left to do.
//! let mut b = NetBuilder::new("buffer");
//! let (free, full) = (b.place("free", 3)?, b.place("full", 0)?);
//! let put = b.transition("put")?;
//! b.input(free, put, 1)?;
//! b.output(put, full, 1)?;
//! let net = b.build()?;
//!
//! let budget = Budget::unlimited();
//! let space = explore(&net, &Options::automatic(&net, &budget), &budget, &mut |_| ())?;
//! assert_eq!(space.states(&budget)?.to_string(), "4");
//!
//! let (mut pool, symbols) = (Pool::new(), Symbols::new(&net));
//! let formula = parse("EF (#full = 3 & deadlock)", &symbols, &mut pool)?;
//! let mut checker = Checker::new(&space.relation, space.set.clone(), PathSemantics::Maximal)?;
//! let set = checker.sat(&pool, formula, &budget)?;
//! assert_eq!(set.count(&budget)?.to_string(), "4");
//! assert!(set.contains(space.relation.initial()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/` has whole programs; ARCHITECTURE.md says how the library is built.
//!
//! # What holds everywhere
//!
//! **Shapes.** A marking has one token count per place, in the order of [`net::PetriNet::places`]
//! ([`net::Marking`]). A tuple of a diagram has one `u32` per *level*, in the order of the variables: level l is the
//! place [`relation::Relation::variables_by_level`]`()[l]`, and its tokens are the value plus
//! [`relation::Relation::offsets`]`()[l]`. Identifiers are indices into the model that they came from, and are mixed
//! up with those of another model at the caller's risk: out of range, they panic as a slice does.
//!
//! **Units.** Memory is in bytes, time in [`std::time::Duration`], work in calls of diagram operations. Counts of
//! markings are exact ([`num_bigint::BigUint`]).
//!
//! **Errors.** Whatever may take long takes a [`budget::Budget`] and ends with [`budget::Exhausted`] when it is used up,
//! or with [`symbolic::Halt`], which has the other reasons, too (an unbounded place, a division by zero). What was
//! computed before stays valid. Readers return errors that name the place in the file. No input makes the library
//! panic. It does not print, exit, or read the environment.
//!
//! **Depth.** Operations recurse once per level; nets of more than a few thousand places need [`mdd::with_deep_stack`]
//! around them.
//!
//! **Sources.** Each module begins with the problem, the idea and the papers that it is from.
//!
//! # What is promised
//!
//! The modules of this page, as semantic versioning has it: before 1.0 a minor version may change them, with a note in
//! CHANGELOG.md, a patch never does. Enumerations that may grow are marked `non_exhaustive`.
//!
//! | modules | for |
//! |---|---|
//! | [`net`], [`pnml`], [`coloured`], [`models`], [`lts`] | models: built, read, unfolded, generated, written |
//! | [`structure`], [`reduction`], [`order`] | semiflows and bounds; smaller nets with the same answer; variable orders |
//! | [`examination`], [`symbolic`], [`relation`], [`mdd`] | reachable sets and sat-sets |
//! | [`formula`], [`automaton`] | CTL\*, CTL and LTL; LTL to Büchi automata |
//! | [`explicit`] | answers marking by marking |
//! | [`witness`], [`report`], [`picture`] | why; results as text, JSON, pages and pictures |
//! | [`budget`], [`xml`] | limits; places in files |
//!
//! What else is public (`cross`, `memory`, `random`) is there for the program `starset` and its tests, is not in this
//! documentation, and may change at any time.

pub mod automaton;
pub mod budget;
pub mod coloured;
#[doc(hidden)]
pub mod cross;
pub mod examination;
pub mod explicit;
pub mod formula;
pub mod lts;
pub mod mdd;
#[doc(hidden)]
pub mod memory;
pub mod models;
pub mod net;
pub mod order;
pub mod picture;
pub mod pnml;
#[doc(hidden)]
pub mod random;
pub mod reduction;
pub mod relation;
pub mod report;
pub mod structure;
pub mod symbolic;
pub mod witness;
pub mod xml;

#[cfg(test)]
extern crate self as starset;
/// The brute-force checker of the integration tests, for the unit tests too.
#[cfg(test)]
#[path = "../tests/oracle/mod.rs"]
mod oracle;
/// The brute-force explorer of the integration tests, for the unit tests too.
#[cfg(test)]
#[path = "../tests/reference/mod.rs"]
mod reference;

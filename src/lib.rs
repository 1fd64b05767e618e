//! starset: a model checker for Petri nets and other finite concurrent systems.
//!
//! It decides formulas of CTL\*, CTL and LTL by whatever way is the first to prove an answer, and computes the
//! reachable states, and those that satisfy a formula, exactly, as a decision diagram. The program `starset` is one
//! user of this library; its dependencies are behind the feature `cli`.
//!
//! # From a file to an answer
//!
//! ```
//! use starset::Model;
//! let model = Model::read("models/philo-5.pnml")?;
//! let answer = model.check("AG EF #Eat_0 = 1")?;
//! assert_eq!(answer.verdict(), Some(false));
//! # Ok::<(), starset::Error>(())
//! ```
//!
//! # Its parts
//!
//! | step | how |
//! |---|---|
//! | a model | [`kinds::read`]; of a net also [`kinds::net::pnml`], [`net::NetBuilder`], [`kinds::net::families`] |
//! | a formula | [`formula::parse()`] into a [`formula::Pool`] |
//! | answers | [`decide::decide`]: questions in, answers to a [`decide::Listener`] |
//! | its reachable states | [`decide::explore`]: a [`decide::StateSpace`] |
//! | Sat(φ) | [`Model::satset`], a [`SatSet`]: counted, listed, sampled, combined, saved; below it [`symbolic::Checker::sat`], an [`mdd::Mdd`] |
//! | state by state | [`kinds::Kind::compile`]: an [`explicit::Explicit`] |
//! | why | [`witness`], printed by [`report::witness::text`] |
//!
//! ```
//! use starset::budget::Budget;
//! use starset::decide::{Settings, explore};
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
//! let space = explore(&net, &Settings::default(), true, &budget, &|_| ())?;
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
//! **Shapes.** A marking has one token count per place, in the order of [`net::PetriNet::places`] ([`net::Marking`]). A
//! tuple of a diagram has one `u32` per *level*, in the order of the variables: level l is the place
//! [`relation::Relation::variables_by_level`]`()[l]`, and its tokens are the value plus
//! [`relation::Relation::offsets`]`()[l]`. Formulas know their pool, sets their space, and the values of the simple
//! case their model: what does not go together is an error ([`StopReason::Foreign`], [`mdd::SetError`],
//! [`Error::OtherModel`]). The identifiers of variables and actions are indices into the model that they came from: out
//! of range, those in formulas are an error, too; given to a model or looked up in a pool ([`formula::Pool::get`] asks
//! first) they panic as with a slice.
//!
//! **Units.** Memory is in bytes, time in [`std::time::Duration`], work in calls of diagram operations. Counts of
//! markings are exact ([`num_bigint::BigUint`]).
//!
//! **Errors.** Whatever may take long takes a [`budget::Budget`] and ends with [`budget::Exhausted`] when it is used
//! up, or with [`StopReason`], which has the other reasons, too (an unbounded place, a division by zero). What was
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
//! | [`Model`], [`Verdict`], [`NamedRun`], [`Certificate`], [`SatSet`], [`States`], [`NamedState`], [`StateGraph`], [`Soundness`], [`Watch`], [`Doing`], [`Error`] | the simple case |
//! | [`model`], [`kinds`], [`net`] | what a model is; the kinds of them, read and written; Petri nets |
//! | [`decide`], [`examination`] | questions and answers; those of the Model Checking Contest |
//! | [`structure`], [`reduction`], [`order`] | semiflows and bounds; smaller nets with the same answer; variable orders |
//! | [`symbolic`], [`relation`], [`mdd`] | reachable sets and sat-sets |
//! | [`explicit`] | answers state by state |
//! | [`formula`], [`automaton`] | CTL\*, CTL and LTL; LTL to Büchi automata |
//! | [`witness`], [`report`], [`picture`] | why; results as text, JSON, pages and pictures |
//! | [`budget`], [`StopReason`], [`xml`] | limits, and why something ended; places in files |
//!
//! Other public modules (`cross`, `memory`, `random`) are there for the program `starset` and its tests, are not in
//! this documentation, and may change at any time.

pub mod automaton;
pub mod budget;
pub mod certify;
#[doc(hidden)]
pub mod circuit;
#[doc(hidden)]
pub mod cross;
pub mod decide;
pub mod examination;
pub mod explicit;
mod facade;
mod files;
pub mod formula;
pub mod kinds;
pub mod mdd;
#[doc(hidden)]
pub mod memory;
pub mod model;
pub mod net;
pub mod order;
pub mod picture;
#[doc(hidden)]
pub mod processes;
pub mod random;
pub mod reduction;
pub mod relation;
pub mod report;
#[doc(hidden)]
pub mod rng;
#[doc(hidden)]
pub mod sat;
mod scc;
mod stop_reason;
pub mod structure;
pub mod symbolic;
pub mod threads;
#[doc(hidden)]
pub mod traces;
pub mod witness;
pub mod xml;

pub use facade::{
    Attractor, Attractors, Certificate, Doing, Error, Model, NamedRun, NamedState, ProcessSoundness, SatSet, Soundness,
    StateGraph, States, Verdict, Watch,
};
pub use stop_reason::StopReason;

/// The Rust in the tutorial is tested as that of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../docs/tutorial.md")]
struct Tutorial;

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

//! Formulas: CTL* over the markings of a net, with its fragments CTL, LTL and reachability.
//!
//! [`parse()`] reads the text notation and [`Pool::display`] writes it. Formulas live in a [`Pool`], each
//! distinct one once, identified by a [`FormulaId`]; [`Symbols`] resolves the names of a net, and
//! [`read_properties`] reads the property files of the Model Checking Contest.
//!
//! ```
//! use starset::formula::{parse, Pool, Symbols};
//! use starset::net::NetBuilder;
//! let mut b = NetBuilder::new("buffer");
//! let free = b.place("free", 3)?;
//! let put = b.transition("put")?;
//! b.input(free, put, 1)?;
//! let symbols = Symbols::new(&b.build()?);
//!
//! let mut pool = Pool::new();
//! let f = parse("AG (#free >= 1 → enabled(put))", &symbols, &mut pool).unwrap();
//! assert_eq!(pool.display(f, &symbols).to_string(), "A G (#free >= 1 -> enabled(put))");
//! # Ok::<(), starset::net::BuildError>(())
//! ```
//!
//! This module knows nothing of decision diagrams, automata or state spaces.

mod assumptions;
mod ast;
mod classify;
mod compared_constants;
mod decompose;
mod dialects;
mod extremes;
mod fair_conjuncts;
mod fairness;
mod files;
mod fold;
mod greatest;
mod id;
mod instances;
mod lines;
mod mcc;
mod nnf;
mod parse;
mod pool;
mod print;
mod rebuild;
mod rers;
mod rewrite;
mod semantics;
mod stutter;
mod symbols;
mod values;

pub use assumptions::{Assumption, AssumptionKind, Condition, WrongAssumption, read_assumption, read_assumption_line};
pub(crate) use ast::MAX_SIZE;
pub use ast::{Comparison, Expr, Formula, MAX_DEPTH};
pub(crate) use compared_constants::compared_constants;
pub(crate) use decompose::{Decomposition, PathNode};
pub use dialects::{Dialect, read_dialect};
pub use extremes::{Distance, Extreme, Journey, read_extreme};
pub(crate) use fair_conjuncts::{FairConjuncts, Nodes, alone, reads_actions};
pub use files::{
    PropertyFileError, is_xml, read_finite_property_file, read_formula_file, read_property_file, read_property_text,
};
pub(crate) use greatest::Greatest;
pub(crate) use instances::{InstanceNames, PartNames};
pub use lines::{has_assumptions, replace_formulas};
pub(crate) use lines::{is_comment, named};
pub use mcc::{Property, PropertyError, PropertyQuestion, read_properties};
pub use parse::{DECLARE, Decision, ParseError, parse, parse_actions, parse_finite, parse_with_remarks};
pub(crate) use parse::{PAST_LETTERS, Propositional, RESERVED, Words, parse_propositional};
pub use pool::{ExprId, Foreign, FormulaId, Pool};
pub use print::DisplayFormula;
pub(crate) use print::quoted;
pub use rers::{Numbered, NumberedError, read_numbered};
pub use semantics::{Logic, PathSemantics, UnknownPaths};
pub use symbols::{NameError, Naming, Symbols};

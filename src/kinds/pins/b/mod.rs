//! Classical B machines, counted as ProB counts them.
//!
//! Event-B has a front end of its own (`event_b`), which ends in the trees of classical B.
//!
//! From text to next-state function: `lexer`, `parser` (with `parse_formula`, `parse_substitution`,
//! `parse_machine`, macros in `definitions`), `includes` (several machines as one), `check`, `infer` and
//! `types` (names, types), `temporal` (formulas in DEFINITIONS), `build` (preferences, constants, initial states), `deferred` (sizes and symmetry of
//! deferred sets), `eval`, `operators`, `apply`, `spaces`, `relations`, `values` (evaluation), `solver`,
//! `sources`, `bounds`, `cells` (search for values), `shapes`, `ground`, `domains` (the same by constraints over finite
//! domains), `plan`, `substitution`, `rows` (execution, dependencies), `compile`, `candidates`, `compiled`, `words` (the
//! same operations as code on numbers, where there is no error), and `machine` (the model).
//!
//! # What is counted
//!
//! States and transitions are to be those of ProB, or the machine is refused. What that takes was found out with the
//! counts that ProB gives for some six hundred public machines:
//!
//! - Integers without bounds (`x : NATURAL`) are taken from MININT..MAXINT (-1..3 unless set), or are the least
//!   possible one where that is above MAXINT. ProB does so too, but takes other numbers where its constraints leave a
//!   lower bound between, or a hole; sets of such integers it finds in another way. These are refused; of the others
//!   there is a warning ([`BMachine::warnings`], [`Options::warn`]).
//! - Integers without bounds that a function is applied to are arguments of the function, if it can be listed. Where an
//!   operation is left out because of another application, in such a machine, it is refused.
//! - An operation whose outermost guard applies a function outside its domain is not enabled, and so is one whose body
//!   does. Any other expression without a value (a relation applied that is no function, the minimum of nothing, an
//!   ASSERT, anything in an inner guard) ends ProB's exploration: it is an error here.
//! - Where a partial function is searched for, a conjunct that applies it (`f(1) = 5`) says that it has a value there.
//! - PRE, in an operation that is called too, is a guard.
//! - Limits on set-ups and transitions (`SET_PREF_MAX_INITIALISATIONS`, `SET_PREF_MAX_OPERATIONS`) are not followed;
//!   nor are they in the counts.
//! - The operations of a machine that is seen are operations of the model.
//! - Of constants that are elements of deferred sets one of several equivalent set-ups is taken (`deferred`).
//! - Large intervals and power sets in variables ProB keeps as formulas, and counts one that is equal but listed as
//!   another value: a set that comes about in both forms is refused.
//! - Machines with constants or properties have set-up states; not those whose constants are all fixed by symmetry.
//!
//! # Left out
//!
//! Refinements and implementations, FREETYPES, LOCAL_OPERATIONS, reals, trees, integers beyond 64 bits, external
//! functions of ProB (but those that only print).

mod apply;
mod ast;
mod bounds;
mod build;
mod candidates;
mod cells;
mod check;
mod compile;
mod compiled;
#[cfg(test)]
mod constraint_tests;
mod context;
mod deferred;
mod definitions;
mod domains;
mod error;
mod eval;
mod event_b;
mod expr;
mod ground;
mod includes;
mod infer;
mod lexer;
mod machine;
mod operators;
mod parse_formula;
mod parse_machine;
mod parse_substitution;
mod parser;
mod plan;
#[cfg(test)]
mod random_tests;
mod relations;
mod rows;
mod shapes;
mod solver;
mod sources;
mod spaces;
mod substitution;
mod temporal;
mod terms;
#[cfg(test)]
mod tests;
mod types;
mod values;
mod words;

pub use ast::Question;
pub use error::{Error, Fault, Pos};
pub use event_b::is_project;
pub use includes::Finder;
pub use machine::{BMachine, Options};

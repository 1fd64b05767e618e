//! Simpler formulas in place of those that are asked.
//!
//! | file | what is simpler |
//! |---|---|
//! | `initially` | what the initial state alone decides |
//! | `constants` | parts that have the same value in every reachable state |
//! | `context` | parts that have one value wherever the formula around them asks for it |
//! | `at_once` | conditions in the place of temporal operators below `EF` and `AG` |
//! | `operands` | Boolean combinations, asked operand by operand |
//! | `reversible` | `EF` and `AG` inside of formulas, where every firing can be undone |
//! | `terminating` | what holds again and again, where every run ends |
//!
//! The last three come before everything else: they ask simpler questions, and put the answers together.

mod at_once;
pub(super) mod constants;
mod context;
pub(super) mod initially;
pub(super) mod operands;
pub(super) mod reversible;
pub(super) mod terminating;

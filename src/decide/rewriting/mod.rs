//! Simpler formulas in place of those that are asked.
//!
//! | file | what is simpler |
//! |---|---|
//! | `initially` | what the initial state alone decides |
//! | `constants` | parts that have the same value in every reachable state |
//! | `context` | parts that have one value wherever the formula around them asks for it |
//! | `state_approximation` | conditions in the place of temporal operators below `EF` and `AG` |
//! | `operands` | Boolean combinations, asked operand by operand |
//! | `reversible` | `EF` and `AG` inside of formulas, where every firing can be undone |
//! | `terminating` | what holds again and again, where every run ends |
//!
//! `translated` takes formulas from one net to another. The last three of the table come before everything else: they
//! ask simpler questions, and put the answers together.

pub(super) mod constants;
mod context;
pub(super) mod initially;
pub(super) mod operands;
pub(super) mod reversible;
mod state_approximation;
pub(super) mod terminating;
pub(super) mod translated;

//! Petri nets with clocks: the numbers of their semantics, every way of computing an answer against every other, the
//! notions of soundness one by one, and readers that meet damaged files.
//!
//! `NETS=n` sets the number of random nets, `SEED=n` replays one; without `NETS`, the unoptimised tests draw few.

mod brute;
mod commands;
mod engines;
mod formats;
mod formulas;
mod numbers;
mod random;
mod readers;
mod units;
mod workflows;

use starset::budget::Budget;
use starset::kinds::clocks::markings::Limits;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// How many random nets to draw, where this many are many.
fn nets(many: u64) -> u64 {
    number("NETS").unwrap_or(if cfg!(debug_assertions) { many / 5 } else { many })
}

/// So many markings and states, and no other limit.
fn small(most: usize) -> Limits {
    Limits { markings: most, states: most, budget: Budget::unlimited() }
}

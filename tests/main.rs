//! All integration tests in one binary, one module per concern.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod automaton;
mod cli;
mod clocks;
mod coloured;
mod examples;
mod explicit;
mod lts;
mod mcc;
mod models;
mod oracle;
#[path = "oracle/contest.rs"]
mod oracle_contest;
#[path = "oracle/rewriting.rs"]
mod oracle_rewriting;
#[path = "oracle/validation.rs"]
mod oracle_validation;
mod pins;
mod pnml;
mod reachability;
mod reference;
mod shared;
mod symbolic;

//! All integration tests in one binary, one module per concern.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod arrows;
mod automaton;
mod changed;
mod cli;
mod clocks;
mod coloured;
mod examples;
mod explicit;
mod facade;
mod formats;
mod glossary;
mod lts;
mod mcc;
mod mixed;
mod models;
mod networks;
mod oracle;
#[path = "oracle/contest.rs"]
mod oracle_contest;
#[path = "oracle/distances.rs"]
mod oracle_distances;
#[path = "oracle/fairness.rs"]
mod oracle_fairness;
#[path = "oracle/rewriting.rs"]
mod oracle_rewriting;
#[path = "oracle/validation.rs"]
mod oracle_validation;
mod package;
mod pins;
mod pnml;
mod processes;
mod reachability;
mod reference;
mod shared;
mod smv;
mod symbolic;
mod traces;

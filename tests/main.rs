//! All integration tests in one binary, one module per concern.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod pnml;
mod reference;

//! The declarations that both sides share; `cxx` checks them against the C++ header.

/// What crosses the bridge.
#[cxx::bridge(namespace = "starset")]
pub(crate) mod ffi {
    /// A transition-based generalized Büchi automaton.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Automaton {
        /// Names of the propositions.
        pub propositions: Vec<String>,
        /// How many acceptance sets there are, at most 64.
        pub acceptance_sets: u32,
        /// How many states there are.
        pub states: u32,
        /// The initial state.
        pub initial: u32,
        /// The edges.
        pub edges: Vec<Edge>,
    }

    /// An edge of an automaton.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Edge {
        /// Where it starts.
        pub source: u32,
        /// Where it leads.
        pub target: u32,
        /// Its acceptance sets: bit `i` for set `i`.
        pub marks: u64,
        /// The disjunction of cubes under which it may be taken, each a list of literals that 0 ends; proposition
        /// `i` is `i + 1`, its negation `-(i + 1)`.
        pub cubes: Vec<i32>,
    }

    // SAFETY: the functions take and return plain data only, keep nothing, and turn every C++ exception into
    // an error; that only one of them runs at a time (BuDDy's tables are global) is ensured by the lock in
    // lib.rs, the only place that calls them.
    unsafe extern "C++" {
        include!("spot-rs/include/bridge.h");

        fn header_version() -> String;
        fn library_version() -> String;
        fn translate(formula: &str) -> Result<Automaton>;
    }
}

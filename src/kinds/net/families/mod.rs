//! Scalable families of nets with known state counts: for tutorials, tests and benchmarks.
//!
//! Each family is a function from a size to a net, in a file of its own that explains the net and derives the
//! number of its reachable markings. [`FAMILIES`] lists them all, so that a program can offer them by name:
//!
//! ```
//! use starset::kinds::net::families;
//! let kanban = families::family("kanban").ok_or("no such family")?;
//! let net = kanban.generate(5)?;
//! assert_eq!(net.place_count(), 16);
//! assert_eq!(kanban.states(5).map(|n| n.to_string()).as_deref(), Some("2546432"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The small instances in the folder `models/` of the source tree are written by these functions
//! ([`SHIPPED`] lists which), and a test keeps the two the same.

mod batches;
mod draft;
mod fms;
mod kanban;
mod philo;
mod phils;
mod pipeline;
mod readers_writers;
mod slot;
mod token_ring;

pub(crate) use batches::batches;
pub(crate) use fms::flexible_manufacturing;
pub(crate) use kanban::kanban;
pub(crate) use philo::philosophers;
pub(crate) use phils::philosophers_in_steps;
pub(crate) use pipeline::pipeline;
pub(crate) use readers_writers::readers_writers;
pub(crate) use slot::slotted_ring;
pub(crate) use token_ring::token_ring;

use crate::net::{BuildError, PetriNet};
use num_bigint::BigUint;

/// A family of nets.
#[derive(Debug)]
pub struct Family {
    /// Name on the command line.
    pub name: &'static str,
    /// Description of the nets, in a line.
    pub description: &'static str,
    /// Meaning of the size.
    pub parameter: &'static str,
    /// The number of reachable markings for size N.
    pub formula: &'static str,
    /// Smallest size.
    pub minimum: u32,
    /// Largest size.
    pub maximum: u32,
    net: fn(u32) -> Result<PetriNet, BuildError>,
    states: fn(u32) -> Option<BigUint>,
}

/// Why a net of a family cannot be generated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A size outside the range of the family.
    #[error("{family} has sizes from {minimum} to {maximum}, not {size}; give one of those")]
    Size {
        /// Name of the family.
        family: &'static str,
        /// Smallest size.
        minimum: u32,
        /// Largest size.
        maximum: u32,
        /// The size asked for.
        size: u32,
    },
    /// The net cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Family {
    /// The net of size `n`.
    pub fn generate(&self, n: u32) -> Result<PetriNet, ModelError> {
        let Family { name: family, minimum, maximum, .. } = *self;
        if !(minimum..=maximum).contains(&n) {
            return Err(ModelError::Size { family, minimum, maximum, size: n });
        }
        Ok((self.net)(n)?)
    }

    /// The number of reachable markings of the net of size `n`; `None` if there is no end to them.
    pub fn states(&self, n: u32) -> Option<BigUint> {
        (self.states)(n)
    }
}

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "philo",
        description: "dining philosophers who take either fork first (Model Checking Contest)",
        parameter: "philosophers",
        formula: "3^N",
        minimum: 2,
        maximum: 1_000_000,
        net: philosophers,
        states: philo::states,
    },
    Family {
        name: "phils",
        description: "dining philosophers who ask for both forks and get them one by one",
        parameter: "philosophers",
        formula: "the Lucas number L(3N)",
        minimum: 2,
        maximum: 1_000_000,
        net: philosophers_in_steps,
        states: phils::states,
    },
    Family {
        name: "kanban",
        description: "Kanban production line of four stations",
        parameter: "cards per station",
        formula: "C(N+3,3)^2 * sum over k=0..N of C(k+2,2)^2",
        minimum: 1,
        maximum: u32::MAX,
        net: kanban,
        states: kanban::states,
    },
    Family {
        name: "fms",
        description: "flexible manufacturing system with three machines and three kinds of parts",
        parameter: "pallets of each kind",
        formula: "C(N+2,2) * sum over k=0..N of J(k) A(N-k) B(N-k), with J, A, B in the documentation",
        minimum: 1,
        maximum: u32::MAX,
        net: flexible_manufacturing,
        states: fms::states,
    },
    Family {
        name: "slot",
        description: "slotted ring protocol",
        parameter: "nodes",
        formula: "2^N times the central Delannoy number D(N)",
        minimum: 2,
        maximum: 1_000_000,
        net: slotted_ring,
        states: slot::states,
    },
    Family {
        name: "token-ring",
        description: "stations that share a resource by passing a token round",
        parameter: "stations",
        formula: "3N * 2^(N-1)",
        minimum: 2,
        maximum: 1_000_000,
        net: token_ring,
        states: token_ring::states,
    },
    Family {
        name: "batches",
        description: "a buffer that is filled in batches of three and emptied in batches of two (weighted arcs)",
        parameter: "items that fit",
        formula: "N+1 (N = 3: 3)",
        minimum: 3,
        maximum: u32::MAX,
        net: batches,
        states: batches::states,
    },
    Family {
        name: "readers-writers",
        description: "readers and writers where waiting writers go first (inhibitor arcs)",
        parameter: "readers, and as many writers",
        formula: "(N+1)(min(N,2)+1) + min(N-1,2)+1",
        minimum: 1,
        maximum: u32::MAX,
        net: readers_writers,
        states: readers_writers::states,
    },
    Family {
        name: "pipeline",
        description: "a chain of stages with unlimited buffers between them (unbounded)",
        parameter: "stages",
        formula: "infinite",
        minimum: 1,
        maximum: 1_000_000,
        net: pipeline,
        states: pipeline::states,
    },
];

/// The instances in the folder `models/`: the file `NAME-SIZE.pnml` for each.
pub const SHIPPED: &[(&str, u32)] = &[
    ("philo", 5),
    ("phils", 5),
    ("kanban", 3),
    ("fms", 2),
    ("slot", 4),
    ("token-ring", 6),
    ("batches", 10),
    ("readers-writers", 4),
    ("pipeline", 2),
];

/// The family of this name.
pub fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|f| f.name == name)
}

#[cfg(test)]
mod tests;

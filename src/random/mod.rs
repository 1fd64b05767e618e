//! Random nets, networks, models behind a next-state function, and formulas from a seed, for differential testing; and
//! random runs of any model.
//!
//! Two engines that agree on thousands of random inputs, and with a brute-force checker on them, are worth
//! more than any number of hand-made tests. Everything here is a function of the seed alone, on every
//! machine, so a disagreement is reported as a seed and replayed from it.
//!
//! ```
//! use starset::formula::{Logic, Pool};
//! use starset::random::{formula, net, FormulaShape, NetShape, Rng};
//! let mut rng = Rng::new(1);
//! let net = net(&mut rng, &NetShape::default());
//! let mut pool = Pool::new();
//! let f = formula(&mut rng, &net, &FormulaShape { logic: Logic::Ctl, size: 6 }, &mut pool);
//! assert!(pool.logic(f) <= Logic::Ctl);
//! ```

mod formula;
mod net;
mod network;
mod partitioned;
mod shrink;
mod walk;

pub use crate::rng::Rng;
pub use formula::{FormulaShape, assumptions, formula, with_modalities, with_past};
pub use net::{NetShape, net};
pub use network::{NetworkShape, formula_over_steps, network};
pub use partitioned::{Partitioned, PartitionedShape, formula_over_labels, partitioned};
pub use shrink::{shrink, shrink_network, shrink_partitioned};
pub use walk::Walk;

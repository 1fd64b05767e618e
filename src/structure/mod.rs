//! Structure of a net: what its graph and its linear algebra say before any marking is explored.
//!
//! * `Incidence`: the incidence matrix *C*, `C[p][t]` the change of place *p* by transition *t*, sparse.
//! * [`p_semiflows`], [`t_semiflows`]: minimal-support solutions of `x·C = 0` and `C·y = 0` over the
//!   naturals (Farkas, Martínez and Silva).
//! * `p_flows`: a basis of the solutions of `x·C = 0` over the integers, for nets where the semiflows are
//!   too many.
//! * [`PlaceBounds`]: bounds of places that follow from P-semiflows; a net whose every place is covered by
//!   one is bounded under any initial marking.
//! * `units`: disjoint sets of places of which at most one has a token, one at most.
//! * `Coverability`: which places are unbounded, by a search of labels after Karp and Miller.
//! * `StateEquation`: linear conditions that no reachable marking satisfies, and bounds of weighted sums, by
//!   linear programs whose conclusions are verified exactly.
//! * `is_reversible`: each reachable marking leads to each other, since few tokens undo every firing.
//! * `is_home`: the initial marking can be reached from every reachable one.
//! * `is_terminating`: every run ends, since every firing makes a weighted sum of tokens smaller.
//! * `empty_siphon`: places that are empty for good.
//! * `never_dead`: deadlock-freedom, since every siphon that could be empty contains a marked trap.
//!
//! Inhibitor arcs do not occur in the incidence matrix: they forbid firings and never add any, so that
//! every invariant found here holds with them too.
//!
//! All arithmetic is checked. A computation that would overflow or grow past its [`Effort`] stops and says
//! that its result is not complete; what it returns is right all the same.

mod bounds;
mod coverability;
mod effort;
mod elimination;
mod farkas;
mod home;
mod incidence;
pub(crate) mod linear_program;
#[cfg(test)]
pub(crate) mod random_nets;
mod refutations;
mod returning;
mod reversible;
mod semiflows;
mod siphons;
mod sparse;
mod state_equation;
mod terminating;
mod units;

pub use bounds::PlaceBounds;
pub(crate) use coverability::{Coverability, Supremum};
pub use effort::Effort;
pub(crate) use home::is_home;
pub(crate) use incidence::Incidence;
pub(crate) use refutations::{Inequality, Refutation};
pub(crate) use returning::leading_to;
pub(crate) use reversible::is_reversible;
#[cfg(test)]
pub(crate) use reversible::with_inverses;
pub use semiflows::{Flows, PSemiflow, TSemiflow, p_semiflows, t_semiflows};
pub(crate) use semiflows::{PFlow, p_flows};
pub(crate) use siphons::{empty_siphon, never_dead};
pub(crate) use state_equation::{Solvability, StateEquation};
pub(crate) use terminating::is_terminating;
pub(crate) use units::units;

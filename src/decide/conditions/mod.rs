//! Conditions on single states: whether they hold in one, how far away it is that they do, and proofs that they hold in
//! none.
//!
//! These files know formulas and nets, and no questions.
//!
//! | file | what it tells |
//! |---|---|
//! | `valuation` | the truth of a condition in one state, and which questions are about one |
//! | `distance` | how far a marking is from one where it holds, as a guess |
//! | `walk` | random walks, and walks that are guided by distances |
//! | `structure` | semiflows, and the bounds of sums that follow from them |
//! | `visited` | the sums of tokens in a marking of a coloured net, and what can fire there |
//! | `covering` | no marking below a label of a coverability graph satisfies it |
//! | `refutation` | no marking that solves the state equation satisfies it |
//! | `onward` | no marking after another one satisfies it |
//! | `recurring` | a marking that satisfies it can be reached from each |
//! | `knowledge` | which conditions of a path formula exclude each other, or follow from each other |

mod bits;
mod covering;
pub(super) mod distance;
pub(super) mod knowledge;
mod onward;
mod recurring;
pub(super) mod refutation;
mod structure;
mod valuation;
mod visited;
mod walk;

pub(super) use onward::Onward;
pub(super) use recurring::recurs;
pub(super) use refutation::Refuter;
pub(super) use structure::Structure;
pub(super) use valuation::{Condition, Reachability, Values, is_total, sum};
pub(super) use visited::Visited;
pub(super) use walk::Walk;

//! Coloured nets: tokens with colours, transitions with variables; and their unfolding.
//!
//! **Problem.** Symmetric nets (ISO/IEC 15909-2) write many similar places and transitions as one: tokens
//! carry colours of finite sorts, arcs carry expressions over variables, and a transition fires under every
//! binding of its variables that its guard admits. Every engine here works on place/transition nets.
//!
//! **Idea.** [`unfold()`] makes one place for each colour and one transition for each binding, leaving out those
//! that can never be marked or fire. The result keeps track of where its nodes came from ([`Unfolding`]), so
//! that formulas can name a coloured place for the sum of its instances and a coloured transition for any of
//! its bindings, and the global properties speak of coloured places and transitions.
//!
//! | file | concern |
//! |---|---|
//! | `sort` | sorts, colours as numbers, names of colours |
//! | `term`, `guard`, `multiset` | expressions and their values under (partial) bindings |
//! | `net` | the coloured net |
//! | `pattern`, `projection`, `plan`, `join`, `clock` | from a possible token to the bindings that take it |
//! | `unfold`, `error` | the fixpoint of possible colours and bindings, or why there is none |
//! | `folded`, `firing`, `kind` | a net that is too large for that, its firing rule, and what it is to engines |
//! | `unfolding` | the resulting net, with names |

mod clock;
mod error;
mod firing;
mod folded;
mod guard;
mod join;
mod kind;
mod multiset;
mod net;
mod pattern;
mod plan;
mod projection;
mod sort;
mod term;
mod unfold;
mod unfolding;

pub use error::UnfoldError;
pub(crate) use firing::Search;
pub use folded::Folded;
pub(crate) use guard::Guard;
pub(crate) use multiset::Multiset;
pub use net::ColouredNet;
pub(crate) use net::{ColouredPlace, ColouredTransition, Variable};
pub(crate) use sort::{Sort, SortError, SortId, Sorts};
pub(crate) use term::Term;
pub use unfold::{Limits, unfold};
pub use unfolding::{Family, Unfolding};

//! Multi-valued decision diagrams (MDDs): exact sets of tuples of numbers.
//!
//! An [`Mdd`] is a set of tuples (x₀, …, xₙ₋₁) of `u32`, one component per *level*; level 0 is the top. The
//! diagrams are *quasi-reduced* (every path visits every level) and canonical: two sets of one [`MddManager`]
//! are equal iff their roots are. Domains need not be known beforehand; a value exists once a tuple has it.
//!
//! The diagram type is our own (`node`) on the public traits of `oxidd-core` and the index-based manager
//! of OxiDD, which gives unique tables, counted references, exact garbage collection that is legal in the
//! middle of an operation, and errors instead of aborts when the node store is full.
//!
//! Every operation that may create nodes takes a [`Budget`](crate::budget::Budget) and returns
//! [`Exhausted`](crate::budget::Exhausted) when it is used up; the operands stay valid. Recursion is as deep as there
//! are levels: run operations on spaces of more than a few thousand levels inside [`with_deep_stack`].
//!
//! Sets may be used from any thread, but in one space one thread works at a time; the others wait.
//!
//! This module knows nothing of nets.
//!
//! ```
//! use starset::budget::Budget;
//! use starset::mdd::{MddManager, SetError};
//! let (space, budget) = (MddManager::new(3, &Budget::unlimited())?, Budget::unlimited());
//! let a = space.tuple(&[0, 1, 2], &budget)?;
//! let b = space.tuple(&[5, 1, 2], &budget)?;
//! let both = a.union(&b, &budget)?;
//! assert_eq!(both.count(&budget)?.to_string(), "2");
//! assert!(both.contains(&[5, 1, 2]));
//! // Sets of different spaces do not go together.
//! let other = MddManager::new(3, &budget)?;
//! assert_eq!(a.union(&other.empty(), &budget), Err(SetError::OtherSpace));
//! # Ok::<(), SetError>(())
//! ```

mod bits;
mod cache;
mod count;
mod diagram;
mod dot;
mod file;
mod garbage;
mod lift;
mod lightest;
mod manager_lock;
mod members;
mod node;
mod operations;
mod sample;
mod sections;
mod session;
mod set;
mod spread;
mod stack;
mod terminal;
#[cfg(test)]
mod tests;
mod transfer;
mod weighted;

pub(crate) use count::{Count, Layers, Rows};
pub use count::{Maxima, Size};
pub use file::{LoadError, MatchError, SavedSet};
pub(crate) use lift::{Cell, NotWritten};
pub use lightest::Lightest;
pub use members::Members;
pub use set::{Mdd, MddManager, SetError};
pub use stack::with_deep_stack;
pub use transfer::{Change, TransferError};

pub(crate) use node::EdgeRef;
pub(crate) use sections::Sections;
pub(crate) use session::{ChildList, Held, Session};
pub(crate) use terminal::is_empty;
pub(crate) use weighted::{Weight, Weighted};

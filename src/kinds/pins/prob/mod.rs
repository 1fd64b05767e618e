//! ProB as a peer: machines that another program explores state by state, over ZeroMQ.
//!
//! ProB serves the next-state function of a machine to LTSmin by a protocol of its own ("ltsmin2"): a socket in the
//! file system, requests and replies of several frames each, in turn. starset is the other side of it here, in LTSmin's
//! place: it connects to a socket on which somebody serves already (`x.probz`), or starts a program that does.
//!
//! | file | concern |
//! |---|---|
//! | `wire` | requests and replies as frames: the first reply, which has the signature, and lists of states |
//! | `link` | the connection: one request at a time, patience, a server that was started |
//! | `term` | values in words: the terms in which ProB writes them |
//! | `peer` | all that behind the next-state interface |
//!
//! **What is asked.** Each request carries a whole state; where the group does not read, it has the value of the state
//! before initialisation, which the server never looks at. The first group of all, `$init_state`, leads from there to
//! the initial states; it is asked once, and is no group of the model. A variable that may be written counts as read
//! and written, since whole states come back, in which nothing says what was copied.
//!
//! **What can go wrong** has a name: a server that ends, that does not answer in time, or that answers something else.
//! The first such error is the answer to everything that is asked later.
//!
//! References: the client's side of the protocol is that of LTSmin (`src/prob-lib`); Bendisposto et al., iFM 2016;
//! Körner, Leuschel, Meijer, iFM 2018.

mod link;
mod peer;
mod term;
mod wire;

pub use link::{Patience, Started};
pub use peer::Peer;
pub use wire::{Described, Matrix, Nonsense, described, flag, states};

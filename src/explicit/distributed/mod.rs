//! Exploration on several machines: breadth-first, level by level, with the states dealt out by a hash.
//!
//! **Problem.** The states of one model do not fit in the memory of one machine, and firing takes the time of all its
//! cores.
//!
//! **Idea.** Each state belongs to one of the workers, by a hash of its packed words ([`deal`]; Stern and Dill 1997,
//! *Parallelizing the Murφ verifier*). A worker has a store of its own, fires what is enabled in its states, and sends
//! the successors that are others' to them, many in a packet ([`fabric`]). Packets, and the question when all of them
//! have come, are those of timely dataflow (Murray, McSherry et al. 2013, *Naiad: a timely dataflow system*): levels
//! are times of it, each one or several, so that no worker gets far ahead and the packets under way stay few
//! ([`rounds`]).
//!
//! **Invariant.** Between two levels the stores hold each reachable state up to that distance once, all in the same
//! encoding. Figures are added up after the last level, by everyone.
//!
//! **The encoding grows** at the end of a level in which some firing did not fit: all states are encoded anew and dealt
//! out again, as their hashes have changed, what was found in that level is forgotten, and the level is begun again.
//!
//! **Faults.** timely has no notion of a process that is lost. The connections are ours ([`meeting`], [`link`]): the
//! end of one before its time ends the exploration in all processes, with the name of the one that is gone. Whoever
//! stops for another reason (time, memory) says so to all others.
//!
//! **Searches** look at each level before it is expanded, and remember which numbers it has in each store. A goal that is
//! found is found by all: of the states that workers tell of the least is taken. A path to it comes from the levels before:
//! all workers expand theirs until one of them has a state that leads to the next state of the path.
//!
//! **Formulas of CTL\*** are labelled afterwards by waves of messages against the direction of steps ([`labels`]).
//!
//! **Left out.** A part of the states on disk. Processes trust each other.

mod cluster;
mod deal;
mod fabric;
mod goals;
mod growth;
mod host;
mod hosts;
mod labels;
mod link;
mod meeting;
mod note;
mod outcome;
mod rounds;
mod search;
mod waves;

pub(super) use cluster::{explore, find};
pub use host::Host;
pub use hosts::hosts;
pub(super) use labels::Formulas;
pub use outcome::{Cluster, ClusterError, Distributed, Found, Goal};

#[cfg(test)]
pub(super) mod tests;

//! Exploration out of core: breadth-first, level by level, with the states on disk.
//!
//! **Problem.** A store in memory ends with the memory: at 2^31 states, or sooner. A disk has ten times as much, but
//! looking states up there one by one takes a thousand times as long.
//!
//! **Idea.** Duplicates are detected later, and many at a time (Korf 2003, *Delayed duplicate detection*; before, Stern
//! and Dill 1998, *Using magnetic disk instead of main memory in the Murφ verifier*). The successors of a level are
//! *candidates*: they are gathered in a buffer ([`sorter`]), which is sorted, freed of duplicates, and written as a
//! sorted *run* ([`run`]) when it is full. At the end of the level its runs are merged ([`merge`]), and what is in a
//! visited run is left out. What remains is the next level, a sorted run itself, and the level that has been expanded is
//! a visited run. Visited runs of about the same size become one ([`tiers`]), so that there are few of them. All access
//! to the disk is sequential, but that blocks of visited runs in which there can be no candidate are skipped.
//!
//! **Invariant.** Visited runs and the current level are disjoint, and are all states at a distance from the initial
//! ones up to that of the level. After each level a *manifest* says so ([`manifest`]); it is replaced as a whole, after
//! the files that it names are on the disk, and before files that it does not name any more are removed. So whatever
//! ends the program, the next one goes on with the level that was not complete ([`levels`]).
//!
//! **The encoding grows** as in memory: a level in which a firing does not fit is given up, all runs are encoded and
//! sorted anew, and the level is begun again. The manifest has the firings that made it grow, so that a later program
//! comes to the same encoding.
//!
//! **Memory** is that of the buffer, half of the limit; of two blocks for each run that is read; of the first state of
//! each block; and of what the model itself keeps. **Disk:** the visited states, and twice as much while two runs become
//! one, and the candidates of a level. **Time:** O(e log e) for e edges, and to read the visited runs once for each
//! level: graphs with very many levels, each of which is large, are better explored in memory.
//!
//! **Searches** ([`levels`]) keep each level as a run of its own beside the visited runs, in which levels are merged. They
//! are looked through in turn, those of earlier searches first, so that the first state that is found is a nearest one.
//! A path to it comes from the levels before: of each, the states are expanded until one leads to the next state of the
//! path. All of that takes no longer than the exploration did. In the end the levels alone are left, for other goals.
//!
//! **Formulas of CTL** ([`labels`]) need the successors of all states, as numbers ([`successors`]), which take some bytes
//! for each edge while they are computed.
//!
//! **Left out.** Locality between levels (Zhou, Hansen 2004) is not used.

mod expansion;
mod folder;
mod labels;
mod levels;
mod manifest;
mod merge;
mod outcome;
mod run;
mod sorter;
mod successors;
mod tiers;

#[cfg(feature = "distributed")]
pub(super) use expansion::{Firings, Misfit, RECENT_WORDS, Worker, complete, first_leading_to};
pub(super) use labels::{Asked, Told, verdicts};
#[cfg(feature = "distributed")]
pub(super) use levels::grown;
pub(super) use levels::{explore, find};
#[cfg(feature = "distributed")]
pub(super) use manifest::{Figures, Growth, Names, hash_of};
pub use outcome::{Disk, DiskError, OnDisk};

#[cfg(test)]
pub(super) mod labels_tests;
#[cfg(test)]
pub(super) mod tests;

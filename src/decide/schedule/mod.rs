//! Passes, lanes and turns: who is asked when, and for how long.
//!
//! | file | what it schedules |
//! |---|---|
//! | `pipeline` | the entry: passes before the lanes |
//! | `past` | formulas with operators of the past, asked of the engines alone |
//! | `shortened` | witnesses made short, beside everything else |
//! | `greatest` | bounds in formulas, asked first |
//! | `lanes` | diagrams and all other ways, each on a thread |
//! | `turns` | the ways that take turns on the other lane |
//! | `solvers` | a solver for each sort of question |
//! | `diagrams` | the lane of the diagrams |
//! | `together` | what is open, asked of one net that is reduced for all of it |
//! | `folded` | coloured nets that are not unfolded |
//! | `sat` | the engine of bits, beside all that comes after it |
//! | `initial_states` | models with several initial states |
//! | `beyond_memory` | questions of reachability, with the states in a folder or on several machines |
//! | `cross_check` | two engines that are compared |

pub(super) mod beyond_memory;
pub(super) mod cross_check;
mod diagrams;
mod folded;
mod greatest;
mod initial_states;
mod lanes;
mod past;
pub(super) mod pipeline;
pub(super) mod sat;
mod shortened;
mod solvers;
mod together;
mod turns;

//! Processes of BPMN 2.0: diagrams as nets.
//!
//! | file | concern |
//! |---|---|
//! | `read` | XML, as editors export it |
//! | `resolve`, `diagram`, `problem` | references, what is refused, what is warned of |
//! | `rba` | the same as another tool reads it |
//! | `mapping/` | the meaning of each element, as transitions |
//! | `process_net` | the net: places, transitions that may empty places |
//! | `layout` | where the diagram is drawn |
//! | `timed`, `duration` | the net with the durations of timers, as a net with clocks |
//! | `models`, `steps` | the net as a model for engines: a net of places and transitions, or a next-state function |
//!
//! Nothing before `models` knows an engine. What the elements mean is said in docs/processes.md.

mod delivery;
pub mod diagram;
mod duration;
mod fbpmn;
pub mod layout;
mod mapping;
mod models;
mod problem;
pub mod process_net;
mod rba;
mod read;
mod resolve;
mod steps;
mod timed;

pub use delivery::{Delivery, Order};
pub use duration::{NoLength, seconds, shown_seconds};
pub use mapping::{Environment, Like};
pub use models::{PlainNet, ProcessModel, ReadProcess, is_bpmn, model_of, petri_net, read_bpmn, read_bpmn_in};
pub(in crate::kinds) use models::{bpmn, loaded};
pub use problem::Problem;
pub use timed::{NoTime, TimedProcess, timed};

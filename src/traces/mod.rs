//! Traces of processes: event logs held against models and rules.
//!
//! A *trace* is what happened in one case: the activities in their order. A model *has* a trace if one of its runs shows
//! the same activities in the same order; steps that nobody sees may come between them. A *rule* is a formula about
//! finite words (LTLf), or a template of Declare, whose atoms are activities.
//!
//! | file | concern |
//! |---|---|
//! | `log`, `reading`, `xes`, `csv` | event logs: traces by variant |
//! | `labelled` | nets and processes as models whose steps are seen or not |
//! | `replay` | whether a model has a trace, and where it first leaves the model |
//! | `rules` | formulas about traces |
//! | `behaviour` | rules on the complete runs of a model |
//! | `reader` | the automaton of a rule beside the steps of a model |
//! | `by_sets` | the same, of more markings than are listed |
//! | `deadline` | rules with a length of time, as observers with a clock |
//! | `in_time` | rules on the complete runs of a model with time |
//! | `conformance` | a whole log: each variant on the model and by the rules |
//!
//! Engines are known for rules alone: sets of markings, and the zones of nets with clocks. An alignment, the run of the model that is nearest to a trace, is not computed.

mod behaviour;
mod by_sets;
mod conformance;
mod csv;
mod deadline;
mod in_time;
mod labelled;
mod log;
mod reader;
mod reading;
mod replay;
mod rules;
mod xes;

pub use behaviour::Behaviour;
pub use conformance::{Conformance, Variant, replay};
pub use deadline::{Deadline, Length};
pub use in_time::{NoAnswer, TimedBehaviour, TimedChecked};
pub use labelled::{Ends, Labelled};
pub use log::{Cases, Log, LogReading};
pub use reader::Checked;
pub use reading::{LogError, read_log, read_log_in};
pub use replay::{Outcome, Replay};
pub use rules::{Rule, RuleError, read_rules};

//! The kinds of models: a folder each, and one line for each form of file in [`FORMATS`].
//!
//! | folder | kind |
//! |---|---|
//! | `net/` | Petri nets, place/transition and coloured: PNML, the forms of TINA, LoLA and GreatSPN, and scalable families |
//! | `network/` | networks of transition systems that synchronise on labels |
//! | `pins/` | models behind a next-state function: DVE, SMV, ETF, B machines |
//! | `bpmn/` | processes of BPMN, which are nets, or models behind a next-state function |
//! | `clocks/` | Petri nets with clocks: zones, diagnoses and repairs of timing, soundness of workflows |
//! | `counters/` | counter machines: small, and the template for new kinds (docs/kinds.md) |
//! | `to_smv/` | models of all kinds written as programs of SMV |
//!
//! A kind has its model, the relation and the packed space that engines see of it, its readers and its writers.
//! Everything above this folder works on [`Kind`] and knows no kind of model; what only one kind has
//! (the structure of a net) is a capability that others lack ([`Kind::as_net`]). Models come in by one door:
//! [`read()`].

mod beginning;
pub mod bpmn;
pub mod clocks;
pub mod counters;
mod describe;
mod kind;
pub mod net;
pub mod network;
pub mod pins;
mod questions;
mod read;
mod reading;
mod saved;
mod text;
pub mod to_smv;
mod write;
mod writing;

pub use crate::files::is_archive;
pub use beginning::Foreign;
pub use describe::{Fact, Flat, Size, in_words};
pub use kind::{Kind, TimedQuestion, Tuned, Tuning};
pub use questions::{ModelQuestion, ModelQuestions};
pub use read::{FORMATS, Format, read, read_clock_net};
pub(in crate::kinds) use reading::NOTHING;
pub use reading::{ClockReading, Loaded, Prober, Purpose, ReadError, Reading};
pub use saved::{Saved, SavedError, load_set, named_set, same_time, to_saved};
pub use text::TextError;
pub use write::{write, write_tables};
pub use writing::{FORMS, WriteError, Writing};

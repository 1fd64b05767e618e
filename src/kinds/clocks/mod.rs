//! Petri nets with clocks: business processes with deadlines, and what time takes away from them.
//!
//! The problem: a process of orders, loans or forms is sound as long as nobody looks at the clock. With opening hours,
//! response times and windows in which an answer is taken, some of its states cannot arise, some of its tasks are never
//! done, and some cases come to stand still, since a window has closed or two deadlines contradict each other. A
//! [`model::ClockNet`] is a place/transition net with global clocks, an invariant at each place and a condition and
//! clocks to reset at each transition (Riesco, Montejano, Vilallonga, Uzal, "Business Process Modeling using Petri Nets
//! with Clocks").
//!
//! The way of a net: a file becomes a [`model::ClockNet`] with rational constants, that becomes [`scaled::Scaled`],
//! whose constants are integers and whose constraints are unions of boxes. In dense time its states are explored by
//! [`zone_graph::ZoneGraph`], whose zones are difference bound matrices; in integer time one by one by
//! [`integer::explore`], the plain reference, or by the engines of the library as an [`IntegerNet`]. Diagnoses, repairs, soundness and times are questions to the zone graph.
//! Every run that is shown can be put to [`replay::replay`], which knows nothing of zones, boxes or integers.
//!
//! Exactness: extrapolated zones meet reachable regions only, so all answers in dense time are exact. Time does not
//! jump over a hole of an invariant that is not convex. No constraint compares two clocks with each other, which is
//! what classical extrapolation needs (Bouyer 2004). Reachability is undecidable for nets without a bound, so
//! [`markings::Limits`] bounds every exploration; an exploration that did not end is an error, never an answer.
//!
//! | file | concern |
//! |---|---|
//! | `model`, `of_net` | net, builder, firing rule on tokens, the net without its time; a net without time as one with |
//! | `predicate`, `rational` | constraints as written: parser, printer, value, replacement of one comparison |
//! | `line_format`, `pnml`, `tapn`, `tchecker`, `error` | the formats, in and out, and what is wrong with a file |
//! | `constraint`, `scaled`, `markings` | invariants and conditions, integer constants and boxes; numbered markings with successors and invariants, limits |
//! | `zone/` | bounds, boxes, difference bound matrices, extrapolation, federations, texts |
//! | `delay` | time under invariants that are not convex, forwards and backwards |
//! | `local_bounds` | constants of clocks for each place, by a greedy hitting set |
//! | `zone_graph`, `backward` | all that is reachable; the values from which a goal can be reached |
//! | `diagnostics`, `consistency` | dead in time, deadlocks, timelocks, missed windows; constraints that nothing meets |
//! | `tighten`, `repair` | intervals that arise; proposals, each tried out |
//! | `times` | fastest and slowest since the start or since a transition |
//! | `run`, `replay` | rational delays for a path of zones; their independent check |
//! | `integer` | integer time, state by state |
//! | `system`, `packed`, `relation`, `kind` | integer time for all other engines: firing rule, packed space, relation, files |
//! | `units` | the unit in which a formula means what it does in dense time |
//! | `inquiry` | all questions about time together |
//! | `soundness`, `fairness`, `notions` | workflow nets with and without time; whether fair runs complete; both together |
//! | `families`, `random` | Fischer, CSMA/CD, train gate; random nets and making them small |
//!
//! ```
//! use starset::kinds::clocks::{diagnostics::diagnose, line_format, markings::Limits, scaled::Scaled, zone::region_text};
//! let text = "clocks x\nplace open init 1 inv x<=8\nplace done\ntrans treat : open -> done when x<=5";
//! let net = line_format::read(text, "example.pnwc")?;
//! let scaled = Scaled::new(&net)?;
//! let found = diagnose(&scaled, &Limits::default(), &|_| false)?;
//! assert_eq!(found.blocks[0].kind.name(), "timelock");
//! assert_eq!(region_text(&found.blocks[0].region, scaled.units()), "5<x<=8");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(hidden)]
pub mod backward;
pub mod consistency;
pub mod constraint;
mod delay;
pub mod diagnostics;
pub mod error;
pub mod fairness;
pub mod families;
pub mod inquiry;
pub mod integer;
pub(in crate::kinds) mod kind;
pub mod line_format;
mod local_bounds;
pub mod markings;
pub mod model;
pub mod notions;
mod of_net;
mod packed;
pub mod pnml;
pub mod predicate;
mod queries;
#[doc(hidden)]
pub mod random;
pub mod rational;
mod relation;
pub mod repair;
pub mod replay;
pub mod run;
pub mod scaled;
pub mod soundness;
mod system;
pub mod tapn;
pub mod tchecker;
pub mod tighten;
pub mod times;
pub mod unbounded;
mod units;
pub mod zone;
pub mod zone_graph;

pub use of_net::NoClockNet;
pub use system::{IntegerNet, NoIntegerNet};

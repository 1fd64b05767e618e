//! Questions in, answers out: the ways that decide, and their shares of time, memory and cores.
//!
//! Nobody can tell beforehand which engine will answer a question. [`decide`] takes a model and questions about it, and
//! gives each answer to a [`Listener`] as soon as a *way* has found it, with the name of the way. Answers depend on the
//! questions and the budget, never on the caller: every command of the program is a thin user of this module.
//!
//! **The ways**, from cheap to dear ([`Ways`] leaves some out):
//!
//! | way | file | needs a net |
//! |---|---|---|
//! | the initial state | `rewriting/initially`, `conditions/valuation` | no |
//! | structure: semiflows, effects of transitions, siphons | `conditions/structure` | yes |
//! | the skeleton: tokens without their colours | `smaller/skeleton` | with families |
//! | linear programs over the state equation | `conditions/refutation`, `rewriting/constants`, `conditions/knowledge` | yes |
//! | a coverability graph, where the net may be unbounded | `schedule/turns` | yes |
//! | random walks | `conditions/walk` | yes |
//! | growing limits on the tokens of unbounded places | `smaller/capped` | yes |
//! | nets reduced for each question, with all ways again | `smaller/reduced` | yes |
//! | a net reduced for all that is open, likewise | `schedule/together` | yes |
//! | search state by state: on the fly, breadth-first, on the labelled graph | `properties/formulas/search` | no |
//! | passes that keep a few bits of each state, where memory is not enough and nothing else is left | `properties/passes` | no |
//! | parts of a network, refined by counterexamples | `smaller/localisation` | a network |
//! | satisfiability: bounded model checking and IC3, of what is asked about all reachable states or all runs | `schedule/sat` | a circuit |
//! | decision diagrams: the reachable set and fixpoints in it | `schedule/diagrams`, `space`, `properties/formulas/diagrams` | no |
//!
//! **Sharing.** There are two lanes, each with a thread. One computes the reachable set as a diagram and then fixpoints
//! in it. In the other, all other ways take turns in slices of time that grow from round to round (`schedule/turns`).
//! Easy questions are answered in the first milliseconds, and a hard one costs a constant factor more than its best way
//! alone. Both lanes post answers on one `board`, which knows what is still open; a way without open questions ends.
//! Time and memory are divided by the methods of [`Budget`](crate::budget::Budget).
//!
//! **Boolean combinations** are asked operand by operand (`rewriting/operands`).
//!
//! **Several initial states.** A formula holds initially if it does in each of them, which the ways that begin in one
//! do not decide at once: then it is asked of each in turn (`schedule/initial_states`).
//!
//! **Witnesses** come after verdicts: whoever finds a run gives it, whichever way gave the verdict (`board`); runs are
//! replayed before they are given, and made short meanwhile (`schedule/shortened`).
//!
//! An answer is given only when it is proved; what no way could prove is unknown, with the reason.
//!
//! **Layers**, each of which uses those above it alone:
//!
//! | part | what it holds |
//! |---|---|
//! | `state_space`, `answer`, `settings`, `task` | the vocabulary: questions, settings, answers |
//! | `profile` | time and answers by step |
//! | `solver` | solvers, passes and pipelines of them |
//! | `conditions` | conditions on single states |
//! | `board`, `recorder` | the known facts about questions, and the records of answers |
//! | `rewriting` | simpler formulas in place of those that are asked |
//! | `context` | a model under questions, for the ways that take turns |
//! | `smaller` | smaller models in place of the one that is asked about |
//! | `space` | the reachable set |
//! | `properties` | a file per sort of question |
//! | `schedule` | passes, lanes and turns; the entry |

mod answer;
mod board;
mod conditions;
mod context;
mod finite;
mod hybrid;
mod profile;
mod properties;
mod recorder;
#[cfg(test)]
mod replay_tests;
mod rewriting;
mod schedule;
mod settings;
mod smaller;
mod solver;
mod space;
mod state_space;
mod task;

pub use answer::{Answer, Explained, Fault, Listener, Technique, Value};
pub use finite::NotFinite;
pub use hybrid::{Hybrid, HybridError, hybrid, is_hybrid};
pub use profile::{Profile, Share, Step};
pub use properties::formulas::sat_in;
pub use recorder::{Recorded, Recorder};
pub use schedule::beyond_memory::decide_on_disk;
#[cfg(feature = "distributed")]
pub use schedule::beyond_memory::decide_on_hosts;
pub use schedule::cross_check::{Agreement, Comparison, decide_twice};
pub use schedule::pipeline::decide;
pub use schedule::sat::evidence::{BitAutomaton, BitEdge, BitEvidence, BitOfValue, Bits, Clauses};
pub use settings::{Part, SWITCHES, Settings, Switch, Techniques, Ways};
pub use smaller::localisation::{Localised, decide_by_parts};
pub use space::{explore, states_for_attractors};
pub use state_space::{Progress, StateSpace, TokenMaxima};
pub use task::{Global, Question, Request, Statistic, Subject};

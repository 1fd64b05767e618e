//! CTL on the fly: is a formula true in the initial state, without the rest of the state space if possible.
//!
//! **Problem.** [`Labelling`](super::Labelling) decides a formula in every reachable state, and so needs them all.
//! To decide it in the initial one, a few states are often enough.
//!
//! **Idea.** Local model checking (Vergauwen and Lewi, ICALP 1994; for the search order compare Dalsgaard et al., Petri
//! Nets 2017). Each quantified subformula is a search for a path, depth first, from the state where its value is
//! wanted; its operands are wanted in the states that the search comes to, and may start searches in turn, one level
//! deeper in the formula. Values that are found are kept, so that each search visits a state once.
//!
//! | search | succeeds | fails |
//! |---|---|---|
//! | `E[a U b]` | at a state with b | once the component of a state has been left |
//! | `EG a` | on an edge to a state that is open, or in a deadlock | once a state has been left |
//! | `E[a W b]` | as either | once a state has been left |
//! | `EX a` | at a successor with a | after the last |
//!
//! *Open* states are those of the search that are not decided yet. For `EG` and `EW` they are the path from the state
//! where the search began: an edge that closes a cycle ends it. For `EU` they are the states whose strongly connected
//! component has not been left (Tarjan, SIAM J. Comput. 1, 1972). Each of them has a path to the state that the search
//! is at, through states with a; hence when the search succeeds, **all open states have the formula**, and when it
//! leaves a component without success, no state of it has. So a search takes time linear in the edges it sees, whatever
//! its outcome, and no value is ever computed twice.
//!
//! `A` is treated as `¬E¬`, the negation moved through the operator, as for labelling. Under the `infinite` path
//! semantics what `EX` and `EU` aim at must begin an infinite path: one more search, `EG true`.
//!
//! **Reduction.** A search `EF b` fires only some of the rules enabled in a state, such that some are on every way to b
//! ([`Reducer::towards`](super::space::Reducer::towards)): what is stored of a state is still exact, since each of them
//! has its own. Other searches fire everything, and these do, too, in the turns of the other orders: a set costs more
//! than it saves where little is concurrent.
//!
//! **Order.** Before the search goes deeper it looks at all successors: one that decides ends it. The others are
//! visited nearest first, where the distance to what is looked for is guessed from values (`Atoms::distances`), or in
//! an order by chance. A search in a wrong order may not find in an hour what another finds at once, so the orders take
//! turns with growing numbers of expansions. What is known of states then is kept; only what is open is forgotten.
//!
//! **Threads** take turns in different orders at a time, and share what is known ([`crew`]).

mod crew;
mod expansion;
mod facts;
mod program;
mod search;
#[cfg(test)]
mod tests;

use super::packed_model::PackedModel;
use super::states::States;
use super::{Options, Stats};
use crate::budget::Budget;
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::model::{Path, State};
use crate::stop_reason::StopReason;
use crew::Crew;

/// Formulas nested deeper than this are left to other engines.
const MAX_NESTING: u32 = 200;

/// The answer to a CTL formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decided {
    /// Whether the formula holds in the initial state.
    pub holds: bool,
    /// A path that shows it, if [`Options::run`] or [`Options::witness`] asks for one, the formula begins with a quantifier that one path
    /// can show, and the search has passed it.
    pub path: Option<Path>,
    /// Effort.
    pub stats: Stats,
}

/// Which order of successors, and of operands of `∧` and `∨`, is tried first; the others follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Attempt(pub u32);

/// Decide a state formula of CTL in a state, or in the initial one.
pub(super) fn check_ctl<S: PackedModel>(
    states: States<S>,
    from: Option<&State>,
    pool: &Pool,
    (formula, paths): (FormulaId, PathSemantics),
    attempt: Attempt,
    options: &Options,
    budget: &Budget,
) -> Result<(States<S>, Decided), StopReason> {
    if pool.depth(formula) > MAX_NESTING {
        return Err(StopReason::Unsupported("the explicit engine does not decide formulas nested this deeply"));
    }
    Crew::decide(states, from, pool, (formula, paths), attempt, options, budget)
}

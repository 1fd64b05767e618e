//! CTL on a part of the states: values that hold whatever the rest is like.
//!
//! **Problem.** The search on the fly ([`super::local`]) needs the value of each subformula in each state that it comes
//! to before it goes on. Where one is out of reach, all is: `EF AG a` may be shown by a state near a deadlock, and the
//! search never leaves the first one, of which it cannot tell.
//!
//! **Idea.** Commit to few witnesses, and leave open what cannot be told. Some states are *expanded*: all of their
//! successors are known. The others are *open*. In such a part of the graph each formula has three values (Bruns and
//! Godefroid, "Model checking partial state spaces with 3-valued temporal logics", CAV 1999): true or false, if it is
//! that whatever follows the open states, or not known. Both are fixpoints, in time linear in the part ([`labels`]). What
//! becomes known stays so while the part grows.
//!
//! **Growth.** The part grows where it may help ([`pursuit`]). An obligation is a formula, a state, and the value that is
//! hoped for. It begets others, down to searches in the graph:
//!
//! | hoped for | is pursued by |
//! |---|---|
//! | `E[a U b]` | a search for states with b, nearest first; what of b is not known there is the next obligation |
//! | not `E[a U b]` | expanding all that can be reached through a; or the *oracle*, who knows of some states that no state after them satisfies a condition |
//! | `EG a` | a walk through a until it comes to where it was, or ends |
//! | not `EG a` | expanding all that can be reached through a |
//! | `EX a`, a conjunction, a disjunction | what is missing of the operands |
//!
//! Each has an effort, in expansions, and gives parts of it to those that it begets. Both values of the formula are
//! hoped for in turn, with efforts that grow. Nothing depends on what is hoped for: verdicts come from the fixpoints alone.

mod labels;
mod oracle;
mod part;
mod pursuit;
#[cfg(test)]
mod tests;

use super::Stats;
use super::atoms::Atoms;
use super::local::Decided;
use super::local::program::Program;
use super::packed_model::PackedModel;
use super::states::States;
use crate::automaton::Prop;
use crate::budget::Budget;
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::stop_reason::StopReason;
pub use oracle::Oracle;
use part::Part;
use pursuit::Pursuit;

/// Decide a state formula of CTL in the initial state, by a part of the states that grows until it is enough.
pub(super) fn check_ctl<S: PackedModel>(
    mut states: States<S>,
    pool: &Pool,
    (formula, paths): (FormulaId, PathSemantics),
    seed: u64,
    oracle: Oracle<'_>,
    budget: &Budget,
) -> Result<(States<S>, Decided), StopReason> {
    let program = Program::new(pool, formula, paths)?;
    let used: Vec<Prop> = (0..program.conditions.len() as u32).map(Prop).collect();
    let atoms = Atoms::new(states.space(), pool, &program.conditions, &used)?;
    let initial = states.initial();
    states.insert(&initial)?;
    let part = Part::new(states, atoms, program.states.len())?;
    let mut pursuit = Pursuit::new(&program, paths, part, seed, oracle, budget);
    let holds = pursuit.decide()?;
    let (states, firings) = pursuit.end();
    let stats = Stats {
        states: states.store().len().into(),
        firings,
        bytes: states.store().bytes(),
        filled: states.store().filled(),
        bits_per_state: states.layout().bits(),
        growths: states.growths(),
    };
    Ok((states, Decided { holds, path: None, stats }))
}

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
pub(super) mod distance;
mod expansion;
mod facts;
pub(super) mod program;
mod search;
#[cfg(test)]
mod tests;

use super::atoms::Atoms;
use super::fair_rw_lock::{FAILED, FairRwLock, lock};
use super::packed_model::PackedModel;
use super::states::States;
use super::steady::Steady;
use super::{Options, Stats};
use crate::automaton::Prop;
use crate::budget::Budget;
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::model::{Path, State};
use crate::stop_reason::StopReason;
use crew::Crew;
use facts::Facts;
use program::Program;
pub use search::Attempt;
use search::Run;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

const FOREIGN: StopReason =
    StopReason::Unsupported("the explicit engine does not search from a state with values this large");
/// The most threads.
const MOST: usize = 256;

/// The answer to a CTL formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decided {
    /// Whether the formula holds in the initial state.
    pub holds: bool,
    /// A path that shows it, if [`Options::run`] or [`Options::witness`] asks for one, the formula begins with a
    /// quantifier that one path can show, and the search has passed it.
    pub path: Option<Path>,
    /// Effort.
    pub stats: Stats,
}

/// Decide a state formula of CTL in a state, or in the initial one.
pub(super) fn check_ctl<S: PackedModel>(
    mut states: States<S>,
    from: Option<&State>,
    pool: &Pool,
    (formula, paths): (FormulaId, PathSemantics),
    attempt: Attempt,
    options: &Options,
    budget: &Budget,
) -> Result<(States<S>, Decided), StopReason> {
    let program = Program::new(pool, formula, paths)?;
    let used: Vec<Prop> = (0..program.conditions.len() as u32).map(Prop).collect();
    let mut atoms = Atoms::new(states.space(), pool, &program.conditions, &used)?;
    let initial = match from {
        None => states.initial(),
        Some(state) => states.packed(state).ok_or(FOREIGN)?,
    };
    let letter = atoms.letter(states.space(), &initial)?;
    states.insert(&initial)?;
    let facts = Facts::new(program.paths.len(), program.conditions.len());
    let threads = options.threads.clamp(1, MOST);
    let (steady, writers) = Steady::new(states, threads as u32)?;
    facts.open(0, |bytes| steady.beside().take(bytes))?;
    facts.note(0, letter);
    let writers = writers.into_iter().map(Mutex::new).collect();
    let (shared, is_over) = (FairRwLock::new(steady), AtomicBool::new(false));
    let crew = Crew { program, paths, budget, facts, shared, writers, ended: Mutex::new(None), is_over };
    let mut runs: Vec<Run<'_, '_, S>> =
        (0..threads).map(|number| Run::new(&crew, number, &atoms, attempt, options.stubborn)).collect();
    run(&crew, &mut runs);
    let ended = lock(&crew.ended).take();
    let (holds, number) = ended.unwrap_or(Err(FAILED))?;
    let path = if options.wants_run() { runs[number].path()? } else { None };
    let found = runs.iter().map(Run::found).sum::<u64>() + 1;
    let firings = runs.iter().map(Run::firings).sum();
    drop(runs);
    let states = crew.shared.into_inner().states;
    let stats = Stats {
        states: found,
        firings,
        bytes: states.store().bytes(),
        filled: states.store().filled(),
        bits_per_state: states.layout().bits(),
        growths: states.growths(),
    };
    Ok((states, Decided { holds, path, stats }))
}

/// Take turns until one thread has the value.
fn run<'a, S: PackedModel>(crew: &Crew<'a, S>, runs: &mut [Run<'_, 'a, S>]) {
    let Some((first, others)) = runs.split_first_mut() else { return };
    take_turns(crew, first, 1);
    if crew.is_over() {
        return;
    }
    std::thread::scope(|scope| {
        for run in others {
            let spawned = std::thread::Builder::new().spawn_scoped(scope, || take_turns(crew, run, usize::MAX));
            if spawned.is_err() {
                // With fewer threads the others do the work.
                break;
            }
        }
        take_turns(crew, first, usize::MAX);
    });
}

/// Take so many turns at most.
fn take_turns<'a, S: PackedModel>(crew: &Crew<'a, S>, run: &mut Run<'_, 'a, S>, most: usize) {
    let take = || {
        for _ in 0..most {
            if crew.is_over() {
                break;
            }
            if let Some(ended) = run.turn().transpose() {
                crew.end(ended.map(|holds| (holds, run.number())));
            }
        }
    };
    // Others wait for nothing that a thread that has failed would have to do, but the search has to end.
    if catch_unwind(AssertUnwindSafe(take)).is_err() {
        crew.end(Err(FAILED));
    }
}

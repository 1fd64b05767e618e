//! Threads that decide one formula together.
//!
//! **Idea.** Which order of search finds the answer nobody knows, so on one thread the orders take turns. With several, each thread has a turn
//! of its own, and they share the states and what has been settled about them ([`Facts`]): where one comes to a state that
//! another has left with a value, that is the value. What is open is each thread's own. The first one that has the formula's value
//! in the initial state ends all.
//!
//! **Proof.** A value that a search settles is that of a formula in a state, and depends on nothing else. A search that meets settled values
//! is one that meets states of which it has known before: the arguments about open states (module [`local`](super)) are about edges, and an edge to a
//! state with a value says the same whoever has found it. So by induction over the order in which values are settled, all are right. Two
//! threads may settle the same one; should they ever disagree, the search ends with an error.
//!
//! A formula that is easy is decided before other threads begin: the first turn is the first thread's alone.

use super::facts::Facts;
use super::program::Program;
use super::search::Run;
use super::{Attempt, Decided};
use crate::automaton::Prop;
use crate::budget::Budget;
use crate::explicit::atoms::Atoms;
use crate::explicit::fair_rw_lock::{FAILED, FairRwLock, lock};
use crate::explicit::packed_model::PackedModel;
use crate::explicit::states::States;
use crate::explicit::steady::{Need, Steady};
use crate::explicit::store::Writer;
use crate::explicit::{Options, Stats};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::model::State;
use crate::stop_reason::StopReason;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const FOREIGN: StopReason =
    StopReason::Unsupported("the explicit engine does not search from a state with values this large");
/// The most threads.
const MOST: usize = 256;

/// A formula to be decided in the initial state, or in another one, and what threads share.
pub(super) struct Crew<'a, S: PackedModel> {
    pub(super) program: Program,
    pub(super) paths: PathSemantics,
    pub(super) budget: &'a Budget,
    pub(super) facts: Facts,
    pub(super) shared: FairRwLock<Steady<S>>,
    pub(super) writers: Vec<Mutex<Writer>>,
    /// The value, and the thread that has found it.
    ended: Mutex<Option<Result<(bool, usize), StopReason>>>,
    is_over: AtomicBool,
}

impl<'a, S: PackedModel> Crew<'a, S> {
    /// Decide a formula, and show why if there is a path that does and somebody wants it.
    pub(super) fn decide(
        mut states: States<S>,
        from: Option<&State>,
        pool: &Pool,
        (formula, paths): (FormulaId, PathSemantics),
        attempt: Attempt,
        options: &Options,
        budget: &'a Budget,
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
        let mut runs: Vec<Run<'_, 'a, S>> =
            (0..threads).map(|number| Run::new(&crew, number, &atoms, attempt, options.stubborn)).collect();
        crew.run(&mut runs);
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
    fn run(&self, runs: &mut [Run<'_, 'a, S>]) {
        let Some((first, others)) = runs.split_first_mut() else { return };
        self.take_turns(first, 1);
        if self.is_over() {
            return;
        }
        std::thread::scope(|scope| {
            for run in others {
                let spawned = std::thread::Builder::new().spawn_scoped(scope, || self.take_turns(run, usize::MAX));
                if spawned.is_err() {
                    // With fewer threads the others do the work.
                    break;
                }
            }
            self.take_turns(first, usize::MAX);
        });
    }

    /// Take so many turns at most.
    fn take_turns(&self, run: &mut Run<'_, 'a, S>, most: usize) {
        let take = || {
            for _ in 0..most {
                if self.is_over() {
                    break;
                }
                if let Some(ended) = run.turn().transpose() {
                    self.end(ended.map(|holds| (holds, run.number())));
                }
            }
        };
        // Others wait for nothing that a thread that has failed would have to do, but the search has to end.
        if catch_unwind(AssertUnwindSafe(take)).is_err() {
            self.end(Err(FAILED));
        }
    }

    /// Has some thread ended?
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    fn end(&self, how: Result<(bool, usize), StopReason>) {
        lock(&self.ended).get_or_insert(how);
        self.is_over.store(true, Relaxed);
    }

    /// Do alone what a thread could not do beside others, unless the encoding has grown since it had grown so often.
    pub(super) fn provide(&self, growths: u32, need: Need) -> Result<(), StopReason> {
        let mut steady = self.shared.write();
        if steady.states.growths() != growths {
            return Ok(());
        }
        let mut writers: Vec<_> = self.writers.iter().map(lock).collect();
        steady.provide(need, writers.iter_mut().map(|writer| &mut **writer), self.budget)
    }
}

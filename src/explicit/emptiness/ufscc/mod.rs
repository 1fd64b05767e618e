//! LTL on the fly on several threads (UFSCC).
//!
//! **Problem.** Depth-first search, on which linear-time algorithms for strongly connected components rest, cannot be divided: which
//! state is next depends on all before. Nested depth-first searches on several threads (Evangelista et al. 2012) share what is
//! finished only, and one component may be the whole graph.
//!
//! **Idea** (Bloemen, Laarman, van de Pol, "Multi-core on-the-fly SCC decomposition", PPoPP 2016; for generalised acceptance
//! Bloemen, van de Pol, "Multi-core SCC-based LTL model checking", HVC 2016). Every thread searches the whole product from the
//! initial state, each in an order of its own, and they share partial components: what one has found to be strongly connected is one
//! set for all ([`sets`]). A thread that comes to a set where it has been closes a cycle: it unites all sets on its path from there on. It
//! passes by sets that are *dead*, that is, whole components that have been explored, and it expands no state that is *done*, that is, whose
//! successors lie in its set or in dead ones. When all states of a set are done, it is dead. The marks of edges inside are collected
//! in the set; with all marks there is an accepting run.
//!
//! A thread that comes back to where it entered a set picks any busy state of it and goes on from there; otherwise it
//! goes back along its path. (The authors' threads finish a set at once, wherever they are; then successors on the path below wait for
//! longer.) It expands a state at once, and inserts all successors together (module `store`); the path keeps numbers of those that are to
//! be claimed yet. So of the engine's ideas, DYN, enumerating rules one at a time, is for one thread alone, and the switch has no
//! meaning here. HBA is the first thread's; the others shuffle successors, so as to be elsewhere.
//!
//! **Proof.** The graph is one and the same to all threads (below).
//! 1. *Each set is strongly connected by itself.* On a thread's path there is an edge from the set of each root to the next root. A
//!    set that is united with those above it is closed by an edge back.
//! 2. *A thread that has been in a set that is not dead has a root on its path in this set*: roots are dropped by unions with the one below, and
//!    when their set is dead; unions by others only make sets larger. So closing a cycle finds its set on the path.
//! 3. *Successors of a done state are in its set or dead.* A thread makes a state done after it has looked at all of them: one
//!    that was dead stays so; where the thread had been, sets were united until it was the same; one that was claimed anew was a root on
//!    the path, and is dead or was united with the root below, which is in the set of the state.
//! 4. *Dead sets are whole components.* All states are done, so by 3 successors are inside or dead, and by induction there is no way
//!    back from those. Later unions with it would contradict this; should that happen, the search ends with an error.
//! 5. *Marks.* Let an edge lie inside a component, and look at how its source became done. Its target was not dead then, by 4. If it was in a set
//!    where the thread had been, its marks were added to the set; if it was claimed, it was united with the root below, and with that
//!    the marks of the edge that led to it were added. Of several threads that add marks and unite, the last one sees all.
//!    Before a set is made dead its marks are looked at once more, when nobody is uniting or adding any more: so an accepting component
//!    never becomes dead. Conversely marks of a set are those of edges inside, by 1.
//! 6. *The end.* A thread whose path is empty has seen that the initial states are dead, hence all that is reachable, by 3. So
//!    the first one that ends ends the search. States become done, one at least for each that a thread leaves, so this happens.
//!
//! **Stubborn sets.** Every cycle of the product needs a state in which everything is fired. A state of which a stubborn set is known is
//! expanded by that only if each successor has a greater number than itself or lies in a dead set; otherwise by all rules. Which of the
//! two is settled once, by the first thread that knows, and holds for all: with what a `Reducer` finds, which depends on the state alone, the graph
//! is the same for all. Suppose a cycle of states that are all reduced. Somewhere the number does not become greater; there an
//! edge leads from s to t, and t was dead when it was settled for s. But s can be reached from t, so s was dead, hence done, hence
//! expanded, and settled, before. Numbers of states are never changed: where the encoding grows, the numbers that threads have
//! taken and not used stay unused. Which states are fully expanded depends on chance, and so do numbers of states; verdicts do not.
//!
//! **Deadlocks, initial states, cut moves** are as for one thread. Every state that is done was expanded, so a deadlock that accepts
//! is seen.
//!
//! **Threads** work as they do in `explicit::parallel`: they hold what they share to be read for some steps, and who has to grow a table or the
//! encoding waits until it is alone. An expansion that comes to such a point is begun again. One number of 64 bits has a bit
//! for each thread and each mark of a set; where there are so many marks that two threads have no room, one thread searches.
//!
//! Complexity: at worst each thread expands each state. 16 bytes for a state beside the store, and on each thread's path 32 for
//! a state and 8 for each of its successors that is to be claimed.

mod expansion;
mod lasso;
mod sets;
mod shared;
#[cfg(test)]
mod tests;
mod worker;

use super::reader::{Accepted, Emptiness, Product, Reader};
use crate::automaton::Tgba;
use crate::budget::Budget;
use crate::explicit::fair_rw_lock::{FAILED, FairRwLock, lock};
use crate::explicit::packed_model::PackedModel;
use crate::explicit::states::States;
use crate::explicit::steady::Steady;
use crate::explicit::{Options, Stats};
use crate::formula::PathSemantics;
use crate::stop_reason::StopReason;
use expansion::Expansion;
use sets::Sets;
use shared::Shared;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use worker::{Next, Worker};

/// How a search has ended: perhaps with an accepting run, which this thread has found.
type Ending = Result<Option<(usize, Accepted)>, StopReason>;

/// A search in progress.
struct Crew<'a, S: PackedModel> {
    shared: FairRwLock<Shared<S>>,
    workers: Vec<Mutex<Worker<'a, S>>>,
    ended: Mutex<Option<Ending>>,
    is_over: AtomicBool,
    budget: &'a Budget,
}

/// How many threads search the product with this automaton.
pub(super) fn threads(options: &Options, automaton: &Tgba) -> u32 {
    let most = sets::most_threads(automaton.acceptance_sets());
    u32::try_from(options.threads).unwrap_or(u32::MAX).min(most).max(1)
}

/// Search the product for an accepting run, on so many threads.
pub(super) fn find_accepting_run<'a, S: PackedModel>(
    states: States<S>,
    product: Product<'a>,
    reader: Reader<'a>,
    options: &Options,
    threads: u32,
    budget: &'a Budget,
) -> Result<(States<S>, Emptiness), StopReason> {
    let crew = Crew::new(states, product, reader, options, threads, budget)?;
    crew.run();
    crew.emptiness(options.wants_run())
}

impl<'a, S: PackedModel> Crew<'a, S> {
    fn new(
        mut states: States<S>,
        product: Product<'a>,
        reader: Reader<'a>,
        options: &Options,
        threads: u32,
        budget: &'a Budget,
    ) -> Result<Self, StopReason> {
        let mut atoms = reader.atoms(states.space(), &product)?;
        let Reader { mut buchi, collapsed, .. } = reader;
        let deadlocks_repeat = product.paths != PathSemantics::Infinite;
        let stop_at_terminal = deadlocks_repeat && !options.witness;
        let terminal = 0..if stop_at_terminal { buchi.location_count() } else { 0 };
        let terminal: Vec<bool> = terminal.map(|location| buchi.is_terminal(location)).collect();
        let sets = Sets::new(threads, product.automaton.acceptance_sets());
        let mut initial = Vec::new();
        let mut ended = None;
        for words in states.initial_states() {
            let letter = atoms.letter(states.space(), &words)?;
            let letter = buchi.intern(letter);
            if !atoms.has_actions() && !buchi.is_viable(0, letter) {
                continue;
            }
            initial.push(states.insert(&words)?.id());
            if terminal.first() == Some(&true) {
                ended = Some(Ok(Some((0, Accepted::Terminal))));
            }
        }
        let found = states.store().len();
        let mut workers = Vec::new();
        let (steady, writers) = Steady::new(states, threads)?;
        for &state in &initial {
            sets.open(state, |bytes| steady.beside().take(bytes))?;
        }
        let states = &steady.states;
        for (number, writer) in (0..threads).zip(writers) {
            let visible = |action| atoms.touched(action) != 0;
            let reducer = if collapsed { states.space().reducer(&visible) } else { None };
            let mut expansion =
                Expansion::new(atoms.clone(), buchi.clone(), terminal.clone(), deadlocks_repeat, reducer);
            if number == 0 {
                expansion.found = found.into();
            }
            workers.push(Mutex::new(Worker::new(number, writer, expansion, initial.clone())));
        }
        let is_over = AtomicBool::new(ended.is_some());
        let shared = FairRwLock::new(Shared { steady, sets });
        Ok(Crew { shared, workers, ended: Mutex::new(ended), is_over, budget })
    }

    fn run(&self) {
        // Others wait for nothing that a thread that has failed would have to do, but the search has to end.
        let work = |number| {
            if catch_unwind(AssertUnwindSafe(|| self.work(number))).is_err() {
                self.end(Err(FAILED));
            }
        };
        std::thread::scope(|scope| {
            for number in 1..self.workers.len() {
                let spawned = std::thread::Builder::new().spawn_scoped(scope, move || work(number));
                if spawned.is_err() {
                    // With fewer threads the others do the work.
                    break;
                }
            }
            work(0);
        });
    }

    fn end(&self, how: Ending) {
        lock(&self.ended).get_or_insert(how);
        self.is_over.store(true, Relaxed);
    }

    fn work(&self, number: usize) {
        while !self.is_over.load(Relaxed) {
            let next = {
                let shared = self.shared.read();
                let mut worker = lock(&self.workers[number]);
                self.budget.check().map_err(StopReason::from).and_then(|()| worker.go(&shared))
            };
            match next {
                Ok(Next::Again) => (),
                Ok(Next::Complete) => self.end(Ok(None)),
                Ok(Next::Accepted(how)) => self.end(Ok(Some((number, how)))),
                Ok(Next::Alone(growths, need)) => {
                    let mut shared = self.shared.write();
                    if !self.is_over.load(Relaxed) && shared.steady.states.growths() == growths {
                        let mut workers: Vec<_> = self.workers.iter().map(lock).collect();
                        let writers = workers.iter_mut().map(|worker| &mut worker.writer);
                        if let Err(stop) = shared.steady.provide(need, writers, self.budget) {
                            self.end(Err(stop));
                        }
                    }
                }
                Err(stop) => self.end(Err(stop)),
            }
        }
    }

    /// The result, with the run if it is wanted.
    fn emptiness(self, wants_run: bool) -> Result<(States<S>, Emptiness), StopReason> {
        let ended = self.ended.into_inner().unwrap_or_else(PoisonError::into_inner);
        let accepted = ended.unwrap_or(Err(FAILED))?;
        let mut shared = self.shared.into_inner();
        let workers =
            self.workers.into_iter().map(|worker| worker.into_inner().unwrap_or_else(PoisonError::into_inner));
        let mut workers: Vec<Worker<'_, S>> = workers.collect();
        let path = match accepted.filter(|_| wants_run) {
            Some((number, how)) => {
                let Worker { frames, expansion, .. } = &mut workers[number];
                Some(lasso::accepted_run(&mut shared, expansion, frames, how, self.budget)?)
            }
            None => None,
        };
        let states = shared.steady.states;
        let stats = Stats {
            states: workers.iter().map(|worker| worker.expansion.found).sum(),
            firings: workers.iter().map(|worker| worker.expansion.firings).sum(),
            bytes: states.store().bytes(),
            filled: states.store().filled(),
            bits_per_state: states.layout().bits(),
            growths: states.growths(),
        };
        Ok((states, Emptiness { empty: accepted.is_none(), path, stats }))
    }
}

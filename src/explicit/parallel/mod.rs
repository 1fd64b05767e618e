//! Exploration on several threads that share one store.
//!
//! **Idea.** The numbers of states are the queue, as for one thread: each thread is given numbers in blocks (`store`),
//! so that what it finds are ranges of numbers. When a range has some dozen states, or somebody has nothing to do, it
//! goes to a queue that all share; who has nothing to do takes the oldest. That is work stealing with one deque, whose
//! lock is taken once in several hundred firings; threads are those of the standard library, in a scope, as each is one
//! worker with writers, tallies and buffers of its own for the whole search, and nothing is spawned in between.
//!
//! Threads hold the store to be read while they expand a range. What has to be done alone (growing a table, or the
//! encoding) one of them does when all others are between two ranges: they meet at the lock. An expansion that comes to
//! such a point is begun again; the states it has found stay found, and are not found anew.
//!
//! **Proof.** Each state is inserted once ([`super::store`]), by a thread that puts its number into its range; each
//! range is put into the queue or kept, and taken, once. So each state is expanded once to its end, and tallies add up
//! to those of one thread. A thread is idle only without any range, and puts nothing into the queue then; if all are
//! idle while the queue is empty, all states have been expanded.
//!
//! A search for a state pauses when threads have found some; which, and by which paths, is a matter of chance, but not
//! whether there is one. All that were found in one go are reported, as no state is asked about again when the search
//! goes on. Each state that has been expanded was asked about once: all were, if none was found. Stubborn sets need no
//! proviso for deadlocks, whoever expands which state: which rules are fired in a state depends on nothing but the
//! state.
//!
//! Where the encoding grows, numbers that no state has are squeezed out, which keeps the order of the others; ranges
//! have no holes, and move as a whole.

mod edges;
mod graph;
mod origins;
mod progress;

use super::beside::{Beside, Taken};
use super::expand::Group;
use super::fair_rw_lock::{FAILED, FairRwLock, lock};
use super::packed_model::PackedModel;
use super::pieces::{PIECE, pieces, share};
use super::results::{Exploration, Report, Searched, Trace, trace};
use super::states::States;
use super::steady::Need;
use super::store::{BLOCK, StateId, Writer};
use super::tally::{self, Extremes, Tally};
use super::{Options, Stats};
use crate::budget::Budget;
use crate::model::Then;
use crate::stop_reason::StopReason;
use edges::Edges;
use origins::Origins;
use progress::Progress;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};

/// New states that go to the queue together.
const GRAIN: usize = 64;
/// The most threads.
const MOST: usize = 256;

/// The data of one thread, which another may have to change for it; not in the same lines of a cache as another's.
#[derive(Debug)]
#[repr(align(128))]
struct Worker {
    writer: Writer,
    /// States that it expands.
    todo: Range<StateId>,
    /// States that it has found last.
    fresh: Range<StateId>,
    tally: Tally,
    firings: u64,
    origins: Origins,
    edges: Edges,
    /// The state that it has asked about last without expanding it.
    asked: Option<StateId>,
}

/// The common data of threads.
#[derive(Debug)]
struct Shared<S: PackedModel> {
    states: States<S>,
    workers: Vec<Mutex<Worker>>,
    taken: Taken,
}

/// The result when all threads have ended.
struct Ended<S: PackedModel> {
    states: States<S>,
    workers: Vec<Worker>,
    /// Numbers that no state has, sorted.
    holes: Vec<Range<StateId>>,
    stats: Stats,
}

/// States to be expanded.
#[derive(Debug, Default)]
struct Queue {
    ranges: VecDeque<Range<StateId>>,
    idle: usize,
    /// States that are looked for, as several threads may find one at a time.
    found: Vec<StateId>,
    /// How it has ended: at states that are looked for, or at the end.
    ended: Option<Result<(), StopReason>>,
}

/// Asked about each state that has been expanded.
pub(super) type Goal<'a, S> = &'a mut (dyn FnMut(&States<S>, &[u64]) -> bool + Send);

/// The aim of a search.
pub(super) enum Aim<'a, S: PackedModel> {
    /// To count.
    Numbers,
    /// To keep the successors of each state.
    Graph,
    /// To find a deadlock.
    Deadlock,
    /// To find a state that somebody is looking for.
    State(Mutex<Goal<'a, S>>),
}

/// A search in progress: where it ends for lack of time, it can go on.
pub(super) struct Crew<'b, S: PackedModel> {
    aim: Aim<'b, S>,
    stubborn: bool,
    shared: FairRwLock<Shared<S>>,
    queue: Mutex<Queue>,
    wake: Condvar,
    /// Idle threads, as far as one knows.
    hungry: AtomicUsize,
    threads: usize,
    progress: Progress,
}

/// How a thread goes on after some expansions.
enum Next {
    Again,
    /// Nothing to expand.
    Idle,
    /// Something has to be done alone, unless the encoding has grown since it had grown so often.
    Alone(u32, Need),
    Ended(StopReason),
}

/// Ends the search if its thread panics, as others wait for it.
struct Presence<'a, 'b, S: PackedModel>(&'a Crew<'b, S>);

impl<S: PackedModel> Drop for Presence<'_, '_, S> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(Err(FAILED));
        }
    }
}

/// Visit all reachable states and count, on so many threads. `progress` is told now and then how many there are so far.
pub(super) fn explore<S: PackedModel>(
    states: States<S>,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn FnMut(u64),
) -> Result<(States<S>, Exploration), StopReason> {
    let mut crew = Crew::new(states, Aim::Numbers, options)?;
    crew.run(budget, progress)?;
    crew.exploration(budget)
}

/// Search for states, until the report of one says that it is enough. Each is reported, even if several are found at a
/// time.
pub(super) fn find<'a, S: PackedModel>(
    states: States<S>,
    aim: Aim<'a, S>,
    options: &Options,
    budget: &Budget,
    report: Report<'_>,
) -> Result<(States<S>, Searched), StopReason> {
    let mut crew = Crew::new(states, aim, options)?;
    loop {
        crew.go_on(budget)?;
        let found = std::mem::take(&mut crew.queue().found);
        if found.is_empty() {
            let Ended { states, stats, .. } = crew.shared.into_inner().ended();
            return Ok((states, Searched { trace: None, stats }));
        }
        for state in found {
            let (trace, stats) = (crew.trace_to(state)?, crew.shared.get_mut().stats());
            if !report(&trace, &stats) {
                let Ended { states, stats, .. } = crew.shared.into_inner().ended();
                return Ok((states, Searched { trace: Some(trace), stats }));
            }
        }
    }
}

impl<'b, S: PackedModel> Crew<'b, S> {
    fn new(mut states: States<S>, aim: Aim<'b, S>, options: &Options) -> Result<Self, StopReason> {
        let threads = options.threads.min(MOST);
        for initial in states.initial_states() {
            states.insert(&initial)?;
        }
        let initial = 0..states.store().len();
        let writers = states.store_mut().share(threads as u32)?;
        let worker = |writer| Worker {
            writer,
            todo: 0..0,
            fresh: 0..0,
            tally: Tally::new(states.space()),
            firings: 0,
            origins: Origins::default(),
            edges: Edges::default(),
            asked: None,
        };
        let workers = writers.into_iter().map(worker).map(Mutex::new).collect();
        Ok(Crew {
            aim,
            stubborn: options.stubborn,
            shared: FairRwLock::new(Shared { states, workers, taken: Taken::default() }),
            queue: Mutex::new(Queue { ranges: VecDeque::from([initial]), ..Queue::default() }),
            wake: Condvar::new(),
            hungry: AtomicUsize::new(0),
            threads,
            progress: Progress::default(),
        })
    }

    /// Search to the end, or to states that are looked for.
    fn run(&mut self, budget: &Budget, progress: &mut dyn FnMut(u64)) -> Result<(), StopReason> {
        let crew = &*self;
        std::thread::scope(|scope| {
            for me in 1..crew.threads {
                let work = move || crew.work(me, budget, &mut |_| ());
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    // Those that there cannot be have nothing to do, now and later.
                    lock(&crew.queue).idle += crew.threads - me;
                    break;
                }
            }
            crew.work(0, budget, progress);
        });
        self.queue().ended.take().unwrap_or(Ok(()))
    }

    /// The queue, while no thread works on it.
    fn queue(&mut self) -> &mut Queue {
        self.queue.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// The reducer of the search, if it uses one.
    fn reducer(&self, space: &S) -> Option<S::Reducer> {
        if matches!(self.aim, Aim::Deadlock) && self.stubborn { space.reducer(&|_| false) } else { None }
    }

    fn work(&self, me: usize, budget: &Budget, progress: &mut dyn FnMut(u64)) {
        let presence = Presence(self);
        let mut group = Group::default();
        // Rules keep their numbers when the encoding grows, and what a reducer knows of them.
        let mut reducer: Option<(u32, Option<S::Reducer>)> = None;
        loop {
            let next = {
                let shared = self.shared.read();
                let growths = shared.states.growths();
                let reducer = match &mut reducer {
                    Some((of, reducer)) if *of == growths => reducer,
                    other => &mut other.insert((growths, self.reducer(shared.states.space()))).1,
                };
                progress(shared.found_at_least().into());
                let mut worker = lock(&shared.workers[me]);
                budget
                    .check()
                    .map_err(StopReason::from)
                    .and_then(|()| self.expand_some(&shared, &mut worker, &mut group, reducer))
                    .unwrap_or_else(Next::Ended)
            };
            match next {
                Next::Again => (),
                Next::Idle => {
                    if self.wait() {
                        break;
                    }
                }
                Next::Alone(growths, need) => {
                    let mut shared = self.shared.write();
                    // Where a state has been found, it keeps its number.
                    if lock(&self.queue).ended.is_some() {
                        break;
                    }
                    if shared.states.growths() == growths
                        && let Err(stop) = self.provide(&mut shared, need, budget)
                    {
                        self.end(Err(stop));
                        break;
                    }
                }
                Next::Ended(stop) => {
                    self.end(Err(stop));
                    break;
                }
            }
        }
        drop(presence);
    }

    /// Expand the states of a range.
    fn expand_some(
        &self,
        shared: &Shared<S>,
        worker: &mut Worker,
        group: &mut Group<S>,
        reducer: &mut Option<S::Reducer>,
    ) -> Result<Next, StopReason> {
        let (states, beside) = (&shared.states, shared.beside());
        if worker.todo.is_empty() {
            let mut queue = lock(&self.queue);
            if queue.ended.is_some() {
                return Ok(Next::Idle);
            }
            match queue.ranges.pop_front() {
                Some(range) => worker.todo = range,
                None => worker.todo = std::mem::replace(&mut worker.fresh, 0..0),
            }
            if worker.todo.is_empty() {
                return Ok(Next::Idle);
            }
        }
        while !worker.todo.is_empty() {
            group.clear(states.layout());
            let mut misfit = None;
            for id in worker.todo.clone() {
                group.read(id, states);
                misfit = group.fire(id, states.space(), reducer)?.map(|rule| Need::Layout(id, rule));
                if misfit.is_some() || group.is_full() {
                    break;
                }
            }
            let ended = states.store().insert_all_shared(&mut group.batch, &mut worker.writer);
            for (new, origin) in group.parents() {
                self.note(worker, new);
                if matches!(self.aim, Aim::Deadlock | Aim::State(_)) {
                    worker.origins.add(new, origin, beside)?;
                }
            }
            let (mut found, mut kept) = (None, Ok(()));
            let (first, fired) = (worker.todo.start, worker.firings);
            for (id, words, firings) in group.expanded() {
                if matches!(self.aim, Aim::Graph) {
                    kept = worker.edges.add(id, &group.batch.inserted()[firings.clone()], beside);
                    if kept.is_err() {
                        break;
                    }
                }
                worker.firings += firings.len() as u64;
                worker.todo.start = id + 1;
                let is_it = match &self.aim {
                    Aim::Numbers => {
                        worker.tally.visit(states.space(), words, group.rules(firings));
                        false
                    }
                    Aim::Graph => false,
                    Aim::Deadlock => tally::is_dead(states.space(), words, group.rules(firings)),
                    Aim::State(goal) => worker.asked != Some(id) && lock(goal)(states, words),
                };
                if is_it {
                    found = Some(id);
                    break;
                }
            }
            if matches!(self.aim, Aim::Graph) {
                let expanded = worker.todo.start - first;
                self.progress.count(expanded.into(), worker.firings - fired, states.store().len().into())?;
                kept?;
            }
            // The encoding may be one that cannot grow.
            if let (Some(Need::Layout(id, _)), Aim::State(goal), None) = (&misfit, &self.aim, found)
                && worker.asked.replace(*id) != Some(*id)
                && lock(goal)(states, group.current())
            {
                found = Some(*id);
            }
            if found.is_some() {
                // Numbers do not move before it is there, as they are being read.
                lock(&self.queue).found.extend(found);
                self.end(Ok(()));
                return Ok(Next::Idle);
            }
            if let Some(need) = ended.err().map(Need::Room).or(misfit) {
                return Ok(Next::Alone(states.growths(), need));
            }
            if self.hungry.load(Relaxed) > 0 && !worker.fresh.is_empty() {
                self.publish(std::mem::replace(&mut worker.fresh, 0..0));
            }
        }
        Ok(Next::Again)
    }

    /// Keep the number of a new state.
    #[inline]
    fn note(&self, worker: &mut Worker, new: StateId) {
        if worker.fresh.end == new && worker.fresh.len() < GRAIN {
            worker.fresh.end = new + 1;
            return;
        }
        let full = std::mem::replace(&mut worker.fresh, new..new + 1);
        if !full.is_empty() {
            self.publish(full);
        }
    }

    fn publish(&self, range: Range<StateId>) {
        let mut queue = lock(&self.queue);
        queue.ranges.push_back(range);
        if queue.idle > 0 {
            self.wake.notify_one();
        }
    }

    /// Wait until there is something to expand; true if there never will be.
    fn wait(&self) -> bool {
        let mut queue = lock(&self.queue);
        queue.idle += 1;
        loop {
            self.hungry.store(queue.idle, Relaxed);
            if queue.ended.is_none() && queue.ranges.is_empty() && queue.idle == self.threads {
                queue.ended = Some(Ok(()));
                self.wake.notify_all();
            }
            if queue.ended.is_some() {
                return true;
            }
            if !queue.ranges.is_empty() {
                queue.idle -= 1;
                self.hungry.store(queue.idle, Relaxed);
                return false;
            }
            queue = self.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn end(&self, how: Result<(), StopReason>) {
        lock(&self.queue).ended.get_or_insert(how);
        self.wake.notify_all();
    }

    /// Do alone what a thread could not do beside others.
    fn provide(&self, shared: &mut Shared<S>, need: Need, budget: &Budget) -> Result<(), StopReason> {
        let (id, rule) = match need {
            Need::Room(refusal) => return Ok(shared.states.store_mut().make_room(refusal, self.threads as u32)?),
            Need::Layout(id, rule) => (id, rule),
        };
        let holes = shared.holes();
        let used = shared.states.store().used(&holes);
        shared.states.grow_these(&used, id, rule, budget)?;
        // A range has no holes.
        let below = |number: StateId| -> StateId {
            holes.iter().map(|hole| hole.end.min(number).saturating_sub(hole.start)).sum()
        };
        let moved = |range: &mut Range<StateId>| {
            let by = below(range.start);
            *range = range.start - by..range.end - by;
        };
        lock(&self.queue).ranges.iter_mut().for_each(moved);
        let writers = shared.states.store_mut().share(self.threads as u32)?;
        for (worker, writer) in shared.workers.iter_mut().zip(writers) {
            let worker = worker.get_mut().unwrap_or_else(PoisonError::into_inner);
            worker.writer = writer;
            moved(&mut worker.todo);
            moved(&mut worker.fresh);
            worker.origins.move_by(below);
            worker.edges.move_by(below);
            worker.asked = worker.asked.map(|id| id - below(id));
        }
        Ok(shared.taken.move_to(shared.states.store())?)
    }

    /// The path to a state that was found.
    fn trace_to(&mut self, found: StateId) -> Result<Trace, StopReason> {
        let Shared { states, workers, .. } = self.shared.get_mut();
        let workers: Vec<_> = workers.iter().map(lock).collect();
        let origin = |id| workers.iter().find_map(|worker| worker.origins.of(id));
        let mut path: Vec<StateId> = std::iter::successors(Some(found), |&id| origin(id)).collect();
        path.reverse();
        let ticks = states.space().system().tick().is_some();
        let then = if matches!(self.aim, Aim::Deadlock) && !ticks { Then::Deadlock } else { Then::Open };
        trace(states, &path, then)
    }

    /// Put together what the threads have counted.
    fn exploration(self, budget: &Budget) -> Result<(States<S>, Exploration), StopReason> {
        let queue = self.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Ended { states, workers, holes, mut stats } = self.shared.into_inner().ended();
        let mut tally = Tally::new(states.space());
        workers.iter().for_each(|worker| tally.add(&worker.tally));
        let packed = (states.space(), states.layout(), states.store());
        let used = states.store().used(&holes);
        let pieces: Vec<Range<StateId>> = used.into_iter().flat_map(|range| pieces(range, PIECE)).collect();
        let mut extremes = Extremes::of(packed, 0..0, budget)?;
        let look = |pieces: &mut dyn Iterator<Item = Range<StateId>>| -> Result<Extremes, StopReason> {
            let mut all = Extremes::of(packed, 0..0, budget)?;
            for piece in pieces {
                all.add(Extremes::of(packed, piece, budget)?);
            }
            Ok(all)
        };
        share(self.threads, &pieces, look)?.into_iter().for_each(|part| extremes.add(part));
        stats.bytes += (queue.ranges.capacity() * size_of::<Range<StateId>>()) as u64;
        let found = tally.exploration(states.space(), extremes, stats)?;
        Ok((states, found))
    }
}

impl<S: PackedModel> Shared<S> {
    /// Where bytes beside the store are counted.
    fn beside(&self) -> Beside<'_> {
        self.taken.beside(self.states.store())
    }

    /// The result in the end.
    fn ended(mut self) -> Ended<S> {
        let (holes, stats) = (self.holes(), self.stats());
        let Shared { states, workers, .. } = self;
        let workers = workers.into_iter().map(|worker| worker.into_inner().unwrap_or_else(PoisonError::into_inner));
        Ended { states, workers: workers.collect(), holes, stats }
    }

    /// The effort so far.
    fn stats(&mut self) -> Stats {
        let (holes, states) = (self.holes(), &self.states);
        Stats {
            states: states.store().used(&holes).iter().map(|range| u64::from(range.end - range.start)).sum(),
            firings: self.workers.iter().map(|worker| lock(worker).firings).sum(),
            bytes: states.store().bytes(),
            filled: states.store().filled(),
            bits_per_state: states.layout().bits(),
            growths: states.growths(),
        }
    }

    /// A number of states that is not above that of those that were found: each worker may have numbers to spare.
    fn found_at_least(&self) -> u32 {
        let spare = BLOCK.saturating_mul(self.workers.len() as u32);
        self.states.store().len().saturating_sub(spare).max(1)
    }

    /// Numbers that no state has, sorted.
    fn holes(&mut self) -> Vec<Range<StateId>> {
        let workers = self.workers.iter_mut();
        let mut holes: Vec<Range<StateId>> = workers
            .map(|worker| worker.get_mut().unwrap_or_else(PoisonError::into_inner).writer.spare())
            .filter(|hole| !hole.is_empty())
            .collect();
        holes.sort_by_key(|hole| hole.start);
        holes
    }
}

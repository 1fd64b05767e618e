//! The search: level after level, each in rounds of the dataflow.
//!
//! **Rounds.** In a round a worker expands some of its states of the level, so many that what it sends stays within a
//! limit, and tells all others in a [`Note`] whether it has more. It enters the next round at once if it has, but stays
//! within two rounds that are not complete, so that no more than that is under way. Without more, it waits for the
//! round to be complete. If nobody has more, the level is done; all workers see the same notes and come to the same
//! conclusion. A *phase* is some rounds up to one in which nobody has more: a level, or one part of dealing out anew,
//! or the sum.
//!
//! **Packets of later rounds** may come early, of the next phase, in another encoding perhaps. They are put aside until
//! this worker enters their round.
//!
//! **The end** is a level in which nobody had anything to expand.

use super::deal::owner;
use super::fabric::Fabric;
use super::link::{Link, Peers};
use super::meeting::{Hello, listen, meet};
use super::outcome::{Cluster, ClusterError, Distributed, Found, Goal};
use crate::budget::{Budget, Exhausted};
use crate::explicit::disk::{Figures, Growth, Misfit, Names, Worker, complete, first_leading_to, grown, hash_of};
use crate::explicit::fair_rw_lock::FAILED;
use crate::explicit::layout::Layout;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::store::{Batch, Packing, Store};
use crate::explicit::{Exploration, Stats, Trace, View};
use crate::model::{Path, State, Then};
use crate::stop_reason::StopReason;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::net::TcpListener;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{Allocator, Hooks};

/// How much is done at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Words of a packet.
    pub(super) packet: usize,
    /// Words that a worker sends in a round.
    pub(super) round: usize,
    /// States that it expands at a time.
    pub(super) group: u32,
    /// States that it remembers, not to send them twice.
    pub(super) recent: usize,
}

impl Sizes {
    /// For so many bytes of memory of a worker.
    fn within(memory: u64) -> Sizes {
        let round = usize::try_from(memory / 8 / 16).unwrap_or(usize::MAX).clamp(1 << 10, 1 << 20);
        Sizes { packet: (1 << 12).min(round / 8), round, group: 256, recent: (1 << 16).min(round) }
    }
}

/// The first word of a packet: what it is. The second one is its round.
const STATES: u64 = 0;
const NOTE: u64 = 1;
/// Words before what a packet is about.
const HEAD: usize = 2;

/// What a worker tells all others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Note {
    worker: usize,
    /// Another round of this phase is needed.
    more: bool,
    /// Its states on this level and those before it, and those on this level.
    states: u64,
    waiting: u64,
    misfit: Option<Misfit>,
    /// The first states found on this level, by goal, and the first one that leads to the state in question: values.
    found: Vec<(usize, Vec<u64>)>,
    leading: Option<Misfit>,
    /// Goals without a value in some state.
    undefined: Vec<usize>,
    /// What the names of values are known by, and the encoding, which grows in each process by itself.
    names: Vec<(u32, u64, u64)>,
    layout: u64,
    /// What it has sent: states, and bytes of its whole process.
    sent: [u64; 2],
    /// In phases for that.
    sum: Option<Sum>,
    /// It ends here.
    stop: Option<Stop>,
}

/// What a worker has found.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sum {
    figures: Figures,
    /// The level of the deadlock among these.
    dead_level: u64,
    bytes: u64,
    filled: u64,
}

/// Why a worker ends: what others make of its reason.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Stop {
    Time,
    Memory,
    Cancelled,
    Lost(String),
    Range(String, u32),
    Other(String),
}

impl Stop {
    fn of(stop: &StopReason) -> Stop {
        match stop {
            StopReason::Exhausted(Exhausted::Time | Exhausted::Work) => Stop::Time,
            StopReason::Exhausted(Exhausted::Memory) => Stop::Memory,
            StopReason::Exhausted(Exhausted::Cancelled) => Stop::Cancelled,
            StopReason::Lost { what } => Stop::Lost(what.clone()),
            StopReason::OutOfRange { variable, bits } => Stop::Range(variable.clone(), *bits),
            other => Stop::Other(other.to_string()),
        }
    }

    /// The reason of a process with this name, which may be the same.
    fn reason(self, name: &str, is_own: bool) -> StopReason {
        match self {
            Stop::Cancelled if !is_own => StopReason::Lost { what: format!("{name} was interrupted") },
            Stop::Time if !is_own => StopReason::Lost { what: format!("{name} ran out of time") },
            Stop::Memory if !is_own => StopReason::Lost { what: format!("{name} ran out of memory") },
            Stop::Time => Exhausted::Time.into(),
            Stop::Memory => Exhausted::Memory.into(),
            Stop::Cancelled => Exhausted::Cancelled.into(),
            Stop::Lost(what) => StopReason::Lost { what },
            Stop::Range(variable, bits) => StopReason::OutOfRange { variable, bits },
            Stop::Other(what) => StopReason::Model(what),
        }
    }
}

/// Visit all reachable states together with other processes, and count. `progress` is told now and then how many there
/// are so far.
pub(in crate::explicit) fn explore<S: PackedModel>(
    space: &Arc<S>,
    cluster: &Cluster,
    threads: usize,
    budget: &Budget,
    progress: &mut dyn FnMut(u64),
) -> Result<Distributed, ClusterError> {
    together((space, &[]), cluster, threads, budget, progress, Search::explore)
}

/// Search for reachable states that satisfy these conditions, which have the same order in all processes, until there is
/// one of each or all states have been seen.
pub(in crate::explicit) fn find<S: PackedModel>(
    space: &Arc<S>,
    goals: &[Goal<'_>],
    cluster: &Cluster,
    threads: usize,
    budget: &Budget,
    progress: &mut dyn FnMut(u64),
) -> Result<Distributed<Found>, ClusterError> {
    together((space, goals), cluster, threads, budget, progress, Search::find)
}

/// What a worker does: its result, which is that of all of them, and a deadlock.
type Work<'b, S, T> = fn(&mut Search<'b, S>, &mut dyn FnMut(u64)) -> Result<(T, Option<State>), StopReason>;

fn together<'b, S: PackedModel, T: Send>(
    about: (&Arc<S>, &'b [Goal<'b>]),
    cluster: &Cluster,
    threads: usize,
    budget: &'b Budget,
    progress: &mut dyn FnMut(u64),
    work: Work<'b, S, T>,
) -> Result<Distributed<T>, ClusterError> {
    let Some(host) = cluster.hosts.get(cluster.process) else {
        let (process, count) = (cluster.process, cluster.hosts.len());
        return Err(ClusterError::Refused(format!(
            "there is no process {process}: the list has {count}, and they count from 0"
        )));
    };
    #[cfg(test)]
    let known = super::tests::listener();
    #[cfg(not(test))]
    let known = None;
    let listener = known.map_or_else(|| listen(host), Ok)?;
    let threads = threads.max(1);
    let sizes = Sizes::within(budget.memory().unwrap_or(u64::MAX) / threads as u64);
    #[cfg(test)]
    let sizes = super::tests::sizes().unwrap_or(sizes);
    together_at(&listener, about, cluster, (threads, sizes), budget, progress, work)
}

/// The same where the others find this process.
fn together_at<'b, S: PackedModel, T: Send>(
    listener: &TcpListener,
    (space, goals): (&Arc<S>, &'b [Goal<'b>]),
    cluster: &Cluster,
    (threads, sizes): (usize, Sizes),
    budget: &'b Budget,
    progress: &mut dyn FnMut(u64),
    work: Work<'b, S, T>,
) -> Result<Distributed<T>, ClusterError> {
    let Cluster { hosts, process, fingerprint } = cluster;
    let system = space.system();
    if space.kept(&system.initial()).is_some() {
        let why = "states that stand for others cannot be explored on several machines";
        return Err(StopReason::Unsupported(why).into());
    }
    let known_by = (*fingerprint, hash_of(&(space.layout(), system.initial_states())));
    let hello = Hello::new(hosts, *process, threads, known_by);
    let sockets = meet(listener, hosts, &hello, budget)?;
    let peers = Peers::new((0..hosts.len()).map(|process| hello.name(process)).collect());
    let failed = |error: io::Error| ClusterError::Refused(format!("cannot use a connection: {error}"));
    let link = |(peer, socket): (usize, Option<_>)| {
        socket.map(|socket| Link::new(socket, peer, Arc::clone(&peers))).transpose()
    };
    let links: Vec<Option<Link>> =
        sockets.into_iter().enumerate().map(link).collect::<Result<_, _>>().map_err(failed)?;
    let hooks = Hooks::default();
    let local = ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), hooks.spill.clone());
    let (builders, guard) =
        initialize_networking_from_sockets(local, links, *process, threads, hooks).map_err(failed)?;
    let work = |builder: TcpBuilder, progress: &mut dyn FnMut(u64)| {
        let work = || {
            let fabric = Fabric::new(Allocator::Tcp(builder.build()), Arc::clone(&peers));
            let about = (Arc::clone(space), goals);
            Search::new(fabric, about, (threads, hosts.len()), sizes, budget).run(work, progress)
        };
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            peers.failed.store(true, Ordering::Release);
            Known::default().ending(Err(FAILED), (threads, hosts.len()))
        })
    };
    let mut builders = builders.into_iter();
    let first = builders.next();
    let found = std::thread::scope(|scope| {
        for builder in builders {
            scope.spawn(|| work(builder, &mut |_| ()));
        }
        first.map(|builder| work(builder, progress))
    });
    // Others have what was sent last, or are gone.
    let patience = if found.as_ref().is_some_and(|found| found.ended.is_ok()) { 60 } else { 2 };
    peers.close(Duration::from_secs(patience));
    // Threads that send fail with the worker that they send for.
    let _failed = catch_unwind(AssertUnwindSafe(|| drop(guard)));
    found.ok_or(ClusterError::Stopped(FAILED))
}

/// What all workers know after a level.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    states: u64,
    levels: u64,
    sent: [u64; 2],
}

impl Known {
    fn ending<T>(
        self,
        ended: Result<(T, Option<State>), StopReason>,
        (threads, processes): (usize, usize),
    ) -> Distributed<T> {
        let (ended, deadlock) = match ended {
            Ok((all, deadlock)) => (Ok(all), deadlock),
            Err(stop) => (Err(stop), None),
        };
        let Known { states, levels, sent: [sent_states, sent_bytes] } = self;
        Distributed { ended, deadlock, states, levels, processes, threads, sent_states, sent_bytes }
    }
}

/// A worker.
struct Search<'b, S: PackedModel> {
    fabric: Fabric,
    budget: &'b Budget,
    sizes: Sizes,
    threads: usize,
    processes: usize,
    /// Memory of this worker's stores.
    memory: u64,
    space: Arc<S>,
    layout: Layout,
    store: Store,
    expander: Worker<S>,
    names: Vec<Names>,
    /// Numbers of the states on this level, and of the next one that is to be expanded or dealt out.
    level: Range<u32>,
    next: u32,
    misfit: Option<Misfit>,
    /// Somebody else's firing does not fit.
    is_given_up: bool,
    /// Of the levels before.
    figures: Figures,
    dead_level: u64,
    growths: u32,
    known: Known,
    sent: u64,
    /// Words sent in this round.
    sent_now: usize,
    /// What waits to be sent, by the worker that gets it.
    outgoing: Vec<Vec<u64>>,
    batch: Batch,
    open: Vec<u64>,
    /// Notes by round, and packets of later rounds.
    notes: BTreeMap<u64, Vec<Note>>,
    early: Vec<Vec<u64>>,
    /// States that are dealt out anew.
    old: Option<(Store, Layout, u32)>,
    is_summing: bool,
    /// What is looked for, and what has been found: the level and the values.
    goals: &'b [Goal<'b>],
    known_states: Vec<Option<(usize, Vec<u64>)>>,
    /// Has it no value in some state?
    undefined: Vec<bool>,
    /// The numbers of the states of each level up to this one, if they are looked at.
    levels: Vec<Range<u32>>,
    /// What this worker has found on this level, and what leads to the state in question.
    found: Vec<(usize, Vec<u64>)>,
    leading: Option<Misfit>,
}

impl<'b, S: PackedModel> Search<'b, S> {
    fn new(
        fabric: Fabric,
        (space, goals): (Arc<S>, &'b [Goal<'b>]),
        (threads, processes): (usize, usize),
        sizes: Sizes,
        budget: &'b Budget,
    ) -> Self {
        // Packets under way, and what is remembered, take a part of it.
        let memory = budget.memory().map_or(u64::MAX, |memory| memory / threads as u64 / 4 * 3);
        let layout = space.layout().with_extra(0);
        let system = space.system();
        Search {
            sizes,
            threads,
            processes,
            memory,
            store: Store::new(layout.bits(), Packing::Dense, memory),
            expander: Worker::new(system, layout.key_words(), sizes.recent),
            names: Names::all(system),
            level: 0..0,
            next: 0,
            misfit: None,
            is_given_up: false,
            figures: Figures::none(system),
            dead_level: 0,
            growths: 0,
            known: Known::default(),
            sent: 0,
            sent_now: 0,
            outgoing: vec![Vec::new(); fabric.workers()],
            batch: Batch::default(),
            open: Vec::new(),
            notes: BTreeMap::new(),
            early: Vec::new(),
            old: None,
            is_summing: false,
            goals,
            known_states: vec![None; goals.len()],
            undefined: vec![false; goals.len()],
            levels: Vec::new(),
            found: Vec::new(),
            leading: None,
            budget,
            fabric,
            layout,
            space,
        }
    }

    /// Work to the end, in whichever way it comes.
    fn run<T>(mut self, work: Work<'b, S, T>, progress: &mut dyn FnMut(u64)) -> Distributed<T> {
        let ended = work(&mut self, progress);
        // Others wait for a note of each round, this one's too.
        if let Err(stop) = &ended {
            let note = Note { worker: self.fabric.index(), stop: Some(Stop::of(stop)), ..Note::default() };
            self.tell(&note);
        }
        self.fabric.close();
        self.known.ending(ended, (self.threads, self.processes))
    }

    /// Visit all states.
    fn explore(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(Exploration, Option<State>), StopReason> {
        self.visit(progress)?;
        let notes = self.sum()?;
        Ok(self.total(notes))
    }

    /// Visit states until all goals are found, and find paths to them.
    fn find(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(Found, Option<State>), StopReason> {
        self.visit(progress)?;
        let notes = self.sum()?;
        let (exploration, deadlock) = self.total(notes);
        let known = self.known_states.clone();
        let traces = known.into_iter().map(|known| known.map(|(level, values)| self.trace(level, values)).transpose());
        let traces = traces.collect::<Result<_, _>>()?;
        Ok((Found { traces, undefined: self.undefined.clone(), stats: exploration.stats }, deadlock))
    }

    /// Visit level after level, until all goals are found if there are any.
    fn visit(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), StopReason> {
        let own = self.fabric.index();
        self.batch.clear(self.layout.key_words());
        for initial in self.space.system().initial_states() {
            let words = self.key_of(initial.as_slice())?;
            let key = &words[..self.layout.key_words()];
            if owner(key, self.fabric.workers()) == own {
                self.batch.push_alone(key);
            }
        }
        self.store.insert_all(&mut self.batch)?;
        self.level = 0..self.store.len();
        if self.look()? {
            return Ok(());
        }
        loop {
            self.next = self.level.start;
            (self.misfit, self.is_given_up) = (None, false);
            let notes = self.phase(Self::expand)?;
            same(&notes)?;
            if let Some(misfit) = notes.iter().find_map(|note| note.misfit.clone()) {
                self.grow(misfit)?;
                continue;
            }
            let found = std::mem::replace(&mut self.expander.figures, Figures::none(self.space.system()));
            if self.figures.deadlock.is_none() && found.deadlock.is_some() {
                self.dead_level = self.known.levels;
            }
            self.figures.add(&found);
            self.take_note(&notes);
            progress(self.known.states);
            if notes.iter().all(|note| note.waiting == 0) {
                return Ok(());
            }
            self.known.levels += 1;
            self.level = self.level.end..self.store.len();
            if self.look()? {
                return Ok(());
            }
        }
    }

    /// The words of a state.
    fn key_of(&self, values: &[u64]) -> Result<Vec<u64>, StopReason> {
        let mut words = vec![0; self.layout.words()];
        match self.layout.encode(values, &mut words) {
            true => Ok(words),
            false => Err(StopReason::Unsupported("a state cannot be encoded")),
        }
    }

    /// Look for goals on the level. Says whether there are any, and all are found.
    fn look(&mut self) -> Result<bool, StopReason> {
        if self.goals.is_empty() {
            return Ok(false);
        }
        self.levels.push(self.level.clone());
        self.next = self.level.start;
        let notes = self.phase(Self::look_at_some)?;
        same(&notes)?;
        self.found.clear();
        let goals =
            notes.iter().flat_map(|note| note.found.iter().map(|found| found.0).chain(note.undefined.iter().copied()));
        if goals.max().is_some_and(|most| most >= self.goals.len()) {
            return Err(StopReason::Unsupported("the processes look for different states"));
        }
        notes.iter().flat_map(|note| &note.undefined).for_each(|&goal| self.undefined[goal] = true);
        let level = self.levels.len() - 1;
        for (goal, known) in self.known_states.iter_mut().enumerate().filter(|(_, known)| known.is_none()) {
            let found = notes.iter().flat_map(|note| &note.found).filter(|found| found.0 == goal);
            *known = found.map(|found| &found.1).min().map(|values| (level, values.clone()));
        }
        Ok(self.known_states.iter().all(Option::is_some))
    }

    /// Look for goals among some states of the level, and say whether there are more to look at.
    fn look_at_some(&mut self) -> Result<bool, StopReason> {
        let end = self.level.end.min(self.next.saturating_add(self.sizes.group));
        self.read(end);
        let (mut words, mut values) = (Vec::new(), Vec::new());
        for state in self.open.chunks_exact(self.layout.key_words()) {
            complete(state, &self.layout, &mut words);
            let view = View { layout: &self.layout, words: &words };
            for (number, goal) in self.goals.iter().enumerate() {
                let is_open = self.known_states[number].is_none() && self.found.iter().all(|found| found.0 != number);
                match is_open.then(|| goal(view)) {
                    Some(Some(true)) => {
                        self.layout.decode(&words, &mut values);
                        self.found.push((number, values.clone()));
                    }
                    Some(None) => self.undefined[number] = true,
                    _ => {}
                }
            }
        }
        Ok(end < self.level.end)
    }

    /// A shortest path to a state on a level, which all look for together.
    fn trace(&mut self, level: usize, values: Vec<u64>) -> Result<Trace, StopReason> {
        let (mut values, last) = (values.clone(), State::new(values));
        let mut prefix = Vec::with_capacity(level);
        for before in (0..level).rev() {
            let (range, key) = (self.levels[before].clone(), self.key_of(&values)?);
            let key = &key[..self.layout.key_words()];
            self.next = range.start;
            let notes = self.phase(|search| search.look_before(key, range.end))?;
            self.leading = None;
            let leading = notes.into_iter().filter_map(|note| note.leading).min();
            let Some((from, rule)) = leading else {
                return Err(StopReason::Unsupported("a state of the exploration has been lost"));
            };
            prefix.push(self.space.step(rule));
            values = from;
        }
        prefix.reverse();
        Ok(Trace { path: Path { prefix, then: Then::Open }, last })
    }

    /// Look among some states for one that leads to this one, and say whether there are more to look at.
    fn look_before(&mut self, key: &[u64], last: u32) -> Result<bool, StopReason> {
        if self.leading.is_some() {
            return Ok(false);
        }
        let end = last.min(self.next.saturating_add(self.sizes.group));
        self.read(end);
        if let Some((from, rule)) = first_leading_to(key, &*self.space, &self.layout, &self.open)? {
            let (mut words, mut values) = (Vec::new(), Vec::new());
            complete(&from, &self.layout, &mut words);
            self.layout.decode(&words, &mut values);
            self.leading = Some((values, rule));
            return Ok(false);
        }
        Ok(end < last)
    }

    /// Read the states from the next one on up to this number.
    fn read(&mut self, end: u32) {
        let words = self.layout.key_words();
        self.open.clear();
        self.open.resize(end.saturating_sub(self.next) as usize * words, 0);
        for (id, key) in (self.next..end).zip(self.open.chunks_exact_mut(words)) {
            self.store.get(id, key);
        }
        self.next = end;
    }

    /// Remember what all know now.
    fn take_note(&mut self, notes: &[Note]) {
        self.known.states = notes.iter().map(|note| note.states).sum();
        // Each thread of a process says what the process has sent.
        let bytes = notes.chunks(self.threads).filter_map(|process| process.iter().map(|note| note.sent[1]).max());
        self.known.sent = [notes.iter().map(|note| note.sent[0]).sum(), bytes.sum()];
    }

    /// A phase in which all say what they have found.
    fn sum(&mut self) -> Result<Vec<Note>, StopReason> {
        self.is_summing = true;
        let notes = self.phase(|_| Ok(false));
        self.is_summing = false;
        notes
    }

    /// All that was found, put together.
    fn total(&mut self, notes: Vec<Note>) -> (Exploration, Option<State>) {
        self.take_note(&notes);
        let mut all = Figures::none(self.space.system());
        let (mut bytes, mut filled, mut deadlock) = (0, 0, None::<(u64, Vec<u64>)>);
        for sum in notes.into_iter().filter_map(|note| note.sum) {
            all.add(&sum.figures);
            (bytes, filled) = (bytes + sum.bytes, filled + sum.filled);
            let dead = sum.figures.deadlock.map(|values| (sum.dead_level, values));
            deadlock = [deadlock, dead].into_iter().flatten().min();
        }
        let exploration = Exploration {
            states: self.known.states.into(),
            transitions: all.firings.into(),
            deadlocks: all.deadlocks.into(),
            // They would have to be told apart by everyone.
            markings: None,
            max_tokens_per_marking: all.greatest_sum(),
            bounds: all.bounds,
            fireable: all.fireable,
            stats: Stats {
                states: self.known.states,
                firings: all.firings,
                bytes,
                filled,
                bits_per_state: self.layout.bits(),
                growths: self.growths,
            },
        };
        (exploration, deadlock.map(|(_, values)| State::new(values)))
    }

    /// Go on with a job, round after round, until nobody has more to do: the notes of the last round, by worker.
    fn phase(&mut self, job: impl Fn(&mut Self) -> Result<bool, StopReason>) -> Result<Vec<Note>, StopReason> {
        loop {
            let round = self.fabric.round();
            while round >= 2 && !self.fabric.is_complete(round - 2) {
                self.receive(true)?;
            }
            self.take_early()?;
            let mut more = true;
            self.sent_now = 0;
            while more && self.sent_now < self.sizes.round {
                more = job(self)?;
                self.receive(false)?;
            }
            for worker in 0..self.outgoing.len() {
                self.send(worker);
            }
            let note = self.note(more);
            self.tell(&note);
            // Until it enters the next one, it is in this round: packets of the next one may be of another phase.
            if more {
                self.fabric.advance();
                continue;
            }
            self.fabric.advance();
            while !self.fabric.is_complete(round) {
                self.receive_up_to(round, true)?;
            }
            self.receive_up_to(round, false)?;
            let mut notes = self.notes.remove(&round).unwrap_or_default();
            self.notes.retain(|&other, _| other > round);
            notes.sort_by_key(|note| note.worker);
            if notes.len() != self.fabric.workers() {
                return Err(StopReason::Unsupported("a message of the exploration has been lost"));
            }
            if notes.iter().all(|note| !note.more) {
                return Ok(notes);
            }
        }
    }

    fn note(&mut self, more: bool) -> Note {
        let system = self.space.system();
        self.names.iter_mut().for_each(|names| names.learn(system, None));
        let sum = self.is_summing.then(|| {
            let mut figures = self.figures.clone();
            // Where the encoding grows, these are only bounds.
            figures.bounds.iter_mut().zip(&self.expander.figures.bounds).for_each(|(one, &two)| *one = two.max(*one));
            let (bytes, filled) = (self.store.bytes(), self.store.filled());
            Sum { figures, dead_level: self.dead_level, bytes, filled }
        });
        Note {
            worker: self.fabric.index(),
            more,
            states: self.level.end.into(),
            waiting: self.level.len() as u64,
            misfit: self.misfit.clone(),
            found: self.found.clone(),
            leading: self.leading.clone(),
            undefined: (0..self.goals.len()).filter(|&goal| self.undefined[goal]).collect(),
            names: self.names.iter().map(Names::entry).collect(),
            layout: hash_of(&self.layout),
            sent: [self.sent, self.fabric.peers.sent()],
            sum,
            stop: None,
        }
    }

    /// Send a note to all workers.
    fn tell(&mut self, note: &Note) {
        let Ok(text) = serde_json::to_vec(note) else { return };
        let mut words = vec![NOTE, self.fabric.round(), text.len() as u64];
        words.extend(text.chunks(8).map(|chunk| {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(bytes)
        }));
        for worker in 0..self.fabric.workers() {
            self.fabric.send(worker, words.clone());
        }
    }

    /// Send the states that wait for a worker.
    fn send(&mut self, worker: usize) {
        if self.outgoing[worker].len() <= HEAD {
            return;
        }
        let words = std::mem::take(&mut self.outgoing[worker]);
        self.sent_now += words.len();
        let is_elsewhere = worker / self.threads != self.fabric.index() / self.threads;
        self.sent += if is_elsewhere { ((words.len() - HEAD) / self.layout.key_words()) as u64 } else { 0 };
        self.fabric.send(worker, words);
    }

    /// Take in what has come.
    fn receive(&mut self, waits: bool) -> Result<(), StopReason> {
        self.receive_up_to(self.fabric.round(), waits)
    }

    /// The same, but packets of rounds after this one are put aside.
    fn receive_up_to(&mut self, round: u64, waits: bool) -> Result<(), StopReason> {
        self.budget.check()?;
        if self.fabric.peers.failed.load(Ordering::Acquire) {
            return Err(FAILED);
        }
        let lost = self.fabric.peers.lost();
        // What was sent before the connection broke has come.
        self.fabric.step(waits && lost.is_none());
        while let Some(packet) = self.fabric.next() {
            match packet[..] {
                [STATES, of, ..] if of > round => self.early.push(packet),
                [STATES, ..] => self.insert(&packet[HEAD..])?,
                [NOTE, of, length, ref text @ ..] => self.hear(of, length, text)?,
                _ => return Err(StopReason::Unsupported("a message of the exploration is not what was expected")),
            }
        }
        lost.map_or(Ok(()), |what| Err(StopReason::Lost { what }))
    }

    /// Hear what another worker tells.
    fn hear(&mut self, round: u64, length: u64, text: &[u64]) -> Result<(), StopReason> {
        let mut bytes: Vec<u8> = text.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(length as usize);
        let Ok(note) = serde_json::from_slice::<Note>(&bytes) else {
            return Err(StopReason::Unsupported("a message of the exploration is not what was expected"));
        };
        if let Some(stop) = note.stop {
            let process = note.worker / self.threads;
            return Err(stop.reason(&self.fabric.peers.names[process], process == self.fabric.index() / self.threads));
        }
        self.is_given_up |= note.misfit.is_some();
        self.notes.entry(round).or_default().push(note);
        Ok(())
    }

    /// Take in what came before its time.
    fn take_early(&mut self) -> Result<(), StopReason> {
        let round = self.fabric.round();
        let (now, later) =
            std::mem::take(&mut self.early).into_iter().partition(|packet: &Vec<u64>| packet[1] <= round);
        self.early = later;
        now.into_iter().try_for_each(|packet: Vec<u64>| self.insert(&packet[HEAD..]))
    }

    /// Insert states of this worker.
    fn insert(&mut self, keys: &[u64]) -> Result<(), StopReason> {
        let words = self.layout.key_words();
        for keys in keys.chunks(words * self.sizes.group as usize) {
            self.batch.clear(words);
            keys.chunks_exact(words).for_each(|key| self.batch.push_alone(key));
            self.store.insert_all(&mut self.batch)?;
        }
        Ok(())
    }

    /// Deal out some states: insert those of this worker, and send the others once there are enough of them.
    fn deal(&mut self, keys: &[u64]) -> Result<(), StopReason> {
        let (words, workers, own) = (self.layout.key_words(), self.fabric.workers(), self.fabric.index());
        self.batch.clear(words);
        for key in keys.chunks_exact(words) {
            let worker = owner(key, workers);
            if worker == own {
                self.batch.push_alone(key);
                continue;
            }
            let packet = &mut self.outgoing[worker];
            if packet.is_empty() {
                packet.extend([STATES, self.fabric.round()]);
            }
            packet.extend_from_slice(key);
            if packet.len() >= self.sizes.packet {
                self.send(worker);
            }
        }
        Ok(self.store.insert_all(&mut self.batch)?)
    }

    /// Expand some states of the level, and say whether there are more.
    fn expand(&mut self) -> Result<bool, StopReason> {
        if self.is_given_up || self.misfit.is_some() {
            return Ok(false);
        }
        let end = self.level.end.min(self.next.saturating_add(self.sizes.group));
        self.read(end);
        self.misfit = self.expander.expand(&self.space, &self.layout, &self.open)?;
        let found = std::mem::take(&mut self.expander.found);
        self.deal(&found)?;
        self.expander.found = found;
        self.expander.found.clear();
        Ok(end < self.level.end && self.misfit.is_none())
    }

    /// Make room for a firing: all states are encoded anew and dealt out again, and the level begins again.
    fn grow(&mut self, (values, rule): Misfit) -> Result<(), StopReason> {
        let mut most = vec![0; self.space.system().variables()];
        for sum in self.sum()?.into_iter().filter_map(|note| note.sum) {
            most.iter_mut().zip(sum.figures.bounds).for_each(|(one, two)| *one = two.max(*one));
        }
        let space = grown(&self.space, &Growth { values, rule, most })?;
        let layout = space.layout().with_extra(0);
        // Both stores exist for a while.
        let store = Store::new(layout.bits(), Packing::Dense, self.memory.saturating_sub(self.store.bytes()));
        self.expander = Worker::new(space.system(), layout.key_words(), self.sizes.recent);
        self.space = space;
        let old = (std::mem::replace(&mut self.store, store), std::mem::replace(&mut self.layout, layout));
        // Level by level, if each is looked at: their states stay together.
        let levels = match self.levels[..] {
            [] => vec![0..self.level.start, self.level.clone()],
            _ => std::mem::take(&mut self.levels),
        };
        self.old = Some((old.0, old.1, 0));
        self.next = 0;
        let mut now = Vec::with_capacity(levels.len());
        for level in levels {
            if let Some((.., last)) = &mut self.old {
                *last = level.end;
            }
            let first = self.store.len();
            self.phase(Self::deal_again)?;
            now.push(first..self.store.len());
        }
        self.old = None;
        self.store.set_limit(self.memory);
        self.level = now.last().cloned().unwrap_or_default();
        self.levels = if self.goals.is_empty() { Vec::new() } else { now };
        self.growths += 1;
        Ok(())
    }

    /// Deal out some states in the new encoding, and say whether there are more.
    fn deal_again(&mut self) -> Result<bool, StopReason> {
        let Some((store, layout, last)) = self.old.take() else { return Ok(false) };
        let end = last.min(self.next.saturating_add(self.sizes.group));
        let (mut words, mut values, mut key) = (vec![0; layout.words()], Vec::new(), vec![0; self.layout.words()]);
        let mut keys = Vec::new();
        for id in self.next..end {
            words.fill(0);
            store.get(id, &mut words[..layout.key_words()]);
            layout.complete(&mut words);
            layout.recode(&words, &self.layout, &mut values, &mut key);
            keys.extend_from_slice(&key[..self.layout.key_words()]);
        }
        self.next = end;
        self.old = Some((store, layout, last));
        self.deal(&keys)?;
        Ok(end < last)
    }
}

/// Do all workers mean the same by their words?
fn same(notes: &[Note]) -> Result<(), StopReason> {
    if notes.iter().any(|note| note.names != notes[0].names) {
        return Err(StopReason::Unsupported(
            "the values of this model are numbered while it is explored, by each process otherwise: it cannot be \
             explored on several machines",
        ));
    }
    if notes.iter().any(|note| note.layout != notes[0].layout) {
        return Err(StopReason::Unsupported(
            "the processes encode states in different ways: they run different builds",
        ));
    }
    Ok(())
}

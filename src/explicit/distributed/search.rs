//! The search: level after level, each in rounds of the dataflow.
//!
//! **The end** is a level in which nobody had anything to expand.

use super::deal::owner;
use super::fabric::Fabric;
use super::note::{Note, Stop, same};
use super::outcome::{Distributed, Found, Goal};
use super::waves::{Edges, Wave};
use crate::budget::Budget;
use crate::explicit::disk::{Figures, Misfit, Names, RECENT_WORDS, Worker};
use crate::explicit::layout::Layout;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::store::{Batch, Packing, Store};
use crate::explicit::{Exploration, Stats};
use crate::model::State;
use crate::stop_reason::StopReason;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// How much is done at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Words of a packet.
    pub(super) packet: usize,
    /// Words that a worker sends in a round.
    pub(super) round: usize,
    /// States that it expands at a time.
    pub(super) group: u32,
    /// Words of the states that it remembers, not to send them twice.
    pub(super) recent: usize,
}

impl Sizes {
    /// For so many bytes of memory of a worker.
    pub(super) fn within(memory: u64) -> Sizes {
        let round = usize::try_from(memory / 8 / 16).unwrap_or(usize::MAX).clamp(1 << 10, 1 << 20);
        Sizes { packet: (1 << 12).min(round / 8), round, group: 256, recent: RECENT_WORDS.min(round) }
    }
}

/// What a worker does: its result, which is that of all of them, and a deadlock.
pub(super) type Work<'w, 'b, S, T> =
    &'w (dyn Fn(&mut Search<'b, S>, &mut dyn FnMut(u64)) -> Result<(T, Option<State>), StopReason> + Sync);

/// What all workers know after a level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    pub(super) states: u64,
    pub(super) levels: u64,
    pub(super) sent: [u64; 2],
}

impl Known {
    pub(super) fn ending<T>(
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
pub(super) struct Search<'b, S: PackedModel> {
    pub(super) fabric: Fabric,
    pub(super) budget: &'b Budget,
    pub(super) sizes: Sizes,
    pub(super) threads: usize,
    pub(super) processes: usize,
    /// Memory of this worker's stores.
    pub(super) memory: u64,
    pub(super) space: Arc<S>,
    pub(super) layout: Layout,
    pub(super) store: Store,
    pub(super) expander: Worker<S>,
    pub(super) names: Vec<Names>,
    /// Numbers of the states on this level, and of the next one that is to be expanded or dealt out.
    pub(super) level: Range<u32>,
    pub(super) next: u32,
    pub(super) misfit: Option<Misfit>,
    /// Somebody else's firing does not fit.
    pub(super) is_given_up: bool,
    /// Of the levels before.
    pub(super) figures: Figures,
    pub(super) dead_level: u64,
    pub(super) growths: u32,
    pub(super) known: Known,
    pub(super) sent: u64,
    /// Words sent in this round.
    pub(super) sent_now: usize,
    /// What waits to be sent, by the worker that gets it.
    pub(super) outgoing: Vec<Vec<u64>>,
    pub(super) batch: Batch,
    pub(super) open: Vec<u64>,
    /// Notes by round, and packets of later rounds.
    pub(super) notes: BTreeMap<u64, Vec<Note>>,
    pub(super) early: Vec<Vec<u64>>,
    /// States that are dealt out anew.
    pub(super) old: Option<(Store, Layout, u32)>,
    pub(super) is_summing: bool,
    /// What is looked for, the values of the states that have been found, and all that is known to all workers.
    pub(super) goals: &'b [Goal<'b>],
    pub(super) known_states: Vec<Option<Vec<u64>>>,
    pub(super) result: Found,
    /// Has it no value in some state?
    pub(super) undefined: Vec<bool>,
    /// The numbers of the states of each level up to this one, if they are looked at.
    pub(super) levels: Vec<Range<u32>>,
    /// What this worker has found on this level, and what leads to the state in question.
    pub(super) found: Vec<(usize, Vec<u64>)>,
    pub(super) leading: Option<Misfit>,
    /// Where each state comes from, and the operator that is being computed.
    pub(super) edges: Edges,
    pub(super) wave: Option<Wave>,
    /// States of this level, or of this operator.
    pub(super) waiting: u64,
    /// What the automaton of the formula is known by.
    pub(super) automaton: u64,
    /// Why a condition has no value in some state; is a formula true in the initial state, if that is of this worker?
    pub(super) no_value: Option<Stop>,
    pub(super) holds: Option<bool>,
}

impl<'b, S: PackedModel> Search<'b, S> {
    pub(super) fn new(
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
            result: Found::default(),
            undefined: vec![false; goals.len()],
            levels: Vec::new(),
            found: Vec::new(),
            leading: None,
            edges: Edges::default(),
            wave: None,
            waiting: 0,
            automaton: 0,
            no_value: None,
            holds: None,
            budget,
            fabric,
            layout,
            space,
        }
    }

    /// Work to the end, in whichever way it comes.
    pub(super) fn run<T>(mut self, work: Work<'_, 'b, S, T>, progress: &mut dyn FnMut(u64)) -> Distributed<T> {
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
    pub(super) fn explore(
        &mut self,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Exploration, Option<State>), StopReason> {
        self.visit(true, progress)?;
        let notes = self.sum()?;
        Ok(self.total(notes))
    }

    /// Visit level after level: all of them, or until all goals are found.
    pub(super) fn visit(&mut self, all: bool, progress: &mut dyn FnMut(u64)) -> Result<(), StopReason> {
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
        if self.look()? && !all {
            return Ok(());
        }
        loop {
            self.next = self.level.start;
            self.waiting = self.level.len() as u64;
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
            if self.look()? && !all {
                return Ok(());
            }
        }
    }

    /// The words of a state.
    pub(super) fn key_of(&self, values: &[u64]) -> Result<Vec<u64>, StopReason> {
        let mut words = vec![0; self.layout.words()];
        match self.layout.encode(values, &mut words) {
            true => Ok(words),
            false => Err(StopReason::Unsupported("a state cannot be encoded")),
        }
    }

    /// Read the states from the next one on up to this number.
    pub(super) fn read(&mut self, end: u32) {
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
    pub(super) fn sum(&mut self) -> Result<Vec<Note>, StopReason> {
        self.is_summing = true;
        let notes = self.phase(|_| Ok(false));
        self.is_summing = false;
        notes
    }

    /// All that was found, put together.
    pub(super) fn total(&mut self, notes: Vec<Note>) -> (Exploration, Option<State>) {
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
}

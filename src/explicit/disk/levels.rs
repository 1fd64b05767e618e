//! The search: level after level, and the manifest between two of them.

use super::expansion::{self, Misfit, RECENT_WORDS, Worker, complete};
use super::folder::Folder;
use super::manifest::{Entry, Growth, Manifest, Names, entry, hash_of};
use super::merge::{BATCH, Known};
use super::outcome::{Disk, DiskError, OnDisk};
use super::run::{Reader, Run, Shape, Writer};
use super::sorter::{MOST_WORDS, Sorter};
use super::tiers::Tiers;
use crate::budget::{Budget, Exhausted};
use crate::explicit::layout::Layout;
use crate::explicit::packed_model::{PackedModel, Rule};
use crate::explicit::results::Report;
use crate::explicit::{Exploration, Searched, Stats, Trace, View};
use crate::model::{Path, State, Then};
use crate::stop_reason::StopReason;
use crate::threads::pool;
use rayon::ThreadPool;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Memory where no limit is set: 1 GiB.
const MEMORY: u64 = 1 << 30;

/// How much is done at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Words of the buffer.
    pub(super) buffer: usize,
    /// Words of a block.
    pub(super) block: usize,
    /// Words of the states that each thread remembers.
    pub(super) recent: usize,
    /// States that each thread expands at a time.
    pub(super) batch: usize,
    /// Bytes that the beginnings of blocks may take.
    index: u64,
    /// Are data on the disk when they are said to be?
    durable: bool,
}

impl Sizes {
    /// For so many bytes of memory, and states of so many words.
    fn within(memory: u64, words: usize) -> Sizes {
        // Sorting by references takes another buffer.
        let part = if words > MOST_WORDS { 4 } else { 2 };
        let buffer = usize::try_from(memory / part / 8).unwrap_or(usize::MAX);
        let block = BATCH.min(buffer / 64);
        let recent = RECENT_WORDS.min(buffer / 64);
        Sizes { buffer, block, recent, batch: 4096.min(buffer / 64 / words + 1), index: memory / 4, durable: true }
    }

    /// For tests: a buffer and blocks of so many words.
    #[cfg(test)]
    pub(super) fn tiny(buffer: usize, block: usize) -> Sizes {
        Sizes { buffer, block, recent: 8, batch: 5, index: u64::MAX, durable: false }
    }
}

/// Visit all reachable states and count. `progress` is told now and then how many there are so far.
pub(in crate::explicit) fn explore<S: PackedModel>(
    space: Arc<S>,
    disk: &Disk,
    threads: usize,
    budget: &Budget,
    progress: &mut dyn FnMut(u64),
) -> OnDisk {
    in_folder(space, disk, false, threads, budget, |search| {
        progress(search.manifest.states);
        while search.advance(budget, progress)? {}
        let figures = &search.manifest.figures;
        Ok(Exploration {
            states: search.manifest.states.into(),
            transitions: figures.firings.into(),
            deadlocks: figures.deadlocks.into(),
            // They would have to be told apart in memory.
            markings: None,
            bounds: figures.bounds.clone(),
            max_tokens_per_marking: figures.greatest_sum(),
            fireable: figures.fireable.clone(),
            stats: search.stats(),
        })
    })
}

/// Search for reachable states that satisfy `goal`, which is asked about each state once, level after level, until the
/// report of one says that it is enough. The levels are kept, and looked through again by the next search.
pub(in crate::explicit) fn find<S: PackedModel>(
    space: Arc<S>,
    disk: &Disk,
    threads: usize,
    budget: &Budget,
    (goal, report): (&mut dyn FnMut(View<'_>) -> bool, Report<'_>),
    progress: &mut dyn FnMut(u64),
) -> OnDisk<Searched> {
    in_folder(space, disk, true, threads, budget, |search| {
        progress(search.manifest.states);
        let mut distance = 0;
        loop {
            while distance < search.kept().len() {
                let trace = search.look(distance, budget, goal, report)?;
                if trace.is_some() {
                    return Ok(Searched { trace, stats: search.stats() });
                }
                distance += 1;
            }
            if !search.advance(budget, progress)? {
                return Ok(Searched { trace: None, stats: search.stats() });
            }
        }
    })
}

/// Work on what is in a folder, whose levels are perhaps kept.
pub(super) fn in_folder<S: PackedModel, T>(
    space: Arc<S>,
    disk: &Disk,
    keep: bool,
    threads: usize,
    budget: &Budget,
    work: impl FnOnce(&mut Search<'_, S>) -> Result<T, DiskError>,
) -> OnDisk<T> {
    let sizes = Sizes::within(budget.memory().unwrap_or(MEMORY), space.layout().key_words());
    #[cfg(test)]
    let sizes = super::tests::sizes().unwrap_or(sizes);
    let unknown = |error| OnDisk { ended: Err(error), deadlock: None, states: 0, levels: 0, resumed: 0, peak_bytes: 0 };
    let folder = match Folder::open(&disk.folder, disk.quota, sizes.durable) {
        Ok(folder) => folder,
        Err(error) => return unknown(error),
    };
    let mut search = match Search::begin(&folder, space, disk, (sizes, keep), threads, budget) {
        Ok(search) => search,
        Err(error) => return unknown(error),
    };
    let resumed = search.manifest.levels;
    let ended = work(&mut search);
    let Search { manifest, .. } = search;
    if ended.is_err() {
        // What does not belong to a level takes room, and is of no use.
        let _left = folder.sweep(&manifest.runs());
    }
    let deadlock = manifest.figures.deadlock.clone().map(State::new);
    let (states, levels) = (manifest.states, manifest.levels);
    OnDisk { ended, deadlock, states, levels, resumed, peak_bytes: folder.peak() }
}

/// A search between two levels.
pub(super) struct Search<'f, S: PackedModel> {
    folder: &'f Folder,
    space: Arc<S>,
    layout: Layout,
    sizes: Sizes,
    pool: Option<ThreadPool>,
    workers: Vec<Worker<S>>,
    sorter: Sorter<'f>,
    names: Vec<Names>,
    /// As it is in the folder.
    manifest: Manifest,
    /// The level that is expanded next; none when all have been.
    level: Option<Arc<Run>>,
    /// States of the levels before.
    visited: Tiers,
}

impl<'f, S: PackedModel> Search<'f, S> {
    /// Begin, or go on.
    fn begin(
        folder: &'f Folder,
        space: Arc<S>,
        disk: &Disk,
        (sizes, keep): (Sizes, bool),
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, DiskError> {
        let system = space.system();
        if space.kept(&system.initial()).is_some() {
            let why = "states that stand for others cannot be explored on disk";
            return Err(StopReason::Unsupported(why).into());
        }
        let refused = |why| DiskError::Refused { folder: folder.path().to_owned(), why };
        let mut own = Manifest::of(system, disk);
        let names = Names::all(system);
        let old = Manifest::read(folder)?;
        let mut space = Arc::clone(&space);
        if let Some(old) = &old {
            if let Some(why) = old.differs(&own, space.system()) {
                return Err(refused(why));
            }
            if keep && old.kept.is_none() {
                let why = "its states were explored for their numbers alone; give an empty folder";
                return Err(refused(why.to_owned()));
            }
            for growth in &old.growths {
                space = grown(&space, growth)?;
            }
            if hash_of(space.layout()) != old.layout {
                return Err(refused("states are encoded otherwise now; give an empty folder".to_owned()));
            }
        }
        let layout = space.layout().with_extra(0);
        let shape = shape(&layout, sizes);
        let mut search = Search {
            folder,
            sizes,
            pool: pool(threads),
            workers: Vec::new(),
            sorter: Sorter::new(folder, shape, sizes.buffer),
            names,
            level: None,
            visited: Tiers::default(),
            manifest: old.clone().unwrap_or_else(|| own.clone()),
            layout,
            space,
        };
        search.hire(threads);
        match old {
            Some(old) => {
                folder.sweep(&old.runs())?;
                folder.begin_at(old.next);
                let load = |&run: &_| Run::load(folder, run, shape).map(Arc::new);
                search.level = old.level.as_ref().map(load).transpose()?;
                search.visited = Tiers::of(old.visited.iter().map(load).collect::<Result<_, _>>()?);
            }
            None => {
                folder.sweep(&[])?;
                for initial in search.space.system().initial_states() {
                    let mut words = vec![0; search.layout.words()];
                    if !search.layout.encode(initial.as_slice(), &mut words) {
                        return Err(StopReason::Unsupported("an initial state cannot be encoded").into());
                    }
                    let words = &words[..search.layout.key_words()];
                    search.sorter.add(words, search.pool.as_ref(), budget)?;
                }
                let first = search.sorter.run(search.pool.as_ref(), budget)?;
                own.states = first.states;
                own.kept = keep.then(|| vec![entry(&first)]);
                search.level = Some(first).filter(|first| first.states > 0);
                search.write(own)?;
            }
        }
        Ok(search)
    }

    /// Threads that know nothing yet.
    fn hire(&mut self, threads: usize) {
        let words = self.layout.key_words();
        let system = self.space.system();
        self.workers = (0..threads.max(1)).map(|_| Worker::new(system, words, self.sizes.recent)).collect();
    }

    /// Expand a level; false if all have been.
    pub(super) fn advance(&mut self, budget: &Budget, progress: &mut dyn FnMut(u64)) -> Result<bool, DiskError> {
        while let Some(level) = self.level.clone() {
            if let Some((values, rule)) = self.expand(&level, budget, progress)? {
                self.grow(Growth { values, rule, most: self.manifest.figures.bounds.clone() }, budget)?;
                continue;
            }
            let next = self.new_states(&level, budget, progress)?;
            self.commit(level, next, budget)?;
            progress(self.manifest.states);
            return Ok(true);
        }
        Ok(false)
    }

    /// The effort so far.
    pub(super) fn stats(&self) -> Stats {
        let kept = self.kept().iter().map(|&(.., bytes)| bytes).sum();
        let bytes = self.manifest.bytes.unwrap_or(kept);
        Stats {
            states: self.manifest.states,
            firings: self.manifest.figures.firings,
            bytes,
            filled: bytes,
            bits_per_state: self.layout.bits(),
            growths: self.manifest.growths.len() as u32,
        }
    }

    /// The states so far.
    pub(super) fn states(&self) -> u64 {
        self.manifest.states
    }

    /// Give the memory back that candidates take, when there are no more.
    pub(super) fn forget(&mut self) {
        self.sorter = Sorter::new(self.folder, shape(&self.layout, self.sizes), 0);
    }

    pub(super) fn folder(&self) -> &'f Folder {
        self.folder
    }

    pub(super) fn space(&self) -> &S {
        &self.space
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn pool(&self) -> Option<&ThreadPool> {
        self.pool.as_ref()
    }

    pub(super) fn threads(&self) -> usize {
        self.workers.len()
    }

    /// States that are expanded at a time.
    pub(super) fn batch(&self) -> usize {
        self.sizes.batch
    }

    /// Words of a buffer.
    pub(super) fn buffer(&self) -> usize {
        (self.sizes.buffer / 2).min(1 << 26)
    }

    /// The levels that are kept.
    pub(super) fn kept(&self) -> &[Entry] {
        self.manifest.kept.as_deref().unwrap_or_default()
    }

    /// A level that is kept, from its beginning.
    pub(super) fn at(&self, distance: usize) -> Result<Reader, DiskError> {
        self.reader(&self.load(distance)?)
    }

    /// The run of a level that is kept.
    pub(super) fn load(&self, distance: usize) -> Result<Arc<Run>, DiskError> {
        Ok(Arc::new(Run::load(self.folder, self.kept()[distance], shape(&self.layout, self.sizes))?))
    }

    /// The states of a run, from its beginning.
    pub(super) fn reader(&self, run: &Arc<Run>) -> Result<Reader, DiskError> {
        Reader::new(self.folder, run, shape(&self.layout, self.sizes))
    }

    /// Look for goals among the states at a distance, until the report of one says that it is enough.
    fn look(
        &self,
        distance: usize,
        budget: &Budget,
        goal: &mut dyn FnMut(View<'_>) -> bool,
        report: Report<'_>,
    ) -> Result<Option<Trace>, DiskError> {
        let key = self.layout.key_words();
        let (mut reader, mut words) = (self.at(distance)?, Vec::new());
        let mut looked = 0_usize;
        while let Some(state) = reader.current() {
            if looked.is_multiple_of(self.sizes.batch) {
                budget.check()?;
            }
            looked += 1;
            complete(state, &self.layout, &mut words);
            if goal(View { layout: &self.layout, words: &words }) {
                let trace = self.trace(distance, &words, budget)?;
                if !report(&trace, &self.stats()) {
                    return Ok(Some(trace));
                }
            }
            reader.pass(key)?;
        }
        Ok(None)
    }

    /// A shortest path to a state at a distance: some state of the level before leads to it, and so on.
    fn trace(&self, distance: usize, words: &[u64], budget: &Budget) -> Result<Trace, DiskError> {
        let key = self.layout.key_words();
        let (mut state, mut prefix) = (words[..key].to_vec(), Vec::with_capacity(distance));
        for before in (0..distance).rev() {
            let (from, rule) = self.predecessor(before, &state, budget)?;
            prefix.push(self.space.step(rule));
            state = from;
        }
        prefix.reverse();
        let mut values = Vec::new();
        self.layout.decode(words, &mut values);
        Ok(Trace { path: Path { prefix, then: Then::Open }, last: State::new(values) })
    }

    /// The first state at a distance that leads to this one, and how.
    fn predecessor(&self, distance: usize, state: &[u64], budget: &Budget) -> Result<(Vec<u64>, Rule), DiskError> {
        let mut reader = self.at(distance)?;
        let most = self.sizes.batch * self.workers.len() * self.layout.key_words();
        let mut batch = Vec::new();
        loop {
            budget.check()?;
            reader.take(most, &mut batch)?;
            if batch.is_empty() {
                let what = "no state in it leads to one of the next level";
                return Err(DiskError::Damaged { file: self.folder.run(self.kept()[distance].0), what });
            }
            let look = |states: &[u64]| expansion::first_leading_to(state, &*self.space, &self.layout, states);
            let key = self.layout.key_words();
            for found in expansion::in_parts(&batch, key, self.workers.len(), self.pool.as_ref(), look) {
                if let Some(found) = found? {
                    return Ok(found);
                }
            }
        }
    }

    /// Find the successors of a level, unless one does not fit.
    fn expand(
        &mut self,
        level: &Arc<Run>,
        budget: &Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<Misfit>, DiskError> {
        let words = self.layout.key_words();
        let most = self.sizes.batch * self.workers.len() * words;
        let mut reader = self.reader(level)?;
        let mut batch = Vec::new();
        loop {
            budget.check()?;
            progress(self.manifest.states);
            reader.take(most, &mut batch)?;
            if batch.is_empty() {
                return Ok(None);
            }
            let how = (&*self.space, &self.layout);
            if let Some(misfit) = expansion::expand(&mut self.workers, self.pool.as_ref(), how, &batch)? {
                return Ok(Some(misfit));
            }
            for worker in &mut self.workers {
                self.sorter.add(&worker.found, self.pool.as_ref(), budget)?;
                worker.found.clear();
            }
        }
    }

    /// The next level, if there is one: candidates that are neither on this level nor have been visited.
    fn new_states(
        &mut self,
        level: &Arc<Run>,
        budget: &Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<Arc<Run>>, DiskError> {
        let shape = shape(&self.layout, self.sizes);
        let mut merge = self.sorter.sorted(self.pool.as_ref())?;
        let known = self.visited.runs().iter().chain([level]);
        let mut known = Known::new(self.folder, known, shape)?;
        let (mut batch, mut writer) = (Vec::new(), None::<Writer<'_>>);
        let mut found = self.manifest.states;
        loop {
            budget.check()?;
            merge.next(&mut batch)?;
            if batch.is_empty() {
                break;
            }
            known.leave_out(&mut batch)?;
            if batch.is_empty() {
                continue;
            }
            found += (batch.len() / shape.words) as u64;
            progress(found);
            let writer = match &mut writer {
                Some(writer) => writer,
                None => writer.insert(Writer::new(self.folder, shape)?),
            };
            writer.add(&batch)?;
        }
        drop(merge);
        self.sorter.clear();
        writer.map(|writer| writer.finish(true)).transpose()
    }

    /// A level has been expanded: say so in the manifest.
    fn commit(&mut self, level: Arc<Run>, next: Option<Arc<Run>>, budget: &Budget) -> Result<(), DiskError> {
        let mut manifest = self.manifest.clone();
        for worker in &mut self.workers {
            manifest.figures.add(&worker.figures);
            worker.figures = super::manifest::Figures::none(self.space.system());
        }
        manifest.levels += 1;
        manifest.states += next.as_ref().map_or(0, |next| next.states);
        let on_disk = (self.folder, shape(&self.layout, self.sizes));
        let mut gone = Vec::new();
        if let Some(next) = &next {
            manifest.kept.iter_mut().for_each(|kept| kept.push(entry(next)));
            gone = self.visited.add(level, on_disk, true, budget)?;
        } else {
            gone.push(level);
            gone.extend(self.visited.take());
            manifest.bytes = Some(gone.iter().map(|run| run.bytes).sum());
        }
        self.level = next;
        self.write(manifest)?;
        self.remove(&gone);
        let index: u64 = self.visited.runs().iter().chain(&self.level).map(|run| run.memory()).sum();
        if index > self.sizes.index {
            return Err(Exhausted::Memory.into());
        }
        Ok(())
    }

    /// Remove runs that have become part of others, but for levels that are kept.
    fn remove(&self, gone: &[Arc<Run>]) {
        let gone = gone.iter().filter(|run| !self.manifest.keeps(run));
        gone.for_each(|run| self.folder.remove(run.number, run.bytes));
    }

    /// Write the manifest with the runs as they are now.
    fn write(&mut self, mut manifest: Manifest) -> Result<(), DiskError> {
        let system = self.space.system();
        self.names.iter_mut().for_each(|names| names.learn(system, None));
        manifest.names = self.names.iter().map(Names::entry).collect();
        manifest.layout = hash_of(self.space.layout());
        manifest.level = self.level.as_ref().map(entry);
        manifest.visited = self.visited.runs().iter().map(entry).collect();
        manifest.next = self.folder.next();
        manifest.write(self.folder)?;
        self.manifest = manifest;
        Ok(())
    }

    /// Make room for a firing, and begin the level again.
    fn grow(&mut self, growth: Growth, budget: &Budget) -> Result<(), DiskError> {
        self.sorter.clear();
        let space = grown(&self.space, &growth)?;
        let layout = space.layout().with_extra(0);
        let (old, new) = (shape(&self.layout, self.sizes), shape(&layout, self.sizes));
        // The old one gives its memory back first.
        self.sorter = Sorter::new(self.folder, new, 0);
        self.sorter = Sorter::new(self.folder, new, self.sizes.buffer);
        let mut before: Vec<Arc<Run>> = self.visited.runs().iter().chain(&self.level).cloned().collect();
        for &kept in self.kept() {
            if !before.iter().any(|run| run.number == kept.0) {
                before.push(Arc::new(Run::load(self.folder, kept, old)?));
            }
        }
        // By the numbers of the runs that they take the places of.
        let mut after: BTreeMap<u64, Arc<Run>> = BTreeMap::new();
        let (mut values, mut key) = (Vec::new(), vec![0; layout.words()]);
        let mut words = Vec::new();
        for run in &before {
            let mut reader = Reader::new(self.folder, run, old)?;
            let mut states = 0_usize;
            while let Some(state) = reader.current() {
                if states.is_multiple_of(self.sizes.batch) {
                    budget.check()?;
                }
                states += 1;
                complete(state, &self.layout, &mut words);
                self.layout.recode(&words, &layout, &mut values, &mut key);
                self.sorter.add(&key[..new.words], self.pool.as_ref(), budget)?;
                reader.pass(old.words)?;
            }
            after.insert(run.number, self.sorter.run(self.pool.as_ref(), budget)?);
        }
        (self.space, self.layout) = (space, layout);
        let now = |run: &Arc<Run>| Arc::clone(&after[&run.number]);
        self.level = self.level.as_ref().map(now);
        self.visited = Tiers::of(self.visited.runs().iter().map(now).collect());
        self.hire(self.workers.len());
        let mut manifest = self.manifest.clone();
        manifest.growths.push(growth);
        manifest.kept.iter_mut().flatten().for_each(|kept| *kept = entry(&after[&kept.0]));
        self.write(manifest)?;
        self.remove(&before);
        Ok(())
    }
}

/// The shape of states in a layout.
fn shape(layout: &Layout, sizes: Sizes) -> Shape {
    let words = layout.key_words();
    let last = (layout.bits() as usize).saturating_sub(64 * (words - 1));
    Shape { words, last_bytes: last.div_ceil(8).min(8), block: sizes.block }
}

/// A space in which a firing fits.
pub(in crate::explicit) fn grown<S: PackedModel>(space: &Arc<S>, growth: &Growth) -> Result<Arc<S>, StopReason> {
    let (layout, mut scratch) = (space.layout(), S::Scratch::default());
    let mut words = vec![0; layout.words()];
    let fits = layout.slots().len() == growth.values.len() && layout.encode(&growth.values, &mut words);
    if !fits {
        return Err(StopReason::Unsupported("states are encoded otherwise now; give an empty folder"));
    }
    layout.complete(&mut words);
    space.enter(&mut scratch, &words)?;
    Ok(Arc::new(space.grown(&scratch, &words, growth.rule, &growth.most)?))
}

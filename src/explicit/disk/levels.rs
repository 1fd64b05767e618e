//! The search: level after level, and the manifest between two of them.

use super::expansion::{self, Misfit, Worker};
use super::folder::Folder;
use super::manifest::{Growth, Manifest, Names, entry, hash_of};
use super::merge::{BATCH, Known};
use super::outcome::{Disk, DiskError, OnDisk};
use super::run::{Reader, Run, Shape, Writer};
use super::sorter::{MOST_WORDS, Sorter};
use super::tiers::Tiers;
use crate::budget::{Budget, Exhausted};
use crate::explicit::layout::Layout;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::{Exploration, Stats};
use crate::model::State;
use crate::stop_reason::StopReason;
use crate::threads::pool;
use rayon::ThreadPool;
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
    /// States that each thread remembers.
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
        let recent = (1 << 16).min(buffer / 64 / words + 1);
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
    let sizes = Sizes::within(budget.memory().unwrap_or(MEMORY), space.layout().key_words());
    #[cfg(test)]
    let sizes = super::tests::sizes().unwrap_or(sizes);
    match Folder::open(&disk.folder, disk.quota, sizes.durable) {
        Ok(folder) => explore_in(&folder, space, disk, sizes, threads, budget, progress),
        Err(error) => unknown(error),
    }
}

/// Nothing is known.
fn unknown(error: DiskError) -> OnDisk {
    OnDisk { ended: Err(error), deadlock: None, states: 0, levels: 0, resumed: 0, peak_bytes: 0 }
}

/// The same in an open folder.
fn explore_in<S: PackedModel>(
    folder: &Folder,
    space: Arc<S>,
    disk: &Disk,
    sizes: Sizes,
    threads: usize,
    budget: &Budget,
    progress: &mut dyn FnMut(u64),
) -> OnDisk {
    let mut search = match Search::begin(folder, space, disk, sizes, threads, budget) {
        Ok(search) => search,
        Err(error) => return unknown(error),
    };
    let resumed = search.manifest.levels;
    let ended = search.explore(budget, progress);
    let Search { manifest, .. } = search;
    if ended.is_err() {
        // What does not belong to a level takes room, and is of no use.
        let _left = folder.sweep(&manifest.runs());
    }
    let deadlock = manifest.figures.deadlock.clone().map(State::new);
    let figures = &manifest.figures;
    let bytes = manifest.bytes.unwrap_or(0);
    let ended = ended.map(|bits_per_state| Exploration {
        states: manifest.states.into(),
        transitions: figures.firings.into(),
        deadlocks: figures.deadlocks.into(),
        // They would have to be told apart in memory.
        markings: None,
        bounds: figures.bounds.clone(),
        max_tokens_per_marking: figures.greatest_sum(),
        fireable: figures.fireable.clone(),
        stats: Stats {
            states: manifest.states,
            firings: figures.firings,
            bytes,
            filled: bytes,
            bits_per_state,
            growths: manifest.growths.len() as u32,
        },
    });
    let (states, levels) = (manifest.states, manifest.levels);
    OnDisk { ended, deadlock, states, levels, resumed, peak_bytes: folder.peak() }
}

/// A search between two levels.
struct Search<'f, S: PackedModel> {
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
        sizes: Sizes,
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

    /// Expand level after level; in the end, how many bits a state has.
    fn explore(&mut self, budget: &Budget, progress: &mut dyn FnMut(u64)) -> Result<u32, DiskError> {
        progress(self.manifest.states);
        while let Some(level) = self.level.clone() {
            if let Some((values, rule)) = self.expand(&level, budget, progress)? {
                self.grow(Growth { values, rule, most: self.manifest.figures.bounds.clone() }, budget)?;
                continue;
            }
            let next = self.new_states(&level, budget, progress)?;
            self.commit(level, next, budget)?;
            progress(self.manifest.states);
        }
        Ok(self.layout.bits())
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
        let mut reader = Reader::new(self.folder, level, shape(&self.layout, self.sizes))?;
        let mut batch = Vec::new();
        loop {
            budget.check()?;
            progress(self.manifest.states);
            batch.clear();
            while batch.len() < most && reader.current().is_some() {
                let length = reader.rest().len().min(most - batch.len());
                batch.extend_from_slice(&reader.rest()[..length]);
                reader.pass(length)?;
            }
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
        if next.is_some() {
            gone = self.visited.add(level, on_disk, true, budget)?;
        } else {
            gone.push(level);
            gone.extend(self.visited.take());
            manifest.bytes = Some(gone.iter().map(|run| run.bytes).sum());
        }
        self.level = next;
        self.write(manifest)?;
        gone.iter().for_each(|run| self.folder.remove(run.number, run.bytes));
        let index: u64 = self.visited.runs().iter().chain(&self.level).map(|run| run.memory()).sum();
        if index > self.sizes.index {
            return Err(Exhausted::Memory.into());
        }
        Ok(())
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
        let before: Vec<Arc<Run>> = self.visited.runs().iter().chain(&self.level).cloned().collect();
        let mut after = Vec::with_capacity(before.len());
        let (mut values, mut key) = (Vec::new(), vec![0; layout.words()]);
        let mut words = vec![0; self.layout.words()];
        for run in &before {
            let mut reader = Reader::new(self.folder, run, old)?;
            let mut states = 0_usize;
            while let Some(state) = reader.current() {
                if states.is_multiple_of(self.sizes.batch) {
                    budget.check()?;
                }
                states += 1;
                words.fill(0);
                words[..old.words].copy_from_slice(state);
                self.layout.complete(&mut words);
                self.layout.recode(&words, &layout, &mut values, &mut key);
                self.sorter.add(&key[..new.words], self.pool.as_ref(), budget)?;
                reader.pass(old.words)?;
            }
            after.push(self.sorter.run(self.pool.as_ref(), budget)?);
        }
        (self.space, self.layout) = (space, layout);
        let level = self.level.as_ref().and(after.pop());
        (self.level, self.visited) = (level, Tiers::of(after));
        self.hire(self.workers.len());
        let mut manifest = self.manifest.clone();
        manifest.growths.push(growth);
        self.write(manifest)?;
        before.iter().for_each(|run| self.folder.remove(run.number, run.bytes));
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

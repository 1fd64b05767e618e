//! CTL\* on disk: the states of each subformula as a bit for each state, by passes over the successors of all states.
//!
//! All states are explored first, level by level, and their successors numbered ([`super::successors`]). `E[a U b]` adds,
//! and `EG a` takes away, states one by one as passes over the successors come to them; both are fixpoints of monotone
//! functions, whatever the order (Cousot and Cousot 1977). A pass goes through the states in decreasing order, the next
//! one in increasing order, so that a path to a state with a greater number takes one pass, and one with turns as many
//! as it has turns; files whose states are all settled are passed over. In memory are bits alone: one for each state
//! and for each subformula that is needed still. For paths beyond CTL there is one for each place of the product with an
//! automaton ([`crate::explicit::fair_hull`]).

use super::levels::{Search, in_folder};
use super::outcome::{Disk, DiskError, OnDisk};
use super::successors::{Gathered, Successors, Visitor};
use crate::automaton::Prop;
use crate::budget::{Budget, Exhausted};
use crate::explicit::Stats;
use crate::explicit::atoms::Atoms;
use crate::explicit::ctl::{Operators, everything, insert, satisfying};
use crate::explicit::disk::expansion::complete;
use crate::explicit::fair_hull::Products;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::product::{Product, has};
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;
use std::ops::Range;
use std::sync::Arc;

/// A state formula of CTL\*, and what paths are.
pub(in crate::explicit) type Asked = (FormulaId, PathSemantics);

/// Hears of the answer to a formula, by its number: is it true in the initial state?
pub(in crate::explicit) type Told<'t> = &'t mut dyn FnMut(usize, Result<(bool, Stats), StopReason>);

/// Which of some formulas are true in the only initial state. The levels are kept, for further questions.
pub(in crate::explicit) fn verdicts<S: PackedModel>(
    space: Arc<S>,
    disk: &Disk,
    threads: usize,
    budget: &Budget,
    (pool, asked): (&Pool, &[Asked]),
    told: Told<'_>,
    progress: &mut dyn FnMut(u64),
) -> OnDisk<()> {
    in_folder(space, disk, true, threads, budget, |search| {
        progress(search.states());
        while search.advance(budget, progress)? {}
        search.forget();
        let (successors, system) = (successors(search, budget)?, search.space().system());
        let states = usize::try_from(search.states()).map_err(|_| Exhausted::Memory)?;
        for (number, &(formula, paths)) in asked.iter().enumerate() {
            let mut graph = Graph { successors: &successors, states, paths, budget, begins: None };
            if paths == PathSemantics::Infinite {
                graph.begins = Some(graph.staying(&everything(states))?);
            }
            let memory = budget.memory();
            let checked = pool.check(formula, system.variables(), system.actions()).map_err(StopReason::from);
            let found = checked.map_err(DiskError::from).and_then(|()| {
                satisfying(&graph, (pool, formula), memory, &mut |some| letters(search, &graph, pool, some))
            });
            match found {
                Ok(set) => told(number, Ok((set.contains(0), search.stats()))),
                Err(DiskError::Stopped(stop)) if !ends_all(&stop) => told(number, Err(stop)),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    })
}

/// Is nothing more to be had, of other formulas either?
fn ends_all(stop: &StopReason) -> bool {
    matches!(
        stop,
        StopReason::DiskFull { .. } | StopReason::Exhausted(Exhausted::Time | Exhausted::Work | Exhausted::Cancelled)
    )
}

/// The successors of all states.
fn successors<'f, S: PackedModel>(search: &Search<'f, S>, budget: &Budget) -> Result<Successors<'f>, DiskError> {
    let how = (search.space(), search.layout());
    let (key, pool, threads) = (how.1.key_words(), search.pool(), search.threads());
    let mut firsts = vec![0];
    firsts.extend(search.kept().iter().scan(0, |sum, &(_, states, _)| {
        *sum += states;
        Some(*sum)
    }));
    let (mut all, mut gathered, mut batch) = (Successors::new(search.folder()), Gathered::default(), Vec::new());
    // They are passed over again and again.
    let levels = (0..search.kept().len()).map(|level| search.load(level)).collect::<Result<Vec<_>, _>>()?;
    let write = |gathered: &mut Gathered, highest: usize, all: &mut Successors<'f>| {
        // The levels after, and before.
        let near = levels.iter().zip(&firsts).take(highest + 2).rev();
        let mut near = near.map(|(run, &first)| Ok((first, search.reader(run)?)));
        if !gathered.number(key, pool, &mut near, budget)? {
            let what = "a state of the next level is not there";
            return Err(DiskError::Damaged { file: search.folder().manifest_path(), what });
        }
        all.add(gathered)
    };
    for (level, run) in levels.iter().enumerate() {
        let mut reader = search.reader(run)?;
        loop {
            budget.check()?;
            reader.take(search.batch() * key, &mut batch)?;
            if batch.is_empty() {
                break;
            }
            gathered.expand(pool, threads, how, &batch)?;
            if gathered.words() >= search.buffer() {
                write(&mut gathered, level, &mut all)?;
            }
        }
    }
    write(&mut gathered, levels.len().saturating_sub(1), &mut all)?;
    Ok(all)
}

/// The states that satisfy each of some conditions on single states.
fn letters<S: PackedModel>(
    search: &Search<'_, S>,
    graph: &Graph<'_, '_>,
    pool: &Pool,
    wanted: &[FormulaId],
) -> Result<Vec<FixedBitSet>, DiskError> {
    let used: Vec<Prop> = (0..wanted.len() as u32).map(Prop).collect();
    let mut atoms = Atoms::new(search.space(), pool, wanted, &used)?;
    let mut sets = vec![FixedBitSet::with_capacity(graph.states); wanted.len()];
    let (mut words, mut state) = (Vec::new(), 0);
    for level in 0..search.kept().len() {
        let mut reader = search.at(level)?;
        while let Some(key) = reader.current() {
            if state % search.batch() == 0 {
                graph.budget.check()?;
            }
            complete(key, search.layout(), &mut words);
            insert(state, atoms.letter(search.space(), &words)?, &mut sets);
            state += 1;
            reader.pass(search.layout().key_words())?;
        }
    }
    Ok(sets)
}

/// The graph as operators see it.
struct Graph<'a, 'f> {
    successors: &'a Successors<'f>,
    states: usize,
    paths: PathSemantics,
    budget: &'a Budget,
    begins: Option<FixedBitSet>,
}

impl Graph<'_, '_> {
    /// Pass over the successors until nothing changes any more.
    fn settle(&self, sets: &mut Sets<'_>) -> Result<(), DiskError> {
        let mut backwards = true;
        loop {
            sets.changed = false;
            self.successors.pass(backwards, sets, self.budget)?;
            if !sets.changed {
                return Ok(());
            }
            backwards = !backwards;
        }
    }
}

impl Products for Graph<'_, '_> {
    type Error = DiskError;

    fn states(&self) -> usize {
        self.states
    }

    fn paths(&self) -> PathSemantics {
        self.paths
    }

    fn begins(&self) -> Option<&FixedBitSet> {
        self.begins.as_ref()
    }

    fn budget(&self) -> &Budget {
        self.budget
    }

    fn has_room(&self, locations: usize) -> Result<(), DiskError> {
        // Bits in some sets.
        let wanted = self.states.saturating_mul(locations);
        if self.budget.memory().is_some_and(|memory| wanted as u64 > memory / 2) {
            return Err(Exhausted::Memory.into());
        }
        Ok(())
    }

    fn deadlocks(&self) -> Result<FixedBitSet, DiskError> {
        let mut dead = Dead(FixedBitSet::with_capacity(self.states));
        self.successors.pass(false, &mut dead, self.budget)?;
        Ok(dead.0)
    }

    fn before(
        &self,
        product: &Arc<Product>,
        target: &FixedBitSet,
        mark: Option<u64>,
    ) -> Result<FixedBitSet, DiskError> {
        let mut before = Before { product, target, mark, found: FixedBitSet::with_capacity(target.len()) };
        self.successors.pass(false, &mut before, self.budget)?;
        Ok(before.found)
    }

    fn reaching(
        &self,
        product: &Arc<Product>,
        within: &FixedBitSet,
        target: &FixedBitSet,
    ) -> Result<FixedBitSet, DiskError> {
        let (reached, mut open) = (target.clone(), within.clone());
        open.difference_with(&reached);
        let mut sets = Sets { product, reached, open, adds: true, changed: false };
        self.settle(&mut sets)?;
        Ok(sets.reached)
    }

    fn remaining(&self, product: &Arc<Product>, within: &FixedBitSet) -> Result<FixedBitSet, DiskError> {
        let mut sets = Sets { product, reached: within.clone(), open: within.clone(), adds: false, changed: false };
        self.settle(&mut sets)?;
        Ok(sets.reached)
    }
}

/// The states without successors.
struct Dead(FixedBitSet);

impl Visitor for Dead {
    fn wants(&self, _: Range<usize>) -> bool {
        true
    }

    fn visit(&mut self, state: usize, successors: &[u64]) {
        self.0.set(state, successors.is_empty());
    }
}

/// Does a step lead from a place to one of a set, with this mark if one is asked for?
fn leads(
    product: &Product,
    (state, location): (usize, u32),
    successors: &[u64],
    mark: Option<u64>,
    set: &FixedBitSet,
) -> bool {
    let moves = product.moves_from(state, location);
    let to = |next: usize| moves.iter().any(|&step| has(step, mark) && set[product.place(next, step.target)]);
    successors.iter().any(|&next| to(next as usize)) || product.repeats && successors.is_empty() && to(state)
}

/// The places from which a step leads to the target.
struct Before<'p> {
    product: &'p Product,
    target: &'p FixedBitSet,
    mark: Option<u64>,
    found: FixedBitSet,
}

impl Visitor for Before<'_> {
    fn wants(&self, _: Range<usize>) -> bool {
        true
    }

    fn visit(&mut self, state: usize, successors: &[u64]) {
        for location in 0..self.product.locations() as u32 {
            let is_before = leads(self.product, (state, location), successors, self.mark, self.target);
            self.found.set(self.product.place(state, location), is_before);
        }
    }
}

/// A fixpoint: places from which a set is reached, which grows; or in which it need not be left, which shrinks.
struct Sets<'p> {
    product: &'p Product,
    reached: FixedBitSet,
    /// The places that may be added or taken away still.
    open: FixedBitSet,
    adds: bool,
    changed: bool,
}

impl Visitor for Sets<'_> {
    fn wants(&self, states: Range<usize>) -> bool {
        let place = |state| self.product.place(state, 0);
        self.open.contains_any_in_range(place(states.start)..place(states.end))
    }

    fn visit(&mut self, state: usize, successors: &[u64]) {
        for location in 0..self.product.locations() as u32 {
            let place = self.product.place(state, location);
            if !self.open[place] {
                continue;
            }
            let leads = leads(self.product, (state, location), successors, None, &self.reached);
            let stays = leads || !self.adds && self.product.may_end && successors.is_empty();
            if stays == self.adds {
                self.reached.set(place, self.adds);
                self.open.set(place, false);
                self.changed = true;
            }
        }
    }
}

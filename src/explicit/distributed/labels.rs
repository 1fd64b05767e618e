//! CTL\* on several machines: the states of each subformula, as a bit for each state of each worker.
//!
//! **Edges.** Once all states have been explored, each worker fires what is enabled in its states once more, and tells
//! the owner of each successor where it comes from. So each worker knows the predecessors of its states, a pair of worker
//! and number for each step ([`Edges`]).
//!
//! **Waves.** A state that comes into `E[a U b]`, or leaves `EG a`, is told to its predecessors (Clarke, Emerson and
//! Sistla 1986, *Automatic verification of finite-state concurrent systems using temporal logic specifications*): those
//! of the same worker at once, others in packets. A wave is a phase in which each worker tells what it has; what comes
//! meanwhile is told in it, too, or in the next one. After a wave in which nobody had anything to tell, nothing is under
//! way. Workers ask for the same operators in the same order, so that packets need not say of which they are.
//!
//! **Paths** beyond CTL: the same on places of the product with an automaton ([`crate::explicit::fair_hull`]). A place is
//! told by its location, as what it is to a predecessor depends on the letter of that.

use super::deal::owner;
use super::note::{EDGES, MARKS, Stop};
use super::search::Search;
use super::waves::{Edges, How, Wave};
use crate::automaton::{Prop, Tgba};
use crate::budget::{Budget, Exhausted};
use crate::explicit::atoms::Atoms;
use crate::explicit::ctl::{Operators, complement, everything, insert, satisfying};
use crate::explicit::disk::{Firings, complete, hash_of};
use crate::explicit::fair_hull::Products;
use crate::explicit::packed_model::PackedModel;
use crate::explicit::product::Product;
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;
use std::cell::RefCell;
use std::sync::Arc;

/// State formulas of CTL\*, and what paths are.
pub(in crate::explicit) type Formulas<'b> = (&'b Pool, &'b [(FormulaId, PathSemantics)]);

const LOST: StopReason = StopReason::Unsupported("a state of the exploration has been lost");
/// Bytes of a place: bits in some sets, how many steps it has, and its number among those to be told.
const PLACE: usize = 1 + size_of::<u32>() + 2 * size_of::<usize>();
const OTHER: StopReason = StopReason::Unsupported("the processes have different automata for a formula");

impl<'b, S: PackedModel> Search<'b, S> {
    /// Which of some formulas are true in the only initial state, once all states have been explored: told by its owner.
    /// What is known of the first ones stays so, however it ends.
    pub(super) fn verdicts(&mut self, (pool, formulas): Formulas<'_>) -> Result<(), StopReason> {
        if formulas.is_empty() {
            return Ok(());
        }
        self.next = 0;
        self.edges = Edges::default();
        self.phase(Self::find_edges)?;
        self.edges.sort();
        for &(formula, paths) in formulas {
            let verdict = match self.verdict(pool, formula, paths) {
                Ok(holds) => Ok(holds),
                Err(Fault::Formula(stop)) => Err(stop),
                Err(Fault::All(stop)) => return Err(stop),
            };
            self.result.verdicts.push(verdict);
        }
        Ok(())
    }

    fn verdict(&mut self, pool: &Pool, formula: FormulaId, paths: PathSemantics) -> Result<bool, Fault> {
        let space = Arc::clone(&self.space);
        let system = space.system();
        pool.check(formula, system.variables(), system.actions()).map_err(StopReason::from)?;
        let key = self.key_of(system.initial().as_slice()).map_err(Fault::All)?;
        let key = &key[..self.layout.key_words()];
        let is_own = owner(key, self.fabric.workers()) == self.fabric.index();
        let initial = is_own.then(|| self.store.find(key).ok_or(Fault::All(LOST))).transpose()?;
        let states = self.store.len() as usize;
        // Some sets more on the way to one; a worker that is out of memory ends all of them.
        let sets = pool.subformulas(&[formula]).len() + 6;
        if (sets * states / 8) as u64 > self.memory / 4 {
            return Err(Fault::All(Exhausted::Memory.into()));
        }
        let (budget, search) = (self.budget, RefCell::new(self));
        let mut graph = Graph { search: &search, states, paths, budget, begins: None };
        if paths == PathSemantics::Infinite {
            graph.begins = Some(graph.staying(&everything(states))?);
        }
        let set = satisfying(&graph, (pool, formula), None, &mut |some| search.borrow_mut().letters(pool, some))?;
        let search = search.into_inner();
        search.holds = initial.map(|id| set.contains(id as usize));
        let notes = search.phase(|_| Ok(false));
        search.holds = None;
        notes.map_err(Fault::All)?.iter().find_map(|note| note.holds).ok_or(Fault::All(LOST))
    }

    /// Tell the owners of the successors of some states, and say whether there are more.
    fn find_edges(&mut self) -> Result<bool, StopReason> {
        let (first, last) = (self.next, self.store.len());
        let end = last.min(first.saturating_add(self.sizes.group));
        self.read(end);
        let (space, layout, open) = (Arc::clone(&self.space), self.layout.clone(), std::mem::take(&mut self.open));
        let (own, words) = (self.fabric.index() as u64, layout.key_words());
        let (mut firings, mut found, mut fits) = (Firings::new(&*space, &layout), Vec::new(), true);
        for (state, key) in (first..end).zip(open.chunks_exact(words)) {
            let mut steps = 0;
            firings.of(key, |_, next| {
                fits &= next.is_some();
                found.extend_from_slice(next.unwrap_or_default());
                found.push(own << 32 | u64::from(state));
                steps += 1;
                fits
            })?;
            if !fits {
                return Err(LOST);
            }
            self.edges.steps.push(steps);
        }
        self.open = open;
        for edge in found.chunks_exact(words + 1) {
            match owner(&edge[..words], self.fabric.workers()) {
                worker if worker as u64 == own => self.add_edge(edge)?,
                worker => self.put(worker, EDGES, edge),
            }
        }
        if self.store.bytes().saturating_add(self.edges.bytes()) > self.memory {
            return Err(Exhausted::Memory.into());
        }
        Ok(end < last)
    }

    /// A step: the words of the state that it leads to, and the worker and the number of the state that has it.
    fn add_edge(&mut self, edge: &[u64]) -> Result<(), StopReason> {
        let (key, from) = edge.split_at(self.layout.key_words());
        let state = self.store.find(key).ok_or(LOST)?;
        self.edges.into.push([state, (from[0] >> 32) as u32, from[0] as u32]);
        Ok(())
    }

    /// Take in steps that another worker tells.
    pub(super) fn add_edges(&mut self, edges: &[u64]) -> Result<(), StopReason> {
        edges.chunks_exact(self.layout.key_words() + 1).try_for_each(|edge| self.add_edge(edge))
    }

    /// Take in states that another worker tells of.
    pub(super) fn mark_all(&mut self, states: &[u64]) -> Result<(), StopReason> {
        let wave = self.wave.as_mut().ok_or(LOST)?;
        states.iter().for_each(|&told| wave.mark(told as u32, (told >> 32) as u32));
        Ok(())
    }

    /// Compute an operator, together with all workers.
    fn settle(&mut self, wave: Wave) -> Result<FixedBitSet, Fault> {
        self.wave = Some(wave);
        loop {
            self.waiting = 0;
            let notes = self.phase(Self::tell_predecessors).map_err(Fault::All)?;
            if notes.iter().all(|note| note.waiting == 0) {
                return self.wave.take().map(|wave| wave.set).ok_or(Fault::All(LOST));
            }
        }
    }

    /// Tell the predecessors of some states, and say whether there are more.
    fn tell_predecessors(&mut self) -> Result<bool, StopReason> {
        let (mut wave, edges) = (self.wave.take().ok_or(LOST)?, std::mem::take(&mut self.edges));
        let own = self.fabric.index();
        for _ in 0..self.sizes.group {
            let Some(place) = wave.open.pop() else { break };
            self.waiting += 1;
            let (state, location) = wave.product.at(place);
            if wave.product.repeats && edges.is_dead(state) {
                wave.mark(state as u32, location);
            }
            for &[_, worker, before] in edges.before(state as u32) {
                if worker as usize == own {
                    wave.mark(before, location);
                } else {
                    self.put(worker as usize, MARKS, &[u64::from(location) << 32 | u64::from(before)]);
                }
            }
        }
        let more = !wave.open.is_empty();
        (self.wave, self.edges) = (Some(wave), edges);
        Ok(more)
    }

    /// The states of this worker that satisfy each of some conditions.
    ///
    /// # Errors
    /// Of all workers if a condition has no value in a state of one of them.
    fn letters(&mut self, pool: &Pool, wanted: &[FormulaId]) -> Result<Vec<FixedBitSet>, Fault> {
        let used: Vec<Prop> = (0..wanted.len() as u32).map(Prop).collect();
        let space = Arc::clone(&self.space);
        let mut atoms = Atoms::new(&*space, pool, wanted, &used)?;
        let mut sets = vec![FixedBitSet::with_capacity(self.store.len() as usize); wanted.len()];
        let (mut key, mut words) = (vec![0; self.layout.key_words()], Vec::new());
        for state in 0..self.store.len() {
            if state.is_multiple_of(4096) {
                self.budget.check().map_err(|end| Fault::All(end.into()))?;
            }
            self.store.get(state, &mut key);
            complete(&key, &self.layout, &mut words);
            match atoms.letter(&*space, &words) {
                Ok(letter) => insert(state as usize, letter, &mut sets),
                Err(stop) => self.no_value = [self.no_value.take(), Some(Stop::of(&stop))].into_iter().flatten().min(),
            }
        }
        let notes = self.phase(|_| Ok(false));
        self.no_value = None;
        match notes.map_err(Fault::All)?.into_iter().filter_map(|note| note.no_value).min() {
            // Of all workers: whose it was does not count.
            Some(stop) => Err(Fault::Formula(stop.reason("", true))),
            None => Ok(sets),
        }
    }
}

/// Why a formula has no verdict.
enum Fault {
    /// All workers come to this at the same place, and go on with the next formula.
    Formula(StopReason),
    /// The end of everything.
    All(StopReason),
}

impl From<StopReason> for Fault {
    fn from(stop: StopReason) -> Fault {
        // What is used up may be so here alone.
        if matches!(stop, StopReason::Exhausted(_)) { Fault::All(stop) } else { Fault::Formula(stop) }
    }
}

/// The states of one worker as operators see them: all workers ask for the same.
struct Graph<'g, 's, 'b, S: PackedModel> {
    search: &'g RefCell<&'s mut Search<'b, S>>,
    states: usize,
    paths: PathSemantics,
    budget: &'g Budget,
    begins: Option<FixedBitSet>,
}

impl<S: PackedModel> Products for Graph<'_, '_, '_, S> {
    type Error = Fault;

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

    fn has_room(&self, locations: usize) -> Result<(), Fault> {
        let search = self.search.borrow();
        let taken = search.store.bytes().saturating_add(search.edges.bytes());
        let wanted = self.states.saturating_mul(locations).saturating_mul(PLACE);
        if taken.saturating_add(wanted as u64) > search.memory {
            return Err(Fault::All(Exhausted::Memory.into()));
        }
        Ok(())
    }

    fn agree(&self, automaton: &Tgba) -> Result<(), Fault> {
        let automaton = hash_of(automaton);
        let mut search = self.search.borrow_mut();
        search.automaton = automaton;
        let notes = search.phase(|_| Ok(false)).map_err(Fault::All)?;
        if notes.iter().any(|note| note.automaton != automaton) { Err(Fault::All(OTHER)) } else { Ok(()) }
    }

    fn anywhere(&self, is_true: bool) -> Result<bool, Fault> {
        let mut search = self.search.borrow_mut();
        search.waiting = is_true.into();
        let notes = search.phase(|_| Ok(false)).map_err(Fault::All)?;
        Ok(notes.iter().any(|note| note.waiting > 0))
    }

    fn deadlocks(&self) -> Result<FixedBitSet, Fault> {
        let search = self.search.borrow();
        let mut set = FixedBitSet::with_capacity(self.states);
        (0..self.states).for_each(|state| set.set(state, search.edges.is_dead(state)));
        Ok(set)
    }

    fn before(&self, product: &Arc<Product>, target: &FixedBitSet, mark: Option<u64>) -> Result<FixedBitSet, Fault> {
        let set = FixedBitSet::with_capacity(target.len());
        let (product, open) = (Arc::clone(product), target.ones().collect());
        self.search.borrow_mut().settle(Wave { product, set, open, how: How::Before(mark) })
    }

    fn reaching(
        &self,
        product: &Arc<Product>,
        within: &FixedBitSet,
        target: &FixedBitSet,
    ) -> Result<FixedBitSet, Fault> {
        let (product, open) = (Arc::clone(product), target.ones().collect());
        let how = How::Reaching(within.clone());
        self.search.borrow_mut().settle(Wave { product, set: target.clone(), open, how })
    }

    fn remaining(&self, product: &Arc<Product>, within: &FixedBitSet) -> Result<FixedBitSet, Fault> {
        let mut search = self.search.borrow_mut();
        let (mut set, mut steps) = (within.clone(), Vec::with_capacity(within.len()));
        for state in 0..self.states {
            let is_dead = search.edges.is_dead(state);
            let successors = if is_dead && product.repeats { 1 } else { search.edges.steps[state] };
            for location in 0..product.locations() as u32 {
                let count = successors.saturating_mul(product.moves_from(state, location).len() as u32);
                if count == 0 && !(is_dead && product.may_end) {
                    set.remove(product.place(state, location));
                }
                steps.push(count);
            }
        }
        let (product, open) = (Arc::clone(product), complement(&set).ones().collect());
        search.settle(Wave { product, set, open, how: How::Remaining(steps) })
    }
}

//! CTL by labelling the reachability graph: which markings satisfy a formula.
//!
//! **Problem.** Where markings have little in common, a diagram has about as many nodes as there are markings,
//! and each fixpoint makes as many again. A few million markings are then better visited one by one.
//!
//! **Idea.** One bit per state and subformula, computed operands first (Clarke, Emerson, Sistla, TOPLAS 8, 1986).
//! `E[a U b]` walks backwards from b inside a. `EG a` counts, for each state of a, the successors inside a, and
//! takes states out whose count has reached 0 (Arnold and Crubillé, IPL 29, 1988). Each operator takes time
//! linear in the graph. Everything else is Boolean, or follows from these:
//!
//! | | |
//! |---|---|
//! | `E[a R b]` | `EG b ∨ E[b U (a ∧ b)]` |
//! | `E[a W b]` | `EG a ∨ E[a U b]` |
//! | `E[a M b]` | `E[b U (a ∧ b)]` |
//! | `A φ` | `¬E ¬φ`, the negation moved through the operator |
//!
//! **Path semantics** decide about states without successors. Under `maximal` and `stutter` a path may end
//! there, so `EG a` keeps them; under `stutter` they are their own successors for `EX`; under `infinite` no
//! path leads there, and what `EX` and `E U` aim at must begin an infinite path.

use super::atoms::{Atoms, MAX_PROPOSITIONS};
use super::graph::Graph;
use super::system::System;
use super::{Options, Stats, Stopped};
use crate::automaton::Prop;
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, PathSemantics, Pool};
use crate::net::PetriNet;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// States between two looks at the budget.
const CHECK_EVERY: usize = 1 << 14;

/// Not a formula of CTL.
const BEYOND: Stopped = Stopped::Unsupported("a path formula beyond CTL");

/// The reachability graph of a net, ready to be labelled.
///
/// ```
/// use starset::budget::Budget;
/// use starset::explicit::{Labelling, Options};
/// use starset::formula::{PathSemantics, Pool, Symbols, parse};
/// use starset::net::NetBuilder;
/// let mut b = NetBuilder::new("coin");
/// let (up, heads, tails) = (b.place("up", 1)?, b.place("heads", 0)?, b.place("tails", 0)?);
/// for (name, place) in [("h", heads), ("t", tails)] {
///     let t = b.transition(name)?;
///     b.input(up, t, 1)?;
///     b.output(t, place, 1)?;
/// }
/// let (net, budget) = (b.build()?, Budget::unlimited());
/// let mut pool = Pool::new();
/// let formula = parse("EF #heads = 1", &Symbols::new(&net), &mut pool)?;
/// let mut labelling = Labelling::new(&net, &Options::default(), &budget)?;
/// let labels = labelling.satisfying(&pool, formula, PathSemantics::Maximal, &budget)?;
/// assert_eq!((labelling.states(), labels.count(), labels.holds_initially()), (3, 2, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Labelling<'n> {
    system: System<'n>,
    graph: Graph,
    stats: Stats,
}

/// The states that satisfy a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    states: FixedBitSet,
}

impl Labels {
    /// How many states satisfy it.
    pub fn count(&self) -> u64 {
        self.states.count_ones(..) as u64
    }

    /// Does the initial marking?
    pub fn holds_initially(&self) -> bool {
        self.states.contains(0)
    }
}

impl<'n> Labelling<'n> {
    /// Explore `net`.
    ///
    /// # Errors
    /// [`Stopped`] when the budget is used up or a place holds too many tokens.
    pub fn new(net: &'n PetriNet, options: &Options, budget: &Budget) -> Result<Self, Stopped> {
        let (system, graph, stats) = Graph::new(net, options, budget)?;
        Ok(Labelling { system, graph, stats })
    }

    /// Number of reachable markings.
    pub fn states(&self) -> u64 {
        self.graph.states() as u64
    }

    /// What the exploration took.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The states that satisfy a state formula of CTL.
    ///
    /// # Errors
    /// [`Stopped`] when the budget is used up, when an atom has no value, and when the formula is not CTL.
    pub fn satisfying(
        &mut self,
        pool: &Pool,
        formula: FormulaId,
        paths: PathSemantics,
        budget: &Budget,
    ) -> Result<Labels, Stopped> {
        let all = pool.subformulas(&[formula]);
        let mut conditions = FxHashSet::default();
        for &id in &all {
            let quantified = matches!(pool[id], Formula::Exists(_) | Formula::Forall(_));
            if pool.is_state(id) && !quantified && pool[id].children().iter().all(|a| conditions.contains(a)) {
                conditions.insert(id);
            }
        }
        // The largest conditions: operands of others.
        let others = all.iter().filter(|id| !conditions.contains(id));
        let mut largest: Vec<FormulaId> = others.flat_map(|&id| pool[id].children()).chain([formula]).collect();
        largest.retain(|id| conditions.contains(id));
        largest.sort_unstable();
        largest.dedup();
        let mut known = self.conditions(pool, &largest, budget)?;
        let run = Run { graph: &self.graph, paths, budget };
        let begins = match paths {
            PathSemantics::Infinite => Some(run.staying(&run.everything())?),
            PathSemantics::Maximal | PathSemantics::Stutter => None,
        };
        for id in all {
            if pool.is_state(id) && !conditions.contains(&id) {
                let set = run.label(pool, id, &known, begins.as_ref())?;
                known.insert(id, set);
            }
        }
        known.remove(&formula).map(|states| Labels { states }).ok_or(BEYOND)
    }

    /// The labels of conditions on single markings.
    fn conditions(&mut self, pool: &Pool, wanted: &[FormulaId], budget: &Budget) -> Result<Known, Stopped> {
        let mut known = FxHashMap::default();
        let mut words = Vec::new();
        for some in wanted.chunks(MAX_PROPOSITIONS) {
            let used: Vec<Prop> = (0..some.len() as u32).map(Prop).collect();
            let mut atoms = Atoms::new(&self.system, pool, some, &used)?;
            let mut sets = vec![FixedBitSet::with_capacity(self.graph.states()); some.len()];
            for state in 0..self.graph.states() {
                if state.is_multiple_of(CHECK_EVERY) {
                    budget.check()?;
                }
                self.system.load(state as u32, &mut words);
                let mut letter = atoms.letter(&self.system, &words)?;
                while letter != 0 {
                    if let Some(set) = sets.get_mut(letter.trailing_zeros() as usize) {
                        set.insert(state);
                    }
                    letter &= letter - 1;
                }
            }
            known.extend(some.iter().copied().zip(sets));
        }
        Ok(known)
    }
}

/// The labelling of one formula.
struct Run<'a> {
    graph: &'a Graph,
    paths: PathSemantics,
    budget: &'a Budget,
}

type Known = FxHashMap<FormulaId, FixedBitSet>;

impl Run<'_> {
    fn everything(&self) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.graph.states());
        set.insert_range(..);
        set
    }

    fn check(&self, step: usize) -> Result<(), Stopped> {
        if step.is_multiple_of(CHECK_EVERY) { Ok(self.budget.check()?) } else { Ok(()) }
    }

    /// The states of a formula whose state subformulas are known.
    fn label(
        &self,
        pool: &Pool,
        formula: FormulaId,
        known: &Known,
        begins: Option<&FixedBitSet>,
    ) -> Result<FixedBitSet, Stopped> {
        let of = |id: &FormulaId| known.get(id).ok_or(BEYOND);
        Ok(match &pool[formula] {
            Formula::Not(a) => complement(of(a)?),
            Formula::And(operands) => {
                let mut set = self.everything();
                for operand in operands {
                    set.intersect_with(of(operand)?);
                }
                set
            }
            Formula::Or(operands) => {
                let mut set = FixedBitSet::with_capacity(self.graph.states());
                for operand in operands {
                    set.union_with(of(operand)?);
                }
                set
            }
            Formula::Implies(a, b) => union(complement(of(a)?), of(b)?),
            Formula::Iff(a, b) => {
                let mut different = of(a)?.clone();
                different.symmetric_difference_with(of(b)?);
                complement(&different)
            }
            Formula::Exists(path) => {
                let operand = |id: &FormulaId| of(id).cloned();
                self.exists(pool, *path, begins, &operand)?
            }
            Formula::Forall(path) => {
                let operand = |id: &FormulaId| of(id).map(complement);
                complement(&self.refuted(pool, *path, begins, &operand)?)
            }
            _ => return Err(BEYOND),
        })
    }

    /// `E path`.
    fn exists(
        &self,
        pool: &Pool,
        path: FormulaId,
        begins: Option<&FixedBitSet>,
        of: &dyn Fn(&FormulaId) -> Result<FixedBitSet, Stopped>,
    ) -> Result<FixedBitSet, Stopped> {
        match &pool[path] {
            _ if pool.is_state(path) => Ok(beginning(of(&path)?, begins)),
            Formula::Next(a) => self.next(of(a)?, begins),
            Formula::Finally(a) => self.until(&self.everything(), of(a)?, begins),
            Formula::Globally(a) => self.staying(&of(a)?),
            Formula::Until(a, b) => self.until(&of(a)?, of(b)?, begins),
            Formula::Release(a, b) => self.release(of(a)?, &of(b)?, begins),
            Formula::WeakUntil(a, b) => self.weak_until(&of(a)?, of(b)?, begins),
            Formula::StrongRelease(a, b) => {
                let b = of(b)?;
                self.until(&b, intersection(of(a)?, &b), begins)
            }
            _ => Err(BEYOND),
        }
    }

    /// `E ¬path`; `not` gives the complement of an operand.
    fn refuted(
        &self,
        pool: &Pool,
        path: FormulaId,
        begins: Option<&FixedBitSet>,
        not: &dyn Fn(&FormulaId) -> Result<FixedBitSet, Stopped>,
    ) -> Result<FixedBitSet, Stopped> {
        match &pool[path] {
            _ if pool.is_state(path) => Ok(beginning(not(&path)?, begins)),
            Formula::Next(a) => self.next(not(a)?, begins),
            Formula::Finally(a) => self.staying(&not(a)?),
            Formula::Globally(a) => self.until(&self.everything(), not(a)?, begins),
            Formula::Until(a, b) => self.release(not(a)?, &not(b)?, begins),
            Formula::Release(a, b) => self.until(&not(a)?, not(b)?, begins),
            Formula::WeakUntil(a, b) => {
                let b = not(b)?;
                self.until(&b, intersection(not(a)?, &b), begins)
            }
            Formula::StrongRelease(a, b) => self.weak_until(&not(a)?, not(b)?, begins),
            _ => Err(BEYOND),
        }
    }

    fn release(&self, a: FixedBitSet, b: &FixedBitSet, begins: Option<&FixedBitSet>) -> Result<FixedBitSet, Stopped> {
        Ok(union(self.until(b, intersection(a, b), begins)?, &self.staying(b)?))
    }

    fn weak_until(
        &self,
        a: &FixedBitSet,
        b: FixedBitSet,
        begins: Option<&FixedBitSet>,
    ) -> Result<FixedBitSet, Stopped> {
        Ok(union(self.until(a, b, begins)?, &self.staying(a)?))
    }

    /// `EX target`.
    fn next(&self, target: FixedBitSet, begins: Option<&FixedBitSet>) -> Result<FixedBitSet, Stopped> {
        let target = beginning(target, begins);
        let mut found = FixedBitSet::with_capacity(self.graph.states());
        for state in 0..self.graph.states() {
            self.check(state)?;
            let successors = self.graph.successors(state);
            let itself = successors.is_empty() && self.paths == PathSemantics::Stutter;
            if successors.iter().any(|&next| target.contains(next as usize)) || itself && target.contains(state) {
                found.insert(state);
            }
        }
        Ok(found)
    }

    /// `E[within U target]`: backwards from the target.
    fn until(
        &self,
        within: &FixedBitSet,
        target: FixedBitSet,
        begins: Option<&FixedBitSet>,
    ) -> Result<FixedBitSet, Stopped> {
        let mut found = beginning(target, begins);
        let mut front: Vec<u32> = found.ones().map(|state| state as u32).collect();
        let mut steps = 0;
        while let Some(state) = front.pop() {
            self.check(steps)?;
            steps += 1;
            for &before in self.graph.predecessors(state as usize) {
                if within.contains(before as usize) && !found.put(before as usize) {
                    front.push(before);
                }
            }
        }
        Ok(found)
    }

    /// `EG within`: what is left when states that must leave are taken out.
    fn staying(&self, within: &FixedBitSet) -> Result<FixedBitSet, Stopped> {
        let may_end = self.paths != PathSemantics::Infinite;
        let mut left = within.clone();
        let mut inside = vec![0u32; self.graph.states()];
        let mut leaving = Vec::new();
        for state in within.ones() {
            self.check(state)?;
            let successors = self.graph.successors(state);
            let count = successors.iter().filter(|&&next| within.contains(next as usize)).count() as u32;
            inside[state] = count;
            if count == 0 && !(may_end && successors.is_empty()) {
                leaving.push(state as u32);
            }
        }
        leaving.iter().for_each(|&state| left.set(state as usize, false));
        let mut steps = 0;
        while let Some(state) = leaving.pop() {
            self.check(steps)?;
            steps += 1;
            for &before in self.graph.predecessors(state as usize) {
                if left.contains(before as usize) {
                    inside[before as usize] -= 1;
                    if inside[before as usize] == 0 {
                        left.set(before as usize, false);
                        leaving.push(before);
                    }
                }
            }
        }
        Ok(left)
    }
}

fn complement(set: &FixedBitSet) -> FixedBitSet {
    let mut other = set.clone();
    other.toggle_range(..);
    other
}

fn union(mut set: FixedBitSet, other: &FixedBitSet) -> FixedBitSet {
    set.union_with(other);
    set
}

fn intersection(mut set: FixedBitSet, other: &FixedBitSet) -> FixedBitSet {
    set.intersect_with(other);
    set
}

/// The states of `set` where some path begins.
fn beginning(set: FixedBitSet, begins: Option<&FixedBitSet>) -> FixedBitSet {
    match begins {
        Some(begins) => intersection(set, begins),
        None => set,
    }
}

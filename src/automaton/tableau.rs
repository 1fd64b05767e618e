//! From LTL to a transition-based generalized Büchi automaton: Couvreur's tableau.
//!
//! Couvreur (FM 1999), "On-the-fly verification of linear temporal logic". What a formula demands of a word
//! is a Boolean function of three kinds of variables: propositions (of the first letter), *next* variables
//! (formulas that the rest of the word must satisfy) and *promises* (eventualities that are put off). For
//! instance `a U b` becomes `b ∨ (a ∧ promise(b) ∧ next(a U b))`. States are formulas, identified when they
//! have the same function; the edges of a state are the products of an irredundant sum of products of its
//! function. There is one acceptance set for each promise: the edges that do not make it.
//!
//! **The past.** `Y a` is a *history variable*: at each position it says whether `a` held at the one before. A state
//! remembers the values of those that its formula reads, where they are constants: `a S b` is `b ∨ (a ∧ Y(a S b))`.
//! What comes next is a function of the letter, by which edges are split, so that nothing is guessed and formulas are
//! never rewritten into ones of the future, which may be exponentially longer (Laroussinie, Markey & Schnoebelen 2002).
//! Where `a` has operators of the future, its value is no function of the letter: a state then remembers a *claim*,
//! which may be made only where what `a` demands of the rest of the word is demanded. Formulas are in negation normal
//! form, so that not to make a claim is always sound. Lichtenstein, Pnueli & Zuck (1985).
//!
//! Correct since a run that keeps making a promise without ever keeping it never leaves its set. The number of
//! states is at most exponential in the number of temporal subformulas; the budget is checked as it grows.

use super::Marks;
use super::bdd::{Bdd, Bdds, Variable};
use super::error::TranslationError;
use super::graph::{Arc, Graph};
use super::ltl::{Formula, Formulas, Node};
use crate::budget::Exhausted;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// The meaning of a variable that is no proposition.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Extra {
    Next(Formula),
    Promise(Formula),
}

/// The most states and edges of a tableau.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) states: usize,
    pub(super) edges: usize,
}

/// The construction.
pub(super) struct Tableau<'a> {
    store: &'a mut Formulas,
    bdds: &'a mut Bdds,
    /// Variable of each proposition, by its index in the store.
    variables: &'a FxHashMap<u32, Variable>,
    extras: IndexSet<Extra, FxBuildHasher>,
    /// By the number of what is remembered, 0 where the formula has no past.
    functions: FxHashMap<(usize, Formula), Bdd>,
    /// What is remembered, by number; the first is nothing.
    memories: IndexSet<Memory, FxBuildHasher>,
    /// The number of what is remembered now.
    memory: usize,
    /// What formulas read of the past.
    read: FxHashMap<Formula, Vec<Formula>>,
}

/// History variables, by the operator of the past that reads each, and their values; sorted.
type Memory = Vec<(Formula, bool)>;

impl<'a> Tableau<'a> {
    pub(super) fn new(store: &'a mut Formulas, bdds: &'a mut Bdds, variables: &'a FxHashMap<u32, Variable>) -> Self {
        let (extras, functions, read) = (IndexSet::default(), FxHashMap::default(), FxHashMap::default());
        let memories = IndexSet::from_iter([Memory::new()]);
        Tableau { store, bdds, variables, extras, functions, memories, memory: 0, read }
    }

    /// The automaton of `formula`; `None` if it has more states or edges than `limits` allow.
    pub(super) fn build(mut self, formula: Formula, limits: Limits) -> Result<Option<Graph>, TranslationError> {
        // States are functions; each remembers what its formula reads of the past, and nothing else.
        let mut states: IndexMap<(Bdd, usize), Formula, FxBuildHasher> = IndexMap::default();
        let beginning = self.read(formula).into_iter().map(|g| (g, self.is_weak(g))).collect();
        self.memory = self.memories.insert_full(beginning).0;
        let first = self.function(formula)?;
        states.insert((first, self.memory), formula);
        // Edges as (label, promises, target).
        let mut edges: Vec<Vec<(Bdd, Vec<Formula>, usize)>> = Vec::new();
        let mut left = limits.edges;
        while let Some((&(function, memory), _)) = states.get_index(edges.len()) {
            self.bdds.budget().check()?;
            let mut leaving = Vec::new();
            self.memory = memory;
            // With the claims that have been decided for the next position.
            let mut pending = vec![(function, Memory::new())];
            while let Some((function, claims)) = pending.pop() {
                let Some(products) = self.bdds.products(function, left)? else { return Ok(None) };
                left -= products.len();
                for product in products {
                    let mut literals = Vec::new();
                    let mut demands = Vec::new();
                    let mut promises = Vec::new();
                    for &(variable, value) in &product {
                        let Some(index) = variable.checked_sub(self.bdds.props()) else {
                            literals.push((variable, value));
                            continue;
                        };
                        match self.extras.get_index(index as usize) {
                            Some(&Extra::Next(f)) => demands.push(f),
                            Some(&Extra::Promise(f)) => promises.push(f),
                            None => {}
                        }
                    }
                    let label = self.bdds.product(&literals)?;
                    let target = self.store.and(demands);
                    if target == Formula::FALSE {
                        continue;
                    }
                    if let Some(past) = self.undecided(target, &claims) {
                        let made = |value| claims.iter().copied().chain([(past, value)]).collect();
                        let (without, demand) = (self.bdds.product(&product)?, self.next_past_value(past)?);
                        let with = self.bdds.and(without, demand)?;
                        // Not to make a claim that costs nothing gains nothing.
                        pending.extend((with != without).then(|| (without, made(false))));
                        pending.extend((with != Bdd::FALSE).then(|| (with, made(true))));
                        continue;
                    }
                    let Some(remembered) = self.remembered(label, target, &claims, left)? else { return Ok(None) };
                    left -= remembered.len() - 1;
                    for (label, next) in remembered {
                        self.memory = self.memories.insert_full(next).0;
                        let function = self.function(target)?;
                        let next = std::mem::replace(&mut self.memory, memory);
                        if function == Bdd::FALSE {
                            continue;
                        }
                        let (index, _) = states.insert_full((function, next), target);
                        leaving.push((label, promises.clone(), index));
                    }
                }
            }
            edges.push(leaving);
            if states.len() > limits.states {
                return Ok(None);
            }
        }
        self.graph(edges).map(Some)
    }

    /// The history variables that a formula reads, sorted. Of a formula and its negation one is enough, where neither
    /// is a claim.
    fn read(&mut self, f: Formula) -> Vec<Formula> {
        if self.store.past(f) == 0 {
            return Vec::new();
        }
        if let Some(known) = self.read.get(&f) {
            return known.clone();
        }
        let past = self.store.subformulas(f).into_iter().filter(|&g| self.store.node(g).is_past());
        let mut read: Vec<Formula> = past.map(|g| if self.is_claim(g) { g } else { g.min(g.negated()) }).collect();
        read.sort_unstable();
        read.dedup();
        self.read.insert(f, read.clone());
        read
    }

    /// Is what this operator of the past remembers no function of the letters?
    fn is_claim(&self, past: Formula) -> bool {
        self.store.has_future(past)
    }

    /// Is the history variable true at the first position?
    fn is_weak(&self, past: Formula) -> bool {
        matches!(self.store.node(past), Node::WeakYesterday(_) | Node::Trigger(..))
    }

    /// The history variable that an operator of the past reads, now.
    fn past_value(&self, past: Formula) -> Bdd {
        let value = |g| {
            let memory = &self.memories[self.memory];
            memory.binary_search_by_key(&g, |&(g, _)| g).ok().map(|at| memory[at].1)
        };
        let found = value(past).or_else(|| value(past.negated()).filter(|_| !self.is_claim(past)).map(|v| !v));
        debug_assert!(found.is_some(), "what is read is remembered");
        if found.unwrap_or(false) { Bdd::TRUE } else { Bdd::FALSE }
    }

    /// What the history variable will be: as a function, of the letter alone unless it is a claim.
    fn next_past_value(&mut self, past: Formula) -> Result<Bdd, Exhausted> {
        match *self.store.node(past) {
            Node::Yesterday(a) | Node::WeakYesterday(a) => self.function(a),
            _ => self.function(past),
        }
    }

    /// A claim that a formula reads and that has not been decided.
    fn undecided(&mut self, f: Formula, claims: &Memory) -> Option<Formula> {
        let mut read = self.read(f).into_iter();
        read.find(|&past| self.is_claim(past) && claims.iter().all(|claim| claim.0 != past))
    }

    /// The label, split by what is remembered once it has been read.
    fn remembered(
        &mut self,
        label: Bdd,
        target: Formula,
        claims: &Memory,
        most: usize,
    ) -> Result<Option<Vec<(Bdd, Memory)>>, Exhausted> {
        let mut cases = vec![(label, Memory::new())];
        for past in self.read(target) {
            if self.is_claim(past) {
                let value = claims.contains(&(past, true));
                cases.iter_mut().for_each(|(_, memory)| memory.push((past, value)));
                continue;
            }
            let value = self.next_past_value(past)?;
            for (label, memory) in std::mem::take(&mut cases) {
                for (holds, part) in [(false, self.bdds.minus(label, value)?), (true, self.bdds.and(label, value)?)] {
                    if part != Bdd::FALSE {
                        cases.push((part, memory.iter().copied().chain([(past, holds)]).collect()));
                    }
                }
            }
            if cases.len() > most + 1 {
                return Ok(None);
            }
        }
        Ok(Some(cases))
    }

    /// Numbers the promises that are made and turns them into marks.
    fn graph(&self, edges: Vec<Vec<(Bdd, Vec<Formula>, usize)>>) -> Result<Graph, TranslationError> {
        let mut sets: IndexSet<Formula, FxBuildHasher> = IndexSet::default();
        for (_, promises, _) in edges.iter().flatten() {
            sets.extend(promises.iter().copied());
        }
        let count = sets.len() as u32;
        if count > Marks::MAX {
            return Err(TranslationError::TooManySets(count));
        }
        let marks = |promises: &[Formula]| {
            let made = promises.iter().filter_map(|f| sets.get_index_of(f));
            Marks(Marks::all(count).0 & !made.fold(Marks::NONE, |m, i| m.with(i as u32)).0)
        };
        let arcs = edges
            .iter()
            .map(|list| {
                list.iter().map(|(label, promises, target)| Arc {
                    target: *target,
                    marks: marks(promises),
                    label: *label,
                })
            })
            .map(Iterator::collect)
            .collect();
        Ok(Graph { sets: count, initial: 0, arcs })
    }

    fn extra(&mut self, extra: Extra) -> Result<Bdd, Exhausted> {
        let index = self.extras.insert_full(extra).0 as u32;
        let variable = self.bdds.extra(index);
        self.bdds.variable(variable)
    }

    /// The demand that the rest of the word satisfies `f`.
    fn next(&mut self, f: Formula) -> Result<Bdd, Exhausted> {
        match self.store.node(f).clone() {
            Node::True => Ok(Bdd::TRUE),
            Node::False => Ok(Bdd::FALSE),
            Node::And(fs) => {
                let mut all = Bdd::TRUE;
                for &g in fs.iter() {
                    let demand = self.next(g)?;
                    all = self.bdds.and(all, demand)?;
                }
                Ok(all)
            }
            _ => self.extra(Extra::Next(f)),
        }
    }

    /// The function of a formula. Recursion is as deep as the formula, which the caller has bounded.
    fn function(&mut self, f: Formula) -> Result<Bdd, Exhausted> {
        let memory = if self.store.past(f) == 0 { 0 } else { self.memory };
        if let Some(&known) = self.functions.get(&(memory, f)) {
            return Ok(known);
        }
        let result = match self.store.node(f).clone() {
            Node::True => Bdd::TRUE,
            Node::False => Bdd::FALSE,
            Node::Literal(prop, positive) => {
                let variable = self.variables.get(&prop.0).copied().unwrap_or(0);
                self.bdds.product(&[(variable, positive)])?
            }
            Node::And(fs) => {
                let mut all = Bdd::TRUE;
                for &g in fs.iter() {
                    let function = self.function(g)?;
                    all = self.bdds.and(all, function)?;
                }
                all
            }
            Node::Or(fs) => {
                let mut any = Bdd::FALSE;
                for &g in fs.iter() {
                    let function = self.function(g)?;
                    any = self.bdds.or(any, function)?;
                }
                any
            }
            Node::Next(a) => self.next(a)?,
            Node::Finally(a) => self.unfold(f, Formula::TRUE, a, Some(a))?,
            Node::Until(a, b) => self.unfold(f, a, b, Some(b))?,
            Node::WeakUntil(a, b) => self.unfold(f, a, b, None)?,
            Node::Globally(a) => self.unfold_release(f, Formula::FALSE, a, None)?,
            Node::Release(a, b) => self.unfold_release(f, a, b, None)?,
            Node::StrongRelease(a, b) => self.unfold_release(f, a, b, Some(a))?,
            Node::Yesterday(_) | Node::WeakYesterday(_) => self.past_value(f),
            Node::Since(a, b) => {
                let (now, keep) = (self.function(b)?, self.function(a)?);
                let before = self.past_value(f);
                let kept = self.bdds.and(keep, before)?;
                self.bdds.or(now, kept)?
            }
            Node::Trigger(a, b) => {
                let (now, keep) = (self.function(a)?, self.function(b)?);
                let before = self.past_value(f);
                let either = self.bdds.or(now, before)?;
                self.bdds.and(keep, either)?
            }
        };
        self.functions.insert((memory, f), result);
        Ok(result)
    }

    /// `b ∨ (a ∧ promise ∧ next f)`.
    fn unfold(&mut self, f: Formula, a: Formula, b: Formula, promise: Option<Formula>) -> Result<Bdd, Exhausted> {
        let (now, keep) = (self.function(b)?, self.function(a)?);
        let later = self.put_off(f, promise)?;
        let later = self.bdds.and(keep, later)?;
        self.bdds.or(now, later)
    }

    /// `b ∧ (a ∨ (promise ∧ next f))`.
    fn unfold_release(
        &mut self,
        f: Formula,
        a: Formula,
        b: Formula,
        promise: Option<Formula>,
    ) -> Result<Bdd, Exhausted> {
        let (now, keep) = (self.function(a)?, self.function(b)?);
        let later = self.put_off(f, promise)?;
        let either = self.bdds.or(now, later)?;
        self.bdds.and(keep, either)
    }

    fn put_off(&mut self, f: Formula, promise: Option<Formula>) -> Result<Bdd, Exhausted> {
        let next = self.next(f)?;
        match promise {
            None => Ok(next),
            Some(p) => {
                let promise = self.extra(Extra::Promise(p))?;
                self.bdds.and(promise, next)
            }
        }
    }
}

//! From LTL to a transition-based generalized Büchi automaton: Couvreur's tableau.
//!
//! Couvreur (FM 1999), "On-the-fly verification of linear temporal logic". What a formula demands of a word
//! is a Boolean function of three kinds of variables: propositions (of the first letter), *next* variables
//! (formulas that the rest of the word must satisfy) and *promises* (eventualities that are put off). For
//! instance `a U b` becomes `b ∨ (a ∧ promise(b) ∧ next(a U b))`. States are formulas, identified when they
//! have the same function; the edges of a state are the products of an irredundant sum of products of its
//! function. There is one acceptance set for each promise: the edges that do not make it.
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
    functions: FxHashMap<Formula, Bdd>,
}

impl<'a> Tableau<'a> {
    pub(super) fn new(store: &'a mut Formulas, bdds: &'a mut Bdds, variables: &'a FxHashMap<u32, Variable>) -> Self {
        Tableau { store, bdds, variables, extras: IndexSet::default(), functions: FxHashMap::default() }
    }

    /// The automaton of `formula`; `None` if it has more states or edges than `limits` allow.
    pub(super) fn build(mut self, formula: Formula, limits: Limits) -> Result<Option<Graph>, TranslationError> {
        // States are functions; each remembers nothing else.
        let mut states: IndexMap<Bdd, Formula, FxBuildHasher> = IndexMap::default();
        let first = self.function(formula)?;
        states.insert(first, formula);
        // Edges as (label, promises, target).
        let mut edges: Vec<Vec<(Bdd, Vec<Formula>, usize)>> = Vec::new();
        let mut left = limits.edges;
        while let Some((&function, _)) = states.get_index(edges.len()) {
            self.bdds.budget().check()?;
            let mut leaving = Vec::new();
            let Some(products) = self.bdds.products(function, left)? else { return Ok(None) };
            left -= products.len();
            for product in products {
                let mut literals = Vec::new();
                let mut demands = Vec::new();
                let mut promises = Vec::new();
                for (variable, value) in product {
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
                let function = self.function(target)?;
                if function == Bdd::FALSE {
                    continue;
                }
                let (index, _) = states.insert_full(function, target);
                leaving.push((label, promises, index));
            }
            edges.push(leaving);
            if states.len() > limits.states {
                return Ok(None);
            }
        }
        self.graph(edges).map(Some)
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
        if let Some(&known) = self.functions.get(&f) {
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
        };
        self.functions.insert(f, result);
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

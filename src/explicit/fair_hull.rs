//! Path formulas by fixpoints on the product with an automaton, where the graph is a set of states and three operators.
//!
//! **Problem.** A search for strongly connected components visits one state after the other, anywhere. States on disk are
//! passed in their order, and those of several machines are told by messages.
//!
//! **Idea.** The *fair hull*: the largest set of places from which a path goes on that, for each mark, comes to an edge
//! with it without leaving the set (Emerson and Lei, "Efficient model checking in fragments of the propositional
//! mu-calculus", LICS 1986). Between marks the places go that lead nowhere in the set, one by one, which spares rounds
//! (Fisler, Fraer, Kamhi, Vardi and Yang, "Is there a best symbolic cycle-detection algorithm?", TACAS 2001). Some
//! accepted path begins where the hull is reached.
//!
//! The letters of states are the labels of the state subformulas, which are computed before, so that this is CTL\*.

use super::Facts;
use super::atoms::MAX_PROPOSITIONS;
use super::ctl::{Known, Operators, atom_sets, everything, intersection, quantified};
use super::path_automaton::PathAutomaton;
use super::product::Product;
use crate::automaton::Tgba;
use crate::budget::Budget;
use crate::formula::{FormulaId, PathSemantics, Pool};
use crate::stop_reason::StopReason;
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// What an automaton here does not read.
const UNREADABLE: StopReason =
    StopReason::Unsupported("with the states elsewhere, path formulas speak of states, by 63 conditions at most");

/// The operators on sets of places of the products of a graph, under one semantics of paths.
pub(super) trait Products {
    /// What may go wrong.
    type Error: From<StopReason>;

    /// How many states there are.
    fn states(&self) -> usize;

    /// What paths are.
    fn paths(&self) -> PathSemantics;

    /// Where paths begin, unless they do everywhere.
    fn begins(&self) -> Option<&FixedBitSet>;

    /// The limits of what is done.
    fn budget(&self) -> &Budget;

    /// An error unless there is room for sets of places, of so many of each state, and what comes beside them.
    fn has_room(&self, locations: usize) -> Result<(), Self::Error>;

    /// An error unless all who compute this have the same automaton.
    fn agree(&self, _automaton: &Tgba) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Is this true of any part of the states?
    fn anywhere(&self, is_true: bool) -> Result<bool, Self::Error> {
        Ok(is_true)
    }

    /// The states without steps.
    fn deadlocks(&self) -> Result<FixedBitSet, Self::Error>;

    /// The places from which a step leads to one of the target, with this mark if one is asked for.
    fn before(
        &self,
        product: &Arc<Product>,
        target: &FixedBitSet,
        mark: Option<u64>,
    ) -> Result<FixedBitSet, Self::Error>;

    /// The places from which a path through the first set leads to the target.
    fn reaching(
        &self,
        product: &Arc<Product>,
        within: &FixedBitSet,
        target: &FixedBitSet,
    ) -> Result<FixedBitSet, Self::Error>;

    /// The places from which a path stays in a set.
    fn remaining(&self, product: &Arc<Product>, within: &FixedBitSet) -> Result<FixedBitSet, Self::Error>;
}

/// CTL is about the graph alone.
impl<P: Products> Operators for P {
    type Error = P::Error;

    fn states(&self) -> usize {
        Products::states(self)
    }

    fn begins(&self) -> Option<&FixedBitSet> {
        Products::begins(self)
    }

    fn next(&self, target: &FixedBitSet) -> Result<FixedBitSet, P::Error> {
        self.before(&plain(self.paths()), &self.beginning(target), None)
    }

    fn until(&self, within: &FixedBitSet, target: &FixedBitSet) -> Result<FixedBitSet, P::Error> {
        self.reaching(&plain(self.paths()), within, &self.beginning(target))
    }

    fn staying(&self, within: &FixedBitSet) -> Result<FixedBitSet, P::Error> {
        self.remaining(&plain(self.paths()), within)
    }

    fn accepting(&self, pool: &Pool, formula: FormulaId, known: Known<'_, '_>) -> Result<FixedBitSet, P::Error> {
        let (path, negated) = quantified(pool, formula)?;
        let (pool, paths) = (&mut pool.clone(), self.paths());
        let automaton = PathAutomaton::new(pool, path, negated, paths, &Facts::default(), self.budget())?;
        self.agree(&automaton.automaton)?;
        if automaton.has_actions || automaton.atoms.len() > MAX_PROPOSITIONS {
            return Err(UNREADABLE.into());
        }
        let locations = automaton.automaton.location_count();
        self.has_room(locations)?;
        let atoms = atom_sets(pool, &automaton.atoms, known, || self.deadlocks())?;
        let states = Products::states(self);
        let repeats = paths != PathSemantics::Infinite;
        let product = Arc::new(Product::new(&automaton, &atoms, states, repeats, self.budget())?);
        drop(atoms);
        let all = everything(states * locations);
        let hull = hull(self, &product, &all)?;
        let accepting = self.reaching(&product, &all, &hull)?;
        let mut found = FixedBitSet::with_capacity(states);
        (0..states).for_each(|state| found.set(state, accepting[product.place(state, 0)]));
        Ok(found)
    }
}

/// The product of CTL.
fn plain(paths: PathSemantics) -> Arc<Product> {
    Arc::new(Product::plain(paths == PathSemantics::Stutter, paths == PathSemantics::Maximal))
}

/// The fair hull.
fn hull<P: Products>(graph: &P, product: &Arc<Product>, all: &FixedBitSet) -> Result<FixedBitSet, P::Error> {
    let mut hull = graph.remaining(product, all)?;
    loop {
        let before = hull.clone();
        for mark in product.each_mark() {
            let marked = graph.before(product, &hull, Some(mark))?;
            hull = graph.reaching(product, &hull, &intersection(marked, &hull))?;
            hull = graph.remaining(product, &hull)?;
        }
        if !graph.anywhere(before != hull)? {
            return Ok(hull);
        }
    }
}

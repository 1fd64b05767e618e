//! The product as in RGMEDD\* (Amparore, Donatelli, Gallà, "starMC: an automata based CTL\* model checker",
//! PeerJ CS 2022): one product of all reachable states with the whole automaton, one fixpoint over it.
//!
//! First the reachable part of the product from all (state, initial location), then the fair product states:
//! Emerson–Lei over all acceptance sets, or, where the strength of the whole automaton allows, the cheaper
//! fixpoint of its class (weak: a run that stays in accepting components for ever; terminal: a run that gets
//! there), then backward reachability to the initial location.
//!
//! Kept as the reference that the component-wise product ([`super::product`]) is checked and measured
//! against; it shares only the one-step operations with it. As there, the location is the top level of a
//! product set: one set of states per location.

use super::Checker;
use super::way::Constraints;
use crate::automaton::{Edge, Location, Strength, Tgba};
use crate::budget::Budget;
use crate::mdd::Mdd;
use crate::stop_reason::StopReason;

/// A set of product states: the states at each location.
type ProductSet = Vec<Mdd>;

pub(super) struct PlainProduct<'c, 'a> {
    checker: &'c Checker<'a>,
    automaton: &'c Tgba,
    budget: &'c Budget,
    /// States in which each edge's guard holds, by edge index.
    guards: &'c [Mdd],
    constraints: &'c Constraints,
    stuttering: Mdd,
}

impl<'c, 'a> PlainProduct<'c, 'a> {
    pub(super) fn new(
        checker: &'c Checker<'a>,
        automaton: &'c Tgba,
        guards: &'c [Mdd],
        constraints: &'c Constraints,
        budget: &'c Budget,
    ) -> Result<Self, StopReason> {
        if constraints.all().any(|(ways, _)| ways.iter().any(|way| way.steps.is_some())) {
            return Err(StopReason::Unsupported("conditions on actions are not read here"));
        }
        let stuttering = checker.stuttering(budget)?;
        Ok(PlainProduct { checker, automaton, budget, guards, constraints, stuttering })
    }

    /// The states from which some path is accepted, starting in the initial location.
    pub(super) fn satisfying(&self) -> Result<Mdd, StopReason> {
        let reachable = self.reachable()?;
        let accepting = |location: Location| {
            self.automaton.components()[self.automaton.component_of(location)].strength.is_accepting()
        };
        let in_accepting = self.restrict(&reachable, &accepting);
        let fair = match self.automaton.strength() {
            // Every run that stays is accepted, if it is fair.
            Strength::Terminal | Strength::WeakAccepting if !self.constraints.is_empty() => {
                self.emerson_lei(in_accepting, &|edge| self.automaton.is_internal(edge), 0)?
            }
            Strength::Terminal => self.with_a_path(&in_accepting)?,
            Strength::WeakAccepting => self.stay(in_accepting, &|edge| self.automaton.is_internal(edge))?,
            // Emerson and Lei on the whole product.
            Strength::Strong => self.emerson_lei(reachable.clone(), &|_| true, self.automaton.acceptance_sets())?,
            Strength::Transient | Strength::Rejecting => self.none(),
        };
        let accepted = self.reach(fair, &reachable)?;
        Ok(accepted[self.automaton.initial().index()].clone())
    }

    fn none(&self) -> ProductSet {
        vec![self.checker.states.space().empty(); self.automaton.location_count()]
    }

    fn restrict(&self, sets: &ProductSet, keep: &dyn Fn(Location) -> bool) -> ProductSet {
        let empty = self.checker.states.space().empty();
        let choose = |location: Location| if keep(location) { sets[location.index()].clone() } else { empty.clone() };
        self.automaton.locations().map(choose).collect()
    }

    fn with_a_path(&self, sets: &ProductSet) -> Result<ProductSet, StopReason> {
        sets.iter().map(|set| self.checker.with_a_path(set, self.budget)).collect()
    }

    /// The product states reachable from all states in the initial location.
    fn reachable(&self) -> Result<ProductSet, StopReason> {
        let mut reached = self.none();
        reached[self.automaton.initial().index()] = self.checker.states.clone();
        loop {
            let before = reached.clone();
            for (edge, guard) in self.automaton.edges().iter().zip(self.guards) {
                self.budget.check()?;
                let source = reached[edge.source.index()].intersection(guard, self.budget)?;
                let moved = self.checker.post(&source, self.budget)?;
                let stay = source.intersection(&self.stuttering, self.budget)?;
                let target = &mut reached[edge.target.index()];
                *target = target.union(&moved, self.budget)?.union(&stay, self.budget)?;
            }
            if reached == before {
                return Ok(reached);
            }
        }
    }

    /// The states of `within` from which an edge of the automaton that `choose` accepts leads into `target`.
    fn step(
        &self,
        target: &ProductSet,
        within: &ProductSet,
        choose: &dyn Fn(&Edge) -> bool,
    ) -> Result<ProductSet, StopReason> {
        let mut sources = self.none();
        for (edge, guard) in self.automaton.edges().iter().zip(self.guards).filter(|(edge, _)| choose(edge)) {
            self.budget.check()?;
            let within = within[edge.source.index()].intersection(guard, self.budget)?;
            let target = &target[edge.target.index()];
            let before = self.checker.pre(target, &within, self.budget)?;
            let stay = self.stuttering.intersection(target, self.budget)?.intersection(&within, self.budget)?;
            let source = &mut sources[edge.source.index()];
            *source = source.union(&before, self.budget)?.union(&stay, self.budget)?;
        }
        Ok(sources)
    }

    /// The product states of `within` that reach `target` inside it: the least fixpoint, step by step.
    fn reach(&self, target: ProductSet, within: &ProductSet) -> Result<ProductSet, StopReason> {
        let mut reached = target;
        loop {
            let before = self.step(&reached, within, &|_| true)?;
            let mut grown = Vec::with_capacity(reached.len());
            for (set, before) in reached.iter().zip(&before) {
                grown.push(set.union(before, self.budget)?);
            }
            if grown == reached {
                return Ok(reached);
            }
            reached = grown;
        }
    }

    /// The greatest subset of `sets` each of whose members has a successor in it.
    fn stay(&self, sets: ProductSet, choose: &dyn Fn(&Edge) -> bool) -> Result<ProductSet, StopReason> {
        let mut sets = sets;
        loop {
            let next = self.step(&sets, &sets, choose)?;
            if next == sets {
                return Ok(sets);
            }
            sets = next;
        }
    }

    /// The greatest part of the sets from all of which each of so many marks, and what the conditions demand, can be
    /// reached inside, by these edges.
    fn emerson_lei(
        &self,
        start: ProductSet,
        choose: &dyn Fn(&Edge) -> bool,
        marks: u32,
    ) -> Result<ProductSet, StopReason> {
        let mut fair = self.stay(start, choose)?;
        loop {
            let before = fair.clone();
            for mark in 0..marks {
                let marked = self.step(&fair, &fair, &|edge| choose(edge) && edge.marks.contains(mark))?;
                fair = self.reach(marked, &fair)?;
            }
            for (ways, cause) in self.constraints.all() {
                let mut demanded = Vec::with_capacity(fair.len());
                for set in &fair {
                    let mut states = self.checker.states.space().empty();
                    for way in ways {
                        states = states.union(&set.intersection(&way.states, self.budget)?, self.budget)?;
                    }
                    demanded.push(states);
                }
                let mut next = self.reach(demanded, &fair)?;
                if let Some(cause) = cause {
                    for (next, set) in next.iter_mut().zip(&fair) {
                        *next = next.union(&set.difference(cause, self.budget)?, self.budget)?;
                    }
                }
                fair = self.stay(next, choose)?;
            }
            if fair == before {
                return Ok(fair);
            }
        }
    }
}

//! State formulas that are true in all reachable markings, by linear inequalities.
//!
//! **Idea.** The tableau of `decide/conditions/refutation`, which proves that a condition is never met, with its
//! reasons kept: the inequalities of a condition are demanded at once, disjunctions wait, and one that is false in a
//! solution of the state equation is split into its cases. A case ends with weights of places whose sum never grows,
//! inequalities of marked traps, and how often each demand is added to them (Farkas' lemma). These are what the checker
//! wants to see: that no step breaks an inequality, and that sums are absurd.
//!
//! Solutions that round to nothing exact are no proofs; then there is none.

use super::translate::Names;
use crate::budget::Budget;
use crate::net::{PetriNet, PlaceId};
use crate::structure::{Inequality, Refutation, Solvability, StateEquation};
use starset_checker::{Claim, Evidence, Id, Linear, Net, Part, Pool, Row, bounded, is_kept};

/// Linear programs for one formula, besides one for each of its cases: where there are other ways, and where there are
/// none. Most proofs take one, and few of those that a hundred do not find are found at all.
pub(super) const FEW: u32 = 40;
pub(super) const MANY: u32 = 1000;
/// The checker reads no larger factors.
const GREATEST: i128 = 1 << 32;

/// A step of a proof whose sums name inequalities that are kept, and those that are demanded on the way.
enum Step {
    Split(usize),
    Sum { kept: Vec<(usize, i128)>, demanded: Vec<(usize, i128)> },
}

/// Proves state formulas of one net.
pub(super) struct Prover<'a> {
    net: &'a Net,
    names: &'a Names,
    own: Option<&'a PetriNet>,
    equation: Option<StateEquation<'a>>,
    kept: Vec<Row>,
    steps: Vec<Step>,
    programs: u32,
}

impl<'a> Prover<'a> {
    /// A prover for the formulas of a net; of a network it proves nothing.
    pub(super) fn new(own: Option<&'a PetriNet>, net: &'a Net, names: &'a Names) -> Self {
        Prover { net, names, own, equation: None, kept: Vec::new(), steps: Vec::new(), programs: 0 }
    }

    /// A claim that a state formula is always true, by about so many linear programs.
    pub(super) fn claim(&mut self, pool: &Pool, id: Id, programs: u32, budget: &Budget) -> Option<Claim> {
        if self.equation.is_none() {
            self.equation = self.own.and_then(StateEquation::new);
        }
        self.equation.as_ref()?;
        let size = 100 * (self.net.places.len() + self.net.steps.len());
        let negation = bounded(size, || Linear::new(self.net, pool, id)).ok()?.negated();
        let cases = if let Linear::Any(cases) = &negation { cases.len() as u32 } else { 0 };
        (self.programs, self.kept, self.steps) = (programs + cases, Vec::new(), Vec::new());
        self.refute(&negation, &mut Vec::new(), &mut Vec::new(), budget)?;
        let first = self.kept.len();
        let proof = self.steps.drain(..).map(|step| match step {
            Step::Split(at) => Part::Split(at),
            Step::Sum { mut kept, demanded } => {
                kept.extend(demanded.into_iter().map(|(at, times)| (first + at, times)));
                Part::Sum(kept)
            }
        });
        let proof = proof.collect();
        Some(Claim { formula: id, evidence: Evidence::Always(std::mem::take(&mut self.kept), proof) })
    }

    /// Demand one condition more, and refute all.
    fn refute<'l>(
        &mut self,
        condition: &'l Linear,
        rows: &mut Vec<Row>,
        open: &mut Vec<Option<&'l [Linear]>>,
        budget: &Budget,
    ) -> Option<()> {
        let (known, waiting) = (rows.len(), open.len());
        let mut demands = vec![condition];
        while let Some(demand) = demands.pop() {
            match demand {
                Linear::Row(row) => rows.push(row.clone()),
                Linear::All(list) => demands.extend(list.iter().rev()),
                Linear::Any(list) => open.push(Some(list)),
            }
        }
        let refuted = self.split(rows, open, budget);
        rows.truncate(known);
        open.truncate(waiting);
        refuted
    }

    fn split(&mut self, rows: &mut Vec<Row>, open: &mut Vec<Option<&[Linear]>>, budget: &Budget) -> Option<()> {
        if let Some(at) = open.iter().position(|cases| cases.is_some_and(<[_]>::is_empty)) {
            self.steps.push(Step::Split(at));
            return Some(());
        }
        if let Some(at) = rows.iter().position(|(sum, bound)| *bound < 0 && sum.iter().all(|term| term.1 >= 0)) {
            self.steps.push(Step::Sum { kept: Vec::new(), demanded: vec![(at, 1)] });
            return Some(());
        }
        // With one case there is no choice.
        let chosen = match open.iter().position(|cases| cases.is_some_and(|cases| cases.len() == 1)) {
            Some(at) => at,
            None => {
                self.programs = self.programs.checked_sub(1)?;
                budget.check().ok()?;
                let demands: Vec<Inequality> = rows.iter().map(|row| self.demand(row)).collect();
                match self.equation.as_mut()?.solve(&demands, budget) {
                    Solvability::Impossible(proof) => return self.sum(&proof),
                    Solvability::Candidate(marking) => {
                        let violated = |cases: &[Linear]| !cases.iter().any(|case| self.nearly_holds(case, &marking));
                        let candidates = open.iter().zip(0..).filter_map(|(cases, at)| Some((at, (*cases)?)));
                        candidates.filter(|(_, cases)| violated(cases)).min_by_key(|(_, cases)| cases.len())?.0
                    }
                    Solvability::Unknown => return None,
                }
            }
        };
        self.steps.push(Step::Split(chosen));
        // It is not split again in its own cases.
        let cases = open[chosen].take();
        let refuted = cases?.iter().try_for_each(|case| self.refute(case, rows, open, budget));
        open[chosen] = cases;
        refuted
    }

    /// The end of a case.
    fn sum(&mut self, proof: &Refutation) -> Option<()> {
        let mut weights = Vec::new();
        for (variable, &weight) in proof.weights.iter().enumerate().filter(|(_, weight)| **weight != 0) {
            weights.push((self.names.place(variable), i64::try_from(weight).ok().filter(|w| w.abs() < 1 << 32)?));
        }
        weights.sort_unstable();
        let initial = self.net.initial();
        let bound = weights.iter().map(|&(place, weight)| i128::from(weight) * i128::from(initial[place])).sum();
        let mut kept = Vec::new();
        if !weights.is_empty() {
            kept.push((self.keep((weights, bound))?, 1));
        }
        for (trap, times) in &proof.traps {
            let mut places: Vec<(usize, i64)> =
                trap.terms.iter().map(|&(p, weight)| (self.names.place(p.index()), -weight)).collect();
            places.sort_unstable();
            kept.push((self.keep((places, -trap.least))?, *times));
        }
        let factors = proof.factors.iter().copied().enumerate().filter(|(_, times)| *times > 0);
        self.steps.push(Step::Sum { kept, demanded: factors.collect() });
        Some(())
    }

    /// The number of an inequality that no step breaks.
    fn keep(&mut self, row: Row) -> Option<usize> {
        if let Some(at) = self.kept.iter().position(|known| *known == row) {
            return Some(at);
        }
        let fits = is_kept(self.net, &row) && row.0.iter().all(|term| i128::from(term.1).abs() < GREATEST);
        fits.then(|| {
            self.kept.push(row);
            self.kept.len() - 1
        })
    }

    fn demand(&self, (sum, bound): &Row) -> Inequality {
        let terms = sum.iter().map(|&(place, factor)| (self.place(place), -factor)).collect();
        Inequality { terms, least: -bound }
    }

    fn place(&self, place: usize) -> PlaceId {
        PlaceId(self.names.variable(place) as u32)
    }

    fn nearly_holds(&self, condition: &Linear, marking: &[f64]) -> bool {
        match condition {
            Linear::Row(row) => self.demand(row).nearly_holds(marking),
            Linear::All(list) => list.iter().all(|part| self.nearly_holds(part, marking)),
            Linear::Any(list) => list.iter().any(|part| self.nearly_holds(part, marking)),
        }
    }
}

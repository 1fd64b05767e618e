//! The state equation: what no reachable marking can be, by linear algebra.
//!
//! **Problem.** Prove, without exploring anything, that no reachable marking satisfies some linear
//! inequalities, or that a weighted sum of tokens never exceeds a number.
//!
//! **Idea.** A marking reached by firing each transition *t* σ(t) times is `m = m₀ + C·σ`, with `m ≥ 0` and
//! `σ ≥ 0` (Murata 1989). Whether an inequality system over *m* has a solution of that kind, over the
//! rationals, is a linear program; if it has none, no reachable marking satisfies it. Inhibitor arcs only
//! forbid firings, so that the conclusion holds with them.
//!
//! **Proof.** The solver works in floating point, so its word is not taken. Instead, its solution of the
//! dual program is rounded to integers and checked exactly: weights *w* of the places with `w·C ≤ 0`, whose
//! weighted sum of tokens therefore never grows, and factors `λ ≥ 0` of the inequalities `a·m ≥ b` with
//! `w ≥ Σ λ·a` and `w·m₀ < Σ λ·b`. A marking that satisfies all inequalities would have
//! `Σ λ·b ≤ Σ λ·a·m ≤ w·m ≤ w·m₀ < Σ λ·b` (Farkas' lemma). With `c + Σ λ·a` in place of `Σ λ·a`, the same
//! weights prove that `c·m ≤ w·m₀ − Σ λ·b`.
//!
//! **Traps.** A set of places is a *trap* if every transition that takes a token from it puts one back. A trap
//! that is marked initially is marked for ever, which the state equation does not see. So when the program has
//! a solution, the largest trap that is empty in it is looked for; if it is marked initially, that it stays
//! marked is one more inequality, and the program is solved again (Esparza and Melzer, "Verification of
//! safety properties using integer programming: beyond the state equation", Formal Methods in System Design
//! 16, 2000). Traps are kept for later questions.
//!
//! The cost is that of a few linear programs with a variable for each transition or place. Questions come in rows that grow by one
//! and shrink again: a program is solved from the solution of the longest beginning of its rows that is known, by the dual simplex
//! method. What was refuted before is looked at first ([`super::refutations`]).

use super::Incidence;
use super::linear_program::{Failure, LinearProgram, Optimum};
use super::refutations::{Inequality, Refutation, Refutations};
use super::siphons::largest_trap;
use crate::budget::Budget;
use crate::net::{PetriNet, PlaceId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Whether some inequalities can hold together in a reachable marking.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Solvability {
    /// No reachable marking satisfies them: proved so.
    Impossible(Refutation),
    /// The state equation has this solution, which is near a rational marking, reachable or not.
    Candidate(Vec<f64>),
    /// Not known.
    Unknown,
}

/// Solutions are kept as long as they have so many coefficients together: some hundred megabytes.
const KEPT: usize = 1 << 20;
/// Initially marked traps found in one question.
const TRAPS: usize = 12;
/// Common denominators that are tried to turn a dual solution into integers.
const DENOMINATORS: u32 = 64;
/// Weights beyond this are not trusted to be rounded right, and not tried.
const GREATEST: f64 = 1e9;

/// The state equation of a net.
#[derive(Clone, Debug)]
pub(crate) struct StateEquation<'a> {
    net: &'a PetriNet,
    incidence: Incidence,
    /// The distinct columns of the incidence matrix other than 0.
    columns: Vec<Vec<(u32, i64)>>,
    /// For each place, the columns that change it.
    changes: Vec<Vec<(usize, f64)>>,
    /// Inequalities that hold in all reachable markings.
    traps: Vec<Inequality>,
    refutations: Refutations,
    /// The program without further inequalities, if it is solved in time; `None` before it is needed.
    base: Option<Result<Arc<Optimum>, Failure>>,
    /// The solutions with these inequalities and all before.
    solved: Vec<(Inequality, Arc<Optimum>)>,
    /// How many of them may be kept.
    kept: usize,
}

/// Integer factors that prove something: see the module documentation.
struct Certificate {
    /// Common denominator of the factors.
    denominator: i128,
    /// The excess of the weights over what the inequalities make necessary, by place.
    slack: Vec<i128>,
    /// The factors of the inequalities.
    factors: Vec<i128>,
}

impl<'a> StateEquation<'a> {
    /// The state equation of `net`; `None` where a change of tokens is beyond 63 bits.
    pub(crate) fn new(net: &'a PetriNet) -> Option<Self> {
        let incidence = Incidence::new(net)?;
        let columns: BTreeSet<_> = incidence.columns().iter().filter(|column| !column.is_empty()).collect();
        let columns: Vec<_> = columns.into_iter().cloned().collect();
        let mut changes = vec![Vec::new(); net.place_count()];
        for (t, column) in columns.iter().enumerate() {
            column.iter().for_each(|&(p, change)| changes[p as usize].push((t, change as f64)));
        }
        let kept = KEPT / (columns.iter().map(Vec::len).sum::<usize>() + 1);
        let (traps, refutations, solved) = (Vec::new(), Refutations::default(), Vec::new());
        Some(StateEquation { net, incidence, columns, changes, traps, refutations, base: None, solved, kept })
    }

    /// Can a reachable marking satisfy all of these?
    pub(crate) fn solve(&mut self, inequalities: &[Inequality], budget: &Budget) -> Solvability {
        if let Some(refutation) = self.refutations.apply(self.net, inequalities) {
            return Solvability::Impossible(refutation);
        }
        for _ in 0..=TRAPS {
            match self.primal(inequalities, budget) {
                Ok(firings) => {
                    let marking = self.marking(&firings);
                    match self.empty_trap(&marking) {
                        Some(trap) => self.traps.push(trap),
                        None => return Solvability::Candidate(marking),
                    }
                }
                Err(Failure::Unknown) => break,
                Err(Failure::Infeasible) => {
                    let rows: Vec<&Inequality> = inequalities.iter().chain(&self.traps).collect();
                    let Some(proof) = self.refutation(&rows, budget) else { break };
                    let mut weights = proof.slack;
                    for (row, factor) in rows.iter().zip(&proof.factors) {
                        row.terms.iter().for_each(|&(p, weight)| weights[p.index()] += factor * i128::from(weight));
                    }
                    let (factors, of_traps) = proof.factors.split_at(inequalities.len());
                    let traps = self.traps.iter().cloned().zip(of_traps.iter().copied()).filter(|trap| trap.1 > 0);
                    let refutation = Refutation { weights, factors: factors.to_vec(), traps: traps.collect() };
                    self.refutations.learn(self.net, inequalities, &refutation);
                    return Solvability::Impossible(refutation);
                }
            }
        }
        Solvability::Unknown
    }

    /// A number that the weighted sum never exceeds; `None` if none was found.
    pub(crate) fn upper_bound(&self, weights: &[(PlaceId, i64)], budget: &Budget) -> Option<i128> {
        let rows: Vec<&Inequality> = self.traps.iter().collect();
        let solution = self.dual(weights, &rows, false, budget)?;
        let whole = |k: u32| Some((i128::from(k), f64::from(k)));
        let bounds = (1..=DENOMINATORS).filter_map(whole).filter_map(|(denominator, scale)| {
            let certificate = self.round(&solution, rows.len(), scale, denominator)?;
            self.proves(weights, &rows, &certificate)
        });
        bounds.map(|(bound, denominator)| bound.div_euclid(denominator)).next()
    }

    /// Firing counts for a marking that satisfies these inequalities and those of traps.
    fn primal(&mut self, inequalities: &[Inequality], budget: &Budget) -> Result<Vec<f64>, Failure> {
        let rows: Vec<&Inequality> = self.traps.iter().chain(inequalities).collect();
        let known = self.solved.iter().zip(&rows).take_while(|(solved, row)| solved.0 == ***row).count();
        self.solved.truncate(known);
        if self.base.is_none() {
            self.base = Some(self.program().optimum().map(Arc::new));
        }
        let Some(Ok(base)) = &self.base else { return self.primal_at_once(&rows, budget) };
        let mut optimum = Arc::clone(self.solved.last().map_or(base, |(_, optimum)| optimum));
        for row in &rows[known..] {
            let (terms, bound) = self.constraint(row);
            if !terms.is_empty() {
                optimum = match optimum.at_least(&terms, bound, budget) {
                    Ok(next) => Arc::new(next),
                    Err(Failure::Infeasible) => return Err(Failure::Infeasible),
                    Err(Failure::Unknown) => return self.primal_at_once(&rows, budget),
                };
            } else if bound > 0.0 {
                return Err(Failure::Infeasible);
            }
            if self.solved.len() < self.kept {
                self.solved.push(((*row).clone(), Arc::clone(&optimum)));
            }
        }
        Ok(optimum.values())
    }

    /// The same, from the beginning.
    fn primal_at_once(&self, rows: &[&Inequality], budget: &Budget) -> Result<Vec<f64>, Failure> {
        let mut program = self.program();
        for row in rows {
            let (terms, bound) = self.constraint(row);
            if !terms.is_empty() {
                program.at_least(&terms, bound);
            } else if bound > 0.0 {
                return Err(Failure::Infeasible);
            }
        }
        program.solve(budget)
    }

    /// The program: how often each column is fired, as seldom as possible, so that no place is below 0.
    fn program(&self) -> LinearProgram {
        let mut program = LinearProgram::minimize(self.columns.iter().map(|_| 1.0));
        for (place, terms) in self.net.places().iter().zip(&self.changes) {
            if terms.iter().any(|&(_, c)| c < 0.0) {
                program.at_least(terms, -(place.initial as f64));
            }
        }
        program
    }

    /// The constraint of an inequality on the firing counts: terms, and their least sum.
    fn constraint(&self, row: &Inequality) -> (Vec<(usize, f64)>, f64) {
        let mut sums = BTreeMap::new();
        let mut initially = 0.0;
        for &(p, weight) in &row.terms {
            initially += weight as f64 * self.net.place(p).initial as f64;
            for &(t, c) in &self.changes[p.index()] {
                *sums.entry(t).or_insert(0.0) += weight as f64 * c;
            }
        }
        (sums.into_iter().filter(|&(_, c)| c != 0.0).collect(), row.least as f64 - initially)
    }

    fn marking(&self, firings: &[f64]) -> Vec<f64> {
        let mut marking: Vec<f64> = self.net.places().iter().map(|place| place.initial as f64).collect();
        for (column, count) in self.columns.iter().zip(firings) {
            for &(p, change) in column {
                marking[p as usize] += change as f64 * count;
            }
        }
        marking
    }

    /// That the largest trap without tokens in `marking` stays marked, if it is marked initially.
    fn empty_trap(&self, marking: &[f64]) -> Option<Inequality> {
        let inside = largest_trap(self.net, marking.iter().map(|&tokens| tokens < 1e-6).collect());
        let places = || self.net.place_ids().filter(|p| inside[p.index()]);
        let marked = places().any(|p| self.net.place(p).initial > 0);
        marked.then(|| Inequality { terms: places().map(|p| (p, 1)).collect(), least: 1 })
    }

    /// The dual solution: the slack of each place, then the factor of each row.
    fn dual(
        &self,
        weights: &[(PlaceId, i64)],
        rows: &[&Inequality],
        normalize: bool,
        budget: &Budget,
    ) -> Option<Vec<f64>> {
        let places = self.net.place_count();
        let initial = |p: PlaceId| self.net.place(p).initial as f64;
        let excess = |row: &&Inequality| {
            row.terms.iter().map(|&(p, weight)| weight as f64 * initial(p)).sum::<f64>() - row.least as f64
        };
        let costs = self.net.place_ids().map(initial).chain(rows.iter().map(excess));
        let mut program = LinearProgram::minimize(costs);
        // What a weighted sum gains by each transition, for the rows that touch its places.
        let mut in_rows: Vec<Vec<(usize, i64)>> = vec![Vec::new(); places];
        for (i, row) in rows.iter().enumerate() {
            row.terms.iter().for_each(|&(p, weight)| in_rows[p.index()].push((i, weight)));
        }
        let mut given = vec![0i64; places];
        weights.iter().for_each(|&(p, weight)| given[p.index()] = weight);
        let mut gains = vec![0.0; rows.len()];
        for column in &self.columns {
            let mut terms: Vec<(usize, f64)> = Vec::with_capacity(column.len());
            let mut touched = Vec::new();
            let mut fixed = 0.0;
            for &(p, change) in column {
                terms.push((p as usize, change as f64));
                fixed += given[p as usize] as f64 * change as f64;
                for &(row, weight) in &in_rows[p as usize] {
                    gains[row] += weight as f64 * change as f64;
                    touched.push(row);
                }
            }
            for row in touched {
                let gain = std::mem::replace(&mut gains[row], 0.0);
                if gain != 0.0 {
                    terms.push((places + row, gain));
                }
            }
            program.at_most(&terms, -fixed);
        }
        if normalize {
            let sum: Vec<(usize, f64)> = (0..rows.len()).map(|i| (places + i, 1.0)).collect();
            program.at_most(&sum, 1.0);
        }
        program.solve(budget).ok()
    }

    /// A proof that the rows cannot hold together.
    fn refutation(&self, rows: &[&Inequality], budget: &Budget) -> Option<Certificate> {
        if rows.is_empty() {
            return None;
        }
        let solution = self.dual(&[], rows, true, budget)?;
        let (_, factors) = solution.split_at(self.net.place_count());
        let significant = solution.iter().copied().filter(|&value| value > 1e-6);
        let least = significant.fold(f64::INFINITY, f64::min);
        let greatest = factors.iter().copied().fold(0.0, f64::max);
        let units = [least, greatest].into_iter().filter(|unit| unit.is_finite() && *unit > 0.0);
        units.flat_map(|unit| (1..=DENOMINATORS).map(move |k| f64::from(k) / unit)).find_map(|scale| {
            let certificate = self.round(&solution, rows.len(), scale, 1)?;
            self.proves(&[], rows, &certificate).filter(|(bound, _)| *bound < 0).map(|_| certificate)
        })
    }

    /// The solution multiplied by `scale`, if that makes it nearly integral.
    fn round(&self, solution: &[f64], rows: usize, scale: f64, denominator: i128) -> Option<Certificate> {
        let whole = |&value: &f64| {
            let scaled = (value * scale).max(0.0);
            let rounded = scaled.round();
            (rounded <= GREATEST && (scaled - rounded).abs() < 1e-4).then_some(rounded as i128)
        };
        let values: Vec<i128> = solution.iter().map(whole).collect::<Option<_>>()?;
        let (slack, factors) = values.split_at(values.len().checked_sub(rows)?);
        Some(Certificate { denominator, slack: slack.to_vec(), factors: factors.to_vec() })
    }

    /// The bound that the certificate proves, in exact arithmetic: an upper bound of the weighted sum in all reachable
    /// markings that satisfy the rows, as a fraction. `None` if it proves nothing.
    fn proves(
        &self,
        weights: &[(PlaceId, i64)],
        rows: &[&Inequality],
        certificate: &Certificate,
    ) -> Option<(i128, i128)> {
        let mut total = certificate.slack.clone();
        if certificate.denominator <= 0 || certificate.slack.iter().chain(&certificate.factors).any(|&v| v < 0) {
            return None;
        }
        let mut add = |p: PlaceId, factor: i128, weight: i64| {
            let total = total.get_mut(p.index())?;
            *total = total.checked_add(factor.checked_mul(i128::from(weight))?)?;
            Some(())
        };
        for &(p, weight) in weights {
            add(p, certificate.denominator, weight)?;
        }
        for (row, &factor) in rows.iter().zip(&certificate.factors) {
            for &(p, weight) in &row.terms {
                add(p, factor, weight)?;
            }
        }
        for t in self.net.transition_ids() {
            let mut gain = 0i128;
            for &(p, change) in self.incidence.transition_column(t) {
                gain = gain.checked_add(total[p as usize].checked_mul(i128::from(change))?)?;
            }
            if gain > 0 {
                return None;
            }
        }
        let mut bound = 0i128;
        for (place, &weight) in self.net.places().iter().zip(&total) {
            bound = bound.checked_add(weight.checked_mul(i128::from(place.initial))?)?;
        }
        for (row, &factor) in rows.iter().zip(&certificate.factors) {
            bound = bound.checked_sub(factor.checked_mul(row.least)?)?;
        }
        Some((bound, certificate.denominator))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::random::{NetShape, Rng, net};
    use crate::reference::explore;

    fn inequality(rng: &mut Rng, net: &PetriNet) -> Inequality {
        let mut terms: Vec<(PlaceId, i64)> = Vec::new();
        for p in net.place_ids() {
            if rng.one_in(2) {
                terms.push((p, [1, 1, 1, -1, 2][rng.below(5)]));
            }
        }
        Inequality { terms, least: rng.below(7) as i128 - 1 }
    }

    fn sum(marking: &crate::net::Marking, terms: &[(PlaceId, i64)]) -> i128 {
        terms.iter().map(|&(p, weight)| i128::from(weight) * i128::from(marking.tokens(p))).sum()
    }

    /// Is it as the documentation of the module says?
    fn is_proof(net: &PetriNet, rows: &[Inequality], Refutation { weights, factors, traps }: &Refutation) -> bool {
        let incidence = Incidence::new(net).unwrap();
        let gain =
            |t| incidence.transition_column(t).iter().map(|&(p, c)| weights[p as usize] * i128::from(c)).sum::<i128>();
        let never_grows = net.transition_ids().all(|t| gain(t) <= 0);
        let (mut slack, mut excess) = (weights.clone(), 0i128);
        for (row, factor) in rows.iter().zip(factors).chain(traps.iter().map(|(row, factor)| (row, factor))) {
            assert!(*factor >= 0);
            row.terms.iter().for_each(|&(p, weight)| slack[p.index()] -= factor * i128::from(weight));
            excess += factor * row.least;
        }
        let initially: i128 = net.places().iter().zip(weights).map(|(place, w)| i128::from(place.initial) * w).sum();
        never_grows && slack.iter().all(|&rest| rest >= 0) && initially < excess && factors.len() == rows.len()
    }

    /// From the solution of other rows, and from the beginning, there are solutions of the same rows.
    #[test]
    fn programs_go_on_from_where_they_were() {
        let budget = Budget::unlimited();
        let (mut possible, mut impossible) = (0, 0);
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape::default());
            let mut equation = StateEquation::new(&net).unwrap();
            let mut rows: Vec<Inequality> = Vec::new();
            for _ in 0..12 {
                rows.truncate(rng.below(rows.len() + 1));
                rows.extend((0..1 + rng.below(3)).map(|_| inequality(&mut rng, &net)));
                let step_by_step = equation.primal(&rows, &budget).map(|_| ());
                let at_once = equation.primal_at_once(&rows.iter().collect::<Vec<_>>(), &budget).map(|_| ());
                assert_eq!(step_by_step, at_once, "seed {seed}: {rows:?}");
                match at_once {
                    Ok(()) => possible += 1,
                    Err(_) => impossible += 1,
                }
            }
        }
        assert!(possible > 300 && impossible > 300, "{possible} {impossible}");
    }

    /// Refuted conditions hold in no reachable marking, and bounds are bounds; both are found often.
    #[test]
    fn conclusions_hold_in_the_reachability_graph() {
        let budget = Budget::unlimited();
        let (mut refuted, mut remembered, mut refutable, mut bounds, mut tight) = (0, 0, 0, 0, 0);
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape::default());
            let graph = explore(&net, 400).unwrap();
            let mut equation = StateEquation::new(&net).unwrap();
            for round in 0..12 {
                let mut rows: Vec<Inequality> = (0..1 + rng.below(2)).map(|_| inequality(&mut rng, &net)).collect();
                if round >= 4 {
                    // Single places, as enabled transitions ask for them.
                    let places = net.place_ids().filter(|_| rng.one_in(2)).collect::<Vec<_>>();
                    let terms = places.into_iter().map(|p| vec![(p, if rng.one_in(4) { -1 } else { 1 })]);
                    rows = terms.map(|terms| Inequality { least: terms[0].1.into(), terms }).collect();
                }
                if rows.is_empty() {
                    continue;
                }
                let holds = graph.markings.iter().any(|m| rows.iter().all(|row| sum(m, &row.terms) >= row.least));
                refutable += usize::from(!holds);
                let again = equation.refutations.apply(&net, &rows).is_some();
                if let Solvability::Impossible(refutation) = equation.solve(&rows, &budget) {
                    assert!(!holds, "seed {seed}: {rows:?}");
                    assert!(is_proof(&net, &rows, &refutation), "seed {seed}: {refutation:?} of {rows:?}");
                    refuted += 1;
                    remembered += usize::from(again);
                }
                let greatest = graph.markings.iter().map(|m| sum(m, &rows[0].terms)).max().unwrap();
                if let Some(bound) = equation.upper_bound(&rows[0].terms, &budget) {
                    assert!(bound >= greatest, "seed {seed}: {bound} is no bound of {:?}", rows[0]);
                    bounds += 1;
                    tight += usize::from(bound == greatest);
                }
            }
        }
        assert!(
            refuted * 2 > refutable && remembered > 50 && tight * 3 > bounds && bounds > 500,
            "{refuted}/{refutable} {remembered} {tight}/{bounds}"
        );
    }

    #[test]
    fn wrong_certificates_prove_nothing() {
        let mut b = crate::net::NetBuilder::new("n");
        let (p, q) = (b.place("p", 1).unwrap(), b.place("q", 0).unwrap());
        let t = b.transition("t").unwrap();
        b.input(p, t, 1).unwrap();
        b.output(t, q, 2).unwrap();
        let net = b.build().unwrap();
        let equation = StateEquation::new(&net).unwrap();
        let prove = |slack: [i128; 2]| {
            let certificate = Certificate { denominator: 1, slack: slack.to_vec(), factors: Vec::new() };
            equation.proves(&[(q, 1)], &[], &certificate)
        };
        assert_eq!(prove([2, 0]), Some((2, 1)));
        assert_eq!(prove([1, 0]), None);
        assert_eq!(prove([2, -1]), None);
    }

    #[test]
    fn a_marked_trap_refines_the_equation() {
        // The token goes round p and q; with it, t moves between a and b and back. The equation alone allows
        // both p and q to be left empty, since a loses its token to a side branch that needs it back.
        let mut b = crate::net::NetBuilder::new("trap");
        let (p, q) = (b.place("p", 1).unwrap(), b.place("q", 0).unwrap());
        let (split, join) = (b.transition("split").unwrap(), b.transition("join").unwrap());
        // split: p -> p + q; join: p + q -> p. In the equation only q changes: never both empty.
        b.input(p, split, 1).unwrap();
        b.output(split, p, 1).unwrap();
        b.output(split, q, 1).unwrap();
        let swap = b.transition("swap").unwrap();
        b.input(p, swap, 2).unwrap();
        b.output(swap, q, 1).unwrap();
        b.input(q, join, 2).unwrap();
        b.output(join, q, 1).unwrap();
        let net = b.build().unwrap();
        let mut equation = StateEquation::new(&net).unwrap();
        let empty = Inequality { terms: vec![(p, -1), (q, -1)], least: 0 };
        assert!(matches!(equation.solve(&[empty], &Budget::unlimited()), Solvability::Impossible(_)));
        assert_eq!(equation.traps.len(), 1);
    }
}

//! Transitions that are never enabled, and arcs that never hold anything up, by the state equation.
//!
//! **Rule.** What a transition needs is a system of inequalities: `m(p) ≥ w` for an input arc, `m(p) < w` for an inhibitor arc.
//!
//! * If no reachable marking satisfies all of them, the transition is *dead* and is removed.
//! * If none satisfies all others, and does not satisfy that of an inhibitor arc, the arc never inhibits and is removed.
//! * The same of an arc from a place to which the transition gives tokens back: it is a test that always succeeds. What is given
//!   back is taken off the arcs in both directions.
//!
//! **Why.** The reachable markings stay the same, with the same transitions enabled in each but for dead ones, and the same effects. Of two
//! arcs of one transition that imply each other one stays: the second is looked at when the first is gone.
//!
//! **Preserves** everything. Places may be observed, and may have inhibitor arcs: only the one arc goes.
//!
//! **Proof.** No reachable marking satisfies some inequalities if the state equation and initially marked traps say so, in exact
//! arithmetic ([`StateEquation`]): these are bounds by semiflows, and differences of them, that take into account what else the
//! transition needs. Each question takes a linear program, unless a random walk has come across a marking that answers it, or a
//! solution of the state equation for an earlier question does.
//!
//! Once in a reduction, when no other rule applies. Large nets are left alone. It is given up where programs prove little: those without
//! an answer take longest.
//!
//! Of 1,059 questions about 121 nets of the Model Checking Contest, 136 about 28 nets got a smaller one by it, after all other rules: 20,515
//! places and transitions instead of 24,620. Where there were up to 8,000 markings, 36 of 96 nets had fewer of them,
//! 33,679 instead of 48,406 together, and none had more. It takes 14 ms at the median and 99 ms on average, about as long as all other rules.
//!
//! Murata, "Petri nets: properties, analysis and applications", Proceedings of the IEEE 77(4), 1989, section V; Esparza and Melzer,
//! "Verification of safety properties using integer programming: beyond the state equation", Formal Methods in System Design 16,
//! 2000; Thierry-Mieg 2020, which asks a solver for dead transitions.

use super::draft::{Draft, Step, weight};
use super::rule::Rule;
use crate::budget::Budget;
use crate::net::{Marking, PetriNet, PlaceId};
use crate::rng::Rng;
use crate::structure::{Inequality, Solvability, StateEquation};

pub(super) const RULE: Rule = Rule {
    name: "arc bounds",
    late: true,
    preserves: |_| true,
    apply: |draft, _, budget| apply(draft, budget).is_some(),
};

/// Larger nets take too long.
const NODES: usize = 600;
/// Random walks, and steps of each.
const WALKS: usize = 10;
const STEPS: usize = 400;
/// Programs with a solution, beyond those that prove something, after which no more are solved.
const SOLUTIONS: usize = 50;
/// Programs without a result after which no more are solved.
const FAILURES: usize = 3;

/// Markings that satisfy the state equation, and what is proved from it.
struct Known<'a> {
    equation: StateEquation<'a>,
    reached: Vec<Marking>,
    solutions: Vec<Vec<f64>>,
    proofs: usize,
    failures: usize,
}

impl Known<'_> {
    /// Is it proved that no reachable marking satisfies these inequalities?
    fn never(&mut self, rows: &[Inequality], budget: &Budget) -> bool {
        let holds = |marking: &Marking, row: &Inequality| {
            let sum: i128 =
                row.terms.iter().map(|&(p, factor)| i128::from(factor) * i128::from(marking.tokens(p))).sum();
            sum >= row.least
        };
        if self.reached.iter().any(|marking| rows.iter().all(|row| holds(marking, row)))
            || self.solutions.iter().any(|marking| rows.iter().all(|row| row.nearly_holds(marking)))
        {
            return false;
        }
        match self.equation.solve(rows, budget) {
            Solvability::Impossible(_) => {
                self.proofs += 1;
                return true;
            }
            Solvability::Candidate(marking) => self.solutions.push(marking),
            Solvability::Unknown => self.failures += 1,
        }
        false
    }

    fn gives_up(&self) -> bool {
        self.solutions.len() > SOLUTIONS + self.proofs || self.failures > FAILURES + self.proofs
    }
}

/// The markings of some random walks.
fn walks(net: &PetriNet) -> Vec<Marking> {
    let mut rng = Rng::new(1);
    let mut reached = vec![net.initial_marking()];
    for _ in 0..WALKS {
        let mut marking = net.initial_marking();
        for _ in 0..STEPS {
            let enabled: Vec<_> = marking.enabled(net).collect();
            let Some(next) = enabled.get(rng.below(enabled.len())).and_then(|&t| marking.fire(net, t)) else { break };
            reached.push(next.clone());
            marking = next;
        }
    }
    reached
}

/// The conditions under which a transition is enabled, without those on one place.
fn needs(step: &Step, except: Option<usize>, at: impl Fn(usize) -> Option<PlaceId>) -> Option<Vec<Inequality>> {
    let other = |&&(p, _): &&(usize, u64)| Some(p) != except;
    let inputs = step.pre.iter().filter(other).map(|&(p, weight)| Some(at_least(at(p)?, weight)));
    let absences = step.inhibitors.iter().filter(other).map(|&(p, weight)| Some(below(at(p)?, weight)));
    inputs.chain(absences).collect()
}

fn at_least(place: PlaceId, weight: u64) -> Inequality {
    Inequality { terms: vec![(place, 1)], least: i128::from(weight) }
}

fn below(place: PlaceId, weight: u64) -> Inequality {
    Inequality { terms: vec![(place, -1)], least: 1 - i128::from(weight) }
}

fn apply(draft: &mut Draft, budget: &Budget) -> Option<()> {
    if draft.places().count() + draft.steps.len() > NODES || std::mem::replace(&mut draft.bounded, true) {
        return None;
    }
    let (net, places) = draft.finish()?;
    let (equation, reached) = (StateEquation::new(&net)?, walks(&net));
    let mut known = Known { equation, reached, solutions: Vec::new(), proofs: 0, failures: 0 };
    let at = |p: usize| places[p];
    let mut dead = vec![false; draft.steps.len()];
    for (t, step) in draft.steps.iter_mut().enumerate() {
        if known.gives_up() || budget.check().is_err() {
            break;
        }
        dead[t] = known.never(&needs(step, None, at)?, budget);
        if dead[t] {
            continue;
        }
        for (p, limit) in step.inhibitors.clone() {
            let mut rows = needs(step, Some(p), at)?;
            rows.push(at_least(at(p)?, limit));
            if known.never(&rows, budget) {
                step.inhibitors.retain(|&(q, _)| q != p);
            }
        }
        for (p, needed) in step.pre.clone() {
            let returned = weight(&step.post, p).min(needed);
            if returned == 0 {
                continue;
            }
            let mut rows = needs(step, Some(p), at)?;
            rows.push(below(at(p)?, needed));
            if known.never(&rows, budget) {
                for arcs in [&mut step.pre, &mut step.post] {
                    arcs.iter_mut().filter(|(q, _)| *q == p).for_each(|(_, weight)| *weight -= returned);
                    arcs.retain(|&(_, weight)| weight > 0);
                }
            }
        }
    }
    draft.retain_steps(|t, _| !dead[t]);
    (known.proofs > 0).then_some(())
}

//! Random walks of labels: places that are unbounded far from the initial marking.
//!
//! **Problem.** The graph is searched depth-first, and the search is cut off long before it comes to places that grow
//! only after many firings of many transitions, in the right order.
//!
//! **Idea.** What makes ω sound is the path from a label that is known, whatever else has been searched. So a walk
//! begins with a known label (half of them with the initial one), fires enabled transitions at random, and compares
//! each label with those before it on the walk. Labels that come to more ω are kept, and later walks begin there: the
//! more places have ω, the more transitions are enabled for good.

use super::{Coverability, Inhibiting, OMEGA, accelerate, enabled, fire};
use crate::budget::Budget;
use crate::net::{PetriNet, Transition};
use crate::rng::Rng;
use crate::structure::Effort;

/// Firings of a walk; the walks alternate between these.
const LENGTHS: [usize; 3] = [30, 300, 3_000];

impl Coverability {
    /// Look for more places that are unbounded, on walks of this seed, until the effort or the budget is used up.
    /// Nothing is missing of a graph that is complete.
    pub(crate) fn walk(&mut self, net: &PetriNet, seed: u64, effort: Effort, budget: &Budget) {
        let mut rng = Rng::new(seed);
        let mut transitions: Vec<&Transition> = net.transitions().iter().collect();
        let mut work = effort.work;
        let mut lengths = LENGTHS.into_iter().cycle();
        while !self.complete && !transitions.is_empty() && work > 0 && budget.check().is_ok() {
            // Of those that are enabled, the one after the most that are not is fired most often: another one in each
            // walk.
            rng.shuffle(&mut transitions);
            work = work.saturating_sub((transitions.len() + self.labels.len()) as u64);
            let most = self.labels.iter().map(|label| omegas(label)).max().unwrap_or(0);
            let far: Vec<usize> = (0..self.labels.len()).filter(|&label| omegas(&self.labels[label]) == most).collect();
            let first = if rng.one_in(2) { 0 } else { rng.pick(&far).copied().unwrap_or(0) };
            let mut path = vec![self.labels[first].clone()];
            let mut fired: Vec<&Transition> = Vec::new();
            for _ in 0..lengths.next().unwrap_or(0) {
                let (label, start) = (&path[path.len() - 1], rng.below(transitions.len()));
                let mut tried = (start..transitions.len()).chain(0..start).enumerate();
                let Some((tries, next)) = tried.find(|&(_, t)| enabled(label, transitions[t])) else { break };
                fired.push(transitions[next]);
                let Some(mut next) = fire(label, transitions[next]) else { break };
                let (known, mut inhibiting) = (omegas(&next), Inhibiting::none());
                let mut compared = 0;
                for (earlier, fired) in path.iter().zip(&fired).rev() {
                    inhibiting.add(fired);
                    compared += accelerate(earlier, &mut next, &inhibiting);
                }
                work = work.saturating_sub((tries + compared + next.len()) as u64);
                if omegas(&next) > known && self.labels.len() < effort.rows {
                    self.labels.push(next.clone());
                }
                path.push(next);
                if work == 0 || budget.check().is_err() {
                    return;
                }
            }
        }
    }
}

/// How many places can hold any number of tokens.
fn omegas(label: &[u64]) -> usize {
    label.iter().filter(|&&tokens| tokens == OMEGA).count()
}

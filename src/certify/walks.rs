//! Runs to states where conditions are true, by walking at random.
//!
//! Verdicts come without runs where there are many: a net is quasi-live if each of its transitions is enabled somewhere. One walk looks for
//! all of these states; a run is what it fired since it set out.

use super::atoms::Atoms;
use crate::budget::Budget;
use crate::rng::Rng;
use starset_checker::{Id, Net};

/// Steps before a walk sets out again, in turn; and how often it does.
const LENGTHS: [usize; 4] = [30, 300, 3_000, 30_000];
const ROUNDS: usize = 60;
/// Work limit of all walks of a question: effects that are looked at.
const WORK: usize = 300_000_000;

/// For each condition the steps of a run to a state where it is true, if one is found.
pub(super) fn to_conditions(atoms: &Atoms<'_>, conditions: &[Id], budget: &Budget) -> Vec<Option<Vec<usize>>> {
    let net = atoms.net;
    let mut runs = vec![None; conditions.len()];
    let mut open: Vec<usize> = (0..conditions.len()).collect();
    let (mut rng, mut work) = (Rng::new(0), 0);
    for round in 0..ROUNDS {
        let (mut state, mut fired) = (net.initial(), Vec::new());
        for _ in 0..LENGTHS[round % LENGTHS.len()] {
            open.retain(|&at| {
                let found = atoms.holds(conditions[at], &state);
                if found {
                    runs[at] = Some(fired.clone());
                }
                !found
            });
            work += net.steps.len() + open.len();
            if open.is_empty() || work > WORK || work % 64 < 2 && budget.check().is_err() {
                return runs;
            }
            let enabled: Vec<usize> = (0..net.steps.len()).filter(|&s| net.enabled(&net.steps[s], &state)).collect();
            let Some(&step) = rng.pick(&enabled) else { break };
            let Some(next) = net.fire(&net.steps[step], &state) else { break };
            state = next;
            fired.push(step);
        }
    }
    runs
}

/// Some reachable states.
pub(super) fn states(net: &Net, steps: usize) -> Vec<Vec<u64>> {
    let (mut rng, mut states) = (Rng::new(1), vec![net.initial()]);
    while states.len() < steps {
        let state = &states[states.len() - 1];
        let enabled: Vec<usize> = (0..net.steps.len()).filter(|&step| net.enabled(&net.steps[step], state)).collect();
        let Some(next) = rng.pick(&enabled).and_then(|&step| net.fire(&net.steps[step], state)) else { break };
        states.push(next);
    }
    states
}

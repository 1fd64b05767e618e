//! Claims by a run: a path formula is evaluated on it from the definition of its operators.
//!
//! A run is a path that repeats a part of itself for ever, or repeats a deadlock, or goes on in a way that is not said; of the
//! last kind only what holds however it goes on is taken to hold.

use crate::certificate::End;
use crate::effort::{keep, release, work};
use crate::formula::{Id, Node};
use crate::proof::Prover;
use crate::{Checked, refuse};
use std::collections::HashMap;

/// Does the run from the first state satisfy the path formula? `run_right` of `proofs/Runs.v`.
pub(crate) fn satisfies(prover: &Prover<'_>, path: Id, steps: &[usize], end: End) -> Checked<bool> {
    let net = prover.net;
    let mut states = vec![net.initial()];
    for &step in steps {
        keep(net.places.len() + 1)?;
        match states.last().and_then(|state| net.fire(&net.steps[step], state)) {
            Some(state) => states.push(state),
            None => return refuse("a run fires what is not possible"),
        }
    }
    let last = states.len() - 1;
    let labels = steps.iter().map(|&step| net.steps[step].label).collect();
    let next = match end {
        End::Open => None,
        End::Deadlock if !net.can_step(None, &states[last]) => Some(last),
        End::Loop(back) if back < last && states[back] == states[last] => Some(back),
        _ => return refuse("a run does not end as it says"),
    };
    // The last position of a loop is its first one again.
    if matches!(end, End::Loop(_)) {
        states.pop();
    }
    let run = Run { prover, next, states, labels };
    let mut known = HashMap::new();
    let satisfies = run.values(path, &mut known)?[0];
    release(steps.len() * (net.places.len() + 1) + known.len() * run.states.len());
    Ok(satisfies)
}

struct Run<'a> {
    prover: &'a Prover<'a>,
    /// The position after the last one.
    next: Option<usize>,
    states: Vec<Vec<u64>>,
    /// Those of the steps between the positions.
    labels: Vec<usize>,
}

impl Run<'_> {
    /// Where a formula holds.
    fn values(&self, id: Id, known: &mut HashMap<Id, Vec<bool>>) -> Checked<Vec<bool>> {
        let length = self.states.len();
        work(length)?;
        if let Some(known) = known.get(&id) {
            return Ok(known.clone());
        }
        keep(length)?;
        let pool = self.prover.pool;
        let after = |values: &[bool], at: usize| {
            if at + 1 < length { values[at + 1] } else { self.next.is_some_and(|next| values[next]) }
        };
        let values = match &pool[id] {
            _ if self.prover.always[id] => vec![true; length],
            _ if pool.is_state(id) => {
                self.states.iter().map(|state| self.prover.holds(id, state)).collect::<Checked<_>>()?
            }
            // Of the step after the last position nothing is known, but that there is none after a deadlock.
            Node::Action(_) | Node::Not(_) => {
                let of = |at: usize| match self.labels.get(at) {
                    None if self.next.is_none() => Some(false),
                    label => pool.of_step(id, label.copied()),
                };
                match (0..length).map(of).collect::<Option<_>>() {
                    Some(values) => values,
                    None => return refuse("a path formula is not of the form that is checked"),
                }
            }
            Node::And(list) | Node::Or(list) => {
                let all = matches!(pool[id], Node::And(_));
                let mut values = vec![all; length];
                for &operand in list {
                    let of = self.values(operand, known)?;
                    values.iter_mut().zip(of).for_each(|(v, of)| *v = if all { *v && of } else { *v || of });
                }
                values
            }
            Node::Next(a) => {
                let a = self.values(*a, known)?;
                (0..length).map(|at| after(&a, at)).collect()
            }
            Node::Until(a, b) | Node::Release(a, b) => {
                let until = matches!(pool[id], Node::Until(..));
                let (a, b) = (self.values(*a, known)?, self.values(*b, known)?);
                // The least solution, or the greatest: twice round is enough (`release_stable` of `proofs/Runs.v`).
                let mut values = vec![!until; length];
                for _ in 0..2 {
                    for at in (0..length).rev() {
                        let later = after(&values, at);
                        values[at] = if until { b[at] || a[at] && later } else { b[at] && (a[at] || later) };
                    }
                }
                values
            }
            _ => return refuse("a path formula is not of the form that is checked"),
        };
        known.insert(id, values.clone());
        Ok(values)
    }
}

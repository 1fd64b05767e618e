//! Brute force over quarter units, by the definitions alone: nothing of the library but the net and its predicates.
//!
//! Reached states lie on a grid of quarters; what a state can do during a delay is looked at in eighths, since between
//! two neighbouring moments of the grid no clock meets a whole number and all comparisons are constant.

use num_traits::ToPrimitive;
use starset::kinds::clocks::model::{ClockNet, TransitionId};
use starset::kinds::clocks::predicate::{Predicate, Relation};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(crate) type State = (Vec<u32>, Vec<i64>);

pub(crate) struct Brute<'n> {
    net: &'n ClockNet,
    pub(crate) states: Vec<State>,
    ids: HashMap<State, usize>,
    pub(crate) edges: Vec<Vec<usize>>,
    pub(crate) fired: Vec<bool>,
    top: i64,
}

/// By values in eighths.
fn holds(p: &Predicate, eighths: &[i64]) -> bool {
    match p {
        Predicate::True => true,
        Predicate::False => false,
        Predicate::Atom(a) => {
            let (v, c) = (eighths[a.clock.index()], 8 * a.constant.to_integer().to_i64().unwrap());
            match a.relation {
                Relation::Less => v < c,
                Relation::AtMost => v <= c,
                Relation::Equal => v == c,
                Relation::AtLeast => v >= c,
                Relation::Greater => v > c,
            }
        }
        Predicate::Not(q) => !holds(q, eighths),
        Predicate::And(qs) => qs.iter().all(|q| holds(q, eighths)),
        Predicate::Or(qs) => qs.iter().any(|q| holds(q, eighths)),
    }
}

impl<'n> Brute<'n> {
    pub(crate) fn explore(net: &'n ClockNet, constant: i64) -> Self {
        let mut b = Brute {
            net,
            states: Vec::new(),
            ids: HashMap::new(),
            edges: Vec::new(),
            fired: vec![false; net.transitions.len()],
            top: 8 * (constant + 1),
        };
        let start = (net.initial_marking().to_vec(), vec![0; net.clocks.len()]);
        if b.inside(&start) {
            b.add(start);
        }
        while b.edges.len() < b.states.len() {
            let state = b.states[b.edges.len()].clone();
            let mut next = Vec::new();
            let half = b.later(&state);
            if b.inside(&half) {
                let later = b.later(&half);
                if b.inside(&later) {
                    next.push(b.add(later));
                }
            }
            for t in 0..net.transitions.len() {
                if let Some(s) = b.fire(t, &state) {
                    b.fired[t] = true;
                    next.push(b.add(s));
                }
            }
            b.edges.push(next);
        }
        b
    }

    fn add(&mut self, s: State) -> usize {
        if let Some(&i) = self.ids.get(&s) {
            return i;
        }
        self.states.push(s.clone());
        self.ids.insert(s, self.states.len() - 1);
        self.states.len() - 1
    }

    pub(crate) fn inside(&self, s: &State) -> bool {
        self.net.places.iter().zip(&s.0).all(|(p, &n)| n == 0 || holds(&p.invariant, &s.1))
    }

    /// An eighth later; two make a step of the grid.
    pub(crate) fn later(&self, s: &State) -> State {
        (s.0.clone(), s.1.iter().map(|v| (v + 1).min(self.top)).collect())
    }

    pub(crate) fn fire(&self, t: usize, s: &State) -> Option<State> {
        let id = TransitionId(t as u32);
        if !self.net.enabled(id, &s.0) || !holds(&self.net.transitions[t].condition, &s.1) {
            return None;
        }
        let mut next = (self.net.fire(id, &s.0)?.to_vec(), s.1.clone());
        self.net.transitions[t].resets.iter().for_each(|c| next.1[c.index()] = 0);
        self.inside(&next).then_some(next)
    }

    pub(crate) fn markings(&self) -> BTreeSet<Vec<u32>> {
        self.states.iter().map(|s| s.0.clone()).collect()
    }

    /// Markings with blocked states: is there one in which time stops, and one in which it does not?
    pub(crate) fn blocks(&self) -> BTreeMap<Vec<u32>, (bool, bool)> {
        let mut found: BTreeMap<Vec<u32>, (bool, bool)> = BTreeMap::new();
        'states: for s in &self.states {
            if !(0..self.net.transitions.len()).any(|t| self.net.enabled(TransitionId(t as u32), &s.0)) {
                continue;
            }
            let mut at = s.clone();
            let diverges = loop {
                if (0..self.net.transitions.len()).any(|t| self.fire(t, &at).is_some()) {
                    continue 'states;
                }
                let next = self.later(&at);
                if !self.inside(&next) {
                    break false;
                }
                if next == at {
                    break true;
                }
                at = next;
            };
            let slot = found.entry(s.0.clone()).or_default();
            slot.0 |= !diverges;
            slot.1 |= diverges;
        }
        found
    }

    /// The smallest and the largest value of a clock, in eighths, at which a transition fires.
    pub(crate) fn firing_values(&self, t: usize, clock: usize) -> Option<(i64, i64)> {
        let values = self.states.iter().filter(|s| self.fire(t, s).is_some()).map(|s| s.1[clock]);
        values.fold(None, |range, v| match range {
            None => Some((v, v)),
            Some((a, b)) => Some((a.min(v), b.max(v))),
        })
    }

    /// Is there a state from which no state with a marking of the goal is reached?
    pub(crate) fn stuck(&self, goal: &dyn Fn(&[u32]) -> bool) -> bool {
        let mut good: Vec<bool> = self.states.iter().map(|s| goal(&s.0)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for s in (0..self.states.len()).rev() {
                if !good[s] && self.edges[s].iter().any(|&n| good[n]) {
                    good[s] = true;
                    changed = true;
                }
            }
        }
        good.contains(&false)
    }
}

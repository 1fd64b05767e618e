//! How far a state is from a condition, guessed from its values.
//!
//! The distance to a comparison is the sum by which values have to change; to `enabled`, what the nearest action lacks
//! ([`PackedModel::lacking`]); to a deadlock, how alive the state is ([`PackedModel::alive`]); to a conjunction the sum
//! of the distances, to a disjunction the least. 0 means that the condition holds, and the distance of a condition that
//! does not is never 0. Only the order of a search depends on it.

use super::{Atoms, Node, PackedModel, Slot, evaluate_values};
use crate::formula::Comparison;

/// Where nothing that happens helps.
const FAR: u64 = 1 << 40;
/// Of so many transitions the nearest is looked for.
const TRANSITIONS: usize = 16;

/// The distances to a condition and to its negation.
type Both = (u64, u64);

impl Atoms {
    /// The distances from a state to the condition of a proposition and to its negation.
    pub(in crate::explicit) fn distances<S: PackedModel>(&self, space: &S, words: &[u64], proposition: usize) -> Both {
        let Some(condition) = self.compiled.get(proposition) else { return (FAR, FAR) };
        let mut known: Vec<Both> = Vec::with_capacity(condition.len());
        for node in condition {
            let both = distances(node, space, words, &known);
            known.push(both);
        }
        known.last().copied().unwrap_or((FAR, FAR))
    }
}

fn distances<S: PackedModel>(node: &Node<Slot>, space: &S, words: &[u64], known: &[Both]) -> Both {
    let all = |operands: &[usize], pick: fn(Both) -> u64| {
        operands.iter().fold(0, |sum: u64, &a| FAR.min(sum + pick(known[a])))
    };
    let least = |operands: &[usize], pick: fn(Both) -> u64| operands.iter().map(|&a| pick(known[a])).min();
    let swap = |(yes, no): Both| (no, yes);
    match node {
        Node::Constant(true) => (0, FAR),
        Node::Constant(false) => (FAR, 0),
        Node::Count(slot, comparison, k) => compared(slot.value(words).into(), *comparison, (*k).into()),
        Node::Linear(terms, comparison, k) => {
            let sum = terms.iter().map(|(slot, weight)| weight * i128::from(slot.value(words))).sum();
            compared(sum, *comparison, *k)
        }
        Node::General(values, a, comparison, b) => match evaluate_values(values, words) {
            Ok(values) => compared(values[*a], *comparison, values[*b]),
            Err(_) => (FAR, FAR),
        },
        Node::Enabled(actions) => {
            if actions.iter().any(|&action| space.is_enabled(words, action) == Ok(true)) {
                return (0, 1);
            }
            let lacking = actions.iter().take(TRANSITIONS).map(|&action| space.lacking(words, action).min(FAR));
            (lacking.min().unwrap_or(FAR).max(1), 0)
        }
        Node::Label(label) => match space.label(words, *label) {
            Ok(true) => (0, 1),
            _ => (1, 0),
        },
        Node::Set(set, slots) => match set.holds(|layer| slots[layer].value(words)) {
            true => (0, 1),
            false => (1, 0),
        },
        Node::Deadlock => match space.is_deadlock(words) {
            Ok(true) => (0, 1),
            _ => (space.alive(words).max(1), 0),
        },
        Node::Still(how) => match space.stands_still(words, *how) {
            Ok(true) => (0, 1),
            _ => (1, 0),
        },
        Node::Not(a) => swap(known[*a]),
        Node::And(operands) => (all(operands, |d| d.0), least(operands, |d| d.1).unwrap_or(FAR)),
        Node::Or(operands) => (least(operands, |d| d.0).unwrap_or(FAR), all(operands, |d| d.1)),
        Node::Implies(a, b) => (known[*a].1.min(known[*b].0), FAR.min(known[*a].0 + known[*b].1)),
        Node::Iff(a, b) => {
            let (a, b) = (known[*a], known[*b]);
            (FAR.min((a.0 + b.0).min(a.1 + b.1)), FAR.min((a.0 + b.1).min(a.1 + b.0)))
        }
    }
}

fn compared(left: i128, comparison: Comparison, right: i128) -> Both {
    let to = |comparison: Comparison| comparison.lack(left, right).min(FAR.into()) as u64;
    (to(comparison), to(comparison.negated()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::automaton::Prop;
    use crate::budget::Budget;
    use crate::explicit::Encoding;
    use crate::explicit::states::States;
    use crate::formula::{Logic, Pool};
    use crate::kinds::net::packed::PackedNet;
    use crate::random::{FormulaShape, NetShape, formula, net};
    use crate::rng::Rng;
    use std::sync::Arc;

    /// The distance is 0 exactly where the condition holds.
    #[test]
    fn zero_means_that_it_holds() {
        let (mut yes, mut no) = (0, 0);
        for seed in 0..400u64 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 40, ..NetShape::default() });
            let mut pool = Pool::new();
            let shape = FormulaShape { logic: Logic::Ctl, size: 1 + seed as usize % 5 };
            let f = formula(&mut rng, &net, &shape, &mut pool);
            let budget = Budget::unlimited();
            let space = PackedNet::new(&net, &Encoding::default(), &budget);
            let states = States::new(Arc::new(space), 0, &budget);
            let (space, words) = (states.space(), states.initial());
            for id in pool.subformulas(&[f]).into_iter().filter(|&id| pool.is_state(id)) {
                let Ok(mut atoms) = Atoms::new(space, &pool, &[id], &[Prop(0)]) else { continue };
                let Ok(letter) = atoms.letter(space, &words) else { continue };
                let (to, away) = atoms.distances(space, &words, 0);
                assert_eq!((to == 0, away == 0), (letter == 1, letter == 0), "seed {seed}");
                yes += u32::from(letter == 1);
                no += u32::from(letter == 0);
            }
        }
        assert!(yes > 100 && no > 100, "{yes} hold, {no} do not");
    }
}

//! Distance of a marking from those where a condition holds: a guess that guides walks, and proves nothing.
//!
//! The distance from a comparison is the number of tokens that it lacks, from a transition being enabled the number of tokens
//! that its places lack; a conjunction is as far as all its parts together, a disjunction as its nearest part. It is 0
//! if and only if the condition holds, but where numbers leave their range.
//!
//! Jensen, Nielsen, Oestergaard and Srba, "TAPAAL and reachability analysis of P/T nets", ToPNoC XI, 2016, section 4 (the
//! heuristic distance).

use super::valuation::{Condition, Reachability, Values};
use crate::formula::{Formula, FormulaId};
use crate::net::{Arc, PetriNet, TransitionId};

/// Farther than anything that can be counted.
const FAR: u64 = 1 << 40;
/// Of so many transitions the nearest is looked for.
const TRANSITIONS: usize = 64;

/// Distance of a state from those where the condition has this value.
pub(in crate::decide) fn distance(condition: &Condition<'_>, net: &PetriNet, sought: bool, state: &impl Values) -> u64 {
    of(condition, net, condition.formula, sought, state).min(FAR)
}

fn of(condition: &Condition<'_>, net: &PetriNet, id: FormulaId, sought: bool, state: &impl Values) -> u64 {
    let part = |id: FormulaId, sought: bool| of(condition, net, id, sought, state);
    let all = |parts: &mut dyn Iterator<Item = u64>| parts.fold(0, u64::saturating_add);
    let nearest = |parts: &mut dyn Iterator<Item = u64>| parts.min().unwrap_or(FAR);
    let known = |holds: bool| if holds == sought { 0 } else { FAR };
    match &condition.pool[id] {
        Formula::True => known(true),
        Formula::False => known(false),
        Formula::Not(a) => part(*a, !sought),
        Formula::And(operands) | Formula::Or(operands) => {
            let mut parts = operands.iter().map(|&operand| part(operand, sought));
            if matches!(condition.pool[id], Formula::And(_)) == sought { all(&mut parts) } else { nearest(&mut parts) }
        }
        Formula::Implies(a, b) if sought => part(*a, false).min(part(*b, true)),
        Formula::Implies(a, b) => part(*a, true).saturating_add(part(*b, false)),
        Formula::Compare(a, comparison, b) => {
            let (Some(a), Some(b)) = (condition.expr(*a, state), condition.expr(*b, state)) else { return FAR };
            let wanted = if sought { *comparison } else { comparison.negated() };
            u64::try_from(wanted.lack(a, b)).map_or(FAR, |lack| lack.min(FAR))
        }
        Formula::Enabled(transitions) if sought => self::nearest(net, transitions, state),
        Formula::Enabled(transitions) => all(&mut transitions.iter().map(|&t| u64::from(state.enables_in(net, t)))),
        Formula::Deadlock => {
            let enabled = all(&mut net.transition_ids().map(|t| u64::from(state.enables(net, t))));
            if sought { enabled } else { u64::from(enabled == 0) }
        }
        // Of an equivalence both sides would have to be looked at twice, and so on below.
        Formula::Iff(..) => u64::from(condition.formula(id, state) != Some(sought)),
        _ => match condition.formula(id, state) {
            Some(holds) => known(holds),
            None => FAR,
        },
    }
}

impl Reachability<'_> {
    /// Distance of the marking from those that decide: a guess.
    pub(in crate::decide) fn distance(&self, net: &PetriNet, state: &impl Values) -> u64 {
        distance(&self.condition, net, self.sought, state)
    }
}

/// Distance of a state from those where one of these transitions is enabled.
pub(in crate::decide) fn nearest(net: &PetriNet, transitions: &[TransitionId], state: &impl Values) -> u64 {
    transitions.iter().take(TRANSITIONS).map(|&t| to_enable(net, t, state)).min().unwrap_or(FAR)
}

/// The tokens that are missing, or too many, for a transition to be enabled.
fn to_enable(net: &PetriNet, t: TransitionId, state: &impl Values) -> u64 {
    let transition = net.transition(t);
    let missing = |arc: &Arc| arc.weight.saturating_sub(state.value(arc.place));
    let too_many = |arc: &Arc| (state.value(arc.place) + 1).saturating_sub(arc.weight);
    transition.pre.iter().map(missing).chain(transition.inhibitors.iter().map(too_many)).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::decide::conditions::Reachability;
    use crate::formula::{Logic, PathSemantics, Pool};
    use crate::random::{FormulaShape, NetShape, Rng, formula, net};
    use crate::reference::explore;

    /// The distance is 0 exactly where the condition holds.
    #[test]
    fn distance_is_nothing_where_the_condition_holds() {
        let (mut there, mut away) = (0, 0);
        for seed in 0..2000 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 60, ..NetShape::default() });
            let mut pool = Pool::new();
            let shape = FormulaShape { logic: Logic::Reachability, size: 1 + rng.below(6) };
            let asked = formula(&mut rng, &net, &shape, &mut pool);
            let asked = pool.simplify(asked, PathSemantics::Maximal);
            let Some(reachability) = Reachability::new(&net, &pool, asked) else { continue };
            for marking in explore(&net, 100).unwrap().markings.iter().take(20) {
                let Some(is_there) = reachability.decided_by(marking) else { continue };
                assert_eq!(reachability.distance(&net, marking) == 0, is_there, "seed {seed} {marking:?}\n{net:?}");
                if is_there { there += 1 } else { away += 1 }
            }
        }
        assert!(there > 300 && away > 300, "{there} {away}");
    }
}

//! Conditions that can be met again from every reachable marking.
//!
//! **Problem.** `EF c` below other operators is a constant where c can be met from everywhere, as most of what cyclic
//! processes do can. Engines find that out marking by marking, or not at all.
//!
//! **Idea.** Choose transitions whose firings alone come to an end ([`leading_to`]): those that bring tokens nearer to
//! where c wants them. Where none of them is enabled and c does not hold, the end has come too soon; if the state equation
//! knows no such marking ([`Refuter`]), these transitions lead to c from everywhere. The weights of the tokens are a
//! *ranking* of the markings (Turing 1949), the rest is an invariant.
//!
//! Some markings of random walks are led on first: most choices that do not do are found out by one of them.

use super::refutation::Refuter;
use super::valuation::Condition;
use crate::budget::Budget;
use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId, MAX_DEPTH, Pool};
use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::rng::Rng;
use crate::structure::leading_to;
use rustc_hash::FxHashSet;

/// Walks that are led on, the firings of each, and those of its way to the end.
const WALKS: u64 = 12;
const FIRINGS: usize = 120;
const ON: usize = 2_000;

/// Is it proved that from every reachable marking one can be reached where the condition is `value`?
pub(in crate::decide) fn recurs(
    net: &PetriNet,
    pool: &mut Pool,
    refuter: &mut Refuter<'_>,
    (condition, value): (FormulaId, bool),
    budget: &Budget,
) -> bool {
    if pool.depth(condition) >= MAX_DEPTH {
        return false;
    }
    let mut wanted = Wanted::default();
    wanted.look(net, pool, condition, value);
    let goal = |place: PlaceId| match wanted.up.is_empty() {
        true => !wanted.down.contains(&place),
        false => wanted.up.contains(&place),
    };
    let initial = |place: PlaceId| net.place(place).initial > 0;
    let mut choices = vec![leading_to(net, goal), leading_to(net, initial)];
    choices.dedup();
    choices.into_iter().any(|lead| {
        let leads = !lead.is_empty()
            && Condition::new(net, pool, condition).is_some_and(|condition| {
                (0..WALKS).all(|seed| leads_there(net, &lead, (&condition, value), seed, budget))
            });
        leads && {
            let enabled = pool.add(Formula::Enabled(lead));
            let over = pool.not(enabled);
            let missed = if value { pool.not(condition) } else { condition };
            let too_soon = pool.and(vec![over, missed]);
            refuter.never(pool, too_soon, true, budget)
        }
    })
}

/// Do these transitions lead from the end of a random walk to such a marking, as far as is looked?
fn leads_there(
    net: &PetriNet,
    lead: &[TransitionId],
    (condition, value): (&Condition<'_>, bool),
    seed: u64,
    budget: &Budget,
) -> bool {
    let (mut rng, mut marking, count) = (Rng::new(seed), net.initial_marking(), net.transition_count());
    for _ in 0..rng.below(FIRINGS) {
        let first = rng.below(count);
        let mut order = (first..count).chain(0..first);
        match order.find_map(|t| marking.fire(net, TransitionId(t as u32))) {
            Some(next) => marking = next,
            None => break,
        }
    }
    for _ in 0..ON {
        if budget.check().is_err() {
            return false;
        }
        if condition.holds(&marking) == Some(value) {
            return true;
        }
        match lead.iter().find_map(|&t| marking.fire(net, t)) {
            Some(next) => marking = next,
            None => return false,
        }
    }
    true
}

/// Places in which a condition wants more tokens, and in which fewer: a guess.
#[derive(Default)]
struct Wanted {
    up: FxHashSet<PlaceId>,
    down: FxHashSet<PlaceId>,
}

impl Wanted {
    fn look(&mut self, net: &PetriNet, pool: &Pool, condition: FormulaId, value: bool) {
        match &pool[condition] {
            Formula::Not(a) => self.look(net, pool, *a, !value),
            Formula::And(operands) | Formula::Or(operands) => {
                operands.iter().for_each(|&operand| self.look(net, pool, operand, value));
            }
            &Formula::Implies(a, b) => {
                self.look(net, pool, a, !value);
                self.look(net, pool, b, value);
            }
            Formula::Enabled(transitions) => {
                for &t in transitions {
                    let transition = net.transition(t);
                    let (more, fewer) = match value {
                        true => (&transition.pre, &transition.inhibitors),
                        false => (&transition.inhibitors, &transition.pre),
                    };
                    self.up.extend(more.iter().map(|arc| arc.place));
                    self.down.extend(fewer.iter().map(|arc| arc.place));
                }
            }
            &Formula::Compare(a, comparison, b) => {
                let (more, fewer) = match if value { comparison } else { comparison.negated() } {
                    Comparison::Ge | Comparison::Gt => (a, b),
                    Comparison::Le | Comparison::Lt => (b, a),
                    Comparison::Eq | Comparison::Ne => return,
                };
                self.up.extend(places(pool, more));
                self.down.extend(places(pool, fewer));
            }
            _ => {}
        }
    }
}

/// The places in an expression.
fn places(pool: &Pool, expr: ExprId) -> impl Iterator<Item = PlaceId> {
    let of = |expr: ExprId| match &pool[expr] {
        Expr::Tokens(places) => places.clone(),
        _ => Vec::new(),
    };
    pool.subexpressions(vec![expr]).into_iter().flat_map(of)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::Logic;
    use crate::random::{FormulaShape, NetShape, formula, net};
    use crate::reference::explore;

    /// What recurs can be reached from each marking.
    #[test]
    fn what_recurs_can_be_met_from_everywhere() {
        let budget = Budget::unlimited();
        let (mut proved, mut there, mut not_initially) = (0, 0, 0);
        for seed in 0..800 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 60, ..NetShape::default() });
            let graph = explore(&net, 100).unwrap();
            let Some(mut refuter) = Refuter::new(&net) else { continue };
            let mut pool = Pool::new();
            for size in 0..4 {
                let drawn = formula(&mut rng, &net, &FormulaShape { logic: Logic::Boolean, size }, &mut pool);
                for value in [true, false] {
                    let recurs = recurs(&net, &mut pool, &mut refuter, (drawn, value), &budget);
                    let Some(condition) = Condition::new(&net, &pool, drawn) else { continue };
                    let holds = |m: &crate::net::Marking| condition.holds(m) == Some(value);
                    let from_everywhere = graph.markings.iter().all(|marking| {
                        let after = explore(&net.begun_in(marking), 100).unwrap();
                        after.markings.iter().any(holds)
                    });
                    assert!(!recurs || from_everywhere, "seed {seed} size {size} {value}");
                    proved += usize::from(recurs);
                    there += usize::from(from_everywhere);
                    not_initially += usize::from(recurs && !graph.markings.iter().all(holds));
                }
            }
        }
        assert!(proved > 200 && not_initially > 50, "{proved} of {there}, {not_initially} not everywhere");
    }
}

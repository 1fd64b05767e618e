//! What the initial marking alone says of a formula.
//!
//! `EF a` holds where a holds already, `AG a` fails where a fails already; the same goes for the other
//! temporal operators, on any path. So a formula is evaluated in three values (true, false, open), with
//! conditions on the initial marking as the base: the rules are those that hold at the first position of every
//! path, whatever follows.

use super::valuation::Condition;
use crate::formula::{Formula, FormulaId, MAX_DEPTH, PathSemantics, Pool};
use crate::kinds::Kind;
use rustc_hash::FxHashMap;

/// The verdict in the initial marking, if that marking alone decides it.
pub(super) fn verdict(model: &dyn Kind, pool: &Pool, formula: FormulaId, paths: PathSemantics) -> Option<bool> {
    // Where there is no path at all, a quantified formula does not follow from what holds now.
    if paths == PathSemantics::Infinite || pool.depth(formula) > MAX_DEPTH {
        return None;
    }
    let initial = model.initial();
    let mut values: FxHashMap<FormulaId, Option<bool>> = FxHashMap::default();
    for id in pool.subformulas(&[formula]) {
        let value = |a: &FormulaId| values.get(a).copied().flatten();
        let not = |a: Option<bool>| a.map(|a| !a);
        let or = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        let and = |a, b| not(or(not(a), not(b)));
        // Now, or later as nobody knows.
        let later = |now: Option<bool>, all: bool| now.filter(|&now| now != all);
        let known = match &pool[id] {
            atom if atom.is_atom() => Condition::new(model, pool, id).and_then(|condition| condition.holds(&initial)),
            Formula::Not(a) => not(value(a)),
            Formula::And(operands) => operands.iter().map(value).fold(Some(true), and),
            Formula::Or(operands) => operands.iter().map(value).fold(Some(false), or),
            Formula::Implies(a, b) => or(not(value(a)), value(b)),
            Formula::Iff(a, b) => value(a).zip(value(b)).map(|(a, b)| a == b),
            Formula::Exists(a) | Formula::Forall(a) => value(a),
            Formula::Finally(a) => later(value(a), false),
            Formula::Globally(a) => later(value(a), true),
            // b, or else a and something later: decided if b holds, or neither.
            Formula::Until(a, b) | Formula::WeakUntil(a, b) => or(value(b), and(value(a), None)),
            Formula::Release(a, b) | Formula::StrongRelease(a, b) => and(value(b), or(value(a), None)),
            _ => None,
        };
        values.insert(id, known);
    }
    values.get(&formula).copied().flatten()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::Logic;
    use crate::oracle::{Setting, check};
    use crate::random::{FormulaShape, NetShape, Rng, formula, net};
    use crate::reference::explore;

    #[test]
    fn verdicts_are_those_of_the_oracle() {
        let mut decided = 0;
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 30, ..NetShape::default() });
            let graph = explore(&net, 100).unwrap();
            let mut pool = Pool::new();
            for logic in [Logic::Ctl, Logic::Ltl, Logic::CtlStar] {
                let drawn = formula(&mut rng, &net, &FormulaShape { logic, size: 4 }, &mut pool);
                let closed = pool.close(drawn);
                for paths in PathSemantics::ALL {
                    let Some(holds) = verdict(&net, &pool, closed, paths) else { continue };
                    if let Ok(sets) = check(Setting::new(&graph, &pool, paths), closed) {
                        assert_eq!(sets[&closed][0], holds, "seed {seed} {logic} {paths}");
                        decided += 1;
                    }
                }
            }
        }
        assert!(decided > 500, "{decided}");
    }
}

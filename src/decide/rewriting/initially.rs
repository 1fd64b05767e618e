//! Verdicts from the initial marking alone.
//!
//! `EF a` holds where a holds already, `AG a` fails where a fails already; the same goes for the other
//! temporal operators, on any path. So a formula is evaluated in three values (true, false, open), with
//! conditions on the initial marking as the base: the rules are those that hold at the first position of every
//! path, whatever follows. It also tells where a first step makes no difference ([`unrolled`]).

use crate::decide::conditions::Condition;
use crate::formula::{Formula, FormulaId, MAX_DEPTH, PathSemantics, Pool};
use crate::kinds::Kind;
use rustc_hash::FxHashMap;

/// The verdict in the initial marking, if that marking alone decides it.
pub(in crate::decide) fn verdict(
    model: &dyn Kind,
    pool: &Pool,
    formula: FormulaId,
    paths: PathSemantics,
) -> Option<bool> {
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
            Formula::Deadlock => not(model.is_alive(&initial)),
            Formula::Enabled(actions) => model.enables_any(&initial, actions),
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

/// A formula with the same value in the initial marking and fewer steps at its beginning, simplified.
///
/// `E(a U b) = b ∨ (a ∧ EX E(a U b))` in any marking, and likewise for the other operators: where the initial marking
/// decides the other operands so that only the last is left, `EX` and `AX` before such a formula say nothing
/// (`EX EF b`, where b does not hold initially), and without them the net can be reduced further. Quantified steps are
/// moved to the operands of `∨` and `∧` before.
pub(in crate::decide) fn unrolled(
    model: &dyn Kind,
    pool: &mut Pool,
    formula: FormulaId,
    paths: PathSemantics,
) -> FormulaId {
    if paths == PathSemantics::Infinite || pool.depth(formula) > MAX_DEPTH {
        return formula;
    }
    let unrolled = unroll(model, pool, formula, paths);
    let initial = model.initial();
    let is_dead = || model.is_alive(&initial) != Some(true);
    if unrolled == formula || is_dead() { formula } else { pool.simplify(unrolled, paths) }
}

fn unroll(model: &dyn Kind, pool: &mut Pool, formula: FormulaId, paths: PathSemantics) -> FormulaId {
    let (next, all) = match pool[formula] {
        Formula::And(_) | Formula::Or(_) => {
            let node = pool[formula].clone();
            let parts = node.children().into_iter().map(|part| unroll(model, pool, part, paths)).collect();
            return if matches!(node, Formula::And(_)) { pool.and(parts) } else { pool.or(parts) };
        }
        Formula::Exists(next) => (next, false),
        Formula::Forall(next) => (next, true),
        _ => return formula,
    };
    let Formula::Next(operand) = pool[next] else { return formula };
    let path = match (pool[operand].clone(), all) {
        (Formula::Or(parts), false) | (Formula::And(parts), true) => {
            let step = |pool: &mut Pool, part| {
                let next = pool.add(Formula::Next(part));
                let step = pool.add(if all { Formula::Forall(next) } else { Formula::Exists(next) });
                unroll(model, pool, step, paths)
            };
            let parts = parts.into_iter().map(|part| step(pool, part)).collect();
            return if all { pool.and(parts) } else { pool.or(parts) };
        }
        (Formula::Exists(path), false) | (Formula::Forall(path), true) => path,
        _ => return formula,
    };
    let value = |a| verdict(model, pool, a, paths);
    let only_later = match pool[path] {
        Formula::Finally(a) => value(a) == Some(false),
        Formula::Globally(a) => value(a) == Some(true),
        Formula::Until(a, b) | Formula::WeakUntil(a, b) => value(a) == Some(true) && value(b) == Some(false),
        Formula::Release(a, b) | Formula::StrongRelease(a, b) => value(a) == Some(false) && value(b) == Some(true),
        _ => false,
    };
    if only_later { operand } else { formula }
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

    #[test]
    fn formulas_without_their_first_steps_have_the_same_verdict() {
        let mut shorter = 0;
        for seed in 0..4000 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 30, ..NetShape::default() });
            let graph = explore(&net, 100).unwrap();
            let mut pool = Pool::new();
            let mut formula = formula(&mut rng, &net, &FormulaShape { logic: Logic::Ctl, size: 4 }, &mut pool);
            for _ in 0..1 + rng.below(2) {
                let next = pool.add(Formula::Next(formula));
                formula = pool.add(if rng.one_in(2) { Formula::Exists(next) } else { Formula::Forall(next) });
            }
            for paths in PathSemantics::ALL {
                let before = pool.simplify(formula, paths);
                let after = unrolled(&net, &mut pool, before, paths);
                let value = |f| Some(check(Setting::new(&graph, &pool, paths), f).ok()?[&f][0]);
                assert_eq!(value(before), value(after), "seed {seed} {paths}");
                shorter += usize::from(before != after);
            }
        }
        assert!(shorter > 200, "{shorter}");
    }
}

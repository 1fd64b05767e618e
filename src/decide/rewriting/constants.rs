//! Parts of formulas that have the same value in every reachable marking.
//!
//! **Problem.** Half of the difficulty of a formula may lie in atoms that can never change: a count that cannot
//! get so high, a transition that cannot fire, a combination of atoms that contradicts an invariant. Every
//! engine would find that out again, with much more work.
//!
//! **Idea.** Look at some markings of a random walk. A condition that has been seen both true and false is left
//! alone; one that has been seen with one value only may be constant, and the state equation is asked to
//! refute the other value (`refutation`). What is refuted is replaced by the constant, and the formula
//! simplified. All subformulas that are conditions are tried, the largest first; those inside one that became
//! constant are gone with it.
//!
//! `EF c` is one of them where c can be met again from everywhere ([`recurs`]), and so is `AG c` where ¬c can; `EF φ` where
//! that is so of a condition that implies φ ([`state_approximation`]).
//!
//! A condition that has one value in all reachable markings may be replaced by it under any path semantics,
//! since formulas are evaluated in reachable markings only.

use super::context::Contexts;
use super::state_approximation::state_approximation;
use crate::budget::Budget;
use crate::decide::conditions::{Condition, Refuter, Walk, recurs};
use crate::formula::{Formula, FormulaId, MAX_DEPTH, PathSemantics, Pool};
use crate::net::PetriNet;
use rustc_hash::{FxHashMap, FxHashSet};

/// Markings that are looked at.
const MARKINGS: usize = 3_000;

/// Simplifies formulas about one net.
pub(in crate::decide) struct Constants<'a> {
    net: &'a PetriNet,
    refuter: Refuter<'a>,
    /// The values of conditions on the walk, by formula of the pool.
    seen: FxHashMap<FormulaId, Seen>,
    /// The known values of conditions, by formula of the pool: a constant, or none known.
    known: FxHashMap<FormulaId, Option<bool>>,
    /// Those of them that might be known with more work.
    tired: Vec<FormulaId>,
    /// Conditions, with the value that they can have again from everywhere, or for which that is not proved.
    recur: FxHashMap<(FormulaId, bool), bool>,
    /// Formulas about conditions in the place of `EF φ` and `AG φ`, if there are any.
    shown: FxHashMap<(FormulaId, PathSemantics), Option<(FormulaId, bool)>>,
    /// Are they looked for?
    recurring: bool,
}

/// The values that a condition has on visited markings.
#[derive(Clone, Copy, Default)]
struct Seen {
    holds: bool,
    fails: bool,
}

impl<'a> Constants<'a> {
    /// Of one net; with conditions that can always be met again, if they are to be looked for.
    pub(in crate::decide) fn new(net: &'a PetriNet, recurring: bool) -> Option<Self> {
        let refuter = Refuter::new(net)?;
        let (seen, known, recur) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        let (tired, shown) = (Vec::new(), FxHashMap::default());
        Some(Constants { net, refuter, seen, known, tired, recur, shown, recurring })
    }

    /// The refuter of conditions on the net.
    pub(in crate::decide) fn refuter(&mut self) -> &mut Refuter<'a> {
        &mut self.refuter
    }

    /// Next time, try again what took too much work, and take more; is there anything?
    pub(in crate::decide) fn try_harder(&mut self) -> bool {
        self.refuter.try_harder();
        let any = !self.tired.is_empty();
        for id in self.tired.drain(..) {
            self.known.remove(&id);
        }
        any
    }

    /// Formulas equivalent to these in the initial marking, each with its path semantics, simplified. When the
    /// budget is used up, the rest stays as it is.
    pub(in crate::decide) fn simplify(
        &mut self,
        pool: &mut Pool,
        formulas: &mut [(FormulaId, PathSemantics)],
        budget: &Budget,
    ) {
        let roots: Vec<FormulaId> = formulas.iter().map(|&(formula, _)| formula).collect();
        self.look_at(pool, &roots, budget);
        let count = formulas.len();
        for (done, (formula, paths)) in formulas.iter_mut().enumerate() {
            // One that takes long does not keep the others from being looked at.
            let share = budget.share(count - done);
            let replaced = replace(pool, *formula, |pool, id| {
                let seen = self.seen.get(&id).copied()?;
                self.constant(pool, id, seen, &share)
            });
            *formula = pool.simplify(replaced, *paths);
            if self.recurring && *paths != PathSemantics::Infinite {
                let recurring = self.recurring(pool, (*formula, *paths), &share);
                let replaced = replace(pool, *formula, |_, id| recurring.get(&id).copied());
                *formula = pool.simplify(replaced, *paths);
            }
        }
        self.simplify_in_context(pool, formulas, budget);
    }

    /// The parts `EF c` and `AG c` of a formula whose value is proved to be the same in all reachable markings, as c, or
    /// its negation, can be met again from each of them; and `EF φ`, `AG φ` where that is so of a condition that implies φ,
    /// or that φ implies.
    fn recurring(
        &mut self,
        pool: &mut Pool,
        (formula, paths): (FormulaId, PathSemantics),
        budget: &Budget,
    ) -> FxHashMap<FormulaId, bool> {
        let mut found = FxHashMap::default();
        for id in pool.subformulas(&[formula]) {
            let (condition, value) = match pool[id] {
                Formula::Exists(path) => match pool[path] {
                    Formula::Finally(condition) => (condition, true),
                    _ => continue,
                },
                Formula::Forall(path) => match pool[path] {
                    Formula::Globally(condition) => (condition, false),
                    _ => continue,
                },
                _ => continue,
            };
            let condition = match Condition::new(self.net, pool, condition) {
                Some(_) => condition,
                None if budget.check().is_err() => continue,
                None => match self.shown_by(pool, id, paths) {
                    Some(condition) => condition,
                    None => continue,
                },
            };
            let recurs = match self.recur.get(&(condition, value)) {
                Some(&known) => known,
                None if budget.check().is_err() => false,
                None => {
                    let recurs = recurs(self.net, pool, &mut self.refuter, (condition, value), budget);
                    // With more time it may be proved.
                    if recurs || budget.check().is_ok() {
                        self.recur.insert((condition, value), recurs);
                    }
                    recurs
                }
            };
            if recurs {
                found.insert(id, value);
            }
        }
        found
    }

    /// For `EF φ` a condition that implies φ, for `AG φ` one that it implies.
    fn shown_by(&mut self, pool: &mut Pool, id: FormulaId, paths: PathSemantics) -> Option<FormulaId> {
        let shown = *self.shown.entry((id, paths)).or_insert_with(|| state_approximation(self.net, pool, id, paths));
        let path = pool[shown?.0].children().first().copied()?;
        pool[path].children().first().copied()
    }

    /// Further simplification of conditions in the context of others beside them.
    fn simplify_in_context(&mut self, pool: &mut Pool, formulas: &mut [(FormulaId, PathSemantics)], budget: &Budget) {
        if budget.check().is_err() {
            return;
        }
        let mut shallow: Vec<_> =
            formulas.iter_mut().filter(|(formula, _)| pool.depth(*formula) <= MAX_DEPTH).collect();
        let (net, count) = (self.net, shallow.len());
        let mut asked = Vec::new();
        let mut collect = Contexts::new(net, pool, |_: &Pool, id| {
            asked.push(id);
            false
        });
        for (formula, _) in &shallow {
            collect.rewrite(*formula);
        }
        self.look_at(pool, &asked, budget);
        for (done, (formula, paths)) in shallow.iter_mut().enumerate() {
            let share = budget.share(count - done);
            let never = |pool: &Pool, id| {
                let seen = self.seen.get(&id).copied();
                seen.is_some_and(|seen| self.constant(pool, id, seen, &share) == Some(false))
            };
            let rewritten = Contexts::new(net, pool, never).rewrite(*formula);
            *formula = pool.simplify(rewritten, *paths);
        }
    }

    /// Look which values the conditions in these formulas have on a walk, if that is not known.
    fn look_at(&mut self, pool: &Pool, roots: &[FormulaId], budget: &Budget) {
        let constant = |id: FormulaId| matches!(pool[id], Formula::True | Formula::False);
        let subformulas = pool.subformulas(roots).into_iter().filter(|&id| !constant(id));
        // No temporal operator, quantifier or bound.
        let conditions: Vec<_> = subformulas.filter_map(|id| Condition::new(self.net, pool, id)).collect();
        if !conditions.iter().all(|condition| self.seen.contains_key(&condition.formula)) {
            let seen = self.look_around(pool, &conditions, budget);
            // Where there was no time for a single marking, another look is due.
            self.seen.extend(seen.into_iter().filter(|(_, seen)| seen.holds || seen.fails));
        }
    }

    /// The values of these conditions on a walk. Operands come before the conditions that contain them.
    fn look_around(&self, pool: &Pool, conditions: &[Condition<'_>], budget: &Budget) -> FxHashMap<FormulaId, Seen> {
        let mut seen = vec![Seen::default(); conditions.len()];
        let most = conditions.iter().map(|condition| condition.formula.index() + 1).max();
        let mut values: Vec<Option<bool>> = vec![None; most.unwrap_or_default()];
        let mut markings = 0;
        Walk::new(self.net).run(budget, |walk| {
            let mut all = true;
            for (condition, seen) in conditions.iter().zip(&mut seen) {
                let id = condition.formula;
                let value = condition.node(id, walk, |operand| match pool[operand] {
                    Formula::True => Some(true),
                    Formula::False => Some(false),
                    _ => values[operand.index()],
                });
                values[id.index()] = value;
                // Without a value somewhere: not to be touched.
                seen.holds |= value.unwrap_or(true);
                seen.fails |= !value.unwrap_or(false);
                all &= seen.holds && seen.fails;
            }
            markings += 1;
            all || markings >= MARKINGS
        });
        conditions.iter().map(|condition| condition.formula).zip(seen).collect()
    }

    /// The value that the condition has in all reachable markings, if that is proved.
    fn constant(&mut self, pool: &Pool, id: FormulaId, seen: Seen, budget: &Budget) -> Option<bool> {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let value = match seen {
            Seen { holds: true, fails: false } => true,
            Seen { holds: false, fails: true } => false,
            _ => return None,
        };
        if budget.check().is_err() {
            self.tired.push(id);
            return None;
        }
        let constant = self.refuter.never(pool, id, !value, budget).then_some(value);
        if constant.is_none() && (self.refuter.gave_up() || budget.check().is_err()) {
            self.tired.push(id);
        }
        self.known.insert(id, constant);
        constant
    }
}

/// The formula with the constant conditions in it replaced: `constant` is asked for the largest first.
pub(in crate::decide) fn replace(
    pool: &mut Pool,
    formula: FormulaId,
    mut constant: impl FnMut(&Pool, FormulaId) -> Option<bool>,
) -> FormulaId {
    // Operands have smaller indices.
    let mut wanted = FxHashSet::from_iter([formula]);
    let mut order = pool.subformulas(&[formula]);
    let mut constants: FxHashMap<FormulaId, bool> = FxHashMap::default();
    for &id in order.iter().rev() {
        if !wanted.contains(&id) {
            continue;
        }
        match constant(pool, id) {
            Some(value) => drop(constants.insert(id, value)),
            None => wanted.extend(pool[id].children()),
        }
    }
    if constants.is_empty() {
        return formula;
    }
    order.retain(|id| wanted.contains(id));
    let mut rebuilt: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
    for id in order {
        let node = match constants.get(&id) {
            Some(true) => Formula::True,
            Some(false) => Formula::False,
            None => pool[id].clone().map(|a| rebuilt.get(&a).copied().unwrap_or(a)),
        };
        let result = pool.add(node);
        rebuilt.insert(id, result);
    }
    rebuilt.get(&formula).copied().unwrap_or(formula)
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
    fn simplified_formulas_have_the_same_verdict() {
        let budget = Budget::unlimited();
        let (mut changed, mut settled) = (0, 0);
        for seed in 0..150 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 60, ..NetShape::default() });
            let graph = explore(&net, 100).unwrap();
            let mut constants = Constants::new(&net, true).unwrap();
            let mut pool = Pool::new();
            for logic in [Logic::Reachability, Logic::Ctl, Logic::Ltl, Logic::CtlStar] {
                let drawn = formula(&mut rng, &net, &FormulaShape { logic, size: 5 }, &mut pool);
                let closed = pool.close(drawn);
                for paths in PathSemantics::ALL {
                    let mut formulas = [(closed, paths)];
                    constants.simplify(&mut pool, &mut formulas, &budget);
                    let simple = formulas[0].0;
                    let plain = pool.simplify(closed, paths);
                    changed += usize::from(simple != plain);
                    settled += usize::from(matches!(pool[simple], Formula::True | Formula::False));
                    let setting = Setting::new(&graph, &pool, paths);
                    if let (Ok(before), Ok(after)) = (check(setting, closed), check(setting, simple)) {
                        assert_eq!(before[&closed][0], after[&simple][0], "seed {seed} {logic} {paths}");
                    }
                }
            }
        }
        assert!(changed > 300 && settled > 100, "{changed} {settled}");
    }

    /// `EF φ` and `AG φ` below other operators, where φ has operators of its own.
    #[test]
    fn what_a_condition_that_recurs_implies_is_constant() {
        let budget = Budget::unlimited();
        let (mut found, mut not_always) = (0, 0);
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 40, ..NetShape::default() });
            let graph = explore(&net, 100).unwrap();
            let mut constants = Constants::new(&net, true).unwrap();
            let mut pool = Pool::new();
            let shape = FormulaShape { logic: Logic::Ctl, size: 1 + rng.below(4) };
            let drawn = formula(&mut rng, &net, &shape, &mut pool);
            let drawn = pool.close(drawn);
            for formula in [pool.sometimes(drawn), pool.always(drawn)] {
                for paths in [PathSemantics::Maximal, PathSemantics::Stutter] {
                    let simple = pool.simplify(formula, paths);
                    let recurring = constants.recurring(&mut pool, (simple, paths), &budget);
                    let Some(&value) = recurring.get(&simple) else { continue };
                    let Ok(sets) = check(Setting::new(&graph, &pool, paths), formula) else { continue };
                    assert!((0..graph.markings.len()).all(|m| sets[&formula][m] == value), "seed {seed} {paths}");
                    found += usize::from(constants.shown.get(&(simple, paths)).is_some_and(Option::is_some));
                    not_always += usize::from((0..graph.markings.len()).any(|m| sets[&drawn][m] != value));
                }
            }
        }
        assert!(found > 100 && not_always > 30, "{found} {not_always}");
    }
}

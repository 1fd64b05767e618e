//! Facts about the conditions in formulas about runs, for their automata.
//!
//! **Problem.** An automaton treats the conditions of its formula as if they had nothing to do with each other. In a net many
//! exclude each other or follow from each other, and what they are in the initial state is known.
//!
//! **Idea.** Of each two conditions of a formula, four combinations of values are possible. Those that a walk does not see are given to
//! the state equation (`refutation`): most that it does not see never occur. What is proved is handed to whoever makes an automaton
//! of the formula ([`Facts`]), which becomes smaller by it; and where it accepts nothing any more the formula is decided.

use super::refutation::Refuter;
use super::valuation::Condition;
use super::walk::Walk;
use crate::budget::Budget;
use crate::explicit::{Facts, Values};
use crate::formula::{Formula, FormulaId, Pool};
use crate::net::PetriNet;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Markings that are looked at.
const MARKINGS: usize = 3_000;
/// Of formulas with more conditions only so many are compared with each other.
const MOST_CONDITIONS: usize = 12;

/// The values of all conditions in a marking; of one that has none, `None`.
type Letter = Vec<Option<bool>>;

/// Facts about the conditions of these formulas about runs of one net. What is not proved within the budget is left out.
pub(in crate::decide) fn facts(
    net: &PetriNet,
    pool: &mut Pool,
    formulas: &[FormulaId],
    refuter: &mut Refuter<'_>,
    budget: &Budget,
) -> Facts {
    let paths = pool.reach(formulas, |f| !matches!(pool[f], Formula::Exists(_) | Formula::Forall(_)));
    let paths = paths.into_iter().filter_map(|id| match pool[id] {
        Formula::Exists(path) | Formula::Forall(path) => Some(path),
        _ => None,
    });
    let mut together: Vec<Vec<FormulaId>> = paths.map(|path| pool.decompose(path).propositions).collect();
    let dead = pool.add(Formula::Deadlock);
    together.iter_mut().filter(|group| !group.contains(&dead)).for_each(|group| group.push(dead));
    let all: FxHashSet<FormulaId> = together.iter().flatten().copied().collect();
    let mut all: Vec<FormulaId> = all.into_iter().collect();
    all.sort_unstable();
    let conditions: Vec<_> = all.iter().filter_map(|&id| Condition::new(net, pool, id)).collect();
    let ids: Vec<FormulaId> = conditions.iter().map(|condition| condition.formula).collect();
    let letters = letters(net, &conditions, budget);
    let Some(first) = letters.first() else { return Facts::default() };
    let initially = ids.iter().zip(first).filter_map(|(&id, &value)| Some((id, value?))).collect();
    let at = |id: &FormulaId| ids.binary_search(id).ok();
    let occurs = |values: &Values| {
        let holds = |letter: &Letter| {
            values.iter().all(|(id, value)| at(id).is_none_or(|at| letter[at].is_none_or(|found| found == *value)))
        };
        letters.iter().any(holds)
    };
    let mut asked: FxHashSet<Values> = FxHashSet::default();
    let mut never = Vec::new();
    let count = together.len();
    for (done, group) in together.into_iter().enumerate() {
        let share = budget.share(count - done);
        let group: Vec<FormulaId> = group.into_iter().filter(|id| at(id).is_some()).take(MOST_CONDITIONS).collect();
        for values in combinations(&group) {
            if share.check().is_err() {
                break;
            }
            if occurs(&values) || !asked.insert(values.clone()) {
                continue;
            }
            let literal = |pool: &mut Pool, (id, value)| if value { id } else { pool.add(Formula::Not(id)) };
            let literals = values.iter().map(|&value| literal(pool, value)).collect();
            let both = pool.and(literals);
            if refuter.never(pool, both, true, &share) {
                never.push(values);
            }
        }
    }
    Facts { never, initially }
}

/// Each condition with each value, and each two of them.
fn combinations(group: &[FormulaId]) -> Vec<Values> {
    let mut all: Vec<Values> = group.iter().flat_map(|&id| [true, false].map(|value| vec![(id, value)])).collect();
    for (i, &one) in group.iter().enumerate() {
        for &other in &group[..i] {
            for (a, b) in [(true, true), (true, false), (false, true), (false, false)] {
                let (least, most) = if one < other { ((one, a), (other, b)) } else { ((other, b), (one, a)) };
                all.push(vec![least, most]);
            }
        }
    }
    all
}

/// The letters of some markings: the first is that of the initial one.
fn letters(net: &PetriNet, conditions: &[Condition<'_>], budget: &Budget) -> IndexSet<Letter, FxBuildHasher> {
    let mut letters: IndexSet<Letter, FxBuildHasher> = IndexSet::default();
    let mut markings = 0;
    Walk::new(net).run(budget, |walk| {
        letters.insert(conditions.iter().map(|condition| condition.holds(walk)).collect());
        markings += 1;
        markings >= MARKINGS
    });
    letters
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::explicit::{Encoding, Options, by_facts, check_ltl};
    use crate::formula::{Logic, PathSemantics};
    use crate::kinds::Kind;
    use crate::oracle::{Setting, check};
    use crate::random::{FormulaShape, NetShape, Rng, formula, net};
    use crate::reference::explore;
    use std::sync::Arc;

    #[test]
    fn facts_are_true_and_change_no_verdict() {
        let budget = Budget::unlimited();
        let (mut known, mut decided, mut searched) = (0, 0, 0);
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 60, ..NetShape::default() });
            let graph = explore(&net, 100).unwrap();
            let mut refuter = Refuter::new(&net).unwrap();
            let mut pool = Pool::new();
            let drawn = formula(&mut rng, &net, &FormulaShape { logic: Logic::Ltl, size: 6 }, &mut pool);
            let closed = pool.close(drawn);
            let facts = facts(&net, &mut pool, &[closed], &mut refuter, &budget);
            for values in &facts.never {
                let holds = |m: &crate::net::Marking| {
                    let is = |&(id, value): &_| Condition::new(&net, &pool, id).unwrap().holds(m) == Some(value);
                    values.iter().all(is)
                };
                assert!(!graph.markings.iter().any(holds), "seed {seed}");
                known += 1;
            }
            let options = Options { facts: Arc::new(facts), ..Options::default() };
            let engine = net.compile(&Encoding::default(), &budget).unwrap();
            for paths in PathSemantics::ALL {
                let Ok(sets) = check(Setting::new(&graph, &pool, paths), closed) else { continue };
                let expected = sets[&closed][0];
                if let Some(verdict) = by_facts(&mut pool, closed, paths, &options.facts, &budget).unwrap() {
                    assert_eq!(verdict, expected, "seed {seed} {paths}");
                    decided += 1;
                }
                for stubborn in [true, false] {
                    let options = Options { stubborn, ..options.clone() };
                    if let Ok(found) = check_ltl(&*engine, &mut pool, closed, paths, &options, &budget) {
                        assert_eq!(found.holds, expected, "seed {seed} {paths}");
                        searched += 1;
                    }
                }
            }
        }
        assert!(known > 300 && decided > 50 && searched > 1500, "{known} {decided} {searched}");
    }

    /// Two places of which one has the token, whatever happens.
    #[test]
    fn conditions_that_exclude_each_other_decide_a_formula() {
        use crate::formula::{Symbols, parse};
        let mut b = crate::net::NetBuilder::new("switch");
        let (on, off) = (b.place("on", 1).unwrap(), b.place("off", 0).unwrap());
        for (name, from, to) in [("release", on, off), ("press", off, on)] {
            let t = b.transition(name).unwrap();
            b.input(from, t, 1).unwrap();
            b.output(t, to, 1).unwrap();
        }
        let net = b.build().unwrap();
        let (mut pool, budget) = (Pool::new(), Budget::unlimited());
        let mut verdict = |text: &str| {
            let drawn = parse(text, &Symbols::new(&net), &mut pool).unwrap();
            let closed = pool.close(drawn);
            let facts = facts(&net, &mut pool, &[closed], &mut Refuter::new(&net).unwrap(), &budget);
            by_facts(&mut pool, closed, PathSemantics::Stutter, &facts, &budget).unwrap()
        };
        assert_eq!(verdict("F(#on = 1 & G #off = 1)"), Some(false));
        assert_eq!(verdict("G(#on = 1 -> F(#off = 0 | X #on = 0))"), Some(true));
        assert_eq!(verdict("#off = 1 U G F #on = 0"), None);
    }
}

//! State approximation: conditions without temporal operators from which formulas follow.
//!
//! **Problem.** `E F A F a` holds if some marking satisfies a, `A G E F a` fails if a dead marking does not, and `E F E X a` is shown by a
//! marking one step before a. Walks, linear programs and reduced nets find such markings; but they know conditions, and no temporal
//! operators inside of `E F` and `A G`.
//!
//! **Idea.** For each part of a formula two conditions: one that implies it and one that it implies, by rules that hold in the first
//! marking of every path, whatever follows: a implies `F a`, and is implied by `G a`. In a dead marking there is nothing else.
//! A step is taken from the condition after it: what a transition adds to each place is known (Dijkstra's weakest precondition). Parts for which
//! that gets large are false, or true.
//!
//! So `E F φ` holds if `E F c` does, for a condition c that implies φ, and `A G φ` fails if `A G c` does, for one that φ implies. Nothing
//! follows from the other verdicts: the formula itself is asked beside it ([`super::operands`]).

use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId, PathSemantics, Pool};
use crate::net::{PetriNet, PlaceId, Transition, TransitionId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Nodes of a condition, as a tree.
const MOST: u32 = 2_000;
/// Nodes and names that are looked at for the steps of one formula; no steps of nets with a quarter as many transitions are taken.
const WORK: usize = 20_000;
/// Places and transitions that a condition may name.
const NAMES: usize = 5_000;

/// For `E F φ` a formula `E F c` that implies it, for `A G φ` one `A G c` that it implies, where c has no temporal operators; and the
/// verdict on that which is the verdict on the formula.
pub(super) fn state_approximation(
    net: &PetriNet,
    pool: &mut Pool,
    formula: FormulaId,
    paths: PathSemantics,
) -> Option<(FormulaId, bool)> {
    let (path, sometimes) = match pool[formula] {
        Formula::Exists(path) => (path, true),
        Formula::Forall(path) => (path, false),
        _ => return None,
    };
    let operand = match pool[path] {
        Formula::Finally(operand) if sometimes => operand,
        Formula::Globally(operand) if !sometimes => operand,
        _ => return None,
    };
    // Where there need not be a path at all, nothing follows from what holds now.
    let temporal = pool.subformulas(&[operand]).iter().any(|&id| pool[id].is_temporal());
    if paths == PathSemantics::Infinite || !temporal || !pool.is_state(operand) {
        return None;
    }
    let (under, over) = Conditions { net, pool, left: WORK }.of(operand);
    let condition = pool.simplify(if sometimes { under } else { over }, paths);
    if matches!(pool[condition], Formula::True | Formula::False) || pool.names(condition) > NAMES {
        return None;
    }
    Some((if sometimes { pool.sometimes(condition) } else { pool.always(condition) }, sometimes))
}

/// A condition that implies a formula, and one that it implies.
type Both = (FormulaId, FormulaId);

struct Conditions<'a> {
    net: &'a PetriNet,
    pool: &'a mut Pool,
    /// Nodes that may still be looked at.
    left: usize,
}

impl Conditions<'_> {
    fn of(&mut self, formula: FormulaId) -> Both {
        let [no, yes, dead] = [Formula::False, Formula::True, Formula::Deadlock].map(|node| self.pool.add(node));
        let alive = self.pool.not(dead);
        let mut known: FxHashMap<FormulaId, Both> = FxHashMap::default();
        for id in self.pool.subformulas(&[formula]) {
            let node = self.pool[id].clone();
            let of = |a: &FormulaId| known.get(a).copied().unwrap_or((no, yes));
            let (under, over) = match &node {
                atom if atom.is_atom() => (id, id),
                Formula::Not(a) => (self.pool.not(of(a).1), self.pool.not(of(a).0)),
                Formula::And(operands) | Formula::Or(operands) => {
                    let (under, over) = operands.iter().map(of).unzip();
                    match node {
                        Formula::And(_) => (self.pool.and(under), self.pool.and(over)),
                        _ => (self.pool.or(under), self.pool.or(over)),
                    }
                }
                Formula::Implies(a, b) => {
                    let (not_over, not_under) = (self.pool.not(of(a).1), self.pool.not(of(a).0));
                    (self.pool.or(vec![not_over, of(b).0]), self.pool.or(vec![not_under, of(b).1]))
                }
                Formula::Exists(path) | Formula::Forall(path) => match self.pool[*path] {
                    Formula::Next(a) if self.pool.is_state(a) => {
                        self.step(of(&a), matches!(node, Formula::Exists(_)), (dead, alive))
                    }
                    _ => of(path),
                },
                Formula::Finally(a) => (of(a).0, self.pool.or(vec![of(a).1, alive])),
                Formula::Globally(a) => (self.pool.and(vec![of(a).0, dead]), of(a).1),
                Formula::Until(a, b) | Formula::WeakUntil(a, b) => (of(b).0, self.pool.or(vec![of(a).1, of(b).1])),
                Formula::Release(a, b) | Formula::StrongRelease(a, b) => {
                    (self.pool.and(vec![of(a).0, of(b).0]), of(b).1)
                }
                _ => (no, yes),
            };
            let small =
                |pool: &Pool, condition, instead| if pool.size(condition) <= MOST { condition } else { instead };
            known.insert(id, (small(self.pool, under, no), small(self.pool, over, yes)));
        }
        known.get(&formula).copied().unwrap_or((no, yes))
    }

    /// For `E X` or `A X`, by what is known of the formula after the step.
    fn step(&mut self, (under, over): Both, exists: bool, (dead, alive): Both) -> Both {
        let [no, yes] = [Formula::False, Formula::True].map(|node| self.pool.add(node));
        let (under, over) = (self.before(under, exists), self.before(over, exists));
        match exists {
            // A dead marking may repeat for ever.
            true => (under.unwrap_or(no), over.map_or(yes, |over| self.pool.or(vec![over, dead]))),
            false => (under.map_or(no, |under| self.pool.and(vec![under, alive])), over.unwrap_or(yes)),
        }
    }

    /// That some transition, or each, which is enabled leads to a condition; `None` where that gets large.
    fn before(&mut self, condition: FormulaId, some: bool) -> Option<FormulaId> {
        if self.net.transition_count() > WORK / 4 {
            return None;
        }
        let seen = self.seen(condition)?;
        let mut by_condition: FxHashMap<FormulaId, Vec<TransitionId>> = FxHashMap::default();
        for t in self.net.transition_ids() {
            let after = self.after(condition, self.net.transition(t), &seen)?;
            by_condition.entry(after).or_default().push(t);
        }
        let mut groups: Vec<(FormulaId, Vec<TransitionId>)> = by_condition.into_iter().collect();
        groups.sort_unstable_by_key(|(_, transitions)| transitions[0]);
        let mut parts = Vec::with_capacity(groups.len());
        for (after, transitions) in groups {
            let enabled = self.pool.add(Formula::Enabled(transitions));
            let disabled = self.pool.not(enabled);
            parts.push(if some { self.pool.and(vec![enabled, after]) } else { self.pool.or(vec![disabled, after]) });
        }
        Some(if some { self.pool.or(parts) } else { self.pool.and(parts) })
    }

    /// The places on which a condition rests; `None` if it rests on more than the tokens in some.
    fn seen(&self, condition: FormulaId) -> Option<FxHashSet<PlaceId>> {
        let mut seen = FxHashSet::default();
        for id in self.pool.subformulas(&[condition]) {
            match &self.pool[id] {
                Formula::Deadlock | Formula::Still(_) | Formula::Label(_) | Formula::Set(_) => return None,
                Formula::Enabled(transitions) => {
                    for transition in transitions.iter().map(|&t| self.net.transition(t)) {
                        seen.extend(transition.pre.iter().chain(&transition.inhibitors).map(|arc| arc.place));
                    }
                }
                &Formula::Compare(a, _, b) => {
                    for expr in self.pool.subexpressions(vec![a, b]) {
                        match &self.pool[expr] {
                            Expr::Tokens(places) => seen.extend(places),
                            Expr::Bounds(_) => return None,
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        Some(seen)
    }

    /// The condition that holds before a firing if and only if this one holds after it.
    fn after(&mut self, condition: FormulaId, fired: &Transition, seen: &FxHashSet<PlaceId>) -> Option<FormulaId> {
        let mut added: FxHashMap<PlaceId, i128> = FxHashMap::default();
        for (arcs, sign) in [(&fired.pre, -1), (&fired.post, 1)] {
            for arc in arcs.iter().filter(|arc| seen.contains(&arc.place)) {
                *added.entry(arc.place).or_default() += sign * i128::from(arc.weight);
            }
        }
        added.retain(|_, tokens| *tokens != 0);
        self.left = self.left.checked_sub(1)?;
        if added.is_empty() {
            return Some(condition);
        }
        let work = self.pool.size(condition) as usize + self.pool.names(condition);
        self.left = self.left.checked_sub(work)?;
        let net = self.net;
        self.pool.rebuild(condition, |pool, node| match node {
            Formula::Compare(a, comparison, b) => Some(Formula::Compare(
                expression_after(pool, a, &added)?,
                comparison,
                expression_after(pool, b, &added)?,
            )),
            Formula::Enabled(transitions) => {
                let touched = |t: &TransitionId| {
                    let transition = net.transition(*t);
                    transition.pre.iter().chain(&transition.inhibitors).any(|arc| added.contains_key(&arc.place))
                };
                let (touched, rest): (Vec<_>, Vec<_>) = transitions.into_iter().partition(touched);
                let mut parts = vec![pool.add(Formula::Enabled(rest))];
                for t in touched {
                    parts.push(enabled_after(pool, net.transition(t), &added));
                }
                Some(Formula::Or(parts))
            }
            node => Some(node),
        })
    }
}

/// The value after so many tokens are added.
fn expression_after(pool: &mut Pool, expr: ExprId, added: &FxHashMap<PlaceId, i128>) -> Option<ExprId> {
    pool.rebuild_expr(expr, |pool, node| {
        let Expr::Tokens(places) = &node else { return Some(node) };
        let more: i128 = places.iter().filter_map(|place| added.get(place)).sum();
        if more == 0 {
            return Some(node);
        }
        let (tokens, more) = (pool.add_expr(node), pool.add_expr(Expr::Const(more)));
        Some(Expr::Add(vec![tokens, more]))
    })
}

/// That a transition is enabled after so many tokens are added.
fn enabled_after(pool: &mut Pool, transition: &Transition, added: &FxHashMap<PlaceId, i128>) -> FormulaId {
    let arcs = transition.pre.iter().map(|arc| (arc, Comparison::Ge));
    let arcs = arcs.chain(transition.inhibitors.iter().map(|arc| (arc, Comparison::Lt)));
    let parts = arcs.map(|(arc, comparison)| {
        let number = i128::from(arc.weight) - added.get(&arc.place).copied().unwrap_or(0);
        pool.compare(vec![arc.place], comparison, number)
    });
    let parts = parts.collect();
    pool.and(parts)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::Logic;
    use crate::oracle::{Setting, check};
    use crate::random::{FormulaShape, NetShape, Rng, formula, net};
    use crate::reference::explore;

    /// The verdict that counts is one of the formula, in every marking of random nets.
    #[test]
    fn what_is_shown_at_once_holds() {
        let (mut shown, mut steps, mut nothing) = (0, 0, 0);
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 40, ..NetShape::default() });
            let graph = explore(&net, 60).unwrap();
            let mut pool = Pool::new();
            for logic in [Logic::Ctl, Logic::CtlStar] {
                let shape = FormulaShape { logic, size: 4 + rng.below(5) };
                let drawn = formula(&mut rng, &net, &shape, &mut pool);
                let drawn = pool.close(drawn);
                let wholes = [pool.sometimes(drawn), pool.always(drawn)];
                for (whole, paths) in wholes
                    .into_iter()
                    .flat_map(|whole| [PathSemantics::Maximal, PathSemantics::Stutter].map(|p| (whole, p)))
                {
                    let Some((simple, verdict)) = state_approximation(&net, &mut pool, whole, paths) else { continue };
                    let temporal = pool.subformulas(&[simple]).into_iter().filter(|&id| pool[id].is_temporal()).count();
                    assert_eq!(temporal, 1, "seed {seed}");
                    let value = |f| check(Setting::new(&graph, &pool, paths), f).ok()?.remove(&f);
                    let (Some(simple), Some(whole_values)) = (value(simple), value(whole)) else { continue };
                    for (simple, whole) in simple.iter().zip(&whole_values) {
                        assert!(*simple != verdict || *whole == verdict, "seed {seed} {paths}");
                    }
                    shown += usize::from(simple[0] == verdict);
                    nothing += usize::from(simple[0] != verdict && whole_values[0] == verdict);
                    let has_step =
                        pool.subformulas(&[whole]).into_iter().any(|id| matches!(pool[id], Formula::Next(_)));
                    steps += usize::from(simple[0] == verdict && has_step);
                }
            }
        }
        assert!(shown > 200 && steps > 40 && nothing > 10, "{shown} {steps} {nothing}");
    }
}

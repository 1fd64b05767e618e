//! Conditions that have one value wherever the formula around them asks for it.
//!
//! **Problem.** In `a ∧ (b ∨ E F c)` nobody asks for b where a fails. If a and b contradict each other, the formula is `a ∧ E F c`, though b
//! is no constant of the net.
//!
//! **Idea.** What is asked beside a condition is asked where it holds, or, in a disjunction, where it fails: this is its *context*. Quantifiers
//! keep it, as a path begins in the state that it begins in; at other positions of a path it is lost. But in `φ U ψ` the
//! left side is asked where ψ fails, and in `φ R ψ` where ψ holds. A condition is false in a context if both together hold
//! nowhere, and true if the context never holds without it. Each is replaced by something that is equal to it in its context, one after the
//! other: what is beside it counts as what it has become, if that was looked at before.
//!
//! Bønneland et al., "Simplification of CTL formulae for efficient model checking of Petri nets", Petri Nets 2018, merge
//! the linear programs of what is beside each other in conjunctions; contexts of disjunctions and of untils go beyond that.

use crate::decide::conditions::Condition;
use crate::formula::{Formula, FormulaId, Pool};
use crate::net::PetriNet;
use rustc_hash::FxHashMap;

/// Greatest size of a formula, written as a tree, that is rewritten: a part may be asked for in as many contexts as it occurs.
const MOST: u32 = 1 << 14;

/// Rewrites formulas about one net; `never` tells of a condition whether it is proved that no reachable marking satisfies it.
pub(in crate::decide) struct Contexts<'a, F> {
    net: &'a PetriNet,
    pool: &'a mut Pool,
    never: F,
    known: FxHashMap<(FormulaId, Option<FormulaId>), FormulaId>,
    conditions: FxHashMap<FormulaId, bool>,
}

impl<'a, F: FnMut(&Pool, FormulaId) -> bool> Contexts<'a, F> {
    pub(in crate::decide) fn new(net: &'a PetriNet, pool: &'a mut Pool, never: F) -> Self {
        Contexts { net, pool, never, known: FxHashMap::default(), conditions: FxHashMap::default() }
    }

    /// A formula that is equal to this one in all reachable markings; its depth is bounded. One that is too large stays.
    pub(in crate::decide) fn rewrite(&mut self, formula: FormulaId) -> FormulaId {
        if self.pool.size(formula) > MOST { formula } else { self.within(formula, None) }
    }

    fn is_condition(&mut self, id: FormulaId) -> bool {
        *self.conditions.entry(id).or_insert_with(|| Condition::new(self.net, self.pool, id).is_some())
    }

    /// A formula that is equal to this one where the context holds.
    fn within(&mut self, id: FormulaId, context: Option<FormulaId>) -> FormulaId {
        if let Some(&known) = self.known.get(&(id, context)) {
            return known;
        }
        let result = match context {
            Some(context) if self.is_condition(id) => self.condition(id, context),
            None if self.is_condition(id) => id,
            _ => self.node(id, context),
        };
        self.known.insert((id, context), result);
        result
    }

    /// The same of a condition.
    fn condition(&mut self, id: FormulaId, context: FormulaId) -> FormulaId {
        if matches!(self.pool[id], Formula::True | Formula::False) {
            return id;
        }
        for value in [false, true] {
            let other = if value { self.pool.not(id) } else { id };
            let both = self.both(Some(context), other);
            if (self.never)(self.pool, both) {
                return self.pool.add(if value { Formula::True } else { Formula::False });
            }
        }
        self.node(id, Some(context))
    }

    fn node(&mut self, id: FormulaId, context: Option<FormulaId>) -> FormulaId {
        let node = self.pool[id].clone();
        let node = match node {
            Formula::And(operands) => return self.among(operands, context, true),
            Formula::Or(operands) => return self.among(operands, context, false),
            Formula::Implies(a, b) => {
                let beside = self.beside(context, &[b], false);
                let a = self.within(a, beside);
                let beside = self.beside(context, &[a], true);
                Formula::Implies(a, self.within(b, beside))
            }
            Formula::Until(a, b) | Formula::WeakUntil(a, b) | Formula::Release(a, b) | Formula::StrongRelease(a, b) => {
                let after = self.within(b, None);
                let holds = matches!(node, Formula::Release(..) | Formula::StrongRelease(..));
                let beside = self.beside(None, &[after], holds);
                let before = self.within(a, beside);
                node.map(|operand| if operand == b { after } else { before })
            }
            Formula::Not(_) | Formula::Iff(..) | Formula::Exists(_) | Formula::Forall(_) => {
                node.map(|operand| self.within(operand, context))
            }
            _ => node.map(|operand| self.within(operand, None)),
        };
        self.pool.add(node)
    }

    /// The operands of a conjunction (or of a disjunction), each beside the others.
    fn among(&mut self, mut operands: Vec<FormulaId>, context: Option<FormulaId>, all: bool) -> FormulaId {
        let all_beside = self.beside(context, &operands, all);
        if all_beside != context
            && let Some(beside) = all_beside
            && (self.never)(self.pool, beside)
        {
            return self.pool.add(if all { Formula::False } else { Formula::True });
        }
        let (conditions, others): (Vec<usize>, Vec<usize>) =
            (0..operands.len()).partition(|&at| self.is_condition(operands[at]));
        for at in conditions {
            // Conditions alone say nothing of each other that is worth the programs.
            operands[at] = self.within(operands[at], context);
        }
        let mut beside = self.beside(context, &operands, all);
        for at in others {
            operands[at] = self.within(operands[at], beside);
            beside = self.beside(beside, &[operands[at]], all);
        }
        if all { self.pool.and(operands) } else { self.pool.or(operands) }
    }

    /// A context, and that the conditions among these hold, or fail.
    fn beside(&mut self, context: Option<FormulaId>, others: &[FormulaId], hold: bool) -> Option<FormulaId> {
        let mut beside = context;
        for &other in others {
            if self.is_condition(other) {
                let other = if hold { other } else { self.pool.not(other) };
                beside = Some(self.both(beside, other));
            }
        }
        beside
    }

    fn both(&mut self, context: Option<FormulaId>, other: FormulaId) -> FormulaId {
        match context {
            Some(context) => self.pool.and(vec![context, other]),
            None => other,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::{Logic, PathSemantics};
    use crate::model::State;
    use crate::oracle::{Setting, check};
    use crate::random::{FormulaShape, NetShape, Rng, formula, net};
    use crate::reference::explore;

    /// With all that is true of the reachable markings, formulas have the value they had in each of them.
    #[test]
    fn rewritten_formulas_hold_where_they_did() {
        let mut changed = 0;
        for seed in 0..150 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape { max_states: 60, ..NetShape::default() });
            let graph = explore(&net, 100).unwrap();
            let states: Vec<State> = graph.markings.iter().map(|m| State::new(m.as_slice().to_vec())).collect();
            let mut pool = Pool::new();
            for logic in [Logic::Ctl, Logic::Ltl, Logic::CtlStar] {
                let drawn = formula(&mut rng, &net, &FormulaShape { logic, size: 9 }, &mut pool);
                let closed = pool.close(drawn);
                let never = |pool: &Pool, id: FormulaId| {
                    let condition = Condition::new(&net, pool, id).unwrap();
                    states.iter().all(|state| condition.holds(state) == Some(false))
                };
                let rewritten = Contexts::new(&net, &mut pool, never).rewrite(closed);
                changed += usize::from(rewritten != closed);
                for paths in PathSemantics::ALL {
                    let setting = Setting::new(&graph, &pool, paths);
                    if let (Ok(before), Ok(after)) = (check(setting, closed), check(setting, rewritten)) {
                        assert_eq!(before[&closed], after[&rewritten], "seed {seed} {logic} {paths}");
                    }
                }
            }
        }
        assert!(changed > 100, "{changed}");
    }

    /// Contradictions with neighbours in conjunctions, disjunctions, untils and releases.
    #[test]
    fn each_context_counts() {
        let mut b = crate::net::NetBuilder::new("one");
        let (p, q) = (b.place("p", 1).unwrap(), b.place("q", 0).unwrap());
        let t = b.transition("t").unwrap();
        b.input(p, t, 1).unwrap();
        b.output(t, q, 1).unwrap();
        let net = b.build().unwrap();
        let markings = [State::new(vec![1, 0]), State::new(vec![0, 1])];
        let mut pool = Pool::new();
        let [on_p, on_q] = [p, q].map(|place| pool.compare(vec![place], crate::formula::Comparison::Ge, 1));
        let later = pool.sometimes(on_q);
        let not_q = pool.not(on_q);
        let [true_, false_] = [Formula::True, Formula::False].map(|constant| pool.add(constant));
        let or = |pool: &mut Pool, a, b| pool.add(Formula::Or(vec![a, b]));
        let and = |pool: &mut Pool, a, b| pool.add(Formula::And(vec![a, b]));
        let (with_q, with_false) = (or(&mut pool, on_q, later), or(&mut pool, false_, later));
        let (with_p, with_true) = (and(&mut pool, not_q, later), and(&mut pool, true_, later));
        let cases = [
            (Formula::And(vec![on_p, with_q]), Formula::And(vec![on_p, with_false])),
            (Formula::Or(vec![on_q, with_p]), Formula::Or(vec![on_q, with_true])),
            (Formula::Implies(on_p, with_q), Formula::Implies(on_p, with_false)),
            (Formula::Until(on_p, on_q), Formula::Until(true_, on_q)),
            (Formula::Release(on_q, on_p), Formula::Release(false_, on_p)),
        ];
        for (before, after) in cases {
            let (before, after) = (pool.add(before), pool.add(after));
            let never = |pool: &Pool, id: FormulaId| {
                let condition = Condition::new(&net, pool, id).unwrap();
                markings.iter().all(|state| condition.holds(state) == Some(false))
            };
            assert_eq!(Contexts::new(&net, &mut pool, never).rewrite(before), after, "{:?}", pool[before]);
        }
    }
}

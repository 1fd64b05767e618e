//! Conditions that no reachable marking satisfies, by the state equation.
//!
//! **Problem.** A condition is a Boolean combination of atoms; the state equation refutes conjunctions of linear
//! inequalities.
//!
//! **Idea.** A tableau: what is demanded is put into negation normal form, with integer inequalities at the
//! leaves; conjunctions give rows of the program at once, disjunctions wait. When the program has a solution,
//! a disjunction that is false in it is chosen, and each of its cases is refuted separately. When no waiting
//! disjunction is false in the solution, the condition is not refuted. Most disjunctions are never split: a
//! deadlock, which demands one missing token of every transition, needs a few dozen programs where the
//! disjunctive normal form would have an exponential number of cases.
//!
//! Leaves that are not linear (products, quotients, bounds) demand nothing: what is left is weaker, so that its
//! refutation is one of the whole.
//!
//! Bønneland et al., "Simplification of CTL formulae for efficient model checking of Petri nets", Petri Nets
//! 2018, refute conjunctions in this way; the lazy choice of disjunctions is that of satisfiability modulo
//! theories.

use super::walk::Walk;
use crate::budget::Budget;
use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId, MAX_DEPTH, Pool};
use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::structure::{Inequality, Solvability, StateEquation};
use std::collections::BTreeMap;

/// Linear programs for one condition.
const PROGRAMS: u32 = 150;
/// Steps of the walk that tells which transitions can fire.
const STEPS: u32 = 10_000;
/// Parts of one condition.
const PARTS: usize = 100_000;

/// What is demanded of a marking.
#[derive(Debug)]
enum Demand {
    Nothing,
    Row(Inequality),
    All(Vec<Demand>),
    /// At least one of these; of none, the impossible.
    Any(Vec<Demand>),
}

impl Demand {
    fn nearly_holds(&self, marking: &[f64]) -> bool {
        match self {
            Demand::Nothing => true,
            Demand::Row(row) => row.nearly_holds(marking),
            Demand::All(parts) => parts.iter().all(|part| part.nearly_holds(marking)),
            Demand::Any(parts) => parts.iter().any(|part| part.nearly_holds(marking)),
        }
    }
}

/// Refutes conditions on the markings of one net.
#[derive(Debug)]
pub(super) struct Refuter<'a> {
    net: &'a PetriNet,
    equation: StateEquation<'a>,
    programs: u32,
}

impl<'a> Refuter<'a> {
    /// `None` where the state equation cannot be set up.
    pub(super) fn new(net: &'a PetriNet) -> Option<Self> {
        Some(Refuter { net, equation: StateEquation::new(net)?, programs: 0 })
    }

    /// Is it proved that the condition is `value` in no reachable marking?
    pub(super) fn never(&mut self, pool: &Pool, condition: FormulaId, value: bool, budget: &Budget) -> bool {
        if pool.depth(condition) > MAX_DEPTH {
            return false;
        }
        let mut builder = Builder { net: self.net, pool, parts: 0 };
        let Some(demand) = builder.demand(condition, value) else { return false };
        self.programs = PROGRAMS;
        self.refutes(&mut Vec::new(), vec![&demand], budget)
    }

    /// Is it proved that no reachable marking is dead?
    pub(super) fn never_dead(&mut self, budget: &Budget) -> bool {
        let mut pool = Pool::new();
        let dead = pool.add(Formula::Deadlock);
        self.never(&pool, dead, true, budget)
    }

    /// Is it proved that the transition is never enabled?
    pub(super) fn never_enabled(&mut self, transition: TransitionId, budget: &Budget) -> bool {
        let mut pool = Pool::new();
        let enabled = pool.add(Formula::Enabled(vec![transition]));
        self.never(&pool, enabled, true, budget)
    }

    /// An upper bound of the sum of the tokens in `places`, as often as listed.
    pub(super) fn upper_bound(&self, places: &[PlaceId], budget: &Budget) -> Option<u128> {
        let mut weights: BTreeMap<PlaceId, i64> = BTreeMap::new();
        places.iter().for_each(|&place| *weights.entry(place).or_default() += 1);
        let weights: Vec<(PlaceId, i64)> = weights.into_iter().collect();
        u128::try_from(self.equation.upper_bound(&weights, budget)?).ok()
    }

    /// Can the rows and the demands not be met together?
    fn refutes(&mut self, rows: &mut Vec<Inequality>, mut open: Vec<&Demand>, budget: &Budget) -> bool {
        let known = rows.len();
        let mut waiting: Vec<&[Demand]> = Vec::new();
        while let Some(demand) = open.pop() {
            match demand {
                Demand::Nothing => {}
                Demand::Row(row) => rows.push(row.clone()),
                Demand::All(parts) => open.extend(parts),
                Demand::Any(parts) => match &parts[..] {
                    [] => {
                        rows.truncate(known);
                        return true;
                    }
                    [only] => open.push(only),
                    _ => waiting.push(parts),
                },
            }
        }
        let refuted = self.split(rows, &waiting, budget);
        rows.truncate(known);
        refuted
    }

    fn split(&mut self, rows: &mut Vec<Inequality>, waiting: &[&[Demand]], budget: &Budget) -> bool {
        if self.programs == 0 || budget.check().is_err() {
            return false;
        }
        self.programs -= 1;
        let marking = match self.equation.solve(rows, budget) {
            Solvability::Impossible => return true,
            Solvability::Unknown => return false,
            Solvability::Candidate(marking) => marking,
        };
        let violated = |parts: &&&[Demand]| !parts.iter().any(|part| part.nearly_holds(&marking));
        let Some(&cases) = waiting.iter().filter(violated).min_by_key(|parts| parts.len()) else { return false };
        let others: Vec<&[Demand]> = waiting.iter().copied().filter(|parts| !std::ptr::eq(*parts, cases)).collect();
        cases.iter().all(|case| {
            let known = rows.len();
            let mut others = others.clone();
            let mut open = vec![case];
            let mut impossible = false;
            while let Some(demand) = open.pop() {
                match demand {
                    Demand::Nothing => {}
                    Demand::Row(row) => rows.push(row.clone()),
                    Demand::All(parts) => open.extend(parts),
                    Demand::Any(parts) if parts.is_empty() => impossible = true,
                    Demand::Any(parts) => others.push(parts),
                }
            }
            let refuted = impossible || self.split(rows, &others, budget);
            rows.truncate(known);
            refuted
        })
    }
}

/// Is there one of these sets of transitions of which it is proved that none is ever enabled? Those that a
/// short walk sees enabled are not tried.
pub(super) fn some_never_enabled(net: &PetriNet, sets: &[Vec<TransitionId>], budget: &Budget) -> bool {
    let mut seen = vec![false; net.transition_count()];
    let mut steps = 0;
    Walk::new(net).run(budget, |walk| {
        walk.enabled().for_each(|t| seen[t.index()] = true);
        steps += 1;
        steps > STEPS
    });
    let Some(mut refuter) = Refuter::new(net) else { return false };
    sets.iter().any(|set| set.iter().all(|&t| !seen[t.index()] && refuter.never_enabled(t, budget)))
}

/// Brings conditions into normal form.
struct Builder<'a> {
    net: &'a PetriNet,
    pool: &'a Pool,
    parts: usize,
}

/// `Σ weights·tokens + constant`.
#[derive(Clone, Default)]
struct Linear {
    weights: BTreeMap<PlaceId, i64>,
    constant: i128,
}

impl Linear {
    fn plus(mut self, other: &Linear, factor: i64) -> Option<Linear> {
        for (&place, &weight) in &other.weights {
            let sum = self.weights.entry(place).or_default();
            *sum = sum.checked_add(weight.checked_mul(factor)?)?;
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(i128::from(factor))?)?;
        Some(self)
    }

    /// That it is at least `least`.
    fn at_least(&self, least: i128) -> Option<Demand> {
        let terms: Vec<(PlaceId, i64)> = self.weights.iter().map(|(&p, &w)| (p, w)).filter(|&(_, w)| w != 0).collect();
        let least = least.checked_sub(self.constant)?;
        Some(match terms.is_empty() {
            true if least <= 0 => Demand::Nothing,
            true => Demand::Any(Vec::new()),
            false => Demand::Row(Inequality { terms, least }),
        })
    }
}

impl Builder<'_> {
    /// What it takes for the condition to be `value`; `None` where it is too large or no condition.
    fn demand(&mut self, condition: FormulaId, value: bool) -> Option<Demand> {
        self.parts += 1;
        if self.parts > PARTS {
            return None;
        }
        let list = |builder: &mut Self, operands: &[FormulaId], value| -> Option<Vec<Demand>> {
            operands.iter().map(|&operand| builder.demand(operand, value)).collect()
        };
        let pool = self.pool;
        Some(match &pool[condition] {
            Formula::True | Formula::False => {
                let holds = (pool[condition] == Formula::True) == value;
                if holds { Demand::Nothing } else { Demand::Any(Vec::new()) }
            }
            Formula::Not(a) => self.demand(*a, !value)?,
            Formula::And(operands) if value => Demand::All(list(self, operands, true)?),
            Formula::And(operands) => Demand::Any(list(self, operands, false)?),
            Formula::Or(operands) if value => Demand::Any(list(self, operands, true)?),
            Formula::Or(operands) => Demand::All(list(self, operands, false)?),
            Formula::Implies(a, b) => {
                let parts = vec![self.demand(*a, !value)?, self.demand(*b, value)?];
                if value { Demand::Any(parts) } else { Demand::All(parts) }
            }
            Formula::Iff(a, b) => {
                let both = Demand::All(vec![self.demand(*a, true)?, self.demand(*b, value)?]);
                let neither = Demand::All(vec![self.demand(*a, false)?, self.demand(*b, !value)?]);
                Demand::Any(vec![both, neither])
            }
            Formula::Deadlock => {
                let parts = self.net.transition_ids().map(|t| self.enabled(t, !value)).collect::<Option<_>>()?;
                if value { Demand::All(parts) } else { Demand::Any(parts) }
            }
            Formula::Enabled(transitions) => {
                let parts = transitions.iter().map(|&t| self.enabled(t, value)).collect::<Option<_>>()?;
                if value { Demand::Any(parts) } else { Demand::All(parts) }
            }
            &Formula::Compare(a, comparison, b) => {
                let sides = self.linear(a).zip(self.linear(b)).and_then(|(a, b)| a.plus(&b, -1));
                let comparison = if value { comparison } else { comparison.negated() };
                sides.and_then(|difference| compare(&difference, comparison)).unwrap_or(Demand::Nothing)
            }
            _ => return None,
        })
    }

    fn enabled(&mut self, t: TransitionId, value: bool) -> Option<Demand> {
        let transition = self.net.transition(t);
        let arcs = transition.pre.iter().map(|arc| (arc, false)).chain(transition.inhibitors.iter().map(|a| (a, true)));
        let mut parts = Vec::new();
        for (arc, inhibitor) in arcs {
            self.parts += 1;
            let tokens = Linear { weights: BTreeMap::from([(arc.place, 1)]), constant: 0 };
            let comparison = if inhibitor != value { Comparison::Ge } else { Comparison::Lt };
            let distance = Linear { constant: -i128::from(arc.weight), ..tokens };
            parts.push(compare(&distance, comparison)?);
        }
        (self.parts <= PARTS).then_some(if value { Demand::All(parts) } else { Demand::Any(parts) })
    }

    fn linear(&self, expr: ExprId) -> Option<Linear> {
        if self.pool.expr_depth(expr) > MAX_DEPTH {
            return None;
        }
        match &self.pool[expr] {
            Expr::Const(constant) => Some(Linear { constant: *constant, ..Linear::default() }),
            Expr::Tokens(places) => {
                let mut sum = Linear::default();
                places.iter().for_each(|&place| *sum.weights.entry(place).or_default() += 1);
                Some(sum)
            }
            Expr::Neg(a) => Linear::default().plus(&self.linear(*a)?, -1),
            Expr::Add(operands) => {
                operands.iter().try_fold(Linear::default(), |sum, &operand| sum.plus(&self.linear(operand)?, 1))
            }
            Expr::Mul(..) | Expr::Div(..) | Expr::Bounds(_) => None,
        }
    }
}

/// That this number compares so with 0. All are integers: greater than 0 is at least 1.
fn compare(number: &Linear, comparison: Comparison) -> Option<Demand> {
    let negative = || Linear::default().plus(number, -1);
    Some(match comparison {
        Comparison::Ge => number.at_least(0)?,
        Comparison::Gt => number.at_least(1)?,
        Comparison::Le => negative()?.at_least(0)?,
        Comparison::Lt => negative()?.at_least(1)?,
        Comparison::Eq => Demand::All(vec![number.at_least(0)?, negative()?.at_least(0)?]),
        Comparison::Ne => Demand::Any(vec![number.at_least(1)?, negative()?.at_least(1)?]),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::decide::valuation::Condition;
    use crate::formula::Logic;
    use crate::random::{FormulaShape, NetShape, Rng, formula, net};
    use crate::reference::explore;

    #[test]
    fn what_is_refuted_holds_in_no_reachable_marking() {
        let budget = Budget::unlimited();
        let (mut refuted, mut refutable, mut alive) = (0, 0, 0);
        for seed in 0..250 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape::default());
            let graph = explore(&net, 400).unwrap();
            let mut refuter = Refuter::new(&net).unwrap();
            let mut pool = Pool::new();
            for size in 0..6 {
                let drawn = formula(&mut rng, &net, &FormulaShape { logic: Logic::Boolean, size }, &mut pool);
                for value in [true, false] {
                    let proved = refuter.never(&pool, drawn, value, &budget);
                    if let Some(condition) = Condition::new(&net, &pool, drawn) {
                        // An expression without a value satisfies nothing.
                        let found = graph.markings.iter().any(|m| condition.holds(m) == Some(value));
                        assert!(!(proved && found), "seed {seed} size {size}");
                        refuted += usize::from(proved);
                        refutable += usize::from(!found);
                    }
                }
            }
            if refuter.never_dead(&budget) {
                assert!(graph.deadlocks().is_empty(), "seed {seed}");
                alive += 1;
            }
            for t in net.transition_ids().filter(|&t| refuter.never_enabled(t, &budget)) {
                assert!(!graph.markings.iter().any(|m| m.enables(&net, t)), "seed {seed}");
            }
        }
        assert!(refuted * 2 > refutable && alive > 10, "{refuted} of {refutable}, {alive}");
    }
}

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
//! A solution may have broken numbers of tokens. When no disjunction is left to be split, a place with such a number
//! is: it has at most the whole number below, or at least the one above.
//!
//! The refutation of a case names the demands that it rests on. If none of them is special to the case, it refutes the
//! other cases as well, and they are not looked at.
//!
//! Leaves that are not linear (products without a constant factor, quotients, bounds) demand nothing: what is left is
//! weaker, so that its refutation is one of the whole.
//!
//! Bønneland et al., "Simplification of CTL formulae for efficient model checking of Petri nets", Petri Nets 2018,
//! refute conjunctions in this way; the lazy choice of disjunctions is that of satisfiability modulo theories, the way
//! back past cases without a part in a conflict its backjumping (Nieuwenhuis, Oliveras and Tinelli, JACM 53, 2006);
//! splitting broken numbers is the branch and bound of integer programming (Land and Doig 1960).

use super::walk::Walk;
use crate::budget::Budget;
use crate::formula::{Comparison, Expr, ExprId, Formula, FormulaId, MAX_DEPTH, Pool};
use crate::net::{PetriNet, PlaceId, TransitionId};
use crate::structure::{Inequality, Solvability, StateEquation};
use std::collections::{BTreeMap, BTreeSet};

/// Linear programs for one condition, unless it is tried harder.
const PROGRAMS: u32 = 150;
/// Places with a broken number of tokens that are split one inside the other.
const BRANCHES: u32 = 10;
/// Cases inside of cases: each takes stack, and a list of what waits.
const DEPTH: u32 = 150;
/// By how much the programs for a condition become more when it is tried harder.
const HARDER: u32 = 8;
/// Steps of the walk that tells which transitions can fire.
const STEPS: u32 = 10_000;
/// Parts of one condition.
const PARTS: usize = 100_000;
/// Weights in products stay below this: with fewer than 2³² terms of at most 2⁶⁴ tokens they have values in all markings.
const LARGEST: u64 = 1 << 20;

/// Demands on a marking.
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
pub(in crate::decide) struct Refuter<'a> {
    net: &'a PetriNet,
    equation: StateEquation<'a>,
    /// Linear programs for one condition, and those that are left for this one.
    limit: u32,
    programs: u32,
}

impl<'a> Refuter<'a> {
    /// `None` where the state equation cannot be set up.
    pub(in crate::decide) fn new(net: &'a PetriNet) -> Option<Self> {
        Some(Refuter { net, equation: StateEquation::new(net)?, limit: PROGRAMS, programs: 0 })
    }

    /// Is it proved that the condition is `value` in no reachable marking?
    pub(in crate::decide) fn never(&mut self, pool: &Pool, condition: FormulaId, value: bool, budget: &Budget) -> bool {
        if pool.depth(condition) > MAX_DEPTH {
            return false;
        }
        let mut builder = Builder { net: self.net, pool, parts: 0 };
        let Some(demand) = builder.demand(condition, value) else { return false };
        self.refutes(&demand, budget)
    }

    /// Has the last condition not been refuted, as it took more linear programs than may be solved for one?
    pub(in crate::decide) fn gave_up(&self) -> bool {
        self.programs == 0
    }

    /// Let more linear programs be solved for a condition.
    pub(in crate::decide) fn try_harder(&mut self) {
        self.limit = self.limit.saturating_mul(HARDER);
    }

    /// Is it proved that the sum of the tokens in `places`, as often as listed, is never above this?
    pub(in crate::decide) fn is_at_most(&mut self, places: &[PlaceId], most: u128, budget: &Budget) -> bool {
        if self.upper_bound(places, budget).is_some_and(|bound| bound <= most) {
            return true;
        }
        let above = i128::try_from(most).ok().and_then(|most| Linear::sum(places).at_least(most.checked_add(1)?));
        above.is_some_and(|demand| self.refutes(&demand, budget))
    }

    /// Is it proved that no reachable marking meets this demand?
    fn refutes(&mut self, demand: &Demand, budget: &Budget) -> bool {
        self.programs = self.limit;
        let (mut demanded, mut waiting) = (Demanded::default(), Vec::new());
        let possible = demanded.add(demand, ALWAYS, &mut waiting);
        !possible || self.split(&mut demanded, &waiting, ALWAYS + 1, BRANCHES, budget).is_some()
    }

    /// Is it proved that no reachable marking is dead?
    pub(in crate::decide) fn never_dead(&mut self, budget: &Budget) -> bool {
        let mut pool = Pool::new();
        let dead = pool.add(Formula::Deadlock);
        self.never(&pool, dead, true, budget)
    }

    /// Is it proved that the transition is never enabled?
    pub(in crate::decide) fn never_enabled(&mut self, transition: TransitionId, budget: &Budget) -> bool {
        let mut pool = Pool::new();
        let enabled = pool.add(Formula::Enabled(vec![transition]));
        self.never(&pool, enabled, true, budget)
    }

    /// An upper bound of the sum of the tokens in `places`, as often as listed.
    pub(in crate::decide) fn upper_bound(&self, places: &[PlaceId], budget: &Budget) -> Option<u128> {
        let weights: Vec<(PlaceId, i64)> = Linear::sum(places).weights.into_iter().collect();
        u128::try_from(self.equation.upper_bound(&weights, budget)?).ok()
    }

    /// Can all that is demanded not be met together? If so, the levels of the cases that contradict each other.
    fn split(
        &mut self,
        demanded: &mut Demanded,
        waiting: &[Waiting<'_>],
        level: u32,
        branches: u32,
        budget: &Budget,
    ) -> Option<BTreeSet<u32>> {
        if level > DEPTH {
            return None;
        }
        self.programs = self.programs.checked_sub(1)?;
        budget.check().ok()?;
        let marking = match self.equation.solve(&demanded.rows, budget) {
            Solvability::Impossible(proof) => {
                let used = demanded.levels.iter().zip(proof.factors).filter(|&(_, factor)| factor != 0);
                return Some(used.map(|(&level, _)| level).collect());
            }
            Solvability::Candidate(marking) => marking,
            Solvability::Unknown => return None,
        };
        let violated = |(parts, _): &&Waiting<'_>| !parts.iter().any(|part| part.nearly_holds(&marking));
        let branch;
        let ((cases, of), branches) = match waiting.iter().filter(violated).min_by_key(|(parts, _)| parts.len()) {
            Some(&waiting) => (waiting, branches),
            None => {
                branch = demanded.branch(&marking)?;
                ((&branch[..], ALWAYS), branches.checked_sub(1)?)
            }
        };
        let others: Vec<Waiting<'_>> =
            waiting.iter().copied().filter(|(parts, _)| !std::ptr::eq(*parts, cases)).collect();
        let mut core = BTreeSet::from([of]);
        for case in cases {
            let (known, mut others) = (demanded.rows.len(), others.clone());
            let refuted = if demanded.add(case, level, &mut others) {
                self.split(demanded, &others, level + 1, branches, budget)
            } else {
                Some(BTreeSet::from([level]))
            };
            demanded.truncate(known);
            let refuted = refuted?;
            if !refuted.contains(&level) {
                // The other cases are refuted in the same way.
                return Some(refuted);
            }
            core.extend(refuted);
        }
        core.remove(&level);
        Some(core)
    }
}

/// The level of what is demanded in any case.
const ALWAYS: u32 = 0;

/// A disjunction, and the level of the case that demands it.
type Waiting<'d> = (&'d [Demand], u32);

/// Inequalities that are demanded, and the level of the case that demands each.
#[derive(Debug, Default)]
struct Demanded {
    rows: Vec<Inequality>,
    levels: Vec<u32>,
}

impl Demanded {
    /// Demand this, too; false if it cannot be met.
    fn add<'d>(&mut self, demand: &'d Demand, level: u32, waiting: &mut Vec<Waiting<'d>>) -> bool {
        let mut open = vec![demand];
        while let Some(demand) = open.pop() {
            match demand {
                Demand::Nothing => {}
                Demand::Row(row) => {
                    self.rows.push(row.clone());
                    self.levels.push(level);
                }
                Demand::All(parts) => open.extend(parts),
                Demand::Any(parts) => match &parts[..] {
                    [] => return false,
                    [only] => open.push(only),
                    _ => waiting.push((parts, level)),
                },
            }
        }
        true
    }

    fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
        self.levels.truncate(rows);
    }

    /// A place that has a broken number of tokens has fewer or more: one that something is demanded of, if there is
    /// one.
    fn branch(&self, marking: &[f64]) -> Option<[Demand; 2]> {
        let is_broken = |place: &PlaceId| (marking[place.index()] - marking[place.index()].round()).abs() > 1e-4;
        let in_rows = self.rows.iter().flat_map(|row| row.terms.iter().map(|&(place, _)| place));
        let place = in_rows.chain((0..marking.len()).map(|place| PlaceId(place as u32))).find(is_broken)?;
        let below = marking[place.index()].floor();
        if below.abs() > 1e15 {
            return None;
        }
        let row = |weight: i64, least: i128| Demand::Row(Inequality { terms: vec![(place, weight)], least });
        Some([row(-1, -(below as i128)), row(1, below as i128 + 1)])
    }
}

/// Is there one of these sets of transitions of which it is proved that none is ever enabled? Those that a
/// short walk sees enabled are not tried.
pub(in crate::decide) fn some_never_enabled(net: &PetriNet, sets: &[Vec<TransitionId>], budget: &Budget) -> bool {
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
    /// The tokens in these places, as often as listed.
    fn sum(places: &[PlaceId]) -> Linear {
        let mut sum = Linear::default();
        places.iter().for_each(|&place| *sum.weights.entry(place).or_default() += 1);
        sum
    }

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
    /// The demands under which the condition is `value`; `None` where they are too large, or it is no condition.
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
            Expr::Tokens(places) => Some(Linear::sum(places)),
            Expr::Neg(a) => Linear::default().plus(&self.linear(*a)?, -1),
            Expr::Add(operands) => {
                operands.iter().try_fold(Linear::default(), |sum, &operand| sum.plus(&self.linear(operand)?, 1))
            }
            Expr::Mul(a, b) => {
                let (a, b) = (self.linear(*a)?, self.linear(*b)?);
                let (form, factor) = if a.weights.is_empty() { (b, a) } else { (a, b) };
                let factor = i64::try_from(factor.constant).ok().filter(|_| factor.weights.is_empty())?;
                let product = Linear::default().plus(&form, factor)?;
                product.weights.values().all(|weight| weight.unsigned_abs() <= LARGEST).then_some(product)
            }
            Expr::Div(..) | Expr::Bounds(_) => None,
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
    use crate::decide::conditions::Condition;
    use crate::formula::{Logic, Symbols, parse};
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
            for size in [0, 1, 2, 3, 5, 9, 14] {
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

    #[test]
    fn sums_stay_below_what_is_proved() {
        let budget = Budget::unlimited();
        let (mut proved, mut by_bound, mut sums) = (0, 0, 0);
        for seed in 0..250 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &NetShape::default());
            let graph = explore(&net, 400).unwrap();
            let mut refuter = Refuter::new(&net).unwrap();
            let places: Vec<PlaceId> = net.place_ids().filter(|_| rng.one_in(2)).collect();
            let sum = |m: &crate::net::Marking| places.iter().map(|&p| u128::from(m.tokens(p))).sum::<u128>();
            let greatest = graph.markings.iter().map(sum).max().unwrap();
            by_bound += usize::from(refuter.upper_bound(&places, &budget) == Some(greatest));
            proved += usize::from(refuter.is_at_most(&places, greatest, &budget));
            assert!(greatest == 0 || !refuter.is_at_most(&places, greatest - 1, &budget), "seed {seed}");
            sums += 1;
        }
        assert!(proved > by_bound && proved * 3 > sums, "{proved} and {by_bound} of {sums}");
    }

    /// Three tokens are taken in pairs: one stays. With one and a half pairs none would.
    #[test]
    fn numbers_of_tokens_are_whole() {
        let mut b = crate::net::NetBuilder::new("pairs");
        let (single, pairs) = (b.place("single", 3).unwrap(), b.place("pairs", 0).unwrap());
        let t = b.transition("t").unwrap();
        b.input(single, t, 2).unwrap();
        b.output(t, pairs, 1).unwrap();
        let net = b.build().unwrap();
        let mut pool = Pool::new();
        let none = parse("#single = 0", &Symbols::of(&net), &mut pool).unwrap();
        assert!(Refuter::new(&net).unwrap().never(&pool, none, true, &Budget::unlimited()));
    }

    /// However many programs may be solved, cases do not lie in one another without end.
    #[test]
    fn cases_inside_of_cases_have_an_end() {
        let mut b = crate::net::NetBuilder::new("deep");
        let mut disjunctions = Vec::new();
        for i in 0..300 {
            for name in ["x", "y"] {
                let (place, t) =
                    (b.place(format!("{name}{i}"), 1).unwrap(), b.transition(format!("take_{name}{i}")).unwrap());
                b.input(place, t, 1).unwrap();
            }
            disjunctions.push(format!("(#x{i} = 0 | #y{i} = 0)"));
        }
        let net = b.build().unwrap();
        let mut pool = Pool::new();
        let all = parse(&disjunctions.join(" & "), &Symbols::of(&net), &mut pool).unwrap();
        let mut refuter = Refuter::new(&net).unwrap();
        (0..3).for_each(|_| refuter.try_harder());
        assert!(!refuter.never(&pool, all, true, &Budget::unlimited()));
        assert_eq!(refuter.limit - refuter.programs, DEPTH);
    }

    /// Many disjunctions that have no part in what is contradictory cost nothing.
    #[test]
    fn cases_without_a_part_in_a_conflict_are_passed_over() {
        let mut b = crate::net::NetBuilder::new("many");
        let (p, q) = (b.place("p", 1).unwrap(), b.place("q", 0).unwrap());
        let (to, fro) = (b.transition("to").unwrap(), b.transition("fro").unwrap());
        b.input(p, to, 1).unwrap();
        b.output(to, q, 1).unwrap();
        b.input(q, fro, 1).unwrap();
        b.output(fro, p, 1).unwrap();
        let mut disjunctions = vec!["(#p = 1 | #p + #q = 3) & (#q = 1 | #p + #q = 4 | #p + #q = 5)".to_owned()];
        for i in 0..40 {
            let (x, y) = (b.place(format!("x{i}"), 1).unwrap(), b.place(format!("y{i}"), 1).unwrap());
            for (place, name) in [(x, "x"), (y, "y")] {
                let t = b.transition(format!("take_{name}{i}")).unwrap();
                b.input(place, t, 1).unwrap();
            }
            disjunctions.push(format!("(#x{i} = 0 | #y{i} = 0)"));
        }
        let net = b.build().unwrap();
        let mut pool = Pool::new();
        let all = parse(&disjunctions.join(" & "), &Symbols::of(&net), &mut pool).unwrap();
        let mut refuter = Refuter::new(&net).unwrap();
        assert!(refuter.never(&pool, all, true, &Budget::unlimited()));
        assert!(!refuter.gave_up());
    }
    /// 2p + q and 3r stay as they are, 3r as there is nothing that changes r.
    #[test]
    fn products_with_a_constant_are_linear() {
        let mut b = crate::net::NetBuilder::new("weights");
        let (p, q, _r) = (b.place("p", 3).unwrap(), b.place("q", 1).unwrap(), b.place("r", 2).unwrap());
        let (pair, split) = (b.transition("pair").unwrap(), b.transition("split").unwrap());
        b.input(p, pair, 1).unwrap();
        b.output(pair, q, 2).unwrap();
        b.input(q, split, 2).unwrap();
        b.output(split, p, 1).unwrap();
        let net = b.build().unwrap();
        let mut refuter = Refuter::new(&net).unwrap();
        let beyond = "1048577";
        for (text, refuted) in [
            ("2 * #p + #q >= 8".into(), true),
            ("2 * #p + #q >= 7".into(), false),
            ("#p * 2 <= 6 - #q".into(), true),
            ("-2 * #p - #q <= -8".into(), true),
            ("-2 * #p - #q <= -7".into(), false),
            ("-2 * #p + 4 > 4".into(), true),
            ("2 * (#p + -3 * #r) != 2 * #p - 12".into(), true),
            ("0 * #p > 0".into(), true),
            // The square of a number may be any number.
            ("#p * #p < 0".into(), false),
            ("1000 * #q > 7000".into(), true),
            (format!("{beyond} * #q > 7 * {beyond}"), false),
            ("99999999999 * (99999999999 * (99999999999 * #p)) < 0".into(), false),
        ] {
            let mut pool = Pool::new();
            let condition = parse(&text, &Symbols::of(&net), &mut pool).unwrap();
            assert_eq!(refuter.never(&pool, condition, true, &Budget::unlimited()), refuted, "{text}");
        }
    }
}

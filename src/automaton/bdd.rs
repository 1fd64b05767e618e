//! The Boolean functions of the translator: BDDs (Bryant 1986) with complemented edges.
//!
//! **Problem.** The translator labels edges with Boolean functions and asks of them: equal? disjoint? entailed?
//! A formula of an examination has a handful of propositions and is translated in less than a millisecond; a store
//! that sets up tables and threads first takes several. (So did `oxidd`'s, which carries the large diagrams.)
//!
//! **Idea.** One vector of nodes, one hash table that makes equal nodes one, one small lossy table of
//! conjunctions. An edge is the number of its node, doubled, plus one if the function is negated (Brace, Rudell
//! and Bryant 1990), so negation is free and conjunction is the only recursion. Nothing is given back before
//! the end.
//!
//! **Invariant.** Equal functions have equal names: variables grow downwards, no node has equal children, and
//! the low child of a node is never negated. Names are given in the order of creation: the same input gives
//! the same names in every run. Variables `0..props` are the propositions; those above are the caller's
//! ([`Bdds::extra`]), below them in the order.
//!
//! Every step of a recursion counts: the budget is looked at after each few hundred, so that no operation
//! outlives a deadline by much. Irredundant sums of products are computed by the algorithm of Minato (1993, after
//! Morreale 1970).

use super::{Cube, Guard, Literal, Prop};
use crate::budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;

/// The name of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Bdd(u32);

impl Bdd {
    pub(super) const FALSE: Bdd = Bdd(0);
    pub(super) const TRUE: Bdd = Bdd(1);

    fn negated(self) -> Bdd {
        Bdd(self.0 ^ 1)
    }

    fn negated_if(self, condition: bool) -> Bdd {
        Bdd(self.0 ^ u32::from(condition))
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// The number of a variable.
pub(super) type Variable = u32;

/// A product of literals, as (variable, value), in the order of the variables.
pub(super) type Product = Vec<(Variable, bool)>;

/// A decision: where its variable is false, and where it is true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Decision {
    variable: Variable,
    low: Bdd,
    high: Bdd,
}

/// A conjunction that is remembered.
#[derive(Clone, Copy, Debug)]
struct Conjunction {
    left: Bdd,
    right: Bdd,
    result: Bdd,
}

impl Conjunction {
    /// Stands for none: constants are not looked up.
    const NONE: Conjunction = Conjunction { left: Bdd::FALSE, right: Bdd::FALSE, result: Bdd::FALSE };
}

/// The variable of the constants, below all others.
const NO_VARIABLE: Variable = Variable::MAX;
/// Most nodes of one translation (some hundred megabytes).
const NODE_CAPACITY: usize = 1 << 23;
/// Bytes of a node in all tables.
const NODE_BYTES: u64 = 64;
/// Fewest and most conjunctions that are remembered; powers of two.
const MEMORY: (usize, usize) = (1 << 8, 1 << 17);
/// Most cubes of one guard.
const MAX_CUBES: usize = 1 << 18;
/// Steps between two looks at the budget.
const CHECK_INTERVAL: u32 = 256;

/// A store of Boolean functions.
pub(super) struct Bdds {
    /// The decisions; the first stands for the constants.
    nodes: Vec<Decision>,
    unique: FxHashMap<Decision, Bdd>,
    conjunctions: Vec<Conjunction>,
    capacity: usize,
    props: u32,
    budget: Budget,
    until_check: u32,
}

impl Bdds {
    /// A store with variables for the given number of propositions.
    pub(super) fn new(props: u32, budget: &Budget) -> Result<Self, Exhausted> {
        budget.check()?;
        let affordable = budget.memory().map_or(u64::MAX, |bytes| (bytes / NODE_BYTES).max(1 << 10));
        Ok(Bdds {
            nodes: vec![Decision { variable: NO_VARIABLE, low: Bdd::FALSE, high: Bdd::FALSE }],
            unique: FxHashMap::default(),
            conjunctions: vec![Conjunction::NONE; MEMORY.0],
            capacity: usize::try_from(affordable).unwrap_or(NODE_CAPACITY).min(NODE_CAPACITY),
            props,
            budget: budget.clone(),
            until_check: CHECK_INTERVAL,
        })
    }

    fn tick(&mut self) -> Result<(), Exhausted> {
        self.until_check -= 1;
        if self.until_check == 0 {
            self.until_check = CHECK_INTERVAL;
            self.budget.check()?;
        }
        Ok(())
    }

    /// The budget of this computation.
    pub(super) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The function of a variable.
    pub(super) fn variable(&mut self, variable: Variable) -> Result<Bdd, Exhausted> {
        self.decision(variable, Bdd::FALSE, Bdd::TRUE)
    }

    /// How many variables are propositions.
    pub(super) fn props(&self) -> u32 {
        self.props
    }

    /// The number of the caller's `index`-th variable.
    pub(super) fn extra(&self, index: u32) -> Variable {
        self.props + index
    }

    /// The function that is `low` where the variable, which is above both, is false, and `high` where it is true.
    fn decision(&mut self, variable: Variable, low: Bdd, high: Bdd) -> Result<Bdd, Exhausted> {
        if low == high {
            return Ok(low);
        }
        let negated = low.is_negated();
        let decision = Decision { variable, low: low.negated_if(negated), high: high.negated_if(negated) };
        if let Some(&known) = self.unique.get(&decision) {
            return Ok(known.negated_if(negated));
        }
        if self.nodes.len() >= self.capacity {
            return Err(Exhausted::Memory);
        }
        let name = Bdd((self.nodes.len() as u32) << 1);
        self.nodes.push(decision);
        self.unique.insert(decision, name);
        if self.nodes.len() > self.conjunctions.len() && self.conjunctions.len() < MEMORY.1 {
            self.conjunctions = vec![Conjunction::NONE; 2 * self.conjunctions.len()];
        }
        Ok(name.negated_if(negated))
    }

    pub(super) fn and(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Exhausted> {
        if f == Bdd::FALSE || g == Bdd::FALSE || f == g.negated() {
            return Ok(Bdd::FALSE);
        }
        if f == Bdd::TRUE || f == g {
            return Ok(g);
        }
        if g == Bdd::TRUE {
            return Ok(f);
        }
        let (f, g) = (f.min(g), f.max(g));
        let known = self.conjunctions[self.slot(f, g)];
        if (known.left, known.right) == (f, g) {
            return Ok(known.result);
        }
        self.tick()?;
        let variable = self.top(f).min(self.top(g));
        let (f0, f1) = self.cofactors(f, variable);
        let (g0, g1) = self.cofactors(g, variable);
        let low = self.and(f0, g0)?;
        let high = self.and(f1, g1)?;
        let result = self.decision(variable, low, high)?;
        let slot = self.slot(f, g);
        self.conjunctions[slot] = Conjunction { left: f, right: g, result };
        Ok(result)
    }

    /// Where the conjunction of two functions is remembered (multiplicative hashing, Knuth).
    fn slot(&self, f: Bdd, g: Bdd) -> usize {
        let key = u64::from(f.0) << 32 | u64::from(g.0);
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        hash as usize & (self.conjunctions.len() - 1)
    }

    pub(super) fn or(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Exhausted> {
        Ok(self.and(f.negated(), g.negated())?.negated())
    }

    /// `f ∧ ¬g`.
    pub(super) fn minus(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Exhausted> {
        self.and(f, g.negated())
    }

    /// Whether `f` entails `g`.
    pub(super) fn entails(&mut self, f: Bdd, g: Bdd) -> Result<bool, Exhausted> {
        Ok(self.minus(f, g)? == Bdd::FALSE)
    }

    /// Whether some valuation satisfies both.
    pub(super) fn meets(&mut self, f: Bdd, g: Bdd) -> Result<bool, Exhausted> {
        Ok(self.and(f, g)? != Bdd::FALSE)
    }

    /// The variable on top of the diagram; [`NO_VARIABLE`] for constants.
    fn top(&self, f: Bdd) -> Variable {
        self.nodes[f.node()].variable
    }

    /// The cofactors of `f` for a variable at or above its top: (where it is false, where it is true).
    fn cofactors(&self, f: Bdd, variable: Variable) -> (Bdd, Bdd) {
        let node = self.nodes[f.node()];
        if node.variable != variable {
            return (f, f);
        }
        (node.low.negated_if(f.is_negated()), node.high.negated_if(f.is_negated()))
    }

    /// An irredundant sum of products equal to `f`; `None` if it has more than `limit` products.
    pub(super) fn products(&mut self, f: Bdd, limit: usize) -> Result<Option<Vec<Product>>, Exhausted> {
        let sum = self.isop(f, f, limit)?.map(|(products, _)| products);
        Ok(sum.filter(|products| products.len() <= limit))
    }

    /// An irredundant sum of products between `lower` and `upper`, and its function. The recursion descends
    /// one variable a step.
    fn isop(&mut self, lower: Bdd, upper: Bdd, limit: usize) -> Result<Option<(Vec<Product>, Bdd)>, Exhausted> {
        if lower == Bdd::FALSE {
            return Ok(Some((Vec::new(), Bdd::FALSE)));
        }
        if upper == Bdd::TRUE {
            return Ok(Some((vec![Vec::new()], Bdd::TRUE)));
        }
        self.tick()?;
        let variable = self.top(lower).min(self.top(upper));
        if variable == NO_VARIABLE {
            return Ok(Some((vec![Vec::new()], Bdd::TRUE)));
        }
        let (lower0, lower1) = self.cofactors(lower, variable);
        let (upper0, upper1) = self.cofactors(upper, variable);
        let only0 = self.minus(lower0, upper1)?;
        let only1 = self.minus(lower1, upper0)?;
        let Some((mut products0, f0)) = self.isop(only0, upper0, limit)? else { return Ok(None) };
        let Some((mut products1, f1)) = self.isop(only1, upper1, limit)? else { return Ok(None) };
        let rest0 = self.minus(lower0, f0)?;
        let rest1 = self.minus(lower1, f1)?;
        let rest = self.or(rest0, rest1)?;
        let both = self.and(upper0, upper1)?;
        let Some((mut products, f)) = self.isop(rest, both, limit)? else { return Ok(None) };
        let parts = self.decision(variable, f0, f1)?;
        let whole = self.or(parts, f)?;
        products0.iter_mut().for_each(|p| p.insert(0, (variable, false)));
        products1.iter_mut().for_each(|p| p.insert(0, (variable, true)));
        products.splice(0..0, products0.into_iter().chain(products1));
        Ok((products.len() <= limit).then_some((products, whole)))
    }

    /// A function with a short sum of products that is `f` where `care` holds; elsewhere it is whatever is shortest.
    pub(super) fn between(&mut self, f: Bdd, care: Bdd) -> Result<Bdd, Exhausted> {
        let (lower, upper) = (self.and(f, care)?, self.or(f, care.negated())?);
        Ok(self.isop(lower, upper, MAX_CUBES)?.map_or(f, |(_, short)| short))
    }

    /// The function of a product.
    pub(super) fn product(&mut self, product: &[(Variable, bool)]) -> Result<Bdd, Exhausted> {
        let mut result = Bdd::TRUE;
        for &(variable, value) in product.iter().rev() {
            let v = self.variable(variable)?;
            let literal = v.negated_if(!value);
            result = self.and(literal, result)?;
        }
        Ok(result)
    }

    /// A propositional function as an edge label; variable `i` is proposition `props[i]`.
    pub(super) fn guard_of(&mut self, f: Bdd, props: &[Prop]) -> Result<Guard, Exhausted> {
        let mut products = self.products(f, MAX_CUBES)?.ok_or(Exhausted::Memory)?;
        products.sort_unstable();
        let cubes = products.iter().filter_map(|p| {
            let literal = |&(v, positive): &(Variable, bool)| Some(Literal { prop: *props.get(v as usize)?, positive });
            Cube::new(p.iter().filter_map(literal))
        });
        Ok(Guard::from_cubes(cubes.collect::<Vec<_>>()))
    }

    /// An edge label as a function; proposition `p` is variable `variable(p)`.
    pub(super) fn of_guard(&mut self, guard: &Guard, variable: impl Fn(Prop) -> Variable) -> Result<Bdd, Exhausted> {
        let mut result = Bdd::FALSE;
        for cube in guard.cubes() {
            let mut product: Product = cube.literals().iter().map(|l| (variable(l.prop), l.positive)).collect();
            product.sort_unstable();
            let term = self.product(&product)?;
            result = self.or(result, term)?;
        }
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn sums_of_products_denote_their_function() {
        let mut b = Bdds::new(4, &Budget::unlimited()).unwrap();
        let mut f = Bdd::FALSE;
        for product in [vec![(0, true), (3, false)], vec![(1, true), (2, true)], vec![(0, false), (2, false)]] {
            let term = b.product(&product).unwrap();
            f = b.or(f, term).unwrap();
        }
        let products = b.products(f, 100).unwrap().unwrap();
        assert_eq!(b.products(f, products.len() - 1).unwrap(), None);
        let mut again = Bdd::FALSE;
        for product in &products {
            let term = b.product(product).unwrap();
            again = b.or(again, term).unwrap();
        }
        assert_eq!(again, f);
        for skipped in 0..products.len() {
            let mut less = Bdd::FALSE;
            for (i, product) in products.iter().enumerate().filter(|(i, _)| *i != skipped) {
                assert!(i < products.len());
                let term = b.product(product).unwrap();
                less = b.or(less, term).unwrap();
            }
            assert_ne!(less, f, "a product is redundant");
        }
        let props: Vec<Prop> = (0..4).map(Prop).collect();
        let guard = b.guard_of(f, &props).unwrap();
        assert_eq!(b.of_guard(&guard, |p| p.0).unwrap(), f);
    }

    /// Against truth tables: functions of four variables as 16 bits.
    #[test]
    fn operations_are_those_of_truth_tables() {
        let mut b = Bdds::new(4, &Budget::unlimited()).unwrap();
        let mut known: FxHashMap<Bdd, u16> = FxHashMap::default();
        let mut functions = vec![(Bdd::FALSE, 0u16), (Bdd::TRUE, !0)];
        for (v, table) in [0xaaaa, 0xcccc, 0xf0f0, 0xff00].into_iter().enumerate() {
            functions.push((b.variable(v as u32).unwrap(), table));
        }
        let mut at = 1usize;
        while functions.len() < 3000 {
            at = (at * 75 + 74) % 65537;
            let (f, table_f) = functions[at % functions.len()];
            let (g, table_g) = functions[at / 7 % functions.len()];
            functions.push((b.and(f, g).unwrap(), table_f & table_g));
            functions.push((b.or(f, g).unwrap(), table_f | table_g));
            functions.push((b.minus(f, g).unwrap(), table_f & !table_g));
            assert_eq!(b.entails(f, g).unwrap(), table_f & !table_g == 0);
            assert_eq!(b.meets(f, g).unwrap(), table_f & table_g != 0);
        }
        for &(f, table) in &functions {
            assert_eq!(*known.entry(f).or_insert(table), table, "one name, two functions");
        }
        let tables: std::collections::HashSet<u16> = known.values().copied().collect();
        assert_eq!(tables.len(), known.len(), "two names, one function");
        assert!(tables.len() > 300, "{}", tables.len());
    }

    #[test]
    fn limits_hold_within_an_operation() {
        // Pairs far apart in the order: 2^n nodes.
        let pairs = |budget: &Budget| {
            let mut b = Bdds::new(64, budget)?;
            let mut f = Bdd::FALSE;
            for i in 0..32 {
                let pair = b.product(&[(i, true), (i + 32, true)])?;
                f = b.or(f, pair)?;
            }
            Ok(f)
        };
        assert_eq!(pairs(&Budget::unlimited().with_memory(1 << 20)), Err(Exhausted::Memory));
        let start = std::time::Instant::now();
        let time = Budget::unlimited().with_time(std::time::Duration::from_millis(20));
        assert!(matches!(pairs(&time), Err(Exhausted::Time | Exhausted::Memory)));
        assert!(start.elapsed() < std::time::Duration::from_secs(5));
    }

    #[test]
    fn extra_variables_and_budget() {
        let mut b = Bdds::new(1, &Budget::unlimited()).unwrap();
        let p = b.variable(0).unwrap();
        let x = b.variable(b.extra(0)).unwrap();
        let both = b.and(p, x).unwrap();
        assert_eq!(b.products(both, 1).unwrap(), Some(vec![vec![(0, true), (1, true)]]));
        let spent = Budget::unlimited().with_time(std::time::Duration::ZERO);
        assert!(Bdds::new(1, &spent).is_err());
    }
}

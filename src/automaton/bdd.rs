//! The Boolean functions of the translator: BDDs with small copyable names.
//!
//! A thin layer over `oxidd`. Every function that an operation returns is kept, and named by its rank, a
//! [`Bdd`]; equal functions have equal names. A translation makes few functions and lives for milliseconds,
//! so nothing is given back before the end; what is gained is that names can be copied, compared, hashed and
//! ordered, and that the same input gives the same names in every run. Variables `0..props` are the
//! propositions; those above are the caller's, made on demand ([`Bdds::extra`]) below them in the order.
//!
//! Irredundant sums of products are computed by the algorithm of Minato (1993, after Morreale 1970).

use super::{Cube, Guard, Literal, Prop};
use crate::budget::{Budget, Exhausted};
use indexmap::IndexSet;
use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::util::OutOfMemory;
use oxidd::{BooleanFunction, Function, HasLevel, Manager, ManagerRef, Node};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// The name of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Bdd(u32);

impl Bdd {
    pub(super) const FALSE: Bdd = Bdd(0);
    pub(super) const TRUE: Bdd = Bdd(1);
}

/// The number of a variable.
pub(super) type Variable = u32;

/// A product of literals, as (variable, value), in the order of the variables.
pub(super) type Product = Vec<(Variable, bool)>;

/// Most nodes of one translation (tens of megabytes).
const NODE_CAPACITY: usize = 1 << 21;
/// Entries of the apply cache.
const CACHE_CAPACITY: usize = 1 << 14;
/// Most products of one function.
const MAX_PRODUCTS: usize = 1 << 18;
/// Operations between two looks at the budget.
const CHECK_INTERVAL: u32 = 256;

/// A store of Boolean functions.
pub(super) struct Bdds {
    manager: BDDManagerRef,
    functions: IndexSet<BDDFunction, FxBuildHasher>,
    variables: Vec<Bdd>,
    props: u32,
    negations: FxHashMap<Bdd, Bdd>,
    meetings: FxHashMap<(Bdd, Bdd), bool>,
    budget: Budget,
    until_check: u32,
}

fn full(_: OutOfMemory) -> Exhausted {
    Exhausted::Memory
}

impl Bdds {
    /// A store with variables for the given number of propositions.
    pub(super) fn new(props: u32, budget: &Budget) -> Result<Self, Exhausted> {
        budget.check()?;
        let capacity = budget.memory().map_or(NODE_CAPACITY, |m| NODE_CAPACITY.min((m / 64) as usize).max(1 << 10));
        let manager = oxidd::bdd::new_manager(capacity, CACHE_CAPACITY, 1);
        let mut bdds = Bdds {
            manager,
            functions: IndexSet::default(),
            variables: Vec::new(),
            props,
            negations: FxHashMap::default(),
            meetings: FxHashMap::default(),
            budget: budget.clone(),
            until_check: CHECK_INTERVAL,
        };
        let (no, yes) = bdds.manager.with_manager_shared(|m| (BDDFunction::f(m), BDDFunction::t(m)));
        bdds.name(no);
        bdds.name(yes);
        bdds.variable(props)?;
        Ok(bdds)
    }

    fn name(&mut self, function: BDDFunction) -> Bdd {
        Bdd(self.functions.insert_full(function).0 as u32)
    }

    fn get(&self, f: Bdd) -> &BDDFunction {
        &self.functions[f.0 as usize]
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

    /// The function of a variable, made with all before it if need be.
    pub(super) fn variable(&mut self, variable: Variable) -> Result<Bdd, Exhausted> {
        let missing = (variable + 1).saturating_sub(self.variables.len() as u32);
        if missing > 0 {
            let made = self.manager.with_manager_exclusive(|m| {
                let range = m.add_vars(missing);
                range.map(|v| BDDFunction::var(m, v)).collect::<Result<Vec<_>, _>>()
            });
            let made = made.map_err(full)?;
            for function in made {
                let name = self.name(function);
                self.variables.push(name);
            }
        }
        Ok(self.variables[variable as usize])
    }

    /// How many variables are propositions.
    pub(super) fn props(&self) -> u32 {
        self.props
    }

    /// The number of the caller's `index`-th variable.
    pub(super) fn extra(&self, index: u32) -> Variable {
        self.props + index
    }

    pub(super) fn not(&mut self, f: Bdd) -> Result<Bdd, Exhausted> {
        if let Some(&known) = self.negations.get(&f) {
            return Ok(known);
        }
        self.tick()?;
        let result = self.get(f).not().map_err(full)?;
        let g = self.name(result);
        self.negations.insert(f, g);
        self.negations.insert(g, f);
        Ok(g)
    }

    pub(super) fn and(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Exhausted> {
        if f == Bdd::FALSE || g == Bdd::FALSE {
            return Ok(Bdd::FALSE);
        }
        if f == Bdd::TRUE || f == g {
            return Ok(g);
        }
        if g == Bdd::TRUE {
            return Ok(f);
        }
        self.tick()?;
        let result = self.get(f).and(self.get(g)).map_err(full)?;
        Ok(self.name(result))
    }

    pub(super) fn or(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Exhausted> {
        if f == Bdd::TRUE || g == Bdd::TRUE {
            return Ok(Bdd::TRUE);
        }
        if f == Bdd::FALSE || f == g {
            return Ok(g);
        }
        if g == Bdd::FALSE {
            return Ok(f);
        }
        self.tick()?;
        let result = self.get(f).or(self.get(g)).map_err(full)?;
        Ok(self.name(result))
    }

    /// `f ∧ ¬g`.
    pub(super) fn minus(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Exhausted> {
        let not_g = self.not(g)?;
        self.and(f, not_g)
    }

    /// Whether `f` entails `g`.
    pub(super) fn entails(&mut self, f: Bdd, g: Bdd) -> Result<bool, Exhausted> {
        if f == g || f == Bdd::FALSE || g == Bdd::TRUE {
            return Ok(true);
        }
        if f == Bdd::TRUE || g == Bdd::FALSE {
            return Ok(false);
        }
        self.tick()?;
        Ok(self.get(f).imp(self.get(g)).map_err(full)?.valid())
    }

    /// Whether some valuation satisfies both; remembered.
    pub(super) fn meets(&mut self, f: Bdd, g: Bdd) -> Result<bool, Exhausted> {
        if f == Bdd::FALSE || g == Bdd::FALSE {
            return Ok(false);
        }
        if f == g || f == Bdd::TRUE || g == Bdd::TRUE {
            return Ok(true);
        }
        let key = (f.min(g), f.max(g));
        if let Some(&known) = self.meetings.get(&key) {
            return Ok(known);
        }
        let result = self.and(f, g)? != Bdd::FALSE;
        self.meetings.insert(key, result);
        Ok(result)
    }

    /// The variable on top of the diagram; `None` for constants.
    fn top(&self, f: Bdd) -> Option<Variable> {
        self.get(f).with_manager_shared(|m, edge| match m.get_node(edge) {
            Node::Inner(node) => Some(m.level_to_var(node.level())),
            Node::Terminal(_) => None,
        })
    }

    /// The cofactors of `f` for a variable at or above its top: (where it is false, where it is true).
    fn cofactors(&mut self, f: Bdd, variable: Variable) -> (Bdd, Bdd) {
        if self.top(f) != Some(variable) {
            return (f, f);
        }
        match self.get(f).cofactors() {
            Some((yes, no)) => (self.name(no), self.name(yes)),
            None => (f, f),
        }
    }

    /// An irredundant sum of products equal to `f`.
    pub(super) fn products(&mut self, f: Bdd) -> Result<Vec<Product>, Exhausted> {
        Ok(self.isop(f, f)?.0)
    }

    /// An irredundant sum of products between `lower` and `upper`, and its function. The recursion descends
    /// one variable a step.
    fn isop(&mut self, lower: Bdd, upper: Bdd) -> Result<(Vec<Product>, Bdd), Exhausted> {
        if lower == Bdd::FALSE {
            return Ok((Vec::new(), Bdd::FALSE));
        }
        if upper == Bdd::TRUE {
            return Ok((vec![Vec::new()], Bdd::TRUE));
        }
        self.tick()?;
        let top = [self.top(lower), self.top(upper)].into_iter().flatten().min();
        let Some(variable) = top else { return Ok((vec![Vec::new()], Bdd::TRUE)) };
        let (lower0, lower1) = self.cofactors(lower, variable);
        let (upper0, upper1) = self.cofactors(upper, variable);
        let only0 = self.minus(lower0, upper1)?;
        let only1 = self.minus(lower1, upper0)?;
        let (mut products0, f0) = self.isop(only0, upper0)?;
        let (mut products1, f1) = self.isop(only1, upper1)?;
        let rest0 = self.minus(lower0, f0)?;
        let rest1 = self.minus(lower1, f1)?;
        let rest = self.or(rest0, rest1)?;
        let both = self.and(upper0, upper1)?;
        let (mut products, f) = self.isop(rest, both)?;
        let positive = self.variable(variable)?;
        let part1 = self.and(positive, f1)?;
        let negative = self.not(positive)?;
        let part0 = self.and(negative, f0)?;
        let parts = self.or(part0, part1)?;
        let whole = self.or(parts, f)?;
        products0.iter_mut().for_each(|p| p.insert(0, (variable, false)));
        products1.iter_mut().for_each(|p| p.insert(0, (variable, true)));
        products.splice(0..0, products0.into_iter().chain(products1));
        if products.len() > MAX_PRODUCTS {
            return Err(Exhausted::Memory);
        }
        Ok((products, whole))
    }

    /// The function of a product.
    pub(super) fn product(&mut self, product: &[(Variable, bool)]) -> Result<Bdd, Exhausted> {
        let mut result = Bdd::TRUE;
        for &(variable, value) in product.iter().rev() {
            let v = self.variable(variable)?;
            let literal = if value { v } else { self.not(v)? };
            result = self.and(literal, result)?;
        }
        Ok(result)
    }

    /// A propositional function as an edge label; variable `i` is proposition `props[i]`.
    pub(super) fn guard_of(&mut self, f: Bdd, props: &[Prop]) -> Result<Guard, Exhausted> {
        let mut products = self.products(f)?;
        products.sort_unstable();
        let cubes = products.iter().filter_map(|p| {
            let literal = |&(v, positive): &(Variable, bool)| Some(Literal { prop: *props.get(v as usize)?, positive });
            Cube::new(p.iter().filter_map(literal))
        });
        Ok(Guard::from_cubes(cubes.collect::<Vec<_>>()))
    }

    #[cfg(test)]
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
        let products = b.products(f).unwrap();
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

    #[test]
    fn extra_variables_and_budget() {
        let mut b = Bdds::new(1, &Budget::unlimited()).unwrap();
        let p = b.variable(0).unwrap();
        let x = b.variable(b.extra(0)).unwrap();
        let both = b.and(p, x).unwrap();
        assert_eq!(b.products(both).unwrap(), [vec![(0, true), (1, true)]]);
        let spent = Budget::unlimited().with_time(std::time::Duration::ZERO);
        assert!(Bdds::new(1, &spent).is_err());
    }
}

//! Sets whose tuples have *parameters*: components that stay the same, wherever they lie between the others.
//!
//! The *section* of a set for some values of the parameters are its members with these values. What is done to all
//! sections at once: their shadow (all tuples whose section has a member), a member of each, and how many members they
//! have. The last is a function of the parameters, a diagram with numbers as leaves: at a level of a parameter it has a
//! child for each value, and at any other the children are added. So no order of the levels is asked for, and sections
//! are never listed.
//!
//! Source of the numbers: Bahar et al., *Algebraic decision diagrams and their applications*, ICCAD 1993.

use super::node::EdgeRef;
use super::session::{Held, Session};
use super::set::Mdd;
use super::terminal::is_empty;
use crate::budget::{Budget, Exhausted};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which components are parameters, and which values each component has: of numbers that may be any, few occur.
#[derive(Clone, Debug)]
pub(crate) struct Sections {
    parameters: Vec<bool>,
    /// Of each component, in ascending order.
    values: Arc<[Vec<u32>]>,
    /// Operator numbers for shadows and choices.
    base: u32,
}

impl Sections {
    /// Sections of sets beside this one, whose components have these values, in ascending order ([`Mdd::values`]).
    ///
    /// # Errors
    /// When the budget is used up.
    pub(crate) fn new(
        parameters: Vec<bool>,
        values: Arc<[Vec<u32>]>,
        beside: &Mdd,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let base = beside.with_session(budget, |session, _| session.reserve_operators(2))?;
        Ok(Sections { parameters, values, base })
    }

    /// The values of each component.
    pub(crate) fn values(&self) -> &Arc<[Vec<u32>]> {
        &self.values
    }

    /// All tuples whose section has a member.
    pub(crate) fn shadow(&self, set: &Mdd, budget: &Budget) -> Result<Mdd, Exhausted> {
        set.run(budget, |session, root| self.shadow_of(session, 0, root))
    }

    /// A member of each section that has one.
    pub(crate) fn one_each(&self, set: &Mdd, budget: &Budget) -> Result<Mdd, Exhausted> {
        set.run(budget, |session, root| self.choice(session, 0, root))
    }

    /// All tuples that have this value as a component.
    pub(crate) fn slice(&self, beside: &Mdd, level: u32, value: u32, budget: &Budget) -> Result<Mdd, Exhausted> {
        beside.run(budget, |session, _| {
            let mut below = session.unit();
            for (above, values) in (0..session.levels()).zip(&self.values[..]).rev() {
                let mut list = session.list();
                let kept = values.iter().filter(|&&one| above != level || one == value);
                kept.for_each(|&one| list.push(one, below.clone()));
                below = session.node(above, list)?;
            }
            Ok(below)
        })
    }

    fn shadow_of<'m, 'id>(
        &self,
        session: &Session<'m, 'id>,
        level: u32,
        node: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, Exhausted> {
        if level == session.levels() || is_empty(node) {
            return Ok(session.hold(node));
        }
        if let Some(known) = session.cached(self.base, [node; 3]) {
            return Ok(known);
        }
        session.tick()?;
        let mut list = session.list();
        if self.parameters[level as usize] {
            for (value, child) in session.pairs(node) {
                list.push(value, self.shadow_of(session, level + 1, child)?);
            }
        } else {
            let mut all = session.empty();
            for (_, child) in session.pairs(node) {
                let below = self.shadow_of(session, level + 1, child)?;
                all = session.union(level + 1, all.edge(), below.edge())?;
            }
            self.values[level as usize].iter().for_each(|&value| list.push(value, all.clone()));
        }
        let result = session.node(level, list)?;
        session.remember(self.base, [node; 3], &result);
        Ok(result)
    }

    fn choice<'m, 'id>(
        &self,
        session: &Session<'m, 'id>,
        level: u32,
        node: EdgeRef<'_, 'id>,
    ) -> Result<Held<'m, 'id>, Exhausted> {
        if level == session.levels() || is_empty(node) {
            return Ok(session.hold(node));
        }
        if let Some(known) = session.cached(self.base + 1, [node; 3]) {
            return Ok(known);
        }
        session.tick()?;
        let mut list = session.list();
        let mut done = session.empty();
        for (value, child) in session.pairs(node) {
            if self.parameters[level as usize] {
                list.push(value, self.choice(session, level + 1, child)?);
                continue;
            }
            let rest = session.difference(level + 1, child, done.edge())?;
            list.push(value, self.choice(session, level + 1, rest.edge())?);
            let shadow = self.shadow_of(session, level + 1, rest.edge())?;
            done = session.union(level + 1, done.edge(), shadow.edge())?;
        }
        let result = session.node(level, list)?;
        session.remember(self.base + 1, [node; 3], &result);
        Ok(result)
    }

    /// By a number above 0, how many sections have so many members.
    pub(crate) fn numbers(&self, set: &Mdd, budget: &Budget) -> Result<BTreeMap<BigUint, BigUint>, Exhausted> {
        set.with_session(budget, |session, root| {
            let mut numbers = Numbers { sections: self, session, nodes: Vec::new(), of: FxHashMap::default() };
            let (mut known, mut sums) = (FxHashMap::default(), FxHashMap::default());
            let root = numbers.count(0, root, &mut known, &mut sums)?;
            Ok(numbers.leaves(root))
        })
    }
}

/// A number of each section: a leaf, or a level of a parameter with a child for each of its values, in their order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Number {
    Leaf(BigUint),
    Branch(u32, Box<[u32]>),
}

/// Numbers under construction, children before their parents.
struct Numbers<'s, 'm, 'id> {
    sections: &'s Sections,
    session: &'s Session<'m, 'id>,
    nodes: Vec<Number>,
    of: FxHashMap<Number, u32>,
}

impl<'m, 'id> Numbers<'_, 'm, 'id> {
    fn add(&mut self, number: Number) -> u32 {
        if let Some(&known) = self.of.get(&number) {
            return known;
        }
        let place = self.nodes.len() as u32;
        self.nodes.push(number.clone());
        self.of.insert(number, place);
        place
    }

    fn branch(&mut self, level: u32, children: Vec<u32>) -> u32 {
        match children.iter().all(|child| *child == children[0]) {
            true => children[0],
            false => self.add(Number::Branch(level, children.into())),
        }
    }

    /// How many members the sections of a node have.
    fn count<'a>(
        &mut self,
        level: u32,
        node: EdgeRef<'a, 'id>,
        known: &mut FxHashMap<EdgeRef<'a, 'id>, u32>,
        sums: &mut FxHashMap<(u32, u32), u32>,
    ) -> Result<u32, Exhausted>
    where
        'm: 'a,
    {
        if is_empty(node) {
            return Ok(self.add(Number::Leaf(BigUint::ZERO)));
        }
        if level == self.session.levels() {
            return Ok(self.add(Number::Leaf(BigUint::from(1u32))));
        }
        if let Some(&known) = known.get(&node) {
            return Ok(known);
        }
        self.session.tick_reading()?;
        let none = self.add(Number::Leaf(BigUint::ZERO));
        let result = if self.sections.parameters[level as usize] {
            // Both are in ascending order.
            let mut pairs = self.session.pairs(node).peekable();
            let mut children = Vec::new();
            for &value in &self.sections.values[level as usize] {
                children.push(match pairs.next_if(|&(here, _)| here == value) {
                    Some((_, child)) => self.count(level + 1, child, known, sums)?,
                    None => none,
                });
            }
            self.branch(level, children)
        } else {
            let mut sum = none;
            for (_, child) in self.session.pairs(node) {
                let below = self.count(level + 1, child, known, sums)?;
                sum = self.sum(sum, below, sums)?;
            }
            sum
        };
        known.insert(node, result);
        Ok(result)
    }

    fn sum(&mut self, a: u32, b: u32, sums: &mut FxHashMap<(u32, u32), u32>) -> Result<u32, Exhausted> {
        let key = (a.min(b), a.max(b));
        if let Some(&known) = sums.get(&key) {
            return Ok(known);
        }
        self.session.tick_reading()?;
        let level = |number: &Number| if let Number::Branch(level, _) = number { *level } else { u32::MAX };
        let result = match (&self.nodes[a as usize], &self.nodes[b as usize]) {
            (Number::Leaf(a), Number::Leaf(b)) => {
                let sum = a + b;
                self.add(Number::Leaf(sum))
            }
            (one, other) => {
                let top = level(one).min(level(other));
                let child = |number: &Number, whole: u32, at: usize| match number {
                    Number::Branch(level, children) if *level == top => children[at],
                    _ => whole,
                };
                let values = self.sections.values[top as usize].len();
                let pairs = (0..values).map(|at| (child(one, a, at), child(other, b, at)));
                let pairs: Vec<(u32, u32)> = pairs.collect();
                let children: Result<Vec<u32>, _> = pairs.into_iter().map(|(a, b)| self.sum(a, b, sums)).collect();
                self.branch(top, children?)
            }
        };
        sums.insert(key, result);
        Ok(result)
    }

    /// For each number above 0, how many sections have it.
    fn leaves(&self, root: u32) -> BTreeMap<BigUint, BigUint> {
        let Sections { parameters, values, .. } = self.sections;
        let between = |from: u32, to: u32| -> BigUint {
            let free = (from..to).map(|level| level as usize).filter(|&level| parameters[level]);
            free.map(|level| BigUint::from(values[level].len())).product()
        };
        let levels = values.len() as u32;
        let level = |number: u32| match &self.nodes[number as usize] {
            Number::Leaf(_) => levels,
            Number::Branch(level, _) => *level,
        };
        let mut sections = vec![BigUint::ZERO; self.nodes.len()];
        sections[root as usize] = between(0, level(root));
        let mut leaves = BTreeMap::new();
        for number in (0..self.nodes.len() as u32).rev() {
            let here = std::mem::take(&mut sections[number as usize]);
            match &self.nodes[number as usize] {
                _ if here == BigUint::ZERO => {}
                Number::Leaf(value) if *value > BigUint::ZERO => *leaves.entry(value.clone()).or_default() += here,
                Number::Leaf(_) => {}
                Number::Branch(own, children) => {
                    for &child in children {
                        sections[child as usize] += &here * between(own + 1, level(child));
                    }
                }
            }
        }
        leaves
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::mdd::MddManager;
    use crate::rng::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn sections_are_those_of_lists() {
        // Some are far apart, as codes of integers are.
        let values: Arc<[Vec<u32>]> =
            [vec![0, 1], vec![0, 1, 2], vec![7, u32::MAX], vec![1 << 31, u32::MAX - 1], vec![0, 3, 1 << 31]].into();
        let budget = Budget::unlimited();
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let parameters: Vec<bool> = (0..5).map(|_| rng.below(2) == 0).collect();
            let space = MddManager::new(5, &budget).unwrap();
            let (mut set, mut members) = (space.empty(), Vec::new());
            for _ in 0..rng.below(20) {
                let tuple: Vec<u32> = values.iter().map(|own| own[rng.below(own.len())]).collect();
                set = set.union(&space.tuple(&tuple, &budget).unwrap(), &budget).unwrap();
                members.push(tuple);
            }
            members.sort();
            members.dedup();
            let sections = Sections::new(parameters.clone(), Arc::clone(&values), &set, &budget).unwrap();
            let section = |tuple: &[u32]| -> Vec<u32> { (0..5).filter(|&l| parameters[l]).map(|l| tuple[l]).collect() };
            let mut sizes_of: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
            members.iter().for_each(|tuple| *sizes_of.entry(section(tuple)).or_default() += 1);
            let mut numbers: BTreeMap<BigUint, BigUint> = BTreeMap::new();
            sizes_of.values().for_each(|&size| *numbers.entry(size.into()).or_default() += 1u32);
            assert_eq!(sections.numbers(&set, &budget).unwrap(), numbers, "seed {seed}");
            let one: Vec<Vec<u32>> = sections.one_each(&set, &budget).unwrap().members().collect();
            assert!(one.iter().all(|tuple| members.contains(tuple)), "seed {seed}");
            let chosen: BTreeMap<Vec<u32>, u32> = one.iter().map(|tuple| (section(tuple), 1)).collect();
            assert_eq!((one.len(), chosen.len()), (sizes_of.len(), sizes_of.len()), "seed {seed}");
            let shadow = sections.shadow(&set, &budget).unwrap();
            let free: usize = (0..5).filter(|&level| !parameters[level]).map(|level| values[level].len()).product();
            assert_eq!(shadow.count(&budget).unwrap(), (sizes_of.len() * free).into(), "seed {seed}");
            assert!(members.iter().all(|tuple| shadow.contains(tuple)), "seed {seed}");
            for (level, occur) in set.values().into_iter().enumerate() {
                let known: BTreeSet<u32> = members.iter().map(|tuple| tuple[level]).collect();
                assert_eq!(occur, known.into_iter().collect::<Vec<u32>>(), "seed {seed}");
            }
        }
    }
}

//! Products of two automata under construction: which pairs of states have a word in common.
//!
//! The emptiness check of [`emptiness`](super::emptiness) on BDD labels and without a witness: the passes that
//! verify a guess against the automaton of the negated formula call it very often. The product is bounded: a
//! caller that runs out of fuel learns nothing and must not use the guess.

use super::bdd::Bdds;
use super::graph::Graph;
use crate::budget::Exhausted;
use crate::scc;
use rustc_hash::FxHashMap;

/// The part of a product that is reachable from some pairs.
pub(super) struct Product {
    /// Whether the languages from each pair intersect. Pairs are numbered; the roots come first.
    pub(super) common: Vec<bool>,
    /// The successors of each pair, with their marks.
    edges: Vec<Vec<(usize, u128)>>,
}

impl Product {
    /// The product from `roots`; `None` when it needs more than `fuel` pairs of edges.
    pub(super) fn new(
        a: &Graph,
        b: &Graph,
        roots: impl IntoIterator<Item = (usize, usize)>,
        bdds: &mut Bdds,
        fuel: &mut u64,
    ) -> Result<Option<Product>, Exhausted> {
        let mut pairs: Vec<(usize, usize)> = roots.into_iter().collect();
        let count = pairs.len();
        let mut number: FxHashMap<(usize, usize), usize> = pairs.iter().copied().zip(0..).collect();
        let mut edges: Vec<Vec<(usize, u128)>> = Vec::new();
        while let Some(&(p, q)) = pairs.get(edges.len()) {
            match fuel.checked_sub(1 + (a.arcs[p].len() * b.arcs[q].len()) as u64) {
                Some(left) => *fuel = left,
                None => {
                    *fuel = 0;
                    return Ok(None);
                }
            }
            let mut list = Vec::new();
            for x in &a.arcs[p] {
                for y in &b.arcs[q] {
                    if !bdds.meets(x.label, y.label)? {
                        continue;
                    }
                    let target = *number.entry((x.target, y.target)).or_insert_with(|| {
                        pairs.push((x.target, y.target));
                        pairs.len() - 1
                    });
                    list.push((target, u128::from(x.marks.0) | u128::from(y.marks.0) << 64));
                }
            }
            edges.push(list);
        }
        bdds.budget().check()?;
        let all = u128::from(a.all().0) | u128::from(b.all().0) << 64;
        let common = accepting(&edges, count, all);
        Ok(Some(Product { common, edges }))
    }

    /// Which pairs can be reached from the pair of that number.
    pub(super) fn reachable(&self, from: usize) -> Vec<bool> {
        let mut reached = vec![false; self.edges.len()];
        let mut stack = vec![from];
        reached[from] = true;
        while let Some(v) = stack.pop() {
            for &(target, _) in &self.edges[v] {
                if !std::mem::replace(&mut reached[target], true) {
                    stack.push(target);
                }
            }
        }
        reached
    }
}

/// From which vertices of a graph a path goes through edges of all sets for ever; `roots` vertices come first
/// and reach all others.
pub(super) fn accepting(edges: &[Vec<(usize, u128)>], roots: usize, all: u128) -> Vec<bool> {
    let found = scc::components(edges.len(), 0..roots, |v| edges[v].iter().map(|e| e.0));
    let mut seen: Vec<Option<u128>> = vec![None; found.count];
    for (v, list) in edges.iter().enumerate() {
        for &(_, marks) in list.iter().filter(|e| found.of[e.0] == found.of[v]) {
            *seen[found.of[v] as usize].get_or_insert(0) |= marks;
        }
    }
    let mut good: Vec<bool> = seen.iter().map(|s| *s == Some(all)).collect();
    let mut by_component: Vec<(u32, usize)> = found.of.iter().copied().zip(0..).collect();
    // Components are numbered from the bottom up.
    by_component.sort_unstable();
    for &(c, v) in &by_component {
        good[c as usize] = good[c as usize] || edges[v].iter().any(|e| good[found.of[e.0] as usize]);
    }
    found.of.iter().map(|&c| good[c as usize]).collect()
}

/// Whether the languages are disjoint; `None` when the product needs more than `fuel` pairs of edges.
pub(super) fn disjoint(a: &Graph, b: &Graph, bdds: &mut Bdds, fuel: &mut u64) -> Result<Option<bool>, Exhausted> {
    let product = Product::new(a, b, [(a.initial, b.initial)], bdds, fuel)?;
    Ok(product.map(|p| !p.common[0]))
}

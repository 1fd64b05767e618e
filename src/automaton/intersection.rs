//! Whether two automata under construction have a word in common.
//!
//! The emptiness check of [`emptiness`](super::emptiness) on BDD labels and without a witness: the passes that
//! verify a guess against the automaton of the negated formula call it very often. The product is bounded: a
//! caller that runs out of fuel learns nothing and must not use the guess.

use super::bdd::Bdds;
use super::graph::Graph;
use super::scc;
use crate::budget::Exhausted;
use rustc_hash::FxHashMap;

/// Whether the languages are disjoint; `None` when the product needs more than `fuel` edges.
pub(super) fn disjoint(a: &Graph, b: &Graph, bdds: &mut Bdds, fuel: &mut u64) -> Result<Option<bool>, Exhausted> {
    let mut number: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let mut vertices = vec![(a.initial, b.initial)];
    number.insert((a.initial, b.initial), 0);
    let mut edges: Vec<Vec<(usize, u128)>> = Vec::new();
    while let Some(&(p, q)) = vertices.get(edges.len()) {
        let mut list = Vec::new();
        for x in &a.arcs[p] {
            for y in &b.arcs[q] {
                if !bdds.meets(x.label, y.label)? {
                    continue;
                }
                let target = *number.entry((x.target, y.target)).or_insert_with(|| {
                    vertices.push((x.target, y.target));
                    vertices.len() - 1
                });
                list.push((target, u128::from(x.marks.0) | u128::from(y.marks.0) << 64));
            }
        }
        match fuel.checked_sub(1 + (a.arcs[p].len() * b.arcs[q].len()) as u64) {
            Some(left) => *fuel = left,
            None => {
                *fuel = 0;
                return Ok(None);
            }
        }
        edges.push(list);
    }
    bdds.budget().check()?;
    let all = u128::from(a.all().0) | u128::from(b.all().0) << 64;
    let found = scc::components(edges.len(), [0], |v| edges[v].iter().map(|e| e.0));
    let mut seen: Vec<Option<u128>> = vec![None; found.count];
    for (v, list) in edges.iter().enumerate() {
        for &(target, marks) in list {
            if found.of[target] == found.of[v] {
                *seen[found.of[v] as usize].get_or_insert(0) |= marks;
            }
        }
    }
    Ok(Some(!seen.contains(&Some(all))))
}

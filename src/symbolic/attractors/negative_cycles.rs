//! Levels that cut all negative cycles of the influences between them.
//!
//! A cycle is negative if an odd number of its influences are. In a strongly connected graph there is none if and only
//! if the levels fall into two parts such that influences within a part are positive and those between them negative.
//! As long as some component is not like this, its level with most influences in it, to and fro, is left out; one with
//! a negative influence on itself before all others. In the end each level that is not needed for that comes back.
//!
//! Source of the characterisation: Harary, *On the notion of balance of a signed graph*, 1953.

use crate::relation::Influence;
use crate::scc::components;

/// Of each level the levels that it has an effect on, with the effect.
struct Graph<'i> {
    out: Vec<Vec<&'i Influence>>,
    /// Levels that are left out.
    without: Vec<bool>,
}

/// Levels without which these influences have no negative cycle, of so many levels; true for each of them.
pub(super) fn cut(levels: usize, influences: &[Influence]) -> Vec<bool> {
    let mut graph = Graph { out: vec![Vec::new(); levels], without: vec![false; levels] };
    influences.iter().for_each(|one| graph.out[one.from as usize].push(one));
    let mut chosen = Vec::new();
    loop {
        let unbalanced = graph.unbalanced();
        if unbalanced.is_empty() {
            break;
        }
        for component in unbalanced {
            let level = graph.busiest(&component);
            graph.without[level] = true;
            chosen.push(level);
        }
    }
    for level in chosen {
        graph.without[level] = false;
        graph.without[level] = !graph.unbalanced().is_empty();
    }
    graph.without
}

impl Graph<'_> {
    /// The components that have a negative cycle.
    fn unbalanced(&self) -> Vec<Vec<usize>> {
        let all = (0..self.out.len()).filter(|&level| !self.without[level]);
        let next = |level: usize| {
            let targets = self.out[level].iter().map(|one| one.to as usize);
            targets.filter(|&to| !self.without[to])
        };
        let found = components(self.out.len(), all.clone(), next);
        let mut members = vec![Vec::new(); found.count];
        all.for_each(|level| members[found.of[level] as usize].push(level));
        members.retain(|component| !self.is_balanced(component, &found.of));
        members
    }

    /// Has a strongly connected component no negative cycle?
    fn is_balanced(&self, component: &[usize], of: &[u32]) -> bool {
        let mut part: Vec<Option<bool>> = vec![None; self.out.len()];
        part[component[0]] = Some(false);
        let mut open = vec![component[0]];
        while let Some(level) = open.pop() {
            let own = part[level] == Some(true);
            for one in self.inside(level, of) {
                let other = Some(own != one.falls);
                let known = &mut part[one.to as usize];
                if (one.rises && one.falls) || (known.is_some() && *known != other) {
                    return false;
                }
                if known.is_none() {
                    *known = other;
                    open.push(one.to as usize);
                }
            }
        }
        true
    }

    /// The influences of a level within its component.
    fn inside<'a>(&'a self, level: usize, of: &'a [u32]) -> impl Iterator<Item = &'a Influence> {
        let same = move |one: &&Influence| of[one.to as usize] == of[level] && !self.without[one.to as usize];
        self.out[level].iter().copied().filter(same)
    }

    /// The level that is left out first of a component.
    fn busiest(&self, component: &[usize]) -> usize {
        let mut of = vec![1; self.out.len()];
        component.iter().for_each(|&level| of[level] = 0);
        let (mut inward, mut outward) = (vec![0u32; self.out.len()], vec![0u32; self.out.len()]);
        let mut on_itself = vec![false; self.out.len()];
        for &level in component {
            for one in self.inside(level, &of) {
                inward[one.to as usize] += 1;
                outward[level] += 1;
                on_itself[level] |= one.to as usize == level && one.falls;
            }
        }
        let rank = |&&level: &&usize| (on_itself[level], inward[level] * outward[level], std::cmp::Reverse(level));
        component.iter().max_by_key(rank).copied().unwrap_or(component[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Is there a negative cycle? By the pairs of a level and a sign that are reached from each level.
    fn has_negative_cycle(levels: usize, influences: &[Influence], without: &[bool]) -> bool {
        (0..levels).filter(|&level| !without[level]).any(|start| {
            let mut seen = vec![[false; 2]; levels];
            let mut open = vec![(start, false)];
            while let Some((level, negative)) = open.pop() {
                for one in influences.iter().filter(|one| one.from as usize == level && !without[one.to as usize]) {
                    for (is, sign) in [(one.rises, negative), (one.falls, !negative)] {
                        if is && !std::mem::replace(&mut seen[one.to as usize][usize::from(sign)], true) {
                            open.push((one.to as usize, sign));
                        }
                    }
                }
            }
            seen[start][1]
        })
    }

    /// A closed walk of odd sign has a cycle of odd sign, so that walks tell.
    #[test]
    fn nothing_negative_is_left_and_each_level_is_needed() {
        let mut sizes = std::collections::BTreeSet::new();
        for seed in 0..500 {
            let mut rng = Rng::new(seed);
            let levels = 1 + rng.below(7);
            let mut influences = Vec::new();
            for (from, to) in (0..levels).flat_map(|from| (0..levels).map(move |to| (from as u32, to as u32))) {
                if rng.below(3) == 0 {
                    let sign = rng.below(5);
                    influences.push(Influence { from, to, rises: sign > 1, falls: sign <= 1 || sign == 4 });
                }
            }
            let mut without = cut(levels, &influences);
            assert!(!has_negative_cycle(levels, &influences, &without), "seed {seed}");
            let chosen: Vec<usize> = (0..levels).filter(|&level| without[level]).collect();
            for &level in &chosen {
                without[level] = false;
                assert!(has_negative_cycle(levels, &influences, &without), "seed {seed}: {level}");
                without[level] = true;
            }
            sizes.insert(chosen.len());
        }
        assert!(sizes.len() > 3, "{sizes:?}");
    }
}

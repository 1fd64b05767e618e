//! The place graph (two places are adjacent where a transition touches both) and the searches on it that the
//! bandwidth-reducing heuristics share: level structures and pseudo-peripheral vertices.
//!
//! A transition that touches very many places would add a clique of quadratic size; beyond
//! [`CLIQUE`] places it adds a cycle through them instead, which keeps them together at linear cost.
//!
//! Pseudo-peripheral vertices: George and Liu 1979, "An implementation of a pseudoperipheral node finder".

use super::lists::Lists;

/// Transitions with up to this many places become cliques.
const CLIQUE: usize = 40;

/// An undirected graph without loops and parallel edges.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    neighbours: Lists,
}

/// The vertices within reach of a root by distance.
#[derive(Debug, Clone)]
pub(super) struct Levels {
    /// Vertices in order of distance.
    pub(super) order: Vec<u32>,
    /// The end of each level in `order`.
    pub(super) ends: Vec<usize>,
}

impl Levels {
    pub(super) fn depth(&self) -> usize {
        self.ends.len()
    }
    pub(super) fn width(&self) -> usize {
        let mut start = 0;
        let widths = self.ends.iter().map(|&end| end - std::mem::replace(&mut start, end));
        widths.max().unwrap_or(0)
    }
    pub(super) fn last(&self) -> &[u32] {
        let start = if self.ends.len() > 1 { self.ends[self.ends.len() - 2] } else { 0 };
        &self.order[start..]
    }
}

impl Graph {
    /// The graph in which the members of each set are adjacent.
    pub(super) fn new(vertices: usize, sets: &Lists) -> Self {
        let mut degree = vec![0u32; vertices];
        let each_edge = |edge: &mut dyn FnMut(u32, u32)| {
            for set in sets.iter() {
                if set.len() <= CLIQUE {
                    for (i, &a) in set.iter().enumerate() {
                        set[..i].iter().for_each(|&b| edge(a, b));
                    }
                } else {
                    set.windows(2).for_each(|w| edge(w[0], w[1]));
                    edge(set[0], set[set.len() - 1]);
                }
            }
        };
        each_edge(&mut |a, b| {
            degree[a as usize] += 1;
            degree[b as usize] += 1;
        });
        let mut starts = Vec::with_capacity(vertices + 1);
        let mut sum = 0usize;
        for &d in &degree {
            starts.push(sum);
            sum += d as usize;
        }
        let mut items = vec![0u32; sum];
        let mut next = starts.clone();
        each_edge(&mut |a, b| {
            items[next[a as usize]] = b;
            next[a as usize] += 1;
            items[next[b as usize]] = a;
            next[b as usize] += 1;
        });
        let mut neighbours = Lists::with_capacity(vertices, sum);
        let mut unique = Vec::new();
        for v in 0..vertices {
            unique.clear();
            unique.extend_from_slice(&items[starts[v]..next[v]]);
            unique.sort_unstable();
            unique.dedup();
            neighbours.push(&unique);
        }
        Graph { neighbours }
    }

    pub(super) fn len(&self) -> usize {
        self.neighbours.len()
    }

    pub(super) fn neighbours(&self, v: u32) -> &[u32] {
        self.neighbours.get(v as usize)
    }

    pub(super) fn degree(&self, v: u32) -> usize {
        self.neighbours(v).len()
    }

    /// The level structure rooted at `root`. `seen` must not hold `stamp`; it does afterwards for all
    /// vertices in reach.
    pub(super) fn levels(&self, root: u32, seen: &mut [u32], stamp: u32) -> Levels {
        let mut order = vec![root];
        let mut ends = Vec::new();
        seen[root as usize] = stamp;
        let mut start = 0;
        while start < order.len() {
            let end = order.len();
            ends.push(end);
            for i in start..end {
                for &w in self.neighbours(order[i]) {
                    if seen[w as usize] != stamp {
                        seen[w as usize] = stamp;
                        order.push(w);
                    }
                }
            }
            start = end;
        }
        Levels { order, ends }
    }

    /// Two far ends of the component of `vertex`, with the level structure of the first.
    pub(super) fn pseudo_diameter(&self, vertex: u32, seen: &mut [u32], stamp: &mut u32) -> (u32, u32, Levels) {
        let mut search = |root| {
            *stamp += 1;
            self.levels(root, seen, *stamp)
        };
        let mut start = vertex;
        let mut levels = search(start);
        // Start from a vertex of least degree, as Sloan proposes, when the component is small enough to care.
        if let Some(&v) = levels.order.iter().min_by_key(|&&v| (self.degree(v), v))
            && v != start
        {
            start = v;
            levels = search(start);
        }
        let mut end = start;
        for _ in 0..8 {
            let mut candidates = levels.last().to_vec();
            candidates.sort_unstable_by_key(|&v| (self.degree(v), v));
            candidates.dedup_by_key(|v| self.degree(*v));
            candidates.truncate(5);
            let (mut narrowest, mut deeper) = (usize::MAX, None);
            for v in candidates {
                let from_v = search(v);
                if from_v.depth() > levels.depth() {
                    deeper = Some((v, from_v));
                    break;
                }
                if from_v.width() < narrowest {
                    narrowest = from_v.width();
                    end = v;
                }
            }
            match deeper {
                Some((v, from_v)) => (start, levels) = (v, from_v),
                None => break,
            }
        }
        (start, end, levels)
    }

    /// Apply `arrange` to one vertex of each component, in order of the smallest vertex, and concatenate
    /// what it yields (the vertices of that component).
    pub(super) fn by_component(&self, mut arrange: impl FnMut(u32) -> Vec<u32>) -> Vec<u32> {
        let mut placed = vec![false; self.len()];
        let mut order = Vec::with_capacity(self.len());
        for v in 0..self.len() as u32 {
            if placed[v as usize] {
                continue;
            }
            for w in arrange(v) {
                placed[w as usize] = true;
                order.push(w);
            }
        }
        order
    }
}

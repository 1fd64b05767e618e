//! Strongly connected components of a graph given by successor lists (Tarjan 1972), without recursion.
//!
//! Components are numbered in the order in which Tarjan's algorithm closes them, which is a *reverse
//! topological* order: an edge never leads to a component with a higher number than its source's. Clients that
//! need results of successors first walk the numbers upwards. Linear in the number of edges.

/// The components of a graph.
pub(crate) struct Components {
    /// Component number of each vertex; `u32::MAX` for vertices not reached from the roots.
    pub(crate) of: Vec<u32>,
    /// How many components there are.
    pub(crate) count: usize,
}

/// Marks a vertex that the search has not reached.
pub(crate) const UNREACHED: u32 = u32::MAX;

/// The components of the part of the graph that is reachable from `roots`. `successors(v)` lists the targets
/// of `v`; it is called once per vertex, its iterator is advanced lazily.
pub(crate) fn components<I: Iterator<Item = usize>>(
    vertices: usize,
    roots: impl IntoIterator<Item = usize>,
    mut successors: impl FnMut(usize) -> I,
) -> Components {
    let mut index = vec![UNREACHED; vertices];
    let mut low = vec![0u32; vertices];
    let mut of = vec![UNREACHED; vertices];
    let mut count = 0u32;
    let mut next = 0u32;
    let mut open: Vec<usize> = Vec::new();
    let mut path: Vec<(usize, I)> = Vec::new();
    for root in roots {
        if index[root] != UNREACHED {
            continue;
        }
        index[root] = next;
        low[root] = next;
        next += 1;
        open.push(root);
        path.push((root, successors(root)));
        while let Some((v, iter)) = path.last_mut() {
            let v = *v;
            if let Some(w) = iter.next() {
                if index[w] == UNREACHED {
                    index[w] = next;
                    low[w] = next;
                    next += 1;
                    open.push(w);
                    path.push((w, successors(w)));
                } else if of[w] == UNREACHED {
                    low[v] = low[v].min(index[w]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[v]);
            }
            if low[v] == index[v] {
                while let Some(w) = open.pop() {
                    of[w] = count;
                    if w == v {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    Components { of, count: count as usize }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn components_are_mutual_reachability(edges in proptest::collection::vec((0usize..7, 0usize..7), 0..20)) {
            let found = components(7, 0..7, |v| {
                edges.iter().filter(move |e| e.0 == v).map(|e| e.1).collect::<Vec<_>>().into_iter()
            });
            let mut reach = [[false; 7]; 7];
            (0..7).for_each(|v| reach[v][v] = true);
            for _ in 0..7 {
                for &(a, b) in &edges {
                    for row in &mut reach {
                        row[b] |= row[a];
                    }
                }
            }
            for (a, row) in reach.iter().enumerate() {
                for (b, &to) in row.iter().enumerate() {
                    prop_assert_eq!(found.of[a] == found.of[b], to && reach[b][a]);
                }
            }
            for &(a, b) in &edges {
                prop_assert!(found.of[a] >= found.of[b]);
            }
        }
    }
}

//! Layered drawing of a directed graph.
//!
//! **Problem.** Draw a graph so that most edges point downwards, cross rarely and are short.
//!
//! **Idea.** Four steps. (1) A depth-first search from the roots marks the edges that close a cycle; those are
//! reversed for the layout. (2) Every vertex gets the layer that is its longest distance from a source. (3) Edges
//! over several layers get a bend in each layer between, and the order in each layer is improved by sweeps down
//! and up that sort by the mean position of the neighbours. (4) Coordinates are moved towards the mean of the
//! neighbours, keeping the order and the distances.
//!
//! **Invariant.** No two vertices of a layer are closer than one unit. The same graph gives the same drawing.
//!
//! **Complexity.** A constant number of sweeps, each linear in edges and bends but for the sorting. Bends are left
//! out, and long edges straight, when there would be more than [`MAX_BENDS`].
//!
//! Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures", IEEE
//! Transactions on Systems, Man, and Cybernetics 11, 1981.

use std::collections::VecDeque;

/// Bends of all edges together, above which long edges are drawn straight.
const MAX_BENDS: usize = 20_000;
/// Sweeps that order the layers, and as many that place them.
const SWEEPS: usize = 12;

/// Units that a drawing may be wide without being broken into rows, and how wide it may be for its height then.
const FITS: f64 = 16.0;
const WIDE: f64 = 1.6;

/// A point: units to the right, and layers down.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Positions of the vertices, and routes of the edges.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Layout {
    /// Of each vertex.
    pub(super) points: Vec<Point>,
    /// Of each edge: from its source to its target, both included.
    pub(super) routes: Vec<Vec<Point>>,
}

impl Layout {
    /// A drawing that is much wider than high, broken into rows as text is. `step` is the size of a unit in both directions.
    pub(super) fn wrapped(mut self, step: (f64, f64)) -> Self {
        let all = || self.points.iter().chain(self.routes.iter().flatten());
        let width = all().map(|p| p.x).fold(0.0, f64::max) + 1.0;
        let height = all().map(|p| p.y).fold(0.0, f64::max) + 1.0;
        let rows = (width * step.0 / (WIDE * (height + 1.0) * step.1)).sqrt().round();
        if width < FITS || rows < 2.0 {
            return self;
        }
        let row_width = (width / rows).ceil();
        for point in self.points.iter_mut().chain(self.routes.iter_mut().flatten()) {
            let row = (point.x / row_width).floor();
            point.x -= row * row_width;
            point.y += row * (height + 1.0);
        }
        self
    }
}

/// Lay out a graph with vertices `0..vertices`; edges name two of them each. What the roots reach first is above.
pub(super) fn layered(vertices: usize, edges: &[(usize, usize)], roots: &[usize]) -> Layout {
    let reversed = closing(vertices, edges, roots);
    let down: Vec<(usize, usize)> =
        edges.iter().zip(&reversed).map(|(&(a, b), &turn)| if turn { (b, a) } else { (a, b) }).collect();
    let mut layer = longest(vertices, &down);
    let bends: usize = down.iter().map(|&(a, b)| layer[b].saturating_sub(layer[a] + 1)).sum();
    let bend = bends <= MAX_BENDS;
    let mut chains: Vec<Vec<usize>> = Vec::with_capacity(down.len());
    for &(a, b) in &down {
        let mut chain = vec![a];
        if bend {
            for between in layer[a] + 1..layer[b] {
                chain.push(layer.len());
                layer.push(between);
            }
        }
        chain.push(b);
        chains.push(chain);
    }
    let x = place(&layer, &chains);
    let at = |v: usize| Point { x: x[v], y: layer[v] as f64 };
    let routes = chains.iter().zip(&reversed).map(|(chain, &turn)| {
        let points = chain.iter().map(|&v| at(v));
        if turn { points.rev().collect() } else { points.collect() }
    });
    Layout { routes: routes.collect(), points: (0..vertices).map(at).collect() }
}

/// The edges that lead back to a vertex on the stack of a depth-first search.
fn closing(vertices: usize, edges: &[(usize, usize)], roots: &[usize]) -> Vec<bool> {
    let mut out = vec![Vec::new(); vertices];
    for (number, &(a, _)) in edges.iter().enumerate() {
        out[a].push(number);
    }
    let mut reversed = vec![false; edges.len()];
    let (mut seen, mut open) = (vec![false; vertices], vec![false; vertices]);
    for root in roots.iter().copied().chain(0..vertices) {
        if seen[root] {
            continue;
        }
        (seen[root], open[root]) = (true, true);
        let mut stack = vec![(root, 0)];
        while let Some((vertex, next)) = stack.last_mut() {
            let vertex = *vertex;
            let Some(&edge) = out[vertex].get(*next) else {
                open[vertex] = false;
                stack.pop();
                continue;
            };
            *next += 1;
            let target = edges[edge].1;
            if open[target] {
                reversed[edge] = true;
            } else if !seen[target] {
                (seen[target], open[target]) = (true, true);
                stack.push((target, 0));
            }
        }
    }
    reversed
}

/// The longest distance of each vertex from a source of a graph that has no cycles but loops.
fn longest(vertices: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut out = vec![Vec::new(); vertices];
    let mut missing = vec![0usize; vertices];
    for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
        out[a].push(b);
        missing[b] += 1;
    }
    let mut layer = vec![0; vertices];
    let mut ready: VecDeque<usize> = (0..vertices).filter(|&v| missing[v] == 0).collect();
    while let Some(vertex) = ready.pop_front() {
        for &target in &out[vertex] {
            layer[target] = layer[target].max(layer[vertex] + 1);
            missing[target] -= 1;
            if missing[target] == 0 {
                ready.push_back(target);
            }
        }
    }
    layer
}

/// Horizontal positions of vertices and bends.
fn place(layer: &[usize], chains: &[Vec<usize>]) -> Vec<f64> {
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)];
    for (vertex, &row) in layer.iter().enumerate() {
        rows[row].push(vertex);
    }
    let (mut above, mut below) = (vec![Vec::new(); layer.len()], vec![Vec::new(); layer.len()]);
    for (&a, &b) in chains.iter().flat_map(|chain| chain.iter().zip(chain.iter().skip(1))) {
        below[a].push(b);
        above[b].push(a);
    }
    let mut x = vec![0.0; layer.len()];
    for row in &rows {
        for (position, &vertex) in row.iter().enumerate() {
            x[vertex] = position as f64;
        }
    }
    let mean = |near: &[usize], x: &[f64]| match near.len() {
        0 => None,
        n => Some(near.iter().map(|&v| x[v]).sum::<f64>() / n as f64),
    };
    for sweep in 0..2 * SWEEPS {
        let near = if sweep % 2 == 0 { &above } else { &below };
        for step in 0..rows.len() {
            let row = if sweep % 2 == 0 { step } else { rows.len() - 1 - step };
            let mut wanted: Vec<(f64, usize)> =
                rows[row].iter().map(|&v| (mean(&near[v], &x).unwrap_or(x[v]), v)).collect();
            if sweep < SWEEPS {
                wanted.sort_by(|a, b| a.0.total_cmp(&b.0));
                rows[row] = wanted.iter().map(|&(_, v)| v).collect();
            }
            spread(&wanted, &mut x);
        }
    }
    let least = x.iter().copied().fold(f64::INFINITY, f64::min);
    x.iter().map(|x| x - least).collect()
}

/// Give the vertices of a row, in this order, positions near the wanted ones, at least one unit apart: the mean of
/// the leftmost and the rightmost arrangement that never moves one beyond what is needed.
pub(super) fn spread(wanted: &[(f64, usize)], x: &mut [f64]) {
    let mut right = Vec::with_capacity(wanted.len());
    let mut least = f64::NEG_INFINITY;
    for &(want, _) in wanted {
        let at = want.max(least);
        right.push(at);
        least = at + 1.0;
    }
    let mut most = f64::INFINITY;
    for (&(want, vertex), at) in wanted.iter().zip(right).rev() {
        let left = want.min(most);
        most = left - 1.0;
        x[vertex] = f64::midpoint(left, at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_goes_down_and_back() {
        let layout = layered(3, &[(0, 1), (1, 2), (2, 0)], &[1]);
        let y: Vec<f64> = layout.points.iter().map(|p| p.y).collect();
        assert_eq!(y, [2.0, 0.0, 1.0]);
        assert_eq!(layout.routes[0].first(), Some(&layout.points[0]));
        assert_eq!(layout.routes[0].last(), Some(&layout.points[1]));
        assert_eq!(layout.routes[0].len(), 3, "the edge back bends in the layer between");
    }

    /// A long strip becomes rows, in which vertices keep their distance and lines their ends.
    #[test]
    fn wide_drawings_are_wrapped() {
        let edges: Vec<_> = (0..100).map(|i| (i, 100 + i)).collect();
        let strip = layered(200, &edges, &[]);
        let wrapped = strip.clone().wrapped((92.0, 64.0));
        let most = |of: fn(&Point) -> f64, layout: &Layout| layout.points.iter().map(of).fold(0.0, f64::max);
        assert!(most(|p| p.x, &strip) >= 99.0 && most(|p| p.x, &wrapped) < 30.0);
        assert!(most(|p| p.y, &wrapped) * 64.0 < most(|p| p.x, &wrapped) * 92.0);
        for (i, a) in wrapped.points.iter().enumerate() {
            for b in &wrapped.points[..i] {
                assert!(a.y != b.y || (a.x - b.x).abs() > 0.999, "{a:?} {b:?}");
            }
        }
        for (&(a, b), route) in edges.iter().zip(&wrapped.routes) {
            assert_eq!([route.first(), route.last()], [Some(&wrapped.points[a]), Some(&wrapped.points[b])]);
        }
        let small = layered(3, &[(0, 1), (1, 2)], &[]);
        assert_eq!(small.clone().wrapped((92.0, 64.0)), small);
    }

    #[test]
    fn vertices_keep_their_distance() {
        for n in 1..30usize {
            let edges: Vec<_> = (0..n * 3).map(|i| ((i * 7) % n, (i * i + 3) % n)).collect();
            let layout = layered(n, &edges, &[]);
            for (i, a) in layout.points.iter().enumerate() {
                assert!(a.x >= 0.0 && a.x.is_finite());
                for b in &layout.points[..i] {
                    assert!(a.y != b.y || (a.x - b.x).abs() > 0.999, "{n}: {a:?} {b:?}");
                }
            }
        }
    }
}

//! Spans and ranges of the linear invariants under an order: iRank and an estimate of the number of nodes.
//!
//! **Problem.** The nodes of a level tell apart the partial markings of the levels above that have different
//! futures. Each invariant `Σ w·m = K` that crosses the level forces the node to know the partial sum. The
//! number of independent invariants that cross a level, hence, is the dimension of what has to be known
//! there, and the ranges of the partial sums bound how many nodes there can be.
//!
//! **Idea.** A basis of the P-flows is brought into *footprint form* for the order: no two rows start at the
//! same level, no two rows end at the same level. In that form the sum of the spans is the least over all
//! bases (it is the minimal trellis of the code that the flows generate). *iRank* is that sum. The estimate
//! multiplies, at each level, the numbers of possible partial sums of the crossing rows, given the bounds of
//! the places; it is kept as a logarithm.
//!
//! **Invariant of the elimination.** Rows are echelon by their first level from the start; where two rows end
//! at the same level, the one that starts later is subtracted from the one that starts earlier, which keeps
//! the starts distinct and shortens the row. Each step removes at least one level of span, so it ends.
//!
//! **Complexity.** Linear in the fill when flows are local under the order. A limit of work ends it, and 63
//! bits: there is no metric then.
//!
//! Source: Amparore, Ciardo, Donatelli and Miner 2019, "i_Rank: a variable order metric for DEDS subject to
//! linear invariants".

use crate::order::{Context, Order};
use crate::structure::PFlow;

/// The metrics of the invariants.
#[derive(Clone, Debug, PartialEq)]
pub struct InvariantSpans {
    /// iRank: the sum over the flows in footprint form of the levels they cross.
    pub rank: u64,
    /// For each boundary between levels (`[i]` is above the level of height `i + 1`) the number of flows
    /// that cross it.
    pub crossing: Vec<u32>,
    /// For each such boundary, the binary logarithm of the number of combinations of partial sums.
    pub log_nodes: Vec<f64>,
}

/// A row over heights: sorted, no zeros.
type Row = Vec<(u32, i64)>;

/// The metrics of the invariants of a net under `order`; `None` where it has none or they are too much work.
pub fn invariant_spans(context: &Context, order: &Order) -> Option<InvariantSpans> {
    if context.flows().is_empty() {
        return None;
    }
    let height = order.heights();
    let rows = footprint_form(context.flows(), &height, 100_000 + 40 * context.size())?;
    let places = order.as_slice();
    let mut spans = InvariantSpans { rank: 0, crossing: vec![0; places.len()], log_nodes: vec![0.0; places.len()] };
    for row in &rows {
        let (Some(first), Some(last)) = (row.first(), row.last()) else { continue };
        spans.rank += u64::from(last.0 - first.0);
        // Partial sums of the entries above a boundary: what the entries above can make, and what those
        // below can still complete to the constant.
        let bound = |h: u32| context.bound_or_guess(places[places.len() - h as usize]) as f64;
        let initial = |h: u32| context.net().place(places[places.len() - h as usize]).initial as f64;
        let constant: f64 = row.iter().map(|&(h, w)| w as f64 * initial(h)).sum();
        let mut above = (0.0, 0.0);
        let mut below = row.iter().fold((0.0, 0.0), |sum, &(h, w)| widen(sum, w as f64 * bound(h), 1.0));
        for pair in row.windows(2).rev() {
            let (h, w) = pair[1];
            above = widen(above, w as f64 * bound(h), 1.0);
            below = widen(below, w as f64 * bound(h), -1.0);
            let low = above.0.max(constant - below.1);
            let high = above.1.min(constant - below.0);
            let step = (high - low + 1.0).max(1.0).log2();
            for boundary in pair[0].0..h {
                spans.crossing[boundary as usize - 1] += 1;
                spans.log_nodes[boundary as usize - 1] += step;
            }
        }
    }
    Some(spans)
}

/// The interval plus (`sign` 1) or minus (−1) what an entry that contributes 0 to `most` can add.
fn widen(interval: (f64, f64), most: f64, sign: f64) -> (f64, f64) {
    (interval.0 + sign * most.min(0.0), interval.1 + sign * most.max(0.0))
}

/// The flows by heights, so combined that all first heights differ and all last heights differ.
fn footprint_form(flows: &[PFlow], height: &[u32], mut work: usize) -> Option<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::with_capacity(flows.len());
    let mut by_first = vec![u32::MAX; height.len() + 1];
    for flow in flows {
        let mut row: Row = flow.weights.iter().map(|&(p, w)| (height[p.index()], w)).collect();
        row.sort_unstable();
        // Echelon by the first height. Of two rows that start together the shorter stays.
        while let Some(&(first, _)) = row.first() {
            let there = by_first[first as usize];
            if there == u32::MAX {
                by_first[first as usize] = rows.len() as u32;
                rows.push(row);
                break;
            }
            let other = &mut rows[there as usize];
            if row.last().map(|e| e.0) < other.last().map(|e| e.0) {
                std::mem::swap(&mut row, other);
            }
            row = annul_first(&row, other)?;
            work = work.checked_sub(row.len() + 1)?;
        }
    }
    let mut by_last = vec![u32::MAX; height.len() + 1];
    for r in 0..rows.len() as u32 {
        let mut current = r;
        while let Some(&(last, _)) = rows[current as usize].last() {
            let there = by_last[last as usize];
            if there == u32::MAX {
                by_last[last as usize] = current;
                break;
            }
            // The row that starts higher keeps its place; the other one loses its last entry.
            let starts = |r: u32| rows[r as usize].first().map(|e| e.0);
            let (keep, shrink) = if starts(there) > starts(current) { (there, current) } else { (current, there) };
            by_last[last as usize] = keep;
            let shrunk = annul_last(&rows[shrink as usize], &rows[keep as usize])?;
            work = work.checked_sub(shrunk.len() + 1)?;
            rows[shrink as usize] = shrunk;
            current = shrink;
        }
    }
    Some(rows)
}

fn annul_first(row: &Row, other: &Row) -> Option<Row> {
    combine(row, other, row.first()?.1, other.first()?.1)
}

fn annul_last(row: &Row, other: &Row) -> Option<Row> {
    combine(row, other, row.last()?.1, other.last()?.1)
}

/// `row·b − other·a`, divided by the common divisor of its entries; `None` on overflow.
fn combine(row: &Row, other: &Row, a: i64, b: i64) -> Option<Row> {
    let common = gcd(a.unsigned_abs(), b.unsigned_abs()) as i64;
    let (a, b) = (a / common, b / common);
    let mut sum = Vec::with_capacity(row.len() + other.len());
    let (mut i, mut j, mut divisor) = (0, 0, 0);
    while i < row.len() || j < other.len() {
        let at = row.get(i).map_or(u32::MAX, |e| e.0).min(other.get(j).map_or(u32::MAX, |e| e.0));
        let mut value = 0i64;
        if let Some(e) = row.get(i).filter(|e| e.0 == at) {
            value = e.1.checked_mul(b)?;
            i += 1;
        }
        if let Some(e) = other.get(j).filter(|e| e.0 == at) {
            value = value.checked_sub(e.1.checked_mul(a)?)?;
            j += 1;
        }
        if value != 0 {
            divisor = gcd(divisor, value.unsigned_abs());
            sum.push((at, value));
        }
    }
    let divisor = i64::try_from(divisor).ok()?;
    if divisor > 1 {
        sum.iter_mut().for_each(|e| e.1 /= divisor);
    }
    Some(sum)
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::structure::random_nets::{nets, rank};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// The flows that cross a boundary in footprint form are as many as independent flows, less those
        /// that live on one side: of the flows restricted to one side, the rank is `all − other side`, so
        /// that the number is `rank(upper part) + rank(lower part) − rank(all)`.
        #[test]
        fn crossings_are_the_dimension_of_what_must_be_known(net in nets(7, 5), down in any::<bool>()) {
            let budget = Budget::unlimited();
            let context = Context::new(&net, &budget, 0);
            let given = Order::as_given(&net);
            let order = if down { given.reversed() } else { given };
            let height = order.heights();
            let dense: Vec<Vec<i128>> = context
                .flows()
                .iter()
                .map(|f| {
                    let mut row = vec![0; net.place_count()];
                    f.weights.iter().for_each(|&(p, w)| row[height[p.index()] as usize - 1] = w.into());
                    row
                })
                .collect();
            match invariant_spans(&context, &order) {
                None => prop_assert!(dense.is_empty()),
                Some(spans) => {
                    for boundary in 1..net.place_count() {
                        let lower = rank(dense.iter().map(|r| r[..boundary].to_vec()).collect());
                        let upper = rank(dense.iter().map(|r| r[boundary..].to_vec()).collect());
                        let crossing = (lower + upper - rank(dense.clone())) as u32;
                        prop_assert_eq!(spans.crossing[boundary - 1], crossing, "boundary {}", boundary);
                        prop_assert!(crossing > 0 || spans.log_nodes[boundary - 1] == 0.0);
                    }
                    prop_assert_eq!(spans.rank, spans.crossing.iter().map(|&n| u64::from(n)).sum::<u64>());
                }
            }
        }
    }

    #[test]
    fn ranges_bound_the_partial_sums() -> Result<(), crate::net::BuildError> {
        // a + b + c = 4 on three levels: five partial sums at each boundary.
        let mut b = crate::net::NetBuilder::new("sum");
        let places = [b.place("a", 4)?, b.place("b", 0)?, b.place("c", 0)?];
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let t = b.transition(format!("t{from}"))?;
            b.input(places[from], t, 1)?;
            b.output(t, places[to], 1)?;
        }
        let net = b.build()?;
        let budget = Budget::unlimited();
        let context = Context::new(&net, &budget, 0);
        let spans = invariant_spans(&context, &Order::as_given(&net));
        let five = 5f64.log2();
        assert_eq!(spans, Some(InvariantSpans { rank: 2, crossing: vec![1, 1, 0], log_nodes: vec![five, five, 0.0] }));
        Ok(())
    }
}

//! Minimal-support natural solutions of `x·A = 0` by Farkas' elimination.
//!
//! **Problem.** Given an integer matrix *A*, find the vectors `x ≥ 0`, `x ≠ 0`, with `x·A = 0`, whose support
//! contains the support of no other solution, each divided by the greatest common divisor of its entries.
//! Every solution is a non-negative rational combination of these. There may be exponentially many.
//!
//! **Idea.** Start with one row per unit vector, `[A | I]`. Annul one column of the left half after the
//! other: rows that are zero there stay, each pair of a positive and a negative row gives its positive
//! combination that is zero there, and the positive and negative rows go. **Invariant:** the right halves
//! are exactly the minimal-support solutions for the columns annulled so far. A combination whose support
//! contains another row's is therefore dropped at once; rows that stayed never need to be dropped, since a
//! new row inside one of them would contain the positive row it was made of, which was minimal before.
//!
//! **Order of columns.** The cheapest first: the one that adds the fewest rows, `p·n − p − n` for *p*
//! positive and *n* negative entries, kept in a heap whose stale entries are skipped. A column with entries
//! of one sign only removes rows. On nets made of many small components this is near linear.
//!
//! **Limits.** When the cheapest column would exceed the limit of rows or of work, the computation stops.
//! The rows whose left half is empty by then are minimal-support solutions of the whole system (they solve
//! it, and they are minimal already among the solutions of fewer equations), though not all of them.
//! Combinations that overflow 63 bits are treated in the same way: the column stays as it is.
//!
//! **Complexity.** Output-exponential in the worst case; polynomial per row and column otherwise.
//!
//! Sources: Farkas 1902; Martínez and Silva 1982, "A simple and fast algorithm to obtain all invariants of
//! a generalized Petri net"; Colom and Silva 1991, "Convex geometry and semiflows in P/T nets", which
//! compares orders of columns and tests of minimality (the test by supports is used, the test by rank not).

use super::effort::Effort;
use super::sparse::{Sparse, combine, gcd, reduce, value_at};
use crate::budget::{Budget, Exhausted};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Solutions and whether they are all of them.
pub(super) struct Solutions {
    pub(super) rows: Vec<Sparse>,
    pub(super) complete: bool,
}

struct Row {
    /// The remaining sums of the row in the columns: `right · A`.
    left: Sparse,
    /// The combination of the original rows; positive.
    right: Sparse,
}

struct Elimination<'a> {
    /// Live rows and holes.
    rows: Vec<Option<Row>>,
    /// Rows with an entry in each column (those of dead rows may linger).
    in_column: Vec<Vec<u32>>,
    /// Live rows with a positive and with a negative entry in each column.
    signs: Vec<(u32, u32)>,
    /// Rows by the first index of their right half (likewise).
    by_first: Vec<Vec<u32>>,
    live: usize,
    work: u64,
    effort: Effort,
    budget: &'a Budget,
}

/// All minimal-support natural solutions of `x·A = 0`, `A` given by its rows, within `effort`.
pub(super) fn minimal_solutions(
    matrix: &[Sparse],
    columns: usize,
    effort: Effort,
    budget: &Budget,
) -> Result<Solutions, Exhausted> {
    let mut state = Elimination {
        rows: Vec::with_capacity(matrix.len()),
        in_column: vec![Vec::new(); columns],
        signs: vec![(0, 0); columns],
        by_first: vec![Vec::new(); matrix.len()],
        live: 0,
        work: 0,
        effort,
        budget,
    };
    for (i, row) in matrix.iter().enumerate() {
        state.insert(Row { left: row.clone(), right: vec![(i as u32, 1)] });
    }
    let complete = state.run()?;
    let finished = state.rows.into_iter().flatten().filter(|r| r.left.is_empty());
    let mut rows: Vec<Sparse> = finished.map(|r| r.right).collect();
    rows.sort_unstable();
    Ok(Solutions { rows, complete })
}

impl Elimination<'_> {
    /// Annul columns, cheapest first. True when all are done.
    fn run(&mut self) -> Result<bool, Exhausted> {
        let mut listed: Vec<i64> = (0..self.in_column.len() as u32).map(|c| self.cost(c)).collect();
        let mut heap: BinaryHeap<_> = (0..).zip(&listed).map(|(c, &cost)| Reverse((cost, c))).collect();
        let mut touched = Vec::new();
        let mut complete = true;
        while let Some(Reverse((cost, column))) = heap.pop() {
            // Whenever a price changed, the new one was pushed; the others are stale.
            if cost != self.cost(column) || self.signs[column as usize] == (0, 0) {
                continue;
            }
            self.budget.check()?;
            let (positive, negative) = self.members(column);
            let pairs = positive.len().saturating_mul(negative.len());
            if self.live.saturating_add(pairs) > self.effort.rows || self.work > self.effort.work {
                return Ok(false);
            }
            touched.clear();
            complete &= self.annul(column, &positive, &negative, &mut touched)?;
            touched.sort_unstable();
            touched.dedup();
            for &c in &touched {
                let cost = self.cost(c);
                if std::mem::replace(&mut listed[c as usize], cost) != cost {
                    heap.push(Reverse((cost, c)));
                }
            }
        }
        Ok(complete)
    }

    /// The growth in rows that annulling `column` brings.
    fn cost(&self, column: u32) -> i64 {
        let (p, n) = self.signs[column as usize];
        let (p, n) = (i64::from(p), i64::from(n));
        p.saturating_mul(n) - p - n
    }

    /// The live rows with a positive and with a negative entry in `column`.
    fn members(&mut self, column: u32) -> (Vec<u32>, Vec<u32>) {
        let members = std::mem::take(&mut self.in_column[column as usize]);
        self.work += members.len() as u64;
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        for &r in &members {
            let value = self.rows[r as usize].as_ref().map_or(0, |row| value_at(&row.left, column));
            match value.signum() {
                1 => positive.push(r),
                -1 => negative.push(r),
                _ => {}
            }
        }
        self.in_column[column as usize] = members;
        (positive, negative)
    }

    /// Count the entries of a row that comes (`change` = 1) or goes (−1).
    fn tally(&mut self, left: &[(u32, i64)], change: i32) {
        for &(column, value) in left {
            let (p, n) = &mut self.signs[column as usize];
            let count = if value > 0 { p } else { n };
            *count = count.saturating_add_signed(change);
        }
    }

    /// Replace the rows of one column by their combinations. False when one overflows; then nothing changes.
    fn annul(
        &mut self,
        column: u32,
        positive: &[u32],
        negative: &[u32],
        touched: &mut Vec<u32>,
    ) -> Result<bool, Exhausted> {
        let mut fresh = Vec::with_capacity(positive.len() * negative.len());
        for &p in positive {
            self.budget.check()?;
            for &n in negative {
                match self.combination(column, p, n) {
                    Some(row) => fresh.push(row),
                    None => return Ok(false),
                }
            }
        }
        for &r in positive.iter().chain(negative) {
            if let Some(row) = self.rows[r as usize].take() {
                touched.extend(row.left.iter().map(|e| e.0));
                self.tally(&row.left, -1);
                self.live -= 1;
            }
        }
        // Small supports first, so that a row is compared with every smaller one.
        fresh.sort_by(|a, b| (a.right.len(), &a.right).cmp(&(b.right.len(), &b.right)));
        for row in fresh {
            // What has been inserted is right without the rest.
            self.budget.check()?;
            if self.work > self.effort.work {
                return Ok(false);
            }
            if !self.covers_another(&row.right) {
                touched.extend(row.left.iter().map(|e| e.0));
                self.insert(row);
            }
        }
        Ok(true)
    }

    /// The positive combination of two rows that is zero in `column`.
    fn combination(&mut self, column: u32, positive: u32, negative: u32) -> Option<Row> {
        let (p, n) = (self.rows[positive as usize].as_ref()?, self.rows[negative as usize].as_ref()?);
        let (vp, vn) = (value_at(&p.left, column), value_at(&n.left, column));
        let divisor = i64::try_from(gcd(vp.unsigned_abs(), vn.unsigned_abs())).ok()?;
        let (fp, fn_) = (vn.checked_abs()? / divisor, vp / divisor);
        let mut left = combine(fp, &p.left, fn_, &n.left)?;
        let mut right = combine(fp, &p.right, fn_, &n.right)?;
        self.work += (left.len() + right.len()) as u64;
        reduce(&mut left, &mut right);
        Some(Row { left, right })
    }

    /// Is the support of some live row inside `support`?
    fn covers_another(&mut self, support: &[(u32, i64)]) -> bool {
        // A row inside `support` is listed under its first index, which is one of `support`.
        for &(index, _) in support {
            let members = std::mem::take(&mut self.by_first[index as usize]);
            // Comparing supports costs more than reading an entry.
            self.work += 1 + 8 * members.len() as u64;
            let inside = members.iter().any(|&r| {
                self.rows[r as usize].as_ref().is_some_and(|row| {
                    row.right.len() <= support.len()
                        && row.right.iter().all(|e| support.binary_search_by_key(&e.0, |s| s.0).is_ok())
                })
            });
            self.by_first[index as usize] = members;
            if inside {
                return true;
            }
        }
        false
    }

    fn insert(&mut self, row: Row) {
        let id = self.rows.len() as u32;
        for e in &row.left {
            self.in_column[e.0 as usize].push(id);
        }
        self.tally(&row.left, 1);
        if let Some(first) = row.right.first() {
            let members = &mut self.by_first[first.0 as usize];
            let rows = &self.rows;
            // Amortised clean-up: the list is swept when it is about to grow.
            if members.len() == members.capacity() {
                members.retain(|&r| rows[r as usize].is_some());
            }
            members.push(id);
        }
        self.rows.push(Some(row));
        self.live += 1;
    }
}

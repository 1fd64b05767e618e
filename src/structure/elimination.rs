//! A basis of the integer solutions of `x·A = 0` by fraction-free elimination.
//!
//! **Problem.** The natural solutions (see `farkas`) may be too many. The integer solutions form a vector
//! space; a basis has at most as many members as *A* has rows and costs polynomial work.
//!
//! **Idea.** Rows `[A | I]` as in Farkas' elimination, but a column is annulled with one pivot row that is
//! combined with every other row of the column and then dropped, whatever the signs. The rows with an empty
//! left half at the end are the basis. Columns with few rows come first and the pivot is the shortest row of
//! the column (Markowitz' rule, loosely), so that sparse systems stay sparse.
//!
//! **Invariant.** The live rows' right halves are linearly independent and, with the annulled columns,
//! span all solutions for them. A row whose combination would overflow 63 bits is dropped: what remains is
//! still independent and right, but no longer spans all, and the result says so.
//!
//! **Complexity.** O(rank · rows · row length) at worst, near linear on sparse local structure. The limit of
//! work ends it early; the finished rows are returned.

use super::effort::Effort;
use super::farkas::Solutions;
use super::sparse::{Sparse, combine, gcd, reduce, value_at};
use crate::budget::{Budget, Exhausted};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A basis of `x·A = 0` over the integers, `A` given by its rows.
pub(super) fn basis(
    matrix: &[Sparse],
    columns: usize,
    effort: Effort,
    budget: &Budget,
) -> Result<Solutions, Exhausted> {
    let mut rows: Vec<Option<(Sparse, Sparse)>> =
        matrix.iter().enumerate().map(|(i, row)| Some((row.clone(), vec![(i as u32, 1)]))).collect();
    let mut members = vec![Vec::new(); columns];
    for (r, row) in matrix.iter().enumerate() {
        for e in row {
            members[e.0 as usize].push(r as u32);
        }
    }
    let mut heap: BinaryHeap<_> = members.iter().enumerate().map(|(c, m)| Reverse((m.len(), c))).collect();
    let (mut work, mut complete) = (0u64, true);
    while let Some(Reverse((size, column))) = heap.pop() {
        let c = column as u32;
        let mut present = std::mem::take(&mut members[column]);
        present.sort_unstable();
        present.dedup();
        present.retain(|&r| rows[r as usize].as_ref().is_some_and(|row| value_at(&row.0, c) != 0));
        work += present.len() as u64;
        if present.len() > size {
            heap.push(Reverse((present.len(), column)));
            members[column] = present;
            continue;
        }
        budget.check()?;
        if work > effort.work {
            complete = false;
            break;
        }
        // The shortest row is the pivot.
        let length = |r: u32| rows[r as usize].as_ref().map_or(usize::MAX, |row| row.0.len() + row.1.len());
        let Some(&pivot) = present.iter().min_by_key(|&&r| (length(r), r)) else { continue };
        let Some((pivot_left, pivot_right)) = rows[pivot as usize].take() else { continue };
        let pivot_value = value_at(&pivot_left, c);
        for &r in present.iter().filter(|&&r| r != pivot) {
            let Some((left, right)) = rows[r as usize].take() else { continue };
            let value = value_at(&left, c);
            let divisor = gcd(value.unsigned_abs(), pivot_value.unsigned_abs());
            let Ok(divisor) = i64::try_from(divisor) else { continue };
            let (a, b) = (pivot_value / divisor, -(value / divisor));
            let sum = combine(a, &left, b, &pivot_left).zip(combine(a, &right, b, &pivot_right));
            let Some((mut left, mut right)) = sum else {
                complete = false;
                continue;
            };
            work += (left.len() + right.len()) as u64;
            reduce(&mut left, &mut right);
            for e in &left {
                // New entries of the row come from the pivot; old ones are listed already.
                if pivot_left.binary_search_by_key(&e.0, |p| p.0).is_ok() {
                    members[e.0 as usize].push(r);
                }
            }
            rows[r as usize] = Some((left, right));
        }
    }
    let finished = rows.into_iter().flatten().filter(|row| row.0.is_empty());
    let mut rows: Vec<Sparse> = finished.map(|row| row.1).collect();
    for row in &mut rows {
        if row.first().is_some_and(|e| e.1 < 0) {
            row.iter_mut().for_each(|e| e.1 = -e.1);
        }
    }
    rows.sort_unstable();
    Ok(Solutions { rows, complete })
}

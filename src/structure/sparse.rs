//! Sparse integer vectors: sorted (index, value) lists without zeros, combined with checked arithmetic.

/// A sparse vector: sorted by index, no zero values.
pub(super) type Sparse = Vec<(u32, i64)>;

/// `a·x + b·y`, or `None` on overflow.
pub(super) fn combine(a: i64, x: &[(u32, i64)], b: i64, y: &[(u32, i64)]) -> Option<Sparse> {
    let mut sum = Vec::with_capacity(x.len() + y.len());
    let (mut i, mut j) = (0, 0);
    while i < x.len() || j < y.len() {
        let index = match (x.get(i), y.get(j)) {
            (Some(u), Some(v)) => u.0.min(v.0),
            (Some(u), None) | (None, Some(u)) => u.0,
            (None, None) => break,
        };
        let mut value = 0i64;
        if let Some(u) = x.get(i).filter(|u| u.0 == index) {
            value = a.checked_mul(u.1)?;
            i += 1;
        }
        if let Some(v) = y.get(j).filter(|v| v.0 == index) {
            value = value.checked_add(b.checked_mul(v.1)?)?;
            j += 1;
        }
        // The smallest number has no negative; keep it out so that signs can be turned freely.
        if value == i64::MIN {
            return None;
        }
        if value != 0 {
            sum.push((index, value));
        }
    }
    Some(sum)
}

/// The value at `index`.
pub(super) fn value_at(x: &[(u32, i64)], index: u32) -> i64 {
    x.binary_search_by_key(&index, |e| e.0).map_or(0, |i| x[i].1)
}

/// Greatest common divisor.
pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Divide both halves of a row by the greatest common divisor of all their values.
pub(super) fn reduce(left: &mut [(u32, i64)], right: &mut [(u32, i64)]) {
    let mut divisor = 0;
    for e in right.iter().chain(left.iter()) {
        divisor = gcd(divisor, e.1.unsigned_abs());
        if divisor == 1 {
            return;
        }
    }
    // All values are above i64::MIN, so the divisor fits.
    if let Ok(divisor) = i64::try_from(divisor)
        && divisor > 1
    {
        for e in left.iter_mut().chain(right) {
            e.1 /= divisor;
        }
    }
}

//! To whom a state belongs: states are dealt out by a hash of their packed words.
//!
//! The words of a state are mixed one after the other by multiplications and shifts (the finaliser of MurmurHash3,
//! Appleby 2011), so that each bit of a state counts, and the upper bits of the hash choose one of the workers: h·n/2⁶⁴
//! for n of them, which needs no power of two (Lemire 2019, *Fast random integer generation in an interval*). The
//! result depends on nothing but the words and n: all workers come to the same one.

/// The worker, of so many, to which the state with these stored words belongs.
#[inline]
pub(super) fn owner(key: &[u64], workers: usize) -> usize {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for &word in key {
        hash = mixed(hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    }
    ((u128::from(hash) * workers as u128) >> 64) as usize
}

#[inline]
fn mixed(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ (word >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts of the shares that some states make.
    fn shares(states: impl Iterator<Item = Vec<u64>>, workers: usize) -> Vec<u32> {
        let mut shares = vec![0; workers];
        states.for_each(|state| shares[owner(&state, workers)] += 1);
        shares
    }

    #[test]
    fn one_worker_has_all() {
        assert_eq!(shares((0..100).map(|word| vec![word]), 1), [100]);
    }

    /// Whatever the regularity of states, each of n workers gets its n-th within six standard deviations.
    #[test]
    fn shares_are_even() {
        const STATES: u64 = 1 << 14;
        type Numbered = fn(u64) -> Vec<u64>;
        let kinds: [(&str, Numbered); 5] = [
            ("numbers", |n| vec![n]),
            ("upper bits", |n| vec![n << 50]),
            ("two words that are the same", |n| vec![n, n]),
            ("the second of two words", |n| vec![7, n << 3]),
            ("fields of two bits", |n| vec![(0..7).map(|at| (n >> (2 * at) & 3) << (9 * at)).sum()]),
        ];
        for (name, state) in kinds {
            for workers in [2, 3, 4, 7, 16] {
                let even = STATES as f64 / workers as f64;
                for share in shares((0..STATES).map(state), workers) {
                    assert!((f64::from(share) - even).abs() < 6.0 * even.sqrt(), "{name}: {share} of {workers}");
                }
            }
        }
    }

    #[test]
    fn the_order_of_words_counts() {
        let states = |turned: bool| (0..64_u64).map(move |n| if turned { [n, 100] } else { [100, n] });
        let differ = states(false).zip(states(true)).filter(|(one, two)| owner(one, 1 << 20) != owner(two, 1 << 20));
        assert!(differ.count() > 60);
    }
}

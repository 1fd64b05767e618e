//! A small pseudo-random number generator: xorshift64* (Marsaglia 2003, "Xorshift RNGs"; Vigna 2016), seeded
//! through SplitMix64 so that neighbouring seeds give unrelated streams.

/// A stream of pseudo-random numbers that is the same for the same seed everywhere. Not for secrets.
///
/// ```
/// use starset::rng::Rng;
/// assert_eq!(Rng::new(7).below(1000), Rng::new(7).below(1000));
/// ```
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Self {
        let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Rng((z ^ (z >> 31)).max(1))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// True once in `n` times on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Put the items in a random order (Fisher and Yates 1938).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        (1..items.len()).rev().for_each(|k| items.swap(k, self.below(k + 1)));
    }

    /// One of the items; `None` of an empty slice.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_n_are_roughly_uniform() {
        let mut rng = Rng::new(42);
        let mut count = [0; 10];
        for _ in 0..10_000 {
            count[rng.below(10)] += 1;
        }
        assert!(count.iter().all(|&c| (850..1150).contains(&c)), "{count:?}");
        assert_eq!(rng.below(0), 0);
    }
}

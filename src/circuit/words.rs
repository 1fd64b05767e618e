//! Words of signals of one width, the lowest bit first.

use super::{Gates, Signal};

impl Gates {
    /// The bits of a number, as many as are wanted.
    pub fn word(value: u64, width: usize) -> Vec<Signal> {
        (0..width).map(|bit| Signal::constant(bit < 64 && value >> bit & 1 == 1)).collect()
    }

    /// The sum with a carry, without what does not fit.
    pub fn sum(&mut self, a: &[Signal], b: &[Signal], mut carry: Signal) -> Vec<Signal> {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            let (both, passed) = (self.and(a, b), self.and(half, carry));
            carry = self.or(both, passed);
        }
        sum
    }

    /// The difference, without what does not fit.
    pub fn difference(&mut self, a: &[Signal], b: &[Signal]) -> Vec<Signal> {
        let b: Vec<Signal> = b.iter().map(|&bit| !bit).collect();
        self.sum(a, &b, Signal::TRUE)
    }

    /// The opposite number, without what does not fit.
    pub fn opposite(&mut self, a: &[Signal]) -> Vec<Signal> {
        let zero = vec![Signal::FALSE; a.len()];
        self.difference(&zero, a)
    }

    /// The product, without what does not fit.
    pub fn product(&mut self, a: &[Signal], b: &[Signal]) -> Vec<Signal> {
        let width = a.len();
        let mut sum = vec![Signal::FALSE; width];
        for (shift, &bit) in b.iter().enumerate().take(width) {
            if bit == Signal::FALSE {
                continue;
            }
            let mut part = vec![Signal::FALSE; shift];
            for &other in &a[..width - shift] {
                part.push(self.and(bit, other));
            }
            sum = self.sum(&sum, &part, Signal::FALSE);
        }
        sum
    }

    /// Quotient and remainder of numbers that are not negative; of a division by zero, anything.
    pub fn quotient(&mut self, a: &[Signal], b: &[Signal]) -> (Vec<Signal>, Vec<Signal>) {
        let width = a.len();
        let (mut quotient, mut rest) = (vec![Signal::FALSE; width], vec![Signal::FALSE; width + 1]);
        let divisor: Vec<Signal> = b.iter().copied().chain([Signal::FALSE]).collect();
        for bit in (0..width).rev() {
            rest.rotate_right(1);
            rest[0] = a[bit];
            let less = self.is_less(&rest, &divisor);
            quotient[bit] = !less;
            let reduced = self.difference(&rest, &divisor);
            rest = self.either(less, &rest, &reduced);
        }
        rest.truncate(width);
        (quotient, rest)
    }

    /// Is the first less, both not negative?
    pub fn is_less(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let mut less = Signal::FALSE;
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            less = self.choose(differ, b, less);
        }
        less
    }

    /// Is the first less, both in two's complement?
    pub fn is_less_signed(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let turned = |word: &[Signal]| {
            let mut word = word.to_vec();
            word.iter_mut().last().into_iter().for_each(|sign| *sign = !*sign);
            word
        };
        self.is_less(&turned(a), &turned(b))
    }

    /// Are they the same?
    pub fn equal(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let mut equal = Signal::TRUE;
        for (&a, &b) in a.iter().zip(b) {
            let same = self.same(a, b);
            equal = self.and(equal, same);
        }
        equal
    }

    /// The first where the condition holds, else the second.
    pub fn either(&mut self, condition: Signal, yes: &[Signal], no: &[Signal]) -> Vec<Signal> {
        yes.iter().zip(no).map(|(&yes, &no)| self.choose(condition, yes, no)).collect()
    }

    /// Shifted by a number that is not negative, to the higher bits or the lower ones; what comes in is `fill`.
    pub fn shifted(&mut self, word: &[Signal], by: &[Signal], left: bool, fill: Signal) -> Vec<Signal> {
        let width = word.len();
        let mut word = word.to_vec();
        for (bit, &here) in by.iter().enumerate() {
            let distance = if bit < 16 { 1_usize << bit } else { width };
            let moved: Vec<Signal> = (0..width)
                .map(|at| {
                    let from = if left { at.checked_sub(distance) } else { Some(at + distance) };
                    from.and_then(|from| word.get(from)).copied().unwrap_or(fill)
                })
                .collect();
            word = self.either(here, &moved, &word);
        }
        word
    }
}

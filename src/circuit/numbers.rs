//! Integers of any size: signals in two's complement, the lowest bit first; the last is the sign. Results have the bits
//! that they need.

use super::{Gates, Signal};

/// A number as such signals; at least one.
pub type Number = Vec<Signal>;

impl Gates {
    /// A constant.
    pub fn number(value: i128) -> Number {
        let bits = 129 - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() };
        (0..bits).map(|bit| Signal::constant(value >> bit.min(127) & 1 == 1)).collect()
    }

    /// A number that is not negative.
    pub fn natural(bits: &[Signal]) -> Number {
        bits.iter().copied().chain([Signal::FALSE]).collect()
    }

    /// With so many bits: more, or the lowest ones.
    pub fn resized(number: &[Signal], width: usize) -> Number {
        let sign = number[number.len() - 1];
        (0..width).map(|bit| number.get(bit).copied().unwrap_or(sign)).collect()
    }

    /// Without bits that are those of the sign.
    fn trimmed(mut number: Number) -> Number {
        while let [.., before, sign] = number[..]
            && before == sign
        {
            number.pop();
        }
        number
    }

    /// Its value, if it is a constant.
    pub fn as_number(number: &[Signal]) -> Option<i128> {
        let bits: Vec<bool> = number.iter().map(|bit| bit.as_constant()).collect::<Option<_>>()?;
        let sign = if *bits.last()? { -1 } else { 0 };
        (bits.len() <= 128).then(|| bits.iter().rev().fold(sign, |value, &bit| value << 1 | i128::from(bit)))
    }

    /// The sum.
    pub fn add(&mut self, a: &[Signal], b: &[Signal]) -> Number {
        let width = a.len().max(b.len()) + 1;
        let sum = self.sum(&Gates::resized(a, width), &Gates::resized(b, width), Signal::FALSE);
        Gates::trimmed(sum)
    }

    /// The opposite number.
    pub fn negate(&mut self, a: &[Signal]) -> Number {
        let opposite = self.opposite(&Gates::resized(a, a.len() + 1));
        Gates::trimmed(opposite)
    }

    /// The product.
    pub fn multiply(&mut self, a: &[Signal], b: &[Signal]) -> Number {
        let width = a.len() + b.len();
        let product = self.product(&Gates::resized(a, width), &Gates::resized(b, width));
        Gates::trimmed(product)
    }

    /// The absolute value.
    pub fn absolute(&mut self, a: &[Signal]) -> Number {
        let (opposite, sign) = (self.negate(a), a[a.len() - 1]);
        self.choose_number(sign, &opposite, a)
    }

    /// Quotient and remainder, truncated toward zero; of a division by zero, anything.
    pub fn divide(&mut self, a: &[Signal], b: &[Signal]) -> (Number, Number) {
        let (signs, sign) = (self.xor(a[a.len() - 1], b[b.len() - 1]), a[a.len() - 1]);
        let (a, b) = (self.absolute(a), self.absolute(b));
        let width = a.len().max(b.len());
        let (quotient, rest) = self.quotient(&Gates::resized(&a, width), &Gates::resized(&b, width));
        let signed = |gates: &mut Gates, value: Vec<Signal>, sign: Signal| {
            let value = Gates::natural(&value);
            let opposite = gates.negate(&value);
            gates.choose_number(sign, &opposite, &value)
        };
        (signed(self, quotient, signs), signed(self, rest, sign))
    }

    /// Is the first less?
    pub fn less(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let width = a.len().max(b.len());
        self.is_less_signed(&Gates::resized(a, width), &Gates::resized(b, width))
    }

    /// Are they the same?
    pub fn equals(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let width = a.len().max(b.len());
        self.equal(&Gates::resized(a, width), &Gates::resized(b, width))
    }

    /// The first where the condition holds, else the second.
    pub fn choose_number(&mut self, condition: Signal, yes: &[Signal], no: &[Signal]) -> Number {
        let width = yes.len().max(no.len());
        Gates::trimmed(self.either(condition, &Gates::resized(yes, width), &Gates::resized(no, width)))
    }
}

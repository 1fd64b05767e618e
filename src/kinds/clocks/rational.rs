//! Rational numbers: the constants of constraints as written, and the delays of runs.
//!
//! Constraints are compared with integers everywhere inside the engines (see [`super::scaled`]); rationals
//! appear where a person or another program looks: in files, in messages and in runs. They are unbounded, so
//! that no run can be refused, nor accepted, for an overflow.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;

/// A rational number of any size.
pub type Rational = Ratio<BigInt>;

/// The longest text that is read as a number; more digits are a mistake, not a deadline.
const DIGITS: usize = 40;

/// The integer `n` as a rational.
pub fn integer(n: i64) -> Rational {
    Ratio::from_integer(BigInt::from(n))
}

/// The fraction `n / d`; zero denominators give zero, which no caller has.
pub fn fraction(n: i64, d: i64) -> Rational {
    if d == 0 { Rational::zero() } else { Ratio::new(BigInt::from(n), BigInt::from(d)) }
}

/// Reads `12`, `1.25` or `5/4`; nothing for any other text. Signs are not read: clocks are never negative.
pub fn parse(text: &str) -> Option<Rational> {
    if text.is_empty() || text.len() > DIGITS {
        return None;
    }
    let digits = |s: &str| -> Option<BigInt> {
        (!s.is_empty() && s.bytes().all(|b| b.is_ascii_digit())).then(|| BigInt::parse_bytes(s.as_bytes(), 10))?
    };
    if let Some((n, d)) = text.split_once('/') {
        let (n, d) = (digits(n)?, digits(d)?);
        return (!d.is_zero()).then(|| Ratio::new(n, d));
    }
    match text.split_once('.') {
        None => digits(text).map(Ratio::from_integer),
        Some((whole, part)) => {
            let scale = BigInt::from(10u8).pow(u32::try_from(part.len()).ok()?);
            Some(Ratio::new(digits(whole)? * &scale + digits(part)?, scale))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn numbers_in_three_ways() {
        assert_eq!(parse("12"), Some(integer(12)));
        assert_eq!(parse("1.25"), Some(fraction(5, 4)));
        assert_eq!(parse("10/8"), Some(fraction(5, 4)));
        for bad in ["", "-1", "1/0", "1.", ".5", "1e3", "1/2/3"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}

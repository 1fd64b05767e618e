//! Numbers for people.

use num_bigint::BigUint;

/// Numbers with more digits than this are abbreviated in text (JSON always has all digits).
const MOST_DIGITS: usize = 60;
/// Numbers with more digits than this are also given in scientific notation.
const READABLE_DIGITS: usize = 9;

/// A count, exact where that is readable: `58400`, `42402558…  (4.24e17)`, `1.63e4771 (4772 digits)`.
pub fn count(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() <= READABLE_DIGITS {
        return digits;
    }
    let scientific = format!("{}.{}e{}", &digits[..1], &digits[1..4], digits.len() - 1);
    if digits.len() > MOST_DIGITS {
        format!("{scientific}  ({} digits, all with --json)", digits.len())
    } else {
        format!("{digits}  ({scientific})")
    }
}

/// A number of bytes: `512 MiB`, `1.5 GiB`.
pub fn bytes(bytes: u64) -> String {
    let (mut value, mut unit) = (bytes as f64, "B");
    for larger in ["KiB", "MiB", "GiB", "TiB"] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = larger;
    }
    if value < 10.0 && unit != "B" { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// A duration in seconds: `0.042 s`, `12.3 s`.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{s:.3} s"),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        let power = |e: u32| BigUint::from(10u32).pow(e) + 7u32;
        assert_eq!(count(&BigUint::from(58_400u32)), "58400");
        assert_eq!(count(&power(9)), "1000000007  (1.000e9)");
        assert_eq!(count(&power(100)), "1.000e100  (101 digits, all with --json)");
    }

    #[test]
    fn sizes() {
        assert_eq!(bytes(1000), "1000 B");
        assert_eq!(bytes(3 << 29), "1.5 GiB");
        assert_eq!(bytes(512 << 20), "512 MiB");
    }

    #[test]
    fn durations() {
        assert_eq!([seconds(0.0421), seconds(12.345), seconds(1234.5)], ["0.042 s", "12.35 s", "1234 s"]);
    }
}

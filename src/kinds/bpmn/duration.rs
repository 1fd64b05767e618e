//! Durations of ISO 8601: `P1DT2H`, `PT150M`, `P2W`, the last part perhaps a fraction; and how people see them.

use crate::kinds::clocks::rational::{Rational, integer, parse};
use num_traits::Zero as _;

/// Why a text has no length of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoLength {
    /// It is no duration: an expression, a date, anything else.
    NoDuration,
    /// It has years or months, which differ in length.
    Calendar,
}

/// The letters of a date and of a time, in their order, with their seconds; none for what differs in length.
const DATE: [(char, Option<i64>); 4] = [('Y', None), ('M', None), ('W', Some(604_800)), ('D', Some(86_400))];
const TIME: [(char, Option<i64>); 3] = [('H', Some(3_600)), ('M', Some(60)), ('S', Some(1))];

/// The seconds of a duration of ISO 8601.
///
/// # Errors
/// [`NoLength`].
pub fn seconds(text: &str) -> Result<Rational, NoLength> {
    let rest = text.trim().strip_prefix('P').ok_or(NoLength::NoDuration)?;
    let (date, time) = match rest.split_once('T') {
        Some((date, time)) if !time.is_empty() => (date, time),
        Some(_) => return Err(NoLength::NoDuration),
        None => (rest, ""),
    };
    if date.is_empty() && time.is_empty() {
        return Err(NoLength::NoDuration);
    }
    let (mut sum, mut is_fraction) = (Rational::zero(), false);
    for (part, letters) in [(date, &DATE[..]), (time, &TIME[..])] {
        let (mut rest, mut letters) = (part, letters.iter());
        while !rest.is_empty() {
            // A fraction is the last part.
            let end =
                rest.find(|c: char| c.is_ascii_alphabetic()).filter(|_| !is_fraction).ok_or(NoLength::NoDuration)?;
            let number = rest[..end].replace(',', ".");
            is_fraction = number.contains('.');
            let number = Some(number).filter(|number| !number.contains('/')).and_then(|number| parse(&number));
            let letter = rest[end..].chars().next();
            let unit = letters.find(|(known, _)| Some(*known) == letter).ok_or(NoLength::NoDuration)?.1;
            let number = number.ok_or(NoLength::NoDuration)?;
            match unit {
                Some(unit) => sum += number * integer(unit),
                None if number.is_zero() => {}
                None => return Err(NoLength::Calendar),
            }
            rest = &rest[end + 1..];
        }
    }
    Ok(sum)
}

/// As people see so many seconds: `2 h 30 min`.
pub fn shown_seconds(seconds: &Rational) -> String {
    let mut left = seconds.clone();
    let mut parts = Vec::new();
    for (unit, name) in [(86_400, "d"), (3_600, "h"), (60, "min")] {
        let whole = (&left / integer(unit)).floor();
        if !whole.is_zero() {
            parts.push(format!("{whole} {name}"));
            left -= whole * integer(unit);
        }
    }
    if !left.is_zero() || parts.is_empty() {
        parts.push(if seconds.is_zero() { "0".to_owned() } else { format!("{left} s") });
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::clocks::rational::fraction;

    #[test]
    fn durations() {
        for (text, length) in [
            ("PT1H", integer(3_600)),
            ("P1DT2H", integer(26 * 3_600)),
            ("PT26H", integer(26 * 3_600)),
            ("PT150M", integer(9_000)),
            ("P2W", integer(14 * 86_400)),
            ("PT0.5S", fraction(1, 2)),
            ("PT1H0,5M", integer(3_630)),
            ("P0Y1D", integer(86_400)),
            ("PT0S", integer(0)),
        ] {
            assert_eq!(seconds(text), Ok(length), "{text}");
        }
        for text in ["", "P", "PT", "P1DT", "1H", "PT1", "PTH", "PT1M1H", "PT0.5M1S", "PT1/2S", "${x}", "P-1D", "PT1é"]
        {
            assert_eq!(seconds(text), Err(NoLength::NoDuration), "{text}");
        }
        assert_eq!((seconds("P1Y"), seconds("P1M")), (Err(NoLength::Calendar), Err(NoLength::Calendar)));
    }

    #[test]
    fn lengths_of_time_as_people_see_them() {
        let shown: Vec<String> = [0, 90, 9_000, 90_061].map(|seconds| shown_seconds(&integer(seconds))).into();
        assert_eq!(shown, ["0", "1 min 30 s", "2 h 30 min", "1 d 1 h 1 min 1 s"]);
        assert_eq!(shown_seconds(&fraction(1, 2)), "1/2 s");
    }
}

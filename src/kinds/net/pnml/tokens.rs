//! Counts of tokens in a file.

use super::error::{Located, PnmlProblem};
use crate::xml::{Location, excerpt};

/// A token count or weight.
pub(super) fn tokens(text: &str, location: Location) -> Result<u64, Located> {
    let text = text.trim();
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let shown = excerpt(text);
    let problem = if digits(text.strip_prefix('+').unwrap_or(text)) {
        match text.parse() {
            Ok(count) => return Ok(count),
            Err(_) => PnmlProblem::TooManyTokens { text: shown },
        }
    } else if text.strip_prefix('-').is_some_and(digits) {
        PnmlProblem::Negative { text: shown }
    } else if text.contains(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok() {
        PnmlProblem::Fraction { text: shown }
    } else {
        PnmlProblem::NotANumber { text: shown }
    };
    Err(Located::at(location, problem))
}

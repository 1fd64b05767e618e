//! Nets of SNAKES, as far as their tokens are black.
//!
//! SNAKES writes a PNML of its own: a place of any values has `<type domain="universal"/>` and a multiset of values, a number of black
//! tokens is a text as in the standard, and an arc that tests or inhibits has its annotation inside the inscription. All other
//! values, variables, expressions and guards are Python, and refused.

use super::arc::ArcKind;
use super::error::{Located, PnmlProblem};
use super::tokens::tokens;
use crate::xml::{Location, XmlCursor};
use std::io::BufRead;

/// The name of refused parts.
const VALUES: &str = "values, variables and expressions of Python (SNAKES)";

/// Does a place with this domain hold any values, so that its tokens say whether they are black?
pub(super) fn is_universal(domain: &str) -> bool {
    domain.trim() == "universal"
}

/// The error of a token that is not black.
pub(super) fn other_value(location: Location) -> Located {
    Located::at(location, PnmlProblem::Unsupported(VALUES))
}

/// The number of black tokens in a `<multiset>`, of which there are no others.
pub(super) fn multiset<R: BufRead>(xml: &mut XmlCursor<R>) -> Result<u64, Located> {
    let mut sum = 0_u64;
    while let Some(child) = xml.next_child()?.map(str::to_owned) {
        let location = xml.location();
        if child != "item" {
            return Err(other_value(location));
        }
        let (mut black, mut times) = (0, 1);
        while let Some(child) = xml.next_child()?.map(str::to_owned) {
            match child.as_str() {
                "value" => black = value(xml)?,
                "multiplicity" => {
                    let text = xml.text()?.to_owned();
                    times = tokens(&text, xml.location())?;
                }
                _ => return Err(other_value(xml.location())),
            }
        }
        let count = sum.checked_add(times.saturating_mul(black));
        sum =
            count.ok_or_else(|| Located::at(location, PnmlProblem::TooManyTokens { text: "a multiset".to_owned() }))?;
    }
    Ok(sum)
}

/// The kind of an arc and its weight, in `<test>` or `<inhibitor>`.
pub(super) fn annotation<R: BufRead>(xml: &mut XmlCursor<R>, kind: ArcKind) -> Result<(Option<ArcKind>, u64), Located> {
    let mut weight = 0;
    while let Some(child) = xml.next_child()?.map(str::to_owned) {
        match child.as_str() {
            "value" => weight = value(xml)?,
            "multiarc" => {
                while let Some(child) = xml.next_child()?.map(str::to_owned) {
                    match child.as_str() {
                        "value" => weight += value(xml)?,
                        _ => return Err(other_value(xml.location())),
                    }
                }
            }
            "annotation" => weight = annotation(xml, kind)?.1,
            "condition" => {
                while let Some(child) = xml.next_child()?.map(str::to_owned) {
                    if child != "expression" || xml.text()? != "True" {
                        return Err(other_value(xml.location()));
                    }
                }
            }
            _ => return Err(other_value(xml.location())),
        }
    }
    Ok((Some(kind), weight))
}

/// One for a `<value>` that is a black token.
fn value<R: BufRead>(xml: &mut XmlCursor<R>) -> Result<u64, Located> {
    let mut black = 0;
    while let Some(child) = xml.next_child()?.map(str::to_owned) {
        if child != "token" {
            return Err(other_value(xml.location()));
        }
        xml.skip()?;
        black = 1;
    }
    Ok(black)
}

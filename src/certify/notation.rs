//! Parts of formulas in the notation that the checker reads: operators of two sides in parentheses, sums without.

use starset_checker::{Net, Op, Row};
use std::fmt::Write as _;

/// That a step with one of these labels is possible (`enabled`), or the next one (`action`).
pub(super) fn of_labels(word: &str, labels: &[usize], net: &Net) -> String {
    let names: Vec<String> = labels.iter().map(|&label| quoted(&net.labels[label])).collect();
    format!("{word}({})", names.join(", "))
}

/// That a sum of places with factors compares so with a number.
pub(super) fn comparison(sum: &[(usize, i64)], op: Op, bound: i128, net: &Net) -> String {
    let mut text = "(".to_owned();
    let named = match (sum, op) {
        ([(place, 1)], Op::Eq | Op::Ne) => {
            usize::try_from(bound).ok().and_then(|bound| net.places[*place].values.get(bound))
        }
        _ => None,
    };
    for (at, (place, factor)) in sum.iter().enumerate() {
        text.push_str(match (at, *factor < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        });
        if factor.unsigned_abs() != 1 {
            let _ = write!(text, "{} * ", factor.unsigned_abs());
        }
        let _ = write!(text, "#{}", quoted(&net.places[*place].name));
    }
    // Without a name the number stands on the left, so that it is not read as one.
    let unnamed = matches!((sum, op), ([(place, 1)], Op::Eq | Op::Ne)
        if named.is_none() && !net.places[*place].values.is_empty());
    if unnamed {
        let _ = write!(text, " {} {}", if bound < 0 { '+' } else { '-' }, bound.unsigned_abs());
    }
    let bound = if unnamed { 0 } else { bound };
    let operator = Op::ALL.iter().find(|(_, known)| *known == op).map_or("", |(text, _)| text);
    let value = named.map_or_else(|| bound.to_string(), |name| quoted(name));
    let _ = write!(text, "{} {operator} {value})", if sum.is_empty() { "0" } else { "" });
    text
}

/// An inequality.
pub(super) fn inequality((sum, bound): &Row, net: &Net) -> String {
    comparison(sum, Op::Le, *bound, net)
}

/// A name, in quotation marks unless it can stand without.
fn quoted(name: &str) -> String {
    let is_name_start = |c: char| c.is_alphabetic() || c == '_';
    let is_name_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let plain = name.starts_with(is_name_start) && name.chars().all(is_name_part);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")) }
}

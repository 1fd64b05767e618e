//! Nets as they are drawn in TINA's editor `nd` (`.ndr`), without time.
//!
//! ```text
//! p 20.0 35.0 free 1 n
//! p 20.0 85.0 held 0 s {in use} n
//! t 120.0 35.0 take 0 w n
//! t 120.0 85.0 release n 0 w s {give back} n
//! e free take 1 n
//! e take 0.88 23.4 held 0.58 24.6 1 n
//! e held release ?-2 n
//! h lock small
//! ```
//!
//! A line has a place (`p`: where it is drawn, name, marking, where the name stands, label), a transition (`t`: two
//! numbers are its interval), an arc (`e`: its ends, each perhaps with an angle and a radius, and its weight), a note
//! (`n`) or the name of the net (`h`). Weights are those of `.net`: `?2` is a read arc, `?-2` an inhibitor arc. Refused
//! are what that form refuses: intervals other than `0 w`, stopwatches (`!`), and priorities, which are arcs between
//! transitions. A line with another number of words is none of this form: nothing in it is guessed.
//!
//! *Source*: the manual pages of TINA, "ndr_format(n)".

use super::tina::Words;
use crate::kinds::TextError;
use crate::net::{NetBuilder, PetriNet};
use std::path::Path;

/// Where the name of a node can stand.
const ANCHORS: [&str; 9] = ["n", "nw", "w", "sw", "s", "se", "e", "ne", "c"];

/// Read a net; `file` is its name in messages and, without its extension, that of a net without a name.
///
/// ```
/// let text = "p 1.0 2.0 p 2 n\nt 1.0 9.0 t 0 w n\ne p t 2 n\nh pair\n";
/// let net = starset::kinds::net::formats::ndr::read(text, "pair.ndr")?;
/// assert_eq!((net.name(), net.places()[0].initial, net.transitions()[0].pre[0].weight), ("pair", 2, 2));
/// # Ok::<(), starset::kinds::TextError>(())
/// ```
///
/// # Errors
/// [`TextError`] where the text is not of this form, or has what is refused.
pub fn read(text: &str, file: &str) -> Result<PetriNet, TextError> {
    let mut builder = NetBuilder::new(Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy()));
    let mut last = 1;
    for (text, number) in text.lines().zip(1..) {
        last = number;
        line(text, &mut builder).map_err(|message| TextError::new(file, number, message))?;
    }
    builder.build().map_err(|error| TextError::new(file, last, error.to_string()))
}

/// Does a text begin like a net of this form: with a place or a transition at two coordinates, an arc, or the name?
pub(super) fn is_ndr(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.and_then(|line| words(line).ok()).is_some_and(|words| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        matches!(words.as_slice(), ["p" | "t" | "n", x, y, _, ..] if is_number(x) && is_number(y))
            || matches!(words.as_slice(), ["h", _, ..])
    })
}

/// Names, in braces or not, and numbers.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut rest = Words { rest: line };
    let mut found = Vec::new();
    while !rest.rest.trim_start().is_empty() {
        rest.rest = rest.rest.trim_start();
        if rest.rest.starts_with('{') {
            found.push(rest.name()?);
        } else {
            let (word, after) = rest.rest.split_at(rest.rest.find(char::is_whitespace).unwrap_or(rest.rest.len()));
            found.push(word.to_owned());
            rest.rest = after;
        }
    }
    Ok(found)
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Do these words say where something is drawn?
fn drawn(numbers: &[&str], anchors: &[&str]) -> Result<(), String> {
    if let Some(word) = numbers.iter().find(|word| !is_number(word)) {
        return Err(format!("`{word}` where a coordinate should be"));
    }
    match anchors.iter().find(|word| !ANCHORS.contains(word)) {
        Some(word) => Err(format!("`{word}` where the place of a text should be: {}", ANCHORS.join(", "))),
        None => Ok(()),
    }
}

/// A number that may end in a letter for a power of 1000.
fn number(word: &str) -> Result<u64, String> {
    let mut rest = Words { rest: word };
    let number = rest.number()?;
    if rest.rest.is_empty() { Ok(number) } else { Err(format!("`{word}` where a number below 2^64 should be")) }
}

fn line(text: &str, builder: &mut NetBuilder) -> Result<(), String> {
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(());
    }
    let words = words(text)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["p", x, y, place, marking, anchor, label @ ..] if matches!(label.len(), 0 | 2) => {
            drawn(&[x, y], &[anchor])?;
            let id = builder.place(*place, number(marking)?).map_err(|error| error.to_string())?;
            if let [label, anchor] = label {
                drawn(&[], &[anchor])?;
                // A label that repeats the name says nothing.
                if label != place {
                    builder.name_place(id, *label);
                }
            }
        }
        ["t", x, y, transition, rest @ ..] if matches!(rest.len(), 3 | 6) => {
            let (interval, anchors, label) = match rest {
                [eft, lft, anchor] => ([eft, lft], vec![*anchor], None),
                [of_name, eft, lft, of_interval, label, anchor] => {
                    ([eft, lft], vec![*of_name, *of_interval, *anchor], Some(label))
                }
                _ => unreachable!("one of the two lengths"),
            };
            drawn(&[x, y], &anchors)?;
            if interval != [&"0", &"w"] {
                return Err(format!(
                    "transition `{transition}` has the interval from {} to {} (a `-` before a number leaves it out); \
                     intervals of time are not supported, and without them the net is another one",
                    interval[0], interval[1]
                ));
            }
            let id = builder.transition(*transition).map_err(|error| error.to_string())?;
            label
                .into_iter()
                .filter(|label| *label != transition)
                .for_each(|label| builder.name_transition(id, *label));
        }
        ["e", from, to, weight, anchor] => arc(builder, from, to, weight, &[], anchor)?,
        ["e", from, a, b, to, c, d, weight, anchor] => arc(builder, from, to, weight, &[a, b, c, d], anchor)?,
        // A text for who looks at the drawing.
        ["n", ..] => {}
        // The size of nodes and a colour.
        ["h", net] | ["h", net, _] | ["h", net, _, _] => builder.set_name(*net),
        [first @ ("p" | "t" | "e" | "h"), ..] => {
            let what = match *first {
                "p" => "a place is `p X Y NAME MARKING ANCHOR` with perhaps `LABEL ANCHOR`",
                "t" => "a transition is `t X Y NAME 0 w ANCHOR` or `t X Y NAME ANCHOR 0 w ANCHOR LABEL ANCHOR`",
                "e" => "an arc is `e FROM TO WEIGHT ANCHOR`, each end perhaps with an angle and a radius",
                _ => "the name of the net is `h NAME` with perhaps a size and a colour",
            };
            return Err(format!("{what}; words on this line: {}", words.len()));
        }
        [first, ..] => return Err(format!("`{first}` begins no line of a drawing; these do: p, t, e, n, h")),
        [] => {}
    }
    Ok(())
}

fn arc(
    builder: &mut NetBuilder,
    from: &str,
    to: &str,
    weight: &str,
    bends: &[&str],
    anchor: &str,
) -> Result<(), String> {
    drawn(bends, &[anchor])?;
    let added = match (builder.find_place(from), builder.find_transition(to)) {
        (Some(place), Some(transition)) => match weight.strip_prefix('?') {
            Some(weight) => match weight.strip_prefix('-') {
                Some(weight) => builder.inhibitor(place, transition, number(weight)?),
                None => builder.read_arc(place, transition, number(weight)?),
            },
            None if weight.starts_with('!') => {
                return Err("stopwatches are not supported; without them the net is another one".to_owned());
            }
            None => builder.input(place, transition, number(weight)?),
        },
        _ => match (builder.find_transition(from), builder.find_place(to)) {
            (Some(transition), Some(place)) => builder.output(transition, place, number(weight)?),
            _ => return Err(no_arc(builder, from, to)),
        },
    };
    added.map_err(|error| error.to_string())
}

/// Why there is no arc between two names.
fn no_arc(builder: &NetBuilder, from: &str, to: &str) -> String {
    let is_place = |name: &str| builder.find_place(name).is_some();
    let is_transition = |name: &str| builder.find_transition(name).is_some();
    if let Some(unknown) = [from, to].iter().find(|name| !is_place(name) && !is_transition(name)) {
        return format!("`{unknown}` is no place or transition of the lines before");
    }
    if is_transition(from) && is_transition(to) {
        return format!(
            "the arc from transition `{from}` to transition `{to}` is a priority; priorities are not supported, and without \
             them the net is another one"
        );
    }
    format!("an arc from place `{from}` to place `{to}`; arcs go between places and transitions")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn all_that_is_read() {
        let text = "# drawn\np 20.0 35.0 p 2K s\np 20 -8.5 {the q} 0 s {a \\} label} nw\n\nt 1.0 2.0 t 0 w n\n\
                    t 1.0 2.0 u n 0 w w go c\ne p t 3 n\ne p t 1 n\ne t 0.9 23.4 {the q} 0.5 24.6 2 ne\n\
                    e {the q} u ?4 n\ne p 0.1 2.0 u 0.2 3.0 ?-5 n\nn 3.0 4.0 0 {any text}\nh {my net} small white\n";
        let net = read(text, "x.ndr").unwrap();
        assert_eq!((net.name(), net.place_count(), net.transition_count()), ("my net", 2, 2));
        let (p, q) = (&net.places()[0], &net.places()[1]);
        assert_eq!((p.initial, q.id.as_str(), q.name.as_deref()), (2000, "the q", Some("a } label")));
        let arcs =
            |arcs: &[crate::net::Arc]| -> Vec<(u32, u64)> { arcs.iter().map(|a| (a.place.0, a.weight)).collect() };
        let (t, u) = (&net.transitions()[0], &net.transitions()[1]);
        assert_eq!((arcs(&t.pre), arcs(&t.post), t.name.as_deref()), (vec![(0, 4)], vec![(1, 2)], None));
        assert_eq!((arcs(&u.pre), arcs(&u.post), arcs(&u.inhibitors)), (vec![(1, 4)], vec![(1, 4)], vec![(0, 5)]));
        assert_eq!(u.name.as_deref(), Some("go"));
        assert!(is_ndr(text) && is_ndr("h x") && !is_ndr("pl p (1)") && !is_ndr("net x"));
        assert_eq!(read("", "x.ndr").unwrap().name(), "x");
        let repeated = read("p 1 2 p 0 n p n\nt 1 2 t n 0 w n t n", "x.ndr").unwrap();
        assert_eq!((&repeated.places()[0].name, &repeated.transitions()[0].name), (&None, &None));
    }

    #[test]
    fn what_is_refused_is_placed() {
        let nodes = "p 1 2 p 0 n\nt 1 2 t 0 w n\nt 1 2 u 0 w n\np 1 2 q 0 n\n";
        for (text, expected) in [
            ("t 1 2 v 1 w n", "x.ndr:5: transition `v` has the interval from 1 to w"),
            ("t 1 2 v -0 w n", "x.ndr:5: transition `v` has the interval from -0 to w"),
            ("t 1 2 v n 0 4 n lab n", "x.ndr:5: transition `v` has the interval from 0 to 4"),
            ("e t u 1 n", "x.ndr:5: the arc from transition `t` to transition `u` is a priority"),
            ("e p t !1 n", "x.ndr:5: stopwatches"),
            ("e p t !-1 n", "x.ndr:5: stopwatches"),
            ("e t p ?1 n", "x.ndr:5: `?1` where a number"),
            ("e p t 0 n", "x.ndr:5: arc between place `p` and transition `t` has weight 0"),
            ("e p q 1 n", "x.ndr:5: an arc from place `p` to place `q`"),
            ("e p r 1 n", "x.ndr:5: `r` is no place or transition"),
            ("e p t 1", "x.ndr:5: an arc is `e FROM TO WEIGHT ANCHOR`"),
            ("e p t 1 x", "x.ndr:5: `x` where the place of a text"),
            ("e p a b t c d 1 n", "x.ndr:5: `a` where a coordinate"),
            ("p 1 2 r 1", "x.ndr:5: a place is"),
            ("p 1 2 p 1 n", "x.ndr:5: duplicate identifier `p`"),
            ("p 1 2 r 1x n", "x.ndr:5: `1x` where a number"),
            ("t 1 2 v 0 w", "x.ndr:5: a transition is"),
            ("h", "x.ndr:5: the name of the net is"),
            ("q 1", "x.ndr:5: `q` begins no line"),
            ("p 1 2 {open 1 n", "x.ndr:5: a name in braces"),
        ] {
            let error = read(&format!("{nodes}{text}\n"), "x.ndr").unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}

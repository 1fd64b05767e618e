//! Nets of GreatSPN (`.net`, beside which lies a `.def`), without time.
//!
//! ```text
//! |0|
//! a text that describes the net
//! |
//! f 1 2 0 1 0 0 0
//! N 3 1.0 1.0 0
//! free -1 1.0 2.0 1.2 2.2 0
//! held 0 5.0 2.0 5.2 2.2 0
//! take 1.0 0 0 1 0 3.0 2.0 3.2 2.2 3.4 2.4 0
//!    1 1 0 0
//!    1
//!    1 2 1 0
//! 4.0 2.5
//!    0
//! ```
//!
//! The numbers after `f` say how many lines of each kind follow: marking parameters, places, rate parameters, transitions
//! and groups of priority, in the order parameters, places, rates, groups, transitions. A marking below zero is the number
//! of a parameter. A transition is followed by its input arcs (how many, its own line says), output arcs and inhibitor arcs:
//! weight, number of the place, and as many points as the drawing has, each on a line. Weights below zero are drawn as
//! broken arcs, those from 20000 on stand for parameters.
//!
//! The reading is that of GreatSPN without rates: timed transitions and immediate ones fire alike.
//! Immediate transitions go before timed ones there, by their groups; such nets are refused, as are coloured ones, functions on
//! arcs and parameters without a value. The `.def` file has colours, rates and measures, and is not read.
//!
//! *Source*: the reader and the writer of GreatSPN (Amparore, Balbo, Beccuti, Donatelli, Franceschinis, "30 years of
//! GreatSPN", 2016).

use crate::kinds::TextError;
use crate::net::{NetBuilder, PetriNet, PlaceId, TransitionId};
use std::path::Path;

/// The value of a parameter that has none.
const TEMPLATE: i64 = -7134;
/// Weights from here on are numbers of parameters.
const PARAMETERS: i64 = 20_000;
/// Markings below this are of coloured places.
const COLOURED: i64 = -10_000;
/// The group of transitions with a general distribution.
const GENERAL: i64 = 127;
/// Lines of a form that a number at the start of the file may ask for.
const MOST: usize = u32::MAX as usize;

/// Does a text begin like a net of this form?
pub(super) fn is_gspn(text: &str) -> bool {
    text.trim_start().starts_with("|0|")
}

/// Read a net; `file` is its name in messages and, without its extension, that of the net.
///
/// ```
/// let text = "|0|\n|\nf 0 1 0 1 0 0 0\np 2 0 0 0 0 0\nt 1.0 0 0 1 0 0 0 0 0 0 0 0\n 3 1 0 0\n 0\n 0\n";
/// let net = starset::kinds::net::formats::gspn::read(text, "t.net")?;
/// assert_eq!((net.name(), net.places()[0].initial, net.transitions()[0].pre[0].weight), ("t", 2, 3));
/// # Ok::<(), starset::kinds::TextError>(())
/// ```
///
/// # Errors
/// [`TextError`] where the text is not of this form, or has what is refused.
pub fn read(text: &str, file: &str) -> Result<PetriNet, TextError> {
    let stem = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    let mut lines = Lines { lines: text.lines(), number: 0 };
    net(&mut lines, &stem).map_err(|message| TextError::new(file, lines.number.max(1), message))
}

/// The lines that are left.
struct Lines<'a> {
    lines: std::str::Lines<'a>,
    /// Of the line given last.
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self, what: &str) -> Result<&'a str, String> {
        let line = self.lines.next().ok_or_else(|| format!("the file ends where {what} should be"))?;
        self.number += 1;
        Ok(line.trim())
    }

    /// The words of the next line.
    fn words(&mut self, what: &'static str) -> Result<Words<'a>, String> {
        Ok(Words { rest: self.next(what)?, what })
    }
}

/// The words of a line of some kind.
struct Words<'a> {
    rest: &'a str,
    what: &'static str,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Result<&'a str, String> {
        let rest = self.rest.trim_start();
        let (word, rest) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        self.rest = rest;
        if word.is_empty() { Err(format!("the line of {} ends too early", self.what)) } else { Ok(word) }
    }

    fn number(&mut self) -> Result<i64, String> {
        let word = self.next()?;
        word.parse().map_err(|_| format!("`{word}` where a number should be on the line of {}", self.what))
    }

    /// How many of something follow.
    fn count(&mut self) -> Result<usize, String> {
        let number = self.number()?;
        usize::try_from(number)
            .ok()
            .filter(|&count| count <= MOST)
            .ok_or_else(|| format!("`{number}` where a count should be"))
    }

    /// Where something is drawn.
    fn coordinates(&mut self, how_many: usize) -> Result<(), String> {
        for _ in 0..how_many {
            let word = self.next()?;
            if word.parse::<f64>().is_err() {
                return Err(format!("`{word}` where a coordinate should be on the line of {}", self.what));
            }
        }
        Ok(())
    }

    /// Layers of the drawing, which end with 0; and what comes after them.
    fn layers(mut self) -> Result<&'a str, String> {
        while self.number()? != 0 {}
        Ok(self.rest.trim())
    }

    /// A name, without the tags by which nets are composed.
    fn name(&mut self) -> Result<&'a str, String> {
        let word = self.next()?;
        match word.split('|').next() {
            Some(name) if !name.is_empty() => Ok(name),
            _ => Err(format!("`{word}` where the name of {} should be", self.what)),
        }
    }
}

/// A marking parameter.
struct Parameter<'a> {
    name: &'a str,
    value: i64,
}

impl Parameter<'_> {
    fn value(&self) -> Result<u64, String> {
        if self.value == TEMPLATE {
            return Err(format!("parameter `{}` has no value; give it one in GreatSPN, as a constant", self.name));
        }
        u64::try_from(self.value).map_err(|_| format!("parameter `{}` is below zero", self.name))
    }
}

fn net(lines: &mut Lines, name: &str) -> Result<PetriNet, String> {
    let mut builder = NetBuilder::new(name);
    // A text for people, between two lines that begin with a bar.
    while lines.next("the line `|0|`")?.is_empty() {}
    while lines.next("the line `|` after the description")? != "|" {}
    let mut header = lines.words("the counts")?;
    if header.next()? != "f" {
        return Err("`f` should begin the line with the counts after `|`".to_owned());
    }
    let [parameters, places, rates, transitions, groups] =
        [header.count()?, header.count()?, header.count()?, header.count()?, header.count()?];
    let mut known: Vec<Parameter> = Vec::new();
    for _ in 0..parameters {
        let mut words = lines.words("a marking parameter")?;
        known.push(Parameter { name: words.next()?, value: words.number()? });
    }
    let mut place_ids: Vec<PlaceId> = Vec::new();
    for _ in 0..places {
        let mut words = lines.words("a place")?;
        let name = words.name()?;
        let marking = words.number()?;
        words.coordinates(4)?;
        if marking < COLOURED || !words.layers()?.is_empty() {
            return Err(format!("place `{name}` is coloured; write the net as PNML or unfold it with GreatSPN"));
        }
        let initial = match u64::try_from(marking) {
            Ok(initial) => initial,
            Err(_) => parameter(&known, marking.unsigned_abs() - 1)?.value()?,
        };
        place_ids.push(builder.place(name, initial).map_err(|error| error.to_string())?);
    }
    for _ in 0..rates {
        lines.next("a rate parameter")?;
    }
    for _ in 0..groups {
        lines.next("a group of priority")?;
    }
    let mut first: Option<(i64, &str)> = None;
    for _ in 0..transitions {
        let mut words = lines.words("a transition")?;
        let name = words.name()?;
        words.coordinates(1).map_err(|_| format!("the rate of transition `{name}` is no number"))?;
        let (servers, group, inputs, _) = (words.number()?, words.number()?, words.count()?, words.number()?);
        if servers < 0 {
            return Err(format!("transition `{name}` has a rate for each number of servers, which is not supported"));
        }
        words.coordinates(6)?;
        if !words.layers()?.is_empty() {
            return Err(format!(
                "transition `{name}` has a guard over colours; write the net as PNML or unfold it with GreatSPN"
            ));
        }
        let level = if group >= GENERAL { 0 } else { group };
        let (usual, other) = *first.get_or_insert((level, name));
        if level != usual {
            return Err(different_priorities(other, name));
        }
        let transition = builder.transition(name).map_err(|error| error.to_string())?;
        let arcs = &mut Arcs { builder: &mut builder, places: &place_ids, known: &known, transition };
        arcs.read(lines, inputs, NetBuilder::input)?;
        let outputs = lines.words("the number of output arcs")?.count()?;
        arcs.read(lines, outputs, |builder, place, transition, weight| builder.output(transition, place, weight))?;
        let inhibitors = lines.words("the number of inhibitor arcs")?.count()?;
        arcs.read(lines, inhibitors, NetBuilder::inhibitor)?;
    }
    builder.build().map_err(|error| error.to_string())
}

/// Why a net with immediate and timed transitions is refused.
pub(super) fn different_priorities(one: &str, other: &str) -> String {
    format!(
        "transitions `{one}` and `{other}` have different priorities, as immediate transitions have before timed ones; \
         priorities are not supported, and without them the net is another one"
    )
}

fn parameter<'p, 'a>(known: &'p [Parameter<'a>], index: u64) -> Result<&'p Parameter<'a>, String> {
    let found = usize::try_from(index).ok().and_then(|index| known.get(index));
    found.ok_or_else(|| format!("there is no marking parameter {}", index.saturating_add(1)))
}

/// Where the arcs of a transition go.
struct Arcs<'a> {
    builder: &'a mut NetBuilder,
    places: &'a [PlaceId],
    known: &'a [Parameter<'a>],
    transition: TransitionId,
}

type Add = fn(&mut NetBuilder, PlaceId, TransitionId, u64) -> Result<(), crate::net::BuildError>;

impl Arcs<'_> {
    fn read(&mut self, lines: &mut Lines, how_many: usize, add: Add) -> Result<(), String> {
        for _ in 0..how_many {
            let mut words = lines.words("an arc")?;
            let (weight, place, points) = (words.number()?.unsigned_abs(), words.number()?, words.count()?);
            if !words.layers()?.is_empty() {
                return Err("an arc with a function; weights are numbers or parameters".to_owned());
            }
            let place = usize::try_from(place).ok().and_then(|place| self.places.get(place.checked_sub(1)?));
            let place = *place.ok_or("an arc to a place that is not in the list")?;
            let weight = match weight.checked_sub(PARAMETERS as u64) {
                Some(index) if index < self.known.len() as u64 => parameter(self.known, index)?.value()?,
                _ => weight,
            };
            add(self.builder, place, self.transition, weight).map_err(|error| error.to_string())?;
            for _ in 0..points {
                lines.words("a point of an arc")?.coordinates(2)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const HEAD: &str = "|0|\na net\n\n|\n";

    #[test]
    fn all_that_is_read() {
        let text = format!(
            "{HEAD}f   2   3   1   2   1   0   0\nN 4 0.1 0.1 0\nM 7 0.1 0.1 0\n\
             a|tag|other   -1 1.0 2.0 1.1 2.1 2 3 0\nb    20 1.0 2.0 1.1 2.1 0\nc 0 1 2 3 4 0\n\
             rho 0.5 1.0 1.0 0\nG1 0.0 0.0 1\n\
             t|x  -1.000000e+00   0   0   2 0 4.8 2.3 4.1 2.1 5.0 2.4 0\n   1   1   2 0\n0.1 0.2\n0.3 0.4\n   -3 2 0 0\n\
             \x20  1\n   20001   3   0 0\n   0\n\
             u -5.100000e+02 1 127 0 0 4.8 2.3 4.1 2.1 5.0 2.4 0\n   1\n   1 1 0 0\n   1\n   2 3 1 0\n 0.5 0.5\n"
        );
        let net = read(&text, "dir/x.net").unwrap();
        let places: Vec<(&str, u64)> = net.places().iter().map(|place| (place.id.as_str(), place.initial)).collect();
        assert_eq!((net.name(), places), ("x", vec![("a", 4), ("b", 20), ("c", 0)]));
        let arcs =
            |arcs: &[crate::net::Arc]| -> Vec<(u32, u64)> { arcs.iter().map(|a| (a.place.0, a.weight)).collect() };
        let (t, u) = (&net.transitions()[0], &net.transitions()[1]);
        assert_eq!((t.id.as_str(), arcs(&t.pre), arcs(&t.post)), ("t", vec![(0, 1), (1, 3)], vec![(2, 7)]));
        assert_eq!((arcs(&u.pre), arcs(&u.post), arcs(&u.inhibitors)), (vec![], vec![(0, 1)], vec![(2, 2)]));
        assert!(is_gspn(&text) && !is_gspn("net x"));
    }

    #[test]
    fn immediate_transitions_alone_are_read() {
        let of = |first: &str, second: &str| {
            format!(
                "{HEAD}f 0 1 0 2 2 0 0\np 0 1 2 3 4 0\nG1 0 0 1\nG2 0 0 2\nt 1.0 {first} 0 0 1 2 3 4 5 6 0\n 0\n 0\n\
                 u 1.0 {second} 0 0 1 2 3 4 5 6 0\n 0\n 0\n"
            )
        };
        assert!(read(&of("1 1", "1 1"), "x.net").is_ok());
        for (first, second) in [("1 1", "1 2"), ("0 0", "1 1"), ("1 2", "0 127")] {
            let error = read(&of(first, second), "x.net").unwrap_err().to_string();
            assert!(error.starts_with("x.net:12: transitions `t` and `u` have different priorities"), "{error}");
        }
    }

    #[test]
    fn what_is_refused_is_placed() {
        for (text, expected) in [
            ("f 1 1 0 0 0 0 0\nN -7134 0 0 0\np -1 1 2 3 4 0\n", "x.net:7: parameter `N` has no value"),
            ("f 0 1 0 0 0 0 0\np -1 1 2 3 4 0\n", "x.net:6: there is no marking parameter 1"),
            ("f 0 1 0 0 0 0 0\np -10001 1 2 3 4 0 5 6 C\n", "x.net:6: place `p` is coloured"),
            ("f 0 1 0 0 0 0 0\np 0 1 2 3 4 0 5 6 C\n", "x.net:6: place `p` is coloured"),
            ("f 0 1 0 0 0 0 0\np 0 1 2 3\n", "x.net:6: the line of a place ends too early"),
            ("f 0 1 0 0 0 0 0\np 0 1 2 3 y 0\n", "x.net:6: `y` where a coordinate"),
            ("f 0 1 0 0 0 0 0\np 99999999999999999999 1 2 3 4 0\n", "x.net:6: `99999999999999999999` where a number"),
            ("f 0 2 0 0 0 0 0\np 0 1 2 3 4 0\np 0 1 2 3 4 0\n", "x.net:7: duplicate identifier"),
            ("f 0 0 0 1 0 0 0\nt 1 0 0 0 0 1 2 3 4 5 6 0 7 8 [x = y]\n", "x.net:6: transition `t` has a guard"),
            ("f 0 0 0 1 0 0 0\nt 1 -2 0 0 0 1 2 3 4 5 6 0\n", "x.net:6: transition `t` has a rate for each"),
            ("f 0 0 0 1 0 0 0\nt * 0 0 0 0 1 2 3 4 5 6 0\n", "x.net:6: the rate of transition `t`"),
            ("f 0 1 0 1 0 0 0\np 0 1 2 3 4 0\nt 1 0 0 1 0 1 2 3 4 5 6 0\n1 2 0 0\n", "x.net:8: an arc to a place"),
            ("f 0 1 0 1 0 0 0\np 0 1 2 3 4 0\nt 1 0 0 1 0 1 2 3 4 5 6 0\n0 1 0 0\n", "x.net:8: arc between"),
            ("f 0 1 0 1 0 0 0\np 0 1 2 3 4 0\nt 1 0 0 1 0 1 2 3 4 5 6 0\n1 1 0 0 1 2 <x>\n", "x.net:8: an arc with a"),
            ("f 0 1 0 1 0 0 0\np 0 1 2 3 4 0\nt 1 0 0 0 0 1 2 3 4 5 6 0\n", "x.net:7: the file ends where the number"),
            ("f 0 -1 0 0 0 0 0\n", "x.net:5: `-1` where a count"),
            ("g\n", "x.net:5: `f` should begin"),
            ("", "x.net:4: the file ends where the counts"),
        ] {
            let error = read(&format!("{HEAD}{text}"), "x.net").unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        assert!(read("|0|", "x.net").is_err());
    }
}

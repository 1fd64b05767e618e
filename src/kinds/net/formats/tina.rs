//! Nets as TINA reads and writes them (`.net`), without time.
//!
//! ```text
//! # A lock: take and release.
//! net lock
//! pl free : {no one has it} (1)
//! tr take : take free -> held
//! tr release held -> free
//! tr look held?1 log?-10 -> log*2
//! ```
//!
//! A line describes a transition (`tr`: label, interval, inputs `->` outputs) or a place (`pl`: label, marking, inputs
//! `->` outputs); a node may be described by several lines, and is one as soon as it is named. `p*2` is an arc of weight 2,
//! `p?2` a read arc, `p?-2` an inhibitor arc. Numbers may end in `K`, `M`, `G`, `T`, `P` or `E`, names with other characters
//! stand in braces. `lb` gives a label and `nt` is a note. Intervals of time other than `[0,w[`, priorities (`pr`) and
//! stopwatches (`!`) are refused: a net without them is another one.
//!
//! *Source*: the manual pages of TINA, "formats(n)" (Berthomieu, Ribet and Vernadat, "The tool TINA", IJPR 2004).

use crate::kinds::TextError;
use crate::net::{NetBuilder, PetriNet, PlaceId, TransitionId};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::fmt::Write as _;
use std::path::Path;

/// How an arc is marked, with its weight.
#[derive(Clone, Copy)]
enum Arc {
    Normal(u64),
    Read(u64),
    Inhibitor(u64),
}

/// A place or a transition.
#[derive(Default)]
struct Node {
    label: Option<String>,
    marking: Option<u64>,
}

type Nodes = IndexMap<String, Node, FxBuildHasher>;

/// The net as far as its lines are read.
#[derive(Default)]
struct Reader {
    name: Option<String>,
    places: Nodes,
    transitions: Nodes,
    /// Place, transition, the arc, and whether it leads to the transition.
    arcs: Vec<(usize, usize, Arc, bool)>,
}

/// Read a net; `file` is its name in messages and, without its extension, that of a net without a name.
///
/// ```
/// let net = starset::kinds::net::formats::tina::read("pl p (2)\ntr t p -> q*3\n", "pq.net")?;
/// assert_eq!((net.name(), net.place_count(), net.places()[0].initial), ("pq", 2, 2));
/// # Ok::<(), starset::kinds::TextError>(())
/// ```
///
/// # Errors
/// [`TextError`] where the text is not of this form, or has what is refused.
pub fn read(text: &str, file: &str) -> Result<PetriNet, TextError> {
    let mut reader = Reader::default();
    let mut last = 1;
    for (line, number) in text.lines().zip(1..) {
        last = number;
        reader.line(line).map_err(|message| TextError::new(file, number, message))?;
    }
    let stem = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    let name = reader.name.take().unwrap_or_else(|| stem.into_owned());
    reader.net(&name).map_err(|message| TextError::new(file, last, message))
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let mut words = Words { rest: line.trim() };
        if words.at_end() {
            return Ok(());
        }
        match words.name()?.as_str() {
            "net" => self.name = Some(words.name()?),
            "tr" => self.transition(&mut words)?,
            "pl" => self.place(&mut words)?,
            "lb" => {
                let (name, label) = (words.name()?, words.name()?);
                let node = self.transitions.get_mut(&name).or_else(|| self.places.get_mut(&name));
                node.ok_or_else(|| format!("`{name}` is no place or transition so far"))?.label = Some(label);
            }
            // A note for the reader of a drawing.
            "nt" => return Ok(()),
            "pr" => return Err("priorities are not supported; without them the net is another one".to_owned()),
            other => return Err(format!("`{other}` begins no line of a net; these do: net, tr, pl, lb, nt")),
        }
        match words.at_end() {
            true => Ok(()),
            false => Err(format!("`{}` is more than belongs on this line", words.shown())),
        }
    }

    fn transition(&mut self, words: &mut Words) -> Result<(), String> {
        let name = words.name()?;
        let transition = self.transitions.entry(name.clone()).index();
        self.transitions.entry(name.clone()).or_default();
        if words.take(":") {
            self.transitions[transition].label = Some(words.name()?);
        }
        words.interval(&name)?;
        let (mut to_transition, first) = (true, words.shown());
        while !words.at_end() {
            if to_transition && words.take("->") {
                to_transition = false;
                continue;
            }
            let place = self.node(words, true)?;
            let arc = words.arc(to_transition)?;
            self.arcs.push((place, transition, arc, to_transition));
        }
        if to_transition { no_arrow(&first) } else { Ok(()) }
    }

    fn place(&mut self, words: &mut Words) -> Result<(), String> {
        let name = words.name()?;
        let place = self.places.entry(name.clone()).index();
        self.places.entry(name.clone()).or_default();
        if words.take(":") {
            self.places[place].label = Some(words.name()?);
        }
        if words.take("(") {
            let marking = words.number()?;
            if !words.take(")") {
                return Err(format!("`{}` where `)` should close the marking", words.shown()));
            }
            if self.places[place].marking.replace(marking).is_some() {
                return Err(format!("place `{name}` has a second marking"));
            }
        }
        let (mut to_transition, first) = (false, words.shown());
        while !words.at_end() {
            if !to_transition && words.take("->") {
                to_transition = true;
                continue;
            }
            let transition = self.node(words, false)?;
            let arc = words.arc(to_transition)?;
            self.arcs.push((place, transition, arc, to_transition));
        }
        if to_transition { Ok(()) } else { no_arrow(&first) }
    }

    /// The place or transition that is named next.
    fn node(&mut self, words: &mut Words, place: bool) -> Result<usize, String> {
        let name = words.name()?;
        let nodes = if place { &mut self.places } else { &mut self.transitions };
        let entry = nodes.entry(name);
        let index = entry.index();
        entry.or_default();
        Ok(index)
    }

    fn net(self, name: &str) -> Result<PetriNet, String> {
        let mut builder = NetBuilder::new(name);
        let (mut places, mut transitions): (Vec<PlaceId>, Vec<TransitionId>) = (Vec::new(), Vec::new());
        let differs = |name: &String, node: &Node| node.label.clone().filter(|label| label != name);
        for (name, node) in &self.places {
            let place = builder.place(name, node.marking.unwrap_or(0)).map_err(|error| error.to_string())?;
            differs(name, node).into_iter().for_each(|label| builder.name_place(place, label));
            places.push(place);
        }
        for (name, node) in &self.transitions {
            let transition = builder.transition(name).map_err(|error| error.to_string())?;
            differs(name, node).into_iter().for_each(|label| builder.name_transition(transition, label));
            transitions.push(transition);
        }
        for (place, transition, arc, to_transition) in self.arcs {
            let (p, t) = (places[place], transitions[transition]);
            let added = match (arc, to_transition) {
                (Arc::Normal(weight), true) => builder.input(p, t, weight),
                (Arc::Normal(weight), false) => builder.output(t, p, weight),
                (Arc::Read(weight), _) => builder.read_arc(p, t, weight),
                (Arc::Inhibitor(weight), _) => builder.inhibitor(p, t, weight),
            };
            added.map_err(|error| error.to_string())?;
        }
        builder.build().map_err(|error| error.to_string())
    }
}

/// The end of a line without an arrow: what stands where inputs should is a mistake, such as a marking without brackets.
fn no_arrow(first: &str) -> Result<(), String> {
    match first.trim() {
        "" => Ok(()),
        first if first.starts_with('#') => Ok(()),
        first => Err(format!("`{first}` without `->`: a marking stands in brackets, `(2)`, and arcs go `from -> to`")),
    }
}

/// The rest of a line.
pub(super) struct Words<'a> {
    pub(super) rest: &'a str,
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '.')
}

impl Words<'_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.skip_space();
        self.rest.is_empty() || self.rest.starts_with('#')
    }

    fn take(&mut self, what: &str) -> bool {
        self.skip_space();
        let rest = self.rest.strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub(super) fn shown(&self) -> String {
        self.rest.chars().take(20).collect()
    }

    /// A name: of letters, digits, `_`, `'` and `.`, or any in braces.
    pub(super) fn name(&mut self) -> Result<String, String> {
        self.skip_space();
        if !self.take("{") {
            let end = self.rest.find(|c| !is_plain(c)).unwrap_or(self.rest.len());
            if end == 0 {
                return Err(format!(
                    "`{}` where a name should be; others than of letters stand in braces",
                    self.shown()
                ));
            }
            let (name, rest) = self.rest.split_at(end);
            self.rest = rest;
            return Ok(name.to_owned());
        }
        let mut name = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '}' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(name);
                }
                '\\' => name.extend(chars.next().map(|(_, c)| c)),
                _ => name.push(c),
            }
        }
        Err("a name in braces that is not closed".to_owned())
    }

    pub(super) fn number(&mut self) -> Result<u64, String> {
        self.skip_space();
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let shown = self.shown();
        self.rest = rest;
        let power = rest.chars().next().and_then(|c| "KMGTPE".find(c)).map_or(0, |at| at as u32 + 1);
        if power > 0 {
            self.rest = &rest[1..];
        }
        let number = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(1000u64.pow(power)));
        number.ok_or_else(|| format!("`{shown}` where a number below 2^64 should be"))
    }

    /// The mark of an arc. Only those from places to transitions are others than normal.
    fn arc(&mut self, to_transition: bool) -> Result<Arc, String> {
        // No blank stands before the mark.
        let mark = self.rest.chars().next().unwrap_or(' ');
        match mark {
            '*' => {
                self.rest = &self.rest[1..];
                Ok(Arc::Normal(self.number()?))
            }
            '?' if to_transition => {
                self.rest = &self.rest[1..];
                Ok(if self.take("-") { Arc::Inhibitor(self.number()?) } else { Arc::Read(self.number()?) })
            }
            '!' => Err("stopwatches are not supported; without them the net is another one".to_owned()),
            _ => Ok(Arc::Normal(1)),
        }
    }

    /// Steps over the interval that says nothing, and refuses others.
    fn interval(&mut self, transition: &str) -> Result<(), String> {
        self.skip_space();
        if !self.rest.starts_with(['[', ']']) {
            return Ok(());
        }
        let end = self.rest[1..].find(['[', ']']).ok_or("an interval that is not closed")? + 2;
        let (interval, rest) = self.rest.split_at(end);
        self.rest = rest;
        let bare: String = interval.chars().filter(|c| !c.is_whitespace()).collect();
        match bare.as_str() {
            "[0,w[" => Ok(()),
            _ => Err(format!(
                "transition `{transition}` has the interval {interval}; intervals of time are not supported, and without \
                 them the net is another one"
            )),
        }
    }
}

/// The net as a text of this form. Its units are left out.
pub fn write(net: &PetriNet) -> String {
    let mut text = String::new();
    let mut add = |line: std::fmt::Arguments| text.write_fmt(line).unwrap_or_default();
    add(format_args!("net {}\n", quoted(net.name())));
    let label = |name: Option<&String>| name.map_or(String::new(), |name| format!(" : {}", quoted(name)));
    for place in net.places() {
        let marking = if place.initial == 0 { String::new() } else { format!(" ({})", place.initial) };
        add(format_args!("pl {}{}{marking}\n", quoted(&place.id), label(place.name.as_ref())));
    }
    for transition in net.transitions() {
        add(format_args!("tr {}{}", quoted(&transition.id), label(transition.name.as_ref())));
        let weight = |weight: u64| if weight == 1 { String::new() } else { format!("*{weight}") };
        let id = |place: PlaceId| quoted(&net.place(place).id);
        transition.pre.iter().for_each(|arc| add(format_args!(" {}{}", id(arc.place), weight(arc.weight))));
        transition.inhibitors.iter().for_each(|arc| add(format_args!(" {}?-{}", id(arc.place), arc.weight)));
        add(format_args!(" ->"));
        transition.post.iter().for_each(|arc| add(format_args!(" {}{}", id(arc.place), weight(arc.weight))));
        add(format_args!("\n"));
    }
    text
}

/// A name, in braces where it has other characters than letters.
fn quoted(name: &str) -> String {
    if !name.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    let escaped: String = name
        .chars()
        .flat_map(|c| {
            matches!(c, '{' | '}' | '\\').then_some('\\').into_iter().chain([if c == '\n' { ' ' } else { c }])
        })
        .collect();
    format!("{{{escaped}}}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn all_that_is_read() {
        let text = "# comment\nnet {the \\} net}\npl p : {a label} (2K)  # more\ntr t : go [0,w[ p*2 q?3 r?-4 -> s*5 p\n\
                    pl s u -> t*2\ntr u\nlb u out\nnt n 0 {a note}\n";
        let net = read(text, "x.net").unwrap();
        assert_eq!((net.name(), net.place_count(), net.transition_count()), ("the } net", 4, 2));
        let (place, t) = (&net.places()[0], &net.transitions()[0]);
        assert_eq!((place.initial, place.name.as_deref(), t.name.as_deref()), (2000, Some("a label"), Some("go")));
        let arcs =
            |arcs: &[crate::net::Arc]| -> Vec<(u32, u64)> { arcs.iter().map(|a| (a.place.0, a.weight)).collect() };
        // The read arc takes and gives back.
        assert_eq!(arcs(&t.pre), [(0, 2), (1, 3), (3, 2)]);
        assert_eq!(arcs(&t.post), [(0, 1), (1, 3), (3, 5)]);
        assert_eq!(arcs(&t.inhibitors), [(2, 4)]);
        assert_eq!(arcs(&net.transitions()[1].post), [(3, 1)]);
        assert_eq!(net.transitions()[1].name.as_deref(), Some("out"));
    }

    #[test]
    fn what_is_refused_is_placed() {
        for (text, expected) in [
            ("tr t [1,2] p -> q", "x.net:1: transition `t` has the interval [1,2]"),
            ("\ntr t ]0,w[ p -> q", "x.net:2: transition `t` has the interval"),
            ("pr a > b", "x.net:1: priorities"),
            ("tr t p!1 -> q", "x.net:1: stopwatches"),
            ("tr t p -> q?1", "x.net:1: `?1` where a name"),
            ("pl p (1) (2)", "x.net:1: `(2)` where a name"),
            ("pl p 2", "x.net:1: `2` without `->`: a marking stands in brackets"),
            ("pl p a b", "x.net:1: `a b` without `->`"),
            ("pl p (1) a*2 # note", "x.net:1: `a*2 # note` without `->`"),
            ("tr t p q", "x.net:1: `p q` without `->`"),
            ("pl p 2 ->\npl q 3", "x.net:2: `3` without `->`"),
            ("pl p (1)\npl p (2)", "x.net:2: place `p` has a second marking"),
            ("tr t {p -> q", "x.net:1: a name in braces that is not closed"),
            ("tr t p*0 -> q", "x.net:1: "),
            ("pl p (99999999999999999999)", "x.net:1: `99999999999999999999"),
            ("place p", "x.net:1: `place` begins no line"),
            ("tr x x ->", "x.net:1: "),
            ("lb a b", "x.net:1: `a` is no place or transition"),
        ] {
            let error = read(text, "x.net").unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}

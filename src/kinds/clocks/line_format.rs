//! Nets as lines of text, `.pnwc`: for people and for tests.
//!
//! ```text
//! net order
//! clocks a b                     # names of clocks
//! place received init 1 inv a<=2
//! place stock
//! trans register : received cash*2 -> stock when 1<=a<=2 reset a b
//! ```
//!
//! One declaration a line; `#` begins a comment. Parts of a declaration may be left out but not exchanged: `inv`
//! takes the text up to the end of the line, `when` up to `reset`. Places and clocks are declared before their
//! use. What [`write()`] writes, [`read()`] reads to an equal net; identifiers that the format cannot hold are an error
//! of the writer.

use super::error::ReadError;
use super::model::{ClockNet, NetBuilder};
use super::predicate::Predicate;
use std::fmt::Write;

/// Words that end a list in a declaration, and so cannot be identifiers in it.
const KEYWORDS: [&str; 6] = ["init", "inv", "when", "reset", "->", ":"];

/// Reads a net; `source` is the name of the file in messages.
pub fn read(text: &str, source: &str) -> Result<ClockNet, ReadError> {
    let mut builder = NetBuilder::new("net");
    for (number, full) in (1u32..).zip(text.lines()) {
        let line = full.split('#').next().unwrap_or("");
        let mut words = Words { line, at: 0 };
        let result = match words.next() {
            None => Ok(()),
            Some("net") => {
                builder.name(words.next().unwrap_or("net"));
                words.end()
            }
            Some("clocks") => clocks(&mut words, &mut builder),
            Some("place") => place(&mut words, &mut builder),
            Some("trans") => transition(&mut words, &mut builder),
            Some(other) => {
                words.at = 0;
                Err(words
                    .problem(format!("`{other}` begins no declaration; write `net`, `clocks`, `place` or `trans`")))
            }
        };
        result.map_err(|(at, problem)| {
            let column = line.get(..at).unwrap_or(line).chars().count() as u32 + 1;
            ReadError::at(source, number, column, problem)
        })?;
    }
    Ok(builder.build())
}

/// Byte of the line and what is wrong there.
type Problem = (usize, String);

struct Words<'t> {
    line: &'t str,
    at: usize,
}

impl<'t> Words<'t> {
    fn rest(&self) -> &'t str {
        self.line.get(self.at..).unwrap_or("")
    }

    fn next(&mut self) -> Option<&'t str> {
        let word = self.peek()?;
        self.at += word.len();
        Some(word)
    }

    fn peek(&mut self) -> Option<&'t str> {
        self.at += self.rest().len() - self.rest().trim_start().len();
        self.rest().split_whitespace().next()
    }

    /// A problem with the word that comes next.
    fn problem(&mut self, what: impl Into<String>) -> Problem {
        self.peek();
        (self.at, what.into())
    }

    /// A problem with the word that was just read.
    fn before(&self, word: &str, what: impl ToString) -> Problem {
        (self.at.saturating_sub(word.len()), what.to_string())
    }

    fn end(&mut self) -> Result<(), Problem> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(self.problem(format!("`{word}` is not expected here; end the line before it"))),
        }
    }

    /// The predicate in the text up to a word, or to the end of the line.
    fn predicate(&mut self, until: Option<&str>, builder: &NetBuilder) -> Result<Predicate, Problem> {
        let rest = self.rest();
        let mut ahead = Words { line: rest, at: 0 };
        let mut length = rest.len();
        if let Some(until) = until {
            while let Some(word) = ahead.next() {
                if word == until {
                    length = ahead.at - word.len();
                    break;
                }
            }
        }
        let start = self.at;
        self.at += length;
        Predicate::parse(&rest[..length], builder.clocks()).map_err(|e| (start + e.offset, e.problem))
    }
}

fn clocks(words: &mut Words<'_>, builder: &mut NetBuilder) -> Result<(), Problem> {
    while let Some(name) = words.next() {
        builder.clock(name).map_err(|e| words.before(name, e))?;
    }
    Ok(())
}

fn place(words: &mut Words<'_>, builder: &mut NetBuilder) -> Result<(), Problem> {
    let Some(id) = words.next() else { return Err(words.problem("expected the identifier of the place")) };
    let id_at = words.at - id.len();
    let mut initial = 0;
    if words.peek() == Some("init") {
        words.next();
        let number = words.next().unwrap_or("");
        initial = number
            .parse()
            .map_err(|_| words.before(number, "expected a number of tokens after `init`, up to 4294967295"))?;
    }
    let mut invariant = Predicate::True;
    if words.peek() == Some("inv") {
        words.next();
        invariant = words.predicate(None, builder)?;
    }
    words.end()?;
    builder.place(id, initial, invariant).map_err(|e| (id_at, e.to_string()))?;
    Ok(())
}

fn transition(words: &mut Words<'_>, builder: &mut NetBuilder) -> Result<(), Problem> {
    let Some(id) = words.next() else { return Err(words.problem("expected the identifier of the transition")) };
    let id_at = words.at - id.len();
    if words.next() != Some(":") {
        return Err((words.at, "expected ` : ` between the transition and its places".to_owned()));
    }
    let inputs = arcs(words, builder)?;
    if words.next() != Some("->") {
        return Err((words.at, "expected `->` between the places it takes from and those it gives to".to_owned()));
    }
    let outputs = arcs(words, builder)?;
    let mut condition = Predicate::True;
    if words.peek() == Some("when") {
        words.next();
        condition = words.predicate(Some("reset"), builder)?;
    }
    let mut resets = Vec::new();
    if words.peek() == Some("reset") {
        words.next();
        while let Some(name) = words.next() {
            resets.push(builder.find_clock(name).map_err(|e| words.before(name, e))?);
        }
    }
    words.end()?;
    let at_id = |e: super::model::BuildError| (id_at, e.to_string());
    let t = builder.transition(id, condition, &resets).map_err(at_id)?;
    for (place, weight) in inputs {
        builder.input(t, place, weight).map_err(at_id)?;
    }
    for (place, weight) in outputs {
        builder.output(t, place, weight).map_err(at_id)?;
    }
    Ok(())
}

fn arcs(words: &mut Words<'_>, builder: &NetBuilder) -> Result<Vec<(super::model::PlaceId, u32)>, Problem> {
    let mut arcs = Vec::new();
    while let Some(word) = words.peek() {
        if KEYWORDS.contains(&word) {
            break;
        }
        words.next();
        let (id, weight) = match word.rsplit_once('*') {
            None => (word, 1),
            Some((id, weight)) => {
                let weight = weight.parse().ok().filter(|&w: &u32| w > 0);
                (id, weight.ok_or_else(|| words.before(word, "expected a weight after `*`, 1 to 4294967295"))?)
            }
        };
        arcs.push((builder.find_place(id).map_err(|e| words.before(word, e))?, weight));
    }
    Ok(arcs)
}

/// A net that the format cannot hold, since an identifier has blanks or signs that mean something in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` cannot be an identifier in a .pnwc file; rename it, or write PNML")]
pub struct WriteError(pub String);

/// Writes a net.
pub fn write(net: &ClockNet) -> Result<String, WriteError> {
    let ids = net.places.iter().map(|p| &p.id).chain(net.transitions.iter().map(|t| &t.id));
    for id in ids.chain(&net.clocks) {
        let bad = |c: char| c.is_whitespace() || "#*".contains(c);
        if id.is_empty() || id.contains(bad) || KEYWORDS.contains(&id.as_str()) {
            return Err(WriteError(id.clone()));
        }
    }
    for clock in &net.clocks {
        if clock.contains(|c| "<>=!&|()-+".contains(c)) || ["true", "false"].contains(&clock.as_str()) {
            return Err(WriteError(clock.clone()));
        }
    }
    let name = net.name.split_whitespace().next().filter(|n| !n.contains('#')).unwrap_or("net");
    let mut out = format!("net {name}\n");
    // Writing to a string cannot fail.
    let _ = writeln!(out, "clocks {}", net.clocks.join(" "));
    for p in &net.places {
        let _ = write!(out, "place {}", p.id);
        if p.initial > 0 {
            let _ = write!(out, " init {}", p.initial);
        }
        if p.invariant != Predicate::True {
            let _ = write!(out, " inv {}", p.invariant.to_text(&net.clocks));
        }
        out.push('\n');
    }
    for t in &net.transitions {
        let _ = write!(out, "trans {} :", t.id);
        for (sign, arcs) in [("", &t.inputs), (" ->", &t.outputs)] {
            out.push_str(sign);
            for a in arcs {
                let _ = write!(out, " {}", net.places[a.place.index()].id);
                if a.weight > 1 {
                    let _ = write!(out, "*{}", a.weight);
                }
            }
        }
        if t.condition != Predicate::True {
            let _ = write!(out, " when {}", t.condition.to_text(&net.clocks));
        }
        if !t.resets.is_empty() {
            let names: Vec<&str> = t.resets.iter().map(|c| net.clocks[c.index()].as_str()).collect();
            let _ = write!(out, " reset {}", names.join(" "));
        }
        out.push('\n');
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const NET: &str = "net n\nclocks a b\nplace p init 1 inv a<=2 # a comment\nplace q\n\
                       trans t : p q*2 -> q when 1<=a<=2 | b>3/2 reset a b\ntrans u : -> p\n";

    #[test]
    fn round_trip() {
        let net = read(NET, "n").unwrap();
        assert_eq!(net.transitions[0].inputs[1].weight, 2);
        assert_eq!(read(&write(&net).unwrap(), "n").unwrap(), net);
    }

    #[test]
    fn errors_say_where() {
        for (text, place) in [
            ("clocks a\nplace p inv a<=", "f:2:16"),
            ("clocks a\nplace p inv c<=2", "f:2:13"),
            ("place p\ntrans t : p x -> p", "f:2:13"),
            ("place p\nplace p", "f:2:7"),
            ("plaice p", "f:1:1"),
            ("place p init many", "f:1:14"),
            ("place p 7", "f:1:9"),
            ("clocks a\nplace p\ntrans t : p -> p*0", "f:3:16"),
            ("clocks a\nplace p\ntrans t : p -> p when a<1 reset b", "f:3:33"),
        ] {
            let e = read(text, "f").unwrap_err().to_string();
            assert!(e.starts_with(&format!("{place}: ")), "{text}: {e}");
        }
    }
}

//! Place/transition nets as LoLA reads them (`.lola`).
//!
//! ```text
//! { A lock: take and release. }
//! PLACE SAFE: free, held; log;
//! MARKING free: 1;
//! TRANSITION take CONSUME free; PRODUCE held, log: 2;
//! TRANSITION release CONSUME held: 1; PRODUCE free;
//! ```
//!
//! Comments stand in braces or after `//`. What `SAFE` claims is not used: it is found out. Refused are high-level nets
//! (`SORT`, `VAR`, `FUNCTION`). Arcs from a place to a transition that are listed twice add up.
//!
//! `TRANSITION t STRONG FAIR` and `WEAK FAIR` are assumptions about the paths that formulas are about ([`read_fair`]).
//!
//! *Source*: the manual of LoLA 2 (Wolf, "Petri net model checking with LoLA 2", Petri Nets 2018), its file formats.

use crate::formula::{AssumptionKind, quoted};
use crate::kinds::TextError;
use crate::net::{NetBuilder, PetriNet, PlaceId};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::path::Path;

/// Characters that end a name.
const SPECIAL: [char; 7] = [',', ';', ':', '(', ')', '{', '}'];
/// Words that are no names.
const KEYWORDS: [&str; 9] = ["PLACE", "MARKING", "TRANSITION", "CONSUME", "PRODUCE", "SAFE", "STRONG", "WEAK", "FAIR"];

/// Does a text begin like a net of this form?
pub(super) fn is_lola(text: &str) -> bool {
    let mut tokens = Tokens { text, at: 0 };
    matches!(tokens.next(), Ok("PLACE" | "SORT" | "CONSTANT" | "FUNCTION"))
}

/// Read a net; `file` is its name in messages and, without its extension, that of the net.
///
/// ```
/// let text = "PLACE p, q; MARKING p: 2; TRANSITION t CONSUME p; PRODUCE q: 3;";
/// let net = starset::kinds::net::formats::lola::read(text, "pq.lola")?;
/// assert_eq!((net.name(), net.place_count(), net.places()[0].initial), ("pq", 2, 2));
/// # Ok::<(), starset::kinds::TextError>(())
/// ```
///
/// # Errors
/// [`TextError`] where the text is not of this form, or has what is refused; also where it assumes fairness of transitions, since
/// formulas mean something else then.
pub fn read(text: &str, file: &str) -> Result<PetriNet, TextError> {
    match read_fair(text, file)? {
        (net, fair) if fair.is_empty() => Ok(net),
        _ => Err(TextError::new(
            file,
            1,
            "it assumes fairness of transitions; read it with these assumptions".to_owned(),
        )),
    }
}

/// As [`read`], with assumptions about paths, each as a line of a file of formulas has it: `strong-fair t`.
///
/// # Errors
/// [`TextError`] where the text is not of this form, or has what is refused.
pub fn read_fair(text: &str, file: &str) -> Result<(PetriNet, Vec<String>), TextError> {
    let stem = Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    let mut tokens = Tokens { text, at: 0 };
    net(&mut tokens, &stem).map_err(|message| {
        let line = 1 + text.get(..tokens.at).unwrap_or(text).matches('\n').count();
        TextError::new(file, line, message)
    })
}

fn net(tokens: &mut Tokens, name: &str) -> Result<(PetriNet, Vec<String>), String> {
    let mut fair = Vec::new();
    let mut builder = NetBuilder::new(name);
    let mut places: FxHashMap<String, PlaceId> = FxHashMap::default();
    match tokens.next()? {
        "PLACE" => {}
        "SORT" | "CONSTANT" | "FUNCTION" => {
            return Err("high-level nets are not supported; unfold it with LoLA".to_owned());
        }
        other => return Err(format!("`{other}` where `PLACE` should begin the net")),
    }
    while tokens.peek()? != "MARKING" {
        if tokens.take("SAFE")? {
            if tokens.peek()? != ":" {
                tokens.number()?;
            }
            tokens.expect(":")?;
        }
        loop {
            let name = tokens.name("a place")?;
            let place = builder.place(name, 0).map_err(|error| error.to_string())?;
            places.insert(name.to_owned(), place);
            if !tokens.take(",")? {
                break;
            }
        }
        tokens.expect(";")?;
    }
    tokens.expect("MARKING")?;
    let mut marked: FxHashMap<PlaceId, u64> = FxHashMap::default();
    for (place, tokens) in tokens.list(&places)? {
        if marked.insert(place, tokens).is_some() {
            return Err("a place is listed twice in the marking".to_owned());
        }
        builder.set_initial(place, tokens);
    }
    while !tokens.peek()?.is_empty() {
        tokens.expect("TRANSITION")?;
        let name = tokens.name("a transition")?;
        let transition = builder.transition(name).map_err(|error| error.to_string())?;
        for (word, kind) in [("STRONG", AssumptionKind::StrongFair), ("WEAK", AssumptionKind::WeakFair)] {
            if tokens.take(word)? {
                tokens.expect("FAIR")?;
                fair.push(format!("{} {}", kind.word(), quoted(name)));
            }
        }
        tokens.expect("CONSUME")?;
        for (place, weight) in tokens.list(&places)? {
            builder.input(place, transition, weight).map_err(|error| error.to_string())?;
        }
        tokens.expect("PRODUCE")?;
        for (place, weight) in tokens.list(&places)? {
            builder.output(transition, place, weight).map_err(|error| error.to_string())?;
        }
    }
    Ok((builder.build().map_err(|error| error.to_string())?, fair))
}

/// The words and signs of a text.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    /// Step over blanks and comments.
    fn skip(&mut self) -> Result<(), String> {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start().len();
            let rest = &self.text[self.at..];
            if rest.starts_with('{') {
                self.at += rest.find('}').ok_or("a comment that is not closed")? + 1;
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else {
                return Ok(());
            }
        }
    }

    /// The next word or sign; empty at the end.
    fn peek(&mut self) -> Result<&'a str, String> {
        self.skip()?;
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| c.is_whitespace() || SPECIAL.contains(&c)).unwrap_or(rest.len());
        let sign = rest.chars().next().map_or(0, char::len_utf8);
        Ok(&rest[..if end == 0 { sign } else { end }])
    }

    fn next(&mut self) -> Result<&'a str, String> {
        let word = self.peek()?;
        self.at += word.len();
        Ok(word)
    }

    fn take(&mut self, what: &str) -> Result<bool, String> {
        let found = self.peek()? == what;
        self.at += if found { what.len() } else { 0 };
        Ok(found)
    }

    fn expect(&mut self, what: &str) -> Result<(), String> {
        match self.take(what)? {
            true => Ok(()),
            false => Err(format!("{} where `{what}` should be", shown(self.peek()?))),
        }
    }

    fn name(&mut self, what: &str) -> Result<&'a str, String> {
        let word = self.peek()?;
        if !is_name(word) {
            return Err(format!("{} where the name of {what} should be", shown(word)));
        }
        self.next()
    }

    fn number(&mut self) -> Result<u64, String> {
        let word = self.peek()?;
        let number = word.parse().map_err(|_| format!("{} where a number below 2^64 should be", shown(word)))?;
        self.at += word.len();
        Ok(number)
    }

    /// Places with numbers, up to the semicolon.
    fn list(&mut self, places: &FxHashMap<String, PlaceId>) -> Result<Vec<(PlaceId, u64)>, String> {
        let mut list = Vec::new();
        while !self.take(";")? {
            if !list.is_empty() {
                self.expect(",")?;
            }
            let word = self.peek()?;
            let place = *places.get(word).ok_or_else(|| format!("{} is not a place", shown(word)))?;
            self.at += word.len();
            list.push((place, if self.take(":")? { self.number()? } else { 1 }));
        }
        Ok(list)
    }
}

fn shown(word: &str) -> String {
    if word.is_empty() { "the end".to_owned() } else { format!("`{}`", word.chars().take(40).collect::<String>()) }
}

fn is_name(word: &str) -> bool {
    !word.is_empty()
        && !KEYWORDS.contains(&word)
        && !word.starts_with("//")
        && !word.contains(|c: char| c.is_whitespace() || SPECIAL.contains(&c))
}

/// The net as a text of this form. Display names and units are left out.
///
/// # Errors
/// A name or an inhibitor arc that has no place in it, as a sentence.
pub fn write(net: &PetriNet) -> Result<String, String> {
    let name = |name: &str| match is_name(name) {
        true => Ok(name.to_owned()),
        false => Err(format!("the name `{name}` cannot be written for LoLA")),
    };
    let mut text = String::new();
    let mut add = |line: String| text.write_str(&line).unwrap_or_default();
    let places = net.places().iter().map(|place| name(&place.id)).collect::<Result<Vec<_>, _>>()?;
    let listed = |arcs: &[crate::net::Arc]| {
        let one = |arc: &crate::net::Arc| format!("{}: {}", places[arc.place.index()], arc.weight);
        arcs.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let declared = if places.is_empty() { String::new() } else { format!("\n  {};", places.join(",\n  ")) };
    add(format!("PLACE{declared}\n"));
    let marked = net.places().iter().zip(&places).filter(|(place, _)| place.initial > 0);
    let marked: Vec<String> = marked.map(|(place, name)| format!("{name}: {}", place.initial)).collect();
    add(format!("MARKING {};\n", marked.join(", ")));
    for transition in net.transitions() {
        if !transition.inhibitors.is_empty() {
            return Err(format!("transition `{}` has inhibitor arcs, which LoLA does not have", transition.id));
        }
        let (pre, post) = (listed(&transition.pre), listed(&transition.post));
        add(format!("TRANSITION {}\n  CONSUME {pre};\n  PRODUCE {post};\n", name(&transition.id)?));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn all_that_is_read() {
        let text = "{ a net } PLACE SAFE 3: p, q; SAFE: r; s-1;\n// more\nMARKING p: 2, q;\n\
                    TRANSITION t.1 CONSUME p: 2, p; PRODUCE q,r:5;\nTRANSITION u CONSUME; PRODUCE ;";
        let net = read(text, "x.lola").unwrap();
        let initial: Vec<(&str, u64)> = net.places().iter().map(|place| (place.id.as_str(), place.initial)).collect();
        assert_eq!(initial, [("p", 2), ("q", 1), ("r", 0), ("s-1", 0)]);
        let t = &net.transitions()[0];
        assert_eq!((t.id.as_str(), t.pre[0].weight, t.post.len(), t.post[1].weight), ("t.1", 3, 2, 5));
        assert!(net.transitions()[1].pre.is_empty() && is_lola(text) && !is_lola("net x"));
    }

    #[test]
    fn assumptions_about_transitions() {
        let text = "PLACE p; MARKING p; TRANSITION t-1 STRONG FAIR CONSUME p; PRODUCE p;\n\
                    TRANSITION u WEAK FAIR CONSUME p; PRODUCE p; TRANSITION v CONSUME p; PRODUCE p;";
        let (net, fair) = read_fair(text, "x.lola").unwrap();
        assert_eq!((net.transitions().len(), fair.join("; ").as_str()), (3, "strong-fair \"t-1\"; weak-fair u"));
    }

    #[test]
    fn what_is_refused_is_placed() {
        for (text, expected) in [
            ("SORT a = [1, 2];", "x.lola:1: high-level nets"),
            ("PLACE p;\nMARKING p;\nTRANSITION t STRONG CONSUME;", "x.lola:3: `CONSUME` where `FAIR` should be"),
            ("PLACE p;\nMARKING p;\nTRANSITION t STRONG FAIR CONSUME; PRODUCE;", "x.lola:1: it assumes fairness"),
            ("PLACE p;\nMARKING q;", "x.lola:2: `q` is not a place"),
            ("PLACE p, p;", "x.lola:1: "),
            ("PLACE p;\nMARKING p, p;", "x.lola:2: a place is listed twice"),
            ("PLACE p; MARKING p: x;", "x.lola:1: `x` where a number"),
            ("PLACE p; MARKING", "x.lola:1: the end is not a place"),
            ("PLACE { open", "x.lola:1: a comment that is not closed"),
            ("PLACE p; MARKING; TRANSITION t CONSUME p PRODUCE", "x.lola:1: `PRODUCE` where `,` should be"),
            ("", "x.lola:1: `` where"),
        ] {
            let error = read(text, "x.lola").unwrap_err().to_string();
            let expected = expected.replace("`` where", "`");
            assert!(error.starts_with(&expected), "{text}: {error}");
        }
    }
}

//! PNML with clocks: the net stays readable for every tool without time.
//!
//! What time adds stands in `<toolspecific tool="pnwc" version="1">` (or with this program's name, which is what is
//! written) of the net, its places and its transitions: `<clock id="x"/>`, `<invariant>`, `<condition>` and
//! `<reset clock="x"/>`. The clocks of a net come before they are used, or after: constraints are read at the end.
//!
//! The reader is a thin one of its own, since the one of [`crate::kinds::net`] takes these sections for those of another
//! tool. Names are not kept; pages are flattened; other tools' sections are skipped.

use super::error::ReadError;
use super::model::{ClockNet, NetBuilder};
use super::predicate::Predicate;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use std::fmt::Write;

/// The names of tools whose sections are read; the first is written.
const TOOLS: [&str; 2] = ["starset", "pnwc"];

/// What the tool-specific section of a place or transition says: text, not yet read.
#[derive(Clone, Default, Debug)]
pub struct Timing {
    /// The text of `<invariant>` or `<condition>`, and where it is.
    pub constraint: Option<(String, usize)>,
    /// The clocks of `<reset>`, and where they are.
    pub resets: Vec<(String, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Place,
    Transition,
    Arc,
}

struct Item {
    kind: Kind,
    id: String,
    at: usize,
    timing: Timing,
    /// Tokens or weight.
    number: Option<u32>,
    source: String,
    target: String,
}

/// Reads a net; `source` is the name of the file in messages.
pub fn read(text: &str, source: &str) -> Result<ClockNet, ReadError> {
    let mut parse = Parse { text, source, items: Vec::new(), clocks: Vec::new(), name: String::new() };
    parse.events()?;
    parse.build()
}

struct Parse<'t> {
    text: &'t str,
    source: &'t str,
    items: Vec<Item>,
    clocks: Vec<(String, usize)>,
    name: String,
}

impl Parse<'_> {
    fn error(&self, at: usize, problem: impl ToString) -> ReadError {
        let before = self.text.get(..at.min(self.text.len())).unwrap_or("");
        let line = before.matches('\n').count() as u32 + 1;
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) as u32 + 1;
        ReadError::at(self.source, line, column, problem.to_string())
    }

    fn events(&mut self) -> Result<(), ReadError> {
        let mut reader = Reader::from_str(self.text);
        reader.config_mut().expand_empty_elements = true;
        let mut stack: Vec<String> = Vec::new();
        let (mut text, mut skipping, mut nets) = (String::new(), 0usize, 0);
        loop {
            let at = reader.buffer_position() as usize;
            let event = reader.read_event().map_err(|e| self.error(at, format!("this is not XML: {e}")))?;
            match event {
                Event::Start(e) => {
                    let name = String::from_utf8_lossy(e.local_name().as_ref()).into_owned();
                    text.clear();
                    let foreign = name == "toolspecific"
                        && !self.attribute(&e, "tool", at)?.is_some_and(|t| TOOLS.contains(&t.as_str()));
                    if skipping > 0 || foreign || name == "graphics" {
                        skipping += 1;
                    } else {
                        self.start(&name, &e, at, &stack)?;
                        nets += usize::from(name == "net");
                    }
                    stack.push(name);
                    if stack.len() > 64 {
                        return Err(self.error(at, "elements are nested more than 64 deep; flatten the pages"));
                    }
                }
                Event::Text(t) => text.push_str(&t.decode().map_err(|e| self.error(at, e))?),
                Event::CData(t) => text.push_str(&t.decode().map_err(|e| self.error(at, e))?),
                Event::GeneralRef(r) => text.push_str(match r.decode().map_err(|e| self.error(at, e))?.as_ref() {
                    "lt" => "<",
                    "gt" => ">",
                    "amp" => "&",
                    "quot" => "\"",
                    "apos" => "'",
                    other => return Err(self.error(at, format!("the entity `&{other};` is not read; write the sign"))),
                }),
                Event::End(_) => {
                    let Some(name) = stack.pop() else { continue };
                    if skipping > 0 {
                        skipping -= 1;
                    } else {
                        self.end(&name, &text, at, &stack)?;
                    }
                    text.clear();
                }
                Event::Eof if !stack.is_empty() => {
                    return Err(self.error(at, format!("the file ends inside `<{}>`", stack[stack.len() - 1])));
                }
                Event::Eof => break,
                _ => {}
            }
        }
        match nets {
            1 => Ok(()),
            0 => Err(self.error(0, "there is no `<net>`; give a PNML file")),
            _ => Err(self.error(0, "there is more than one `<net>`; give a file for each")),
        }
    }

    fn attribute(&self, e: &BytesStart<'_>, name: &str, at: usize) -> Result<Option<String>, ReadError> {
        let found = e.try_get_attribute(name).map_err(|p| self.error(at, p))?;
        let value = found.map(|a| String::from_utf8_lossy(&a.value).into_owned());
        Ok(value.map(|v| v.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")))
    }

    fn required(&self, e: &BytesStart<'_>, element: &str, name: &str, at: usize) -> Result<String, ReadError> {
        let value = self.attribute(e, name, at)?;
        value.ok_or_else(|| self.error(at, format!("`<{element}>` has no `{name}`; add it")))
    }

    fn start(&mut self, name: &str, e: &BytesStart<'_>, at: usize, stack: &[String]) -> Result<(), ReadError> {
        let in_tool = stack.last().is_some_and(|s| s == "toolspecific");
        let kind = match name {
            "place" => Kind::Place,
            "transition" => Kind::Transition,
            "arc" => Kind::Arc,
            "net" => {
                self.name = self.attribute(e, "id", at)?.unwrap_or_default();
                return Ok(());
            }
            "clock" if in_tool => {
                self.clocks.push((self.required(e, name, "id", at)?, at));
                return Ok(());
            }
            "reset" if in_tool => {
                let clock = self.required(e, name, "clock", at)?;
                let Some(item) = self.items.last_mut().filter(|i| i.kind == Kind::Transition) else {
                    return Err(self.error(at, "`<reset>` belongs to a transition"));
                };
                item.timing.resets.push((clock, at));
                return Ok(());
            }
            "inhibitorArc" => return Err(self.error(at, "inhibitor arcs do not exist in nets with clocks")),
            _ => return Ok(()),
        };
        let id = self.required(e, name, "id", at)?;
        let arc = kind == Kind::Arc;
        let end = |end: &str| if arc { self.required(e, name, end, at) } else { Ok(String::new()) };
        let (source, target) = (end("source")?, end("target")?);
        self.items.push(Item { kind, id, at, timing: Timing::default(), number: None, source, target });
        Ok(())
    }

    fn end(&mut self, name: &str, text: &str, at: usize, stack: &[String]) -> Result<(), ReadError> {
        let parent = stack.last().map_or("", String::as_str);
        let start = at.saturating_sub(text.len());
        match (name, parent) {
            ("text", "initialMarking" | "inscription") => {
                let number = text.trim().parse().map_err(|_| {
                    self.error(at, format!("`{}` is no number of tokens, 0 to 4294967295", text.trim()))
                })?;
                if let Some(item) = self.items.last_mut() {
                    item.number = Some(number);
                }
            }
            ("text", "type" | "arctype") if !["normal", "regular"].contains(&text.trim()) => {
                return Err(
                    self.error(at, format!("arcs of the type `{}` do not exist in nets with clocks", text.trim()))
                );
            }
            ("invariant" | "condition", "toolspecific") => {
                let kind = if name == "invariant" { Kind::Place } else { Kind::Transition };
                match self.items.last_mut().filter(|i| i.kind == kind && i.timing.constraint.is_none()) {
                    Some(item) => item.timing.constraint = Some((text.to_owned(), start)),
                    None => {
                        let of = if name == "invariant" { "a place" } else { "a transition" };
                        return Err(self.error(at, format!("`<{name}>` stands once, in {of}")));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn build(&self) -> Result<ClockNet, ReadError> {
        let mut builder = NetBuilder::new(&self.name);
        for (clock, at) in &self.clocks {
            builder.clock(clock).map_err(|e| self.error(*at, e))?;
        }
        let predicate = |builder: &NetBuilder, timing: &Timing| match &timing.constraint {
            None => Ok(Predicate::True),
            // Entities are longer in the file than in the text, so the place is the start of the text.
            Some((text, at)) => Predicate::parse(text, builder.clocks())
                .map_err(|e| self.error(*at, format!("{} at sign {} of `{text}`", e.problem, e.offset + 1))),
        };
        for item in self.items.iter().filter(|i| i.kind == Kind::Place) {
            let invariant = predicate(&builder, &item.timing)?;
            builder.place(&item.id, item.number.unwrap_or(0), invariant).map_err(|e| self.error(item.at, e))?;
        }
        let mut ids = rustc_hash::FxHashMap::default();
        for item in self.items.iter().filter(|i| i.kind == Kind::Transition) {
            let condition = predicate(&builder, &item.timing)?;
            let mut resets = Vec::new();
            for (clock, at) in &item.timing.resets {
                resets.push(builder.find_clock(clock).map_err(|e| self.error(*at, e))?);
            }
            let t = builder.transition(&item.id, condition, &resets).map_err(|e| self.error(item.at, e))?;
            ids.insert(item.id.as_str(), t);
        }
        for item in self.items.iter().filter(|i| i.kind == Kind::Arc) {
            let weight = item.number.unwrap_or(1);
            let (t, place, input) = match (ids.get(item.source.as_str()), ids.get(item.target.as_str())) {
                (None, Some(&t)) => (t, &item.source, true),
                (Some(&t), None) => (t, &item.target, false),
                _ => {
                    let problem = format!("the arc `{}` does not join a place and a transition", item.id);
                    return Err(self.error(item.at, problem));
                }
            };
            let place = builder.find_place(place).map_err(|e| self.error(item.at, e))?;
            let added = if input { builder.input(t, place, weight) } else { builder.output(t, place, weight) };
            added.map_err(|e| self.error(item.at, e))?;
        }
        Ok(builder.build())
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Writes a net.
pub fn write(net: &ClockNet) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let tool = format!("<toolspecific tool=\"{}\" version=\"1\">", TOOLS[0]);
    let named = |id: &str| format!("id=\"{0}\"><name><text>{0}</text></name>", escaped(id));
    // Writing to a string cannot fail.
    out.push_str("<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n");
    let kind = "http://www.pnml.org/version-2009/grammar/ptnet";
    let _ = writeln!(out, " <net id=\"{}\" type=\"{kind}\">", escaped(&net.name));
    let _ = writeln!(out, "  <name><text>{}</text></name>", escaped(&net.name));
    let clocks: String = net.clocks.iter().map(|c| format!("<clock id=\"{}\"/>", escaped(c))).collect();
    if !clocks.is_empty() {
        let _ = writeln!(out, "  {tool}{clocks}</toolspecific>");
    }
    out.push_str("  <page id=\"page0\">\n");
    for p in &net.places {
        let _ = write!(out, "   <place {}", named(&p.id));
        if p.initial > 0 {
            let _ = write!(out, "<initialMarking><text>{}</text></initialMarking>", p.initial);
        }
        if p.invariant != Predicate::True {
            let text = escaped(&p.invariant.to_text(&net.clocks));
            let _ = write!(out, "{tool}<invariant>{text}</invariant></toolspecific>");
        }
        out.push_str("</place>\n");
    }
    for t in &net.transitions {
        let _ = write!(out, "   <transition {}", named(&t.id));
        let mut timing = String::new();
        if t.condition != Predicate::True {
            let _ = write!(timing, "<condition>{}</condition>", escaped(&t.condition.to_text(&net.clocks)));
        }
        for c in &t.resets {
            let _ = write!(timing, "<reset clock=\"{}\"/>", escaped(&net.clocks[c.index()]));
        }
        if !timing.is_empty() {
            let _ = write!(out, "{tool}{timing}</toolspecific>");
        }
        out.push_str("</transition>\n");
    }
    let mut number = 0;
    for t in &net.transitions {
        for (arcs, input) in [(&t.inputs, true), (&t.outputs, false)] {
            for a in arcs {
                number += 1;
                let (place, transition) = (escaped(&net.places[a.place.index()].id), escaped(&t.id));
                let (source, target) = if input { (place, transition) } else { (transition, place) };
                let _ = write!(out, "   <arc id=\"a{number}\" source=\"{source}\" target=\"{target}\">");
                let _ = writeln!(out, "<inscription><text>{}</text></inscription></arc>", a.weight);
            }
        }
    }
    out.push_str("  </page>\n </net>\n</pnml>\n");
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn refusals_say_where() {
        let wrap = |inside: &str| {
            format!(
                "<pnml><net id=\"n\">\n<toolspecific tool=\"pnwc\" version=\"1\"><clock id=\"x\"/></toolspecific>\n{inside}</net></pnml>"
            )
        };
        for (text, expected) in [
            (
                wrap(
                    "<place id=\"p\"><toolspecific tool=\"pnwc\"><invariant>x&lt;=</invariant></toolspecific></place>",
                ),
                "f:3:",
            ),
            (
                wrap(
                    "<transition id=\"t\"><toolspecific tool=\"pnwc\"><reset clock=\"z\"/></toolspecific></transition>",
                ),
                "f:3:46: `z`",
            ),
            (wrap("<place id=\"p\"/><place id=\"p\"/>"), "f:3:16: `p`"),
            (wrap("<place/>"), "f:3:1: `<place>`"),
            ("<pnml><net id=\"n\">".to_owned(), "f:1:"),
            ("<pnml/>".to_owned(), "f:1:1: there is no"),
        ] {
            let e = read(&text, "f").unwrap_err().to_string();
            assert!(e.starts_with(expected), "{e}");
        }
    }

    #[test]
    fn other_tools_are_skipped() {
        let text = "<pnml><net id=\"n\"><place id=\"p\"><toolspecific tool=\"other\"><invariant>?</invariant></toolspecific></place></net></pnml>";
        assert_eq!(read(text, "f").unwrap().places[0].invariant, Predicate::True);
    }
}

//! PNML with clocks: the net stays readable for every tool without time.
//!
//! Timing stands in `<toolspecific tool="pnwc" version="1">` (or with this program's name, which is what is
//! written) of the net, its places and its transitions: `<clock id="x"/>`, `<invariant>`, `<condition>` and
//! `<reset clock="x"/>`. The clocks of a net come before they are used, or after: constraints are read at the end.
//!
//! Two passes over the text. The net itself is read by the reader of [`crate::kinds::net`], with all that it understands
//! (pages, references, read arcs) and refuses; the other pass reads the sections with clocks and nothing else. What a net
//! with clocks does not have, inhibitor arcs above all, is refused by name. Display names are not kept.

use super::error::ReadError;
use super::model::ClockNet;
use super::predicate::{ClockId, Predicate};
use crate::kinds::net::pnml::{CLOCK_TOOLS, MAX_FILE_BYTES, PnmlError, Time, read_without_clocks};
use crate::xml::{Event, Limits, Location, XmlCursor, XmlError};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The section of a place or transition: text, not yet read, and its place.
#[derive(Default)]
struct Timing {
    constraint: Option<(String, Location)>,
    resets: Vec<(String, Location)>,
}

/// Reads a net; `source` is the name of the file in messages.
///
/// # Errors
/// The problem and its place.
pub fn read(text: &str, source: &str) -> Result<ClockNet, ReadError> {
    let net = read_without_clocks(text, source).map_err(|e| refused(&e))?;
    let mut timed = ClockNet::of_net(&net).map_err(|e| ReadError::about(source, e.to_string()))?;
    let sections = Sections::read(text, source)?;
    let at = |location: Location, problem: String| error(source, location, problem);
    for (clock, location) in sections.clocks {
        if timed.clocks.contains(&clock) {
            return Err(at(location, format!("`{clock}` is declared twice; give every clock a name of its own")));
        }
        timed.clocks.push(clock);
    }
    let mut timings = sections.timings;
    let predicate = |timing: &mut Timing, clocks: &[String]| match timing.constraint.take() {
        None => Ok(Predicate::True),
        // Entities are longer in the file than in the text, so the place is the start of the text.
        Some((text, location)) => Predicate::parse(&text, clocks)
            .map_err(|e| at(location, format!("{} at sign {} of `{text}`", e.problem, e.offset + 1))),
    };
    for place in &mut timed.places {
        if let Some(mut timing) = timings.remove(&place.id) {
            place.invariant = predicate(&mut timing, &timed.clocks)?;
        }
    }
    for transition in &mut timed.transitions {
        let Some(mut timing) = timings.remove(&transition.id) else { continue };
        transition.condition = predicate(&mut timing, &timed.clocks)?;
        for (name, location) in timing.resets {
            let clock = timed.clocks.iter().position(|clock| *clock == name);
            let clock = clock.ok_or_else(|| {
                at(location, format!("`{name}` is no clock of the net; declare it, or correct the name"))
            })?;
            transition.resets.push(ClockId(clock as u32));
        }
        transition.resets.sort_unstable();
        transition.resets.dedup();
    }
    Ok(timed)
}

/// Why the net without its clocks is refused.
fn refused(e: &PnmlError) -> ReadError {
    let problem = match e.time() {
        Some(Time::Ages) => "ages of tokens beside clocks; use one of the two".to_owned(),
        _ => e.problem.to_string(),
    };
    let location = e.location.map(|at| (at.line as u32, at.column as u32));
    ReadError { source: e.source_name.clone(), location, problem }
}

fn error(source: &str, at: Location, problem: impl Into<String>) -> ReadError {
    ReadError::at(source, at.line as u32, at.column as u32, problem)
}

/// The content of the sections with clocks: the clocks, and the timing of nodes by identifier.
#[derive(Default)]
struct Sections {
    clocks: Vec<(String, Location)>,
    timings: FxHashMap<String, Timing>,
}

impl Sections {
    fn read(text: &str, source: &str) -> Result<Sections, ReadError> {
        let wrong = |e: XmlError| error(source, e.location, e.problem.to_string());
        let limits = Limits { total_bytes: MAX_FILE_BYTES, ..Limits::default() };
        let mut xml = XmlCursor::with_limits(text.as_bytes(), limits);
        let mut sections = Sections::default();
        // The node that was opened last: sections stand in it, not in what is beside it.
        let mut node = String::new();
        loop {
            let opened = match xml.advance().map_err(wrong)? {
                Event::End => return Ok(sections),
                Event::Open(name) => name.to_owned(),
                Event::Close(_) | Event::Text(_) => continue,
            };
            match opened.as_str() {
                "place" | "transition" => node = xml.attribute("id").map_err(wrong)?.unwrap_or_default(),
                "graphics" => xml.skip().map_err(wrong)?,
                "toolspecific" => {
                    let tool = xml.attribute("tool").map_err(wrong)?.unwrap_or_default();
                    if CLOCK_TOOLS.contains(&tool.trim()) {
                        sections.section(&mut xml, &node, source)?;
                    } else {
                        xml.skip().map_err(wrong)?;
                    }
                }
                _ => {}
            }
        }
    }

    fn section(&mut self, xml: &mut XmlCursor<&[u8]>, node: &str, source: &str) -> Result<(), ReadError> {
        let wrong = |e: XmlError| error(source, e.location, e.problem.to_string());
        let parent = xml.parent().to_owned();
        while let Some(child) = xml.next_child().map_err(wrong)? {
            let (child, location) = (child.to_owned(), xml.location());
            let required = |xml: &XmlCursor<&[u8]>, attribute| xml.require(attribute).map_err(wrong);
            match (parent.as_str(), child.as_str()) {
                ("net" | "page", "clock") => {
                    self.clocks.push((required(xml, "id")?, location));
                    xml.skip().map_err(wrong)?;
                }
                ("place", "invariant") | ("transition", "condition") => {
                    let text = xml.text().map_err(wrong)?.to_owned();
                    let timing = self.timings.entry(node.to_owned()).or_default();
                    if timing.constraint.replace((text, xml.location())).is_some() {
                        return Err(error(source, location, format!("a second `<{child}>` in `{node}`; keep one")));
                    }
                }
                ("transition", "reset") => {
                    let clock = required(xml, "clock")?;
                    self.timings.entry(node.to_owned()).or_default().resets.push((clock, location));
                    xml.skip().map_err(wrong)?;
                }
                _ => {
                    let problem = format!(
                        "`<{child}>` means nothing in a section of `<{parent}>`; clocks stand in the net, invariants in \
                         places, conditions and resets in transitions"
                    );
                    return Err(error(source, location, problem));
                }
            }
        }
        Ok(())
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Writes a net.
pub fn write(net: &ClockNet) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let tool = format!("<toolspecific tool=\"{}\" version=\"1\">", CLOCK_TOOLS[0]);
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

    fn wrap(inside: &str) -> String {
        let clock = "<toolspecific tool=\"pnwc\" version=\"1\"><clock id=\"x\"/></toolspecific>";
        format!("<pnml><net id=\"n\">\n{clock}<place id=\"o\"/>\n{inside}</net></pnml>")
    }

    fn section(inside: &str) -> String {
        format!("<toolspecific tool=\"pnwc\">{inside}</toolspecific>")
    }

    #[test]
    fn refusals_say_where() {
        let place = |inside: &str| wrap(&format!("<place id=\"p\">{}</place>", section(inside)));
        let transition = |inside: &str| wrap(&format!("<transition id=\"t\">{}</transition>", section(inside)));
        let arc =
            |kind: &str| wrap(&format!("<transition id=\"t\"/>\n<arc id=\"a\" source=\"o\" target=\"t\"{kind}</arc>"));
        for (text, expected) in [
            (place("<invariant>x&lt;=</invariant>"), "f:3:52: expected"),
            (place("<invariant>x&lt;=1</invariant>\n<invariant>x&lt;=2</invariant>"), "f:4:1: a second `<invariant>`"),
            (place("<condition>x&lt;=1</condition>"), "f:3:41: `<condition>` means nothing"),
            (place("<deadline>x&lt;=1</deadline>"), "f:3:41: `<deadline>` means nothing"),
            (transition("<reset clock=\"z\"/>"), "f:3:46: `z` is no clock"),
            (transition("<reset/>"), "f:3:46: "),
            (arc("><type value=\"inhibitor\"/>"), "f:4:1: inhibitor arcs in nets with clocks are not supported"),
            (arc(" inscription=\"[1,2]\">"), "f:4:1: ages of tokens beside clocks"),
            (arc(&format!(">{}", section("<reset clock=\"x\"/>"))), "f:4:61: `<reset>` means nothing"),
            (wrap("<place id=\"p\"/><place id=\"p\"/>"), "f:3:16: the identifier `p`"),
            (wrap(&section("<clock id=\"x\"/>")), "f:3:27: `x` is declared twice"),
            (wrap("<place/>"), "f:3:1: "),
            ("<pnml><net id=\"n\">".to_owned(), "f:1:"),
            ("<pnml/>".to_owned(), "f:1:"),
        ] {
            let e = read(&text, "f").unwrap_err().to_string();
            assert!(e.starts_with(expected), "{e}");
        }
    }

    #[test]
    fn other_tools_are_skipped_and_read_arcs_are_read() {
        let inside = "<place id=\"p\"><toolspecific tool=\"other\"><invariant>?</invariant><place id=\"q\"/></toolspecific>\
                      </place><transition id=\"t\"/><arc id=\"a\" source=\"p\" target=\"t\"><type value=\"read\"/></arc>";
        let net = read(&wrap(inside), "f").unwrap();
        assert!(net.places.iter().all(|place| place.invariant == Predicate::True));
        assert_eq!(net.transitions[0].inputs, net.transitions[0].outputs);
        assert_eq!(net.transitions[0].inputs.len(), 1);
    }
}

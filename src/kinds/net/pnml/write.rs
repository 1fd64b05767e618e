//! Writing a net as PNML (2009 grammar): one page, one line per place and transition.
//!
//! The output is read back by [`read`](super::read) to an equal net. Every node gets a `<name>`, since some tools know
//! nodes by nothing else. Inhibitor arcs are outside the standard; they are marked in the three ways that tools look
//! for, as an attribute of the arc and as the elements `<type>` and `<arctype>` inside it (pm4py knows the last alone,
//! and takes the arc for an ordinary one without it). Read arcs have been folded into pairs of ordinary arcs when the
//! net was built, and are written as such. Final markings and silent transitions are written as ProM and pm4py have
//! them.

use super::arc::ArcKind;
use crate::net::{Nupn, PetriNet};
use std::borrow::Cow;
use std::io::{self, Write};

/// Write `net` to `out`, which should be buffered.
///
/// # Errors
/// Errors of `out`; and [`io::ErrorKind::InvalidInput`] if a net with units has places with blanks in their
/// identifiers, which the NUPN section cannot list, or if a name holds the character U+0000, which XML cannot.
pub fn write(net: &PetriNet, mut out: impl Write) -> io::Result<()> {
    let names = net.places().iter().map(|p| (&p.id, &p.name));
    let mut names = names.chain(net.transitions().iter().map(|t| (&t.id, &t.name)));
    let zero = |text: &str| text.contains('\0');
    if zero(net.name())
        || net.annotations().title.as_deref().is_some_and(zero)
        || names.any(|(id, name)| zero(id) || name.as_deref().is_some_and(zero))
    {
        let text = "a name holds the character U+0000, which XML cannot represent";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    let name = escape(net.name());
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">"#)?;
    writeln!(out, r#"<net id="{name}" type="http://www.pnml.org/version-2009/grammar/ptnet">"#)?;
    let title = net.annotations().title.as_deref().map_or_else(|| name.clone(), escape);
    writeln!(out, "<name><text>{title}</text></name>")?;
    writeln!(out, r#"<page id="{}">"#, unused_prefix(net, "page"))?;
    for place in net.places() {
        let id = escape(&place.id);
        let name = escape(place.name.as_deref().unwrap_or(&place.id));
        write!(out, r#"<place id="{id}"><name><text>{name}</text></name>"#)?;
        if place.initial > 0 {
            write!(out, "<initialMarking><text>{}</text></initialMarking>", place.initial)?;
        }
        writeln!(out, "</place>")?;
    }
    for (t, transition) in net.transition_ids().zip(net.transitions()) {
        let id = escape(&transition.id);
        let name = escape(transition.name.as_deref().unwrap_or(&transition.id));
        let silent = if net.annotations().silent.contains(&t) { SILENT } else { "" };
        writeln!(out, r#"<transition id="{id}"><name><text>{name}</text></name>{silent}</transition>"#)?;
    }
    let mut arcs = Arcs { out: &mut out, prefix: unused_prefix(net, "a"), written: 0 };
    for transition in net.transitions() {
        let t = &transition.id;
        for a in &transition.pre {
            arcs.write(&net.place(a.place).id, t, a.weight, ArcKind::Normal)?;
        }
        for a in &transition.post {
            arcs.write(t, &net.place(a.place).id, a.weight, ArcKind::Normal)?;
        }
        for a in &transition.inhibitors {
            arcs.write(&net.place(a.place).id, t, a.weight, ArcKind::Inhibitor)?;
        }
    }
    let written = arcs.written;
    if let Some(nupn) = net.nupn() {
        write_nupn(net, nupn, written, &mut out)?;
    }
    writeln!(out, "</page>")?;
    write_finals(net, &mut out)?;
    writeln!(out, "</net>\n</pnml>")?;
    out.flush()
}

/// The mark of a transition without an activity.
const SILENT: &str = r#"<toolspecific tool="ProM" version="6.4" activity="$invisible$"/>"#;

/// The markings in which the process is done.
fn write_finals(net: &PetriNet, out: &mut impl Write) -> io::Result<()> {
    let finals = &net.annotations().finals;
    if finals.is_empty() {
        return Ok(());
    }
    writeln!(out, "<finalmarkings>")?;
    for marking in finals {
        write!(out, "<marking>")?;
        // One without places says nothing.
        let nothing = net.place_ids().take(usize::from(marking.is_empty())).map(|place| (place, 0));
        for (place, count) in marking.iter().copied().chain(nothing) {
            write!(out, r#"<place idref="{}"><text>{count}</text></place>"#, escape(&net.place(place).id))?;
        }
        writeln!(out, "</marking>")?;
    }
    writeln!(out, "</finalmarkings>")
}

struct Arcs<'o, W> {
    out: &'o mut W,
    prefix: String,
    written: usize,
}

impl<W: Write> Arcs<'_, W> {
    fn write(&mut self, source: &str, target: &str, weight: u64, kind: ArcKind) -> io::Result<()> {
        let (source, target) = (escape(source), escape(target));
        write!(self.out, r#"<arc id="{}{}" source="{source}" target="{target}""#, self.prefix, self.written)?;
        self.written += 1;
        if kind == ArcKind::Normal && weight == 1 {
            return writeln!(self.out, "/>");
        }
        if kind != ArcKind::Normal {
            write!(self.out, r#" type="{}""#, kind.name())?;
        }
        write!(self.out, ">")?;
        if weight != 1 {
            write!(self.out, "<inscription><text>{weight}</text></inscription>")?;
        }
        if kind != ArcKind::Normal {
            write!(self.out, r#"<type value="{0}"/><arctype><text>{0}</text></arctype>"#, kind.name())?;
        }
        writeln!(self.out, "</arc>")
    }
}

fn write_nupn(net: &PetriNet, nupn: &Nupn, arcs: usize, out: &mut impl Write) -> io::Result<()> {
    let list = |ids: Vec<&str>| -> io::Result<String> {
        if let Some(id) = ids.iter().find(|id| id.is_empty() || id.contains(char::is_whitespace)) {
            let text = format!("the identifier `{id}` holds a blank, which a NUPN section cannot list");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        Ok(escape(&ids.join(" ")).into_owned())
    };
    let root = nupn.units.get(nupn.root).map_or("", |u| u.id.as_str());
    writeln!(out, r#"<toolspecific tool="nupn" version="1.1">"#)?;
    let (places, transitions) = (net.place_count(), net.transition_count());
    writeln!(out, r#"<size places="{places}" transitions="{transitions}" arcs="{arcs}"/>"#)?;
    let units = nupn.units.len();
    writeln!(out, r#"<structure units="{units}" root="{}" safe="{}">"#, escape(root), nupn.safe)?;
    for unit in &nupn.units {
        let places = list(unit.places.iter().map(|&p| net.place(p).id.as_str()).collect())?;
        let subunits = list(unit.subunits.iter().filter_map(|&u| nupn.units.get(u)).map(|u| u.id.as_str()).collect())?;
        let id = escape(&unit.id);
        writeln!(out, r#"<unit id="{id}"><places>{places}</places><subunits>{subunits}</subunits></unit>"#)?;
    }
    writeln!(out, "</structure>\n</toolspecific>")
}

/// `stem`, lengthened until no place or transition has an identifier that begins with it.
fn unused_prefix(net: &PetriNet, stem: &str) -> String {
    let mut prefix = stem.to_owned();
    let ids = || net.places().iter().map(|p| &p.id).chain(net.transitions().iter().map(|t| &t.id));
    while ids().any(|id| id.starts_with(&prefix)) {
        prefix.push('_');
    }
    prefix
}

/// Text that reads back the same, between tags and between double quotes.
fn escape(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '&' | '<' | '>' | '"') || c.is_control();
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push_str(&format!("&#{};", u32::from(c))),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

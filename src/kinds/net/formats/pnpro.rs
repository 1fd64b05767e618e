//! Projects of GreatSPN's editor (`.PNPRO`), without time.
//!
//! ```xml
//! <project name="locks" version="121">
//!   <gspn name="lock">
//!     <nodes>
//!       <place name="free" marking="N" x="1.0" y="2.0"/> <place name="held" x="5.0" y="2.0"/>
//!       <transition name="take" type="EXP" x="3.0" y="2.0"/>
//!       <constant name="N" consttype="INTEGER" value="3" x="1.0" y="1.0"/>
//!     </nodes>
//!     <edges>
//!       <arc kind="INPUT" tail="free" head="take"/>
//!       <arc kind="OUTPUT" tail="take" head="held" mult="2"/>
//!     </edges>
//!   </gspn>
//! </project>
//! ```
//!
//! Markings and weights are numbers or constants; older versions write `type` for `kind` and `multiplicity` for `mult`. A project
//! may have many pages: the one with a net is read, and the others (measures, timed automata, pictures) are stepped over. What
//! is read and refused is as with the `.net` files of this tool ([`super::gspn`]): immediate transitions beside timed ones,
//! colours, continuous places and transitions, parameters without a value.
//!
//! *Source*: the reader and the writer of GreatSPN's editor (Amparore, "A new GreatSPN GUI for GSPN editing and CSLTA model
//! checking", QEST 2014).

use super::gspn::different_priorities;
use crate::kinds::TextError;
use crate::net::{BuildError, NetBuilder, PetriNet};
use crate::xml::{Location, XmlCursor, XmlError};
use rustc_hash::FxHashMap;

/// The remedy for a net with colours.
const COLOURED: &str = "write the net as PNML or unfold it with GreatSPN";

type Xml<'a> = XmlCursor<&'a [u8]>;

/// A fault and its location.
type Wrong = (Location, String);

fn wrong(error: XmlError) -> Wrong {
    (error.location, error.problem.to_string())
}

/// Does a text begin like a project?
pub(super) fn is_pnpro(text: &str) -> bool {
    let mut xml = Xml::new(text.as_bytes());
    matches!(xml.next_child(), Ok(Some("project")))
}

/// Read the net of a project; `file` is its name in messages.
///
/// ```
/// let text = r#"<project name="p" version="121"><gspn name="n"><nodes><place name="p" marking="2"/></nodes>
///   <edges/></gspn></project>"#;
/// let net = starset::kinds::net::formats::pnpro::read(text, "p.PNPRO")?;
/// assert_eq!((net.name(), net.places()[0].initial), ("n", 2));
/// # Ok::<(), starset::kinds::TextError>(())
/// ```
///
/// # Errors
/// [`TextError`] where the text is not of this form, has what is refused, no net, or several.
pub fn read(text: &str, file: &str) -> Result<PetriNet, TextError> {
    let failed = |(location, message): Wrong| TextError::new(file, location.line as usize, message);
    project(&mut Xml::new(text.as_bytes())).map_err(failed)
}

fn project(xml: &mut Xml) -> Result<PetriNet, Wrong> {
    let root = xml.next_child().map_err(wrong)?.map(str::to_owned);
    if root.as_deref() != Some("project") {
        return Err((xml.location(), "the root of a project of GreatSPN is `<project>`".to_owned()));
    }
    let start = xml.location();
    let mut found: Option<Page> = None;
    let mut names: Vec<String> = Vec::new();
    while let Some(child) = xml.next_child().map_err(wrong)? {
        if child == "gspn" {
            names.push(xml.attribute("name").map_err(wrong)?.unwrap_or_default());
            let page = Page::read(xml)?;
            found.get_or_insert(page);
        } else {
            xml.skip().map_err(wrong)?;
        }
    }
    // What follows the root element is looked at, too.
    xml.next_child().map_err(wrong)?;
    match (found, names.as_slice()) {
        (Some(page), [name]) => page.net(name),
        (None, _) => Err((start, "no net of GreatSPN (`<gspn>`) is in this project".to_owned())),
        (_, names) => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            Err((start, format!("the project has several nets ({}); keep one of them in it", names.join(", "))))
        }
    }
}

/// The value of the first of these attributes that is there.
fn value(xml: &Xml, names: &[&str], default: &str) -> Result<String, Wrong> {
    for name in names {
        if let Some(value) = xml.attribute(name).map_err(wrong)? {
            return Ok(value.trim().to_owned());
        }
    }
    Ok(default.to_owned())
}

/// A place or a transition, where it stands.
struct Node {
    location: Location,
    name: String,
    /// The marking of a place, the priority of a transition.
    number: String,
    /// Does it fire before those of other kinds?
    immediate: bool,
}

/// An arc, where it stands.
struct Arc {
    location: Location,
    kind: String,
    tail: String,
    head: String,
    weight: String,
}

/// A net of a project. Constants may stand behind what uses them.
#[derive(Default)]
struct Page {
    places: Vec<Node>,
    transitions: Vec<Node>,
    arcs: Vec<Arc>,
    /// Values of constants, or why they have none.
    constants: FxHashMap<String, Result<u64, String>>,
}

impl Page {
    fn read(xml: &mut Xml) -> Result<Page, Wrong> {
        let mut page = Page::default();
        while let Some(list) = xml.next_child().map_err(wrong)? {
            let list = list.to_owned();
            if !matches!(list.as_str(), "nodes" | "edges") {
                return Err((xml.location(), format!("the element `<{list}>` of a net is not known")));
            }
            while let Some(child) = xml.next_child().map_err(wrong)? {
                let child = child.to_owned();
                page.element(xml, &list, &child)?;
                xml.skip().map_err(wrong)?;
            }
        }
        Ok(page)
    }

    fn element(&mut self, xml: &Xml, list: &str, child: &str) -> Result<(), Wrong> {
        let location = xml.location();
        let refused = |message: String| Err((location, message));
        let value = |names: &[&str], default| value(xml, names, default);
        match (list, child) {
            ("nodes", "place") => {
                let (name, number) = (xml.require("name").map_err(wrong)?, value(&["marking"], "0")?);
                if !value(&["domain"], "")?.is_empty() {
                    return refused(format!("place `{name}` is coloured; {COLOURED}"));
                }
                if value(&["type"], "DISCRETE")? != "DISCRETE" {
                    return refused(format!("place `{name}` is continuous, which is not supported"));
                }
                let number = if number.is_empty() { "0".to_owned() } else { number };
                self.places.push(Node { location, name, number, immediate: false });
            }
            ("nodes", "transition") => {
                let (name, kind) = (xml.require("name").map_err(wrong)?, xml.require("type").map_err(wrong)?);
                if !matches!(value(&["guard"], "")?.as_str(), "" | "True" | "true") {
                    return refused(format!("transition `{name}` has a guard over colours; {COLOURED}"));
                }
                let immediate = match kind.as_str() {
                    "EXP" | "GEN" => false,
                    "IMM" => true,
                    _ => {
                        return refused(format!("transition `{name}` is of the type `{kind}`, which is not supported"));
                    }
                };
                let number = if immediate { value(&["priority"], "1")? } else { String::new() };
                self.transitions.push(Node { location, name, number, immediate });
            }
            ("nodes", "constant") => {
                let (name, number) = (xml.require("name").map_err(wrong)?, value(&["value"], "")?);
                let number = match value(&["consttype"], "")?.as_str() {
                    "INTEGER" => number.parse().map_err(|_| format!("the value `{number}` is no number below 2^64")),
                    other => Err(format!("it is a constant of the type {other}")),
                };
                if self.constants.insert(name.clone(), number).is_some() {
                    return refused(format!("a second constant `{name}`"));
                }
            }
            ("nodes", "template") => {
                let name = xml.require("name").map_err(wrong)?;
                let last = match value(&["last-binding"], "")? {
                    last if last.is_empty() => String::new(),
                    last => format!(" (`{last}` was its last value there)"),
                };
                let why = format!("it is a parameter without a value{last}; make it a constant in GreatSPN");
                if self.constants.insert(name.clone(), Err(why)).is_some() {
                    return refused(format!("a second constant `{name}`"));
                }
            }
            // Colours, which no place has, and texts.
            ("nodes", "color-class" | "color-var" | "text-box") => {}
            ("edges", "arc") => {
                let (kind, weight) = (value(&["kind", "type"], "")?, value(&["mult", "multiplicity"], "1")?);
                let (tail, head) = (xml.require("tail").map_err(wrong)?, xml.require("head").map_err(wrong)?);
                self.arcs.push(Arc { location, kind, tail, head, weight });
            }
            _ => return refused(format!("the element `<{child}>` of a net is not known")),
        }
        Ok(())
    }

    /// A number, or a constant that stands for one.
    fn number(&self, text: &str, of: &str) -> Result<u64, String> {
        if let Ok(number) = text.parse() {
            return Ok(number);
        }
        match self.constants.get(text) {
            Some(Ok(number)) => Ok(*number),
            Some(Err(why)) => Err(format!("`{text}`, {of}, is no number: {why}")),
            None => Err(format!("`{text}`, {of}, is neither a number nor a constant of the net")),
        }
    }

    fn net(self, name: &str) -> Result<PetriNet, Wrong> {
        let mut builder = NetBuilder::new(name);
        let said = |location: Location| move |error: BuildError| (location, error.to_string());
        for place in &self.places {
            let initial = self.number(&place.number, &format!("the marking of place `{}`", place.name));
            let initial = initial.map_err(|message| (place.location, message))?;
            builder.place(&place.name, initial).map_err(said(place.location))?;
        }
        let level = |transition: &Node| transition.immediate.then(|| transition.number.clone());
        for transition in &self.transitions {
            let first = &self.transitions[0];
            if level(transition) != level(first) {
                return Err((transition.location, different_priorities(&first.name, &transition.name)));
            }
            builder.transition(&transition.name).map_err(said(transition.location))?;
        }
        for arc in &self.arcs {
            let weight =
                self.number(&arc.weight, &format!("the weight of the arc from `{}` to `{}`", arc.tail, arc.head));
            let weight = weight.map_err(|message| (arc.location, message))?;
            let (place, transition) = match arc.kind.as_str() {
                "OUTPUT" => (&arc.head, &arc.tail),
                "INPUT" | "INHIBITOR" => (&arc.tail, &arc.head),
                other => return Err((arc.location, format!("an arc of the kind `{other}`, which is not known"))),
            };
            let (Some(p), Some(t)) = (builder.find_place(place), builder.find_transition(transition)) else {
                let message = format!(
                    "an arc of the kind {} from `{}` to `{}`: `{place}` should be a place of the net, and `{transition}` a \
                     transition",
                    arc.kind, arc.tail, arc.head
                );
                return Err((arc.location, message));
            };
            let added = match arc.kind.as_str() {
                "INPUT" => builder.input(p, t, weight),
                "OUTPUT" => builder.output(t, p, weight),
                _ => builder.inhibitor(p, t, weight),
            };
            added.map_err(said(arc.location))?;
        }
        builder.build().map_err(said(Location::START))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn project(nodes: &str, edges: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<!-- saved --><project name=\"x\" version=\"121\">\n<gspn name=\"n\">\
             <nodes>\n{nodes}</nodes><edges>\n{edges}</edges></gspn><measures gspn-name=\"n\"><assignments/></measures>\
             <resource-list/></project>"
        )
    }

    #[test]
    fn all_that_is_read() {
        let nodes = "<place name=\"p\" marking=\"N\" label-x=\"0.5\" x=\"1.0\" y=\"2.0\"/><place name=\"q\"/>\
                     <place name=\"r\" marking=\"\" partition=\"a\" superposition-tags=\"x\"/>\
                     <transition delay=\"#p*lambda\" name=\"t\" nservers=\"2\" type=\"EXP\"/>\
                     <transition name=\"u\" type=\"GEN\" delay=\"I[1]\" guard=\"True\"/>\
                     <color-class name=\"C\" definition=\"c{1..4}\"/><text-box name=\"b\">any text</text-box>\
                     <constant consttype=\"REAL\" name=\"lambda\" value=\"0.5\"/>\
                     <constant consttype=\"INTEGER\" name=\"N\" value=\"3\"/><template name=\"M\" type=\"INTEGER\"/>";
        let edges = "<arc head=\"t\" kind=\"INPUT\" mult=\"N\" tail=\"p\"><point x=\"1\" y=\"2\"/></arc>\
                     <arc head=\"q\" type=\"OUTPUT\" multiplicity=\"2\" tail=\"t\" broken=\"true\"/>\
                     <arc head=\"u\" kind=\"INHIBITOR\" tail=\"q\"/><arc head=\"r\" kind=\"OUTPUT\" tail=\"u\"/>";
        let text = project(nodes, edges);
        let net = read(&text, "x.PNPRO").unwrap();
        let places: Vec<(&str, u64)> = net.places().iter().map(|place| (place.id.as_str(), place.initial)).collect();
        assert_eq!((net.name(), places), ("n", vec![("p", 3), ("q", 0), ("r", 0)]));
        let arcs =
            |arcs: &[crate::net::Arc]| -> Vec<(u32, u64)> { arcs.iter().map(|a| (a.place.0, a.weight)).collect() };
        let (t, u) = (&net.transitions()[0], &net.transitions()[1]);
        assert_eq!((arcs(&t.pre), arcs(&t.post)), (vec![(0, 3)], vec![(1, 2)]));
        assert_eq!((arcs(&u.post), arcs(&u.inhibitors)), (vec![(2, 1)], vec![(1, 1)]));
        assert!(is_pnpro(&text) && !is_pnpro("<pnml/>") && !is_pnpro("net x") && !is_pnpro(""));
        let immediate = "<transition name=\"t\" type=\"IMM\"/><transition name=\"u\" type=\"IMM\" priority=\"1\"/>";
        assert_eq!(read(&project(immediate, ""), "x").unwrap().transition_count(), 2);
    }

    #[test]
    fn what_is_refused_is_placed() {
        let t = "<transition name=\"t\" type=\"EXP\"/>\n";
        for (nodes, edges, expected) in [
            ("<place name=\"p\" domain=\"C\" marking=\"&lt;All&gt;\"/>", "", "x:4: place `p` is coloured"),
            ("<place name=\"p\" type=\"CONTINUOUS\"/>", "", "x:4: place `p` is continuous"),
            ("<place name=\"p\" marking=\"N+1\"/>", "", "x:4: `N+1`, the marking of place `p`, is neither"),
            ("<place/>", "", "x:4: "),
            ("<transition name=\"t\" type=\"CONT\"/>", "", "x:4: transition `t` is of the type `CONT`"),
            ("<transition name=\"t\" type=\"EXP\" guard=\"x==y\"/>", "", "x:4: transition `t` has a guard"),
            ("<transition name=\"u\" type=\"IMM\"/>", "", "x:5: transitions `u` and `t` have different priorities"),
            ("<transition name=\"t\" type=\"EXP\"/>", "", "x:5: duplicate identifier `t`"),
            ("<fluid name=\"p\"/>", "", "x:4: the element `<fluid>` of a net"),
            ("<place name=\"p\"/>", "<arc kind=\"INNER\" tail=\"p\" head=\"t\"/>", "x:7: an arc of the kind `INNER`"),
            (
                "<place name=\"p\"/>",
                "<arc kind=\"OUTPUT\" tail=\"p\" head=\"t\"/>",
                "x:7: an arc of the kind OUTPUT from",
            ),
            ("<place name=\"p\"/>", "<arc kind=\"INPUT\" tail=\"p\" head=\"t\" mult=\"0\"/>", "x:7: arc between"),
            (
                "<place name=\"p\"/>",
                "<arc kind=\"INPUT\" tail=\"p\" head=\"t\" mult=\"&lt;x>\"/>",
                "x:7: `<x>`, the weight",
            ),
            ("<place name=\"p\"/>", "<arc kind=\"INPUT\" tail=\"p\"/>", "x:7: "),
            (
                "<template name=\"N\" last-binding=\"4\"/><place name=\"p\" marking=\"N\"/>",
                "",
                "x:4: `N`, the marking of place `p`, is no number: it is a parameter without a value (`4` was",
            ),
            (
                "<constant name=\"N\" consttype=\"REAL\" value=\"1\"/><place name=\"p\" marking=\"N\"/>",
                "",
                "x:4: `N`, the",
            ),
        ] {
            let error = read(&project(&format!("{nodes}\n{t}"), edges), "x").unwrap_err().to_string();
            assert!(error.starts_with(expected), "{nodes} {edges}: {error}");
        }
        let two = "<project>\n<gspn name=\"a\"/><gspn name=\"b\"/></project>";
        for (text, expected) in [
            (two, "x:1: the project has several nets (`a`, `b`)"),
            ("<project/>", "x:1: no net of GreatSPN"),
            ("<nta/>", "x:1: the root of a project"),
            ("<project>\n<gspn name=\"a\"><x/></gspn></project>", "x:2: the element `<x>` of a net"),
            ("<project>\n<gspn name=\"a\">", "x:2: "),
        ] {
            let error = read(text, "x").unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}

//! Reading place/transition nets from PNML. Strict: elements, attributes and texts that are not known here may make
//! the net another one (priorities, ages, queries about it, subprocesses), and are refused.
//!
//! Arcs into a transition add up; `inhibitor` and `read` arcs move nothing. Pages only group things. Names and drawings
//! are skipped, and so are tool-specific sections but those that change a net.

use crate::effort::work;
use crate::net::{Effect, Net, Place, Step, Tokens};
use crate::xml::{self, Element};
use crate::{Checked, refuse};
use std::collections::{BTreeMap, HashMap};

/// What an identifier stands for.
#[derive(Clone)]
enum Meaning {
    Place(usize),
    Transition(usize),
    Reference(String),
}

#[derive(Default)]
struct Reader<'a> {
    net: Net,
    meaning: HashMap<String, Meaning>,
    arcs: Vec<&'a Element>,
}

pub(crate) fn read(text: &str) -> Checked<Net> {
    let root = xml::parse(text)?;
    let Some(net) = root.only("net")?.filter(|_| root.name == "pnml") else {
        return refuse("the file is no PNML, or there is no <net> in it");
    };
    knows(&root, &["net"], &[])?;
    if !net.attribute("type").is_none_or(is_place_transition) {
        return refuse("not a place/transition net: certificates of other nets are about their unfoldings");
    }
    let mut reader = Reader::default();
    reader.net.name = net.attribute("id").unwrap_or("net").to_owned();
    reader.page(net)?;
    reader.finish()
}

/// Is a type of nets that of place/transition nets? The last part of its address says so, or the words of early tools.
fn is_place_transition(kind: &str) -> bool {
    let kind = kind.trim().to_ascii_lowercase();
    kind == "p/t net" || kind.rsplit('/').next().is_some_and(|last| ["ptnet", "ptnetb"].contains(&last))
}

fn is_subprocess(part: &Element) -> bool {
    part.name == "subprocess" && part.text.trim() != "false"
}

/// The number in an element.
fn number(element: &Element) -> Checked<u64> {
    knows(element, &["text"], &[])?;
    let text = element.label()?;
    text.parse().or_else(|_| refuse(format!("`{text}` is not a number of tokens")))
}

fn id(element: &Element) -> Checked<&str> {
    element.attribute("id").map_or_else(|| refuse(format!("a <{}> without `id`", element.name)), Ok)
}

/// Refuses what is in an element unless it is known by name, or only names, draws or remarks; and attributes but these.
fn knows(element: &Element, names: &[&str], attributes: &[&str]) -> Checked<()> {
    let words = element.text.trim();
    if !words.is_empty() {
        return refuse(format!("`{words}` in a <{}> is not understood", element.name));
    }
    if let Some((name, _)) =
        element.attributes.iter().find(|(name, _)| name != "xmlns" && !attributes.contains(&name.as_str()))
    {
        return refuse(format!("the attribute `{name}` of a <{}> is not understood", element.name));
    }
    for child in &element.children {
        let tool = child.attribute("tool").map_or("", str::trim);
        match child.name.as_str() {
            "toolspecific" if ["starset", "pnwc"].contains(&tool) => return refuse("the net has clocks"),
            // Tools say which of their transitions are nets of their own.
            "toolspecific" if child.children.iter().any(is_subprocess) => {
                return refuse("a transition that is a net is not understood");
            }
            "name" | "graphics" | "toolspecific" => {}
            name if names.contains(&name) => {}
            other => return refuse(format!("<{other}> in a <{}> is not understood", element.name)),
        }
    }
    Ok(())
}

impl<'a> Reader<'a> {
    fn declare(&mut self, element: &Element, meaning: Meaning) -> Checked<()> {
        match self.meaning.insert(id(element)?.to_owned(), meaning) {
            None => Ok(()),
            Some(_) => refuse(format!("`{}` is declared twice", id(element)?)),
        }
    }

    fn page(&mut self, page: &'a Element) -> Checked<()> {
        let known = ["page", "place", "transition", "referencePlace", "referenceTransition", "arc", "finalmarkings"];
        knows(page, &known, &["id", "type", "active"])?;
        for child in &page.children {
            match child.name.as_str() {
                "page" => self.page(child)?,
                "place" => {
                    self.declare(child, Meaning::Place(self.net.places.len()))?;
                    knows(child, &["initialMarking", "capacity"], &["id"])?;
                    let initial = child.only("initialMarking")?.map_or(Ok(0), number)?;
                    if child.only("capacity")?.is_some_and(|capacity| capacity.label() != Ok("0")) {
                        return refuse("a place with a capacity is not understood");
                    }
                    self.net.places.push(Place { name: id(child)?.to_owned(), initial, values: Vec::new() });
                }
                "transition" => {
                    self.declare(child, Meaning::Transition(self.net.labels.len()))?;
                    knows(child, &[], &["id"])?;
                    self.net.labels.push(id(child)?.to_owned());
                }
                "referencePlace" | "referenceTransition" => {
                    knows(child, &[], &["id", "ref"])?;
                    let Some(of) = child.attribute("ref") else { return refuse("a reference to nothing") };
                    self.declare(child, Meaning::Reference(of.to_owned()))?;
                }
                "arc" => self.arcs.push(child),
                _ => {}
            }
        }
        Ok(())
    }

    fn meaning(&self, name: &str) -> Checked<Meaning> {
        let mut name = name;
        for _ in 0..=self.meaning.len() {
            work(1)?;
            match self.meaning.get(name) {
                Some(Meaning::Reference(of)) => name = of,
                Some(meaning) => return Ok(meaning.clone()),
                None => return refuse(format!("`{name}` is not declared")),
            }
        }
        refuse("references in a circle")
    }

    fn finish(mut self) -> Checked<Net> {
        let mut touched: Vec<BTreeMap<usize, Tokens>> = self.net.labels.iter().map(|_| BTreeMap::new()).collect();
        for arc in &self.arcs {
            knows(arc, &["inscription", "type", "arctype"], &["id", "source", "target", "type"])?;
            let weight = arc.only("inscription")?.map_or(Ok(1), number)?;
            let mut kinds: Vec<&str> = arc.attribute("type").into_iter().collect();
            for part in ["type", "arctype"] {
                if let Some(part) = arc.only(part)? {
                    kinds.push(part.attribute("value").map_or_else(|| part.label(), Ok)?);
                }
            }
            if kinds.iter().any(|kind| *kind != kinds[0]) {
                return refuse("an arc of two kinds");
            }
            let kind = kinds.first().copied().unwrap_or("normal");
            let (Some(source), Some(target)) = (arc.attribute("source"), arc.attribute("target")) else {
                return refuse("an arc without ends");
            };
            let (place, transition, input) = match (self.meaning(source)?, self.meaning(target)?) {
                (Meaning::Place(p), Meaning::Transition(t)) => (p, t, true),
                (Meaning::Transition(t), Meaning::Place(p)) => (p, t, false),
                _ => return refuse("an arc that joins two places or two transitions"),
            };
            let nothing = Tokens { least: 0, below: u64::MAX, take: 0, put: 0 };
            let effect = touched[transition].entry(place).or_insert(nothing);
            // A sum that is too large is refused with the net.
            match (kind, input) {
                ("normal", _) if weight == 0 => return refuse("an arc of weight 0"),
                ("normal", true) => effect.take = effect.take.saturating_add(weight),
                ("normal", false) => effect.put = effect.put.saturating_add(weight),
                ("read" | "test", true) => effect.least = effect.least.max(weight),
                ("inhibitor", true) => effect.below = effect.below.min(weight),
                (kind, _) => return refuse(format!("an arc of kind `{kind}` is not understood here")),
            }
            effect.least = effect.least.max(effect.take);
        }
        for (label, places) in touched.into_iter().enumerate() {
            let effects = places.into_iter().map(|(place, tokens)| (place, Effect::Tokens(tokens))).collect();
            self.net.steps.push(Step { label, effects, at: None });
        }
        Ok(self.net)
    }
}

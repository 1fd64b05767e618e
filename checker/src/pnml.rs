//! Reading place/transition nets from PNML. Strict: what might mean something else is refused.
//!
//! Arcs into a transition add up; `inhibitor` and `read` arcs move nothing. Pages only group things. Names and drawings
//! are skipped, and so are tool-specific sections but those that give a net clocks.

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
    if net.attribute("type").is_some_and(|kind| !["ptnet", "P/T net"].iter().any(|known| kind.contains(known))) {
        return refuse("not a place/transition net: certificates of other nets are about their unfoldings");
    }
    let mut reader = Reader::default();
    reader.net.name = net.attribute("id").unwrap_or("net").to_owned();
    reader.page(net)?;
    reader.finish()
}

/// The number in an element.
fn number(element: &Element) -> Checked<u64> {
    let text = element.label()?;
    text.parse().or_else(|_| refuse(format!("`{text}` is not a number of tokens")))
}

fn id(element: &Element) -> Checked<&str> {
    element.attribute("id").map_or_else(|| refuse(format!("a <{}> without `id`", element.name)), Ok)
}

/// Refuses what is in an element unless it is known by name, or only names, draws or remarks.
fn knows(element: &Element, names: &[&str]) -> Checked<()> {
    let clocks = |tool: &str| ["starset", "pnwc"].contains(&tool.trim());
    for child in &element.children {
        match child.name.as_str() {
            "toolspecific" if child.attribute("tool").is_some_and(clocks) => return refuse("the net has clocks"),
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
        knows(page, &["page", "place", "transition", "referencePlace", "referenceTransition", "arc", "finalmarkings"])?;
        for child in &page.children {
            match child.name.as_str() {
                "page" => self.page(child)?,
                "place" => {
                    self.declare(child, Meaning::Place(self.net.places.len()))?;
                    knows(child, &["initialMarking", "capacity"])?;
                    let initial = child.only("initialMarking")?.map_or(Ok(0), number)?;
                    if child.only("capacity")?.is_some_and(|capacity| capacity.label() != Ok("0")) {
                        return refuse("a place with a capacity is not understood");
                    }
                    self.net.places.push(Place { name: id(child)?.to_owned(), initial, values: Vec::new() });
                }
                "transition" => {
                    self.declare(child, Meaning::Transition(self.net.labels.len()))?;
                    knows(child, &[])?;
                    self.net.labels.push(id(child)?.to_owned());
                }
                "referencePlace" | "referenceTransition" => {
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
            knows(arc, &["inscription", "type", "arctype"])?;
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
            self.net.steps.push(Step { label, effects });
        }
        Ok(self.net)
    }
}

//! Reading place/transition nets from PNML. Strict: what might mean something else is refused.
//!
//! Arcs into a transition add up; `inhibitor` and `read` arcs move nothing. Pages only group things. Names and drawings
//! are skipped, and so are tool-specific sections but those that give a net clocks.

use crate::net::{Effect, Net, Place, Step};
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

/// What a transition does to a place.
struct Touch {
    take: u64,
    put: u64,
    read: u64,
    below: u64,
}

pub(crate) fn read(text: &str) -> Checked<Net> {
    let root = xml::parse(text)?;
    let mut nets = root.children.iter().filter(|child| child.name == "net");
    let (Some(net), None) = (nets.next(), nets.next()) else { return refuse("not exactly one <net>") };
    if root.name != "pnml" {
        return refuse("the file is no PNML");
    }
    if net.attribute("type").is_some_and(|kind| !["ptnet", "P/T net"].iter().any(|known| kind.contains(known))) {
        return refuse("not a place/transition net: certificates of other nets are about their unfoldings");
    }
    let mut reader = Reader::default();
    reader.net.name = net.attribute("id").unwrap_or_default().to_owned();
    reader.page(net)?;
    reader.finish()
}

fn number(text: &str) -> Checked<u64> {
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) => refuse(format!("`{text}` is not a number of tokens")),
    }
}

fn id(element: &Element) -> Checked<&str> {
    element.attribute("id").map_or_else(|| refuse(format!("a <{}> without `id`", element.name)), Ok)
}

/// May a child that only names, draws or remarks be skipped?
fn skipped(child: &Element) -> Checked<bool> {
    let clocks = |tool: &str| ["starset", "pnwc"].contains(&tool.trim());
    match child.name.as_str() {
        "toolspecific" if child.attribute("tool").is_some_and(clocks) => refuse("the net has clocks"),
        "name" | "graphics" | "toolspecific" => Ok(true),
        _ => Ok(false),
    }
}

impl<'a> Reader<'a> {
    fn declare(&mut self, element: &Element, meaning: Meaning) -> Checked<()> {
        match self.meaning.insert(id(element)?.to_owned(), meaning) {
            None => Ok(()),
            Some(_) => refuse(format!("`{}` is declared twice", id(element)?)),
        }
    }

    fn page(&mut self, page: &'a Element) -> Checked<()> {
        for child in &page.children {
            match child.name.as_str() {
                "page" => self.page(child)?,
                "place" => {
                    self.declare(child, Meaning::Place(self.net.places.len()))?;
                    let mut initial = None;
                    for part in &child.children {
                        match part.name.as_str() {
                            "initialMarking" if initial.is_none() => initial = Some(number(part.label()?)?),
                            "capacity" if part.label()? == "0" => {}
                            _ if skipped(part)? => {}
                            other => return refuse(format!("<{other}> in a place is not understood")),
                        }
                    }
                    let (name, initial) = (id(child)?.to_owned(), initial.unwrap_or(0));
                    self.net.places.push(Place { name, initial, values: Vec::new() });
                }
                "transition" => {
                    self.declare(child, Meaning::Transition(self.net.labels.len()))?;
                    for part in &child.children {
                        if !skipped(part)? {
                            return refuse(format!("<{}> in a transition is not understood", part.name));
                        }
                    }
                    self.net.labels.push(id(child)?.to_owned());
                }
                "referencePlace" | "referenceTransition" => {
                    let Some(of) = child.attribute("ref") else { return refuse("a reference to nothing") };
                    self.declare(child, Meaning::Reference(of.to_owned()))?;
                }
                "arc" => self.arcs.push(child),
                _ if skipped(child)? => {}
                other => return refuse(format!("<{other}> is not understood")),
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
        let mut touches: Vec<BTreeMap<usize, Touch>> = self.net.labels.iter().map(|_| BTreeMap::new()).collect();
        for arc in &self.arcs {
            let (mut weight, mut kind) = (None, arc.attribute("type"));
            for part in &arc.children {
                match part.name.as_str() {
                    "inscription" if weight.is_none() => weight = Some(number(part.label()?)?),
                    "type" => {
                        let value = part.attribute("value").map_or_else(|| part.label(), Ok)?;
                        if kind.is_some_and(|kind| kind != value) {
                            return refuse("an arc of two kinds");
                        }
                        kind = Some(value);
                    }
                    _ if skipped(part)? => {}
                    other => return refuse(format!("<{other}> in an arc is not understood")),
                }
            }
            let weight = weight.unwrap_or(1);
            let (Some(source), Some(target)) = (arc.attribute("source"), arc.attribute("target")) else {
                return refuse("an arc without ends");
            };
            let (place, transition, input) = match (self.meaning(source)?, self.meaning(target)?) {
                (Meaning::Place(p), Meaning::Transition(t)) => (p, t, true),
                (Meaning::Transition(t), Meaning::Place(p)) => (p, t, false),
                _ => return refuse("an arc that joins two places or two transitions"),
            };
            let touch = touches[transition].entry(place);
            let touch = touch.or_insert(Touch { take: 0, put: 0, read: 0, below: u64::MAX });
            let add = |to: &mut u64| match to.checked_add(weight) {
                Some(sum) if weight > 0 => {
                    *to = sum;
                    Ok(())
                }
                _ => refuse("a weight of 0, or too large"),
            };
            match (kind.unwrap_or("normal"), input) {
                ("normal", true) => add(&mut touch.take)?,
                ("normal", false) => add(&mut touch.put)?,
                ("read" | "test", true) => touch.read = touch.read.max(weight),
                ("inhibitor", true) => touch.below = touch.below.min(weight),
                (kind, _) => return refuse(format!("an arc of kind `{kind}` is not understood here")),
            }
        }
        let effect = |touch: Touch| Effect::Tokens {
            least: touch.take.max(touch.read),
            below: touch.below,
            take: touch.take,
            put: touch.put,
        };
        let steps = touches.into_iter().enumerate().map(|(label, touches)| Step {
            label,
            effects: touches.into_iter().map(|(place, touch)| (place, effect(touch))).collect(),
        });
        self.net.steps = steps.collect();
        Ok(self.net)
    }
}

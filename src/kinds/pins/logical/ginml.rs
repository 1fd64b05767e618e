//! GINML, the form of GINsim: nodes with a greatest level, edges with the levels from which they are active, and for each
//! node logical functions or parameters.
//!
//! An edge has one *interaction* or several, each with the interval of levels of its source in which it is active. In a
//! function of a node `A` says that an interaction from A to this node is active, and `A:2` that the one is that begins
//! at level 2. A parameter names the interactions that are active, and no others are. What neither parameters nor
//! functions say is level 0, or the node's base value where no interaction is active. Where a node has both, they are two
//! spellings of one thing, and parameters are taken first.
//!
//! A `.zginml` file is a zip archive with `GINsim-data/regulatoryGraph.ginml`; what is beside it (initial states,
//! mutants, layouts) is left out. The DTD that files refer to is never fetched.
//!
//! Source: Naldi et al., *Logical modeling and analysis of cellular regulatory networks with GINsim 3.0*, Frontiers in
//! Physiology 9 (2018), and files of its repository.

use super::super::source::{Fault, Place};
use super::condition::Condition;
use super::function::{Component, Read};
use super::infix::condition;
use super::sbml::{attribute, fault, first_true, ill_formed, level, required};
use crate::xml::{Event, XmlCursor};
use std::collections::HashMap;

type Xml<'a> = XmlCursor<&'a [u8]>;

/// The intervals of levels in which the interactions of an edge are active, by their beginnings, each with the identifier
/// of its element.
type Intervals = Vec<(u32, u32, String)>;

/// A node as it is written.
#[derive(Debug, Default)]
struct Node {
    place: Option<Place>,
    id: String,
    most: u32,
    is_input: bool,
    base: u32,
    /// Active interactions by their identifiers, and the level; where they stand.
    parameters: Vec<(Vec<String>, u32, Place)>,
    /// A function, and the level.
    functions: Vec<(String, u32, Place)>,
}

/// Read a text.
pub(super) fn read(text: &str) -> Result<Read, Fault> {
    let (nodes, edges) = elements(text)?;
    if nodes.is_empty() {
        return Err(Fault::new(Place::START, "there is no node here: only regulatory graphs of GINsim are read"));
    }
    let mut number_of: HashMap<&str, usize> = HashMap::new();
    for (number, node) in nodes.iter().enumerate() {
        if number_of.insert(&node.id, number).is_some() {
            let what = format!("there are two nodes `{}`; rename one of them", node.id);
            return Err(Fault::new(node.place.unwrap_or(Place::START), what));
        }
    }
    let mut read = Read::default();
    // By source and target: where the interactions are active.
    let mut intervals: HashMap<(usize, usize), Intervals> = HashMap::new();
    for Edge { id, from, to, begins, end, place } in &edges {
        let known = |id: &String| {
            let unknown = || Fault::new(*place, format!("there is no node `{id}`"));
            number_of.get(id.as_str()).copied().ok_or_else(unknown)
        };
        let (from, to) = (known(from)?, known(to)?);
        let all = intervals.entry((from, to)).or_default();
        all.extend(begins.iter().map(|&begin| (begin, end.unwrap_or(u32::MAX), id.clone())));
    }
    for ((from, _), all) in &mut intervals {
        all.sort_unstable();
        for at in 0..all.len() {
            let next = all.get(at + 1).map_or(u32::MAX, |(begin, ..)| begin.saturating_sub(1));
            all[at].1 = all[at].1.min(next).min(nodes[*from].most);
        }
    }
    for (number, node) in nodes.iter().enumerate() {
        let incoming: Vec<(usize, &Intervals)> = {
            let mut all: Vec<_> =
                intervals.iter().filter(|((_, to), _)| *to == number).map(|((from, _), all)| (*from, all)).collect();
            all.sort_unstable();
            all
        };
        let target = match node.is_input {
            true => None,
            false => Some(targets(node, &nodes, &number_of, &incoming, &mut read)?),
        };
        let source = node.place.map(|place| format!("line {}: node {}", place.line, node.id));
        read.components.push(Component { name: node.id.clone(), most: node.most, target, source });
    }
    Ok(read)
}

/// An edge as it is written.
#[derive(Debug)]
struct Edge {
    id: String,
    from: String,
    to: String,
    /// Where its interactions begin, and where the last one ends if that is said.
    begins: Vec<u32>,
    end: Option<u32>,
    place: Place,
}

/// The text with blanks in the place of a document type, which names a DTD and defines nothing itself.
fn without_type(text: &str) -> String {
    let begin = text.find("<!DOCTYPE");
    let end = begin.and_then(|begin| Some(begin + text[begin..].find('>')? + 1));
    match begin.zip(end).filter(|&(begin, end)| !text[begin..end].contains('[')) {
        Some((begin, end)) => {
            let blank = |character: char| if character == '\n' { '\n' } else { ' ' };
            let blanks: String = text[begin..end].chars().map(blank).collect();
            [&text[..begin], &blanks, &text[end..]].concat()
        }
        None => text.to_owned(),
    }
}

/// The nodes and edges of a graph.
fn elements(text: &str) -> Result<(Vec<Node>, Vec<Edge>), Fault> {
    let text = without_type(text);
    let mut xml = Xml::new(text.as_bytes());
    let (mut nodes, mut edges): (Vec<Node>, Vec<Edge>) = (Vec::new(), Vec::new());
    let mut value = 0;
    loop {
        let name = match xml.advance().map_err(ill_formed)? {
            Event::End => return Ok((nodes, edges)),
            Event::Open(name @ ("node" | "parameter" | "value" | "exp" | "edge")) => name.to_owned(),
            _ => continue,
        };
        let here = { fault(&xml, "").place };
        match (name.as_str(), nodes.last_mut()) {
            ("node", _) => {
                let id = required(&xml, "id")?;
                let most = level(&xml, "maxvalue")?;
                let is_input = attribute(&xml, "input")?.as_deref() == Some("true");
                let base = if attribute(&xml, "basevalue")?.is_some() { level(&xml, "basevalue")? } else { 0 };
                nodes.push(Node { place: Some(here), id, most, is_input, base, ..Node::default() });
            }
            ("parameter", Some(node)) => {
                let active = attribute(&xml, "idActiveInteractions")?.unwrap_or_default();
                let active = active.split_whitespace().map(str::to_owned).collect();
                node.parameters.push((active, level(&xml, "val")?, here));
            }
            ("value", Some(_)) => value = level(&xml, "val")?,
            ("exp", Some(node)) => node.functions.push((required(&xml, "str")?, value, here)),
            ("edge", _) => edges.push(edge(&xml, here)?),
            _ => return Err(fault(&xml, format!("`<{name}>` stands outside of a node"))),
        }
    }
}

/// An edge, whose tag is open.
fn edge(xml: &Xml<'_>, place: Place) -> Result<Edge, Fault> {
    let (from, to) = (required(xml, "from")?, required(xml, "to")?);
    let id = attribute(xml, "id")?.unwrap_or_default();
    let begins = match attribute(xml, "effects")? {
        Some(effects) => {
            let begin = |effect: &str| effect.split(':').next().and_then(|begin| begin.parse().ok());
            let begins: Option<Vec<u32>> = effects.split_whitespace().map(begin).collect();
            begins
                .filter(|begins| !begins.is_empty())
                .ok_or_else(|| fault(xml, format!("`{effects}` should be levels with signs, as in `1:positive`")))?
        }
        None if attribute(xml, "minvalue")?.is_some() => vec![level(xml, "minvalue")?],
        None => vec![1],
    };
    let end = attribute(xml, "maxvalue")?.and_then(|end| end.parse().ok());
    Ok(Edge { id, from, to, begins, end, place })
}

/// For each level of a node from 1 on: is its target at least this?
fn targets(
    node: &Node,
    nodes: &[Node],
    number_of: &HashMap<&str, usize>,
    incoming: &[(usize, &Intervals)],
    read: &mut Read,
) -> Result<Vec<Condition>, Fault> {
    let active = |read: &mut Read, source: usize, (begin, end): (u32, u32)| {
        let least = read.conditions.at_least(source, begin);
        if end >= nodes[source].most {
            return least;
        }
        let above = read.conditions.at_least(source, end + 1);
        let within = read.conditions.not(above);
        read.conditions.and(least, within)
    };
    let mut terms: Vec<(Condition, u32)> = Vec::new();
    let mut none = read.conditions.constant(true);
    let mut interactions: Vec<([String; 2], Condition)> = Vec::new();
    for &(source, intervals) in incoming {
        for (number, &(begin, end, ref id)) in (1..).zip(intervals) {
            let when = active(read, source, (begin, end));
            let not = read.conditions.not(when);
            none = read.conditions.and(none, not);
            interactions.push(([format!("{}:{}:{number}", nodes[source].id, node.id), id.clone()], when));
        }
    }
    for (ids, level, place) in &node.parameters {
        let mut wanted = vec![false; interactions.len()];
        for id in ids {
            let whole = format!("{id}:1");
            let at = interactions.iter().position(|(known, _)| known.contains(id) || known[0] == whole);
            let unknown = || Fault::new(*place, format!("no edge to `{}` is the interaction `{id}`", node.id));
            wanted[at.ok_or_else(unknown)?] = true;
        }
        let mut all = read.conditions.constant(true);
        for (&wanted, &(_, when)) in wanted.iter().zip(&interactions) {
            let part = if wanted { when } else { read.conditions.not(when) };
            all = read.conditions.and(all, part);
        }
        terms.push((all, *level));
    }
    for (text, level, place) in &node.functions {
        let mut atom = |conditions: &mut super::condition::Conditions, name: &str, place: Place| {
            if let Some(constant) = ["false", "true"].iter().position(|word| name.eq_ignore_ascii_case(word)) {
                return Ok(conditions.constant(constant == 1));
            }
            let (id, number) = match name.rsplit_once(':') {
                Some((id, number)) if !number_of.contains_key(name) => (id, number.parse::<usize>().ok()),
                _ => (name, Some(0)),
            };
            let intervals = number_of.get(id).and_then(|source| incoming.iter().find(|(from, _)| from == source));
            let (Some(&(source, intervals)), Some(number)) = (intervals, number) else {
                return Err(Fault::new(place, format!("no edge leads from `{name}` to `{}`", node.id)));
            };
            let (begin, end) = match number {
                0 => (intervals[0].0, u32::MAX),
                begin => {
                    let named = intervals.iter().find(|interval| interval.0 as usize == begin);
                    let none =
                        || Fault::new(place, format!("no edge from `{id}` to `{}` begins at level {begin}", node.id));
                    named.map(|&(begin, end, _)| (begin, end)).ok_or_else(none)?
                }
            };
            let least = conditions.at_least(source, begin);
            if end >= nodes[source].most {
                return Ok(least);
            }
            let above = conditions.at_least(source, end + 1);
            let within = conditions.not(above);
            Ok(conditions.and(least, within))
        };
        // Columns inside of an attribute are not known: the place of the function has to do.
        let when = condition(text, Place::START, &mut read.conditions, &mut atom);
        let when = when.map_err(|fault| Fault::new(*place, format!("in `{text}`: {}", fault.message)))?;
        terms.push((when, *level));
    }
    let known = terms.iter().map(|&(_, level)| level).chain([node.base]);
    if let Some(beyond) = known.clone().find(|&level| level > node.most) {
        let what = format!("`{}` gets level {beyond}, but its maxvalue is {}", node.id, node.most);
        return Err(Fault::new(node.place.unwrap_or(Place::START), what));
    }
    terms.push((none, node.base));
    Ok((1..=node.most).map(|least| first_true(&mut read.conditions, &terms, 0, least)).collect())
}

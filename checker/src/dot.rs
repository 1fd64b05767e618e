//! Reading networks of transition systems in the DOT form of the RERS challenge: one `subgraph` per component, an
//! edge with the empty label to the state it starts in. A label is taken by all components that have it on some edge,
//! each along one of its edges.

use crate::effort::{keep, work};
use crate::net::{Effect, Net, Place, Step};
use crate::text::Scanner;
use crate::{Checked, refuse};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What stands behind blanks and comments. One that does not end is left, and not understood.
fn skip(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        let after = if text.starts_with('#') || text.starts_with("//") {
            Some(text.find('\n').map_or("", |end| &text[end..]))
        } else {
            text.strip_prefix("/*").and_then(|comment| comment.split_once("*/")).map(|(_, after)| after)
        };
        match after {
            Some(after) => text = after,
            None => return text,
        }
    }
}

/// A word, or a text in quotation marks.
fn name(text: &mut Scanner<'_>) -> Checked<String> {
    if text.sign("\"") {
        let end = text.rest.match_indices('"').find(|(at, _)| !text.rest[..*at].ends_with('\\'));
        let Some((end, _)) = end else { return text.refuse("a quotation without end") };
        let name = text.rest[..end].replace("\\\"", "\"");
        text.rest = &text.rest[end + 1..];
        return Ok(name);
    }
    let word = text.word();
    if word.is_empty() { text.refuse("a name is missing") } else { Ok(word.to_owned()) }
}

/// A component as it is read: its nodes, and its edges with their labels.
#[derive(Default)]
struct Component {
    name: String,
    nodes: Vec<String>,
    numbers: HashMap<String, usize>,
    edges: Vec<(usize, String, usize)>,
}

impl Component {
    /// Read a node or an edge.
    fn statement(&mut self, text: &mut Scanner<'_>) -> Checked<()> {
        let source = name(text)?;
        if source == "subgraph" {
            return text.refuse("a component inside of a component");
        }
        let source = self.node(&source);
        let target = if text.sign("->") { Some(self.node(&name(text)?)) } else { None };
        let mut label = None;
        if text.sign("[") {
            while !text.sign("]") {
                if text.sign(",") || text.sign(";") {
                    continue;
                }
                let key = name(text)?;
                text.expect("=")?;
                let value = name(text)?;
                label = if key == "label" { Some(value) } else { label };
            }
        }
        text.expect(";")?;
        match (target, label) {
            (Some(target), Some(label)) => self.edges.push((source, label, target)),
            (Some(_), None) => return text.refuse("an edge without label"),
            (None, _) => {}
        }
        Ok(())
    }

    fn node(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.nodes.push(name.to_owned());
        self.numbers.insert(name.to_owned(), self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Leave out the node that the edge without label comes from, and say which state is the first.
    fn begin(&mut self) -> Checked<usize> {
        let starts: Vec<usize> = (0..self.edges.len()).filter(|&at| self.edges[at].1.is_empty()).collect();
        let &[start] = &starts[..] else { return refuse(format!("DOT: `{}` has not one start", self.name)) };
        let (from, _, to) = self.edges.remove(start);
        if from == to || self.edges.iter().any(|(source, _, target)| [*source, *target].contains(&from)) {
            return refuse(format!("DOT: the node before the first state of `{}` is used", self.name));
        }
        self.nodes.remove(from);
        let shift = |node: usize| node - usize::from(node > from);
        self.edges.iter_mut().for_each(|(source, _, target)| (*source, *target) = (shift(*source), shift(*target)));
        Ok(shift(to))
    }
}

pub(crate) fn read(text: &str) -> Checked<Net> {
    let mut text = Scanner { rest: text.trim_start_matches('\u{feff}'), what: "DOT", skip };
    if text.word() != "digraph" {
        return text.refuse("neither PNML, nor a network, which begins with `digraph`,");
    }
    if !text.sign("{") {
        name(&mut text)?;
        text.expect("{")?;
    }
    let mut components: Vec<Component> = Vec::new();
    while !text.sign("}") {
        if text.sign(";") {
            continue;
        }
        if text.word() != "subgraph" {
            return text.refuse("`subgraph` or `}` is missing");
        }
        let mut component = Component { name: name(&mut text)?, ..Component::default() };
        text.expect("{")?;
        while !text.sign("}") {
            if !text.sign(";") {
                component.statement(&mut text)?;
            }
        }
        components.push(component);
    }
    if text.at_end() { compose(components) } else { text.refuse("the end is expected") }
}

/// The network: for each label, the ways to take it.
fn compose(mut components: Vec<Component>) -> Checked<Net> {
    let mut net = Net { name: "network".to_owned(), ..Net::default() };
    let mut edges: BTreeMap<String, BTreeMap<usize, Vec<(u64, u64)>>> = BTreeMap::new();
    let mut owners: HashMap<String, usize> = HashMap::new();
    for (number, component) in components.iter_mut().enumerate() {
        for node in &component.nodes {
            if owners.insert(node.clone(), number).is_some() {
                return refuse(format!("DOT: node `{node}` is in two components"));
            }
        }
        let initial = component.begin()? as u64;
        for (source, label, target) in component.edges.drain(..) {
            let moves = edges.entry(label).or_default().entry(number).or_default();
            moves.push((source as u64, target as u64));
        }
        let (name, values) = (std::mem::take(&mut component.name), std::mem::take(&mut component.nodes));
        net.places.push(Place { name, initial, values });
    }
    let names: HashSet<&String> = net.places.iter().map(|place| &place.name).collect();
    if names.len() < net.places.len() || net.places.is_empty() {
        return refuse("DOT: two components have one name, or there is none");
    }
    for (label, takers) in edges {
        let number = net.labels.len();
        net.labels.push(label);
        // Where a component has a choice, each part of its edges that leaves none is a step of its own.
        let mut steps: Vec<Vec<(usize, Effect)>> = vec![Vec::new()];
        for (place, mut moves) in takers {
            moves.sort_unstable();
            moves.dedup();
            let mut parts: Vec<Vec<(u64, u64)>> = Vec::new();
            for (from, to) in moves {
                work(parts.len() + 1)?;
                match parts.iter_mut().find(|part| part.last().is_none_or(|last| last.0 < from)) {
                    Some(part) => part.push((from, to)),
                    None => parts.push(vec![(from, to)]),
                }
            }
            if steps.len().saturating_mul(parts.len()) > 1_000_000 {
                return refuse("too many ways to take a label");
            }
            let size = |step: &[(usize, Effect)]| step.iter().map(|(_, effect)| effect.size()).sum::<usize>();
            let before: usize = steps.iter().map(|step| 2 + size(step)).sum();
            let added: usize = parts.iter().map(|part| part.len() + 1).sum();
            keep((before * parts.len()).saturating_add(added * steps.len()))?;
            let extended = steps.iter().flat_map(|step| {
                parts.iter().map(move |part| {
                    let mut step = step.clone();
                    step.push((place, Effect::Table(part.clone())));
                    step
                })
            });
            steps = extended.collect();
        }
        net.steps.extend(steps.into_iter().map(|effects| Step { label: number, effects, at: None }));
    }
    Ok(net)
}

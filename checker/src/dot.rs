//! Reading networks of transition systems in the DOT form of the RERS challenge: one `subgraph` per component, an
//! edge with the empty label to the state it starts in. A label is taken by all components that have it on some edge,
//! each along one of its edges.

use crate::net::{Effect, Net, Place, Step};
use crate::{Checked, refuse};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Identifiers and quoted texts, arrows and signs.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Id(String),
    Sign(&'static str),
}

fn tokens(text: &str) -> Checked<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(first) = rest.chars().next() {
        let sign = ["->", "{", "}", "[", "]", ";", ",", "="].into_iter().find(|sign| rest.starts_with(sign));
        let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        if let Some(sign) = sign {
            found.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        } else if first == '#' || rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let Some((_, after)) = comment.split_once("*/") else { return refuse("DOT: a comment without end") };
            rest = after;
        } else if first == '"' {
            let mut word = String::new();
            let mut chars = rest[1..].char_indices();
            let end = loop {
                match chars.next() {
                    Some((at, '"')) => break at + 2,
                    Some((_, '\\')) if chars.as_str().starts_with('"') => {
                        chars.next();
                        word.push('"');
                    }
                    Some((_, c)) => word.push(c),
                    None => return refuse("DOT: a quotation without end"),
                }
            };
            found.push(Token::Id(word));
            rest = &rest[end..];
        } else if in_word(first) {
            let end = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
            found.push(Token::Id(rest[..end].to_owned()));
            rest = &rest[end..];
        } else {
            return refuse(format!("{first:?} begins no model in PNML and no network in DOT"));
        }
        rest = rest.trim_start();
    }
    Ok(found)
}

/// A component as it is read: its nodes, and its edges with their labels.
#[derive(Default)]
struct Component {
    name: String,
    nodes: Vec<String>,
    edges: Vec<(usize, String, usize)>,
}

impl Component {
    fn node(&mut self, name: &str) -> usize {
        self.nodes.iter().position(|node| node == name).unwrap_or_else(|| {
            self.nodes.push(name.to_owned());
            self.nodes.len() - 1
        })
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
    let tokens = tokens(text)?;
    let mut rest = tokens.iter();
    let mut next = || rest.next().cloned().map_or_else(|| refuse("DOT: the file is not complete"), Ok);
    let is = |token: &Token, word: &str| matches!(token, Token::Id(id) if id == word);
    if !is(&next()?, "digraph") {
        return refuse("DOT: a network begins with `digraph`");
    }
    if next()? != Token::Sign("{") && next()? != Token::Sign("{") {
        return refuse("DOT: `{` is missing");
    }
    let mut components: Vec<Component> = Vec::new();
    loop {
        match next()? {
            Token::Sign("}") => break,
            Token::Sign(";") => continue,
            token if is(&token, "subgraph") => {}
            _ => return refuse("DOT: `subgraph` or `}` is missing"),
        }
        let (Token::Id(name), Token::Sign("{")) = (next()?, next()?) else { return refuse("DOT: no name or no `{`") };
        let mut component = Component { name, ..Component::default() };
        loop {
            let source = match next()? {
                Token::Sign("}") => break,
                Token::Sign(";") => continue,
                Token::Id(name) if name != "subgraph" => component.node(&name),
                _ => return refuse("DOT: a node, an edge or `}` is missing"),
            };
            let mut sign = next()?;
            let mut target = None;
            if sign == Token::Sign("->") {
                let Token::Id(name) = next()? else { return refuse("DOT: a node is missing") };
                target = Some(component.node(&name));
                sign = next()?;
            }
            let mut label = None;
            if sign == Token::Sign("[") {
                loop {
                    match next()? {
                        Token::Sign("]") => break,
                        Token::Sign("," | ";") => continue,
                        Token::Id(key) => {
                            let (Token::Sign("="), Token::Id(value)) = (next()?, next()?) else {
                                return refuse("DOT: an attribute without value");
                            };
                            if key == "label" {
                                label = Some(value);
                            }
                        }
                        Token::Sign(_) => return refuse("DOT: an attribute is missing"),
                    }
                }
                sign = next()?;
            }
            if sign != Token::Sign(";") {
                return refuse("DOT: `;` is missing");
            }
            match (target, label) {
                (Some(target), Some(label)) => component.edges.push((source, label, target)),
                (Some(_), None) => return refuse("DOT: an edge without label"),
                (None, _) => {}
            }
        }
        components.push(component);
    }
    if next().is_ok() {
        return refuse("DOT: more after the end");
    }
    compose(components)
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
                match parts.iter_mut().find(|part| part.last().is_none_or(|last| last.0 < from)) {
                    Some(part) => part.push((from, to)),
                    None => parts.push(vec![(from, to)]),
                }
            }
            if steps.len().saturating_mul(parts.len()) > 1_000_000 {
                return refuse("too many ways to take a label");
            }
            let extended = steps.iter().flat_map(|step| {
                parts.iter().map(move |part| {
                    let mut step = step.clone();
                    step.push((place, Effect::Table(part.clone())));
                    step
                })
            });
            steps = extended.collect();
        }
        net.steps.extend(steps.into_iter().map(|effects| Step { label: number, effects }));
    }
    Ok(net)
}

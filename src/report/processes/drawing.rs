//! The picture of a diagram where its layout has it: pools, lanes, activities, events, gateways and flows, as people know
//! them from their editors.
//!
//! Each node, sequence flow and message flow is a group with a name of its own (`n3`, `f5`, `m0`), and has an anchor where
//! tokens are shown.

use crate::kinds::bpmn::diagram::{Diagram, Node, NodeId, Sort, Trigger};
use crate::kinds::bpmn::layout::{Bounds, Layout};
use crate::xml::escaped;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Room around the picture.
const MARGIN: f64 = 24.0;
/// Width of a letter, and height of a line, about.
const LETTER: f64 = 6.2;
const LINE: f64 = 12.5;
/// Lines of text below an event.
const MOST_LINES: usize = 4;

/// A picture.
#[derive(Debug)]
pub(super) struct Drawing {
    /// The SVG element.
    pub svg: String,
    /// Where the tokens of an element are shown.
    pub anchors: BTreeMap<String, (f64, f64)>,
}

/// The picture of a diagram; `None` where its layout has none of its nodes.
pub(super) fn drawing(diagram: &Diagram, layout: &Layout, dead: &[NodeId]) -> Option<Drawing> {
    let places: Vec<Option<Bounds>> = diagram.nodes.iter().map(|node| layout.shape(&node.id)).collect();
    places.iter().flatten().next()?;
    let (mut body, mut anchors) = (String::new(), BTreeMap::new());
    let is_node = |id: &str| diagram.nodes.iter().any(|node| node.id == id);
    for (id, bounds) in layout.shapes.iter().filter(|(id, _)| !is_node(id)) {
        // Pools and lanes; what is smaller, as data and notes, is nothing that moves.
        if let Some(name) = layout.names.get(id) {
            container(&mut body, bounds, name);
        }
    }
    // Sub-processes lie below what is in them, and come before it.
    let is_wide = |node: NodeId| diagram.is_expanded(node) || diagram.nodes[node].sort == Sort::EventSub;
    let draw = |body: &mut String, anchors: &mut BTreeMap<String, (f64, f64)>, number: NodeId| {
        let Some(bounds) = places[number] else { return };
        let class = if dead.contains(&number) { "node dead" } else { "node" };
        let node = &diagram.nodes[number];
        let _ = write!(body, "<g id=\"n{number}\" class=\"{class}\"><title>{}</title>", escaped(node.shown()));
        self::node(body, node, &bounds, is_wide(number));
        body.push_str("</g>");
        anchors.insert(format!("n{number}"), (bounds.x + bounds.width - 4.0, bounds.y + 4.0));
    };
    let (wide, others): (Vec<NodeId>, Vec<NodeId>) = (0..diagram.nodes.len()).partition(|&node| is_wide(node));
    wide.into_iter().for_each(|node| draw(&mut body, &mut anchors, node));
    let ends = |points: Option<&Vec<(f64, f64)>>, source: Option<Bounds>, target: Option<Bounds>| match points {
        Some(points) if points.len() > 1 => Some(points.clone()),
        _ => Some(vec![source?.centre(), target?.centre()]),
    };
    for (number, flow) in diagram.flows.iter().enumerate() {
        if let Some(points) = ends(layout.edges.get(&flow.id), places[flow.source], places[flow.target]) {
            anchors.insert(format!("f{number}"), middle(&points));
            edge(&mut body, &format!("f{number}"), "flow", &points, &flow.name);
        }
    }
    for (number, message) in diagram.messages.iter().enumerate() {
        if let Some(points) = ends(layout.edges.get(&message.id), None, None) {
            anchors.insert(format!("m{number}"), middle(&points));
            edge(&mut body, &format!("m{number}"), "message", &points, &message.name);
        }
    }
    others.into_iter().for_each(|node| draw(&mut body, &mut anchors, node));
    let corners = layout.shapes.iter().flat_map(|(_, b)| [(b.x, b.y), (b.x + b.width, b.y + b.height)]);
    let all: Vec<(f64, f64)> = corners.chain(layout.edges.values().flatten().copied()).collect();
    let least = |of: fn(&(f64, f64)) -> f64| all.iter().map(of).fold(f64::INFINITY, f64::min) - MARGIN;
    let most = |of: fn(&(f64, f64)) -> f64| all.iter().map(of).fold(f64::NEG_INFINITY, f64::max) + MARGIN;
    let (x, y) = (least(|point| point.0), least(|point| point.1));
    // Text below events needs a little more.
    let (width, height) = (most(|point| point.0) - x, most(|point| point.1) - y + 2.0 * LINE);
    let svg = format!(
        "<svg id=\"diagram\" viewBox=\"{x:.0} {y:.0} {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         role=\"img\" aria-label=\"the diagram\"><defs>\
         <marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerUnits=\"userSpaceOnUse\" markerWidth=\"11\" markerHeight=\"11\" orient=\"auto\">\
         <path class=\"tip\" d=\"M0 1L10 5L0 9z\"/></marker>\
         <marker id=\"open\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerUnits=\"userSpaceOnUse\" markerWidth=\"11\" markerHeight=\"11\" orient=\"auto\">\
         <path class=\"hollow\" d=\"M0 1L10 5L0 9z\"/></marker></defs>{body}<g id=\"tokens\"></g></svg>"
    );
    Some(Drawing { svg, anchors })
}

/// A pool or a lane, with its name along the left border.
fn container(body: &mut String, b: &Bounds, name: &str) {
    let (x, y) = (b.x + 16.0, b.y + b.height / 2.0);
    let _ = write!(
        body,
        "<rect class=\"pool\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\
         <text class=\"name\" transform=\"translate({x} {y}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        b.x,
        b.y,
        b.width,
        b.height,
        escaped(name)
    );
}

fn node(body: &mut String, node: &Node, b: &Bounds, is_wide: bool) {
    let (x, y) = b.centre();
    let r = b.width.min(b.height) / 2.0;
    match node.sort {
        Sort::Task | Sort::ReceiveTask | Sort::Sub | Sort::EventSub => {
            let class = if node.sort == Sort::EventSub { "box dashed" } else { "box" };
            let Bounds { x: left, y: top, width, height } = *b;
            let _ = write!(
                body,
                "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"9\"/>"
            );
            let lines = wrapped(node.shown(), width - 10.0, (height / LINE) as usize);
            let begin = if is_wide { top + 16.0 } else { y - (lines.len() as f64 - 1.0) * LINE / 2.0 + 4.0 };
            words(body, "", &lines, x, begin);
        }
        Sort::Exclusive | Sort::Parallel | Sort::Inclusive | Sort::EventBased => {
            let _ = write!(
                body,
                "<path class=\"box\" d=\"M{} {y}L{x} {}L{} {y}L{x} {}z\"/>",
                b.x,
                b.y,
                b.x + b.width,
                b.y + b.height
            );
            let d = r * 0.4;
            let sign = match node.sort {
                Sort::Exclusive => {
                    format!("M{} {}L{} {}M{} {}L{} {}", x - d, y - d, x + d, y + d, x - d, y + d, x + d, y - d)
                }
                Sort::Parallel => format!("M{} {y}H{}M{x} {}V{}", x - d, x + d, y - d, y + d),
                Sort::Inclusive => format!("M{} {y}a{d} {d} 0 1 0 {} 0a{d} {d} 0 1 0 {} 0", x - d, 2.0 * d, -2.0 * d),
                // A pentagon; the circles of an event around it follow.
                _ => {
                    let corner = |turn: f64| {
                        let angle = (turn / 5.0).mul_add(std::f64::consts::TAU, -std::f64::consts::FRAC_PI_2);
                        format!("{:.1} {:.1}", x + r * 0.3 * angle.cos(), y + r * 0.3 * angle.sin())
                    };
                    format!("M{}z", [0.0, 1.0, 2.0, 3.0, 4.0].map(corner).join("L"))
                }
            };
            let is_event = node.sort == Sort::EventBased;
            let class = if is_event { "sign fine" } else { "sign" };
            let _ = write!(body, "<path class=\"{class}\" d=\"{sign}\"/>");
            for radius in [0.56, 0.46].iter().filter(|_| is_event) {
                let _ = write!(body, "<circle class=\"inner\" cx=\"{x}\" cy=\"{y}\" r=\"{:.1}\"/>", r * radius);
            }
            below(body, node, x, b);
        }
        Sort::Start | Sort::End | Sort::Throw | Sort::Catch | Sort::Boundary => {
            let class = match (node.sort, node.interrupts) {
                (Sort::End, _) => "box thick",
                (Sort::Boundary, false) => "box dashed",
                _ => "box",
            };
            let _ = write!(body, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>");
            if matches!(node.sort, Sort::Throw | Sort::Catch | Sort::Boundary) {
                let _ = write!(body, "<circle class=\"inner\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", (r - 3.0).max(1.0));
            }
            if let Some(sign) = node.triggers.first().map(sign) {
                let _ = write!(
                    body,
                    "<text class=\"glyph\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{sign}</text>",
                    y + 5.0
                );
            }
            below(body, node, x, b);
        }
    }
}

/// The sign of an event.
fn sign(trigger: &Trigger) -> char {
    match trigger {
        Trigger::Message => '✉',
        Trigger::Timer(_) => '◷',
        Trigger::Conditional => '☰',
        Trigger::Signal(_) => '△',
        Trigger::Error(_) => 'ϟ',
        Trigger::Escalation(_) => '⇑',
        Trigger::Cancel => '✕',
        Trigger::Compensation => '«',
        Trigger::Link(_) => '⇨',
        Trigger::Terminate => '●',
    }
}

/// The name of an event or a gateway below it; those without have none.
fn below(body: &mut String, node: &Node, x: f64, b: &Bounds) {
    words(body, " class=\"label\"", &wrapped(&node.name, 100.0, MOST_LINES), x, b.y + b.height + LINE);
}

fn words(body: &mut String, class: &str, lines: &[String], x: f64, y: f64) {
    for (number, line) in lines.iter().enumerate() {
        let y = y + number as f64 * LINE;
        let _ = write!(body, "<text{class} x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", escaped(line));
    }
}

/// A text in lines of that width; what does not fit is cut.
fn wrapped(text: &str, width: f64, most: usize) -> Vec<String> {
    let letters = ((width / LETTER) as usize).max(4);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + length <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let most = most.max(1);
    let is_cut = lines.len() > most;
    lines.truncate(most);
    let last = lines.len().saturating_sub(1);
    for (number, line) in lines.iter_mut().enumerate() {
        if line.chars().count() > letters || is_cut && number == last {
            *line = line.chars().take(letters - 1).chain(['…']).collect();
        }
    }
    lines
}

fn edge(body: &mut String, id: &str, class: &str, points: &[(f64, f64)], name: &str) {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
    let tip = if class == "flow" { "arrow" } else { "open" };
    let _ = write!(
        body,
        "<g id=\"{id}\" class=\"{class}\"><polyline points=\"{}\" marker-end=\"url(#{tip})\"/>",
        points.join(" ")
    );
    if !name.is_empty() {
        let _ = write!(body, "<title>{}</title>", escaped(name));
    }
    body.push_str("</g>");
}

/// The point half way along a line.
fn middle(points: &[(f64, f64)]) -> (f64, f64) {
    let length = |pair: &[(f64, f64)]| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1);
    let mut left = points.windows(2).map(length).sum::<f64>() / 2.0;
    for pair in points.windows(2) {
        let long = length(pair);
        if long >= left && long > 0.0 {
            let part = left / long;
            return (pair[0].0 + part * (pair[1].0 - pair[0].0), pair[0].1 + part * (pair[1].1 - pair[0].1));
        }
        left -= long;
    }
    points.first().copied().unwrap_or_default()
}

//! A net as SVG: circles with tokens, bars, arcs with weights. It needs nothing from outside, follows the reader's
//! preference for a dark page, and every node has its name as a tooltip.

use super::layers::{Point, layered, spread};
use super::{Kind, Node, View};
use crate::xml::escaped;
use std::fmt::Write as _;

/// Pixels between neighbours of a layer where names are short, and at most; and between layers.
const STEP: (f64, f64) = (92.0, 64.0);
const WIDEST: f64 = 200.0;
/// Pixels around the drawing.
const MARGIN: f64 = 48.0;
/// Half the size of a place, and of a transition in both directions.
const RADIUS: f64 = 15.0;
const BAR: (f64, f64) = (20.0, 8.0);
/// Half the width of a silent one.
const SILENT: f64 = 8.0;
/// Characters of a name beside its node, and pixels of one.
const LONGEST: usize = 24;
const LETTER: f64 = 5.7;

/// Length of a line in the direction in which it leaves a node, before it turns.
const LEAVE: f64 = 16.0;
/// Lines meet a place at most so far from straight above or below, so that they keep clear of the name beside it.
const STEEP: f64 = 0.9;
/// Angle between lines that meet the same side of a node, if there is room.
const APART: f64 = 0.42;

const STYLE: &str = ".net{color:#1b1f24;background:#fff;font:11px system-ui,sans-serif}\
.net .a{fill:none;stroke:currentColor;stroke-opacity:.55}.net .d{stroke-dasharray:4 3}\
.net .o,.net .p{fill:#fff}.net .p{stroke:#1f5fbf;stroke-width:1.6}.net .t{fill:#59636e}.net .s{fill:currentColor}.net .k,.net .h{fill:currentColor}.net .h{fill:context-stroke}\
.net text{fill:currentColor}.net .n{font-size:10px}.net .w{font-weight:600}\
.net .n,.net .v{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}\
@media(prefers-color-scheme:dark){.net{color:#e6e9ed;background:#14171b}.net .n,.net .v{stroke:#14171b}\
.net .o,.net .p{fill:#1d2228}.net .p{stroke:#6ea8ff}.net .t{fill:#aab4bf}.net .s{fill:currentColor}}";

impl View<'_> {
    /// The picture as a document of SVG.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _infallible = self.draw(&mut out);
        out
    }

    /// The document without a drawing, for a script that draws parts of the net.
    pub(crate) fn frame(&self) -> String {
        let mut out = String::new();
        let _infallible = View { nodes: Vec::new(), links: Vec::new(), ..*self }.head(1.0, 1.0, &mut out);
        out.push_str("</svg>\n");
        out
    }

    fn draw(&self, out: &mut String) -> std::fmt::Result {
        let edges: Vec<_> = self.links.iter().map(|link| (link.from, link.to)).collect();
        let marked = |node: &Node| matches!(*node, Node::Place(place) if self.net.place(place).initial > 0);
        let roots: Vec<_> = (0..self.nodes.len()).filter(|&n| marked(&self.nodes[n])).collect();
        let step = (self.step(), STEP.1);
        let layout = layered(self.nodes.len(), &edges, &roots).wrapped(step);
        let pixel = |p: &Point| Point { x: MARGIN + p.x * step.0, y: MARGIN + p.y * step.1 };
        let all = || layout.points.iter().chain(layout.routes.iter().flatten()).map(pixel);
        let width = all().map(|p| p.x).fold(MARGIN, f64::max) + step.0 - BAR.0;
        let height = all().map(|p| p.y).fold(MARGIN, f64::max) + MARGIN;
        self.head(width, height, out)?;
        let routes: Vec<Vec<Point>> = layout.routes.iter().map(|route| route.iter().map(pixel).collect()).collect();
        let ports = self.ports(&routes);
        let mut weights = String::new();
        for ((link, route), angles) in self.links.iter().zip(&routes).zip(ports) {
            let points = meet(route, [link.from, link.to].map(|end| self.half(self.nodes[end])), angles);
            let (class, end) = match link.kind {
                Kind::Moves => ("a", " marker-end=\"url(#net-to)\""),
                Kind::Reads => ("a d", ""),
                Kind::Inhibits => ("a", " marker-end=\"url(#net-not)\""),
            };
            let transition = match (self.nodes[link.from], self.nodes[link.to]) {
                (Node::Transition(t), _) | (_, Node::Transition(t)) => t.index(),
                _ => continue,
            };
            let way = match (link.kind, self.nodes[link.from]) {
                (Kind::Moves, Node::Place(_)) => "in",
                (Kind::Moves, Node::Transition(_)) => "out",
                (Kind::Reads | Kind::Inhibits, _) => "test",
            };
            writeln!(
                out,
                "<path class=\"{class}\" data-way=\"{way}\" data-t=\"{transition}\" d=\"{}\"{end}/>",
                curve(&points)
            )?;
            if link.weight > 1 {
                let (a, b) = (points[points.len() / 2 - 1], points[points.len() / 2]);
                let (x, y) = (f64::midpoint(a.x, b.x) + 5.0, f64::midpoint(a.y, b.y) + 4.0);
                writeln!(weights, "<text class=\"w v\" x=\"{x:.0}\" y=\"{y:.0}\">{}</text>", link.weight)?;
            }
        }
        for (&node, point) in self.nodes.iter().zip(&layout.points) {
            self.node(node, pixel(point), out)?;
        }
        out.push_str(&weights);
        if let Some(note) = self.note() {
            writeln!(out, "<text x=\"12\" y=\"20\">{}</text>", escaped(&note))?;
        }
        writeln!(out, "</svg>")
    }

    /// Pixels between neighbours of a layer: what the longest name takes, up to a limit.
    fn step(&self) -> f64 {
        let letters = self.nodes.iter().map(|&node| self.label(node).chars().count().min(LONGEST + 1)).max();
        (2.0 * BAR.0 + 10.0 + letters.unwrap_or(0) as f64 * LETTER).clamp(STEP.0, WIDEST)
    }

    /// The part before the drawing: its size, title, style, and the ends of arrows.
    fn head(&self, width: f64, height: f64, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"net\" role=\"img\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">"
        )?;
        writeln!(out, "<title>{}</title>", escaped(self.net.name()))?;
        if let Some(note) = self.note().filter(|_| !self.nodes.is_empty()) {
            writeln!(out, "<desc>{}</desc>", escaped(&note))?;
        }
        writeln!(out, "<style>{STYLE}</style>")?;
        writeln!(
            out,
            "<defs><marker id=\"net-to\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerUnits=\"userSpaceOnUse\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path class=\"h\" d=\"M0 1L8 4L0 7z\"/></marker><marker id=\"net-not\" viewBox=\"0 0 8 8\" \
             refX=\"7\" refY=\"4\" markerUnits=\"userSpaceOnUse\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><circle class=\"a o\" cx=\"4\" \
             cy=\"4\" r=\"3\"/></marker></defs>"
        )
    }

    /// The angles at which the lines leave their two nodes, so that those of a node are apart.
    fn ports(&self, routes: &[Vec<Point>]) -> Vec<[f64; 2]> {
        let mut angles = vec![[0.0; 2]; routes.len()];
        let mut ends: Vec<[Vec<(f64, usize)>; 2]> = vec![<[Vec<_>; 2]>::default(); self.nodes.len()];
        for (number, (link, route)) in self.links.iter().zip(routes).enumerate() {
            let &[first, ref inner @ .., last] = &route[..] else { continue };
            let towards = [inner.first().unwrap_or(&last), inner.last().unwrap_or(&first)];
            for (end, ((node, at), other)) in [(link.from, first), (link.to, last)].into_iter().zip(towards).enumerate()
            {
                let (dx, dy) = (other.x - at.x, other.y - at.y);
                ends[node][usize::from(dy < 0.0)].push((dx.atan2(dy.abs()).clamp(-STEEP, STEEP), 2 * number + end));
            }
        }
        for side in ends.iter_mut().flatten() {
            let apart = APART.min(2.0 * STEEP / side.len().max(2) as f64);
            side.sort_by(|a, b| a.0.total_cmp(&b.0));
            let wanted: Vec<_> = side.iter().enumerate().map(|(rank, &(angle, _))| (angle / apart, rank)).collect();
            let mut placed = vec![0.0; side.len()];
            spread(&wanted, &mut placed);
            // Keep the distances, but also within what is steep.
            let over = placed.last().map_or(0.0, |at| (at * apart - STEEP).max(0.0));
            let under = placed.first().map_or(0.0, |at| (-STEEP - at * apart).max(0.0));
            for (&(_, end), at) in side.iter().zip(placed) {
                angles[end / 2][end % 2] = (at * apart - over + under).clamp(-STEEP, STEEP);
            }
        }
        angles
    }

    /// Half the width of a transition; a place is round.
    fn half(&self, node: Node) -> Option<f64> {
        match node {
            Node::Place(_) => None,
            Node::Transition(transition) if self.is_silent(transition) => Some(SILENT),
            Node::Transition(_) => Some(BAR.0),
        }
    }

    fn node(&self, node: Node, Point { x, y }: Point, out: &mut String) -> std::fmt::Result {
        let id = self.label(node);
        let beside = match node {
            Node::Place(place) => {
                let tokens = self.tokens(place);
                let label = escaped(id);
                let number = place.index();
                writeln!(out, "<g id=\"p{number}\"><title>{label}: {tokens}</title>")?;
                writeln!(out, "<circle class=\"p\" cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{RADIUS}\"/>")?;
                match tokens {
                    0 => {}
                    1 => writeln!(out, "<circle class=\"k m\" cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"4\"/>")?,
                    n => {
                        let y = y + 4.0;
                        writeln!(
                            out,
                            "<text class=\"w m\" text-anchor=\"middle\" x=\"{x:.0}\" y=\"{y:.0}\">{n}</text>"
                        )?;
                    }
                }
                RADIUS
            }
            Node::Transition(transition) => {
                let half = if self.is_silent(transition) { SILENT } else { BAR.0 };
                let (width, height) = (2.0 * half, 2.0 * BAR.1);
                let (left, top) = (x - half, y - BAR.1);
                writeln!(out, "<g id=\"t{}\"><title>{}</title>", transition.index(), escaped(id))?;
                let look = if self.is_silent(transition) { "class=\"t s\"" } else { "class=\"t\" rx=\"3\"" };
                writeln!(out, "<rect {look} x=\"{left:.0}\" y=\"{top:.0}\" width=\"{width}\" height=\"{height}\"/>")?;
                if self.net.is_nameless(transition) {
                    return writeln!(out, "</g>");
                }
                half
            }
        };
        let short = match id.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", id.get(..end).unwrap_or_default()),
            None => id.to_owned(),
        };
        let (x, y) = (x + beside + 3.0, y + 4.0);
        writeln!(out, "<text class=\"n\" x=\"{x:.0}\" y=\"{y:.0}\">{}</text></g>", escaped(&short))
    }
}

/// A line between the borders of two nodes: its ends, and points between that it does not touch but turns to. The
/// route goes through the middles of the nodes; it passes other layers upright, where their nodes are.
fn meet(route: &[Point], halves: [Option<f64>; 2], angles: [f64; 2]) -> Vec<Point> {
    let &[first, ref inner @ .., last] = route else { return route.to_vec() };
    let down = if first.y <= last.y { 1.0 } else { -1.0 };
    let (start, leave) = border(first, halves[0], angles[0], down);
    let (end, arrive) = border(last, halves[1], angles[1], -down);
    let mut points = vec![start, leave];
    points.extend(
        inner.iter().flat_map(|&Point { x, y }| [-1.0, 1.0].map(|half| Point { x, y: y + half * down * LEAVE })),
    );
    points.extend([arrive, end]);
    points
}

/// The point at which a line leaves a node at an angle from the vertical, positive to the right, and a point further
/// out.
fn border(at: Point, half: Option<f64>, angle: f64, down: f64) -> (Point, Point) {
    match half {
        None => {
            let out = |far: f64| Point { x: at.x + angle.sin() * far, y: at.y + angle.cos() * down * far };
            (out(RADIUS + 1.0), out(RADIUS + LEAVE))
        }
        Some(half) => {
            let x = at.x + angle / STEEP * (half - 4.0);
            let out = |far: f64, slant: f64| Point { x: x + slant, y: at.y + down * far };
            (out(BAR.1 + 1.0, 0.0), out(BAR.1 + LEAVE, angle.tan() * LEAVE / 2.0))
        }
    }
}

/// A line through the first and last points that rounds off the others.
pub(super) fn curve(points: &[Point]) -> String {
    let mut path = String::new();
    for (number, p) in points.iter().enumerate() {
        let piece = match points.get(number + 1) {
            _ if number == 0 => format!("M{:.1} {:.1}", p.x, p.y),
            Some(next) if number + 2 < points.len() => {
                format!("Q{:.1} {:.1} {:.1} {:.1}", p.x, p.y, f64::midpoint(p.x, next.x), f64::midpoint(p.y, next.y))
            }
            Some(next) => format!("Q{:.1} {:.1} {:.1} {:.1}", p.x, p.y, next.x, next.y),
            None if points.len() == 2 => format!("L{:.1} {:.1}", p.x, p.y),
            None => String::new(),
        };
        path.push_str(&piece);
    }
    path
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::net::{Annotations, NetBuilder, PetriNet};
    use crate::picture::View;
    use crate::xml::{Event, XmlCursor};

    fn hostile() -> PetriNet {
        let mut b = NetBuilder::new("</title><script>alert(1)</script>\u{1}");
        let p = b.place("\"><img src=x onerror=alert(1)>", 2).unwrap();
        let q = b.place("' & ]]>", 0).unwrap();
        let t = b.transition("<t>").unwrap();
        b.input(p, t, 1).unwrap();
        b.output(t, q, 3).unwrap();
        b.build().unwrap()
    }

    #[test]
    fn names_do_not_become_elements() {
        let svg = View::new(&hostile(), 100).svg();
        assert!(!svg.contains("<script") && !svg.contains("<img") && !svg.contains("<t>") && !svg.contains('\u{1}'));
        assert!(svg.contains("&lt;script&gt;"));
        let mut xml = XmlCursor::new(svg.as_bytes());
        while xml.advance().unwrap() != Event::End {}
    }

    /// Silent by what the file says, which has a name for runs to show, and by its name, which has none.
    #[test]
    fn silent_transitions_look_silent() {
        let mut b = NetBuilder::new("n");
        let [skip, _, tau] = ["skip", "act", "t3"].map(|id| b.transition(id).unwrap());
        b.name_transition(tau, "tau");
        let net = b.build().unwrap().with_annotations(Annotations { silent: vec![skip], ..Annotations::default() });
        let (svg, dot) = (View::new(&net, 10).svg(), View::new(&net, 10).dot());
        assert_eq!([svg.matches("class=\"t s\"").count(), svg.matches("class=\"t\"").count()], [2, 1], "{svg}");
        assert!(svg.contains(">skip</text>") && !svg.contains(">t3</text>"), "{svg}");
        assert_eq!(dot.matches("fillcolor=black").count(), 2, "{dot}");
        assert!(dot.contains("xlabel=\"skip\"") && dot.contains("xlabel=\"\""), "{dot}");
    }

    #[test]
    fn a_large_net_is_cut_and_says_so() {
        let net = hostile();
        assert_eq!(View::new(&net, 3).note(), None);
        let cut = View::new(&net, 2);
        assert!(cut.note().unwrap().starts_with("2 of 3 places and transitions"));
        assert!(cut.svg().contains("2 of 3") && cut.dot().contains("2 of 3"));
        assert!(View::new(&net, 0).svg().ends_with("</svg>\n"));
    }
}

//! A net as SVG: circles with tokens, bars, arcs with weights. It needs nothing from outside, follows the reader's
//! preference for a dark page, and every node has its name as a tooltip.

use super::layers::{Point, layered};
use super::{Kind, Node, View};
use std::fmt::Write as _;

/// Pixels between neighbours of a layer, and between layers.
const STEP: (f64, f64) = (92.0, 64.0);
/// Pixels around the drawing.
const MARGIN: f64 = 48.0;
/// Half the size of a place, and of a transition in both directions.
const RADIUS: f64 = 15.0;
const BAR: (f64, f64) = (20.0, 8.0);
/// Characters of a name that fit beside its node.
const LONGEST: usize = 12;

const STYLE: &str = "svg{color:#1b1f24;background:#fff;font:11px system-ui,sans-serif}\
.a{fill:none;stroke:currentColor;stroke-opacity:.55}.d{stroke-dasharray:4 3}\
.p{fill:#fff;stroke:#1f5fbf;stroke-width:1.6}.t{fill:#59636e}.k{fill:currentColor}\
text{fill:currentColor}.n{font-size:10px}.w{font-weight:600}\
@media(prefers-color-scheme:dark){svg{color:#e6e9ed;background:#14171b}\
.p{fill:#1d2228;stroke:#6ea8ff}.t{fill:#aab4bf}}";

impl View<'_> {
    /// The picture as a document of SVG.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _infallible = self.draw(&mut out);
        out
    }

    fn draw(&self, out: &mut String) -> std::fmt::Result {
        let edges: Vec<_> = self.links.iter().map(|link| (link.from, link.to)).collect();
        let marked = |node: &Node| matches!(*node, Node::Place(place) if self.net.place(place).initial > 0);
        let roots: Vec<_> = (0..self.nodes.len()).filter(|&n| marked(&self.nodes[n])).collect();
        let layout = layered(self.nodes.len(), &edges, &roots);
        let pixel = |p: &Point| Point { x: MARGIN + p.x * STEP.0, y: MARGIN + p.y * STEP.1 };
        let all = || layout.points.iter().chain(layout.routes.iter().flatten()).map(pixel);
        let width = all().map(|p| p.x).fold(MARGIN, f64::max) + MARGIN + STEP.0 / 2.0;
        let height = all().map(|p| p.y).fold(MARGIN, f64::max) + MARGIN;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">"
        )?;
        writeln!(out, "<title>{}</title>", escaped(self.net.name()))?;
        if let Some(note) = self.note() {
            writeln!(out, "<desc>{}</desc>", escaped(&note))?;
        }
        writeln!(out, "<style>{STYLE}</style>")?;
        writeln!(
            out,
            "<defs><marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path class=\"k\" d=\"M0 1L8 4L0 7z\"/></marker><marker id=\"not\" viewBox=\"0 0 8 8\" \
             refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><circle class=\"a\" cx=\"4\" \
             cy=\"4\" r=\"3\"/></marker></defs>"
        )?;
        for (link, route) in self.links.iter().zip(&layout.routes) {
            let mut points: Vec<Point> = route.iter().map(pixel).collect();
            shorten(&mut points, self.nodes[link.to]);
            points.reverse();
            shorten(&mut points, self.nodes[link.from]);
            points.reverse();
            let (class, end) = match link.kind {
                Kind::Moves => ("a", " marker-end=\"url(#to)\""),
                Kind::Reads => ("a d", ""),
                Kind::Inhibits => ("a", " marker-end=\"url(#not)\""),
            };
            writeln!(out, "<path class=\"{class}\" d=\"{}\"{end}/>", curve(&points))?;
            if link.weight > 1
                && let [.., a, b] = points[..]
            {
                let (x, y) = (f64::midpoint(a.x, b.x) + 4.0, f64::midpoint(a.y, b.y));
                writeln!(out, "<text class=\"w\" x=\"{x:.0}\" y=\"{y:.0}\">{}</text>", link.weight)?;
            }
        }
        for (&node, point) in self.nodes.iter().zip(&layout.points) {
            self.node(node, pixel(point), out)?;
        }
        if let Some(note) = self.note() {
            writeln!(out, "<text x=\"12\" y=\"20\">{}</text>", escaped(&note))?;
        }
        writeln!(out, "</svg>")
    }

    fn node(&self, node: Node, Point { x, y }: Point, out: &mut String) -> std::fmt::Result {
        let id = self.id(node);
        let beside = match node {
            Node::Place(place) => {
                let tokens = self.net.place(place).initial;
                let label = escaped(id);
                writeln!(out, "<g><title>{label}: {tokens}</title>")?;
                writeln!(out, "<circle class=\"p\" cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{RADIUS}\"/>")?;
                match tokens {
                    0 => {}
                    1 => writeln!(out, "<circle class=\"k\" cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"4\"/>")?,
                    n => writeln!(
                        out,
                        "<text class=\"w\" text-anchor=\"middle\" x=\"{x:.0}\" y=\"{:.0}\">{n}</text>",
                        y + 4.0
                    )?,
                }
                RADIUS
            }
            Node::Transition(_) => {
                let (width, height) = (2.0 * BAR.0, 2.0 * BAR.1);
                let (left, top) = (x - BAR.0, y - BAR.1);
                writeln!(out, "<g><title>{}</title>", escaped(id))?;
                writeln!(
                    out,
                    "<rect class=\"t\" x=\"{left:.0}\" y=\"{top:.0}\" width=\"{width}\" height=\"{height}\" rx=\"3\"/>"
                )?;
                BAR.0
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

/// Let the line end at the border of a node.
fn shorten(points: &mut [Point], node: Node) {
    let [.., before, last] = points else { return };
    let (dx, dy) = (last.x - before.x, last.y - before.y);
    let length = dx.hypot(dy);
    if length == 0.0 {
        return;
    }
    let gap = match node {
        Node::Place(_) => RADIUS + 1.0,
        Node::Transition(_) => {
            let wide = if dx == 0.0 { f64::INFINITY } else { BAR.0 * length / dx.abs() };
            let high = if dy == 0.0 { f64::INFINITY } else { BAR.1 * length / dy.abs() };
            wide.min(high) + 1.0
        }
    };
    let share = (gap / length).min(0.5);
    *last = Point { x: last.x - dx * share, y: last.y - dy * share };
}

/// A line through the first and last points that rounds off the others.
fn curve(points: &[Point]) -> String {
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

/// Text in a document; what XML does not allow becomes a replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => out.push(c),
            _ => out.push('\u{fffd}'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::net::{NetBuilder, PetriNet};
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

//! A graph with labels as SVG: boxes with text, arrows with text; for graphs of states and for automata.
//!
//! Layers are as for nets. All edges that lead down leave a box right of its middle, all that lead up left of it, so that
//! two that join the same boxes are apart. Edges that join the same boxes in the same direction are one, with all their
//! labels. Labels lie above everything else, and are moved where they would lie on a box or on each other. A drawing is never wider than
//! what it stands in. A large graph makes no readable picture: what is drawn is at most so many vertices, the first ones, and the picture says
//! so.

use super::layers::{Point, layered};
use super::svg::curve;
use crate::xml::escaped;
use indexmap::IndexMap;
use std::fmt::Write as _;

/// Pixels of a letter, of a line of text, around a drawing, and between layers.
const LETTER: f64 = 6.4;
const LINE: f64 = 14.0;
const MARGIN: f64 = 28.0;
const LAYER: f64 = 78.0;
/// Half the height of a box.
const HALF: f64 = 13.0;
/// Distance from the middle of a box at which edges leave it.
const ASIDE: f64 = 9.0;
/// Characters of a label, and labels of an edge, that are shown.
const LONGEST: usize = 36;
const LABELS: usize = 3;

const STYLE: &str = ".graph{color:#1b1f24;background:#fff;font:11px system-ui,sans-serif}\
.graph .a{fill:none;stroke:currentColor;stroke-opacity:.55}.graph .h{fill:currentColor;fill-opacity:.75}\
.graph rect{fill:#fff;stroke:#1f5fbf;stroke-width:1.4}.graph .first rect{stroke-width:2.6}\
.graph .grey rect{stroke:#8b949e}.graph .blue rect{stroke:#1f5fbf}.graph .green rect{stroke:#1a7f37}.graph .orange rect{stroke:#bc4c00}\
.graph .end rect{stroke:#cf222e}.graph text{fill:currentColor;text-anchor:middle}\
.graph .v{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round;font-size:10px}\
@media(prefers-color-scheme:dark){.graph{color:#e6e9ed;background:#14171b}.graph .v{stroke:#14171b}.graph rect{fill:#1d2228}}";

/// A vertex.
#[derive(Clone, Debug)]
struct Vertex {
    label: String,
    title: String,
    class: &'static str,
}

/// A graph to be drawn.
///
/// ```
/// use starset::picture::Graph;
/// let mut graph = Graph::new("toggle");
/// let (on, off) = (graph.vertex("on", "the lamp is on", "first"), graph.vertex("off", "", ""));
/// graph.edge(on, off, "push");
/// graph.edge(off, on, "push");
/// graph.edge(off, off, "wait");
/// assert_eq!(graph.svg(100).matches("push").count(), 2);
/// assert!(graph.svg(1).contains("1 of 2"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Graph {
    title: String,
    vertices: Vec<Vertex>,
    edges: IndexMap<(usize, usize), Vec<String>>,
}

impl Graph {
    /// A graph without vertices.
    pub fn new(title: &str) -> Self {
        Graph { title: title.to_owned(), ..Graph::default() }
    }

    /// Add a vertex with a label, what is said of it when it is pointed at, and classes of the style: `first`, `end`, a
    /// colour.
    pub fn vertex(&mut self, label: &str, title: &str, class: &'static str) -> usize {
        self.vertices.push(Vertex { label: short(label), title: title.to_owned(), class });
        self.vertices.len() - 1
    }

    /// Add an edge with a label between vertices that are there.
    pub fn edge(&mut self, from: usize, to: usize, label: &str) {
        if from.max(to) < self.vertices.len() {
            self.edges.entry((from, to)).or_default().push(label.to_owned());
        }
    }

    /// The drawing of at most so many vertices, as a document of SVG.
    pub fn svg(&self, most: usize) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _infallible = self.draw(most, &mut out);
        out
    }

    fn draw(&self, most: usize, out: &mut String) -> std::fmt::Result {
        let vertices = &self.vertices[..self.vertices.len().min(most)];
        let all = self.edges.iter().map(|(&(from, to), labels)| (from, to, labels));
        let edges: Vec<(usize, usize, &Vec<String>)> =
            all.filter(|(from, to, _)| from.max(to) < &vertices.len()).collect();
        let width = |text: &str| text.chars().count() as f64 * LETTER;
        let half = |vertex: &Vertex| (width(&vertex.label) / 2.0 + 8.0).max(HALF + 3.0);
        let widest = vertices.iter().map(half).fold(0.0, f64::max);
        let text = edges.iter().flat_map(|(_, _, labels)| labels.iter().take(LABELS)).map(|label| width(&short(label)));
        let text = text.fold(0.0, f64::max);
        let step = ((2.0 * widest).max(text * 0.8) + 26.0, LAYER);
        let proper: Vec<(usize, usize)> =
            edges.iter().map(|&(from, to, _)| (from, to)).filter(|(a, b)| a != b).collect();
        let first: Vec<usize> = (0..vertices.len()).filter(|&v| vertices[v].class.contains("first")).collect();
        let layout = layered(vertices.len(), &proper, &first);
        let both = edges.iter().any(|&(from, to, _)| from != to && self.edges.contains_key(&(to, from)));
        let side = MARGIN + widest.max(if both { text + ASIDE } else { text / 2.0 });
        let pixel = |p: &Point| Point { x: side + p.x * step.0, y: MARGIN + HALF + p.y * step.1 };
        let points: Vec<Point> = layout.points.iter().map(pixel).collect();
        let all = || layout.points.iter().chain(layout.routes.iter().flatten()).map(pixel);
        let loops = edges.iter().filter(|(from, to, _)| from == to);
        let beside = loops.map(|&(v, _, labels)| half(&vertices[v]) + 34.0 + labels_width(labels)).fold(0.0, f64::max);
        let right = all().map(|p| p.x).fold(side, f64::max) + side.max(beside + 8.0);
        let bottom = all().map(|p| p.y).fold(MARGIN, f64::max) + MARGIN + HALF;
        self.head(right, bottom, vertices.len(), out)?;
        let mut routes = layout.routes.iter();
        let mut written = Written::default();
        for (vertex, at) in vertices.iter().zip(&points) {
            written.keep_clear(*at, half(vertex), HALF);
        }
        for &(from, to, labels) in &edges {
            if from == to {
                own(points[from], half(&vertices[from]), labels, &mut written, out)?;
                continue;
            }
            let Some(route) = routes.next() else { continue };
            let route: Vec<Point> = route.iter().map(pixel).collect();
            arrow(&route, labels, self.edges.contains_key(&(to, from)), &mut written, out)?;
        }
        for (vertex, &Point { x, y }) in vertices.iter().zip(&points) {
            let half = half(vertex);
            writeln!(out, "<g class=\"{}\"><title>{}</title>", vertex.class, escaped(&vertex.title))?;
            if vertex.class.contains("first") {
                writeln!(
                    out,
                    "<path class=\"a\" d=\"M{0:.0} {1:.0}L{0:.0} {2:.0}\" marker-end=\"url(#graph-to)\"/>",
                    x - half + 6.0,
                    y - HALF - 18.0,
                    y - HALF - 1.0
                )?;
            }
            writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{HALF}\"/><text x=\"{x:.1}\" y=\"{:.1}\">{}</text></g>",
                x - half,
                y - HALF,
                2.0 * half,
                2.0 * HALF,
                y + 4.0,
                escaped(&vertex.label)
            )?;
        }
        out.push_str(&written.text);
        if vertices.len() < self.vertices.len() {
            let note = format!("{} of {}", vertices.len(), self.vertices.len());
            writeln!(out, "<text style=\"text-anchor:start\" x=\"8\" y=\"14\">{note}</text>")?;
        }
        writeln!(out, "</svg>")
    }

    fn head(&self, width: f64, height: f64, shown: usize, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" role=\"img\" width=\"{width:.0}\" height=\"{height:.0}\" \
             style=\"max-width:100%;height:auto\" viewBox=\"0 0 {width:.0} {height:.0}\">\n<title>{}</title>",
            escaped(&self.title)
        )?;
        if shown < self.vertices.len() {
            writeln!(out, "<desc>{shown} of {} vertices</desc>", self.vertices.len())?;
        }
        writeln!(
            out,
            "<style>{STYLE}</style>\n<defs><marker id=\"graph-to\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerUnits=\"userSpaceOnUse\" \
             markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path class=\"h\" d=\"M0 1L8 4L0 7z\"/></marker></defs>"
        )
    }
}

/// A label that is not too long.
fn short(label: &str) -> String {
    match label.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", label.get(..end).unwrap_or_default()),
        None => label.to_owned(),
    }
}

fn labels_width(labels: &[String]) -> f64 {
    labels.iter().take(LABELS).map(|label| short(label).chars().count() as f64 * LETTER).fold(0.0, f64::max)
}

/// Labels that are written, and the room that is taken: middles with half of their widths and heights.
#[derive(Default)]
struct Written {
    text: String,
    taken: Vec<(Point, f64, f64)>,
}

impl Written {
    fn keep_clear(&mut self, at: Point, width: f64, height: f64) {
        self.taken.push((at, width, height));
    }

    /// A place near this one where nothing lies, if there is one.
    fn settled(&self, at: Point, width: f64, height: f64) -> Point {
        let is_free = |p: &Point| {
            self.taken.iter().all(|(q, w, h)| (p.x - q.x).abs() >= width + w || (p.y - q.y).abs() >= height + h)
        };
        let ways = [
            (0.0, 0.0),
            (0.0, 1.0),
            (0.0, -1.0),
            (1.0, 0.0),
            (-1.0, 0.0),
            (0.0, 2.0),
            (0.0, -2.0),
            (1.0, 1.0),
            (-1.0, -1.0),
        ];
        let moved = |(x, y): (f64, f64)| Point { x: at.x + x * width, y: at.y + y * LINE };
        ways.into_iter().map(moved).find(is_free).unwrap_or(at)
    }
}

/// An edge from a box to itself, on its right side.
fn own(at: Point, half: f64, labels: &[String], written: &mut Written, out: &mut String) -> std::fmt::Result {
    let (x, y) = (at.x + half, at.y);
    writeln!(
        out,
        "<path class=\"a\" d=\"M{x:.1} {:.1}C{out_x:.1} {:.1} {out_x:.1} {:.1} {x:.1} {:.1}\" marker-end=\"url(#graph-to)\"/>",
        y - 6.0,
        y - 18.0,
        y + 18.0,
        y + 6.0,
        out_x = x + 28.0
    )?;
    texts(Point { x: x + 26.0 + labels_width(labels) / 2.0, y }, labels, written)
}

/// An edge between boxes; if there is one back, too, the labels of each are on its own side.
fn arrow(route: &[Point], labels: &[String], back: bool, written: &mut Written, out: &mut String) -> std::fmt::Result {
    let (Some(first), Some(last)) = (route.first(), route.last()) else { return Ok(()) };
    let down = if first.y <= last.y { 1.0 } else { -1.0 };
    let moved = |p: &Point, dy: f64| Point { x: p.x + down * ASIDE, y: p.y + down * dy };
    let mut points = vec![moved(first, HALF), moved(first, HALF + 12.0)];
    points.extend(route.iter().skip(1).take(route.len().saturating_sub(2)).map(|p| moved(p, 0.0)));
    points.extend([moved(last, -HALF - 14.0), moved(last, -HALF - 1.0)]);
    writeln!(out, "<path class=\"a\" d=\"{}\" marker-end=\"url(#graph-to)\"/>", curve(&points))?;
    let middle = points.len() / 2;
    let (a, b) = (points[middle - 1], points[middle]);
    let aside = if back { down * (labels_width(labels) / 2.0 + 5.0) } else { 0.0 };
    texts(Point { x: f64::midpoint(a.x, b.x) + aside, y: f64::midpoint(a.y, b.y) + down * 4.0 }, labels, written)
}

/// The labels of an edge around a point.
fn texts(at: Point, labels: &[String], written: &mut Written) -> std::fmt::Result {
    let mut lines: Vec<String> = labels.iter().take(LABELS).map(|label| short(label)).collect();
    if labels.len() > LABELS {
        lines.push("…".to_owned());
    }
    if lines.iter().all(String::is_empty) {
        return Ok(());
    }
    let (width, height) = (labels_width(labels) / 2.0, lines.len() as f64 * LINE / 2.0);
    let at = written.settled(at, width, height);
    written.keep_clear(at, width, height);
    let top = at.y - (lines.len() as f64 - 1.0) * LINE / 2.0 + 3.0;
    for (number, line) in lines.iter().enumerate() {
        let y = top + number as f64 * LINE;
        writeln!(written.text, "<text class=\"v\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>", at.x, escaped(line))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::Graph;
    use crate::xml::{Event, XmlCursor};

    /// Labels come after all boxes, and no two lie on each other.
    #[test]
    fn labels_are_legible() {
        let mut graph = Graph::new("many");
        let all: Vec<usize> =
            (0..8).map(|n| graph.vertex(&format!("state {n}"), "", if n == 0 { "first" } else { "" })).collect();
        for &a in &all {
            for &b in all.iter().filter(|&&b| b != a && (a + b) % 3 == 0) {
                graph.edge(a, b, &format!("step {a} {b}"));
            }
        }
        let svg = graph.svg(100);
        assert!(svg.rfind("<rect").unwrap() < svg.find("class=\"v\"").unwrap());
        let number = |line: &str, name: &str| -> f64 {
            let (_, rest) = line.split_once(&format!(" {name}=\"")).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        let labels: Vec<(f64, f64)> =
            svg.lines().filter(|line| line.contains("class=\"v\"")).map(|l| (number(l, "x"), number(l, "y"))).collect();
        let overlap = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0).abs() < 40.0 && (a.1 - b.1).abs() < 10.0;
        let overlaps = labels
            .iter()
            .enumerate()
            .flat_map(|(n, a)| labels[..n].iter().map(move |b| overlap(a, b)))
            .filter(|&o| o)
            .count();
        assert!(labels.len() > 10 && overlaps == 0, "{overlaps} of {}", labels.len());
    }

    #[test]
    fn names_do_not_become_elements() {
        let mut graph = Graph::new("</title><script>");
        let [a, b] = ["<b>", "\u{1}&"].map(|name| graph.vertex(name, "<i>", "first"));
        graph.edge(a, b, "<u>");
        graph.edge(b, a, "\"");
        graph.edge(a, a, "x");
        graph.edge(a, 7, "nowhere");
        for most in 0..3 {
            let svg = graph.svg(most);
            let mut xml = XmlCursor::new(svg.as_bytes());
            while xml.advance().unwrap() != Event::End {}
            assert!(!svg.contains("nowhere") && !svg.contains("<u>"));
        }
    }
}

//! The position of a block among the values that the clocks can have: a drawing for each two clocks.
//!
//! The shadow of a zone on two clocks is what its bounds say of these two, since they are the tightest that there are. It
//! is cut out of a square by half-planes, one for each bound (Sutherland and Hodgman, "Reentrant polygon clipping", 1974).

use super::run::rounded;
use crate::kinds::clocks::scaled::Scaled;
use crate::kinds::clocks::zone::{Bound, Federation, Interval, Zone};
use crate::xml::escaped;
use std::fmt::Write;

/// Drawings of a region; of nets with many clocks some pairs are enough.
const PAIRS: usize = 6;

const SIDE: f64 = 240.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 14.0;

type Point = (f64, f64);

/// The drawings, with what the clocks show at the end of a run as a dot.
pub(in crate::report) fn svg(scaled: &Scaled<'_>, block: &Federation, reachable: &Federation, end: &[f64]) -> String {
    let clocks = scaled.clocks();
    let unit = f64::from(scaled.scale);
    let mut pairs: Vec<(usize, usize)> = (0..clocks).flat_map(|x| (x + 1..clocks).map(move |y| (x, y))).collect();
    // Clocks that nothing is said of come last, and not at all where there are others.
    let interval = |x: usize| block.hull().map_or(Interval::ALL, |hull| hull.intervals[x]);
    let unsaid = |&(x, y): &(usize, usize)| [x, y].into_iter().filter(|&x| interval(x) == Interval::ALL).count();
    pairs.sort_by_key(unsaid);
    if let Some(least) = pairs.first().map(unsaid) {
        pairs.retain(|pair| unsaid(pair) == least);
    }
    if clocks == 1 {
        pairs.push((0, 0));
    }
    // So far that all ends of what is drawn are seen.
    let drawn: Vec<usize> = pairs.iter().flat_map(|&(x, y)| [x, y]).collect();
    let ends = |region: &Federation, x: usize| {
        let hull = region.hull().map_or(Interval::ALL, |hull| hull.intervals[x]);
        f64::from((-hull.lower.constant()).max(hull.upper.finite().unwrap_or(0))) / unit
    };
    let shown = drawn.iter().flat_map(|&x| [ends(block, x), ends(reachable, x), end.get(x).copied().unwrap_or(0.0)]);
    let most = shown.fold(1.0, f64::max) * 1.15;
    let mut out = String::from("<div class=\"regions\">");
    for (x, y) in pairs.into_iter().take(PAIRS) {
        let plot = Plot { x, y, most, unit, alone: clocks == 1 };
        out.push_str(&plot.svg(&scaled.net.clocks, block, reachable, end));
    }
    out.push_str("</div>");
    out
}

/// A square over two clocks, or a line over one.
struct Plot {
    x: usize,
    y: usize,
    most: f64,
    unit: f64,
    alone: bool,
}

impl Plot {
    fn svg(&self, names: &[String], block: &Federation, reachable: &Federation, end: &[f64]) -> String {
        let side = if self.alone { 30.0 } else { SIDE };
        let (width, height) = (LEFT + SIDE + 20.0, TOP + side + 40.0);
        let mut out =
            format!("<svg class=\"plot\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" role=\"img\">");
        for (class, region) in [("reachable", reachable), ("block", block)] {
            for zone in region.zones() {
                let points: Vec<String> = self
                    .shadow(zone)
                    .into_iter()
                    .map(|p| self.place(p))
                    .map(|(x, y)| format!("{x:.1},{y:.1}"))
                    .collect();
                // Writing to a string cannot fail.
                let _ = write!(out, "<polygon class=\"{class}\" points=\"{}\"/>", points.join(" "));
            }
        }
        let (left, bottom) = (LEFT, TOP + side);
        let _ = write!(
            out,
            "<line class=\"axis\" x1=\"{left}\" y1=\"{bottom}\" x2=\"{:.0}\" y2=\"{bottom}\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\">{}</text>",
            left + SIDE,
            left + SIDE / 2.0,
            bottom + 34.0,
            escaped(&names[self.x])
        );
        if !self.alone {
            let _ = write!(
                out,
                "<line class=\"axis\" x1=\"{left}\" y1=\"{TOP}\" x2=\"{left}\" y2=\"{bottom}\"/>\
                 <text x=\"0\" y=\"{:.0}\">{}</text>",
                TOP + side / 2.0,
                escaped(&names[self.y])
            );
        }
        self.ticks(&mut out, block, bottom);
        if let (Some(&x), Some(&y)) = (end.get(self.x), end.get(self.y)) {
            let (x, y) = self.place((x.min(self.most), if self.alone { 0.0 } else { y.min(self.most) }));
            let _ = write!(out, "<circle class=\"end\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>");
        }
        out.push_str("</svg>");
        out
    }

    /// The ends of the block on both axes.
    fn ticks(&self, out: &mut String, block: &Federation, bottom: f64) {
        let Some(hull) = block.hull() else { return };
        let ends = |clock: usize| {
            let interval = hull.intervals[clock];
            let lower = f64::from(-interval.lower.constant()) / self.unit;
            let upper = interval.upper.finite().map(|end| f64::from(end) / self.unit);
            [Some(lower), upper.filter(|&upper| upper != lower)]
        };
        for value in ends(self.x).into_iter().flatten() {
            let (x, _) = self.place((value, 0.0));
            let _ = write!(
                out,
                "<text class=\"label\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x - 5.0,
                bottom + 16.0,
                rounded(value)
            );
        }
        for value in ends(self.y).into_iter().flatten().filter(|_| !self.alone) {
            let (_, y) = self.place((0.0, value));
            let _ = write!(out, "<text class=\"label\" x=\"20\" y=\"{:.1}\">{}</text>", y + 4.0, rounded(value));
        }
    }

    /// The position of a point in the drawing.
    fn place(&self, (x, y): Point) -> Point {
        let side = if self.alone { 30.0 } else { SIDE };
        let height = if self.alone { 1.0 } else { self.most };
        (LEFT + x / self.most * SIDE, TOP + side - y / height * side)
    }

    /// The corners of the shadow of a zone.
    fn shadow(&self, zone: &Zone) -> Vec<Point> {
        let (most, height) = (self.most, if self.alone { 1.0 } else { self.most });
        let mut corners = vec![(0.0, 0.0), (most, 0.0), (most, height), (0.0, height)];
        let (x, y) = (self.x + 1, self.y + 1);
        let mut bounds = vec![(zone.bound(x, 0), (1.0, 0.0)), (zone.bound(0, x), (-1.0, 0.0))];
        if !self.alone {
            bounds.extend([(zone.bound(y, 0), (0.0, 1.0)), (zone.bound(0, y), (0.0, -1.0))]);
            bounds.extend([(zone.bound(x, y), (1.0, -1.0)), (zone.bound(y, x), (-1.0, 1.0))]);
        }
        for (bound, normal) in bounds {
            if !Bound::is_none(bound) {
                corners = cut(&corners, normal, f64::from(bound.constant()) / self.unit);
            }
        }
        corners
    }
}

/// The part of a polygon in which `normal · point <= limit`.
fn cut(corners: &[Point], normal: Point, limit: f64) -> Vec<Point> {
    let excess = |p: Point| normal.0 * p.0 + normal.1 * p.1 - limit;
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (i, &p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % corners.len()];
        let (at_p, at_q) = (excess(p), excess(q));
        if at_p <= 0.0 {
            kept.push(p);
        }
        if (at_p < 0.0 && at_q > 0.0) || (at_p > 0.0 && at_q < 0.0) {
            let part = at_p / (at_p - at_q);
            kept.push((p.0 + part * (q.0 - p.0), p.1 + part * (q.1 - p.1)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_is_cut_off() {
        let square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)];
        assert_eq!(cut(&square, (1.0, -1.0), 2.0), [(0.0, 0.0), (2.0, 0.0), (4.0, 2.0), (4.0, 4.0), (0.0, 4.0)]);
        assert_eq!(cut(&square, (1.0, 0.0), -1.0), []);
        assert_eq!(cut(&square, (1.0, 0.0), 5.0), square);
    }
}

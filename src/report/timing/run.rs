//! A run on a time line: the places that are marked, the transitions that fire, and what the clocks show.

use crate::kinds::clocks::model::ClockNet;
use crate::kinds::clocks::rational::Rational;
use crate::kinds::clocks::replay::Run;
use crate::xml::escaped;
use num_traits::{ToPrimitive, Zero};
use std::fmt::Write;

const LEFT: f64 = 130.0;
const WIDTH: f64 = 900.0;
const ROW: f64 = 20.0;
const CLOCK: f64 = 58.0;

fn number(value: &Rational) -> f64 {
    let parts = value.numer().to_f64().zip(value.denom().to_f64());
    parts.map_or(0.0, |(numerator, denominator)| numerator / denominator)
}

/// The values of the clocks at the end of a run, in the unit of the net.
pub(super) fn clocks_after(net: &ClockNet, run: &Run) -> Vec<f64> {
    let end = number(&run.duration());
    since_resets(net, run).iter().map(|resets| end - resets.last().copied().unwrap_or(0.0)).collect()
}

/// The moments of each step.
fn moments(run: &Run) -> Vec<Rational> {
    let mut now = Rational::zero();
    let step = |(delay, _): &(Rational, _)| {
        now += delay;
        now.clone()
    };
    run.steps.iter().map(step).collect()
}

/// By clock, when it was set to zero, the start included.
fn since_resets(net: &ClockNet, run: &Run) -> Vec<Vec<f64>> {
    let mut resets = vec![vec![0.0]; net.clocks.len()];
    for (moment, (_, t)) in moments(run).iter().zip(&run.steps) {
        for clock in &net.transitions[t.index()].resets {
            resets[clock.index()].push(number(moment));
        }
    }
    resets
}

/// From when to when each place is marked.
fn marked(net: &ClockNet, run: &Run) -> Vec<Vec<(f64, f64)>> {
    let mut marking = net.initial_marking();
    let mut since: Vec<Option<f64>> = marking.iter().map(|&n| (n > 0).then_some(0.0)).collect();
    let mut all = vec![Vec::new(); net.places.len()];
    for (moment, (_, t)) in moments(run).iter().zip(&run.steps) {
        let now = number(moment);
        marking = net.fire(*t, &marking).unwrap_or(marking);
        for ((&n, since), intervals) in marking.iter().zip(&mut since).zip(&mut all) {
            match (n > 0, *since) {
                (true, None) => *since = Some(now),
                (false, Some(begin)) => {
                    intervals.push((begin, now));
                    *since = None;
                }
                _ => {}
            }
        }
    }
    let end = number(&run.duration());
    for (since, intervals) in since.into_iter().zip(&mut all) {
        intervals.extend(since.map(|begin| (begin, end)));
    }
    all
}

/// The drawing.
pub(in crate::report) fn svg(net: &ClockNet, run: &Run) -> String {
    let end = number(&run.duration());
    let longest = if end > 0.0 { end } else { 1.0 };
    let x = |moment: f64| LEFT + moment / longest * WIDTH;
    let places: Vec<_> =
        net.places.iter().zip(marked(net, run)).filter(|(_, intervals)| !intervals.is_empty()).collect();
    let head = 84.0;
    let clocks_from = head + places.len() as f64 * ROW + 14.0;
    let height = clocks_from + net.clocks.len() as f64 * CLOCK + 10.0;
    let mut out = format!(
        "<div class=\"timeline\"><svg class=\"plot\" viewBox=\"0 0 {:.0} {height:.0}\" width=\"{:.0}\" role=\"img\">",
        LEFT + WIDTH + 40.0,
        LEFT + WIDTH + 40.0
    );
    // Writing to a string cannot fail.
    for (row, (place, intervals)) in places.iter().enumerate() {
        let y = head + row as f64 * ROW;
        let _ = write!(out, "<text class=\"label\" x=\"0\" y=\"{:.0}\">{}</text>", y + 13.0, escaped(&place.id));
        for (from, to) in intervals {
            let width = (x(*to) - x(*from)).max(2.0);
            let _ = write!(
                out,
                "<rect class=\"marked\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.0}\"/>",
                x(*from),
                y + 2.0,
                ROW - 4.0
            );
        }
    }
    for (clock, (name, resets)) in net.clocks.iter().zip(since_resets(net, run)).enumerate() {
        let bottom = clocks_from + (clock + 1) as f64 * CLOCK - 8.0;
        let ends = resets.iter().skip(1).copied().chain([end]);
        let teeth: Vec<(f64, f64)> = resets.iter().copied().zip(ends).collect();
        let most = teeth.iter().map(|(from, to)| to - from).fold(0.0, f64::max);
        let y = |value: f64| bottom - if most > 0.0 { value / most * (CLOCK - 22.0) } else { 0.0 };
        let points: Vec<String> = teeth
            .iter()
            .map(|&(from, to)| format!("{:.1},{:.1} {:.1},{:.1}", x(from), y(0.0), x(to), y(to - from)))
            .collect();
        let last = teeth.last().map_or(0.0, |(from, to)| to - from);
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{bottom:.1}\" x2=\"{:.1}\" y2=\"{bottom:.1}\"/>\
             <text class=\"label\" x=\"0\" y=\"{bottom:.1}\">clock {}</text>\
             <polyline class=\"clock\" points=\"{}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            LEFT + WIDTH,
            escaped(name),
            points.join(" "),
            x(end) + 4.0,
            y(last) + 4.0,
            rounded(last)
        );
    }
    let _ = write!(
        out,
        "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{:.0}\" x2=\"{:.1}\" y2=\"{:.0}\"/>\
         <text class=\"label\" x=\"{:.1}\" y=\"{:.0}\">{}</text>",
        head - 4.0,
        LEFT + WIDTH,
        head - 4.0,
        LEFT + WIDTH + 4.0,
        head - 2.0,
        escaped(&run.duration().to_string())
    );
    for (number_of, (moment, (_, t))) in moments(run).iter().zip(&run.steps).enumerate() {
        let at = x(number(moment));
        // Labels of steps that are near to each other would cover each other: they take turns in four rows.
        let y = 14.0 + (number_of % 4) as f64 * 15.0;
        let text = format!("{} {}", moment, net.transitions[t.index()].id);
        let (anchor, shift) = if at > LEFT + WIDTH * 0.85 { ("end", -3.0) } else { ("start", 3.0) };
        let _ = write!(
            out,
            "<line class=\"fires\" x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{:.1}\"/>\
             <text text-anchor=\"{anchor}\" x=\"{:.1}\" y=\"{y:.0}\">{}</text>",
            y + 2.0,
            height - 10.0,
            at + shift,
            escaped(&text)
        );
    }
    out.push_str("</svg></div>");
    out
}

/// A number with at most two digits after the point.
pub(super) fn rounded(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

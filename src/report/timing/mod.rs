//! Time in a net as text, as JSON and as a page: where it stands still, how it gets there, and what could be changed.
//!
//! **Problem.** That an order is stuck where `12<a<=16 & 20<b<=24` says little to whoever has to run the process.
//!
//! **Idea.** Each block is shown by a run on a time line: which places are marked when, what happens at which moment,
//! and what the clocks show. Beside it lies the block among all values that the clocks can have there, for each two
//! clocks. The rest are tables: what never happens, which constants could be moved, how long everything takes.
//!
//! **Invariant.** The page has no script and loads nothing, which a content security policy enforces. All text that
//! comes from the net is escaped. Numbers are exact in the text; drawings round them.

mod json;
mod region;
mod run;
mod text;

pub(super) use json::marking as marking_json;
pub use json::{about, fields, run as run_json};
pub(super) use region::svg as region_svg;
pub(super) use run::svg as run_svg;
pub use text::text;

use crate::kinds::clocks::inquiry::{Answers, Blocked};
use crate::kinds::clocks::model::ClockNet;
use crate::kinds::clocks::replay::Run;
use crate::kinds::clocks::scaled::Scaled;
use crate::kinds::clocks::tighten::Tightening;
use crate::kinds::clocks::times::{Measured, Times};
use crate::kinds::clocks::zone::{Interval, Units, region_text};
use crate::picture::View;
use crate::report::frame::BASIC_STYLE;
use crate::xml::escaped;
use std::fmt::Write;

const STYLE: &str = include_str!("timing.css");

/// Places and transitions that are drawn of a net.
const MOST_DRAWN: usize = 400;

/// The page.
pub fn page(scaled: &Scaled<'_>, answers: &Answers) -> String {
    let net = scaled.net;
    let mut body = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        body,
        "<p>{} places, {} transitions, {} clocks. {} markings are reached in time, {} without it.</p>",
        net.places.len(),
        net.transitions.len(),
        net.clocks.len(),
        answers.diagnosis.timed,
        answers.diagnosis.untimed
    );
    for blocked in &answers.blocks {
        block(&mut body, net, scaled, blocked);
    }
    if answers.blocks.is_empty() {
        body.push_str("<h2>No block</h2><p>Wherever a transition has its tokens, something can still happen.</p>");
    }
    for (marking, path) in answers.diagnosis.deadlocks.iter().zip(&answers.deadlocks) {
        let _ = write!(body, "<h2>Deadlock {}</h2>", escaped(&net.marking_text(marking)));
        body.push_str("<p>No transition has its tokens.</p>");
        if let Some(path) = path {
            body.push_str(&run::svg(net, path));
        }
    }
    lists(&mut body, net, scaled, answers);
    whole(&mut body, net, &answers.since_start);
    times(&mut body, net, "since the start", &answers.since_start);
    for (from, measured) in &answers.since {
        times(&mut body, net, &format!("since {}", net.transitions[from.index()].id), measured);
    }
    if let Some(plain) = net.to_net() {
        let view = View::new(&plain, MOST_DRAWN);
        let _ = write!(body, "<h2>The net</h2><div class=\"picture\">{}</div>", view.svg());
        if let Some(note) = view.note() {
            let _ = write!(body, "<p class=\"soft\">The picture shows {}.</p>", escaped(&note));
        }
    }
    document(&net.name, &format!("Time in {}", net.name), &body)
}

/// A page without a script: a title, a heading, and its content, which is markup.
pub(super) fn document(title: &str, heading: &str, body: &str) -> String {
    let (title, heading) = (escaped(title), escaped(heading));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title><style>{BASIC_STYLE}{STYLE}</style></head>\n\
         <body><h1>{heading}</h1>{body}</body></html>\n"
    )
}

fn block(body: &mut String, net: &ClockNet, scaled: &Scaled<'_>, blocked: &Blocked) {
    let found = &blocked.block;
    let kind = found.kind.name();
    let _ = write!(body, "<h2>A {kind} in {}</h2>", escaped(&net.marking_text(&found.marking)));
    let region = region_text(&found.region, scaled.units());
    let _ = write!(body, "<p>Nothing happens any more where <code>{}</code>.</p>", escaped(&region));
    let ends = match &blocked.run {
        Some(path) => {
            let _ = write!(body, "<p>A run there: <code>{}</code></p>", escaped(&path.to_text(net)));
            body.push_str(&run::svg(net, path));
            run::clocks_after(net, path)
        }
        None => Vec::new(),
    };
    body.push_str(&region::svg(scaled, &found.region, &blocked.reachable, &ends));
    body.push_str("<table><thead><tr><th>a change</th><th>what comes of it</th></tr></thead>");
    for proposal in &blocked.proposals {
        let change = proposal.change.text(net);
        let text = proposal.text(scaled);
        let outcome = text.strip_prefix(&change).unwrap_or(&text).trim_start_matches(": ");
        let class = if proposal.is_repair() { "true" } else { "soft" };
        let _ = write!(body, "<tr><td>{}</td><td class=\"{class}\">{}</td></tr>", escaped(&change), escaped(outcome));
    }
    body.push_str("</table>");
}

fn lists(body: &mut String, net: &ClockNet, scaled: &Scaled<'_>, answers: &Answers) {
    let mut list = |title: &str, items: Vec<String>| {
        if items.is_empty() {
            return;
        }
        let _ = write!(body, "<h2>{title}</h2><ul>");
        for item in items {
            let _ = write!(body, "<li><code>{}</code></li>", escaped(&item));
        }
        body.push_str("</ul>");
    };
    let diagnosis = &answers.diagnosis;
    list("Markings that time makes unreachable", diagnosis.unreachable.iter().map(|m| net.marking_text(m)).collect());
    let transition = |t: crate::kinds::clocks::model::TransitionId| net.transitions[t.index()].id.clone();
    let dead = |in_time: bool| {
        let dead = diagnosis.dead_transitions.iter().filter(|dead| dead.in_time == in_time);
        dead.map(|dead| transition(dead.transition)).collect()
    };
    list("Transitions that time keeps from firing", dead(true));
    list("Transitions that never fire, whatever the time", dead(false));
    list(
        "Constraints that can never be met",
        answers.inconsistencies.iter().map(|inconsistency| inconsistency.text(scaled)).collect(),
    );
    list(
        "Constraints that could be tighter",
        answers.tightenings.iter().filter(|t| t.allowed != Interval::ALL).map(|t| tightening_text(scaled, t)).collect(),
    );
}

/// The effects of a constraint that allows more.
fn tightening_text(scaled: &Scaled<'_>, tightening: &Tightening) -> String {
    let (units, clock) = (scaled.units(), tightening.clock.index());
    let text = |interval: Interval| units.interval(clock, interval).unwrap_or_else(|| "any value".to_owned());
    let (arises, allowed) = (text(tightening.arises), text(tightening.allowed));
    format!("{}: {arises} instead of {allowed}", tightening.constraint.text(scaled.net))
}

/// The process as a whole: its fastest and its slowest run.
fn whole(body: &mut String, net: &ClockNet, times: &Times) {
    let Some(whole) = &times.completion else { return };
    body.push_str("<h2>From the start until all is done</h2>");
    let _ = write!(body, "<p>It takes <code>{}</code>.</p>", escaped(&elapsed(times, whole)));
    for (end, by, nearly) in ends(whole) {
        let _ = write!(body, "<h3>{}</h3>{}", title(end, nearly), run::svg(net, by));
    }
}

/// The runs with the least and the most time: which end, the run, and whether it only comes near.
fn ends(measured: &Measured) -> impl Iterator<Item = (&'static str, &Run, bool)> {
    let Interval { lower, upper } = measured.interval;
    let ends = [("fastest", &measured.fastest, lower), ("slowest", &measured.slowest, upper)];
    ends.into_iter().filter_map(|(end, by, bound)| Some((end, by.as_ref()?, bound.is_strict())))
}

/// A duration: `8..70`, `(2..`, with brackets where an end is not attained; or `after 1000`, the horizon.
fn elapsed(times: &Times, measured: &Measured) -> String {
    let (units, interval) = (Units { clocks: &[], scale: times.scale }, measured.interval);
    let least = units.constant(-interval.lower.constant());
    if measured.beyond {
        return format!("after {least}");
    }
    let open = if interval.lower.is_strict() { "(" } else { "" };
    let Some(most) = interval.upper.finite() else { return format!("{open}{least}..") };
    let close = if interval.upper.is_strict() { ")" } else { "" };
    format!("{open}{least}..{}{close}", units.constant(most))
}

fn title(end: &str, nearly: bool) -> String {
    if nearly { format!("Nearly the {end} run") } else { format!("The {end} run") }
}

/// Bars from the fastest to the slowest.
fn times(body: &mut String, net: &ClockNet, title_of: &str, times: &Times) {
    let rows: Vec<_> =
        net.transitions.iter().zip(&times.firing).filter_map(|(t, m)| Some((&t.id, m.as_ref()?))).collect();
    if rows.is_empty() {
        return;
    }
    let ends_of = |m: &Measured| [-m.interval.lower.constant(), m.interval.upper.finite().unwrap_or(0)];
    let longest = f64::from(rows.iter().flat_map(|(_, m)| ends_of(m)).max().unwrap_or(1).max(1));
    let _ = write!(body, "<h2>Times {}</h2><table class=\"times\">", escaped(title_of));
    for (id, measured) in rows {
        let interval = measured.interval;
        let start = f64::from(-interval.lower.constant()) / longest * 100.0;
        let end = interval.upper.finite().map_or(100.0, |end| f64::from(end) / longest * 100.0);
        let _ = write!(body, "<tr><td><details><summary>{}</summary>", escaped(id),);
        for (end, by, nearly) in ends(measured) {
            let _ = write!(body, "<p>{}: <code>{}</code></p>", title(end, nearly), escaped(&by.to_text(net)));
        }
        let _ = write!(
            body,
            "</details></td><td><code>{}</code></td><td class=\"scale\"><svg viewBox=\"0 0 100 6\" \
             preserveAspectRatio=\"none\"><rect class=\"bar\" x=\"{start:.2}\" y=\"0\" width=\"{:.2}\" \
             height=\"6\"/></svg></td></tr>",
            escaped(&elapsed(times, measured)),
            (end - start).max(0.6)
        );
    }
    body.push_str("</table>");
}

#[cfg(test)]
mod tests;

//! The answers about time as lines of text.

use super::{elapsed, tightening_text};
use crate::kinds::clocks::inquiry::{Answers, Blocked};
use crate::kinds::clocks::model::ClockNet;
use crate::kinds::clocks::repair::Proposal;
use crate::kinds::clocks::scaled::Scaled;
use crate::kinds::clocks::times::{Measured, Times};
use crate::kinds::clocks::zone::{Interval, region_text};

/// The lines.
struct Lines(Vec<String>);

impl Lines {
    fn add(&mut self, title: &str, text: impl AsRef<str>) {
        self.0.push(format!("  {title:<22} {}", text.as_ref()));
    }
}

/// The answers, line by line. `all` is to show changes, too, that are no repair, intervals of clocks that a constraint
/// does not name, and the runs behind all times.
pub fn text(scaled: &Scaled<'_>, answers: &Answers, all: bool) -> Vec<String> {
    let net = scaled.net;
    let diagnosis = &answers.diagnosis;
    let mut lines = Lines(vec![net.header()]);
    lines.add("markings", format!("{} in time, {} without", diagnosis.timed, diagnosis.untimed));
    for marking in &diagnosis.unreachable {
        lines.add("never in time", net.marking_text(marking));
    }
    for place in &diagnosis.dead_places {
        lines.add("never marked in time", &net.places[place.index()].id);
    }
    for dead in &diagnosis.dead_transitions {
        let title = if dead.in_time { "never fires in time" } else { "never fires" };
        lines.add(title, &net.transitions[dead.transition.index()].id);
    }
    for inconsistency in &answers.inconsistencies {
        lines.add("inconsistent", inconsistency.text(scaled));
    }
    for (marking, run) in diagnosis.deadlocks.iter().zip(&answers.deadlocks) {
        lines.add("deadlock", net.marking_text(marking));
        if let Some(run) = run {
            lines.add("  a run", run.to_text(net));
        }
    }
    for blocked in &answers.blocks {
        block(&mut lines, scaled, blocked, all);
    }
    // Of clocks that a constraint does not name there is much to say, and it says little.
    for tightening in answers.tightenings.iter().filter(|t| all || t.allowed != Interval::ALL) {
        lines.add("may be tightened", tightening_text(scaled, tightening));
    }
    let since_start = &answers.since_start;
    measured(&mut lines, net, "since the start", since_start, all);
    if let Some(whole) = &since_start.completion {
        lines.add("until all is done", elapsed(since_start, whole));
        runs(&mut lines, net, "", whole);
    }
    for (from, times) in &answers.since {
        measured(&mut lines, net, &format!("since {}", net.transitions[from.index()].id), times, all);
    }
    lines.0
}

fn block(lines: &mut Lines, scaled: &Scaled<'_>, blocked: &Blocked, all: bool) {
    let (net, block) = (scaled.net, &blocked.block);
    let region = region_text(&block.region, scaled.units());
    lines.add(block.kind.name(), format!("{} where {region}", net.marking_text(&block.marking)));
    if let Some(run) = &blocked.run {
        lines.add("  a run", run.to_text(net));
    }
    for proposal in blocked.proposals.iter().filter(|proposal| all || proposal.is_repair()) {
        lines.add(if proposal.is_repair() { "  repair" } else { "  no repair" }, proposal.text(scaled));
    }
    if !blocked.proposals.iter().any(Proposal::is_repair) {
        lines.add("  repair", "none by one constant");
    }
}

fn measured(lines: &mut Lines, net: &ClockNet, title: &str, times: &Times, all: bool) {
    let firing: Vec<(&str, &Measured)> =
        net.transitions.iter().zip(&times.firing).filter_map(|(t, m)| Some((t.id.as_str(), m.as_ref()?))).collect();
    if !firing.is_empty() {
        let text = |(id, measured): &(&str, &Measured)| format!("{id} {}", elapsed(times, measured));
        lines.add(title, firing.iter().map(text).collect::<Vec<_>>().join(", "));
    }
    for (id, measured) in firing.into_iter().filter(|_| all) {
        runs(lines, net, id, measured);
    }
}

/// The runs that take least and most time.
fn runs(lines: &mut Lines, net: &ClockNet, of: &str, measured: &Measured) {
    let ends = [
        ("fastest", &measured.fastest, measured.interval.lower),
        ("slowest", &measured.slowest, measured.interval.upper),
    ];
    for (end, run, bound) in ends {
        if let Some(run) = run {
            let nearly = if bound.is_strict() { "nearly " } else { "" };
            lines.add(format!("  {nearly}{end} {of}").trim_end(), run.to_text(net));
        }
    }
}

//! The answers about time as lines of text.

use super::tightening_text;
use crate::kinds::clocks::inquiry::{Answers, Blocked};
use crate::kinds::clocks::model::ClockNet;
use crate::kinds::clocks::repair::Proposal;
use crate::kinds::clocks::scaled::Scaled;
use crate::kinds::clocks::times::Times;
use crate::kinds::clocks::zone::{Interval, Units, region_text};

/// The lines.
struct Lines(Vec<String>);

impl Lines {
    fn add(&mut self, title: &str, text: impl AsRef<str>) {
        self.0.push(format!("  {title:<22} {}", text.as_ref()));
    }
}

/// The answers, line by line. `all` is to show changes, too, that are no repair, and intervals of clocks that a constraint
/// does not name.
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
    measured(&mut lines, net, "since the start", &answers.since_start);
    if let Some(interval) = answers.since_start.completion {
        lines.add("until all is done", elapsed(&answers.since_start, interval));
    }
    for (from, times) in &answers.since {
        measured(&mut lines, net, &format!("since {}", net.transitions[from.index()].id), times);
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

fn measured(lines: &mut Lines, net: &ClockNet, title: &str, times: &Times) {
    let firing = net.transitions.iter().zip(&times.firing);
    let texts: Vec<String> =
        firing.filter_map(|(t, interval)| Some(format!("{} {}", t.id, elapsed(times, (*interval)?)))).collect();
    if !texts.is_empty() {
        lines.add(title, texts.join(", "));
    }
}

/// How long something takes: `8..70`, `(2..`, with brackets where an end is not attained.
fn elapsed(times: &Times, interval: Interval) -> String {
    let units = Units { clocks: &[], scale: times.scale };
    let least = units.constant(-interval.lower.constant());
    let open = if interval.lower.is_strict() { "(" } else { "" };
    if interval.upper.is_none() {
        return format!("{open}{least}..");
    }
    let close = if interval.upper.is_strict() { ")" } else { "" };
    format!("{open}{least}..{}{close}", units.constant(interval.upper.constant()))
}

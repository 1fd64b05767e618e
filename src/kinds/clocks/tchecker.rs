//! Export to TChecker: the marking graph as one process of a timed automaton.
//!
//! A location for each marking that is reachable without time, its invariant on the location, an edge for each
//! alternative of a condition. Constants are in the integer unit of the net. TChecker's invariants are conjunctions, so
//! a marking with a non-convex invariant cannot be exported. Markings that a caller cares about get the label `bad`,
//! which `tck-reach -l bad` looks for. The format is the one of TChecker's manual, "The TChecker file format".

use super::markings::{ExploreError, Limits, MarkingTable};
use super::scaled::Scaled;
use super::zone::{ClockBox, Interval};
use std::fmt::Write;

/// A net that cannot be exported.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExportError {
    /// The exploration did not end.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// A non-convex invariant.
    #[error("the invariant at {0} is not convex, and TChecker has only convex ones; use dense time here")]
    NotConvex(String),
    /// Names that mean something in the format.
    #[error("`{0}` cannot be a name in TChecker; use letters, digits and `_`")]
    Name(String),
}

/// Writes the timed automaton of a net; `label` marks markings as `bad`.
pub fn export(scaled: &Scaled<'_>, limits: &Limits, label: &dyn Fn(&[u32]) -> bool) -> Result<String, ExportError> {
    let net = scaled.net;
    for name in net.clocks.iter().chain(net.transitions.iter().map(|t| &t.id)) {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || !name.chars().all(word) {
            return Err(ExportError::Name(name.clone()));
        }
    }
    let mut markings = MarkingTable::new(scaled, limits)?;
    markings.explore()?;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "# {}, in units of 1/{}", net.name.replace('\n', " "), scaled.scale);
    let _ = writeln!(out, "system:net\nevent:tau");
    net.transitions.iter().for_each(|t| _ = writeln!(out, "event:{}", t.id));
    out.push_str("process:P\n");
    net.clocks.iter().for_each(|c| _ = writeln!(out, "clock:1:{c}"));
    let count = markings.len() as u32;
    for m in 0..count {
        let [invariant] = markings.invariant(m).as_ref() else {
            return Err(ExportError::NotConvex(net.marking_text(&markings.tokens(m))));
        };
        let mut attributes = Vec::new();
        if m == 0 {
            attributes.push("initial:".to_owned());
        }
        if label(&markings.tokens(m)) {
            attributes.push("labels: bad".to_owned());
        }
        let invariant = conjunction(scaled, invariant);
        if !invariant.is_empty() {
            attributes.push(format!("invariant: {invariant}"));
        }
        let _ = writeln!(out, "location:P:l{m}{{{}}}", attributes.join(" : "));
    }
    for m in 0..count {
        for &(t, target) in markings.successors(m)?.iter() {
            for alternative in scaled.condition(t) {
                let mut attributes = Vec::new();
                let guard = conjunction(scaled, alternative);
                if !guard.is_empty() {
                    attributes.push(format!("provided: {guard}"));
                }
                let resets: Vec<String> =
                    scaled.resets(t).iter().map(|c| format!("{}=0", net.clocks[c.index()])).collect();
                if !resets.is_empty() {
                    attributes.push(format!("do: {}", resets.join(";")));
                }
                let id = &net.transitions[t.index()].id;
                let _ = writeln!(out, "edge:P:l{m}:l{target}:{id}{{{}}}", attributes.join(" : "));
            }
        }
    }
    Ok(out)
}

fn conjunction(scaled: &Scaled<'_>, b: &ClockBox) -> String {
    let mut parts = Vec::new();
    for (name, i) in scaled.net.clocks.iter().zip(&b.intervals) {
        if i.lower < Interval::ALL.lower {
            parts.push(format!("{name}{}{}", if i.lower.is_strict() { ">" } else { ">=" }, -i.lower.constant()));
        }
        if !i.upper.is_none() {
            parts.push(format!("{name}{}{}", if i.upper.is_strict() { "<" } else { "<=" }, i.upper.constant()));
        }
    }
    parts.join(" && ")
}

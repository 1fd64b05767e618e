//! The answers about soundness as lines of text.

use super::demands;
use crate::kinds::clocks::fairness::Incomplete;
use crate::kinds::clocks::model::ClockNet;
use crate::kinds::clocks::notions::Answers;
use crate::kinds::clocks::replay::{Run, replay};
use crate::kinds::clocks::soundness::Demand;

/// The answers, line by line.
pub fn text(net: &ClockNet, answers: &Answers) -> Vec<String> {
    let mut lines = vec![net.header()];
    let mut line = |title: &str, text: &str| lines.push(format!("  {title:<22} {text}"));
    for (notion, verdict) in answers.verdicts() {
        let text = match verdict {
            Some(true) => "sound",
            Some(false) => "not sound",
            None => "unknown",
        };
        line(notion, text);
    }
    if answers.workflow.sink().is_none() {
        let ends: Vec<String> = answers.workflow.ends.iter().map(|end| net.marking_text(end)).collect();
        line("final markings", &ends.join(", "));
    }
    if answers.unbounded {
        line("unbounded", "without time, tokens grow without end");
    }
    let state = |run: &Run| match replay(net, run) {
        Ok(end) => format!("{} reaches {}", run.to_text(net), net.marking_text(&end.marking)),
        Err(_) => run.to_text(net),
    };
    if let Some(s) = &answers.demands {
        for (title, _, demand) in demands(s) {
            match demand {
                Demand::Met => {}
                Demand::Refuted(Some(run)) => line(title, &format!("refuted: {}", state(run))),
                Demand::Refuted(None) => line(title, "refuted"),
            }
        }
        for (title, transitions) in [("never fires", &s.dead), ("never on a way to the end", &s.useless)] {
            if !transitions.is_empty() {
                line(title, &net.transition_names(transitions).join(", "));
            }
        }
    }
    match &answers.fair {
        Some(Some(Incomplete::Stops(run))) => line("fair runs", &format!("one stops: {}", state(run))),
        Some(Some(Incomplete::Repeats(run, cycle))) => {
            let (run, cycle) = (run.to_text(net), cycle.to_text(net));
            line("fair runs", &format!("one never ends: {run}, then again and again {cycle}"));
        }
        _ => {}
    }
    lines
}

//! The answers about one process as lines of text.

use super::{activities, growth, instances, marking};
use crate::kinds::bpmn::process_net::ProcessNet;
use crate::processes::{Answers, Stopped};

/// Notions of which people say that a process is sound.
const SOUND: [&str; 5] = ["sound", "weak", "relaxed", "easy", "fair"];

/// The answers, line by line.
pub fn text(net: &ProcessNet, answers: &Answers) -> Vec<String> {
    let (places, transitions, number) = (net.places.len(), net.transitions.len(), net.activities.len());
    let mut lines = vec![format!("{}: {number} activities; {places} places, {transitions} transitions", net.name)];
    let names = |nodes: &[usize]| activities(net, nodes, |activity| &activity.name).join(", ");
    let mut line = |title: &str, text: &str| lines.push(format!("  {title:<22} {text}"));
    for (title, key, verdict) in answers.verdicts() {
        let text = match (verdict, SOUND.contains(&key)) {
            (None, _) => "unknown",
            (Some(true), true) => "sound",
            (Some(false), true) => "not sound",
            (Some(true), false) => "true",
            (Some(false), false) => "false",
        };
        line(title, text);
    }
    if let Some(growth) = growth(net, answers).or_else(|| instances(net, answers)) {
        line("state space", &growth);
    } else if answers.stopped == Some(Stopped::Limits) {
        line("state space", "too large for the limits");
    }
    for (title, _, run) in answers.runs() {
        let steps: Vec<&str> = run.iter().map(|&step| net.transitions[step].name.as_str()).collect();
        let steps = if steps.is_empty() { "at the start".to_owned() } else { steps.join(" · ") };
        line(title, &format!("refuted: {steps} reaches {}", marking(net, run)));
    }
    if !answers.dead.is_empty() {
        line("never begins", &names(&answers.dead));
    }
    if !answers.useless.is_empty() && answers.useless != answers.dead {
        line("on no way to an end", &names(&answers.useless));
    }
    if let Some(counts) = &answers.counts {
        let mut text = format!("{}", counts.states);
        if let Some(steps) = &counts.steps {
            text.push_str(&format!(", {steps} steps"));
        }
        text.push_str(&format!(", {} final, {} deadlocks", counts.completed, counts.deadlocks));
        text.push_str(&format!(", {} from which nothing completes", counts.hopeless));
        line("markings", &text);
    }
    lines
}

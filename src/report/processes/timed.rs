//! The answers about a process with time, as lines of text and as a JSON object.

use crate::kinds::bpmn::process_net::ProcessNet;
use crate::kinds::bpmn::shown_seconds;
use crate::kinds::clocks::rational::Rational;
use crate::processes::{TimedAnswers, TimedRun, When};
use crate::report::fields::Fields;
use num_traits::Zero as _;
use serde_json::{Value, json};

/// The answers, line by line.
pub fn timed_text(net: &ProcessNet, answers: &TimedAnswers) -> Vec<String> {
    let (reached, all) = answers.markings;
    let mut lines = vec![format!("{} with time: {reached} of {all} markings", net.name)];
    let mut line = |title: &str, text: &str| lines.push(format!("  {title:<22} {text}"));
    for (title, key, verdict) in answers.verdicts() {
        let text = match (key, verdict) {
            ("sound", true) => "sound",
            ("sound", false) => "not sound",
            (_, true) => "true",
            (_, false) => "false",
        };
        line(title, text);
    }
    for (title, _, run) in &answers.runs {
        let run = timed_run_text(run, "at the start", |step| &net.transitions[step].name, shown_seconds);
        line(title, &format!("refuted: {run}"));
    }
    let dead = super::activities(net, &answers.dead, |activity| &activity.name);
    if !dead.is_empty() {
        line("never begins in time", &dead.join(", "));
    }
    let never: Vec<&str> = answers.never.iter().map(|&step| net.transitions[step].name.as_str()).collect();
    if !never.is_empty() {
        line("never in time", &never.join(", "));
    }
    if let Some(why) = &answers.untold {
        line("times", &format!("unknown: {why}"));
    }
    for (step, when) in net.transitions.iter().zip(&answers.when) {
        if let Some(when) = when {
            line(&step.name, &when_text(when));
        }
    }
    lines
}

fn when_text(When { earliest, latest }: &When) -> String {
    match latest {
        Some(latest) if latest == earliest => format!("at {}", shown_seconds(earliest)),
        Some(latest) => format!("from {} to {}", shown_seconds(earliest), shown_seconds(latest)),
        None => format!("from {} on", shown_seconds(earliest)),
    }
}

/// A run in words, by the names of its steps; `none` for one without any.
pub(in crate::report) fn timed_run_text<N: Into<String>>(
    run: &TimedRun,
    none: &str,
    name: impl Fn(usize) -> N,
    shown: impl Fn(&Rational) -> String,
) -> String {
    let wait = |delay| format!("wait {}", shown(delay));
    let mut parts = Vec::new();
    for (delay, step) in &run.steps {
        parts.extend((!delay.is_zero()).then(|| wait(delay)));
        parts.push(name(*step).into());
    }
    parts.extend((!run.rest.is_zero()).then(|| wait(&run.rest)));
    if parts.is_empty() { none.to_owned() } else { parts.join(" · ") }
}

/// The answers about the diagram in a file; times are seconds, as numbers or fractions.
pub fn timed_fields(file: &str, net: &ProcessNet, answers: &TimedAnswers) -> Fields {
    let mut fields = Fields::new("starset/timed-process/1").with("file", file).with("model", &net.name);
    for (_, key, verdict) in answers.verdicts() {
        fields = fields.with(key, verdict);
    }
    let step = |step: usize| json!({ "id": net.transitions[step].id, "name": net.transitions[step].name });
    let run = |run: &TimedRun| {
        let steps = run.steps.iter().map(|(delay, step)| {
            let known = &net.transitions[*step];
            json!({ "delay": delay.to_string(), "id": known.id, "name": known.name })
        });
        json!({ "steps": steps.collect::<Vec<Value>>(), "rest": run.rest.to_string() })
    };
    let runs: serde_json::Map<String, Value> =
        answers.runs.iter().map(|(_, key, refuting)| ((*key).to_owned(), run(refuting))).collect();
    let when = net.transitions.iter().zip(&answers.when).filter_map(|(transition, when)| {
        let When { earliest, latest } = when.as_ref()?;
        let latest = latest.as_ref().map(ToString::to_string);
        Some(
            json!({ "id": transition.id, "name": transition.name, "earliest": earliest.to_string(), "latest": latest }),
        )
    });
    let (reached, all) = answers.markings;
    fields
        .with("refuted_by", runs)
        .with("dead_activities", super::activities(net, &answers.dead, |activity| &activity.id))
        .with("never", answers.never.iter().map(|&transition| step(transition)).collect::<Vec<Value>>())
        .with("times", when.collect::<Vec<Value>>())
        .with("reason", &answers.untold)
        .with("markings", reached)
        .with("markings_without_time", all)
}

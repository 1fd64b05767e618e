//! Rules on the complete runs of a model, as lines of text and as JSON.

use crate::budget::Budget;
use crate::report::fields::Fields;
use crate::traces::{Behaviour, Checked, Labelled, Rule};
use serde_json::{Value, json};

/// What is found about a rule: the answer, or why there is none.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// What is known.
    pub checked: Checked,
    /// Why something is unknown.
    pub reason: Option<String>,
}

/// What a model says about a rule.
pub fn answered<'a>(behaviour: &Behaviour<'_>, rule: &'a Rule, budget: &Budget) -> Answer<'a> {
    let unlisted = (!behaviour.is_complete()).then(|| "there are too many markings to list".to_owned());
    match behaviour.check(rule, budget) {
        Ok(checked) => {
            let reason = unlisted.filter(|_| checked.all.is_none());
            Answer { rule, checked, reason }
        }
        Err(error) => Answer { rule, checked: Checked::default(), reason: Some(error.to_string()) },
    }
}

/// The answers about a model, line by line.
pub fn lines(name: &str, model: &Labelled<'_>, behaviour: &Behaviour<'_>, answers: &[Answer<'_>]) -> Vec<String> {
    let rules = if answers.len() == 1 { "rule" } else { "rules" };
    let mut lines = vec![format!("{name}: {} {rules}", answers.len())];
    if behaviour.completes() == Some(false) {
        lines.push("  no run is complete, so that nothing is said of any".to_owned());
    }
    for Answer { rule, checked, reason } in answers {
        let verdict = match checked.all {
            Some(true) => "true",
            Some(false) if checked.some == Some(false) => "false in all complete runs",
            Some(false) => "false",
            None => "unknown",
        };
        let mut line = format!("  {:<22} {verdict}: {}", rule.id, rule.text);
        if let Some(run) = &checked.run {
            let steps: Vec<&str> = run.iter().map(|&step| model.step(step).1).collect();
            let steps = if steps.is_empty() { "the run without a step".to_owned() } else { steps.join(" · ") };
            line.push_str(&format!("; broken by {steps}"));
        }
        line.extend(reason.as_ref().map(|reason| format!("; {reason}")));
        lines.push(line);
    }
    lines
}

/// The answers as a JSON object.
pub fn rules(
    file: &str,
    name: &str,
    (model, behaviour): (&Labelled<'_>, &Behaviour<'_>),
    answers: &[Answer<'_>],
) -> Fields {
    let answer = |Answer { rule, checked, reason }: &Answer<'_>| {
        let step = |&step: &usize| {
            let (id, name) = model.step(step);
            json!({ "id": id, "name": name })
        };
        let run = checked.run.as_ref();
        let activities = run.map(|run| behaviour.activities(run));
        let run: Option<Vec<Value>> = run.map(|run| run.iter().map(step).collect());
        json!({
            "id": rule.id, "formula": rule.text, "all": checked.all, "some": checked.some,
            "broken_by": run, "activities": activities, "reason": reason,
        })
    };
    Fields::new("starset/rules/1")
        .with("file", file)
        .with("model", name)
        .with("completes", behaviour.completes())
        .with("rules", answers.iter().map(answer).collect::<Vec<Value>>())
}

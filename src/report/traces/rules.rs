//! Rules on the complete runs of a model, as lines of text and as JSON.

use crate::budget::Budget;
use crate::kinds::bpmn::diagram::SequenceFlow;
use crate::kinds::bpmn::shown_seconds;
use crate::kinds::clocks::rational::{Rational, integer};
use crate::processes::TimedRun;
use crate::report::fields::Fields;
use crate::report::processes::timed_run_text;
use crate::traces::{Behaviour, Labelled, NoAnswer, Rule, TimedBehaviour};
use serde_json::{Value, json};

/// What is found about a rule: the answer, or why there is none.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// Do all complete runs keep it?
    pub all: Option<bool>,
    /// Does one keep it?
    pub some: Option<bool>,
    /// A complete run that breaks it. Without time its delays are nothing.
    pub run: Option<TimedRun>,
    /// Why something is unknown.
    pub reason: Option<String>,
}

/// What delays in runs are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// Nothing.
    None,
    /// Seconds.
    Seconds,
    /// Units of a net with clocks.
    Units,
}

/// What is asked of a model.
#[derive(Debug)]
pub struct Ruled<'a> {
    /// Its name.
    pub name: &'a str,
    /// The model.
    pub model: &'a Labelled<'a>,
    /// What delays in its runs are.
    pub time: Time,
    /// Is there a complete run? `None` if that is not known.
    pub completes: Option<bool>,
    /// The answers.
    pub answers: Vec<Answer<'a>>,
}

impl<'a> Ruled<'a> {
    /// Asks a model without time for its rules.
    pub fn without_time(
        name: &'a str,
        model: &'a Labelled<'a>,
        behaviour: &Behaviour<'_>,
        rules: &'a [Rule],
        budget: &Budget,
    ) -> Self {
        let answers: Vec<Answer<'_>> = rules.iter().map(|rule| answered(behaviour, rule, budget)).collect();
        // A rule is kept by all and by none where there is nothing.
        let told = |answer: &Answer<'_>| Some(!answer.all? || answer.some?);
        let completes = behaviour.completes().or_else(|| answers.iter().find_map(told));
        Ruled { name, model, time: Time::None, completes, answers }
    }

    /// Asks a model with time for its rules.
    ///
    /// # Errors
    /// [`NoAnswer::Length`] where a rule has a time that the model does not know, [`NoAnswer::Broken`] for an error of the
    /// program. What else stands in the way of an answer is its reason.
    pub fn in_time(
        name: &'a str,
        model: &'a Labelled<'a>,
        behaviour: &TimedBehaviour<'_>,
        rules: &'a [Rule],
        budget: &Budget,
    ) -> Result<Self, NoAnswer> {
        let answers = rules.iter().map(|rule| answered_in_time(behaviour, rule, budget)).collect::<Result<_, _>>()?;
        let completes = behaviour.completes(budget).ok();
        let time = if behaviour.is_in_seconds() { Time::Seconds } else { Time::Units };
        Ok(Ruled { name, model, time, completes, answers })
    }
}

fn answered<'a>(behaviour: &Behaviour<'_>, rule: &'a Rule, budget: &Budget) -> Answer<'a> {
    match behaviour.check(rule, budget) {
        Ok(checked) => {
            let reason = checked.all.is_none().then(|| "there are too many markings".to_owned());
            let at_once = |run: Vec<usize>| run.into_iter().map(|step| (integer(0), step)).collect();
            let run = checked.run.map(|run| TimedRun { steps: at_once(run), rest: integer(0) });
            Answer { rule, all: checked.all, some: checked.some, run, reason }
        }
        Err(error) => unknown(rule, error.to_string()),
    }
}

fn answered_in_time<'a>(
    behaviour: &TimedBehaviour<'_>,
    rule: &'a Rule,
    budget: &Budget,
) -> Result<Answer<'a>, NoAnswer> {
    match behaviour.check(rule, budget) {
        Ok(found) => Ok(Answer { rule, all: Some(found.all), some: Some(found.some), run: found.run, reason: None }),
        Err(error @ (NoAnswer::Length(_) | NoAnswer::Broken(_))) => Err(error),
        Err(error) => Ok(unknown(rule, error.to_string())),
    }
}

fn unknown(rule: &Rule, reason: String) -> Answer<'_> {
    Answer { rule, all: None, some: None, run: None, reason: Some(reason) }
}

/// A step by its name, and behind it the names of flows by which gateways go on: what a run decides.
fn shown(model: &Labelled<'_>, step: usize) -> String {
    let ways = model.ways(step);
    let ways: Vec<&str> = ways.iter().map(|(flow, _)| flow.name.trim()).filter(|name| !name.is_empty()).collect();
    let name = model.step(step).1;
    if ways.is_empty() { name.to_owned() } else { format!("{name} [{}]", ways.join(", ")) }
}

/// The answers about a model, line by line.
pub fn lines(ruled: &Ruled<'_>) -> Vec<String> {
    let rules = if ruled.answers.len() == 1 { "rule" } else { "rules" };
    let time = if ruled.time == Time::None { "" } else { " with time" };
    let mut lines = vec![format!("{}{time}: {} {rules}", ruled.name, ruled.answers.len())];
    if ruled.completes == Some(false) {
        lines.push("  no run is complete, so that nothing is said of any".to_owned());
    }
    let delay = |delay: &Rational| match ruled.time {
        Time::Seconds => shown_seconds(delay),
        _ => delay.to_string(),
    };
    for Answer { rule, all, some, run, reason } in &ruled.answers {
        let verdict = match all {
            Some(true) => "true",
            Some(false) if *some == Some(false) => "false in all complete runs",
            Some(false) => "false",
            None => "unknown",
        };
        let mut line = format!("  {:<22} {verdict}: {}", rule.id, rule.text);
        if let Some(run) = run {
            let steps = timed_run_text(run, "the run without a step", |step| shown(ruled.model, step), delay);
            line.push_str(&format!("; broken by {steps}"));
        }
        line.extend(reason.as_ref().map(|reason| format!("; {reason}")));
        lines.push(line);
    }
    lines
}

/// The answers as a JSON object.
pub fn rules(file: &str, ruled: &Ruled<'_>) -> Fields {
    let is_timed = ruled.time != Time::None;
    let answer = |Answer { rule, all, some, run, reason }: &Answer<'_>| {
        let step = |(delay, step): &(Rational, usize)| {
            let (id, name) = ruled.model.step(*step);
            let mut shown = json!({ "id": id, "name": name });
            if is_timed {
                shown["delay"] = delay.to_string().into();
            }
            let ways = ruled.model.ways(*step);
            if !ways.is_empty() {
                let flow = |(flow, _): &(&SequenceFlow, _)| json!({ "id": flow.id, "name": flow.name });
                shown["flows"] = ways.iter().map(flow).collect();
            }
            shown
        };
        let activities = run.as_ref().map(|run| ruled.model.activities(run.steps.iter().map(|&(_, step)| step)));
        let steps: Option<Vec<Value>> = run.as_ref().map(|run| run.steps.iter().map(step).collect());
        json!({
            "id": rule.id, "formula": rule.text, "all": all, "some": some,
            "broken_by": steps, "activities": activities, "reason": reason,
        })
    };
    let time = match ruled.time {
        Time::None => "none",
        Time::Seconds => "seconds",
        Time::Units => "units",
    };
    Fields::new("starset/rules/1")
        .with("file", file)
        .with("model", ruled.name)
        .with("time", time)
        .with("completes", ruled.completes)
        .with("rules", ruled.answers.iter().map(answer).collect::<Vec<Value>>())
}

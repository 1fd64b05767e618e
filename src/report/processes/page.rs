//! The answers about a process as a page: the notions, the diagram, and the runs that refute something, step by step on it.
//!
//! Everything is in the page, and nothing is loaded. The runs are data: tokens after each step, by the elements of the
//! picture. The script shows them and computes nothing.

use super::drawing::drawing;
use super::text::text;
use super::timed::timed_text;
use crate::kinds::bpmn::diagram::NodeId;
use crate::kinds::bpmn::layout::Layout;
use crate::kinds::bpmn::process_net::{Meaning, ProcessNet};
use crate::kinds::bpmn::{ReadProcess, shown_seconds};
use crate::kinds::clocks::rational::Rational;
use crate::processes::{Answers, Run, TimedAnswers, TimedRun};
use crate::report::frame::{BASIC_SCRIPT, BASIC_STYLE, framed, json};
use crate::xml::escaped;
use num_traits::Zero as _;
use serde_json::{Value, json};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const BODY: &str = include_str!("page.html");

/// The page.
///
/// # Errors
/// If it cannot be written.
pub fn page(process: &ReadProcess, layout: &Layout, answers: &Answers) -> Result<String, serde_json::Error> {
    let states = |run: &Run| states(process, &run.iter().map(|&step| (None, step)).collect::<Vec<_>>(), None);
    let runs = answers.runs().map(|(title, _, run)| json!({ "title": title, "states": states(run) })).collect();
    let verdicts: Vec<_> = answers.verdicts().into_iter().map(|(title, _, verdict)| (title, verdict)).collect();
    Page { verdicts: &verdicts, lines: text(&process.net, answers), dead: &answers.dead, marked: "never begins", runs }
        .html(process, layout)
}

/// The page about a process with time. What never happens in time is marked on the diagram.
///
/// # Errors
/// If it cannot be written.
pub fn timed_page(process: &ReadProcess, layout: &Layout, answers: &TimedAnswers) -> Result<String, serde_json::Error> {
    let transitions = &process.net.transitions;
    let states = |run: &TimedRun| {
        let steps: Vec<_> = run.steps.iter().map(|(delay, step)| (Some(delay), *step)).collect();
        states(process, &steps, Some(&run.rest))
    };
    let runs = answers.runs.iter().map(|(title, _, run)| json!({ "title": title, "states": states(run) })).collect();
    let verdicts: Vec<_> = answers.verdicts().into_iter().map(|(title, _, verdict)| (title, Some(verdict))).collect();
    let happens = |node: NodeId| {
        (0..transitions.len()).any(|step| transitions[step].node == Some(node) && !answers.never.contains(&step))
    };
    let never = answers.never.iter().filter_map(|&step| transitions[step].node).filter(|&node| !happens(node));
    let dead: Vec<NodeId> = never.chain(answers.dead.iter().copied()).collect();
    Page {
        verdicts: &verdicts,
        lines: timed_text(&process.net, answers),
        dead: &dead,
        marked: "never happens in time",
        runs,
    }
    .html(process, layout)
}

/// What a page shows.
struct Page<'a> {
    /// The notions.
    verdicts: &'a [(&'static str, Option<bool>)],
    /// The head, a line for each notion, and what else there is to say.
    lines: Vec<String>,
    /// What is marked on the diagram.
    dead: &'a [NodeId],
    /// What is said of that.
    marked: &'static str,
    runs: Vec<Value>,
}

impl Page<'_> {
    fn html(&self, process: &ReadProcess, layout: &Layout) -> Result<String, serde_json::Error> {
        let picture = drawing(&process.diagram, layout, self.dead);
        let mut table = String::new();
        for (title, verdict) in self.verdicts {
            let (class, word) = match verdict {
                Some(true) => ("true", "yes"),
                Some(false) => ("false", "no"),
                None => ("unknown", "unknown"),
            };
            table.push_str(&format!("<tr><td>{title}</td><td class=\"{class}\">{word}</td></tr>"));
        }
        // Runs are shown on the picture.
        let others = self.lines.iter().skip(1 + self.verdicts.len()).filter(|line| !line.contains(" refuted: "));
        for line in others {
            let (title, said) = line.split_at_checked(25).unwrap_or((line, ""));
            table.push_str(&format!("<tr><td>{}</td><td>{}</td></tr>", escaped(title.trim()), escaped(said)));
        }
        let anchors = picture.as_ref().map(|picture| &picture.anchors);
        let data = json(&json!({ "runs": self.runs, "anchors": anchors }))?;
        let none = "<p class=\"soft\">The file does not say where the diagram is drawn.</p>".to_owned();
        let is_marked = picture.is_some() && !self.dead.is_empty();
        let marked = format!("<p class=\"soft\"><span class=\"dashes\"></span> {}</p>", self.marked);
        let picture = picture.map_or(none, |picture| picture.svg);
        let parts = [
            ("MARKED", if is_marked { marked } else { String::new() }),
            ("TITLE", escaped(&process.net.name)),
            ("ABOUT", escaped(self.lines.first().map_or("", String::as_str))),
            ("TABLE", table),
            ("PICTURE", picture),
            ("DATA", data),
            ("STYLE", format!("{BASIC_STYLE}{STYLE}")),
            ("SCRIPT", format!("{BASIC_SCRIPT}{SCRIPT}")),
        ];
        let parts: Vec<(&str, &str)> = parts.iter().map(|(mark, text)| (*mark, text.as_str())).collect();
        Ok(framed(BODY, &parts))
    }
}

/// The states of a run, from the start on: what was done, the element that did it, the tokens by element, and the marking
/// in words; with time, also the moment. Steps have the seconds before them, and the run may rest at its end.
fn states(process: &ReadProcess, steps: &[(Option<&Rational>, usize)], rest: Option<&Rational>) -> Vec<Value> {
    let net = &process.net;
    let state = |done: &str, element: Option<String>, tokens: &[u32], now: Option<&Rational>| {
        let shown: Vec<Value> = (0..tokens.len())
            .filter(|&place| tokens[place] > 0)
            .filter_map(|place| Some(json!([element_of(process, place)?, tokens[place]])))
            .collect();
        let (marking, now) = (super::marking_of(net, tokens), now.map(shown_seconds));
        json!({ "done": done, "by": element, "tokens": shown, "marking": marking, "at": now })
    };
    let mut tokens = net.initial();
    let mut now = rest.map(|_| Rational::zero());
    let mut states = vec![state("the start", None, &tokens, now.as_ref())];
    for &(delay, step) in steps {
        let transition = &net.transitions[step];
        if transition.fire(&net.places, &mut tokens).is_none() {
            break;
        }
        now = now.zip(delay).map(|(now, delay)| now + delay);
        states.push(state(&transition.name, transition.node.map(|node| format!("n{node}")), &tokens, now.as_ref()));
    }
    if let (Some(rest), Some(now)) = (rest.filter(|rest| !rest.is_zero()), now) {
        states.push(state("time passes", None, &tokens, Some(&(now + rest))));
    }
    states
}

/// The element of the picture at which the tokens of a place are shown.
fn element_of(process: &ReadProcess, place: usize) -> Option<String> {
    let (net, diagram): (&ProcessNet, _) = (&process.net, &process.diagram);
    let place = &net.places[place];
    match place.meaning {
        Meaning::Flow => diagram.flows.iter().position(|flow| flow.id == place.id).map(|flow| format!("f{flow}")),
        Meaning::Message => diagram.messages.iter().position(|m| m.id == place.id).map(|message| format!("m{message}")),
        Meaning::Busy(node)
        | Meaning::Begun(node)
        | Meaning::End(node)
        | Meaning::Running(node)
        | Meaning::Waiting(node) => Some(format!("n{node}")),
        // That a pool has not started, or an event can still come, is in the words.
        Meaning::Start(_) | Meaning::PoolRunning(_) | Meaning::Once(_) => None,
    }
}

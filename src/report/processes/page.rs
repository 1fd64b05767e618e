//! The answers about a process as a page: the notions, the diagram, and the runs that refute something, step by step on it.
//!
//! Everything is in the page, and nothing is loaded. The runs are data: tokens after each step, by the elements of the
//! picture. The script shows them and computes nothing.

use super::drawing::drawing;
use super::text::text;
use crate::kinds::bpmn::ReadProcess;
use crate::kinds::bpmn::layout::Layout;
use crate::kinds::bpmn::process_net::{Meaning, ProcessNet};
use crate::processes::{Answers, Run};
use crate::report::frame::{BASIC_SCRIPT, BASIC_STYLE, framed, json};
use crate::xml::escaped;
use serde_json::{Value, json};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const BODY: &str = include_str!("page.html");

/// The page.
///
/// # Errors
/// If it cannot be written.
pub fn page(process: &ReadProcess, layout: &Layout, answers: &Answers) -> Result<String, serde_json::Error> {
    let net = &process.net;
    let picture = drawing(&process.diagram, layout, &answers.dead);
    // The first line is the head, and runs are shown on the picture.
    let lines = text(net, answers);
    let mut table = String::new();
    for (title, _, verdict) in answers.verdicts() {
        let (class, word) = match verdict {
            Some(true) => ("true", "yes"),
            Some(false) => ("false", "no"),
            None => ("unknown", "unknown"),
        };
        table.push_str(&format!("<tr><td>{title}</td><td class=\"{class}\">{word}</td></tr>"));
    }
    let others = lines.iter().skip(1 + answers.verdicts().len()).filter(|line| !line.contains(" refuted: "));
    for line in others {
        let (title, said) = line.split_at_checked(25).unwrap_or((line, ""));
        table.push_str(&format!("<tr><td>{}</td><td>{}</td></tr>", escaped(title.trim()), escaped(said)));
    }
    let runs: Vec<Value> =
        answers.runs().map(|(title, _, run)| json!({ "title": title, "states": states(process, run) })).collect();
    let anchors = picture.as_ref().map(|picture| &picture.anchors);
    let data = json(&json!({ "runs": runs, "anchors": anchors }))?;
    let none = "<p class=\"soft\">The file does not say where the diagram is drawn.</p>".to_owned();
    let picture = picture.map_or(none, |picture| picture.svg);
    let parts = [
        ("TITLE", escaped(&net.name)),
        ("ABOUT", escaped(lines.first().map_or("", String::as_str))),
        ("TABLE", table),
        ("PICTURE", picture),
        ("DATA", data),
        ("STYLE", format!("{BASIC_STYLE}{STYLE}")),
        ("SCRIPT", format!("{BASIC_SCRIPT}{SCRIPT}")),
    ];
    let parts: Vec<(&str, &str)> = parts.iter().map(|(mark, text)| (*mark, text.as_str())).collect();
    Ok(framed(BODY, &parts))
}

/// The states of a run, from the start on: what was done, the element that did it, the tokens by element, and the marking
/// in words.
fn states(process: &ReadProcess, run: &Run) -> Vec<Value> {
    let net = &process.net;
    let state = |done: &str, element: Option<String>, tokens: &[u32]| {
        let shown: Vec<Value> = (0..tokens.len())
            .filter(|&place| tokens[place] > 0)
            .filter_map(|place| Some(json!([element_of(process, place)?, tokens[place]])))
            .collect();
        json!({ "done": done, "by": element, "tokens": shown, "marking": super::marking_of(net, tokens) })
    };
    let mut tokens = net.initial();
    let mut states = vec![state("the start", None, &tokens)];
    for &step in run {
        let transition = &net.transitions[step];
        if transition.fire(&net.places, &mut tokens).is_none() {
            break;
        }
        states.push(state(&transition.name, transition.node.map(|node| format!("n{node}")), &tokens));
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

//! The answers about soundness as a page: the notions, the run that refutes each demand, where the end cannot be
//! reached.
//!
//! **Problem.** That a net is not sound says little to whoever has to mend the process.
//!
//! **Idea.** The net is drawn with the tokens at the end of the run that cannot complete, as it is at the start
//! otherwise. Each refuted demand has its run, step by step with the marking after it, with clocks on a time line, too.
//! The states that cannot complete are a table of markings; where there are clocks each has the values, drawn among all
//! that they can have there.
//!
//! **Invariant.** As for pages about time: no script, nothing loaded, and all text that comes from the net is escaped.

use super::{demands, scaled};
use crate::kinds::clocks::fairness::Incomplete;
use crate::kinds::clocks::model::ClockNet;
use crate::kinds::clocks::notions::Answers;
use crate::kinds::clocks::rational::Rational;
use crate::kinds::clocks::replay::{Run, replay};
use crate::kinds::clocks::soundness::{Demand, Region, Soundness, Stuck};
use crate::kinds::clocks::zone::region_text;
use crate::net::Marking;
use crate::picture::View;
use crate::report::timing::{document, region_svg, run_svg};
use crate::xml::escaped;
use num_traits::Zero as _;
use std::fmt::Write as _;

/// Places and transitions that are drawn of a net.
const MOST_DRAWN: usize = 400;

/// The demands of the notions, in the order of [`Answers::verdicts`].
const MEANINGS: [&str; 5] = [
    "from every state the end can be reached, with nothing left over; every transition can fire",
    "the same without the last",
    "every transition is part of some run to the end",
    "from every state the end can be marked, once",
    "every fair run completes",
];

/// The page about a net whose constants have been read before.
pub fn page(net: &ClockNet, answers: &Answers) -> String {
    let mut body = format!("<p>{}.</p>", escaped(&net.header()));
    // Writing to a string cannot fail.
    body.push_str("<table><thead><tr><th>notion</th><th>verdict</th><th>demands</th></tr></thead>");
    for ((notion, verdict), meaning) in answers.verdicts().into_iter().zip(MEANINGS) {
        let (class, text) = match verdict {
            Some(true) => ("true", "sound"),
            Some(false) => ("false", "not sound"),
            None => ("unknown", "unknown"),
        };
        let _ = write!(body, "<tr><td>{notion}</td><td class=\"{class}\">{text}</td><td>{meaning}</td></tr>");
    }
    body.push_str("</table>");
    let ends: Vec<String> = answers.workflow.ends.iter().map(|end| code(&net.marking_text(end))).collect();
    let source = code(&net.places[answers.workflow.source.index()].id);
    let _ = write!(body, "<p>A case starts with a token in {source} and ends in {}.</p>", ends.join(" or "));
    if answers.unbounded {
        body.push_str("<p>Tokens grow without end.</p>");
    }
    if let Some(error) = &answers.stopped {
        let _ = write!(body, "<p>What is unknown was stopped: {}.</p>", escaped(&error.to_string()));
    }
    picture(&mut body, net, answers);
    if let Some(found) = &answers.demands {
        refuted(&mut body, net, found);
        stuck(&mut body, net, &found.stuck);
        for (title, transitions) in
            [("Transitions that never fire", &found.dead), ("Transitions on no way to the end", &found.useless)]
        {
            if !transitions.is_empty() {
                let names: Vec<String> = net.transition_names(transitions).into_iter().map(code).collect();
                let _ = write!(body, "<h2>{title}</h2><p>{}</p>", names.join(", "));
            }
        }
    }
    match &answers.fair {
        Some(Some(Incomplete::Stops(run))) => {
            body.push_str("<h2>A fair run that stops</h2>");
            shown(&mut body, net, run);
        }
        Some(Some(Incomplete::Repeats(run, cycle))) => {
            body.push_str("<h2>A fair run that never ends</h2>");
            shown(&mut body, net, run);
            let _ = write!(body, "<p>Then again and again {}.</p>", code(&cycle.to_text(net)));
        }
        _ => {}
    }
    document(&net.name, &format!("Soundness of {}", net.name), &body)
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// The net where a run has come that cannot complete; at the start if there is none.
fn picture(body: &mut String, net: &ClockNet, answers: &Answers) {
    let Some(plain) = net.to_net() else { return };
    let refuted = answers.demands.as_ref().map(|found| &found.option_to_complete);
    let end = match refuted {
        Some(Demand::Refuted(Some(run))) => replay(net, run).ok(),
        _ => None,
    };
    let marking = end.map(|end| Marking::new(end.marking.iter().map(|&tokens| tokens.into()).collect()));
    let view = View::new(&plain, MOST_DRAWN);
    let (view, tokens) = match &marking {
        Some(marking) => (view.marked(marking), "from which it cannot complete"),
        None => (view, "of the start"),
    };
    let _ = write!(body, "<h2>The net, with the tokens {tokens}</h2><div class=\"picture\">{}</div>", view.svg());
    if let Some(note) = view.note() {
        let _ = write!(body, "<p class=\"soft\">The picture shows {}.</p>", escaped(&note));
    }
}

/// The demands that are not met, each with its run.
fn refuted(body: &mut String, net: &ClockNet, found: &Soundness) {
    // One run may refute several.
    let mut runs: Vec<(Vec<&str>, Option<&Run>)> = Vec::new();
    for (title, _, demand) in demands(found) {
        let Demand::Refuted(run) = demand else { continue };
        match runs.iter_mut().find(|(_, known)| *known == run.as_ref()) {
            Some((titles, _)) => titles.push(title),
            None => runs.push((vec![title], run.as_ref())),
        }
    }
    for (titles, run) in runs {
        let _ = write!(body, "<h2>Refuted: {}</h2>", titles.join(", "));
        if let Some(run) = run {
            shown(body, net, run);
        }
    }
}

/// A run: its steps, with the marking after each.
fn shown(body: &mut String, net: &ClockNet, run: &Run) {
    let timed = !net.clocks.is_empty();
    if timed {
        body.push_str(&run_svg(net, run));
    }
    let mut marking = net.initial_marking();
    let mut now = Rational::zero();
    let head = if timed { "<th>at</th>" } else { "" };
    let _ = write!(body, "<table><thead><tr><th>step</th>{head}<th>fires</th><th>marking</th></tr></thead>");
    let mut row = |number: usize, now: &Rational, fires: &str, marking: &[u32]| {
        let at = if timed { format!("<td>{now}</td>") } else { String::new() };
        let marking = code(&net.marking_text(marking));
        let _ = write!(body, "<tr><td>{number}</td>{at}<td>{}</td><td>{marking}</td></tr>", escaped(fires));
    };
    row(0, &now, "", &marking);
    for (number, (delay, transition)) in (1..).zip(&run.steps) {
        now += delay;
        marking = net.fire(*transition, &marking).unwrap_or(marking);
        row(number, &now, &net.transitions[transition.index()].id, &marking);
    }
    if !run.rest.is_zero() {
        now += &run.rest;
        row(run.steps.len() + 1, &now, "time passes", &marking);
    }
    body.push_str("</table>");
}

/// The states from which the end cannot be reached.
fn stuck(body: &mut String, net: &ClockNet, stuck: &Stuck) {
    if stuck.regions.is_empty() {
        return;
    }
    body.push_str("<h2>From here the end cannot be reached</h2>");
    if stuck.markings > stuck.regions.len() {
        let shown = stuck.regions.len();
        let _ = write!(body, "<p class=\"soft\">{shown} of {} markings are shown.</p>", stuck.markings);
    }
    // A net whose constants are too large has no answers.
    match scaled(net) {
        None => {
            body.push_str("<ul>");
            for region in &stuck.regions {
                let _ = write!(body, "<li>{}</li>", code(&net.marking_text(&region.marking)));
            }
            body.push_str("</ul>");
        }
        Some(scaled) => {
            for Region { marking, values, reachable } in &stuck.regions {
                let text = region_text(values, scaled.units());
                let _ = write!(body, "<p>{} where {}</p>", code(&net.marking_text(marking)), code(&text));
                body.push_str(&region_svg(&scaled, values, reachable, &[]));
            }
        }
    }
}

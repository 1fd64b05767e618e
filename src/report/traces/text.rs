//! The replay of a log as lines of text.

use super::{Replayed, words};
use crate::traces::{Ends, Outcome, Variant};

/// As many variants are shown unless more are asked for.
pub const SHOWN: usize = 20;

/// As many cases of a variant are named.
const CASES: usize = 3;

/// The answers, line by line, with so many variants.
pub fn text(replayed: &Replayed<'_>, shown: usize) -> Vec<String> {
    let Replayed { file, log, model_name, model, rules, found } = replayed;
    let (traces, variants) = (log.traces(), found.variants.len());
    let sizes = [(traces, "trace"), (variants, "variant"), (log.events(), "event")];
    let mut lines =
        vec![format!("{file} on {model_name}: {}", sizes.map(|(count, what)| many(count, what)).join(", "))];
    let mut line = |title: &str, text: &str| lines.push(format!("  {title:<22} {text}"));
    for (title, key) in [("complete", "complete"), ("in the middle", "open"), ("leave the model", "leaves")] {
        line(title, &many(replayed.traces(key), "trace"));
    }
    if replayed.traces("unknown") > 0 {
        line("unknown", &many(replayed.traces("unknown"), "trace"));
    }
    let strangers = replayed.strangers();
    if !strangers.is_empty() {
        line("not in the model", &strangers.join(", "));
    }
    match model.ends() {
        Ends::Process => {}
        Ends::Final(_) => line("a run is over", "in a final marking of the file"),
        Ends::Sink(place) => line("a run is over", &format!("with one token in {} and no other", model.place(*place))),
        Ends::Deadlock => line("a run is over", "where nothing can fire"),
    }
    for (number, rule) in rules.iter().enumerate() {
        let broken = found.traces(|variant| variant.broken.contains(&number));
        let said = if broken == 0 { "true".to_owned() } else { format!("false in {}", many(broken, "trace")) };
        line(&rule.id, &format!("{said}: {}", rule.text));
    }
    for variant in found.variants.iter().take(shown) {
        lines.push(format!("  {}", of_variant(replayed, variant)));
    }
    if variants > shown {
        lines.push(format!("  and {} more", many(variants - shown, "variant")));
    }
    lines
}

/// So many of something.
fn many(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn of_variant(replayed: &Replayed<'_>, variant: &Variant<'_>) -> String {
    let count = variant.cases.names.len();
    let mut said = format!("{count} × {}", words(&variant.outcome).0);
    let wanted = |next: &[String]| if next.is_empty() { "nothing".to_owned() } else { next.join(", ") };
    let mut strange = None;
    match &variant.outcome {
        Outcome::Complete | Outcome::Unknown => {}
        Outcome::Open(next) => said.push_str(&format!(", then {}", wanted(next))),
        Outcome::Leaves { at, next, may_end } => {
            strange = Some(*at);
            let end = if *may_end { ", or the end" } else { "" };
            said.push_str(&format!(" at {}, where it has {}{end}", at + 1, wanted(next)));
        }
    }
    if !variant.broken.is_empty() {
        let broken: Vec<&str> = variant.broken.iter().map(|&rule| replayed.rules[rule].id.as_str()).collect();
        said.push_str(&format!("; breaks {}", broken.join(", ")));
    }
    let activity = |(at, &number): (usize, &u32)| match strange == Some(at) {
        true => format!("[{}]", replayed.log.activity(number)),
        false => replayed.log.activity(number).to_owned(),
    };
    let steps: Vec<String> = variant.trace.iter().enumerate().map(activity).collect();
    let steps = if steps.is_empty() { "nothing".to_owned() } else { steps.join(" · ") };
    let names = &variant.cases.names;
    let more = if names.len() > CASES { ", …" } else { "" };
    format!("{said}: {steps} (case {}{more})", names[..names.len().min(CASES)].join(", "))
}

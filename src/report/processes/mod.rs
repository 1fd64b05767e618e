//! Soundness of processes as text, as a table of many, and as JSON.

mod drawing;
mod json;
mod page;
mod table;
mod text;
mod timed;

pub use json::{fields, reason, refused};
pub use page::{page, timed_page};
pub use table::{Line, heading, line};
pub use text::text;
pub(super) use timed::timed_run_text;
pub use timed::{timed_fields, timed_text};

use crate::kinds::bpmn::process_net::{Activity, Meaning, Place, ProcessNet};
use crate::processes::{Answers, Run, Stopped};

/// What grows without end, and in which place.
fn grows<'n>(net: &'n ProcessNet, answers: &Answers) -> Option<(&'static str, &'n Place)> {
    let Some(Stopped::Unbounded(place)) = &answers.stopped else { return None };
    let place = net.places.get(*place)?;
    Some((if place.meaning == Meaning::Message { "messages" } else { "tokens" }, place))
}

/// The same in words.
fn growth(net: &ProcessNet, answers: &Answers) -> Option<String> {
    grows(net, answers).map(|(what, place)| format!("unbounded, {what} pile up in {}", place.id))
}

/// Why another instance of a pool ends what can be said.
fn instances(net: &ProcessNet, answers: &Answers) -> Option<String> {
    let Some(Stopped::Instances(place)) = &answers.stopped else { return None };
    let place = net.places.get(*place)?;
    Some(format!("not represented: {} starts another instance of its pool", place.id))
}

/// The tokens at the end of a run, by what people call the places.
fn marking(net: &ProcessNet, run: &Run) -> String {
    let mut tokens = net.initial();
    for &transition in run {
        if net.transitions[transition].fire(&net.places, &mut tokens).is_none() {
            break;
        }
    }
    marking_of(net, &tokens)
}

/// Tokens, by what people call the places.
fn marking_of(net: &ProcessNet, tokens: &[u32]) -> String {
    let place = |(place, &tokens): (&Place, &u32)| match tokens {
        0 => None,
        1 => Some(place.name.clone()),
        many => Some(format!("{} ×{many}", place.name)),
    };
    let marked: Vec<String> = net.places.iter().zip(tokens).filter_map(place).collect();
    if marked.is_empty() { "nothing".to_owned() } else { marked.join(", ") }
}

/// Of some activities, the name or another part.
fn activities<'n>(net: &'n ProcessNet, nodes: &[usize], part: fn(&Activity) -> &String) -> Vec<&'n str> {
    let known = net.activities.iter().filter(|activity| nodes.contains(&activity.node));
    known.map(|activity| part(activity).as_str()).collect()
}

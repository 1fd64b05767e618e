//! Soundness of processes as text, as a table of many, and as JSON.

mod json;
mod table;
mod text;

pub use json::{fields, refused};
pub use table::{Line, heading, line};
pub use text::text;

use crate::kinds::bpmn::process_net::{Meaning, ProcessNet};
use crate::processes::{Answers, Run, Stopped};

/// What grows without end, in words.
fn growth(net: &ProcessNet, answers: &Answers) -> Option<String> {
    let Some(Stopped::Unbounded(place)) = &answers.stopped else { return None };
    let place = net.places.get(*place)?;
    Some(match place.meaning {
        Meaning::Message => format!("unbounded, messages pile up in {}", place.id),
        _ => format!("unbounded, tokens pile up in {}", place.id),
    })
}

/// The tokens at the end of a run, by what people call the places.
fn marking(net: &ProcessNet, run: &Run) -> String {
    let mut tokens = net.initial();
    for &transition in run {
        if net.transitions[transition].fire(&net.places, &mut tokens).is_none() {
            break;
        }
    }
    let place = |(place, tokens): (&crate::kinds::bpmn::process_net::Place, u32)| match tokens {
        0 => None,
        1 => Some(place.name.clone()),
        many => Some(format!("{} ×{many}", place.name)),
    };
    let marked: Vec<String> = net.places.iter().zip(tokens).filter_map(place).collect();
    if marked.is_empty() { "nothing".to_owned() } else { marked.join(", ") }
}

/// Names of activities.
fn names<'n>(net: &'n ProcessNet, nodes: &[usize]) -> Vec<&'n str> {
    let known = net.activities.iter().filter(|activity| nodes.contains(&activity.node));
    known.map(|activity| activity.name.as_str()).collect()
}

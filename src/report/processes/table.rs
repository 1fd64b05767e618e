//! The answers about many processes as a table, a line for each.

use super::{growth, instances};
use crate::kinds::bpmn::process_net::ProcessNet;
use crate::processes::{Answers, Stopped};

/// What is said of a file.
#[derive(Debug)]
pub enum Line<'a> {
    /// The answers.
    Answers(&'a ProcessNet, &'a Answers),
    /// Why it is not read.
    Refused(&'a str),
}

/// The columns after that of the file.
const COLUMNS: [&str; 6] = ["sound", "completes", "proper", "alive", "safe", "markings"];

/// The head of the table, for files with names up to this length.
pub fn heading(width: usize) -> String {
    format!("{:<width$}  {}", "file", row(&COLUMNS.map(str::to_owned)))
}

/// The line of a file.
pub fn line(width: usize, file: &str, line: &Line<'_>) -> String {
    let text = match line {
        Line::Refused(why) => format!("refused: {why}"),
        Line::Answers(net, answers) => {
            let word = |verdict: Option<bool>| match verdict {
                Some(true) => "yes",
                Some(false) => "no",
                None => "?",
            };
            let known = |key: &str| answers.verdicts().iter().find(|(_, known, _)| *known == key).and_then(|v| v.2);
            let markings = match (growth(net, answers), &answers.counts, &answers.stopped) {
                (Some(growth), ..) => growth,
                (_, _, Some(Stopped::Instances(_))) => instances(net, answers).unwrap_or_default(),
                (_, Some(counts), _) => counts.states.to_string(),
                (_, _, Some(Stopped::Limits)) => "too many".to_owned(),
                _ => "?".to_owned(),
            };
            row(&[
                word(known("sound")).to_owned(),
                word(known("option_to_complete")).to_owned(),
                word(known("proper_completion")).to_owned(),
                word(known("no_dead_activity")).to_owned(),
                word(known("safe")).to_owned(),
                markings,
            ])
        }
    };
    format!("{file:<width$}  {text}")
}

fn row(cells: &[String; 6]) -> String {
    let [sound, completes, proper, alive, safe, markings] = cells;
    format!("{sound:<5}  {completes:<9}  {proper:<6}  {alive:<5}  {safe:<4}  {markings}")
}

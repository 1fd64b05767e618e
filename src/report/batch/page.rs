//! The page of a batch.
//!
//! Tables and the plot of answers over time are made here; jobs and the comparison are data, which a script shows.

use super::word;
use crate::examination::batch::{Compared, Counts, Score, Scored, ScoredResult};
use crate::report::frame::{BASIC_SCRIPT, BASIC_STYLE, framed, json};
use crate::xml::escaped;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

const STYLE: &str = include_str!("batch.css");
const SCRIPT: &str = include_str!("batch.js");
const BODY: &str = include_str!("batch.html");

/// Colours of the lines of a plot: classes `c0` to `c12` of the style.
const COLOURS: usize = 13;
/// Size of the plot and of its margins.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 20.0;
const BOTTOM: f64 = 40.0;

/// A job in the table.
#[derive(Serialize)]
struct Row<'a> {
    model: &'a str,
    examination: &'a str,
    status: &'static str,
    #[serde(flatten)]
    result: Option<Numbers<'a>>,
    /// Seconds in the other run.
    before: Option<f64>,
}

#[derive(Serialize)]
struct Numbers<'a> {
    right: usize,
    wrong: usize,
    unchecked: usize,
    unknown: usize,
    seconds: f64,
    memory: Option<u64>,
    error: Option<&'a str>,
}

/// The page. `about` says which limits held; `compared` is another run and what the user calls it.
///
/// # Errors
/// If it cannot be written.
pub fn page(score: &Score, about: &str, compared: Option<(&str, &Compared)>) -> Result<String, serde_json::Error> {
    let tables = tables(score).map_err(serde::ser::Error::custom)?;
    let data = json(&json!({
        "jobs": rows(score, compared.map(|(_, compared)| compared)),
        "compared": compared.map(|(with, compared)| comparison(with, compared)),
    }))?;
    Ok(framed(
        BODY,
        &[
            ("STYLE", &[BASIC_STYLE, STYLE].concat()),
            ("ABOUT", &escaped(about)),
            ("TABLES", &tables),
            ("DATA", &data),
            ("SCRIPT", &[BASIC_SCRIPT, SCRIPT].concat()),
        ],
    ))
}

fn rows<'a>(score: &'a Score, compared: Option<&Compared>) -> Vec<Row<'a>> {
    let mut before = vec![None; score.jobs.len()];
    for &(number, _, seconds) in compared.iter().flat_map(|compared| &compared.times) {
        if let Some(slot) = before.get_mut(number) {
            *slot = Some(seconds);
        }
    }
    let row = |(job, before): (&'a Scored, Option<f64>)| {
        let numbers = |result: &'a ScoredResult| Numbers {
            right: result.counts.right,
            wrong: result.counts.wrong,
            unchecked: result.counts.unchecked,
            unknown: result.counts.unknown,
            seconds: result.seconds,
            memory: result.peak_memory_bytes,
            error: result.error.as_deref(),
        };
        let result = job.result.as_ref().map(numbers);
        Row { model: &job.model, examination: &job.examination, status: status(job), result, before }
    };
    score.jobs.iter().zip(before).map(row).collect()
}

/// The outcome of a job, in a word.
fn status(job: &Scored) -> &'static str {
    match &job.result {
        None => "missing",
        Some(result) if result.counts.wrong > 0 => "wrong",
        Some(result) if result.error.is_some() => "failed",
        Some(result) if result.counts.unknown > 0 => "open",
        Some(_) => "answered",
    }
}

fn comparison(with: &str, compared: &Compared) -> Value {
    let all = compared.differences.iter();
    let difference = all.map(|d| json!([word(d.change), d.model, d.examination, d.id, d.answer, d.before]));
    json!({ "with": with, "same": compared.same, "differences": difference.collect::<Vec<_>>() })
}

fn tables(score: &Score) -> Result<String, fmt::Error> {
    let mut html = String::new();
    let page = &mut html;
    if score.missing > 0 {
        writeln!(page, "<p>{} jobs have no result yet.</p>", score.missing)?;
    }
    writeln!(page, "<h2>Answers by examination</h2>")?;
    table(page, "examination", &score.by_examination)?;
    writeln!(page, "<h2>Answers over time</h2><p>Answers given within so many seconds of the start of a job.</p>")?;
    plot(page, &score.times)?;
    writeln!(page, "<h2>Answers by family</h2>")?;
    table(page, "family", &score.by_family)?;
    if !score.wrong.is_empty() {
        writeln!(
            page,
            "<h2 class=\"wrong\">Answers that differ from the expected ones</h2><div class=\"wide\"><table>"
        )?;
        writeln!(page, "<tr><th>instance<th>examination<th>question<th>answer<th>expected")?;
        for wrong in &score.wrong {
            let cells = [&wrong.model, &wrong.examination, &wrong.id, &wrong.answer, &wrong.expected];
            row(page, cells.map(String::as_str))?;
        }
        writeln!(page, "</table></div>")?;
    }
    if !score.failed.is_empty() {
        writeln!(page, "<h2>Jobs that failed</h2><div class=\"wide\"><table><tr><th>instance<th>examination<th>error")?;
        for (model, examination, error) in &score.failed {
            row(page, [model, examination, error])?;
        }
        writeln!(page, "</table></div>")?;
    }
    Ok(html)
}

fn row<const N: usize>(page: &mut String, cells: [&str; N]) -> fmt::Result {
    write!(page, "<tr>")?;
    cells.iter().try_for_each(|cell| write!(page, "<td>{}", escaped(cell)))?;
    writeln!(page)
}

fn table(page: &mut String, title: &str, counts: &BTreeMap<String, Counts>) -> fmt::Result {
    writeln!(
        page,
        "<div class=\"wide\"><table class=\"counts\"><tr><th>{title}<th>right<th>wrong<th>unchecked<th>unknown<th>answered"
    )?;
    let mut total = Counts::default();
    counts.values().for_each(|&counts| total.add(counts));
    let rows = counts.iter().map(|(name, counts)| (name.as_str(), counts));
    for (name, counts) in rows.chain([("all", &total)]) {
        let wrong = if counts.wrong > 0 { " class=\"wrong\"" } else { "" };
        writeln!(
            page,
            "<tr><td>{}<td>{}<td{wrong}>{}<td>{}<td>{}<td>{:.1} %",
            escaped(name),
            counts.right,
            counts.wrong,
            counts.unchecked,
            counts.unknown,
            counts.percent()
        )?;
    }
    writeln!(page, "</table></div>")
}

/// One line per examination: seconds (logarithmic) against the number of answers.
fn plot(page: &mut String, times: &BTreeMap<String, Vec<f64>>) -> fmt::Result {
    let (first, most) = (0.01_f64, times.values().map(Vec::len).max().unwrap_or(0).max(1) as f64);
    let last = times.values().flatten().fold(1.0, |last: f64, &time| last.max(time));
    let x = |time: f64| LEFT + (time.max(first) / first).ln() / (last / first).ln() * (WIDTH - LEFT - RIGHT);
    let y = |answers: f64| HEIGHT - BOTTOM - answers / most * (HEIGHT - BOTTOM - 20.0);
    writeln!(
        page,
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"answers over time\">"
    )?;
    let mut tick = first;
    while tick <= last {
        let at = x(tick);
        let (top, bottom) = (y(most), y(0.0));
        writeln!(page, "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\"/>")?;
        writeln!(page, "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick} s</text>", bottom + 18.0)?;
        tick *= 10.0;
        // 0.1 and so on, without the noise of binary fractions.
        tick = (tick * 100.0).round() / 100.0;
    }
    for part in 0..=4 {
        let answers = most * f64::from(part) / 4.0;
        let at = y(answers);
        writeln!(page, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{answers:.0}</text>", LEFT - 6.0, at + 4.0)?;
    }
    for (index, (name, times)) in times.iter().enumerate() {
        let mut path = format!("M{:.1} {:.1}", x(first), y(0.0));
        for (count, &time) in (1..).zip(times) {
            write!(path, "H{:.1}V{:.1}", x(time), y(f64::from(count)))?;
        }
        write!(path, "H{:.1}", x(last))?;
        let (colour, name) = (index % COLOURS, escaped(name));
        writeln!(page, "<path class=\"c{colour}\" d=\"{path}\"><title>{name}</title></path>")?;
    }
    writeln!(page, "</svg><ul class=\"legend\">")?;
    for (index, (name, times)) in times.iter().enumerate() {
        writeln!(page, "<li><i class=\"c{}\"></i>{} ({})", index % COLOURS, escaped(name), times.len())?;
    }
    writeln!(page, "</ul>")
}

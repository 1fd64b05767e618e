//! A batch as text, and as one HTML page that needs nothing else: tables, and how many answers were given by when.

use crate::examination::batch::{Counts, Score, Wrong};
use crate::xml::escaped;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:62em;padding:0 1em;color:#222}\
table{border-collapse:collapse;margin:1em 0}th,td{padding:.2em .8em;text-align:right;border-bottom:1px solid #ddd}\
th:first-child,td:first-child{text-align:left}.wrong{color:#b00020;font-weight:bold}svg{max-width:100%}\
text{font:12px system-ui,sans-serif}";
const COLOURS: [&str; 13] = [
    "#1b6ca8", "#d1495b", "#3c896d", "#edae49", "#66507a", "#00798c", "#8d5b4c", "#5c80bc", "#c44900", "#4d8b31",
    "#a23b72", "#5f5f5f", "#2e294e",
];
/// Size of the plot and of its margins.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 50.0;
const BOTTOM: f64 = 40.0;

/// The table as text, and below it what went wrong; without the last end of line.
pub fn text(score: &Score) -> String {
    let line = |name: &str, counts: &Counts| {
        let Counts { right, wrong, unchecked, unknown } = counts;
        format!("{name:<24} {right:>7} {wrong:>7} {unchecked:>9} {unknown:>8} {:>8.1} %", counts.percent())
    };
    let titles = ["examination", "right", "wrong", "unchecked", "unknown", "answered"];
    let [name, right, wrong, unchecked, unknown, answered] = titles;
    let mut lines = vec![format!("{name:<24} {right:>7} {wrong:>7} {unchecked:>9} {unknown:>8} {answered:>10}")];
    let mut total = Counts::default();
    for (name, counts) in &score.by_examination {
        lines.push(line(name, counts));
        total.add(*counts);
    }
    lines.push(line("all", &total));
    for Wrong { model, examination, id, answer, expected } in &score.wrong {
        lines.push(format!("wrong: {model} {examination} {id}: {answer}, expected {expected}"));
    }
    for (model, examination, error) in &score.failed {
        lines.push(format!("failed: {model} {examination}: {error}"));
    }
    if score.missing > 0 {
        lines.push(format!("{} jobs have no result yet", score.missing));
    }
    lines.join("\n")
}

/// The page. `about` says which limits held.
pub fn page(score: &Score, about: &str) -> Result<String, fmt::Error> {
    let mut html = String::new();
    let page = &mut html;
    writeln!(page, "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>starset batch</title>")?;
    writeln!(page, "<style>{STYLE}</style></head><body><h1>starset batch</h1><p>{}</p>", escaped(about))?;
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
        writeln!(page, "<h2 class=\"wrong\">Answers that differ from the expected ones</h2><table>")?;
        writeln!(page, "<tr><th>instance<th>examination<th>question<th>answer<th>expected")?;
        for wrong in &score.wrong {
            let cells = [&wrong.model, &wrong.examination, &wrong.id, &wrong.answer, &wrong.expected];
            row(page, cells.map(String::as_str))?;
        }
        writeln!(page, "</table>")?;
    }
    if !score.failed.is_empty() {
        writeln!(page, "<h2>Jobs that failed</h2><table><tr><th>instance<th>examination<th>error")?;
        for (model, examination, error) in &score.failed {
            row(page, [model, examination, error])?;
        }
        writeln!(page, "</table>")?;
    }
    writeln!(page, "</body></html>")?;
    Ok(html)
}

fn row<const N: usize>(page: &mut String, cells: [&str; N]) -> fmt::Result {
    write!(page, "<tr>")?;
    cells.iter().try_for_each(|cell| write!(page, "<td>{}", escaped(cell)))?;
    writeln!(page)
}

fn table(page: &mut String, title: &str, counts: &BTreeMap<String, Counts>) -> fmt::Result {
    writeln!(page, "<table><tr><th>{title}<th>right<th>wrong<th>unchecked<th>unknown<th>answered")?;
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
    writeln!(page, "</table>")
}

/// One line per examination: seconds (logarithmic) against the number of answers.
fn plot(page: &mut String, times: &BTreeMap<String, Vec<f64>>) -> fmt::Result {
    let (first, most) = (0.01_f64, times.values().map(Vec::len).max().unwrap_or(0).max(1) as f64);
    let last = times.values().flatten().fold(1.0, |last: f64, &time| last.max(time));
    let x = |time: f64| LEFT + (time.max(first) / first).ln() / (last / first).ln() * (WIDTH - LEFT - 200.0);
    let y = |answers: f64| HEIGHT - BOTTOM - answers / most * (HEIGHT - BOTTOM - 20.0);
    writeln!(page, "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"answers over time\">")?;
    let mut tick = first;
    while tick <= last {
        let at = x(tick);
        let (top, bottom) = (y(most), y(0.0));
        writeln!(page, "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\" stroke=\"#e5e5e5\"/>")?;
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
        let colour = COLOURS[index % COLOURS.len()];
        let mut path = format!("M{:.1} {:.1}", x(first), y(0.0));
        for (count, &time) in (1..).zip(times) {
            write!(path, "H{:.1}V{:.1}", x(time), y(f64::from(count)))?;
        }
        write!(path, "H{:.1}", x(last))?;
        writeln!(page, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>")?;
        let (at, right) = (24.0 + 18.0 * index as f64, WIDTH - 190.0);
        writeln!(
            page,
            "<text x=\"{right}\" y=\"{at:.1}\" fill=\"{colour}\">{} ({})</text>",
            escaped(name),
            times.len()
        )?;
    }
    writeln!(page, "</svg>")
}

//! A batch as text, and as one HTML page that needs nothing else: its jobs in a table that can be sorted, tables of answers,
//! how many answers were given by when, and what has changed since another run.

mod page;

pub use page::page;

use crate::examination::batch::{Change, Compared, Counts, Difference, Score, Wrong};
use crate::report::number::seconds;

/// Answers of a kind that are listed of a comparison.
const MOST_LISTED: usize = 100;

/// The table as text, and below it what went wrong; without the last end of line.
pub fn text(score: &Score) -> String {
    // A column of its own only where there are some.
    let certifies = score.by_examination.values().any(|counts| counts.certified > 0);
    let line = |name: &str, counts: &Counts| {
        let Counts { right, wrong, unchecked, unknown, certified } = counts;
        let last = if certifies { format!(" {certified:>10}") } else { String::new() };
        format!("{name:<24} {right:>7} {wrong:>7} {unchecked:>9} {unknown:>8} {:>8.1} %{last}", counts.percent())
    };
    let titles = ["examination", "right", "wrong", "unchecked", "unknown", "answered"];
    let [name, right, wrong, unchecked, unknown, answered] = titles;
    let last = if certifies { "  certified" } else { "" };
    let mut lines = vec![format!("{name:<24} {right:>7} {wrong:>7} {unchecked:>9} {unknown:>8} {answered:>10}{last}")];
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

/// The differences from another run, as text; without the last end of line.
pub fn compared(compared: &Compared, with: &str) -> String {
    let count = |change| compared.count(change);
    let (gained, lost, differ) = (count(Change::Gained), count(Change::Lost), count(Change::Differs));
    let mut lines = vec![format!(
        "compared with {with}: {gained} gained, {lost} lost, {differ} differ, {} the same",
        compared.same
    )];
    let (now, before) = compared.times.iter().fold((0.0, 0.0), |sum, (_, now, before)| (sum.0 + now, sum.1 + before));
    lines.push(format!("{} jobs in both: {}, before {}", compared.times.len(), seconds(now), seconds(before)));
    for change in [Change::Differs, Change::Lost, Change::Gained] {
        let all = compared.differences.iter().filter(|difference| difference.change == change);
        lines.extend(all.take(MOST_LISTED).map(line));
        if count(change) > MOST_LISTED {
            lines.push(format!("{}: {} more", word(change), count(change) - MOST_LISTED));
        }
    }
    lines.join("\n")
}

fn line(difference: &Difference) -> String {
    let Difference { change, model, examination, id, answer, before } = difference;
    let text = |answer: &Option<String>| answer.clone().unwrap_or_else(|| "unknown".to_owned());
    format!("{}: {model} {examination} {id}: {}, before {}", word(*change), text(answer), text(before))
}

fn word(change: Change) -> &'static str {
    match change {
        Change::Gained => "gained",
        Change::Lost => "lost",
        Change::Differs => "differs",
    }
}

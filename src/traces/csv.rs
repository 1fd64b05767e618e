//! Event logs as tables: a line for each event, with a column for its case and one for its activity.
//!
//! Cells are separated by commas, semicolons or tabs, whichever is most often in the head. A cell in double quotes may
//! have all of these in it, line breaks, and quotes written twice (RFC 4180). Events of a case come in the order of the
//! table, whatever is between them. So all cases are open until the end.

use super::log::{Log, LogReading};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::io::BufRead;

/// Why a log is not read: the line, and a sentence.
type Wrong = (u64, String);

/// What columns are called, letters and digits alone.
const CASES: [&str; 5] = ["caseconceptname", "caseid", "case", "traceid", "trace"];
const ACTIVITIES: [&str; 6] = ["conceptname", "activity", "activityname", "event", "eventname", "task"];
const TRANSITIONS: [&str; 2] = ["lifecycletransition", "lifecycle"];

/// Reads a log.
pub(super) fn read(input: impl BufRead, reading: &LogReading, log: &mut Log) -> Result<(), Wrong> {
    let mut rows = Rows { input, line: 0, separator: ',' };
    let head = rows.head()?;
    let column = |asked: &Option<String>, known: &[&str], what: &str, option: &str| match asked {
        Some(asked) => head
            .iter()
            .position(|name| name == asked)
            .ok_or_else(|| (1, format!("there is no column `{asked}`; the table has {}", head.join(", ")))),
        None => named(&head, known).ok_or_else(|| {
            (1, format!("which column has {what}? name it by {option}; the table has {}", head.join(", ")))
        }),
    };
    let case = column(&reading.case, &CASES, "the case", "--case")?;
    let activity = column(&reading.activity, &ACTIVITIES, "the activity", "--activity")?;
    let transition = named(&head, &TRANSITIONS);
    let mut open: IndexMap<String, Vec<u32>, FxBuildHasher> = IndexMap::default();
    while let Some((line, row)) = rows.next()? {
        if row.iter().all(String::is_empty) {
            continue;
        }
        let cell = |column: usize| row.get(column).map(|cell| cell.trim());
        let missing =
            |what: &str| (line, format!("the line has no {what}: {} cells, the head has {}", row.len(), head.len()));
        let case = cell(case).filter(|case| !case.is_empty()).ok_or_else(|| missing("case"))?;
        let trace = open.entry(case.to_owned()).or_default();
        if !reading.counts(transition.and_then(cell)) {
            log.left_out += 1;
            continue;
        }
        let activity = cell(activity).filter(|activity| !activity.is_empty()).ok_or_else(|| missing("activity"))?;
        trace.push(log.number(activity));
    }
    open.into_iter().for_each(|(case, trace)| log.add(case, trace));
    Ok(())
}

/// The first column with one of these names, the first of these being the best.
fn named(head: &[String], known: &[&str]) -> Option<usize> {
    let plain = |name: &String| name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let plain: Vec<String> = head.iter().map(plain).collect();
    known.iter().find_map(|known| plain.iter().position(|name| name == known))
}

/// The rows of a table.
struct Rows<R> {
    input: R,
    line: u64,
    separator: char,
}

impl<R: BufRead> Rows<R> {
    /// The names of the columns; from here on it is known what separates cells.
    fn head(&mut self) -> Result<Vec<String>, Wrong> {
        let Some(text) = self.line()? else { return Err((1, "the file is empty; give a log".to_owned())) };
        let text = text.trim_start_matches('\u{feff}').to_owned();
        let often = |separator: &char| text.matches(*separator).count();
        self.separator = [',', ';', '\t'].into_iter().rev().max_by_key(often).unwrap_or(',');
        let (_, cells) = self.cells(text)?;
        Ok(cells.into_iter().map(|cell| cell.trim().to_owned()).collect())
    }

    /// The line of the next row, and its cells.
    fn next(&mut self) -> Result<Option<(u64, Vec<String>)>, Wrong> {
        match self.line()? {
            Some(text) => self.cells(text).map(Some),
            None => Ok(None),
        }
    }

    /// The next line, with its end.
    fn line(&mut self) -> Result<Option<String>, Wrong> {
        let (mut text, line) = (String::new(), self.line + 1);
        match self.input.read_line(&mut text) {
            Ok(0) => Ok(None),
            Ok(_) => {
                self.line = line;
                Ok(Some(text))
            }
            Err(error) => Err((line, format!("cannot read on: {error}; a table is text in UTF-8"))),
        }
    }

    /// The cells of a row that begins with this line.
    fn cells(&mut self, mut text: String) -> Result<(u64, Vec<String>), Wrong> {
        let begin = self.line;
        let (mut cells, mut cell) = (Vec::new(), String::new());
        let (mut is_quoted, mut was_quote) = (false, false);
        loop {
            for c in text.chars() {
                match c {
                    '"' if is_quoted => (is_quoted, was_quote) = (false, true),
                    '"' if was_quote => {
                        cell.push('"');
                        (is_quoted, was_quote) = (true, false);
                    }
                    '"' if cell.is_empty() => is_quoted = true,
                    _ if is_quoted => cell.push(c),
                    '\n' | '\r' => {}
                    _ if c == self.separator => {
                        cells.push(std::mem::take(&mut cell));
                        was_quote = false;
                    }
                    _ => {
                        cell.push(c);
                        was_quote = false;
                    }
                }
            }
            if !is_quoted {
                cells.push(cell);
                return Ok((begin, cells));
            }
            match self.line()? {
                Some(more) => text = more,
                None => return Err((begin, "a quote is not closed; end the cell with `\"`".to_owned())),
            }
        }
    }
}

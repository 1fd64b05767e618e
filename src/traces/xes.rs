//! Event logs in XES (IEEE 1849), in one pass: of each event its `concept:name` and its `lifecycle:transition`.

use super::log::{Log, LogReading};
use crate::xml::{XmlCursor, XmlError};
use std::io::BufRead;

/// Why a log is not read: the line, and a sentence.
type Wrong = (u64, String);

fn wrong(error: &XmlError) -> Wrong {
    (error.location.line, error.problem.to_string())
}

/// Reads a log.
pub(super) fn read(input: impl BufRead, reading: &LogReading, log: &mut Log) -> Result<(), Wrong> {
    let mut cursor = XmlCursor::new(input);
    match cursor.next_child().map_err(|error| wrong(&error))? {
        Some("log") => {}
        other => {
            let found = other.unwrap_or_default().to_owned();
            let what = format!("this is no event log: it begins with `<{found}>`, not with `<log>`; give XES or CSV");
            return Err((cursor.location().line, what));
        }
    }
    while let Some(element) = cursor.next_child().map_err(|error| wrong(&error))? {
        match element {
            "trace" => trace(&mut cursor, reading, log)?,
            _ => cursor.skip().map_err(|error| wrong(&error))?,
        }
    }
    // To the end of the file: nothing may follow.
    while cursor.next_child().map_err(|error| wrong(&error))?.is_some() {}
    Ok(())
}

fn trace<R: BufRead>(cursor: &mut XmlCursor<R>, reading: &LogReading, log: &mut Log) -> Result<(), Wrong> {
    let (mut case, mut trace) = (None, Vec::new());
    while let Some(element) = cursor.next_child().map_err(|error| wrong(&error))? {
        if element == "event" {
            match event(cursor, reading)? {
                Some(activity) => trace.push(log.number(&activity)),
                None => log.left_out += 1,
            }
            continue;
        }
        if let Some(name) = attribute(cursor, "concept:name")? {
            case = Some(name);
        }
        cursor.skip().map_err(|error| wrong(&error))?;
    }
    let case = case.unwrap_or_else(|| (log.traces() + 1).to_string());
    log.add(case, trace);
    Ok(())
}

/// The activity of an event; `None` if it does not count.
fn event<R: BufRead>(cursor: &mut XmlCursor<R>, reading: &LogReading) -> Result<Option<String>, Wrong> {
    let line = cursor.location().line;
    let (mut activity, mut transition) = (None, None);
    while cursor.next_child().map_err(|error| wrong(&error))?.is_some() {
        if let Some(value) = attribute(cursor, "concept:name")? {
            activity = Some(value);
        } else if let Some(value) = attribute(cursor, "lifecycle:transition")? {
            transition = Some(value);
        }
        cursor.skip().map_err(|error| wrong(&error))?;
    }
    if !reading.counts(transition.as_deref()) {
        return Ok(None);
    }
    let none = "the event names no activity; give each a <string key=\"concept:name\" value=\"…\"/>";
    activity.map(Some).ok_or_else(|| (line, none.to_owned()))
}

/// The value of the attribute of the log that was entered, if it has this key.
fn attribute<R: BufRead>(cursor: &XmlCursor<R>, key: &str) -> Result<Option<String>, Wrong> {
    match cursor.attribute("key").map_err(|error| wrong(&error))? {
        Some(found) if found == key => cursor.attribute("value").map_err(|error| wrong(&error)),
        _ => Ok(None),
    }
}

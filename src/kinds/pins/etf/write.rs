//! Writing ETF.
//!
//! Names get a backslash before whatever a name cannot have; values are quoted, or written in hexadecimal if they are
//! not printable ASCII. LTSmin reads the result, and so does [`super::read()`], to the same description.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use super::lexer::WORDS;
use super::{Declaration, Description, Relation};

/// The text of a description.
pub fn write(description: &Description) -> String {
    let mut text = String::new();
    section(&mut text, "state", "", |text| declare(text, &description.variables));
    section(&mut text, "edge", "", |text| declare(text, &description.edge_labels));
    section(&mut text, "init", "", |text| {
        let state: Vec<String> = description.initial.iter().map(u32::to_string).collect();
        text.push_str(&state.join(" "));
        text.push('\n');
    });
    for relation in &description.relations {
        section(&mut text, "trans", "", |text| rows(text, relation, description.variables.len()));
    }
    for map in &description.maps {
        let head = format!(" {}:{}", escape(&map.name), escape(&map.sort));
        section(&mut text, "map", &head, |text| {
            for (row, value) in &map.rows {
                for entry in row {
                    match entry {
                        Some(number) => put(text, format_args!("{number} ")),
                        None => text.push_str("* "),
                    }
                }
                put(text, format_args!("{value}\n"));
            }
        });
    }
    // A sort that a declaration names need not be there if it has no values.
    let declared = description.variables.iter().chain(&description.edge_labels).map(|one| &one.sort);
    let named: FxHashSet<&String> = declared.chain(description.maps.iter().map(|map| &map.sort)).collect();
    for (sort, values) in &description.sorts {
        if values.is_empty() && named.contains(sort) {
            continue;
        }
        section(&mut text, "sort", &format!(" {}", escape(sort)), |text| {
            for value in values {
                text.push_str(&quote(value));
                text.push('\n');
            }
        });
    }
    text
}

fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(arguments);
}

fn section(text: &mut String, word: &str, head: &str, body: impl FnOnce(&mut String)) {
    put(text, format_args!("begin {word}{head}\n"));
    body(text);
    put(text, format_args!("end {word}\n"));
}

fn declare(text: &mut String, declarations: &[Declaration]) {
    let all: Vec<String> =
        declarations.iter().map(|one| format!("{}:{}", escape(&one.name), escape(&one.sort))).collect();
    if !all.is_empty() {
        text.push_str(&all.join(" "));
        text.push('\n');
    }
}

fn rows(text: &mut String, relation: &Relation, variables: usize) {
    for row in &relation.rows {
        let mut entries = relation.columns.iter().zip(row.old.iter().zip(&row.new)).peekable();
        for variable in 0..variables {
            match entries.next_if(|(column, _)| **column == variable) {
                Some((_, (old, new))) => put(text, format_args!("{old}/{new} ")),
                None => text.push_str("* "),
            }
        }
        for label in &row.labels {
            put(text, format_args!("{label} "));
        }
        text.pop();
        text.push('\n');
    }
}

/// A name with a backslash before what a name cannot have. LTSmin wants a letter first, after underscores; `_` alone
/// means that there is no name. Control characters become `_`.
pub(super) fn escape(name: &str) -> String {
    if name == "_" {
        return name.to_owned();
    }
    let mut text = String::with_capacity(name.len());
    let (mut started, word) = (false, WORDS.contains(&name));
    let underscores = name.chars().all(|c| c == '_');
    for character in name.chars() {
        let plain = match character {
            '_' => !underscores,
            'a'..='z' | 'A'..='Z' => started || !word,
            '0'..='9' | '\'' => started,
            _ => false,
        };
        if character.is_control() {
            text.push('_');
            continue;
        }
        if !plain {
            text.push('\\');
        }
        text.push(character);
        started |= character != '_';
    }
    text
}

/// A value between quotes, or in hexadecimal.
pub(super) fn quote(value: &[u8]) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    if value.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        text.push('"');
        for &byte in value {
            if matches!(byte, b'"' | b'\\') {
                text.push('\\');
            }
            text.push(char::from(byte));
        }
        text.push('"');
    } else {
        text.push('#');
        for byte in value {
            put(&mut text, format_args!("{byte:02X}"));
        }
        text.push('#');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    const EVERYTHING: &str = "begin state\n_:_ a\\[0\\]:byte \\state:\\1 _\\2:w\nend state\nbegin edge\nx:label y:w\nend edge\n\
        begin init\n0 1 2 \"end\"\nend init\n\
        begin trans\n0/1 * 2/2 * #6162# 0\n1/0 * 0/1 * \"\\\"q\\\\\" \"#\"\nend trans\n\
        begin trans\nend trans\n% nothing\nbegin map even:bool\n* 0 * * 0\n* 1 * * 1\nend map\n\
        begin sort \\1\nzero one #00ff#\nend sort\nbegin sort byte\nend sort\nbegin sort unused\nend sort\n";

    #[test]
    fn reading_what_was_written_changes_nothing() {
        let first = read("first.etf", EVERYTHING);
        let Ok(description) = &first else { unreachable!("{first:?}") };
        assert_eq!(description.relations.len(), 1);
        assert_eq!(description.variables[2].name, "state");
        let text = write(description);
        assert_eq!(read("second.etf", &text).as_ref(), Ok(description), "{text}");
    }

    /// A name that is read can be written: it has no control characters, not even behind a backslash.
    #[test]
    fn names_are_printed() {
        for bad in ["\u{1d}", "\n", "\u{85}"] {
            let text = EVERYTHING.replace("a\\[0\\]", &format!("a\\{bad}"));
            let message = read("bad.etf", &text).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(message.contains("bad.etf:2:") && message.contains("a backslash in a name"), "{bad:?}: {message}");
        }
    }

    #[test]
    fn names_are_escaped_as_ltsmin_wants_them() {
        for (name, expected) in [
            ("x", "x"),
            ("_", "_"),
            ("__", "\\_\\_"),
            ("_1a", "_\\1a"),
            ("P.x[3]", "P\\.x\\[3\\]"),
            ("end", "\\end"),
            ("ends", "ends"),
            ("3", "\\3"),
            ("a'", "a'"),
            ("a b\n", "a\\ b_"),
        ] {
            assert_eq!(escape(name), expected);
        }
    }

    #[test]
    fn values_are_quoted_or_hexadecimal() {
        for (value, expected) in [("a\"b\\", "\"a\\\"b\\\\\""), ("\u{e9}", "#C3A9#"), ("", "\"\""), ("\n", "#0A#")] {
            assert_eq!(quote(value.as_bytes()), expected);
        }
    }
}

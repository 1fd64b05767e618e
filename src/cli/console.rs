//! Where commands write: results to standard output, everything else to standard error.

use clap::ValueEnum;
use serde::Serialize;
use std::collections::BTreeMap;
use std::env;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};
use std::time::Instant;

/// How much to say on standard error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Loudness {
    /// Errors only.
    Quiet,
    /// Summaries, and progress on a terminal.
    Normal,
    /// Also actions and their reasons.
    Verbose,
}

/// When to colour verdicts on standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Also in files and pipes
    Always,
    /// Never
    Never,
}

impl Colour {
    /// Is it wanted, now?
    fn is_wanted(self) -> bool {
        let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => io::stdout().is_terminal() && !set("NO_COLOR") && !dumb,
        }
    }
}

/// Verdicts, with the codes of their colours: what is as it should be, what is not, and what is not known.
const VERDICTS: [(&str, &str); 11] = [
    ("true", "\x1b[32m"),
    ("false", "\x1b[31m"),
    ("unknown", "\x1b[33m"),
    ("sound", "\x1b[32m"),
    ("not sound", "\x1b[31m"),
    ("disagree", "\x1b[31m"),
    ("inconsistent", "\x1b[31m"),
    ("timelock", "\x1b[31m"),
    ("missed window", "\x1b[31m"),
    ("wrong", "\x1b[31m"),
    ("failed", "\x1b[31m"),
];
const PLAIN: &str = "\x1b[0m";

/// The text with the verdict coloured that begins at this byte, if there is one.
fn coloured(text: &str, at: usize) -> Option<String> {
    let (before, rest) = text.split_at_checked(at)?;
    let is_whole = |word: &str| !rest[word.len()..].starts_with(|c: char| c.is_alphanumeric());
    let (word, colour) = VERDICTS.iter().find(|(word, _)| rest.starts_with(word) && is_whole(word))?;
    Some(format!("{}{colour}{word}{PLAIN}{}", one_line(before), one_line(&rest[word.len()..])))
}

/// Does a terminal take this for a command, or show it elsewhere than it stands? Line breaks and tabs are not among it.
fn is_command(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control() && c != '\n' && c != '\t'
}

/// The text as it is shown: commands to terminals are written out, as names come from files of others.
fn shown(text: impl Display) -> String {
    let text = text.to_string();
    if !text.contains(is_command) {
        return text;
    }
    text.chars().fold(String::new(), |mut line, c| {
        if is_command(c) {
            line.extend(c.escape_default())
        } else {
            line.push(c)
        }
        line
    })
}

/// The same as one line: no name of a model may end it.
fn one_line(text: &str) -> String {
    shown(text).replace('\n', "\\n")
}

/// The two output streams.
pub(crate) struct Console {
    out: BufWriter<Stdout>,
    loudness: Loudness,
    colour: bool,
    started: Instant,
    turns: Turns,
    silent: bool,
}

/// Results that wait for those before them.
#[derive(Default)]
struct Turns {
    /// The turn of what is written now, and its text.
    now: Option<(usize, Vec<u8>)>,
    waiting: BTreeMap<usize, Vec<u8>>,
    /// The turn that nothing has been written of yet.
    next: usize,
}

impl Console {
    /// Results go to `out`.
    pub(crate) fn new(out: Stdout, loudness: Loudness) -> Self {
        let out = BufWriter::with_capacity(1 << 16, out);
        Console { out, loudness, colour: false, started: Instant::now(), turns: Turns::default(), silent: false }
    }

    /// The same, with verdicts in colour where that is wanted.
    pub(crate) fn coloured(self, colour: Colour) -> Self {
        Console { colour: colour.is_wanted(), ..self }
    }

    /// From now on lines of results are dropped: another process has the same.
    pub(crate) fn silence(&mut self) {
        self.silent = true;
    }

    /// When the program started.
    pub(crate) fn started(&self) -> Instant {
        self.started
    }

    /// Write a line of results, or several.
    pub(crate) fn line(&mut self, text: impl Display) -> io::Result<()> {
        self.write(&shown(text))
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        match &mut self.turns.now {
            _ if self.silent => Ok(()),
            Some((_, held)) => writeln!(held, "{text}"),
            None => writeln!(self.out, "{text}"),
        }
    }

    /// Begin the output of this turn, from 0.
    pub(crate) fn begin_turn(&mut self, turn: usize) {
        self.turns.now = Some((turn, Vec::new()));
    }

    /// The turn is over: it is written once all before it are.
    pub(crate) fn end_turn(&mut self) -> io::Result<()> {
        self.turns.waiting.extend(self.turns.now.take());
        while let Some(text) = self.turns.waiting.remove(&self.turns.next) {
            self.out.write_all(&text)?;
            self.turns.next += 1;
        }
        Ok(())
    }

    /// Write a line of results in which a verdict begins at byte `at`: `true`, `sound`, `unknown`…
    pub(crate) fn judged(&mut self, at: usize, text: &str) -> io::Result<()> {
        match coloured(text, at).filter(|_| self.colour) {
            Some(text) => self.write(&text),
            None => self.write(&one_line(text)),
        }
    }

    /// Write results as one line of JSON.
    pub(crate) fn json(&mut self, object: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(object)?;
        self.line(text)
    }

    /// The stream of results, for what is not made of lines.
    pub(crate) fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Pass on what was written so far.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// A summary for the user.
    pub(crate) fn note(&self, text: impl Display) {
        if self.loudness >= Loudness::Normal {
            write_error(text);
        }
    }

    /// Are details wanted?
    pub(crate) fn is_verbose(&self) -> bool {
        self.loudness >= Loudness::Verbose
    }

    /// A detail, for `--verbose`.
    pub(crate) fn detail(&self, text: impl Display) {
        if self.is_verbose() {
            write_error(text);
        }
    }

    /// A remark on what was given and how it is taken: left out with `--quiet`.
    pub(crate) fn warning(&self, text: impl Display) {
        if self.loudness >= Loudness::Normal {
            self.error(text);
        }
    }

    /// What is wrong, or stays unknown.
    pub(crate) fn error(&self, text: impl Display) {
        write_error(format_args!("starset: {text}"));
    }

    /// May progress be shown to a person?
    pub(crate) fn is_interactive(&self) -> bool {
        self.loudness >= Loudness::Normal && io::stderr().is_terminal()
    }
}

/// Write a line to standard error. There is nowhere to complain when that fails.
pub(crate) fn write_error(text: impl Display) {
    let _nowhere = writeln!(io::stderr().lock(), "{}", shown(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_coloured_where_they_stand() {
        let green = |before: &str, word: &str, rest: &str| Some(format!("{before}\x1b[32m{word}\x1b[0m{rest}"));
        assert_eq!(coloured("1: true", 3), green("1: ", "true", ""));
        assert_eq!(coloured("true: true, holds in 2 of 3", 6), green("true: ", "true", ", holds in 2 of 3"));
        assert_eq!(coloured("1: false", 3).as_deref(), Some("1: \x1b[31mfalse\x1b[0m"));
        assert_eq!(coloured("  weak not sound", 7).as_deref(), Some("  weak \x1b[31mnot sound\x1b[0m"));
        for (text, at) in [("1: 7", 3), ("1: trueish", 3), ("1: true", 2), ("1:", 3), ("ü", 1)] {
            assert_eq!(coloured(text, at), None, "{text}");
        }
    }

    #[test]
    fn names_command_no_terminal_and_end_no_line() {
        assert_eq!(one_line("a\nb: true: false"), "a\\nb: true: false");
        assert_eq!(coloured("a\n: true", 4).as_deref(), Some("a\\n: \x1b[32mtrue\x1b[0m"));
        assert_eq!(shown("e\x1b[31m\u{202e}ü\tv\nw"), "e\\u{1b}[31m\\u{202e}ü\tv\nw");
    }
}

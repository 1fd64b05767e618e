//! Where commands write: results to standard output, everything else to standard error.

use serde::Serialize;
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
    /// What is done and why.
    Verbose,
}

/// The two output streams.
pub(crate) struct Console {
    out: BufWriter<Stdout>,
    loudness: Loudness,
    started: Instant,
}

impl Console {
    /// Results go to `out`.
    pub(crate) fn new(out: Stdout, loudness: Loudness) -> Self {
        Console { out: BufWriter::with_capacity(1 << 16, out), loudness, started: Instant::now() }
    }

    /// When the program started.
    pub(crate) fn started(&self) -> Instant {
        self.started
    }

    /// Write a line of results.
    pub(crate) fn line(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Write results as one line of JSON.
    pub(crate) fn json(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, object)?;
        writeln!(self.out)
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

    /// A detail, for `--verbose`.
    pub(crate) fn detail(&self, text: impl Display) {
        if self.loudness >= Loudness::Verbose {
            write_error(text);
        }
    }

    /// An error or a warning.
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
    let _nowhere = writeln!(io::stderr().lock(), "{text}");
}

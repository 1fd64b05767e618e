//! Options that several commands share, and the values they take.

use super::console::Console;
use super::interrupt::{end_with_input, on_interrupt};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use starset::StopReason;
use starset::budget::{Budget, Exhausted};
use starset::memory::allowed;
use starset::report::number::bytes;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Share of the machine's memory that is used when the user sets no limit.
const DEFAULT_SHARE: (u64, u64) = (4, 5);

/// The least limit that can be set: the smallest tables take as much.
const LEAST_MEMORY: u64 = 1 << 20;

/// Limits of a computation.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// Limit of time; what is known then is reported
    ///
    /// Stop after this many seconds and report what is known
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) time: Option<Duration>,
    /// Limit of memory, as in 8G [default: 80 % of the allowed]
    ///
    /// Stop at this much memory (as in 512M or 8G) and report what is known [default: 80 % of what the
    /// machine or control group allows]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub(crate) memory: Option<u64>,
    /// Threads [default: one for each core]
    ///
    /// Threads to work on [default: as many as there are cores]. With one thread, answers come in the order of the
    /// questions; with several, none that is known waits for longer than a quarter of a second
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// End when the standard input is closed: with the process that holds its other end
    #[arg(long, hide = true)]
    pub(crate) until_closed: bool,
}

impl Limits {
    /// The threads to work on.
    pub(crate) fn threads(&self) -> usize {
        self.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// The budget of these limits, from the start of the program. Ctrl-C cancels it.
    pub(crate) fn budget(&self, console: &Console) -> Budget {
        if self.until_closed {
            end_with_input();
        }
        let mut budget = Budget::unlimited().with_flag(on_interrupt());
        if let Some(time) = self.time {
            budget = budget.with_time(time.saturating_sub(console.started().elapsed()));
        }
        let limit = self.memory.map(|limit| (limit, "--memory".to_owned())).or_else(|| {
            let (allowed, source) = allowed()?;
            let (part, whole) = DEFAULT_SHARE;
            let limit = (u128::from(allowed) * u128::from(part) / u128::from(whole)) as u64;
            Some((limit, format!("80 % of {source}, {}", bytes(allowed))))
        });
        match limit {
            Some((limit, source)) => {
                console.detail(format_args!("memory limit {} ({source})", bytes(limit)));
                budget.with_memory(limit)
            }
            None => {
                console.detail("no memory limit: the system does not tell how much there is");
                budget
            }
        }
    }
}

/// Why something stayed unknown, and what to do.
pub(crate) fn stopped(stop: &StopReason, limits: &Limits) -> String {
    match stop {
        StopReason::Exhausted(Exhausted::Time) => match limits.time {
            Some(limit) => format!("unknown: out of time after {} s; try a longer --time", limit.as_secs_f64()),
            None => "unknown: out of time".to_owned(),
        },
        StopReason::Exhausted(Exhausted::Memory) => {
            "unknown: out of memory; try a larger --memory or another --order".to_owned()
        }
        StopReason::NotFound { .. } => format!("unknown: {stop}; try a larger --memory"),
        StopReason::Exhausted(Exhausted::Cancelled) => "unknown: interrupted".to_owned(),
        other => format!("unknown: {other}"),
    }
}

/// When to show progress on standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ProgressMode {
    /// A line that changes, if standard error is a terminal
    Auto,
    /// Never
    Never,
    /// A JSON object per line, twice a second
    Json,
}

/// The form of the results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object per line; see docs/json.md
    Json,
    /// Lines of the Model Checking Contest; docs/batch.md
    Mcc,
}

/// The form of the results, as options.
#[derive(Args, Debug)]
pub(crate) struct FormatArgs {
    /// Form of results
    ///
    /// Form of the results [default: text]
    #[arg(long, value_enum, default_value = "text", hide_default_value = true, help_heading = "Results")]
    format: Format,
    /// Same as --format json
    #[arg(long, conflicts_with = "format", help_heading = "Results")]
    json: bool,
}

impl FormatArgs {
    /// The form that was asked for.
    pub(crate) fn get(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// Values to choose from: each with its name on the command line and what it means.
pub(crate) type Choices<T> = &'static [(&'static str, T, &'static str)];

/// The parser of a choice.
pub(crate) fn choice<T: Copy + Send + Sync + 'static>(all: Choices<T>) -> impl TypedValueParser<Value = T> {
    let names = all.iter().map(|&(name, _, help)| PossibleValue::new(name).help(help));
    let value = move |name: String| {
        let known = all.iter().find(|known| known.0 == name);
        known.map(|known| known.1).ok_or_else(|| format!("`{name}` is no choice"))
    };
    PossibleValuesParser::new(names).try_map(value)
}

/// Units of time, in seconds.
const UNITS: [(&str, f64); 5] = [("ms", 0.001), ("min", 60.0), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];

/// A positive time: a number of seconds, or of a unit that stands behind it; fractions allowed.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let unit = UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, unit) = unit.unwrap_or((text, &1.0));
    let number: f64 = number.trim().parse().map_err(|_| "write a time, as in 60, 0.5, 10s, 2m or 1h".to_owned())?;
    if number <= 0.0 {
        return Err("write a time above 0".to_owned());
    }
    Duration::try_from_secs_f64(number * unit).map_err(|e| e.to_string())
}

/// A limit on memory.
pub(crate) fn parse_memory(text: &str) -> Result<u64, String> {
    let size = parse_bytes(text)?;
    if size < LEAST_MEMORY {
        return Err("too little for anything; write 1M or more".to_owned());
    }
    Ok(size)
}

/// A folder for states, and how many bytes they may take there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DiskArg {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// The bytes, where there is a limit.
    pub(crate) quota: Option<u64>,
}

/// `DIR` or `DIR:SIZE`.
pub(crate) fn parse_disk(text: &str) -> Result<DiskArg, String> {
    let (folder, size) = match text.rsplit_once(':') {
        // A colon may be a part of the name: `C:\\states`.
        Some((folder, size)) if !size.contains(['/', '\\']) => (folder, Some(size)),
        _ => (text, None),
    };
    let quota = size.map(|size| parse_bytes(size).map_err(|e| format!("{e}, as in states:20G"))).transpose()?;
    if folder.is_empty() {
        return Err("write a folder, as in states:20G".to_owned());
    }
    Ok(DiskArg { folder: folder.into(), quota })
}

/// A number of bytes with an optional unit K, M, G or T (powers of 1024).
fn parse_bytes(text: &str) -> Result<u64, String> {
    let remedy = || "write a size as in 512M or 8G".to_owned();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.');
    let unit = text[digits.len()..].to_ascii_uppercase();
    let shift = match unit.trim_end_matches('B').trim_end_matches('I').trim() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(remedy()),
    };
    let number: f64 = digits.parse().map_err(|_| remedy())?;
    let size = number * (1u64 << shift) as f64;
    if !(size >= 1.0 && size < u64::MAX as f64) {
        return Err(remedy());
    }
    Ok(size as u64)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn sizes() {
        let read = [("4096", 4096), ("512M", 512 << 20), ("8g", 8 << 30), ("1.5GiB", 3 << 29), ("2 TB", 2 << 40)];
        for (text, size) in read {
            assert_eq!(parse_bytes(text), Ok(size), "{text}");
        }
        for text in ["", "M", "8X", "-1G", "0", "1e30G", "nan", "8GG"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn memory_limits() {
        assert_eq!(parse_memory("1M"), Ok(1 << 20));
        for text in ["1k", "64", "1023K"] {
            assert!(parse_memory(text).unwrap_err().contains("write 1M or more"), "{text}");
        }
    }

    #[test]
    fn folders_with_quotas() {
        let disk = |folder: &str, quota| Ok(DiskArg { folder: folder.into(), quota });
        assert_eq!(parse_disk("states"), disk("states", None));
        assert_eq!(parse_disk("/tmp/states:20G"), disk("/tmp/states", Some(20 << 30)));
        assert_eq!(parse_disk("a:b:512K"), disk("a:b", Some(512 << 10)));
        assert_eq!(parse_disk("C:\\states"), disk("C:\\states", None));
        for text in ["states:foo", "states:20X", "states:0", ":20G", ""] {
            assert!(parse_disk(text).unwrap_err().contains("states:20G"), "{text}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(parse_seconds("0.5"), Ok(Duration::from_millis(500)));
        for (text, seconds) in [("10s", 10), ("2m", 120), ("2 min", 120), ("1h", 3600), ("1000ms", 1), ("1e1", 10)] {
            assert_eq!(parse_seconds(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "0", "-1", "soon", "nan", "1e40", "s", "m", "1x", "0h"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}

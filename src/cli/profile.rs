//! `--verbose`: where the time went, step by step.

use super::console::Console;
use super::options::Format;
use serde_json::{Map, Value, json};
use starset::decide::{Profile, Share};
use starset::report::fields::Fields;
use std::io;

/// Show the time of each step, if details are wanted: a table on standard error, or an object on standard output.
pub(super) fn show(profile: &Profile, format: Format, console: &mut Console) -> io::Result<()> {
    if !console.is_verbose() {
        return Ok(());
    }
    if format == Format::Json {
        return console.json(&fields(profile));
    }
    console.detail(format_args!("{:<16}{:>9}{:>8}{:>9}", "step", "seconds", "turns", "answers"));
    for Share { step, time, turns, answers } in profile.shares() {
        console.detail(format_args!("{:<16}{:>9.3}{turns:>8}{answers:>9}", step.name(), time.as_secs_f64()));
    }
    Ok(())
}

fn fields(profile: &Profile) -> Fields {
    let of = |share: Share| {
        let fields = json!({"seconds": share.time.as_secs_f64(), "turns": share.turns, "answers": share.answers});
        (share.step.name().to_owned(), fields)
    };
    let steps: Map<String, Value> = profile.shares().map(of).collect();
    Fields::new("starset/profile/1").with("steps", Value::Object(steps)).with("peak_nodes", profile.peak_nodes())
}

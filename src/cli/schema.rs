//! `starset schema`: the JSON Schemas of what `--json` prints, as docs/json.md describes it.

use super::examples;
use super::{Console, Failure, Status};
use clap::builder::PossibleValuesParser;

/// The schemas by name: of a command, or of what else is written as JSON.
const SCHEMAS: [(&str, &str); 22] = [
    ("states", include_str!("../../docs/schemas/states-1.json")),
    ("each", include_str!("../../docs/schemas/each-1.json")),
    ("check", include_str!("../../docs/schemas/check-1.json")),
    ("attractors", include_str!("../../docs/schemas/attractors-1.json")),
    ("simulate", include_str!("../../docs/schemas/simulate-1.json")),
    ("time", include_str!("../../docs/schemas/time-1.json")),
    ("soundness", include_str!("../../docs/schemas/soundness-1.json")),
    ("process", include_str!("../../docs/schemas/process-1.json")),
    ("timed-process", include_str!("../../docs/schemas/timed-process-1.json")),
    ("replay", include_str!("../../docs/schemas/replay-1.json")),
    ("rules", include_str!("../../docs/schemas/rules-1.json")),
    ("combine", include_str!("../../docs/schemas/combine-1.json")),
    ("cross", include_str!("../../docs/schemas/cross-1.json")),
    ("cross-random", include_str!("../../docs/schemas/cross-random-1.json")),
    ("automaton", include_str!("../../docs/schemas/automaton-1.json")),
    ("info", include_str!("../../docs/schemas/info-1.json")),
    ("batch", include_str!("../../docs/schemas/batch-1.json")),
    ("profile", include_str!("../../docs/schemas/profile-1.json")),
    ("progress", include_str!("../../docs/schemas/progress-1.json")),
    ("report", include_str!("../../docs/schemas/report-1.json")),
    ("run", include_str!("../../docs/schemas/run-1.json")),
    ("error", include_str!("../../docs/schemas/error-1.json")),
];

/// Arguments of `starset schema`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::SCHEMA)]
pub(super) struct SchemaArgs {
    /// Subject of the schema: the output of a command, the results of a batch, a profile, progress, the data of a page, a run, an
    /// error [default: list them]
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(SCHEMAS.map(|(name, _)| name)))]
    name: Option<String>,
}

pub(super) fn run(args: &SchemaArgs, console: &mut Console) -> Result<Status, Failure> {
    for (name, schema) in SCHEMAS {
        match &args.name {
            None => console.line(name)?,
            Some(asked) if asked == name => console.line(schema.trim_end())?,
            Some(_) => {}
        }
    }
    Ok(Status::Answered)
}

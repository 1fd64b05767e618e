//! `starset generate`: nets of scalable families.

use super::examples;
use super::model::header;
use super::output_file::OutputFile;
use super::{Console, Failure, Status};
use starset::kinds::net::families::{FAMILIES, Family, family};
use starset::kinds::net::pnml;
use std::path::{Path, PathBuf};

/// Arguments of `starset generate`.
#[derive(clap::Args, Debug)]
#[command(after_help = families(), arg_required_else_help = true)]
pub(super) struct GenerateArgs {
    /// Name of the family
    #[arg(value_name = "FAMILY", value_parser = family_names())]
    family: String,
    /// Size of the net
    #[arg(value_name = "N")]
    size: u32,
    /// Write to this file instead of standard output (-)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &GenerateArgs, console: &mut Console) -> Result<Status, Failure> {
    let unknown = || Failure::Input(format!("there is no family `{}`", args.family));
    let family = family(&args.family).ok_or_else(unknown)?;
    let net = family.generate(args.size).map_err(|e| Failure::Input(e.to_string()))?;
    match args.output.as_ref().filter(|path| **path != Path::new("-")) {
        None => pnml::write(&net, console.out())?,
        Some(path) => {
            OutputFile::create(path)?.write(|out| pnml::write(&net, out))?;
            console.note(format_args!("{}: {}", path.display(), header(&net)));
        }
    }
    Ok(Status::Answered)
}

fn family_names() -> clap::builder::PossibleValuesParser {
    let value = |f: &Family| clap::builder::PossibleValue::new(f.name).help(f.description);
    clap::builder::PossibleValuesParser::new(FAMILIES.iter().map(value))
}

/// The families and what their size means.
fn families() -> String {
    let width = FAMILIES.iter().map(|f| f.name.len()).max().unwrap_or(0);
    let line = |f: &Family| format!("  {:<width$}  N {}; states: {}", f.name, f.parameter, f.formula);
    let sizes = FAMILIES.iter().map(line).collect::<Vec<_>>().join("\n");
    format!("Sizes:\n{sizes}\n\n{}", examples::GENERATE)
}

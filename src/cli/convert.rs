//! `starset convert`: models from one form of file into another.

use super::examples;
use super::model::ReadingArgs;
use super::options::Limits;
use super::output_file::OutputFile;
use super::{Console, Failure, Status};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use starset::kinds::{self, FORMS, Writing, in_words};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Arguments of `starset convert`.
#[derive(Args, Debug)]
#[command(override_usage = "starset convert [OPTIONS] <MODEL>... <OUT>")]
#[command(after_help = examples::CONVERT)]
pub(super) struct ConvertArgs {
    /// The model, in one or several files as for other commands; then the file to write, - for standard output, whose
    /// name says the form: .pnml, .net, .lola, .dot, .aut, .counters, .pnwc or .etf
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// The form to write, whatever the name of the file
    #[arg(long, value_name = "FORM", value_parser = forms())]
    to: Option<String>,
    /// Most states of a reachability graph
    #[arg(long, value_name = "N", default_value = "1000000")]
    most: usize,
    #[command(flatten)]
    limits: Limits,
}

fn forms() -> PossibleValuesParser {
    PossibleValuesParser::new(FORMS.map(|(name, about)| PossibleValue::new(name).help(about)))
}

/// The form that the name of a file says.
fn form_of(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    if extension == "gv" {
        return Some("dot");
    }
    FORMS.iter().map(|(name, _)| *name).find(|name| *name == extension)
}

pub(super) fn run(args: &ConvertArgs, console: &mut Console) -> Result<Status, Failure> {
    let Some((output, models)) = args.files.split_last().filter(|(_, models)| !models.is_empty()) else {
        return Err(Failure::Input("give the model, then the file to write".to_owned()));
    };
    let name = output.display();
    let Some(form) = args.to.as_deref().or_else(|| form_of(output)) else {
        let forms = FORMS.map(|(name, _)| name).join(", ");
        return Err(Failure::Input(format!("{name}: which form is that? Say it with --to and one of {forms}")));
    };
    let budget = args.limits.budget(console);
    let loaded = args.reading.read(models, &budget, console)?;
    let writing = Writing { labels: args.reading.labels, most: args.most };
    let mut written = Vec::new();
    let sizes = match kinds::write(&*loaded.model, form, &writing, &budget, &mut written) {
        Ok(sizes) => sizes,
        Err(e) => {
            let Some(exhausted) = e.exhausted() else { return Err(Failure::Input(e.to_string())) };
            console.error(format_args!("unknown: {exhausted}"));
            return Ok(Status::Unknown);
        }
    };
    if !loaded.questions.assumptions.is_empty() {
        console.error("assumptions of fairness in the model are not written");
    }
    if output == Path::new("-") {
        console.out().write_all(&written)?;
    } else {
        OutputFile::create(output)?.write(|out| out.write_all(&written))?;
        console.note(format_args!("{name}: {}", in_words(&sizes)));
    }
    Ok(Status::Answered)
}

//! `starset convert`: models from one form of file into another.

use super::examples;
use super::formulas::{FormulaArgs, Part};
use super::model::ReadingArgs;
use super::options::Limits;
use super::output_file::OutputFile;
use super::{Console, Failure, Status};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use starset::budget::Budget;
use starset::decide::Settings;
use starset::formula::Pool;
use starset::kinds::to_smv::{self, Written};
use starset::kinds::{self, FORMS, Size, WriteError, Writing, in_words};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Arguments of `starset convert`.
#[derive(Args, Debug)]
#[command(override_usage = "starset convert [OPTIONS] <MODEL>... <OUT>")]
#[command(after_help = examples::CONVERT)]
pub(super) struct ConvertArgs {
    /// The model, in one or several files as for other commands; then the file to write, - for standard output, whose
    /// name says the form: .pnml, .net, .lola, .dot, .aut, .counters, .pnwc, .bnet, .etf or .smv
    #[arg(value_name = "FILE", required = true)]
    given: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// The form to write, whatever the name of the file
    #[arg(long, value_name = "FORM", value_parser = forms())]
    to: Option<String>,
    /// Most states of a reachability graph
    #[arg(long, value_name = "N", default_value = "1000000")]
    most: usize,
    /// Questions that are written into a program of SMV; without any, those of the model itself
    #[command(flatten)]
    formulas: FormulaArgs,
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
    let Some((output, models)) = args.given.split_last().filter(|(_, models)| !models.is_empty()) else {
        return Err(Failure::Input("give the model, then the file to write".to_owned()));
    };
    let name = output.display();
    let Some(form) = args.to.as_deref().or_else(|| form_of(output)) else {
        let forms = FORMS.map(|(name, _)| name).join(", ");
        return Err(Failure::Input(format!("{name}: which form is that? Say it with --to and one of {forms}")));
    };
    let budget = args.limits.budget(console);
    let made = match form {
        "smv" => program(args, models, &budget, console)?,
        _ if !args.formulas.is_empty() => {
            let why = "questions are written into programs of SMV alone: write an .smv file, or leave them out";
            return Err(Failure::Input(why.to_owned()));
        }
        _ => other(args, models, form, &budget, console)?,
    };
    let Some((written, sizes)) = made else { return Ok(Status::Unknown) };
    if output == Path::new("-") {
        console.out().write_all(&written)?;
    } else {
        OutputFile::create(output)?.write(|out| out.write_all(&written))?;
        console.note(format_args!("{name}: {}", in_words(&sizes)));
    }
    Ok(Status::Answered)
}

/// What is written, and its sizes; none if the limits were not enough, which is said.
type Made = Option<(Vec<u8>, Vec<Size>)>;

fn or_unknown<T>(made: Result<T, WriteError>, console: &mut Console) -> Result<Option<T>, Failure> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(e) => {
            let Some(exhausted) = e.exhausted() else { return Err(Failure::Input(e.to_string())) };
            console.error(format_args!("unknown: {exhausted}"));
            Ok(None)
        }
    }
}

/// The model in a form without questions.
fn other(
    args: &ConvertArgs,
    models: &[PathBuf],
    form: &str,
    budget: &Budget,
    console: &mut Console,
) -> Result<Made, Failure> {
    let loaded = args.reading.read(models, budget, console)?;
    let writing = Writing { labels: args.reading.labels, most: args.most };
    let mut written = Vec::new();
    let sizes = or_unknown(kinds::write(&*loaded.model, form, &writing, budget, &mut written), console)?;
    if !loaded.questions.assumptions.is_empty() {
        console.error("assumptions of fairness in the model are not written");
    }
    Ok(sizes.map(|sizes| (written, sizes)))
}

/// The model as a program of SMV, with the questions that are given, or with its own.
fn program(args: &ConvertArgs, models: &[PathBuf], budget: &Budget, console: &mut Console) -> Result<Made, Failure> {
    let loaded = args.reading.read_asked(models, args.formulas.in_words_of_models(), budget, console)?;
    // The questions of a program are a part of it.
    let is_program = loaded.model.as_program().is_some();
    if is_program && !args.formulas.is_in_words_of_models() {
        let why = "the model is a program of SMV: write questions in its language, as in -f 'CTLSPEC AG x = 1'";
        return Err(Failure::Input(why.to_owned()));
    }
    let own = args.formulas.is_empty() && !is_program;
    let mut parts = match is_program {
        true => vec![Part { loaded, pool: Pool::new(), questions: Vec::new(), numbers: Vec::new() }],
        false => args.formulas.parts(loaded, (own, &Settings::default()), false, budget, console)?,
    };
    let Some(Part { loaded, pool, questions, .. }) = parts.first_mut() else { return Ok(None) };
    let (mut given, mut others) = (Vec::new(), Vec::new());
    for question in questions.iter() {
        match question.formula() {
            Some((formula, paths)) => given.push(Written { id: &question.id, formula, paths }),
            None => others.push(question),
        }
    }
    let made = to_smv::made(&*loaded.model, pool, &given, args.most, budget).map_err(WriteError::from);
    let failed = loaded.model.failed();
    let Some(made) = or_unknown(made, console)? else { return Ok(None) };
    if let Some(how) = failed {
        return Err(Failure::Input(WriteError::Model(how).to_string()));
    }
    for (id, why) in &made.left_out {
        console.error(format_args!("{id} is not written: {why}"));
    }
    for question in others {
        console.error(format_args!("{} is not written: it is no formula", question.id));
    }
    Ok(Some((made.text.into_bytes(), made.sizes)))
}

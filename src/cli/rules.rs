//! `starset rules`: rules about the complete runs of models.

use super::examples;
use super::model::ModelArg;
use super::options::{Format, FormatArgs, Limits};
use super::replay::labelled;
use super::{Console, Failure, Status};
use clap::Args;
use starset::budget::Budget;
use starset::kinds::bpmn::read_bpmn;
use starset::report::traces::{Answer, lines, rules};
use starset::traces::{Behaviour, Checked, Labelled, Rule, read_rules};
use std::path::{Path, PathBuf};

/// Bytes before what a line says.
const TITLE: usize = 25;

/// Arguments of `starset rules`.
#[derive(Args, Debug)]
#[command(after_help = examples::RULES)]
pub(super) struct RulesArgs {
    /// The rules: a formula about activities on each line, or a template of Declare
    #[arg(value_name = "RULES")]
    rules: PathBuf,
    #[command(flatten)]
    model: ModelArg,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    limits: Limits,
    /// End with status 1 if a complete run breaks a rule
    #[arg(long)]
    fail_if_false: bool,
}

/// What was found so far.
#[derive(Default)]
struct Found {
    is_broken: bool,
    is_unknown: bool,
}

pub(super) fn run(args: &RulesArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    let (rules, remarks) = read_rules(&args.rules).map_err(|error| Failure::Input(error.to_string()))?;
    remarks.iter().for_each(|remark| console.error(remark));
    let (mut found, mut not_read) = (Found::default(), false);
    if args.model.is_processes() {
        let many = args.model.paths().len() > 1;
        for path in args.model.paths() {
            let process = match read_bpmn(path, args.model.environment()) {
                Ok(process) => process,
                Err(error) if many => {
                    console.error(error);
                    not_read = true;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            for warning in &process.diagram.warnings {
                let warning = format_args!("{}:{warning}", path.display());
                if many { console.detail(warning) } else { console.error(warning) }
            }
            told(
                args,
                (path, &process.net.name),
                &Labelled::process(&process, args.model.labels()),
                &rules,
                (&budget, console),
                &mut found,
            )?;
        }
    } else {
        let loaded = args.model.read(&budget, console)?;
        let (name, model) = labelled(&loaded, args.model.labels())?;
        let path = args.model.paths().first().map_or(Path::new(""), PathBuf::as_path);
        told(args, (path, name), &model, &rules, (&budget, console), &mut found)?;
    }
    console.flush()?;
    if not_read {
        return Err(Failure::Input("some files are no process that is read: see above".to_owned()));
    }
    Ok(match (found.is_broken && args.fail_if_false, found.is_unknown) {
        (true, _) => Status::Refuted,
        (_, true) => Status::Unknown,
        _ => Status::Answered,
    })
}

/// Asks a model for all rules and tells what is found.
fn told(
    args: &RulesArgs,
    (path, name): (&Path, &str),
    model: &Labelled<'_>,
    asked: &[Rule],
    (budget, console): (&Budget, &mut Console),
    found: &mut Found,
) -> Result<(), Failure> {
    let file = path.display().to_string();
    for rule in asked {
        if let Some(word) = rule.activities().find(|word| model.is_ambiguous(word)) {
            return Err(Failure::Input(format!(
                "{file}: rule {}: `{word}` is the name of one activity and the identifier of another; \
                 say with --labels which it is",
                rule.id
            )));
        }
        for activity in rule.activities().filter(|name| !model.has_activity(name)) {
            console.error(format_args!("{file}: rule {}: there is no activity `{activity}`", rule.id));
        }
    }
    let behaviour = match Behaviour::explore(model, budget) {
        Ok(behaviour) => behaviour,
        Err(exhausted) => return Err(Failure::Unknown(format!("{exhausted} while {file} was explored"))),
    };
    let answer = |rule| {
        let unlisted = (!behaviour.is_complete()).then(|| "there are too many markings to list".to_owned());
        match behaviour.check(rule, budget) {
            Ok(checked) => {
                let reason = unlisted.filter(|_| checked.all.is_none());
                Answer { rule, checked, reason }
            }
            Err(error) => Answer { rule, checked: Checked::default(), reason: Some(error.to_string()) },
        }
    };
    let answers: Vec<Answer<'_>> = asked.iter().map(answer).collect();
    found.is_broken |= answers.iter().any(|answer| answer.checked.all == Some(false));
    found.is_unknown |= answers.iter().any(|answer| answer.checked.all.is_none());
    match args.format.get() {
        Format::Json => {
            let seconds = console.started().elapsed().as_secs_f64();
            console.json(&rules(&file, name, (model, &behaviour), &answers).with("seconds", seconds))?;
        }
        Format::Text | Format::Mcc => {
            lines(name, model, &behaviour, &answers).iter().try_for_each(|line| console.judged(TITLE, line))?;
        }
    }
    Ok(())
}

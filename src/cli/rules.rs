//! `starset rules`: rules about the complete runs of models.

use super::examples;
use super::processes::{Common, Outcome, read_process};
use super::replay::labelled;
use super::{Console, Failure, Status};
use clap::Args;
use starset::budget::Budget;
use starset::report::traces::{answered, lines, rules};
use starset::traces::{Behaviour, Labelled, Rule, read_rules};
use std::path::{Path, PathBuf};

/// Arguments of `starset rules`.
#[derive(Args, Debug)]
#[command(after_help = examples::RULES)]
pub(super) struct RulesArgs {
    /// The rules: a formula about activities on each line, or a template of Declare
    #[arg(value_name = "RULES")]
    rules: PathBuf,
    #[command(flatten)]
    common: Common,
    /// End with status 1 if a complete run breaks a rule
    #[arg(long)]
    fail_if_false: bool,
}

pub(super) fn run(args: &RulesArgs, console: &mut Console) -> Result<Status, Failure> {
    let model = &args.common.model;
    let budget = args.common.limits.budget(console);
    let (rules, remarks) = read_rules(&args.rules).map_err(|error| Failure::Input(error.to_string()))?;
    remarks.iter().for_each(|remark| console.error(remark));
    let (mut found, mut not_read) = (Outcome::default(), false);
    if model.is_processes() {
        let many = model.paths().len() > 1;
        for path in model.paths() {
            let process = match read_process(path, model.environment(), many, console) {
                Ok(process) => process,
                Err(Failure::Input(error)) if many => {
                    console.error(error);
                    not_read = true;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let labelled = Labelled::process(&process, model.labels());
            told(args, (path, &process.net.name), &labelled, &rules, (&budget, console), &mut found)?;
        }
    } else {
        let loaded = model.read(&budget, console)?;
        let (name, labelled) = labelled(&loaded, model.labels())?;
        let path = model.paths().first().map_or(Path::new(""), PathBuf::as_path);
        told(args, (path, name), &labelled, &rules, (&budget, console), &mut found)?;
    }
    console.flush()?;
    if not_read {
        return Err(Failure::Input("some files are no process that is read: see above".to_owned()));
    }
    Ok(found.status(args.fail_if_false))
}

/// Asks a model for all rules and tells what is found.
fn told(
    args: &RulesArgs,
    (path, name): (&Path, &str),
    model: &Labelled<'_>,
    asked: &[Rule],
    (budget, console): (&Budget, &mut Console),
    found: &mut Outcome,
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
    let answers: Vec<_> = asked.iter().map(|rule| answered(&behaviour, rule, budget)).collect();
    answers.iter().for_each(|answer| found.add(answer.checked.all));
    let fields = || rules(&file, name, (model, &behaviour), &answers);
    args.common.tell(console, fields, || lines(name, model, &behaviour, &answers))
}

//! `starset replay`: an event log on a model, and by rules.

use super::examples;
use super::processes::{Common, Outcome, in_order, read_process};
use super::{Console, Failure, Status};
use clap::Args;
use starset::budget::Budget;
use starset::formula::Naming;
use starset::kinds::Loaded;
use starset::report::traces::{Replayed, SHOWN, fields, text};
use starset::traces::{Labelled, Log, LogReading, Rule, Variant, read_log, read_rules, replay};
use std::path::PathBuf;

/// Arguments of `starset replay`.
#[derive(Args, Debug)]
#[command(after_help = examples::REPLAY)]
pub(super) struct ReplayArgs {
    /// The event log: XES, or a table (CSV) with a line for each event; compressed or not
    #[arg(value_name = "LOG")]
    log: PathBuf,
    #[command(flatten)]
    common: Common,
    /// Rules that each trace is to keep: a formula about activities on each line, or a template of Declare
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Of a table, the column of the case [default: by its name]
    #[arg(long, value_name = "COLUMN")]
    case: Option<String>,
    /// Of a table, the column of the activity [default: by its name]
    #[arg(long, value_name = "COLUMN")]
    activity: Option<String>,
    /// The events that count: those of this transition of their life cycle, as `start`; `all` takes all
    #[arg(long, value_name = "TRANSITION", default_value = "complete")]
    lifecycle: String,
    /// Show this many variants, the most frequent ones
    #[arg(long, value_name = "N", default_value_t = SHOWN)]
    list: usize,
    /// End with status 1 if a trace is not complete in the model, or breaks a rule
    #[arg(long)]
    fail_if_false: bool,
}

pub(super) fn run(args: &ReplayArgs, console: &mut Console) -> Result<Status, Failure> {
    let (common, model) = (&args.common, &args.common.model);
    let budget = common.limits.budget(console);
    in_order(&args.log, model.paths(), "starset replay LOG MODEL")?;
    let wrong = |error: &dyn std::fmt::Display| Failure::Input(error.to_string());
    let rules = match &args.rules {
        Some(path) => {
            let (rules, remarks) = read_rules(path).map_err(|error| wrong(&error))?;
            remarks.iter().for_each(|remark| console.warning(remark));
            if let Some((id, why)) = rules.iter().find_map(|rule| Some((&rule.id, rule.beyond_logs()?))) {
                return Err(Failure::Input(format!("{}: rule {id}: {why}", path.display())));
            }
            rules
        }
        None => Vec::new(),
    };
    let reading = LogReading {
        case: args.case.clone(),
        activity: args.activity.clone(),
        lifecycle: (args.lifecycle != "all").then(|| args.lifecycle.clone()),
    };
    if model.is_processes(&budget) {
        let [path] = model.paths() else { return Err(Failure::Input("give one model at a time".to_owned())) };
        let process = read_process(path, model.environment(), false, console)?;
        let log = read_log(&args.log, &reading).map_err(|error| wrong(&error))?;
        let labelled = Labelled::process(&process, model.labels());
        return told(args, &log, (&process.net.name, &labelled), &rules, &budget, console);
    }
    let loaded = model.read(&budget, console)?;
    let (name, model) = labelled(&loaded, model.labels())?;
    let log = read_log(&args.log, &reading).map_err(|error| wrong(&error))?;
    told(args, &log, (name, &model), &rules, &budget, console)
}

/// A model that is no process, as one of traces, with its name.
pub(super) fn labelled(loaded: &Loaded, labels: Naming) -> Result<(&str, Labelled<'_>), Failure> {
    let wrong = |what: String| Failure::Input(format!("{what}; give a net or a process"));
    let terms = loaded.model.terms();
    let net = loaded.model.as_net();
    let net = net.ok_or_else(|| wrong(format!("a {} has no labels of activities", terms.model)))?;
    let model = Labelled::net(net, labels);
    Ok((net.name(), model.ok_or_else(|| wrong("the net has more than 4294967295 tokens in a place".to_owned()))?))
}

/// Replays a log and tells what is found.
fn told(
    args: &ReplayArgs,
    log: &Log,
    (model_name, model): (&str, &Labelled<'_>),
    rules: &[Rule],
    budget: &Budget,
    console: &mut Console,
) -> Result<Status, Failure> {
    let file = args.log.display().to_string();
    if log.left_out > 0 {
        let (left_out, kept) = (log.left_out, &args.lifecycle);
        console.warning(format_args!(
            "{file}: {left_out} events are left out, of other transitions of their life cycle than `{kept}`; \
             --lifecycle names another, or `all`"
        ));
    }
    for rule in rules {
        let is_known = |name: &str| model.knows(name) || log.activities().any(|activity| activity == name);
        for name in rule.activities().filter(|name| !is_known(name)) {
            console.warning(format_args!("rule {}: neither the log nor the model has an activity `{name}`", rule.id));
        }
    }
    let found = replay(log, model, rules, budget);
    let replayed = Replayed { file: &file, log, model_name, model, rules, found: &found };
    args.common.tell(console, || fields(&replayed), || text(&replayed, args.list))?;
    console.flush()?;
    if let Some(exhausted) = found.stopped {
        console.error(format_args!("unknown: {exhausted}"));
    }
    let outcome: Outcome = found.variants.iter().map(Variant::fits).collect();
    Ok(outcome.status(args.fail_if_false))
}

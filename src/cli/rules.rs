//! `starset rules`: rules about the complete runs of models.

use super::examples;
use super::processes::{Common, Outcome, in_order, in_time, read_process};
use super::replay::labelled;
use super::{Console, Failure, Status};
use clap::Args;
use starset::budget::Budget;
use starset::kinds::bpmn::read_bpmn;
use starset::report::traces::{Ruled, lines, rules};
use starset::traces::{Behaviour, Labelled, NoAnswer, Rule, TimedBehaviour, read_rules};
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
    /// With the durations of timers (ISO 8601), or the clocks of a net; rules with `within` are asked so anyway
    #[arg(long)]
    timers: bool,
    /// End with status 1 if a complete run breaks a rule
    #[arg(long)]
    fail_if_false: bool,
}

/// What is asked of each model.
struct Asked<'a> {
    args: &'a RulesArgs,
    rules: &'a [Rule],
    budget: &'a Budget,
    /// With time?
    timed: bool,
}

pub(super) fn run(args: &RulesArgs, console: &mut Console) -> Result<Status, Failure> {
    let model = &args.common.model;
    let budget = args.common.limits.budget(console);
    in_order(&args.rules, model.paths(), "starset rules RULES MODEL...")?;
    let (rules, remarks) = read_rules(&args.rules).map_err(|error| Failure::Input(error.to_string()))?;
    remarks.iter().for_each(|remark| console.warning(remark));
    let timed = args.timers || rules.iter().any(|rule| rule.deadline.is_some());
    let asked = Asked { args, rules: &rules, budget: &budget, timed };
    let (mut found, mut not_read) = (Outcome::default(), false);
    if model.is_processes(&budget) {
        let many = model.paths().len() > 1;
        for path in model.paths() {
            match asked.process(path, many, console, &mut found) {
                Err(Failure::Input(error)) if many => {
                    console.error(error);
                    not_read = true;
                }
                done => done?,
            }
        }
    } else {
        asked.net(console, &mut found)?;
    }
    console.flush()?;
    if not_read {
        return Err(Failure::Input("some files are no process that is read: see above".to_owned()));
    }
    Ok(found.status(args.fail_if_false))
}

impl Asked<'_> {
    fn process(&self, path: &Path, many: bool, console: &mut Console, found: &mut Outcome) -> Result<(), Failure> {
        let model = &self.args.common.model;
        if !self.timed {
            let process = read_process(path, model.environment(), many, console)?;
            let labelled = Labelled::process(&process, model.labels());
            self.known(path, &labelled, console)?;
            return self.without_time(path, (&process.net.name, &labelled), console, found);
        }
        let process = read_bpmn(path, model.environment())?;
        let labelled = Labelled::process(&process, model.labels());
        self.known(path, &labelled, console)?;
        let timed = in_time(&process, self.budget, many, console)?;
        let behaviour = TimedBehaviour::process(&labelled, timed);
        self.in_time(path, (&process.net.name, &labelled), &behaviour, console, found)
    }

    fn net(&self, console: &mut Console, found: &mut Outcome) -> Result<(), Failure> {
        let model = &self.args.common.model;
        let path = model.paths().first().map_or(Path::new(""), PathBuf::as_path);
        if !self.timed {
            let loaded = model.read(self.budget, console)?;
            let (name, labelled) = labelled(&loaded, model.labels())?;
            self.known(path, &labelled, console)?;
            return self.without_time(path, (name, &labelled), console, found);
        }
        let net = model.read_clock_net(self.budget)?;
        let plain = net.to_net();
        let labelled = plain.as_ref().and_then(|net| Labelled::net(net, model.labels()));
        let labelled = labelled.ok_or_else(|| Failure::Input("the net has too many tokens in a place".to_owned()))?;
        self.known(path, &labelled, console)?;
        let name = net.name.clone();
        let behaviour = TimedBehaviour::net(&labelled, net);
        self.in_time(path, (&name, &labelled), &behaviour, console, found)
    }

    /// Does a model know what rules are about? What it does not know is told.
    fn known(&self, path: &Path, model: &Labelled<'_>, console: &Console) -> Result<(), Failure> {
        let file = path.display();
        for rule in self.rules {
            if let Some(word) = rule.activities().find(|word| model.is_ambiguous(word)) {
                return Err(Failure::Input(format!(
                    "{file}: rule {}: `{word}` is the name of one activity and the identifier of another; \
                     say with --labels which it is",
                    rule.id
                )));
            }
            if let Some(word) = rule.decisions().iter().find_map(|decision| model.ambiguous_in(decision)) {
                return Err(Failure::Input(format!(
                    "{file}: rule {}: `{word}` is the name of one flow or gateway and the identifier of another; \
                     say with --labels which it is",
                    rule.id
                )));
            }
            for decision in rule.decisions().iter().filter(|decision| !model.has_decision(decision)) {
                console.warning(format_args!("{file}: rule {}: no gateway goes on by {decision}", rule.id));
            }
            for activity in rule.activities().filter(|name| !model.has_activity(name)) {
                console.warning(format_args!("{file}: rule {}: there is no activity `{activity}`", rule.id));
            }
        }
        Ok(())
    }

    fn without_time(
        &self,
        path: &Path,
        (name, model): (&str, &Labelled<'_>),
        console: &mut Console,
        found: &mut Outcome,
    ) -> Result<(), Failure> {
        let behaviour = Behaviour::explore(model, self.budget)
            .map_err(|exhausted| Failure::Unknown(format!("{exhausted} while {} was explored", path.display())))?;
        self.told(path, &Ruled::without_time(name, model, &behaviour, self.rules, self.budget), console, found)
    }

    fn in_time(
        &self,
        path: &Path,
        (name, model): (&str, &Labelled<'_>),
        behaviour: &TimedBehaviour<'_>,
        console: &mut Console,
        found: &mut Outcome,
    ) -> Result<(), Failure> {
        let ruled = Ruled::in_time(name, model, behaviour, self.rules, self.budget);
        match ruled {
            Ok(ruled) => self.told(path, &ruled, console, found),
            Err(error @ NoAnswer::Broken(_)) => {
                console.error(error);
                found.broken();
                Ok(())
            }
            Err(error) => Err(Failure::Input(format!("{}: {error}", path.display()))),
        }
    }

    fn told(&self, path: &Path, ruled: &Ruled<'_>, console: &mut Console, found: &mut Outcome) -> Result<(), Failure> {
        ruled.answers.iter().for_each(|answer| found.add(answer.all));
        self.args.common.tell(console, || rules(&path.display().to_string(), ruled), || lines(ruled))
    }
}

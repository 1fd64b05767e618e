//! `starset soundness`: the notions of soundness of workflow nets, with time and without, and of processes.

mod processes;
mod timed;

use super::examples;
use super::model::ModelArg;
use super::options::{Choices, Format, FormatArgs, Limits, choice};
use super::output_file::OutputFile;
use super::{Console, Failure, Status};
use clap::Args;
use processes::Asked;
use starset::kinds::bpmn::{Environment, Like};
use starset::kinds::clocks::notions::ask;
use starset::kinds::clocks::soundness::Workflow;
use starset::report::soundness;
use std::io::Write as _;
use std::path::PathBuf;

/// Bytes before what a line says.
const TITLE: usize = 25;

/// Whose reading of processes is followed.
const TOOLS: Choices<Like> =
    &[("default", Like::Default, "As docs/processes.md says"), ("rba", Like::Rba, "As rust_bpmn_analyzer does")];

/// Arguments of `starset soundness`.
#[derive(Args, Debug)]
#[command(after_help = examples::SOUNDNESS)]
pub(super) struct SoundnessArgs {
    #[command(flatten)]
    model: ModelArg,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    limits: Limits,
    /// Of processes: read them and ask as another tool does
    #[arg(long, value_name = "TOOL", value_parser = choice(TOOLS), default_value = "default")]
    like: Like,
    /// Of a process: with the durations of its timers (ISO 8601)
    #[arg(long)]
    timers: bool,
    /// End with status 1 if the net is not sound in one of the notions, or a process not sound
    #[arg(long)]
    fail_if_false: bool,
    /// Write a page for a browser: the net or the diagram, runs that refute, and the states that cannot complete
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

pub(super) fn run(args: &SoundnessArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    if args.model.is_processes() {
        let (paths, outside) = (args.model.paths(), args.model.environment());
        if args.like != Like::Default && outside != Environment::default() {
            return Err(Failure::Input(
                "--like says what comes from outside: leave --env and --channel out".to_owned(),
            ));
        }
        let environment = Environment { like: args.like, ..outside };
        let (json, fail_if_false) = (args.format.get() == Format::Json, args.fail_if_false);
        let page = args.report.as_deref();
        let asked = Asked { paths, environment, threads: args.limits.threads(), json, fail_if_false, page };
        return match args.timers {
            true => timed::run(&asked, &budget, console),
            false => processes::run(&asked, &budget, console),
        };
    }
    if args.timers {
        return Err(Failure::Input("--timers is about processes; a net with clocks has its time".to_owned()));
    }
    if args.like != Like::Default {
        return Err(Failure::Input("--like is about processes; give BPMN files, and no others".to_owned()));
    }
    let net = args.model.read_clock_net(&budget)?;
    let page = args.report.as_deref().map(OutputFile::create).transpose()?;
    let workflow = Workflow::of(&net).map_err(|e| Failure::Input(format!("{}: {e}", net.name)))?;
    let answers = ask(&net, workflow, &budget).map_err(|e| Failure::Input(e.to_string()))?;
    match args.format.get() {
        Format::Json => {
            let seconds = console.started().elapsed().as_secs_f64();
            console.json(&soundness::fields(&net, &answers).with("seconds", seconds))?;
        }
        Format::Text | Format::Mcc => {
            soundness::text(&net, &answers).iter().try_for_each(|line| console.judged(TITLE, line))?;
        }
    }
    console.flush()?;
    if let Some(page) = page {
        let html = soundness::page(&net, &answers);
        page.write(|out| out.write_all(html.as_bytes()))?;
    }
    if let Some(error) = &answers.broken {
        console.error(format_args!("a run that was found does not replay: {error}"));
        return Ok(Status::SelfCheck);
    }
    match &answers.stopped {
        Some(error) => {
            console.error(format_args!("unknown: {error}"));
            Ok(Status::Unknown)
        }
        None => {
            let verdicts = answers.verdicts();
            let is = |verdict: Option<bool>| verdicts.iter().any(|(_, known)| *known == verdict);
            Ok(match (is(None), is(Some(false))) {
                (true, _) => Status::Unknown,
                (_, true) if args.fail_if_false => Status::Refuted,
                _ => Status::Answered,
            })
        }
    }
}

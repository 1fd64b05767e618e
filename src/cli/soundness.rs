//! `starset soundness`: the notions of soundness of workflow nets, with time and without, and of processes.

mod processes;
mod timed;

use super::examples;
use super::options::{Choices, choice};
use super::output_file::OutputFile;
use super::processes::{Common, Outcome};
use super::{Console, Failure, Status};
use clap::Args;
use processes::Asked;
use starset::kinds::bpmn::{Environment, Like, Order};
use starset::kinds::clocks::notions::ask;
use starset::kinds::clocks::soundness::Workflow;
use starset::report::soundness;
use std::io::Write as _;
use std::path::PathBuf;

/// Whose reading of processes is followed.
const TOOLS: Choices<Like> = &[
    ("default", Like::Default, "As docs/processes.md says"),
    ("rba", Like::Rba, "As rust_bpmn_analyzer does"),
    ("fbpmn", Like::Fbpmn, "As fbpmn does"),
];

/// In which order messages are received.
const ORDERS: Choices<Order> = &[
    ("bag", Order::Bag, "In any"),
    ("fifo-pair", Order::FifoPair, "From a pool to another as they were sent"),
    ("causal", Order::Causal, "To a pool as they were sent, as far as pools know of each other"),
    ("inbox", Order::Inbox, "To a pool as they were sent"),
    ("outbox", Order::Outbox, "From a pool as they were sent"),
    ("fifo", Order::Fifo, "All as they were sent"),
    ("rsc", Order::Rsc, "Each before the next is sent"),
];

/// Arguments of `starset soundness`.
#[derive(Args, Debug)]
#[command(after_help = examples::SOUNDNESS)]
pub(super) struct SoundnessArgs {
    #[command(flatten)]
    common: Common,
    /// Of processes: read them and ask as another tool does
    #[arg(long, value_name = "TOOL", value_parser = choice(TOOLS), default_value = "default")]
    like: Like,
    /// Of processes: in which order messages are received
    #[arg(long, value_name = "ORDER", value_parser = choice(ORDERS), default_value = "bag")]
    messages: Order,
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
    let (common, model) = (&args.common, &args.common.model);
    let budget = common.limits.budget(console);
    if model.is_processes(&budget) {
        let outside = model.environment();
        if args.like != Like::Default && outside.closed || args.like == Like::Rba && outside.channel.is_some() {
            return Err(Failure::Input(
                "--like says what comes from outside: leave --env and --channel out".to_owned(),
            ));
        }
        let environment = Environment { like: args.like, order: args.messages, ..outside };
        if args.timers && (args.like, args.messages) != (Like::Default, Order::Bag) {
            return Err(Failure::Input("--timers goes without --like and --messages; leave these out".to_owned()));
        }
        let (fail_if_false, page) = (args.fail_if_false, args.report.as_deref());
        let asked = Asked { common, environment, fail_if_false, page };
        return match args.timers {
            true => timed::run(&asked, &budget, console),
            false => processes::run(&asked, &budget, console),
        };
    }
    if args.timers {
        return Err(Failure::Input("--timers is about processes; a net with clocks has its time".to_owned()));
    }
    if (args.like, args.messages) != (Like::Default, Order::Bag) {
        return Err(Failure::Input(
            "--like and --messages are about processes; give BPMN files, and no others".to_owned(),
        ));
    }
    let net = model.read_clock_net(&budget)?;
    let page = args.report.as_deref().map(OutputFile::create).transpose()?;
    let workflow = Workflow::of(&net).map_err(|e| Failure::Input(format!("{}: {e}", net.name)))?;
    let answers = ask(&net, workflow, &budget).map_err(|e| Failure::Input(e.to_string()))?;
    common.tell(console, || soundness::fields(&net, &answers), || soundness::text(&net, &answers))?;
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
            let outcome: Outcome = answers.verdicts().into_iter().map(|(_, verdict)| verdict).collect();
            Ok(outcome.status(args.fail_if_false))
        }
    }
}

//! `starset time`: what time does to a net with clocks.

use super::examples;
use super::model::ModelArg;
use super::options::{Format, FormatArgs, Limits};
use super::output_file::OutputFile;
use super::{Console, Failure, Status};
use clap::Args;
use starset::kinds::clocks::inquiry::{Inquiry, InquiryError, inquire};
use starset::kinds::clocks::markings;
use starset::kinds::clocks::model::{ClockNet, TransitionId};
use starset::kinds::clocks::scaled::Scaled;
use starset::memory::peak_resident_bytes;
use starset::report::timing;
use std::io::Write as _;
use std::path::PathBuf;

/// Nets with at most so many transitions are measured from each of them where nothing else is said.
const MEASURED: usize = 16;

/// Times are measured up to so many units where nothing else is said.
const HORIZON: u32 = 1000;

/// Bytes before what a line is about.
const TITLE: usize = 2;

/// Arguments of `starset time`.
#[derive(Args, Debug)]
#[command(after_help = examples::TIME)]
pub(super) struct TimeArgs {
    #[command(flatten)]
    model: ModelArg,
    /// A marking in which nothing needs to happen, as 'closed' or 'done*2 idle', besides the final markings of the file;
    /// may be given several times
    #[arg(long = "final", value_name = "MARKING")]
    finals: Vec<String>,
    /// Measure times from this transition, too; may be given several times, `all` is all of them [default: all of at
    /// most 16]
    #[arg(long, value_name = "TRANSITION")]
    since: Vec<String>,
    /// Measure times up to so many units [default: 1000, or less where that takes very many zones]
    #[arg(long, value_name = "UNITS")]
    horizon: Option<u32>,
    /// Also show changes that were tried out and are no repair, and intervals of clocks that a constraint does not name
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    format: FormatArgs,
    /// Write a page for a browser: runs on a time line, with clocks, and where each block lies
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

pub(super) fn run(args: &TimeArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    let net = args.model.read_clock_net(&budget)?;
    let page = args.report.as_deref().map(OutputFile::create).transpose()?;
    let named = args.finals.iter().map(|text| net.marking_of(text).map(Vec::into_boxed_slice));
    let finals = named.collect::<Result<Vec<_>, _>>();
    let finals = finals.map_err(|e| Failure::Input(format!("--final: {e}")))?;
    let asked = Inquiry {
        is_final: &|tokens| finals.iter().chain(&net.finals).any(|marking| **marking == *tokens),
        horizon: args.horizon.unwrap_or(HORIZON),
        nearer: args.horizon.is_none(),
        from: since(args, &net)?,
        limits: markings::Limits::of(&budget),
    };
    let scaled = Scaled::new(&net).map_err(|e| Failure::Input(e.to_string()))?;
    let answers = match inquire(&net, &asked) {
        Ok(answers) => answers,
        Err(InquiryError::Range(why)) => return Err(Failure::Input(why)),
        Err(error) => return unanswered(args, &net, &error, console),
    };
    if answers.horizon < asked.horizon {
        let horizon = answers.horizon;
        console.note(format_args!("times are measured up to {horizon} units; --horizon {HORIZON} goes on, for long"));
    }
    match args.format.get() {
        Format::Json => {
            let fields = timing::fields(&scaled, &answers).with("peak_memory_bytes", peak_resident_bytes());
            console.json(&fields.with("seconds", console.started().elapsed().as_secs_f64()))?;
        }
        Format::Text | Format::Mcc => {
            timing::text(&scaled, &answers, args.all).iter().try_for_each(|line| console.judged(TITLE, line))?;
        }
    }
    if let Some(page) = page {
        let html = timing::page(&scaled, &answers);
        page.write(|out| out.write_all(html.as_bytes()))?;
    }
    Ok(Status::Answered)
}

/// The transitions that times are measured from.
fn since(args: &TimeArgs, net: &ClockNet) -> Result<Vec<TransitionId>, Failure> {
    let all = || (0..net.transitions.len() as u32).map(TransitionId).collect();
    if args.since.iter().any(|id| id == "all") || args.since.is_empty() && net.transitions.len() <= MEASURED {
        return Ok(all());
    }
    let named =
        |id: &String| net.transition(id).ok_or_else(|| Failure::Input(format!("there is no transition `{id}`")));
    args.since.iter().map(named).collect()
}

/// Say that the questions stayed unanswered, and why.
fn unanswered(args: &TimeArgs, net: &ClockNet, error: &InquiryError, console: &mut Console) -> Result<Status, Failure> {
    let (reason, status) = match error {
        InquiryError::Explore(error) => (error.reason(), Status::Unknown),
        _ => ("self-check", Status::SelfCheck),
    };
    if args.format.get() == Format::Json {
        let fields = timing::about("starset/time/1", net).with("reason", reason).with("message", error.to_string());
        let fields = fields.with("peak_memory_bytes", peak_resident_bytes());
        console.json(&fields.with("seconds", console.started().elapsed().as_secs_f64()))?;
        console.flush()?;
    }
    console.error(format_args!("unknown: {error}"));
    Ok(status)
}

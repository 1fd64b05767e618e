//! `starset rers`: the property files of parallel problems of the RERS challenge, answered as its csv.
//!
//! The formulas of a problem are questions to the decider, all of them together.

use super::examples;
use super::model;
use super::options::stopped;
use super::options::{Limits, ProgressMode};
use super::order::OrderArgs;
use super::progress::Meter;
use super::{Console, Failure, Status};
use clap::Args;
use starset::budget::Budget;
use starset::decide::{Settings, Value};
use starset::examination::rers::{Problem, ProblemAnswer, problems};
use starset::kinds::Reading;
use starset::symbolic::Search;
use std::path::PathBuf;

/// Arguments of `starset rers`.
#[derive(Args, Debug)]
#[command(after_help = examples::RERS)]
pub(super) struct RersArgs {
    /// Systems (.dot, .pml, or .pnml with units), or folders of them (.dot and .pml); the formulas of `NAME.dot` are in
    /// `NAME-properties.txt` or `NAME-properties-with-solution.txt` beside it
    #[arg(value_name = "DIR|FILE", required = true)]
    paths: Vec<PathBuf>,
    /// The property file, if it has another name (with one system only)
    #[arg(short = 'x', long, value_name = "FILE")]
    properties: Option<PathBuf>,
    #[command(flatten)]
    order: OrderArgs,
    /// When to show progress on standard error
    #[arg(long, value_enum, default_value = "auto")]
    progress: ProgressMode,
    #[command(flatten)]
    limits: Limits,
}

pub(super) fn run(args: &RersArgs, console: &mut Console) -> Result<Status, Failure> {
    let problems = problems(&args.paths, args.properties.as_deref())?;
    let Limits { memory, threads, until_closed, .. } = args.limits;
    let limits = Limits { time: None, memory, threads, until_closed };
    let budget = limits.budget(console);
    let (mut status, mut broken) = (Status::Answered, false);
    console.line("problem,property,verdict")?;
    for problem in &problems {
        let budget = match args.limits.time {
            Some(time) => budget.clone().with_time(time),
            None => budget.clone(),
        };
        let answers = answer(args, problem, &budget, console)?;
        let number = problem.number();
        let unknown = answers.iter().find_map(|answered| match &answered.value {
            Value::Unknown(stop) => Some(stop),
            _ => None,
        });
        if let Some(stop) = unknown {
            status = Status::Unknown;
            console.error(format_args!("problem {number}: {}", stopped(stop, &args.limits)));
        }
        let (mut right, mut wrong) = (0, 0);
        for answered in &answers {
            let (property, verdict) = (&answered.number, answered.verdict());
            let text = verdict.map_or("unknown".to_owned(), |verdict| verdict.to_string());
            console.line(format_args!("{number},{property},{text}"))?;
            for fault in &answered.faults {
                broken = true;
                console.error(format_args!("problem {number}, property {property}: internal error: {fault}"));
            }
            if let (Some(expected), Some(verdict)) = (answered.expected, verdict) {
                right += usize::from(expected == verdict);
                if expected != verdict {
                    wrong += 1;
                    console.error(format_args!("problem {number}, property {property}: the file says {expected}"));
                }
            }
        }
        console.flush()?;
        if right + wrong > 0 {
            console.note(format_args!("problem {number}: {right} as the file says, {wrong} otherwise"));
        }
        broken |= wrong > 0;
    }
    Ok(if broken { Status::SelfCheck } else { status })
}

/// The formulas of a problem with their answers.
fn answer(
    args: &RersArgs,
    problem: &Problem,
    budget: &Budget,
    console: &Console,
) -> Result<Vec<ProblemAnswer>, Failure> {
    let reading = Reading { as_network: true, ..Reading::default() };
    let loaded = model::read(std::slice::from_ref(&problem.system), reading, budget, console)?;
    let settings = Settings { threads: args.limits.threads(), ..Settings::default() };
    let settings = args.order.settings(&*loaded.model, settings, budget)?;
    let meter = Meter::start(args.progress, Search::Saturation, loaded.model.variables(), console);
    let answers = problem.answers(&loaded, &settings, budget, &meter);
    meter.stop();
    Ok(answers?)
}

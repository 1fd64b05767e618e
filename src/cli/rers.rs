//! `starset rers`: the property files of parallel problems of the RERS challenge, answered as its csv.
//!
//! The formulas of a problem are questions to the decider, all of them together.

use super::model;
use super::options::{Limits, ProgressMode};
use super::order::OrderArgs;
use super::outcome::stopped;
use super::progress::Meter;
use super::{Console, Failure, Status};
use clap::Args;
use starset::budget::Budget;
use starset::decide::{Answer, Asked, Listener, Progress, Question, Settings, Subject, Value, decide};
use starset::examination::rers::{Problem, problems};
use starset::formula::{Pool, read_numbered};
use starset::kinds::Reading;
use starset::symbolic::{Route, Search};
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Arguments of `starset rers`.
#[derive(Args, Debug)]
#[command(after_help = "--time is the time of each problem.")]
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

/// A property and what came of it.
struct Verdict {
    number: String,
    expected: Option<bool>,
    verdict: Option<bool>,
}

pub(super) fn run(args: &RersArgs, console: &mut Console) -> Result<Status, Failure> {
    let problems = problems(&args.paths, args.properties.as_deref())?;
    let limits = Limits { time: None, memory: args.limits.memory, threads: args.limits.threads };
    let budget = limits.budget(console);
    let mut status = Status::Answered;
    console.line("problem,property,verdict")?;
    for problem in &problems {
        let budget = match args.limits.time {
            Some(time) => budget.clone().with_time(time),
            None => budget.clone(),
        };
        let answers = answer(args, problem, &budget, console)?;
        let number = problem.number();
        let (mut right, mut wrong) = (0, 0);
        for Verdict { number: property, expected, verdict } in &answers {
            let text = verdict.map_or("unknown".to_owned(), |verdict| verdict.to_string());
            console.line(format_args!("{number},{property},{text}"))?;
            if verdict.is_none() && status == Status::Answered {
                status = Status::Unknown;
            }
            if let (Some(expected), Some(verdict)) = (expected, verdict) {
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
        if wrong > 0 {
            status = Status::SelfCheck;
        }
    }
    Ok(status)
}

/// The verdicts of the formulas of a problem.
fn answer(args: &RersArgs, problem: &Problem, budget: &Budget, console: &Console) -> Result<Vec<Verdict>, Failure> {
    let reading = Reading { as_network: true, ..Reading::default() };
    let loaded = model::read(std::slice::from_ref(&problem.system), reading, budget, console)?;
    let model = &*loaded.model;
    let name = problem.properties.display().to_string();
    let text =
        fs::read_to_string(&problem.properties).map_err(|e| Failure::Input(format!("{name}: cannot be read: {e}")))?;
    let mut pool = Pool::new();
    let properties = read_numbered(&text, &name, &loaded.symbols, &mut pool);
    let properties = properties.map_err(|e| Failure::Input(e.to_string()))?;
    let mut asked: Vec<Asked> = Vec::new();
    for property in &properties {
        let paths = model.default_paths(pool.logic(property.formula));
        asked.push(Question::formula(&mut pool, property.formula, paths, Route::Fixpoints).into());
    }
    let orders = args.order.given(model, budget)?;
    let (seed, threads) = (args.order.seed(), args.limits.threads());
    let settings = Settings { orders, seed, threads, ..Settings::default() };
    let meter = Meter::start(args.progress, Search::Saturation, model.variables(), console);
    let heard = Heard { values: Mutex::new(vec![None; asked.len()]), meter: &meter };
    let subject = Subject { model, groups: &loaded.groups, pool: &pool };
    decide(subject, &asked, &settings, budget, &heard);
    let values = heard.values.into_inner().unwrap_or_else(PoisonError::into_inner);
    meter.stop();
    let unknown = values.iter().flatten().find_map(|value| match value {
        Value::Unknown(halt) => Some(halt),
        _ => None,
    });
    if let Some(halt) = unknown {
        console.error(format_args!("problem {}: {}", problem.number(), stopped(halt, &args.limits)));
    }
    let verdict = |value: &Option<Value>| match value {
        Some(Value::Verdict(verdict)) => Some(*verdict),
        _ => None,
    };
    let verdicts = values.iter().map(verdict).zip(properties);
    Ok(verdicts.map(|(verdict, p)| Verdict { number: p.number, expected: p.expected, verdict }).collect())
}

/// Hears the decider.
struct Heard<'a> {
    values: Mutex<Vec<Option<Value>>>,
    meter: &'a Meter,
}

impl Listener for Heard<'_> {
    fn answered(&self, answer: Answer) {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)[answer.question] = Some(answer.value);
    }

    fn progress(&self, progress: Progress<'_>) {
        self.meter.event(progress);
    }
}

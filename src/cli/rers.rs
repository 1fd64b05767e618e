//! `starset rers`: the property files of parallel problems of the RERS challenge, answered as its csv.
//!
//! For each problem the state space is built once, in at most a third of the time; then each formula gets its share of
//! half of the time that is left, and what stays unknown is tried once more at the end. What diagrams do not decide is
//! tried on parts of the network, and what is then left by the explicit engine: both answer many a formula where the state
//! space is out of reach.

use super::network::{self, Form};
use super::options::{Limits, ProgressMode};
use super::order::OrderArgs;
use super::outcome::stopped;
use super::progress::Meter;
use super::{Console, Failure, Status};
use clap::Args;
use starset::budget::Budget;
use starset::examination::{Event, Options, StateSpace, decide_by_parts, explore_relation};
use starset::explicit;
use starset::formula::{FormulaId, Naming, PathSemantics, Pool, read_numbered};
use starset::lts::Network;
use starset::mdd::with_deep_stack;
use starset::order::Order;
use starset::relation::Relation;
use starset::symbolic::{Checker, Halt, Search};
use std::fs;
use std::path::PathBuf;

/// What the name of a property file adds to that of its system.
const SUFFIXES: [&str; 2] = ["-properties.txt", "-properties-with-solution.txt"];

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

/// A system and its formulas.
struct Problem {
    system: PathBuf,
    properties: PathBuf,
}

impl Problem {
    /// The number in the name of the file; the whole name if there is none.
    fn number(&self) -> String {
        let stem = self.system.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let digits = stem.trim_start_matches(|c: char| !c.is_ascii_digit());
        if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) { digits.to_owned() } else { stem }
    }
}

/// A property and what came of it.
struct Answer {
    number: String,
    /// With quantifiers moved inward, and as it was read.
    formula: FormulaId,
    linear: FormulaId,
    paths: PathSemantics,
    expected: Option<bool>,
    verdict: Option<bool>,
}

pub(super) fn run(args: &RersArgs, console: &mut Console) -> Result<Status, Failure> {
    let problems = problems(args)?;
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
        for Answer { number: property, expected, verdict, .. } in &answers {
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

/// The problems that the arguments name, by name within a folder.
fn problems(args: &RersArgs) -> Result<Vec<Problem>, Failure> {
    let mut systems = Vec::new();
    for path in &args.paths {
        if !path.is_dir() {
            systems.push((path.clone(), true));
            continue;
        }
        let error = |e: std::io::Error| Failure::Input(format!("cannot read {}: {e}", path.display()));
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(error)? {
            let file = entry.map_err(error)?.path();
            if matches!(Form::of(&file), Some(Form::Dot | Form::Pml)) {
                found.push((file, false));
            }
        }
        // Of a system in both forms the one that comes first.
        found.sort();
        found.dedup_by_key(|(file, _)| file.with_extension(""));
        systems.extend(found);
    }
    if args.properties.is_some() && systems.len() != 1 {
        return Err(Failure::Input("--properties goes with one system; leave it out".to_owned()));
    }
    let mut problems = Vec::new();
    for (system, named) in systems {
        let beside = |suffix: &str| {
            let stem = system.file_stem()?.to_string_lossy().into_owned();
            Some(system.with_file_name(stem + suffix)).filter(|path| path.is_file())
        };
        match args.properties.clone().or_else(|| SUFFIXES.into_iter().find_map(beside)) {
            Some(properties) => problems.push(Problem { system, properties }),
            None if named => {
                return Err(Failure::Input(format!(
                    "{}: there is no property file beside it; name one with --properties FILE",
                    system.display()
                )));
            }
            None => {}
        }
    }
    if problems.is_empty() {
        return Err(Failure::Input("no .dot or .pml file with a property file beside it in these folders".to_owned()));
    }
    Ok(problems)
}

fn answer(args: &RersArgs, problem: &Problem, budget: &Budget, console: &mut Console) -> Result<Vec<Answer>, Failure> {
    let network = network::read(std::slice::from_ref(&problem.system), Naming::Either, console)?;
    let name = problem.properties.display().to_string();
    let text =
        fs::read_to_string(&problem.properties).map_err(|e| Failure::Input(format!("{name}: cannot be read: {e}")))?;
    let mut pool = Pool::new();
    let symbols = network::symbols(&network);
    let properties = read_numbered(&text, &name, &symbols, &mut pool).map_err(|e| Failure::Input(e.to_string()))?;
    let mut answers = Vec::new();
    for property in properties {
        let paths = pool.logic(property.formula).default_paths_of_network();
        let closed = pool.close(property.formula);
        let formula = pool.push_quantifiers(closed, paths);
        answers.push(Answer {
            number: property.number,
            formula,
            linear: property.formula,
            paths,
            expected: property.expected,
            verdict: None,
        });
    }
    let components = network.components().len();
    let orders = args.order.candidates(&network.skeleton(), budget)?;
    let options = Options { search: Search::Saturation, orders, threads: args.limits.threads.get(), fixpoints: true };
    let meter = Meter::start(args.progress, Search::Saturation, components, console);
    let part = |parts: u32, of: u32| match budget.remaining() {
        Some(left) => budget.clone().with_time(left * parts / of),
        None => budget.clone(),
    };
    let outcome = with_deep_stack(components, || {
        let space = explore(&network, &options, &part(1, 3), &meter)?;
        meter.phase("formulas");
        verdicts(&space, &pool, &mut answers, &part(1, 2))
    });
    if let Err(halt) = outcome {
        meter.phase("parts of the network");
        by_parts(&network, &mut pool, &mut answers, &part(1, 2));
        meter.phase("explicit search");
        search(&network, &mut pool, &mut answers, budget);
        if answers.iter().any(|answer| answer.verdict.is_none()) {
            console.error(format_args!("problem {}: {}", problem.number(), stopped(&halt, &args.limits)));
        }
    }
    meter.stop();
    Ok(answers)
}

/// Decide on parts of the network what is not decided, as far as it goes.
fn by_parts(network: &Network, pool: &mut Pool, answers: &mut [Answer], budget: &Budget) {
    each(answers, budget, |answer, budget| {
        let infinite = answer.paths == PathSemantics::Infinite;
        let found = infinite.then(|| decide_by_parts(network, pool, answer.linear, budget));
        found?.ok().map(|found| found.violated.is_none())
    });
}

/// Decide by explicit search what is not decided, as far as it goes.
fn search(network: &Network, pool: &mut Pool, answers: &mut [Answer], budget: &Budget) {
    each(answers, budget, |answer, budget| {
        let options = explicit::Options::default();
        let found = explicit::check_ltl(network, pool, answer.linear, answer.paths, &options, budget);
        found.ok().map(|found| found.holds)
    });
}

/// Try to decide what is open, each formula in its share of the time.
fn each(answers: &mut [Answer], budget: &Budget, mut decide: impl FnMut(&Answer, &Budget) -> Option<bool>) {
    let mut open = answers.iter().filter(|answer| answer.verdict.is_none()).count();
    for answer in answers.iter_mut().filter(|answer| answer.verdict.is_none()) {
        let budget = match budget.remaining() {
            Some(left) => budget.clone().with_time(left / u32::try_from(open).unwrap_or(u32::MAX)),
            None => budget.clone(),
        };
        answer.verdict = decide(answer, &budget);
        open -= 1;
    }
}

fn explore(network: &Network, options: &Options, budget: &Budget, meter: &Meter) -> Result<StateSpace, Halt> {
    let build = |order: &Order| Relation::of_network(network, order.as_slice());
    let mut watch = |event: Event<'_>| meter.event(event);
    explore_relation(network.components().len(), &build, options, budget, &mut watch)
}

/// Fill in the verdicts; the error is that of one that stayed unknown.
fn verdicts(space: &StateSpace, pool: &Pool, answers: &mut [Answer], budget: &Budget) -> Result<(), Halt> {
    let mut checkers = Vec::new();
    for paths in PathSemantics::ALL {
        checkers.push(Checker::new(&space.relation, space.set.clone(), paths)?);
    }
    let mut failed = Ok(());
    for round in 0..2 {
        failed = Ok(());
        let open = answers.iter().filter(|answer| answer.verdict.is_none()).count();
        for (done, answer) in answers.iter_mut().filter(|answer| answer.verdict.is_none()).enumerate() {
            let shares = if round == 0 { u32::try_from(open - done).unwrap_or(u32::MAX) } else { 1 };
            let budget = match budget.remaining() {
                Some(left) => budget.clone().with_time(left / shares),
                None => budget.clone(),
            };
            let Some(checker) = checkers.iter_mut().find(|checker| checker.paths() == answer.paths) else { continue };
            match checker.holds_initially(pool, answer.formula, &budget) {
                Ok(verdict) => answer.verdict = Some(verdict),
                Err(halt) => failed = Err(halt),
            }
        }
        if failed.is_ok() || budget.check().is_err() {
            break;
        }
    }
    failed
}

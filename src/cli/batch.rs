//! `starset batch`: many examinations of many instances, with results that survive whatever happens.

use super::examples;
use super::interrupt::{end_with_input, on_interrupt};
use super::mcc::examination;
use super::options::{Choices, choice, parse_memory, parse_seconds};
use super::order::OrderArgs;
use super::output_file::OutputFile;
use super::ways::{Engine, Switches, single_engine};
use super::{Console, Failure, Status};
use indicatif::{ProgressBar, ProgressStyle};
use starset::examination::Examination;
use starset::examination::batch::{
    Compared, Contradiction, Expected, Job, Limits, OpenError, Previous, Record, Results, Shard, jobs, merge,
    run as run_jobs, score,
};
use starset::memory::allowed;
use starset::report::batch::{compared as compared_text, page, text};
use starset::report::number::bytes;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::{env, thread};

/// Arguments of `starset batch`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::BATCH)]
pub(super) struct BatchArgs {
    /// Instances (folders with a model.pnml), folders of instances, or lists with lines `FOLDER [EXAMINATION]`
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The examinations, separated by commas; `starset help examinations` lists them [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = examination(), hide_possible_values = true)]
    examinations: Vec<Examination>,
    /// The file of results, a line of JSON per job; jobs that have a result there are not run again
    #[arg(long, value_name = "FILE", default_value = "results.jsonl")]
    results: PathBuf,
    /// Run the jobs again whose result has an error or an open question
    #[arg(long)]
    retry: bool,
    /// Only each N-th job, from the I-th: for jobs of a cluster. Where that counts from 0, write I+1/N
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Run nothing: take the results of these files (or folders of files *.jsonl), too, of each job the best, and say
    /// how the whole is
    #[arg(long, value_name = "FILE", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// Run nothing: print the jobs that have no result yet, as a list that can be given instead of folders
    #[arg(long)]
    todo: bool,
    /// Subject of the exit status
    #[arg(long, value_parser = choice(TELLS), default_value = "answers")]
    status: Tells,
    /// Compare with these answers: a table (CSV) with the columns instance, examination, formula_id, expected
    #[arg(long, value_name = "FILE")]
    expected: Option<PathBuf>,
    /// Compare with the results of another run, a file of --results: answers gained, lost and differing, and times
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Write a page with the jobs, tables and plots
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Use this engine alone
    #[arg(long, value_parser = single_engine(), default_value = "auto")]
    engine: Engine,
    #[command(flatten)]
    switches: Switches,
    #[command(flatten)]
    order: OrderArgs,
    /// Count an answer only when a certificate of it has been made and checked
    #[arg(long)]
    certify: bool,
    /// Jobs at the same time [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Threads of each job [default: its share of the cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Seconds for each job
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "60")]
    time: Duration,
    /// Memory for each job, as in 512M or 8G [default: an equal share of 80 % of what is available]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,
    /// End when the standard input is closed: with the process that holds its other end
    #[arg(long, hide = true)]
    until_closed: bool,
}

/// The subject of an exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tells {
    Answers,
    Work,
}

const TELLS: Choices<Tells> = &[
    ("answers", Tells::Answers, "How the answers are"),
    ("work", Tells::Work, "0 as soon as each job has a result, whatever it is; 75: begin again"),
];

pub(super) fn run(args: &BatchArgs, console: &mut Console) -> Result<Status, Failure> {
    if args.until_closed {
        end_with_input();
    }
    let examinations = if args.examinations.is_empty() { &Examination::ALL[..] } else { args.examinations.as_slice() };
    let all = jobs(&args.paths, examinations, args.shard)?;
    let expected = args.expected.as_deref().map(Expected::read).transpose()?;
    let previous = args.compare.as_deref().map(Previous::read).transpose()?;
    let create = |path: &PathBuf| Ok::<_, Failure>((path.display().to_string(), OutputFile::create(path)?));
    let file = args.report.as_ref().map(create).transpose()?;
    let mut results = match Results::open(&args.results) {
        Err(busy @ OpenError::Busy(_)) if args.status == Tells::Work => {
            console.error(busy);
            return Ok(Status::Unfinished);
        }
        opened => opened?,
    };
    for line in results.torn() {
        console.error(format_args!("{}:{line}: no result of a batch; left out", args.results.display()));
    }
    let consistent = args.merge(&mut results, console)?;
    let open = |record: &Record| args.retry && !record.is_complete();
    let todo: Vec<_> = all.iter().filter(|job| results.get(job).is_none_or(open)).cloned().collect();
    if args.todo {
        todo.iter().try_for_each(|job| Ok::<_, Failure>(console.line(job.line()?)?))?;
        return Ok(match (consistent, args.status) {
            (false, _) => Status::SelfCheck,
            _ if todo.is_empty() => Status::Answered,
            (true, Tells::Answers) => Status::Unknown,
            (true, Tells::Work) => Status::Unfinished,
        });
    }
    let limits = args.limits();
    // A folder that cannot be written to is told once.
    args.order.known()?;
    if args.merge.is_empty() {
        console.note(format_args!(
            "{} jobs, {} of them done before; {} at a time, each with {} s and {}",
            all.len(),
            all.len() - todo.len(),
            limits.jobs,
            limits.time.as_secs_f64(),
            bytes(limits.memory)
        ));
        tell_of_others(&all, &results, &limits, args.memory.is_some(), console);
    }
    let todo = if args.merge.is_empty() { todo } else { Vec::new() };
    let stop = on_interrupt();
    let bar = if console.is_interactive() { ProgressBar::new(todo.len() as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} jobs, {eta} left {wide_msg}") {
        bar.set_style(style);
    }
    bar.tick();
    let program = env::current_exe().map_err(|e| Failure::Input(format!("cannot find this program: {e}")))?;
    let outcome: Result<(), Failure> = run_jobs(&program, &todo, &limits, &stop, |record| {
        let known = record.answers.iter().filter(|answer| answer.is_known()).count();
        let state = record.error.clone().unwrap_or_else(|| format!("{known} of {} answers", record.answers.len()));
        let line = format!("{} {}: {state}, {:.1} s", record.model, record.examination, record.seconds);
        bar.set_message(line.clone());
        console.detail(line);
        results.append(record)?;
        bar.inc(1);
        Ok(())
    });
    bar.finish_and_clear();
    outcome?;
    let score = score(&all, &results, expected.as_ref());
    text(&score).lines().try_for_each(|line| console.judged(0, line))?;
    let compared = previous.as_ref().map(|previous| Compared::of(&all, &results, previous));
    let with = args.compare.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let compared = compared.as_ref().map(|compared| (with.as_str(), compared));
    if let Some((with, compared)) = compared {
        console.line(compared_text(compared, with))?;
    }
    console.flush()?;
    if let Some((name, file)) = file {
        let about = limits_of(&all, &results);
        let page = page(&score, &about, compared).map_err(|e| Failure::Input(e.to_string()))?;
        file.write(|out| out.write_all(page.as_bytes()))?;
        console.note(format_args!("{name}: the report"));
    }
    if stop.load(Relaxed) {
        console.note("interrupted; the same command goes on where this one stopped");
    }
    Ok(if !consistent {
        Status::SelfCheck
    } else if args.status == Tells::Work {
        if score.missing > 0 { Status::Unfinished } else { Status::Answered }
    } else if !score.wrong.is_empty() {
        Status::Refuted
    } else if score.missing > 0 || !score.failed.is_empty() || score.by_examination.values().any(|c| c.unknown > 0) {
        Status::Unknown
    } else {
        Status::Answered
    })
}

/// The limits that the results were made with, and how many with each where they differ.
fn limits_of(all: &[Job], results: &Results) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for record in all.iter().filter_map(|job| results.get(job)) {
        let limits = format!("{} s and {} per job", record.time_limit, bytes(record.memory_limit));
        match counts.iter_mut().find(|(known, _)| *known == limits) {
            Some((_, count)) => *count += 1,
            None => counts.push((limits, 1)),
        }
    }
    let told = |(limits, count): &(String, usize)| format!("{count} with {limits}");
    match &counts[..] {
        [] => "No job is done.".to_owned(),
        [(limits, _)] => format!("{limits}."),
        several => format!("Jobs: {}.", several.iter().map(told).collect::<Vec<_>>().join(", ")),
    }
}

/// Say it where results were made in another way than those that are missing.
/// A limit of memory that nobody gave is what is free, which moves.
fn tell_of_others(all: &[Job], results: &Results, limits: &Limits, memory_is_given: bool, console: &Console) {
    let unlike = |job: &&Job| {
        results.get(job).is_some_and(|record| {
            let asked = limits.record(job);
            let memory_limit = if memory_is_given { asked.memory_limit } else { record.memory_limit };
            !record.is_like(&Record { memory_limit, ..asked })
        })
    };
    let others = all.iter().filter(unlike).count();
    if others > 0 {
        console.note(format_args!("{others} of the results are of another version, or had other limits or options"));
    }
}

impl BatchArgs {
    /// Take the results of other files. Do all agree?
    fn merge(&self, results: &mut Results, console: &mut Console) -> Result<bool, Failure> {
        if self.merge.is_empty() {
            return Ok(true);
        }
        let merged = merge(results, &self.merge)?;
        for (path, line) in &merged.torn {
            console.error(format_args!("{}:{line}: no result of a batch; left out", path.display()));
        }
        for Contradiction { model, examination, id, answers: [(one, here), (other, there)] } in &merged.contradictions {
            let (here, there) = (here.display(), there.display());
            let what = format!("{one} in {here}, {other} in {there}: one is wrong, please report it");
            console.error(format_args!("{model} {examination} {id}: {what}"));
        }
        console.note(format_args!(
            "{} results of {} jobs in {} files; {} are new in {}, or better than what was there",
            merged.records,
            merged.jobs,
            merged.files,
            merged.taken,
            self.results.display()
        ));
        Ok(merged.contradictions.is_empty())
    }

    fn limits(&self) -> Limits {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let jobs = self.jobs.map_or(cores, NonZeroUsize::get);
        let available = allowed().map_or(4 << 30, |(bytes, _)| bytes / 5 * 4);
        let memory = self.memory.unwrap_or(available / jobs as u64);
        let threads = self.threads.map_or((cores / jobs).max(1), NonZeroUsize::get);
        let mut options = vec!["--engine".to_owned(), self.engine.name().to_owned()];
        options.extend(self.switches.arguments());
        options.extend(self.order.arguments());
        options.extend(self.certify.then(|| "--certify".to_owned()));
        Limits { time: self.time, memory, jobs, threads, options, seed: self.order.seed() }
    }
}

//! `starset batch`: many examinations of many instances, with results that survive whatever happens.

use super::examples;
use super::interrupt::on_interrupt;
use super::mcc::{examination, single_engine};
use super::options::{parse_memory, parse_seconds};
use super::output_file::OutputFile;
use super::ways::{Engine, Switches};
use super::{Console, Failure, Status};
use indicatif::{ProgressBar, ProgressStyle};
use starset::examination::Examination;
use starset::examination::batch::{
    Compared, Expected, Limits, Previous, Record, Results, Shard, jobs, run as run_jobs, score,
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
    /// Only each N-th job, from the I-th: for jobs of a cluster
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
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
    /// Count an answer only when a certificate of it has been made and checked
    #[arg(long)]
    certify: bool,
    /// Jobs at the same time [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Seconds for each job
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "60")]
    time: Duration,
    /// Memory for each job, as in 512M or 8G [default: an equal share of 80 % of what is available]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,
}

pub(super) fn run(args: &BatchArgs, console: &mut Console) -> Result<Status, Failure> {
    let examinations = if args.examinations.is_empty() { &Examination::ALL[..] } else { args.examinations.as_slice() };
    let all = jobs(&args.paths, examinations, args.shard)?;
    let expected = args.expected.as_deref().map(Expected::read).transpose()?;
    let previous = args.compare.as_deref().map(Previous::read).transpose()?;
    let create = |path: &PathBuf| Ok::<_, Failure>((path.display().to_string(), OutputFile::create(path)?));
    let file = args.report.as_ref().map(create).transpose()?;
    let mut results = Results::open(&args.results)?;
    for line in results.torn() {
        console.error(format_args!("{}:{line}: no result of a batch; left out", args.results.display()));
    }
    let open = |record: &Record| args.retry && !record.is_complete();
    let todo: Vec<_> = all.iter().filter(|job| results.get(job).is_none_or(open)).cloned().collect();
    let limits = args.limits();
    console.note(format_args!(
        "{} jobs, {} of them done before; {} at a time, each with {} s and {}",
        all.len(),
        all.len() - todo.len(),
        limits.jobs,
        limits.time.as_secs_f64(),
        bytes(limits.memory)
    ));
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
        let about = format!("{} s and {} per job.", limits.time.as_secs_f64(), bytes(limits.memory));
        let page = page(&score, &about, compared).map_err(|e| Failure::Input(e.to_string()))?;
        file.write(|out| out.write_all(page.as_bytes()))?;
        console.note(format_args!("{name}: the report"));
    }
    if stop.load(Relaxed) {
        console.note("interrupted; the same command goes on where this one stopped");
    }
    Ok(if !score.wrong.is_empty() {
        Status::Refuted
    } else if score.missing > 0 || !score.failed.is_empty() || score.by_examination.values().any(|c| c.unknown > 0) {
        Status::Unknown
    } else {
        Status::Answered
    })
}

impl BatchArgs {
    fn limits(&self) -> Limits {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let jobs = self.jobs.map_or(cores, NonZeroUsize::get);
        let available = allowed().map_or(4 << 30, |(bytes, _)| bytes / 5 * 4);
        let memory = self.memory.unwrap_or(available / jobs as u64);
        let threads = (cores / jobs).max(1);
        let mut options = vec!["--engine".to_owned(), self.engine.name().to_owned()];
        options.extend(self.switches.arguments());
        options.extend(self.certify.then(|| "--certify".to_owned()));
        Limits { time: self.time, memory, jobs, threads, options }
    }
}

//! `starset states`: the reachable states of a model and their figures.
//!
//! Each figure is a question to the decider. What only the set itself can tell (its members, its diagram, a file of it)
//! is taken from it when it is there.

mod dense;
mod disk;
mod growth;
mod hosts;
mod report;

use super::each::{self, EACH};
use super::elsewhere::{Folder, Together, needs_file, needs_search};
use super::examples;
use super::interrupt::last_words;
use super::model::ModelArg;
use super::options::{Choices, DiskArg, Format, FormatArgs, Limits, ProgressMode, choice, parse_disk};
use super::order::OrderArgs;
use super::output_file::OutputFile;
use super::page::ReportArgs;
use super::profile;
use super::progress::Meter;
use super::sets::{not_saved, saved};
use super::ways::{Engine, WaysArgs};
use super::{Console, Failure, Status};
use growth::Growth;
use num_bigint::BigUint;
use starset::StopReason;
use starset::budget::Budget;
use starset::cross::reproduce;
use starset::decide::{
    Agreement, Answer, Comparison, Explained, Fault, Listener, Profile, Progress, Question, Request, Settings,
    StateSpace, Statistic, Subject, Technique, Value, Ways, decide, decide_twice,
};
use starset::examination::Each;
use starset::explicit::Stats;
use starset::formula::Pool;
use starset::kinds::{Kind, Loaded};
use starset::mdd::SetError;
use starset::model::State;
use starset::order::Scored;
use starset::report::mcc::CANNOT_COMPUTE;
use starset::report::page::Beside;
use starset::symbolic::Search;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Nodes of a diagram that can be drawn; Graphviz takes minutes for more.
const MOST_DRAWN: usize = 5000;

/// Arguments of `starset states`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::STATES)]
pub(super) struct StatesArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Also count the deadlocks (states that allow no step) and show one
    #[arg(long)]
    deadlocks: bool,
    /// Also show the largest number of tokens of each place
    #[arg(long)]
    bounds: bool,
    /// Also list N reachable states, those with the fewest tokens
    #[arg(long, value_name = "N")]
    list: Option<usize>,
    /// In place of the figures of the whole: what holds of each transition or place, as soon as it is known
    #[arg(long, value_parser = choice(EACH), value_name = "LIST", value_delimiter = ',')]
    #[arg(conflicts_with_all = ["deadlocks", "bounds", "list", "time_model", "save", "dot", "report"])]
    each: Vec<Each>,
    /// Leave out what this file has answered: the output of an earlier `--each --json`
    #[arg(long, value_name = "FILE", requires = "each")]
    known: Option<PathBuf>,
    /// Of a net with clocks: how time passes. Also count the markings, and, in dense time, the zones
    #[arg(long, value_parser = choice(TIME_MODELS), value_name = "TIME", conflicts_with = "list")]
    time_model: Option<TimeModel>,
    /// Save the set of reachable states to a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write the decision diagram of the reachable states for Graphviz, if it has at most 5000 nodes
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Explore breadth first with the states in this folder, in at most SIZE (as in 20G); an exploration that has ended
    /// there before its time goes on
    #[arg(long, value_name = "DIR[:SIZE]", value_parser = parse_disk, help_heading = "Engine")]
    #[arg(conflicts_with_all = ["each", "list", "time_model", "save", "dot", "report", "search", "order"])]
    disk: Option<DiskArg>,
    /// Explore breadth first together with other processes, one for each line `host:port` of this file; process 0
    /// reports
    #[arg(long, value_name = "FILE", help_heading = "Engine")]
    #[arg(conflicts_with_all = ["disk", "each", "list", "time_model", "save", "dot", "report", "search", "order"])]
    hosts: Option<PathBuf>,
    /// Which of the processes of --hosts this is, from 0 on [default: what Slurm or Kubernetes says]
    #[arg(long, value_name = "I", requires = "hosts", help_heading = "Engine")]
    process: Option<usize>,
    #[command(flatten)]
    report: ReportArgs,
    /// How to search
    #[arg(long, value_parser = choice(SEARCHES), default_value = "saturation")]
    search: Search,
    #[command(flatten)]
    ways: WaysArgs,
    #[command(flatten)]
    order: OrderArgs,
    #[command(flatten)]
    format: FormatArgs,
    /// When to show progress on standard error
    #[arg(long, value_enum, default_value = "auto")]
    progress: ProgressMode,
    #[command(flatten)]
    limits: Limits,
}

/// Algorithms for the reachable set.
const SEARCHES: Choices<Search> = &[
    ("saturation", Search::Saturation, "Close the diagram level by level from the bottom"),
    ("bfs", Search::BreadthFirst, "Breadth-first, all transitions at once"),
    ("chaining", Search::Chaining, "Transition after transition on the growing set"),
];

/// How time passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TimeModel {
    Integer,
    Dense,
}

const TIME_MODELS: Choices<TimeModel> = &[
    ("integer", TimeModel::Integer, "In whole units, whatever the comparisons"),
    ("dense", TimeModel::Dense, "By any amount: zones under maximal bounds, told apart by equality, and by inclusion"),
];

impl StatesArgs {
    /// The ways that take part: where something is asked for that diagrams alone have, they are alone.
    fn ways(&self) -> Result<Ways, Failure> {
        let of_set = self.list.is_some() || self.save.is_some() || self.dot.is_some();
        let of_diagram = self.report.is_asked() || self.order.is_asked() || self.search != Search::Saturation;
        let ways = self.ways.switches.settings(self.ways.engine).ways;
        if of_set && !ways.diagrams {
            let usage = "--list, --save and --dot need diagrams: use --engine symbolic or both";
            return Err(Failure::Input(usage.to_owned()));
        }
        Ok(if ways.diagrams && (of_set || of_diagram) { Ways::SYMBOLIC } else { ways })
    }

    /// Are states kept elsewhere than in the memory of this program?
    fn is_elsewhere(&self) -> bool {
        self.disk.is_some() || self.hosts.is_some()
    }

    /// The statistics that are asked of a model.
    fn statistics(&self, model: &dyn Kind) -> Vec<Statistic> {
        let mut statistics = vec![Statistic::States];
        // The steps of states that are only passed through are not counted.
        statistics.extend((!model.passes_through()).then_some(Statistic::Transitions));
        if model.terms().counts {
            statistics.extend([Statistic::MaxInVariable, Statistic::MaxInState]);
            statistics.extend((self.bounds || self.report.is_asked()).then_some(Statistic::Bounds));
        }
        statistics.extend(self.deadlocks.then_some(Statistic::Deadlocks));
        statistics.extend(self.time_model.is_some().then_some(Statistic::Markings));
        statistics
    }
}

/// The results; `None` where nothing was asked or known.
#[derive(Default)]
struct Results {
    /// In the order of the figures.
    answers: Vec<(Statistic, Option<Answer>)>,
    deadlock: Option<State>,
    members: Option<Vec<State>>,
    saved: bool,
    /// At least so many states were found, however the search ended.
    at_least: BigUint,
    /// The diagram is too large to be drawn.
    undrawn: bool,
    /// Why members are missing.
    stop: Option<StopReason>,
    /// In what two engines differ, for people.
    disagreement: Option<String>,
    /// Two engines were asked, and agree.
    both: bool,
    order: Option<Scored>,
    orders_tried: Option<usize>,
    nodes: Option<usize>,
    /// Nodes on each level, from the top.
    levels: Vec<usize>,
    peak_nodes: Option<usize>,
    /// A variable without a bound.
    unbounded: Option<String>,
    /// What went on in the folder of `--disk`.
    disk: Option<Folder>,
    /// What went on between the processes of `--hosts`.
    together: Option<Together>,
}

impl Results {
    /// The answer about a figure, if it is known.
    fn answer(&self, statistic: Statistic) -> Option<&Answer> {
        let answer = self.answers.iter().find(|(asked, _)| *asked == statistic)?.1.as_ref();
        answer.filter(|answer| !matches!(answer.value, Value::Unknown(_)))
    }

    /// The number that a figure is.
    fn number(&self, statistic: Statistic) -> Option<&BigUint> {
        match &self.answer(statistic)?.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// At least so many states are reachable, where that is all that is known of their number.
    fn at_least(&self) -> Option<&BigUint> {
        let unknown = self.answer(Statistic::States).is_none();
        (unknown && self.at_least > BigUint::ZERO).then_some(&self.at_least)
    }

    /// Is a figure known to have no bound?
    fn is_infinite(&self) -> bool {
        self.answers.iter().flat_map(|(_, answer)| answer).any(|answer| answer.value == Value::Infinite)
    }

    /// Hold against each other what two engines say: the same, or files to reproduce that it is not.
    fn compare(
        &mut self,
        args: &StatesArgs,
        model: &dyn Kind,
        compared: &[Comparison],
        console: &Console,
    ) -> Result<(), Failure> {
        self.both = !compared.is_empty() && compared.iter().all(|each| each.agreement() == Agreement::Same);
        if let Some(different) = compared.iter().find(|each| each.agreement() == Agreement::Different) {
            let (statistic, _) = self.answers[different.question];
            let (statistic, symbolic, explicit) = (report::name(statistic), &different.symbolic, &different.explicit);
            let bounds = if args.bounds { " --bounds" } else { "" };
            let note = reproduce(&args.ways.reproducers, model, "states", |file| {
                format!(
                    "figure: {statistic}\nsymbolic: {symbolic}\nexplicit: {explicit}\ncommand: starset states {file} \
                     --engine both --deadlocks{bounds}\n"
                )
            });
            let note = note.map_err(Failure::Input)?;
            let note = note.display();
            self.disagreement =
                Some(format!("{statistic}: symbolic says {symbolic}, explicit says {explicit}: please report {note}"));
        } else if let Some(Comparison { symbolic, explicit, .. }) = compared.first().filter(|_| !self.both) {
            for (engine, value) in [("diagrams", symbolic), ("explicit search", explicit)] {
                if let Value::Unknown(why) = value {
                    console.note(format_args!("not compared: {engine}: {why}"));
                }
            }
        }
        Ok(())
    }

    /// How the number of states was found.
    fn technique(&self) -> Technique {
        self.answer(Statistic::States).map_or(Technique::None, |answer| answer.technique)
    }

    /// The effort of explicit search.
    fn explored(&self) -> Option<Stats> {
        self.answers.iter().flat_map(|(_, answer)| answer).find_map(|answer| answer.explored)
    }

    /// Why something stayed unknown, as a word and for people.
    fn reason(&self) -> Option<(&'static str, String)> {
        if let Some(disagreement) = &self.disagreement {
            return Some(("self-check", disagreement.clone()));
        }
        let unknown = self.answers.iter().flat_map(|(_, answer)| answer).find_map(|answer| match &answer.value {
            Value::Unknown(stop) => Some(stop),
            _ => None,
        });
        match unknown.or(self.stop.as_ref()) {
            Some(stop) => Some((stop.reason(), stop.to_string())),
            None if self.is_infinite() => {
                let which =
                    self.unbounded.as_ref().map(|variable| StopReason::Unbounded { variable: variable.clone() });
                let unnamed = || "the net is unbounded: it has infinitely many reachable markings".to_owned();
                Some(("unbounded", which.map_or_else(unnamed, |stop| stop.to_string())))
            }
            None => None,
        }
    }
}

pub(super) fn run(args: &StatesArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    if args.format.get() == Format::Mcc {
        last_words(CANNOT_COMPUTE);
    }
    if args.disk.is_some() {
        needs_file(args.model.is_piped(), "--disk")?;
    }
    if args.hosts.is_some() {
        needs_file(args.model.is_piped(), "--hosts")?;
    }
    let loaded = match args.time_model {
        Some(TimeModel::Dense) => return dense::run(args, &budget, console),
        Some(TimeModel::Integer) => args.model.read_in_whole_units(&budget, console)?,
        None => args.model.read(&budget, console)?,
    };
    let model = &*loaded.model;
    if args.time_model.is_some() && model.tick().is_none() {
        let model = model.terms().model;
        return Err(Failure::Input(format!("--time-model is for nets with clocks; in this {model} no time passes")));
    }
    let statistics = args.statistics(model);
    let ways = args.ways()?;
    let settings = args.ways.switches.settings(args.ways.engine);
    let settings = Settings { search: args.search, threads: args.limits.threads(), ..settings };
    let settings = args.order.settings(model, settings, &budget)?;
    if let Some(disk) = &args.disk {
        return on_disk(args, disk, &loaded, &settings, &budget, console);
    }
    if let Some(file) = &args.hosts {
        return on_hosts(args, file, &loaded, &settings, &budget, console);
    }
    if !args.each.is_empty() {
        return of_each(args, &loaded, &settings, &budget, console);
    }
    let profile = Profile::default();
    let settings = Settings { ways, profile: Some(&profile), ..settings };
    let create = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::create).transpose();
    let files = Files { save: create(&args.save)?, dot: create(&args.dot)? };
    let page = args.report.create()?;
    let meter = Meter::start(args.progress, args.search, model.variables(), console);
    let growth = args.report.is_asked().then(Growth::start);
    let listener = StatesListener {
        args,
        model,
        budget: &budget,
        meter: &meter,
        growth: growth.as_ref(),
        results: Mutex::new(Results {
            answers: statistics.iter().map(|&statistic| (statistic, None)).collect(),
            ..Results::default()
        }),
        files: Mutex::new(Ok(files)),
    };
    let asked: Vec<Request> = statistics.iter().map(|&statistic| asked(statistic)).collect();
    let (pool, groups) = (Pool::new(), &loaded.groups);
    let subject = Subject { model, groups, pool: &pool };
    let compared = match args.ways.engine {
        Engine::Both => decide_twice(subject, &asked, &settings, &budget, &listener),
        _ => {
            decide(subject, &asked, &settings, &budget, &listener);
            Vec::new()
        }
    };
    let StatesListener { results, files, .. } = listener;
    meter.stop();
    files.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.compare(args, model, &compared, console)?;
    let growth = growth.map(Growth::stop).unwrap_or_default();
    let bounds = report::bounds(model, &results).unwrap_or_default();
    let bounds = bounds
        .into_iter()
        .map(|(variable, bound)| (model.variable(variable).to_owned(), report::told(bound)))
        .collect();
    if !args.bounds {
        // A page asks for them, and changes nothing else.
        results.answers.retain(|(statistic, _)| *statistic != Statistic::Bounds);
    }
    let beside = Beside::default().with_growth(growth).with_bounds(bounds);
    let status = end(args, &loaded, &results, page.map(|page| (page, beside)), console)?;
    profile::show(&profile, args.format.get(), console)?;
    Ok(status)
}

/// Explore with the states in a folder.
fn on_disk(
    args: &StatesArgs,
    disk: &DiskArg,
    loaded: &Loaded,
    settings: &Settings<'_>,
    budget: &Budget,
    console: &mut Console,
) -> Result<Status, Failure> {
    needs_search(args.ways.engine, "--disk")?;
    let model = &*loaded.model;
    let meter = Meter::start(args.progress, args.search, model.variables(), console);
    let found = disk::explore((model, args.model.fingerprint(loaded)?), disk, settings, budget, &meter);
    meter.stop();
    let (explored, folder) = found?;
    let results = Results { disk: folder, ..results_of(args, model, explored) };
    end(args, loaded, &results, None, console)
}

/// Explore on several machines. Process 0 reports; the others say on standard error why they know nothing, if they do.
fn on_hosts(
    args: &StatesArgs,
    file: &Path,
    loaded: &Loaded,
    settings: &Settings<'_>,
    budget: &Budget,
    console: &mut Console,
) -> Result<Status, Failure> {
    needs_search(args.ways.engine, "--hosts")?;
    let model = &*loaded.model;
    let meter = Meter::start(args.progress, args.search, model.variables(), console);
    let known_by = (model, args.model.fingerprint(loaded)?);
    let found = hosts::explore(known_by, (file, args.process), settings, budget, &meter);
    meter.stop();
    let (explored, together, reports) = found?;
    let results = Results { together, ..results_of(args, model, explored) };
    if reports {
        return end(args, loaded, &results, None, console);
    }
    report::summary(args, &results, console);
    Ok(if results.reason().is_some() { Status::Unknown } else { Status::Answered })
}

/// What a search knows that keeps its states elsewhere.
fn results_of(args: &StatesArgs, model: &dyn Kind, explored: disk::Explored) -> Results {
    let disk::Explored { ended, at_least, deadlock } = explored;
    let answer = |statistic| {
        let (value, technique, explored) = match &ended {
            Ok(all) => (disk::value(model, all, statistic), Technique::Explicit, Some(all.stats)),
            Err(stop) => (Value::Unknown(stop.clone()), Technique::None, None),
        };
        (statistic, Some(Answer { question: 0, value, technique, explored }))
    };
    Results {
        answers: args.statistics(model).into_iter().map(answer).collect(),
        at_least: at_least.into(),
        deadlock: deadlock.filter(|_| args.deadlocks),
        ..Results::default()
    }
}

/// What holds of each transition or place.
fn of_each(
    args: &StatesArgs,
    loaded: &Loaded,
    settings: &Settings<'_>,
    budget: &Budget,
    console: &mut Console,
) -> Result<Status, Failure> {
    if args.ways.engine == Engine::Both {
        return Err(Failure::Input("--each asks one engine: use --engine auto, symbolic or explicit".to_owned()));
    }
    let asked = each::Asked { properties: &args.each, known: args.known.as_deref(), format: args.format.get() };
    each::run(loaded, &asked, settings, budget, console)
}

/// Print what was found.
fn end(
    args: &StatesArgs,
    loaded: &Loaded,
    results: &Results,
    page: Option<(OutputFile, Beside)>,
    console: &mut Console,
) -> Result<Status, Failure> {
    let model = &*loaded.model;
    let fields = report::fields(args, model, results, console.started().elapsed());
    match args.format.get() {
        Format::Text => report::text(args, loaded, results, console)?,
        Format::Json => console.json(&fields)?,
        Format::Mcc => report::mcc(results, console)?,
    }
    if let Some((file, beside)) = page {
        let mut page = super::page::Collected::default();
        page.add(0, fields, None, beside);
        let order = results.order.as_ref().map(|order| (&order.order, &results.levels[..]));
        page.write(file, loaded, order)?;
    }
    // The results come first where both streams go to one terminal.
    console.flush()?;
    report::summary(args, results, console);
    Ok(match results.reason() {
        None => Status::Answered,
        Some(_) if results.disagreement.is_some() => Status::SelfCheck,
        Some(_) => Status::Unknown,
    })
}

/// The question about a figure, for a deadlock with an example.
fn asked(statistic: Statistic) -> Request {
    Request { witness: statistic == Statistic::Deadlocks, ..Question::Statistic(statistic).into() }
}

/// The files beside the figures, until they are written.
struct Files {
    save: Option<OutputFile>,
    dot: Option<OutputFile>,
}

/// Hears the decider.
struct StatesListener<'a> {
    args: &'a StatesArgs,
    model: &'a dyn Kind,
    budget: &'a Budget,
    meter: &'a Meter,
    growth: Option<&'a Growth>,
    results: Mutex<Results>,
    /// Those that are asked for, or why they could not be written.
    files: Mutex<Result<Files, Failure>>,
}

impl StatesListener<'_> {
    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Write the files that are asked for.
    fn write(&self, files: Files, space: &StateSpace, nodes: usize) -> Result<(), Failure> {
        if let Some(save) = files.save {
            self.meter.phase("saving");
            let saved = saved(self.model, (space, &space.set), String::new(), self.budget).map_err(not_saved)?;
            save.write(|out| saved.save(out))?;
            self.results().saved = true;
        }
        if let Some(dot) = files.dot {
            self.meter.phase("drawing");
            if nodes > MOST_DRAWN {
                self.results().undrawn = true;
                return Ok(());
            }
            dot.write(|out| out.write_all(space.set.to_dot(space.relation.names()).as_bytes()))?;
        }
        Ok(())
    }
}

impl Listener for StatesListener<'_> {
    fn answered(&self, answer: Answer) {
        if let Some(slot) = self.results().answers.get_mut(answer.question) {
            slot.1 = Some(answer);
        }
    }

    fn explained(&self, _: usize, explained: Explained) {
        if let Explained::State(state) = explained {
            self.results().deadlock = Some(state);
        }
    }

    fn faulty(&self, question: usize, fault: Fault) {
        let statistic = self.args.statistics(self.model).get(question).map_or("", |&statistic| report::name(statistic));
        self.results().disagreement = Some(format!("{statistic}: {fault}"));
    }

    fn unbounded(&self, variable: &str) {
        self.results().unbounded = Some(variable.to_owned());
    }

    fn explored(&self, space: &StateSpace, _model_states: Option<&BigUint>) {
        let size = space.set.size();
        {
            let mut results = self.results();
            (results.order, results.orders_tried) = (Some(space.order.clone()), Some(space.tried));
            (results.nodes, results.peak_nodes) = (Some(size.nodes), Some(space.peak_nodes()));
            results.levels = space.nodes_per_variable();
        }
        let space = match space.of_meant(self.budget) {
            Ok(meant) => meant,
            Err(stop) => return self.results().stop = Some(stop),
        };
        if let Some(most) = self.args.list {
            self.meter.phase("listing");
            let members = space.lightest(&space.set, self.budget).and_then(|states| {
                let state = |state| Ok(self.budget.check().map(|()| state)?);
                states.take(most).map(state).collect::<Result<Vec<_>, SetError>>()
            });
            match members {
                Ok(members) => self.results().members = Some(members),
                Err(error) => self.results().stop = Some(error.into()),
            }
        }
        let nothing = Files { save: None, dot: None };
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(asked) = std::mem::replace(&mut *files, Ok(nothing)) {
            let written = self.write(asked, &space, size.nodes);
            *files = written.map(|()| Files { save: None, dot: None });
        }
        self.meter.phase("counting");
    }

    fn progress(&self, progress: Progress<'_>) {
        if let Progress::AtLeast(states) = progress {
            let mut results = self.results();
            if *states > results.at_least {
                results.at_least = states.clone();
            }
        }
        if let Some(growth) = self.growth {
            growth.event(&progress);
        }
        self.meter.event(progress);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::cli::console::Loudness;
    use clap::Parser;
    use starset::kinds::net::pnml;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        states: StatesArgs,
    }

    #[test]
    fn figures_that_differ_are_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let words = ["states", "models/philo-5.pnml", "--deadlocks", "--reproducers", folder.path().to_str().unwrap()];
        let args = Line::parse_from(words).states;
        let net = pnml::read_path(Path::new("models/philo-5.pnml")).unwrap();
        let console = Console::new(std::io::stdout(), Loudness::Quiet);
        let results = |explicit: u64| {
            let answers = vec![(Statistic::States, None)];
            let mut results = Results { answers, ..Results::default() };
            let [symbolic, explicit] = [5, explicit].map(|number: u64| Value::Number(number.into()));
            let compared = [Comparison { question: 0, symbolic, explicit }];
            results.compare(&args, &net, &compared, &console).unwrap();
            results
        };
        let agree = results(5);
        assert!(agree.both && agree.disagreement.is_none());
        let differ = results(6);
        assert!(differ.disagreement.is_some_and(|text| text.contains("symbolic says 5, explicit says 6")));
        assert!(folder.path().join("disagreement-states.txt").exists());
        assert!(folder.path().join("disagreement-states.pnml").exists());
    }
}

//! `starset check`: does the initial state satisfy the formulas? And `starset satset`: which states do?
//!
//! The questions go to the decider ([`starset::decide`]), on a thread of their own; what it finds comes back as events
//! ([`Event`]), which the [`Collector`] puts in order and prints.

use super::asking::Common;
use super::certify;
use super::collector::{Collector, Event, Summary};
use super::examples;
use super::formulas::{NamedQuestion, Part};
use super::output_file::OutputFile;
use super::page::Collected;
use super::profile;
use super::progress::Meter;
use super::sets::{Named, SetArgs};
use super::ways::{Engine, Switches, WaysArgs};
use super::{Console, Failure, Status};
use num_bigint::BigUint;
use starset::budget::Budget;
use starset::decide::{
    self, Answer, Comparison, Explained, Fault, Listener, Profile, Progress, Request, Settings, StateSpace, Statistic,
    Subject, Ways, decide_twice,
};
use starset::formula::Pool;
use starset::kinds::{Loaded, Purpose, Saved};
use starset::mdd::Mdd;
use starset::report::formulas::Explored;
use starset::symbolic::Search;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Sender};
use std::time::Instant;

mod elsewhere;

use elsewhere::{Elsewhere, ElsewhereArgs};

/// Arguments of `starset check`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::CHECK)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    ways: WaysArgs,
    /// End with status 1 if a property is false
    #[arg(long, help_heading = "Results")]
    fail_if_false: bool,
    /// Write a checked certificate of one formula
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    elsewhere: ElsewhereArgs,
}

/// Arguments of `starset satset`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::SATSET)]
pub(super) struct SatsetArgs {
    #[command(flatten)]
    common: Common,
    /// A set saved with --save, of states of this model; formulas are optional then
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    #[command(flatten)]
    sets: SetArgs,
    #[command(flatten)]
    switches: Switches,
}

/// Asks two engines: [`decide_twice`], or a stand-in of the tests.
type Twice = fn(Subject<'_>, &[Request], &Settings<'_>, &Budget, &dyn Listener) -> Vec<Comparison>;

/// Wishes beside the arguments that both commands have.
struct Wishes<'a> {
    engine: Engine,
    settings: Settings<'static>,
    /// Are two engines to be compared?
    twice: Option<Twice>,
    reproducers: &'a Path,
    /// Wishes for sat-sets, where sets are asked for.
    sets: Option<&'a SetArgs>,
    load: Option<&'a Path>,
    certificate: Option<&'a Path>,
    /// Where states are kept, if not in memory.
    elsewhere: Option<&'a ElsewhereArgs>,
}

pub(super) fn run(args: &CheckArgs, console: &mut Console) -> Result<Status, Failure> {
    run_with(args, decide_twice, console)
}

fn run_with(args: &CheckArgs, twice: Twice, console: &mut Console) -> Result<Status, Failure> {
    let wishes = Wishes {
        engine: args.ways.engine,
        settings: args.ways.switches.settings(args.ways.engine),
        twice: (args.ways.engine == Engine::Both).then_some(twice),
        reproducers: &args.ways.reproducers,
        sets: None,
        load: None,
        certificate: args.certificate.as_deref(),
        elsewhere: Some(&args.elsewhere).filter(|elsewhere| elsewhere.is_asked()),
    };
    args.elsewhere.accept(&args.common, args.ways.engine)?;
    let summary = answer(&args.common, &wishes, console)?;
    Ok(match summary.status() {
        Status::Answered if summary.refuted && args.fail_if_false => Status::Refuted,
        status => status,
    })
}

pub(super) fn run_satset(args: &SatsetArgs, console: &mut Console) -> Result<Status, Failure> {
    let wishes = Wishes {
        engine: Engine::Symbolic,
        settings: args.switches.settings(Engine::Symbolic),
        twice: None,
        reproducers: Path::new("."),
        sets: Some(&args.sets),
        load: args.load.as_deref(),
        certificate: None,
        elsewhere: None,
    };
    Ok(answer(&args.common, &wishes, console)?.status())
}

fn answer(args: &Common, wishes: &Wishes<'_>, console: &mut Console) -> Result<Summary, Failure> {
    OutputFile::probe(args.witness.witness_dot.as_deref())?;
    OutputFile::probe(wishes.certificate)?;
    OutputFile::probe(wishes.sets.and_then(|sets| sets.save.as_deref()))?;
    let stop = Arc::new(AtomicBool::new(false));
    let budget = args.limits.budget(console).with_flag(Arc::clone(&stop));
    args.formulas.once(args.model.is_piped())?;
    // The questions of the model itself, if nothing else is asked.
    let own = args.formulas.is_empty() && wishes.sets.is_none();
    let asked = args.formulas.in_words_of_models();
    let loaded = match own || args.formulas.asks_invariant() || !asked.is_empty() {
        true => args.model.read_with_questions((asked, purpose(args, wishes)), &budget, console)?,
        false => args.model.read(&budget, console)?,
    };
    let page = args.witness.report.create()?;
    let own = own && !loaded.questions.list.is_empty();
    if args.formulas.is_empty() && !own && wishes.load.is_none() {
        let usage = "no formula: give one with -f FORMULA, a property file with -x FILE, or --automaton FILE";
        return Err(Failure::Input(usage.to_owned()));
    }
    let mut parts = args.formulas.parts(loaded, (own, &wishes.settings), args.model.exact(), &budget, console)?;
    if parts.len() > 1 && wishes.load.is_some() {
        let why = "the formulas need units of time of their own, and a saved set has one; ask them one by one";
        return Err(Failure::Input(why.to_owned()));
    }
    if parts.len() > 1 && wishes.elsewhere.is_some() {
        let why = "the formulas need units of time of their own, each with states of its own; ask them one by one";
        return Err(Failure::Input(why.to_owned()));
    }
    if parts.len() == 1 {
        // Nothing waits for another model.
        parts.iter_mut().for_each(|part| part.numbers.clear());
    }
    let (mut summary, mut collected, several) = (Summary::default(), Collected::default(), parts.len() > 1);
    let mut last = None;
    for part in parts {
        let on_page = page.is_some().then_some(&mut collected);
        let (found, loaded, space) = about(args, wishes, part, on_page, (&budget, &stop), console)?;
        summary.add(found);
        last = Some((loaded, space.filter(|_| !several)));
    }
    if let (Some(file), Some((loaded, space))) = (page, last) {
        // The sets of several forms of a model have nodes of their own.
        let levels = space.as_ref().and_then(|space| space.levels.as_ref());
        collected.write(file, &loaded, levels.map(|(variables, nodes)| (variables, &nodes[..])))?;
    }
    Ok(summary)
}

/// What the model is read for, where questions in its own language are asked.
fn purpose(args: &Common, wishes: &Wishes<'_>) -> Purpose {
    let shows = args.witness.is_asked() || wishes.sets.is_some();
    let names = args.order.is_asked() || wishes.load.is_some() || args.formulas.names_variables();
    match wishes.certificate {
        // What is kept elsewhere is the states of the whole model.
        _ if shows || names || wishes.twice.is_some() || wishes.elsewhere.is_some() => Purpose::Questions,
        Some(_) => Purpose::Proofs,
        None => Purpose::Verdicts,
    }
}

/// Answer what is asked of one model; a page collects the answers. The model comes back, with its reachable set.
fn about(
    args: &Common,
    wishes: &Wishes<'_>,
    Part { loaded, pool, questions, numbers }: Part,
    page: Option<&mut Collected>,
    (budget, stop): (&Budget, &AtomicBool),
    console: &mut Console,
) -> Result<(Summary, Loaded, Option<Explored>), Failure> {
    let saved = wishes.load.map(|path| Saved::load(path, &*loaded.model, budget)).transpose()?;
    let (translator, profile) = (args.translator.get()?, Profile::default());
    let ways = wishes.settings.ways;
    let settings = Settings {
        // Only diagrams work with automata that others make.
        ways: if args.translator.is_asked() && ways.diagrams { Ways::SYMBOLIC } else { ways },
        orders: match &saved {
            Some(saved) => args.order.or_else("as saved", saved.order.clone(), &*loaded.model, budget)?,
            None => args.order.given(&*loaded.model, budget)?,
        },
        known_orders: args.order.known()?,
        seed: args.order.seed(),
        translator: &*translator,
        threads: args.limits.threads(),
        effort: args.witness.effort(),
        profile: Some(&profile),
        ..wishes.settings.clone()
    };
    let mut asked = asked(args, wishes, &questions);
    let (fair, pool) = fair_paths(&mut asked, &questions, pool, usize::from(wishes.load.is_some()), &settings);
    let mut collector = Collector::new(args, &loaded, &pool, &asked, wishes.reproducers);
    collector.turns = numbers;
    collector.fair = fair;
    (collector.engine, collector.sets, collector.compares) =
        (wishes.engine, wishes.sets.is_some(), wishes.twice.is_some());
    if let Some(saved) = &saved {
        collector.add_loaded(saved.formula());
    }
    questions.iter().for_each(|question| collector.add(question));
    let meter = Meter::start(args.progress, Search::Saturation, loaded.model.variables(), console);
    let (sender, receiver) = mpsc::channel();
    let subject = Subject { model: &*loaded.model, groups: &loaded.groups, pool: &pool };
    let (started, kept) = (console.started(), certify::KeptSpace::default());
    let elsewhere = wishes.elsewhere.map(|elsewhere| elsewhere.get(args, &loaded, &questions)).transpose()?.flatten();
    if elsewhere.as_ref().is_some_and(Elsewhere::is_silent) {
        console.silence();
    }
    let (heard, told) = std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let (loaded, saved, sets, budget) = (&loaded, saved.as_ref(), wishes.sets, budget);
            let kept = wishes.certificate.map(|_| &kept);
            let wire =
                Wire { sender, meter: &meter, loaded, questions: &questions, saved, sets, budget, started, kept };
            match (&elsewhere, wishes.twice) {
                (Some(elsewhere), _) => return elsewhere.decide(subject, &asked, &settings, budget, &wire),
                (None, Some(twice)) => wire.send(Event::Compared(twice(subject, &asked, &settings, budget, &wire))),
                (None, None) => decide::decide(subject, &asked, &settings, budget, &wire),
            }
            Ok(None)
        });
        let heard = collector.listen(&receiver, console);
        // Where nothing can be printed, nothing needs to be found.
        stop.store(heard.is_err(), Relaxed);
        (heard, asking.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    meter.stop();
    heard?;
    if let Some(told) = told? {
        console.note(told);
    }
    collector.finish(page, console)?;
    profile::show(&profile, args.format.get(), console)?;
    if let Some(file) = wishes.certificate {
        let value =
            collector.records.last().and_then(|record| record.answer.as_ref()).map(|answer| answer.value.clone());
        let answered = (&questions[..], value.as_ref(), kept.into_space());
        let written = certify::of_check(args, (&loaded, &pool), answered, (file, &settings, budget), console)?;
        collector.summary.broken |= written == Status::SelfCheck;
        collector.summary.unknown |= written == Status::Unknown;
    }
    let (summary, space) = (collector.summary, collector.space.take());
    drop(collector);
    Ok((summary, loaded, space))
}

/// The questions as the decider takes them. A saved set wants the reachable one, and so asks for its size.
fn asked(args: &Common, wishes: &Wishes<'_>, questions: &[NamedQuestion]) -> Vec<Request> {
    let page = args.witness.report.is_asked() && wishes.settings.ways.diagrams;
    let of = |question: &NamedQuestion| {
        let is_shown = matches!(
            question.asked,
            decide::Question::Formula { .. } | decide::Question::Automaton { .. } | decide::Question::Distance { .. }
        );
        let has_set = question.paths().is_some();
        Request {
            question: question.asked.clone(),
            set: has_set && (wishes.sets.is_some() || page),
            witness: is_shown && args.witness.is_asked(),
        }
    };
    let states = wishes.load.map(|_| decide::Question::Statistic(Statistic::States).into());
    questions.iter().map(of).chain(states).collect()
}

/// Ask whether there are fair paths, once for the same assumptions and paths: of each such question its number, and the
/// records, which come after those that are `offset` of them, that it is about.
fn fair_paths(
    asked: &mut Vec<Request>,
    questions: &[NamedQuestion],
    mut pool: Pool,
    offset: usize,
    settings: &Settings<'_>,
) -> (BTreeMap<usize, (Vec<usize>, bool)>, Pool) {
    let mut about: BTreeMap<usize, (Vec<usize>, bool)> = BTreeMap::new();
    let mut known = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let (Some(fair), Some(paths)) = (&question.fair, question.paths()) else { continue };
        let place = known.iter().find(|(key, _)| *key == (fair.exists, paths)).map(|&(_, place)| place);
        let place = place.unwrap_or_else(|| {
            asked.push(decide::Question::formula(&mut pool, fair.exists, paths, settings.route).into());
            known.push(((fair.exists, paths), asked.len() - 1));
            asked.len() - 1
        });
        about.entry(place).or_default().0.push(number + offset);
    }
    (about, pool)
}

/// Passes on what the decider finds.
struct Wire<'a> {
    sender: Sender<Event>,
    meter: &'a Meter,
    loaded: &'a Loaded,
    questions: &'a [NamedQuestion],
    saved: Option<&'a Saved>,
    sets: Option<&'a SetArgs>,
    budget: &'a Budget,
    started: Instant,
    /// Keeps the reachable set, if a certificate is wanted.
    kept: Option<&'a certify::KeptSpace>,
}

impl Wire<'_> {
    fn send(&self, event: Event) {
        // Nobody listens any more when the output cannot be written.
        let _lost = self.sender.send(event);
    }

    /// The set of a formula, or that of a file.
    fn report(&self, question: Option<usize>, space: &StateSpace, set: &Mdd, named: Named<'_>) {
        let plain = SetArgs::default();
        let sets = self.sets.unwrap_or(&plain);
        let report = sets.report(&*self.loaded.model, space, set, named, self.budget);
        self.send(Event::Set(question, report));
    }
}

impl Listener for Wire<'_> {
    fn answered(&self, answer: Answer) {
        self.send(Event::Answered(answer, self.started.elapsed()));
    }

    fn explained(&self, question: usize, explained: Explained) {
        self.send(Event::Explained(question, explained));
    }

    fn set(&self, question: usize, space: &StateSpace, set: &Mdd) {
        let Some(asked) = self.questions.get(question) else { return };
        let suffix = (question > 0 || self.saved.is_some()).then_some(asked.id.as_str());
        let some = asked.asked.is_about_some_initial_state();
        self.report(Some(question), space, set, Named { formula: &asked.text, suffix, some });
    }

    fn faulty(&self, question: usize, fault: Fault) {
        self.send(Event::Faulty(question, fault));
    }

    fn explored(&self, space: &StateSpace, model_states: Option<&BigUint>) {
        self.send(Event::Explored(Explored::of(space, model_states, self.budget)));
        self.kept.iter().for_each(|kept| kept.explored(space, model_states));
        if let Some(saved) = self.saved {
            let named = Named { formula: saved.formula(), suffix: None, some: false };
            match space.load(saved, &*self.loaded.model, self.budget) {
                Ok(set) => self.report(None, space, &set, named),
                Err(error) => self.send(Event::Set(None, Err(error.into()))),
            }
        }
        self.meter.phase("formulas");
    }

    fn progress(&self, progress: Progress<'_>) {
        self.meter.event(progress);
    }
}

#[cfg(test)]
mod tests;

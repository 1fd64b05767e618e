//! `starset check`: does the initial marking satisfy the formulas? And `starset satset`: which markings do?

mod opinion;
mod sizes;

use super::engine::{self, Decide, Engine, EngineArgs, Explored, Searches, Value};
use super::formulas::{FormulaArgs, Question, Subject};
use super::loaded::{Loaded, saved_levels};
use super::model::{ModelArg, marking_text};
use super::network;
use super::number::count;
use super::options::{Format, FormatArgs, Limits, ProgressMode};
use super::order::OrderArgs;
use super::outcome::{reason, stopped};
use super::output_file::OutputFile;
use super::page::Collected;
use super::progress::Meter;
use super::translator::TranslatorArgs;
use super::witness::{Explained, WitnessArgs, Witnesses};
use super::{Console, Failure, Status};
use clap::ValueEnum;
use num_bigint::BigUint;
use serde::Serialize;
use starset::automaton::{TranslationError, Translator};
use starset::budget::{Budget, Exhausted};
use starset::examination::{Event, Options, StateSpace, explore, explore_relation};
use starset::formula::{Logic, PathSemantics, Pool, Symbols};
use starset::lts::{Model, Network};
use starset::mdd::{Mdd, SavedSet, with_deep_stack};
use starset::memory::peak_resident_bytes;
use starset::net::PetriNet;
use starset::order::Order;
use starset::relation::Relation;
use starset::report::witness::JsonWitness;
use starset::symbolic::{Checker, Halt, ProductKind, Search, Verdicts, Work};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Instant;

/// Names of the techniques used, in the vocabulary of the contest.
const TECHNIQUES: [&str; 2] = ["DECISION_DIAGRAMS", "SEQUENTIAL_PROCESSING"];
/// The same of the explicit engine.
const EXPLICIT_TECHNIQUES: [&str; 2] = ["EXPLICIT", "SEQUENTIAL_PROCESSING"];
/// Stack of the explicit engine's thread: it recurses over the formulas of the translator only.
const SEARCH_STACK: usize = 64 << 20;

/// Arguments that `check` and `satset` share.
#[derive(clap::Args, Debug)]
struct Common {
    #[command(flatten)]
    model: ModelArg,
    #[command(flatten)]
    formulas: FormulaArgs,
    /// How the product with an automaton is computed
    #[arg(long, value_enum, default_value = "components")]
    product: ProductArg,
    #[command(flatten)]
    translator: TranslatorArgs,
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

/// Arguments of `starset check`.
#[derive(clap::Args, Debug)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    witness: WitnessArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// End with status 1 if a property is false
    #[arg(long)]
    fail_if_false: bool,
}

/// Arguments of `starset satset`.
#[derive(clap::Args, Debug)]
pub(super) struct SatsetArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    witness: WitnessArgs,
    /// A set saved with --save, of markings of this net; formulas are optional then
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// List N of the markings, those with the fewest tokens
    #[arg(long, value_name = "N")]
    list: Option<usize>,
    /// Save the set to a file (of several sets: with the identifier appended to the name but for the first)
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// How products are computed, as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ProductArg {
    /// Component by component of the automaton
    Components,
    /// As one fixpoint over the whole product: slow, for comparison
    Plain,
}

impl From<ProductArg> for ProductKind {
    fn from(arg: ProductArg) -> Self {
        match arg {
            ProductArg::Components => ProductKind::Components,
            ProductArg::Plain => ProductKind::Plain,
        }
    }
}

/// What is reported of one question.
#[derive(Serialize)]
struct Answer<'a> {
    schema: &'static str,
    model: &'a str,
    id: &'a str,
    formula: &'a str,
    logic: Option<String>,
    paths: Option<String>,
    verdict: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<String>,
    reason: Option<&'static str>,
    message: Option<String>,
    satisfying: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    satisfying_message: Option<String>,
    reachable: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    markings: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<String>,
    engine: &'static str,
    techniques: [&'static str; 2],
    order: Option<&'a str>,
    peak_nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explored: Option<Explored>,
    peak_memory_bytes: Option<u64>,
    seconds: f64,
    witness: Option<JsonWitness<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness_message: Option<String>,
}

/// What a sat-set is asked for, beside the verdict.
struct SetWishes<'a> {
    load: Option<&'a Path>,
    list: Option<usize>,
    save: Option<&'a Path>,
}

pub(super) fn run(args: &CheckArgs, console: &mut Console) -> Result<Status, Failure> {
    run_with(args, engine::decide, console)
}

fn run_with(args: &CheckArgs, decide: Decide, console: &mut Console) -> Result<Status, Failure> {
    let summary = answer(&args.common, None, &args.witness, Some((&args.engine, decide)), console)?;
    Ok(match summary {
        Summary { broken: true, .. } => Status::SelfCheck,
        Summary { undefined: true, .. } => Status::Undefined,
        Summary { unknown: true, .. } => Status::Unknown,
        Summary { refuted: true, .. } if args.fail_if_false => Status::Refuted,
        _ => Status::Answered,
    })
}

pub(super) fn run_satset(args: &SatsetArgs, console: &mut Console) -> Result<Status, Failure> {
    let wishes = SetWishes { load: args.load.as_deref(), list: args.list, save: args.save.as_deref() };
    let summary = answer(&args.common, Some(wishes), &args.witness, None, console)?;
    Ok(match summary {
        Summary { broken: true, .. } => Status::SelfCheck,
        Summary { undefined: true, .. } => Status::Undefined,
        Summary { unknown: true, .. } => Status::Unknown,
        _ => Status::Answered,
    })
}

#[derive(Default)]
struct Summary {
    /// A witness did not replay, or engines disagree.
    broken: bool,
    unknown: bool,
    /// A formula has no value.
    undefined: bool,
    refuted: bool,
    /// What is to be shown on a page, if one is asked for.
    page: Option<Collected>,
}

fn answer(
    args: &Common,
    sets: Option<SetWishes<'_>>,
    witness: &WitnessArgs,
    engine: Option<(&EngineArgs, Decide)>,
    console: &mut Console,
) -> Result<Summary, Failure> {
    let load = sets.as_ref().and_then(|wishes| wishes.load);
    if args.formulas.is_empty() && load.is_none() {
        let usage = "no formula: give one with -f FORMULA, a property file with -x FILE, or --automaton FILE";
        return Err(Failure::Input(usage.to_owned()));
    }
    let file = witness.report.create()?;
    OutputFile::probe(witness.drawn())?;
    OutputFile::probe(sets.as_ref().and_then(|wishes| wishes.save))?;
    let budget = args.limits.budget(console);
    let network = args.model.network(console)?;
    // A page shows a net, with its runs on it.
    let shown = network.as_ref().filter(|_| witness.report.is_asked()).map(network::shown_net).transpose()?;
    let of_network = network.is_some();
    let network = network.filter(|_| shown.is_none());
    let read;
    let skeleton;
    let (net, symbols, origin): (&PetriNet, Symbols, &str) = match (&network, &shown) {
        (Some(network), _) => {
            skeleton = network.skeleton();
            (&skeleton, network::symbols(network), "")
        }
        (None, Some(net)) => (net, Symbols::of_steps(net), "The net that a network of transition systems amounts to."),
        (None, None) => {
            read = args.model.read(&budget, console)?;
            (&*read, read.symbols().with_labels(args.model.labels()), read.origin())
        }
    };
    let mut pool = Pool::new();
    let questions = args.formulas.read(net, of_network, &symbols, &mut pool)?;
    let model = network.as_ref().map_or(Model::Net(net), Model::Network);
    let witnesses = Witnesses::new(witness, model, &pool, &symbols);
    // The diagram of a loaded set is as deep as the file says, which is checked against the net only then.
    let loaded = match load {
        Some(path) => Some(with_deep_stack(saved_levels(path), || Loaded::read(path, model, net, &budget))?),
        None => None,
    };
    let translator = args.translator.get()?;
    let meter = Meter::start(args.progress, Search::Saturation, net.place_count(), console);
    let decide = (engine.map_or(engine::decide as Decide, |(_, decide)| decide), witnesses.is_some());
    let engine = engine.map(|(engine, _)| engine);
    let searches = Searches::new(engine, decide, model, &questions, &budget, args.limits.threads.into());
    let orders = match &loaded {
        _ if searches.engine == Engine::Explicit => Vec::new(),
        Some(loaded) => args.order.or_else("as saved", loaded.order.clone(), net, &budget)?,
        None => args.order.candidates(net, &budget)?,
    };
    let threads = args.limits.threads.into();
    let options = Options { search: Search::Saturation, orders, threads, fixpoints: true };
    let started = console.started();
    let translator = &*translator;
    let outcome = std::thread::scope(|scope| {
        let (start, begin) = mpsc::channel();
        let (searches, pool) = (&searches, &pool);
        let thread = std::thread::Builder::new().name("explicit".into()).stack_size(SEARCH_STACK);
        thread.spawn_scoped(scope, move || searches.run(pool, &begin))?;
        let outcome = with_deep_stack(net.place_count(), || {
            let mut watch = |event: Event<'_>| meter.event(event);
            let space = match (searches.engine, &network) {
                (Engine::Explicit, _) => Err(Halt::Unsupported("diagrams were not asked")),
                (_, Some(network)) => {
                    let build = |order: &Order| Relation::of_network(network, order.as_slice());
                    explore_relation(net.place_count(), &build, &options, &searches.diagrams(None), &mut watch)
                }
                (_, None) => explore(net, &options, &searches.diagrams(None), &mut watch),
            };
            if space.is_err() {
                // The thread may have ended for lack of questions.
                let _ended = start.send(());
            }
            meter.phase("formulas");
            let budget = &budget;
            let session = Evaluation {
                args,
                net,
                network: network.as_ref(),
                pool,
                budget,
                translator,
                started,
                space,
                sets,
                loaded,
                witnesses,
                searches,
                reproducers: engine.map_or(Path::new("."), |engine| &engine.reproducers),
            };
            let summary = session.all(&questions, file.is_some(), console)?;
            if let (Some(page), Some(file)) = (&summary.page, file) {
                let space = session.space.as_ref().ok();
                let nodes = space.map(|space| (&space.order, space.set.size().nodes_per_level));
                page.write(file, net, origin, nodes.as_ref().map(|(order, nodes)| (*order, &nodes[..])))?;
            }
            Ok(summary)
        });
        (0..questions.len()).for_each(|number| searches.settle(number));
        drop(start);
        outcome
    });
    meter.stop();
    outcome
}

struct Evaluation<'a> {
    args: &'a Common,
    /// Of a network, its skeleton.
    net: &'a PetriNet,
    network: Option<&'a Network>,
    pool: &'a Pool,
    budget: &'a Budget,
    translator: &'a dyn Translator,
    started: Instant,
    space: Result<StateSpace, Halt>,
    sets: Option<SetWishes<'a>>,
    loaded: Option<Loaded>,
    witnesses: Option<Witnesses<'a>>,
    searches: &'a Searches<'a>,
    reproducers: &'a Path,
}

impl<'a> Evaluation<'a> {
    /// Answer the questions in turn, each as soon as it is known.
    fn all(&self, questions: &[Question], page: bool, console: &mut Console) -> Result<Summary, Failure> {
        let tasks: Vec<_> = questions.iter().filter_map(Question::task).collect();
        let numbers = (0..questions.len()).filter(|&number| questions[number].task().is_some());
        let stop: Vec<_> = numbers.map(|number| self.searches.decided(number)).collect();
        let threads = self.args.limits.threads.get();
        std::thread::scope(|scope| {
            let several = self.sets.is_none() && threads > 1 && tasks.len() > 1;
            let verdicts = self.space.as_ref().ok().filter(|_| several).map(|space| {
                let (relation, states, pool) = (&space.relation, &space.set, self.pool);
                let (tasks, stop) = (&tasks, &stop);
                let (product, route) = (self.args.product.into(), self.args.formulas.route());
                let translator = self.translator;
                let work = Work { relation, states, pool, tasks, stop, product, route, translator };
                Verdicts::start(scope, threads, work, &self.searches.diagrams(None))
            });
            self.in_turn(questions, verdicts, page, console)
        })
    }

    /// As [`Evaluation::all`]; verdicts come from other threads where there are some.
    fn in_turn(
        &self,
        questions: &[Question],
        mut verdicts: Option<Verdicts>,
        page: bool,
        console: &mut Console,
    ) -> Result<Summary, Failure> {
        let mut task = 0..;
        let turns: Vec<_> = questions.iter().map(|question| question.task().and_then(|_| task.next())).collect();
        let mut summary = Summary { page: page.then(Collected::default), ..Summary::default() };
        // One checker per path semantics, so that formulas share their subformulas.
        let mut checkers: Vec<(PathSemantics, Checker<'_>)> = Vec::new();
        if let Ok(space) = &self.space {
            for paths in PathSemantics::ALL {
                let checker = Checker::new(&space.relation, space.set.clone(), paths);
                let checker = checker.map_err(|halt| Failure::Input(halt.to_string()))?;
                let checker = checker.with_product(self.args.product.into()).with_route(self.args.formulas.route());
                checkers.push((paths, checker.with_translator(self.translator)));
            }
        }
        let reachable = match &self.space {
            Ok(space) => space.states(self.budget).ok(),
            Err(_) => None,
        };
        if let Some(loaded) = &self.loaded {
            self.loaded(loaded, reachable.as_ref(), &mut summary, console)?;
        }
        // Each question has a fair share of the time; what one leaves goes to the others, and in the end to a second
        // attempt at those whose share was too small.
        let mut queue: VecDeque<_> = (0..questions.len()).map(|number| (number, verdicts.is_none())).collect();
        while let Some((number, again)) = queue.pop_front() {
            let question = &questions[number];
            let mut explained = None;
            let mut report = self.blank(question, reachable.as_ref());
            let mut known = None;
            if let Some(found) = self.searches.early(number) {
                self.explicit(question, found, &mut report, &mut explained, console);
                self.show(question, explained.as_ref(), &mut report, &mut summary)?;
                self.size(question, known, &mut checkers, queue.len(), &mut report, &mut summary);
                self.finish(question, report, &mut summary, console)?;
                continue;
            }
            let mut budget = self.searches.diagrams(Some(number));
            if let Some(time) = self.budget.remaining() {
                budget = budget.with_time(time / (queue.len() as u32 + 1));
            }
            let budget = &budget;
            match &question.subject {
                Subject::Bound(places) => {
                    let bound = match &self.space {
                        Ok(_) => checkers.first().map_or(Ok(None), |(_, checker)| checker.bound(places).map(Some)),
                        Err(halt) => Err(halt.clone()),
                    };
                    match bound {
                        Ok(bound) => report.bound = bound.map(|bound| bound.to_string()),
                        Err(halt) => fail(&mut report, &halt),
                    }
                }
                Subject::Loaded => {}
                Subject::Automaton { automaton, propositions, paths } => {
                    let checker = checkers.iter_mut().find(|(of, _)| of == paths).map(|(_, checker)| checker);
                    let outcome = match (&self.space, checker) {
                        (Ok(space), Some(checker)) => {
                            match checker.sat_automaton(self.pool, automaton, propositions, budget) {
                                Ok(set) if self.sets.is_some() => self.set(question, space, &set, &mut report)?,
                                found => found.map(|set| {
                                    report.verdict = Some(set.contains(space.relation.initial()));
                                    known = Some(set);
                                }),
                            }
                        }
                        (Ok(_), None) => Err(Halt::Unsupported("no checker for these paths")),
                        (Err(halt), _) => Err(halt.clone()),
                    };
                    if let Err(halt) = outcome {
                        fail(&mut report, &halt);
                    }
                }
                Subject::Formula { formula, linear, logic, paths } => {
                    let mut checker = checkers.iter_mut().find(|(of, _)| of == paths).map(|(_, checker)| checker);
                    let outcome = match (&self.space, checker.as_mut()) {
                        (Ok(space), Some(checker)) if self.sets.is_some() => {
                            let found = checker.sat(self.pool, *formula, budget);
                            match found {
                                Ok(set) => self.set(question, space, &set, &mut report)?,
                                Err(halt) => Err(halt),
                            }
                        }
                        (Ok(_), Some(checker)) => {
                            let holds = match (&mut verdicts, turns[number]) {
                                (Some(verdicts), Some(task)) => verdicts.wait(task),
                                _ => checker.holds_initially(self.pool, *formula, budget),
                            };
                            holds.map(|holds| report.verdict = Some(holds))
                        }
                        (Ok(_), None) => Err(Halt::Unsupported("no checker for these paths")),
                        (Err(halt), _) => Err(halt.clone()),
                    };
                    match (outcome, checker, &self.witnesses) {
                        (Err(Halt::Exhausted(Exhausted::Time)), ..)
                            if again && self.space.is_ok() && !queue.is_empty() =>
                        {
                            queue.push_back((number, false));
                            continue;
                        }
                        // It will fail for the other formulas too.
                        (Err(Halt::Translation(error @ TranslationError::Tool { .. })), ..) => {
                            return Err(Failure::Input(error.to_string()));
                        }
                        (Err(halt), ..) => fail(&mut report, &halt),
                        (Ok(()), Some(checker), Some(witnesses)) => {
                            let others = queue.len();
                            // One run for a formula of LTL, not runs for each of the quantifiers that it was computed with.
                            let whole = (*logic == Logic::Ltl).then_some(*linear);
                            explained = Some(witnesses.explain(checker, whole, *formula, others, self.budget));
                        }
                        _ => {}
                    }
                }
            }
            self.second_opinion(number, question, &mut report, &mut explained, &mut summary, console)?;
            self.show(question, explained.as_ref(), &mut report, &mut summary)?;
            self.size(question, known, &mut checkers, queue.len(), &mut report, &mut summary);
            self.finish(question, report, &mut summary, console)?;
        }
        if let Err(halt) = &self.space
            && self.searches.engine != Engine::Explicit
            && summary.unknown
        {
            console.error(stopped(halt, &self.args.limits));
        }
        Ok(summary)
    }

    /// Add what explains a verdict, or doubts it.
    fn show<'w>(
        &'w self,
        question: &Question,
        explained: Option<&'w Explained>,
        report: &mut Answer<'w>,
        summary: &mut Summary,
    ) -> Result<(), Failure> {
        let (Some(explained), Some(witnesses), Some(verdict)) = (explained, &self.witnesses, report.verdict) else {
            return Ok(());
        };
        let doubt = match explained {
            Explained::Witness(witness) if verdict != witness.reason.holds => {
                "the witness contradicts the verdict".to_owned()
            }
            Explained::Witness(witness) => {
                witnesses.draw(&question.id, witness)?;
                report.witness = Some(witnesses.json(witness));
                return Ok(());
            }
            Explained::Missing(why) => {
                report.witness_message = Some(why.clone());
                return Ok(());
            }
            Explained::Broken(broken) => broken.to_string(),
        };
        report.verdict = None;
        report.reason = Some("self-check");
        report.message = Some(doubt);
        summary.broken = true;
        Ok(())
    }

    /// Report the loaded set as that of a formula.
    fn loaded(
        &self,
        loaded: &Loaded,
        reachable: Option<&BigUint>,
        summary: &mut Summary,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let question = Question::loaded(loaded.saved.formula.clone());
        let mut report = self.blank(&question, reachable);
        let outcome = match &self.space {
            Ok(space) => match loaded.within(space, self.searches.model(), self.budget)? {
                Ok(set) => self.set(&question, space, &set, &mut report)?,
                Err(halt) => Err(halt),
            },
            Err(halt) => Err(halt.clone()),
        };
        if let Err(halt) = outcome {
            fail(&mut report, &halt);
        }
        self.finish(&question, report, summary, console)
    }

    /// Print an answer and take note of it.
    fn finish(
        &self,
        question: &Question,
        mut report: Answer<'_>,
        summary: &mut Summary,
        console: &mut Console,
    ) -> Result<(), Failure> {
        report.seconds = self.started.elapsed().as_secs_f64();
        report.peak_memory_bytes = peak_resident_bytes();
        summary.unknown |= report.reason.is_some();
        summary.undefined |= report.reason == Some("undefined");
        summary.refuted |= report.verdict == Some(false);
        if let Some(page) = &mut summary.page {
            page.add(&report, report.witness.map(|shown| shown.witness));
        }
        self.print(question, &report, console)?;
        Ok(console.flush()?)
    }

    fn blank<'q>(&'q self, question: &'q Question, reachable: Option<&BigUint>) -> Answer<'q> {
        let (logic, paths) = match &question.subject {
            Subject::Formula { logic, paths, .. } => (Some(logic.to_string()), Some(paths.to_string())),
            Subject::Automaton { paths, .. } => (Some("automaton".to_owned()), Some(paths.to_string())),
            Subject::Bound(_) | Subject::Loaded => (None, None),
        };
        let space = self.space.as_ref().ok();
        Answer {
            schema: "starset/check/1",
            model: self.net.name(),
            id: &question.id,
            formula: &question.text,
            logic,
            paths,
            verdict: None,
            bound: None,
            reason: None,
            message: None,
            satisfying: None,
            satisfying_message: None,
            reachable: reachable.map(BigUint::to_string),
            markings: None,
            saved: None,
            engine: "symbolic",
            techniques: TECHNIQUES,
            order: space.map(|space| space.order.name.as_str()),
            peak_nodes: space.map(|space| space.set.space().peak_nodes()),
            explored: None,
            peak_memory_bytes: None,
            seconds: 0.0,
            witness: None,
            witness_message: None,
        }
    }

    /// Fill in what is asked of a sat-set. The outer error is one of writing a file.
    fn set(
        &self,
        question: &Question,
        space: &StateSpace,
        set: &Mdd,
        report: &mut Answer<'_>,
    ) -> Result<Result<(), Halt>, Failure> {
        report.verdict = Some(set.contains(space.relation.initial()));
        report.satisfying = match set.count(self.budget) {
            Ok(count) => Some(count.to_string()),
            Err(exhausted) => return Ok(Err(exhausted.into())),
        };
        let Some(wishes) = &self.sets else { return Ok(Ok(())) };
        if let Some(most) = wishes.list {
            match space.lightest(set, self.budget) {
                Ok(markings) => {
                    let text = |marking: Vec<_>| match self.network {
                        Some(network) => network::state_text(&network::local_states(network, &marking)),
                        None => marking_text(self.net, &marking, usize::MAX),
                    };
                    report.markings = Some(markings.take(most).map(text).collect());
                }
                Err(exhausted) => return Ok(Err(exhausted.into())),
            }
        }
        if let Some(path) = wishes.save {
            let first = question.id == if self.loaded.is_some() { Question::LOADED } else { "1" };
            let path = if first { path.to_owned() } else { with_suffix(path, &question.id) };
            let saved =
                SavedSet { formula: question.text.clone(), set: set.clone(), ..space.to_saved(self.searches.model()) };
            OutputFile::create(&path)?.write(|out| saved.save(out))?;
            report.saved = Some(path.display().to_string());
        }
        Ok(Ok(()))
    }

    fn print(&self, question: &Question, report: &Answer<'_>, console: &mut Console) -> Result<(), Failure> {
        let verdict = match (report.verdict, &report.bound) {
            (Some(verdict), _) => verdict.to_string(),
            (None, Some(bound)) => bound.clone(),
            (None, None) => "unknown".to_owned(),
        };
        match self.args.format.get() {
            Format::Json => console.json(report)?,
            Format::Mcc if verdict == "unknown" => {
                console.line(format_args!("FORMULA {} CANNOT_COMPUTE", question.id))?;
            }
            Format::Mcc => {
                let techniques = report.techniques.join(" ");
                let verdict = verdict.to_uppercase();
                console.line(format_args!("FORMULA {} {verdict} TECHNIQUES {techniques}", question.id))?;
            }
            Format::Text => {
                if question.text.len() <= 200 {
                    console.detail(format_args!("{}: {}", question.id, question.text));
                }
                match (&self.sets, &report.satisfying, &report.reachable) {
                    (Some(_), Some(satisfying), Some(reachable)) => {
                        let number = |text: &String| text.parse::<BigUint>().map_or(text.clone(), |n| count(&n));
                        console.line(format_args!(
                            "{}: {verdict}, holds in {} of {} {}",
                            question.id,
                            number(satisfying),
                            number(reachable),
                            if self.network.is_some() { "states" } else { "markings" }
                        ))?;
                    }
                    _ => console.line(format_args!("{}: {verdict}", question.id))?,
                }
                for marking in report.markings.iter().flatten() {
                    console.line(format_args!("  {marking}"))?;
                }
                if let (Some(shown), Some(witnesses)) = (&report.witness, &self.witnesses) {
                    witnesses.print(shown.witness, console)?;
                }
            }
        }
        if let (Some(message), Some(witnesses)) = (&report.witness_message, &self.witnesses) {
            witnesses.miss(&question.id, message, console);
        }
        if let Some(message) = &report.message
            && (self.space.is_ok() || report.engine == "explicit" || report.reason == Some("self-check"))
        {
            console.error(format_args!("{}: {message}", question.id));
        }
        Ok(())
    }
}

/// An answer as it is printed.
fn text(value: Value) -> String {
    match value {
        Value::Verdict(verdict) => verdict.to_string(),
        Value::Bound(bound) => bound.to_string(),
    }
}

fn fail(report: &mut Answer<'_>, halt: &Halt) {
    report.reason = Some(reason(halt));
    report.message = Some(halt.to_string());
}

/// `FILE.ID`, for the set of one of several formulas.
pub(super) fn with_suffix(path: &Path, id: &str) -> PathBuf {
    let safe: String = id.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(safe);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests;

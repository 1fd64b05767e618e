//! `starset cross`: every way of computing against every other, on a model or on random ones.

use super::examples;
use super::formulas::{FormulaArgs, NamedQuestion, Part};
use super::model::read;
use super::options::{Format, FormatArgs, Limits, choice};
use super::translator::TranslatorArgs;
use super::{Console, Failure, Status};
use clap::Args;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde_json::json;
use starset::automaton::Translator;
use starset::budget::Budget;
use starset::cross::{
    self, Disagreement, Judgement, Opinion, Plan, Quantity, Trial, reproduce_disagreement, shrunk, trial,
    trial_of_network, trial_of_partitioned,
};
use starset::decide::{self, Settings};
use starset::kinds::pins::logical::Update;
use starset::kinds::{Kind, Reading};
use starset::report::fields::Fields;
use starset::threads::pool;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Arguments of `starset cross`.
#[derive(Args, Debug)]
#[command(after_help = examples::CROSS)]
// What is compared are formulas.
#[command(mut_arg("automata", |automata| automata.hide(true)))]
pub(super) struct CrossArgs {
    /// A model, in one or several files as for other commands
    #[arg(value_name = "MODEL", required_unless_present = "random", conflicts_with = "random")]
    models: Vec<PathBuf>,
    /// Which variables of a logical network move in a step
    #[arg(long, value_parser = choice(&Update::ALL), default_value = "asynchronous", conflicts_with = "random")]
    update: Update,
    /// Instead of a model: N random nets, each with a random formula
    #[arg(long, value_name = "N", conflicts_with_all = ["formulas", "files", "automata"])]
    random: Option<u64>,
    /// With --random: networks of transition systems, with formulas over their steps
    #[arg(long, requires = "random", conflicts_with = "models")]
    networks: bool,
    /// With --random: models behind a next-state function, with formulas over their state labels, too
    #[arg(long, requires = "random", conflicts_with_all = ["models", "networks"])]
    partitioned: bool,
    /// Seed of whatever is chosen at random; random nets have this seed and those that follow it
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,
    /// The folder for the files that reproduce a disagreement
    #[arg(long, value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    reproducers: PathBuf,
    #[command(flatten)]
    formulas: FormulaArgs,
    #[command(flatten)]
    translator: TranslatorArgs,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    limits: Limits,
}

pub(super) fn run(args: &CrossArgs, console: &mut Console) -> Result<Status, Failure> {
    let budget = args.limits.budget(console);
    match (&args.models[..], args.random) {
        (_, Some(number)) => random(args, number, |_| (), &budget, console),
        ([], None) => Err(Failure::Input("name a MODEL, or --random N".to_owned())),
        (paths, None) => {
            if args.formulas.is_finite() {
                let usage = "cross compares formulas about whole paths: leave out --paths finite";
                return Err(Failure::Input(usage.to_owned()));
            }
            args.formulas.once(paths.iter().any(|path| path.as_os_str() == "-"))?;
            let reading = Reading { update: args.update, ..Reading::default() };
            let loaded = read(paths, reading, &budget, console)?;
            let mut status = Status::Answered;
            for part in args.formulas.parts(loaded, (false, &Settings::default()), false, &budget, console)? {
                status = worse(status, model(args, part, |_| (), &budget, console)?);
            }
            Ok(status)
        }
    }
}

/// All ways on one model; `extend` adds to them.
fn model(
    args: &CrossArgs,
    part: Part,
    extend: impl Fn(&mut Plan<'_>),
    budget: &Budget,
    console: &mut Console,
) -> Result<Status, Failure> {
    let Part { loaded, mut pool, questions, .. } = part;
    let model = &*loaded.model;
    let mut asked = Vec::new();
    for question in &questions {
        asked.push(match &question.asked {
            &decide::Question::Formula { linear, paths, .. } => cross::Question::Formula(linear, paths),
            decide::Question::Bound(places) => cross::Question::Bound(places.clone()),
            &decide::Question::Distance { journey, paths } => cross::Question::Distance(journey, paths),
            _ => {
                let usage = "cross compares formulas that can be read: automata are for check and satset";
                return Err(Failure::Input(usage.to_owned()));
            }
        });
    }
    let other: Option<Box<dyn Translator>> = args.translator.other()?;
    let translators: Vec<(&str, &dyn Translator)> =
        other.iter().map(|other| (", other translator", &**other)).collect();
    let mut plan = Plan::everything(model, args.seed, &translators, budget);
    extend(&mut plan);
    let opinions = cross::compare(model, &mut pool, &asked, &plan, budget);
    let mut status = report(args, model, None, &opinions.space, console)?;
    for (question, opinions) in questions.iter().zip(&opinions.questions) {
        status = worse(status, report(args, model, Some(question), opinions, console)?);
    }
    Ok(status)
}

/// The worse of two ends.
fn worse(a: Status, b: Status) -> Status {
    let rank = |status: &Status| match status {
        Status::SelfCheck => 2,
        Status::Answered => 0,
        _ => 1,
    };
    if rank(&b) > rank(&a) { b } else { a }
}

/// Report what all ways say of one thing.
fn report(
    args: &CrossArgs,
    model: &dyn Kind,
    question: Option<&NamedQuestion>,
    opinions: &[Opinion],
    console: &mut Console,
) -> Result<Status, Failure> {
    let id = question.map_or("states", |question| question.id.as_str());
    let paths = question.and_then(NamedQuestion::paths).map(|paths| paths.to_string());
    let Judgement { quantities, ways, stopped, disagreement } = Judgement::of(opinions);
    let note = match &disagreement {
        Some(found) => {
            let formula = question.map(|question| (question.text.as_str(), paths.as_deref().unwrap_or("maximal")));
            Some(reproduce_disagreement(&args.reproducers, model, id, formula, found).map_err(Failure::Input)?)
        }
        None => None,
    };
    if args.format.get() == Format::Json {
        let quantities: BTreeMap<String, &str> = quantities.iter().map(|(f, value)| (f.to_string(), *value)).collect();
        let fields = Fields::new("starset/cross/1")
            .with("model", model.name())
            .with("id", id)
            .with("formula", question.map(|question| &question.text))
            .with("paths", paths)
            .with("figures", quantities)
            .with("ways", ways)
            .with("stopped", &stopped)
            .with("disagreement", disagreement.as_ref().map(Disagreement::to_string))
            .with("reproducer", note.as_ref().map(|note| note.display().to_string()));
        console.json(&fields.with("seconds", console.started().elapsed().as_secs_f64()))?;
    } else {
        let values: Vec<String> = quantities
            .iter()
            .filter(|(quantity, _)| *quantity != Quantity::Maxima)
            .map(|(quantity, value)| format!("{quantity} {value}"))
            .collect();
        match &disagreement {
            Some(found) => console.judged(id.len() + 7, &format!("{id}: ways disagree: {found}"))?,
            None => console.line(format_args!("{id}: {ways} ways agree: {}", values.join(", ")))?,
        }
    }
    console.flush()?;
    for (way, why) in &stopped {
        console.note(format_args!("{id}: not compared: {way}: {why}"));
    }
    if let Some(note) = note {
        console.error(format_args!("{id}: please report {}", note.display()));
        return Ok(Status::SelfCheck);
    }
    Ok(if stopped.is_empty() { Status::Answered } else { Status::Unknown })
}

/// Trials that threads share before disagreements are reported.
const TRIALS: u64 = 256;

/// Random models and formulas; `extend` adds to the ways that are compared.
fn random(
    args: &CrossArgs,
    number: u64,
    extend: impl Fn(&mut Plan<'_>) + Sync,
    budget: &Budget,
    console: &mut Console,
) -> Result<Status, Failure> {
    let (kind, draw): (&str, fn(u64) -> Trial) = match args {
        CrossArgs { networks: true, .. } => ("networks", trial_of_network),
        CrossArgs { partitioned: true, .. } => ("models", trial_of_partitioned),
        _ => ("nets", trial),
    };
    let compared = |number: u64| {
        budget.check().ok()?;
        let mut drawn = draw(args.seed.wrapping_add(number));
        let (found, opinions) = drawn.run(&extend, budget);
        Some((opinions, found.map(|found| (drawn, found))))
    };
    let pool = pool(args.limits.threads());
    let (mut done, mut ways, mut disagreements) = (0, 0, Vec::new());
    while done < number && budget.check().is_ok() {
        let trials = done..number.min(done.saturating_add(TRIALS));
        let all: Vec<_> = match &pool {
            Some(pool) => pool.install(|| trials.into_par_iter().filter_map(compared).collect()),
            None => trials.filter_map(compared).collect(),
        };
        done += all.len() as u64;
        ways += all.iter().map(|(opinions, _)| opinions).sum::<usize>();
        for (drawn, found) in all.into_iter().filter_map(|(_, found)| found) {
            let seed = drawn.seed;
            let mut small = shrunk(&drawn, &extend, budget);
            let found = small.run(&extend, budget).0.unwrap_or(found);
            let text = small.pool.display(small.formula, &small.model.symbols()).to_string();
            let paths = small.paths.to_string();
            let formula = Some((&*text, &*paths));
            let note =
                reproduce_disagreement(&args.reproducers, small.model.model(), &seed.to_string(), formula, &found);
            let note = note.map_err(Failure::Input)?;
            console.error(format_args!("seed {seed}: {found}: please report {}", note.display()));
            let (disagreement, reproducer) = (found.to_string(), note.display().to_string());
            disagreements.push(json!({ "seed": seed, "disagreement": disagreement, "reproducer": reproducer }));
        }
    }
    let number_found = disagreements.len();
    if args.format.get() == Format::Json {
        let fields = Fields::new("starset/cross-random/1").with("random", number).with("seed", args.seed);
        let fields = fields.with("done", done).with("ways", ways).with("disagreements", disagreements);
        console.json(&fields.with("seconds", console.started().elapsed().as_secs_f64()))?;
    } else {
        let what = if number_found == 0 { "all agree".to_owned() } else { format!("{number_found} disagreements") };
        console.line(format_args!("{done} random {kind}, {ways} answers: {what}"))?;
    }
    Ok(match (number_found, done == number) {
        (0, true) => Status::Answered,
        (0, false) => Status::Unknown,
        _ => Status::SelfCheck,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::cli::console::Loudness;
    use clap::Parser;
    use starset::explicit::{Encoding, Options, check_ltl};
    use starset::formula::Pool;
    use starset::formula::{Formula, FormulaId, PathSemantics};
    use starset::kinds::net::pnml;
    use std::fs;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        cross: CrossArgs,
    }

    /// Wrong about formulas with a next in them.
    fn faulty(model: &dyn Kind, pool: &mut Pool, formula: FormulaId, paths: PathSemantics) -> Option<bool> {
        let next = pool.subformulas(&[formula]).iter().any(|&id| matches!(pool[id], Formula::Next(_)));
        let budget = Budget::unlimited().with_memory(1 << 20);
        let compiled = model.compile(&Encoding::default(), &budget).ok()?;
        let found = check_ltl(&*compiled, pool, formula, paths, &Options::default(), &budget);
        Some(found.ok()?.holds != next)
    }

    fn add(plan: &mut Plan<'_>) {
        plan.others.push(("faulty", &faulty));
    }

    fn console() -> Console {
        Console::new(std::io::stdout(), Loudness::Quiet)
    }

    #[test]
    fn a_fault_leaves_files_that_are_small() {
        let folder = tempfile::tempdir().unwrap();
        let words = ["cross", "--random", "100", "--reproducers", folder.path().to_str().unwrap()];
        let args = Line::parse_from(words).cross;
        let budget = Budget::unlimited();
        let status = random(&args, 100, add, &budget, &mut console()).unwrap();
        assert_eq!(status, Status::SelfCheck);
        let mut notes = 0;
        for file in fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "txt") {
                continue;
            }
            notes += 1;
            let note = fs::read_to_string(&path).unwrap();
            let formula = note.lines().next().unwrap();
            assert!(formula.contains('X') && formula.len() < 30, "{note}");
            let net = pnml::read_path(&path.with_extension("pnml")).unwrap();
            assert!(net.place_count() <= 1 && net.transition_count() <= 1, "{note}");
        }
        assert!(notes > 1);
        let agree = random(&args, 20, |_| (), &budget, &mut console()).unwrap();
        assert_eq!(agree, Status::Answered);
    }

    #[test]
    fn a_fault_on_networks_leaves_files_that_are_small() {
        let folder = tempfile::tempdir().unwrap();
        let words = ["cross", "--random", "60", "--networks", "--reproducers", folder.path().to_str().unwrap()];
        let args = Line::parse_from(words).cross;
        let budget = Budget::unlimited();
        assert_eq!(random(&args, 60, |_| (), &budget, &mut console()).unwrap(), Status::Answered);
        assert_eq!(random(&args, 60, add, &budget, &mut console()).unwrap(), Status::SelfCheck);
        let mut notes = 0;
        for file in fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "txt") {
                continue;
            }
            notes += 1;
            let note = fs::read_to_string(&path).unwrap();
            let model = path.with_extension("dot");
            let loaded = read(std::slice::from_ref(&model), Reading::default(), &budget, &console()).unwrap();
            assert_eq!(loaded.model.variables(), 1, "{note}");
            // The command of the note says what it is about.
            let formula = note.lines().next().unwrap().strip_prefix("formula: ").unwrap();
            let mut pool = Pool::new();
            starset::formula::parse(formula, &loaded.symbols, &mut pool).unwrap();
            assert!(note.contains(&format!("starset cross {}", model.file_name().unwrap().to_str().unwrap())));
        }
        assert!(notes > 1, "{notes}");
    }

    #[test]
    fn a_fault_on_a_model_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let words = ["cross", "models/philo-5.pnml", "-f", "X #Fork_0 = 1", "--paths", "maximal"];
        let words = words.into_iter().chain(["--reproducers", folder.path().to_str().unwrap()]);
        let args = Line::parse_from(words).cross;
        let budget = Budget::unlimited();
        let with = |add: &dyn Fn(&mut Plan<'_>)| {
            let loaded = read(&["models/philo-5.pnml".into()], Reading::default(), &budget, &console()).unwrap();
            let parts = args
                .formulas
                .parts(loaded, (false, &Settings::default()), false, &Budget::unlimited(), &console())
                .unwrap();
            let part = parts.into_iter().next().unwrap();
            model(&args, part, add, &budget, &mut console()).unwrap()
        };
        assert_eq!(with(&|_| ()), Status::Answered);
        assert_eq!(with(&add), Status::SelfCheck);
        let note = fs::read_to_string(folder.path().join("disagreement-1.txt")).unwrap();
        assert!(
            note.contains("command: starset cross disagreement-1.pnml --paths maximal -f 'X (#Fork_0 = 1)'"),
            "{note}"
        );
    }
}

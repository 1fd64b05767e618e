//! `starset automaton`: the automaton of a formula of linear-time logic.

use super::examples;
use super::formulas::automata_in;
use super::options::Limits;
use super::options::stopped;
use super::translator::TranslatorArgs;
use super::{Console, Failure, Status};
use serde_json::json;
use starset::StopReason;
use starset::automaton::finite::{self, Finite};
use starset::automaton::ltl::{Formula, Formulas, Lasso};
use starset::automaton::{Cube, Statistics, Tgba, TranslationError, dot, hoa, satisfying_word};
use starset::budget::Budget;
use starset::report::fields::Fields;
use std::path::Path;

/// Arguments of `starset automaton`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::AUTOMATON)]
pub(super) struct AutomatonArgs {
    /// A formula of linear-time logic, as in 'G(request -> F grant)', or a file with automata (.hoa)
    #[arg(value_name = "LTL", allow_hyphen_values = true)]
    formula: String,
    #[command(flatten)]
    form: Form,
    /// About finite words: the minimal deterministic automaton. X is the strong next, N the weak one
    #[arg(long)]
    finite: bool,
    /// With --finite: about the infinite words that go on after it, where `alive` no longer holds, as Spot does it
    #[arg(long, requires = "finite")]
    alive: bool,
    /// One JSON object with the statistics and, unless --stats is given, the automaton; see docs/json.md
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    translator: TranslatorArgs,
    #[command(flatten)]
    limits: Limits,
}

/// In what form the automaton is written.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
struct Form {
    /// In the Hanoi Omega-Automata format (the default)
    #[arg(long)]
    hoa: bool,
    /// As a picture for Graphviz, components coloured by strength
    #[arg(long)]
    dot: bool,
    /// Only its measures: sizes, components by strength, determinism, stutter invariance
    #[arg(long)]
    stats: bool,
    /// Only a word that it accepts, or that there is none; with --finite a shortest one, for which it is not made
    #[arg(long)]
    word: bool,
}

/// The measures of an automaton.
fn measured(fields: Fields, automaton: &Tgba) -> Fields {
    let statistics = Statistics::of(automaton);
    // The initial component first.
    let components = automaton.components().iter().rev().map(|component| {
        let states: Vec<u32> = component.locations.iter().map(|location| location.0).collect();
        json!({ "strength": component.strength.as_str(), "states": states })
    });
    fields
        .with("states", statistics.locations)
        .with("edges", statistics.edges)
        .with("acceptance_sets", statistics.acceptance_sets)
        .with("propositions", automaton.propositions())
        .with("components", components.collect::<Vec<_>>())
        .with("strength", statistics.strength.as_str())
        .with("deterministic", statistics.nondeterministic_locations == 0)
        .with("nondeterministic_states", statistics.nondeterministic_locations)
        .with("complete", statistics.complete)
        .with("stutter_invariant", statistics.stutter_invariant)
}

pub(super) fn run(args: &AutomatonArgs, console: &mut Console) -> Result<Status, Failure> {
    let path = Path::new(&args.formula);
    let is_file = !args.finite
        && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("hoa"))
        && path.exists();
    if is_file {
        return of_file(args, path, console);
    }
    if args.finite {
        return of_finite_words(args, console);
    }
    let mut store = Formulas::new();
    let read = store.parse_with_remarks(&args.formula);
    let (formula, remarks) = read.map_err(|e| Failure::Input(format!("formula, {e}")))?;
    for (column, remark) in remarks {
        console.warning(format_args!("formula, column {column}: {remark}"));
    }
    let budget = args.limits.budget(console);
    if args.form.word {
        let title = store.text(formula);
        return infinite_word(args, &title, &mut store, formula, &budget, console);
    }
    let automaton = stopped_or_wrong(args.translator.get()?.automaton(&mut store, formula, &budget))?;
    told(args, &store.text(formula), &automaton, console)
}

/// A result of translation, or why it stopped; an error where the input is wrong.
fn stopped_or_wrong<T>(result: Result<T, TranslationError>) -> Result<Result<T, StopReason>, Failure> {
    match result {
        Err(error @ (TranslationError::TooDeep | TranslationError::Tool { .. })) => {
            Err(Failure::Input(error.to_string()))
        }
        result => Ok(result.map_err(StopReason::from)),
    }
}

/// A word that satisfies a formula about infinite words.
fn infinite_word(
    args: &AutomatonArgs,
    title: &str,
    store: &mut Formulas,
    formula: Formula,
    budget: &Budget,
    console: &mut Console,
) -> Result<Status, Failure> {
    let word = stopped_or_wrong(satisfying_word(store, formula, budget))?;
    told_word(args, title, &names(store), &word, console)
}

fn names(store: &Formulas) -> Vec<String> {
    store.propositions().map(str::to_owned).collect()
}

/// The automaton of a formula about finite words.
fn of_finite_words(args: &AutomatonArgs, console: &mut Console) -> Result<Status, Failure> {
    let mut store = Formulas::new();
    let alive = store.proposition(finite::ALIVE);
    let read = finite::parse(&mut store, &args.formula, alive);
    let (formula, remarks) = read.map_err(|e| Failure::Input(format!("formula, {e}")))?;
    for (column, remark) in remarks {
        console.warning(format_args!("formula, column {column}: {remark}"));
    }
    let budget = args.limits.budget(console);
    let title = args.formula.trim();
    if args.alive && args.form.word {
        return infinite_word(args, title, &mut store, formula, &budget, console);
    }
    if args.alive {
        let automaton = args.translator.get()?.automaton(&mut store, formula, &budget).map_err(StopReason::from);
        return told(args, title, &automaton, console);
    }
    if args.form.word {
        let word = finite::word(&mut store, formula, alive, &budget).map_err(StopReason::from);
        let word = word.map(|word| word.map(|prefix| Lasso { prefix, cycle: Vec::new() }));
        return told_word(args, title, &names(&store), &word, console);
    }
    let automaton = finite::deterministic(&mut store, formula, alive, &budget);
    let automaton =
        automaton.map(|automaton| Finite { title: title.to_owned(), ..automaton }).map_err(StopReason::from);
    told(args, title, &automaton, console)
}

/// The automata of a file, in the form that is asked for.
fn of_file(args: &AutomatonArgs, path: &Path, console: &mut Console) -> Result<Status, Failure> {
    for automaton in automata_in(path, None)? {
        let title = automaton.title().unwrap_or(&args.formula).to_owned();
        if args.form.word {
            told_word(args, &title, automaton.propositions(), &Ok(automaton.accepted_word()), console)?;
            continue;
        }
        told(args, &title, &Ok(automaton), console)?;
    }
    Ok(Status::Answered)
}

/// What is told of an automaton: on infinite words, or on finite ones.
trait Told {
    fn measured(&self, fields: Fields) -> Fields;
    fn statistics(&self) -> String;
    fn hoa(&self) -> String;
    fn dot(&self) -> String;
}

impl Told for Tgba {
    fn measured(&self, fields: Fields) -> Fields {
        measured(fields, self)
    }

    fn statistics(&self) -> String {
        Statistics::of(self).to_string()
    }

    fn hoa(&self) -> String {
        hoa::write(self)
    }

    fn dot(&self) -> String {
        dot::write(self)
    }
}

impl Told for Finite {
    fn measured(&self, fields: Fields) -> Fields {
        let edges: usize = self.edges.iter().map(Vec::len).sum();
        fields
            .with("finite", true)
            .with("states", self.edges.len())
            .with("edges", edges)
            .with("accepting_states", self.accepting.iter().filter(|&&accepts| accepts).count())
            .with("propositions", &self.propositions)
            .with("deterministic", true)
    }

    fn statistics(&self) -> String {
        self.to_string()
    }

    fn hoa(&self) -> String {
        Finite::hoa(self)
    }

    fn dot(&self) -> String {
        Finite::dot(self)
    }
}

/// Write an automaton in the form that is asked for, or why there is none.
fn told(
    args: &AutomatonArgs,
    formula: &str,
    automaton: &Result<impl Told, StopReason>,
    console: &mut Console,
) -> Result<Status, Failure> {
    if args.json {
        let known = automaton.as_ref().ok();
        let stop = automaton.as_ref().err();
        let mut fields = Fields::new("starset/automaton/1").with("formula", formula);
        if let Some(automaton) = known {
            fields = automaton.measured(fields);
        }
        let hoa = known.filter(|_| !args.form.stats && !args.form.dot).map(Told::hoa);
        let fields = fields
            .with_some("hoa", hoa)
            .with_some("dot", known.filter(|_| args.form.dot).map(Told::dot))
            .with("reason", stop.map(StopReason::reason))
            .with("message", stop.map(StopReason::to_string));
        console.json(&fields.with("seconds", console.started().elapsed().as_secs_f64()))?;
    }
    match automaton {
        Err(stop) => {
            console.error(stopped(stop, &args.limits));
            return Ok(Status::Unknown);
        }
        Ok(_) if args.json => {}
        Ok(automaton) => {
            let text = match args.form {
                Form { dot: true, .. } => automaton.dot(),
                Form { stats: true, .. } => automaton.statistics(),
                _ => automaton.hoa(),
            };
            console.line(text.trim_end())?;
        }
    }
    Ok(Status::Answered)
}

/// Write a word that is accepted, letters by what holds; or that there is none, or why that is not known.
fn told_word(
    args: &AutomatonArgs,
    formula: &str,
    names: &[String],
    word: &Result<Option<Lasso>, StopReason>,
    console: &mut Console,
) -> Result<Status, Failure> {
    let letters = |letters: &[Cube]| -> Vec<Vec<String>> {
        let holding = |letter: &Cube| {
            let literals = letter.literals().iter().filter(|literal| literal.positive);
            literals.map(|literal| names[literal.prop.index()].clone()).collect()
        };
        letters.iter().map(holding).collect()
    };
    let known = word.as_ref().ok();
    let found = known.and_then(Option::as_ref).map(|word| [letters(&word.prefix), letters(&word.cycle)]);
    if args.json {
        let stop = word.as_ref().err();
        let fields = Fields::new("starset/automaton/1")
            .with("formula", formula)
            .with_some("finite", args.finite.then_some(true))
            .with_some("satisfiable", known.map(Option::is_some))
            .with_some("word", found.as_ref().map(|[prefix, cycle]| json!({ "prefix": prefix, "cycle": cycle })))
            .with("reason", stop.map(StopReason::reason))
            .with("message", stop.map(StopReason::to_string));
        console.json(&fields.with("seconds", console.started().elapsed().as_secs_f64()))?;
    }
    match word {
        Err(stop) => {
            console.error(stopped(stop, &args.limits));
            return Ok(Status::Unknown);
        }
        Ok(_) if args.json => {}
        Ok(None) => console.line("no word")?,
        Ok(Some(_)) => {
            let [prefix, cycle] = found.unwrap_or_default();
            let first_of_cycle = prefix.len();
            for (number, letter) in prefix.iter().chain(&cycle).enumerate() {
                if number == first_of_cycle {
                    console.line("again and again")?;
                }
                let text = if letter.is_empty() { "-".to_owned() } else { letter.join(" ") };
                console.line(format_args!("{:>4}  {text}", number + 1))?;
            }
        }
    }
    Ok(Status::Answered)
}

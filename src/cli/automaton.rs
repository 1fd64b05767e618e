//! `starset automaton`: the automaton of a formula of linear-time logic.

use super::options::Limits;
use super::outcome::{reason, stopped};
use super::translator::TranslatorArgs;
use super::{Console, Failure, Status};
use serde::Serialize;
use starset::automaton::ltl::Formulas;
use starset::automaton::{Statistics, Tgba, TranslationError, dot, hoa};
use starset::symbolic::Halt;

/// Arguments of `starset automaton`.
#[derive(clap::Args, Debug)]
#[command(after_help = SYNTAX)]
pub(super) struct AutomatonArgs {
    /// A formula of linear-time logic, as in 'G(request -> F grant)'
    #[arg(value_name = "LTL", allow_hyphen_values = true)]
    formula: String,
    #[command(flatten)]
    form: Form,
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
}

/// What a formula is made of.
const SYNTAX: &str = "Syntax, tightest first: ! X F G; U R W M; & ; | ; xor; -> <->. Also ~ [] <> V && || + * ^ => <=>. \
    A proposition is a name (letters, digits, _ and ., not starting with F, G or X) or any text in double quotes.";

/// What is reported with `--json`.
#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    formula: String,
    #[serde(flatten)]
    measures: Option<Measures<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hoa: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dot: Option<String>,
    reason: Option<&'static str>,
    message: Option<String>,
    seconds: f64,
}

/// The measures of an automaton.
#[derive(Serialize)]
struct Measures<'a> {
    states: usize,
    edges: usize,
    acceptance_sets: u32,
    propositions: &'a [String],
    components: Vec<ComponentReport>,
    strength: &'static str,
    deterministic: bool,
    nondeterministic_states: usize,
    complete: bool,
    stutter_invariant: Option<bool>,
}

#[derive(Serialize)]
struct ComponentReport {
    strength: &'static str,
    states: Vec<u32>,
}

impl<'a> Measures<'a> {
    fn of(automaton: &'a Tgba) -> Self {
        let statistics = Statistics::of(automaton);
        // The initial component first.
        let components = automaton.components().iter().rev().map(|component| ComponentReport {
            strength: component.strength.as_str(),
            states: component.locations.iter().map(|location| location.0).collect(),
        });
        Measures {
            states: statistics.locations,
            edges: statistics.edges,
            acceptance_sets: statistics.acceptance_sets,
            propositions: automaton.propositions(),
            components: components.collect(),
            strength: statistics.strength.as_str(),
            deterministic: statistics.nondeterministic_locations == 0,
            nondeterministic_states: statistics.nondeterministic_locations,
            complete: statistics.complete,
            stutter_invariant: statistics.stutter_invariant,
        }
    }
}

pub(super) fn run(args: &AutomatonArgs, console: &mut Console) -> Result<Status, Failure> {
    let mut store = Formulas::new();
    let formula = store.parse(&args.formula).map_err(|e| Failure::Input(format!("formula, {e}")))?;
    let budget = args.limits.budget(console);
    let automaton = match args.translator.get()?.automaton(&mut store, formula, &budget) {
        Ok(automaton) => Ok(automaton),
        Err(error @ (TranslationError::TooDeep | TranslationError::Tool { .. })) => {
            return Err(Failure::Input(error.to_string()));
        }
        Err(error) => Err(Halt::from(error)),
    };
    if args.json {
        let known = automaton.as_ref().ok();
        let halt = automaton.as_ref().err();
        console.json(&Report {
            schema: "starset/automaton/1",
            formula: store.text(formula),
            measures: known.map(Measures::of),
            hoa: known.filter(|_| !args.form.stats && !args.form.dot).map(hoa::write),
            dot: known.filter(|_| args.form.dot).map(dot::write),
            reason: halt.map(reason),
            message: halt.map(Halt::to_string),
            seconds: console.started().elapsed().as_secs_f64(),
        })?;
    }
    match automaton {
        Err(halt) => {
            console.error(stopped(&halt, &args.limits));
            return Ok(Status::Unknown);
        }
        Ok(_) if args.json => {}
        Ok(automaton) => {
            let text = match args.form {
                Form { dot: true, .. } => dot::write(&automaton),
                Form { stats: true, .. } => Statistics::of(&automaton).to_string(),
                _ => hoa::write(&automaton),
            };
            console.line(text.trim_end())?;
        }
    }
    Ok(Status::Answered)
}

//! The command line: one file per sub-command, and what they share.
//!
//! A command reads its input, computes, and writes results to the [`Console`]; it returns a [`Status`] or a
//! [`Failure`], which `main` turns into the exit status.

mod allocator;
mod answers;
mod asking;
mod attractors;
mod automaton;
mod batch;
mod certify;
mod check;
mod collector;
mod combine;
mod completions;
mod console;
mod convert;
mod cross;
mod each;
mod elsewhere;
mod events;
mod examples;
mod formulas;
mod generate;
mod info;
mod interrupt;
mod man;
mod mcc;
mod model;
mod options;
mod order;
mod outcome;
mod output_file;
mod page;
mod processes;
mod profile;
mod progress;
mod replay;
mod rers;
mod rules;
mod schema;
mod sets;
mod simulate;
mod soundness;
mod states;
mod suggested;
mod syntax;
mod time;
mod topics;
mod translator;
mod ways;
mod witness;

pub(crate) use allocator::give_back;
pub(crate) use console::{Colour, Console, Loudness};
pub(crate) use interrupt::say_last_words;
pub(crate) use outcome::{Failure, Status, asks_for_json, error};

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{CommandFactory as _, Parser, Subcommand};
use std::error::Error as _;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::path::Path;

/// Exact answers about all reachable states of a concurrent system, by decision diagrams.
#[derive(Parser, Debug)]
#[command(name = "starset", version, about, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Exit status: 0 all that was asked is answered; 1 a property is \
    false (check --fail-if-false); 2 wrong usage or input; \
    3 something stayed unknown (time, memory, interrupted, unbounded net); \
    4 a self-check failed.")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
    /// Say nothing on standard error but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say on standard error what is done and why
    #[arg(short, long, global = true)]
    verbose: bool,
    /// When to colour verdicts: `auto` on a terminal, unless the environment has NO_COLOR
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    color: Colour,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Compute the reachable states of a model: their number, transitions, token bounds, deadlocks
    States(states::StatesArgs),
    /// Check formulas (CTL*, CTL, LTL) in the initial state
    Check(check::CheckArgs),
    /// Check formulas and write certificates of the verdicts, which `starset-checker` checks
    Certify(certify::CertifyArgs),
    /// Compute the set of reachable states that satisfy a formula
    Satset(check::SatsetArgs),
    /// Compute the attractors of a model: their number, sizes, kinds, basins
    Attractors(attractors::AttractorsArgs),
    /// Show a random run of a model
    Simulate(simulate::SimulateArgs),
    /// Say what time does to a net with clocks: what it makes unreachable, where it blocks, repairs, fastest and
    /// slowest
    Time(time::TimeArgs),
    /// Check whether a workflow net is sound, with its clocks or without any
    Soundness(soundness::SoundnessArgs),
    /// Replay an event log on a net or a process: which traces it has, where others leave it, which rules they break
    Replay(replay::ReplayArgs),
    /// Check rules about activities (Declare, LTLf) on the complete runs of a net or of processes
    Rules(rules::RulesArgs),
    /// Combine or compare two saved sets of states
    Combine(combine::CombineArgs),
    /// Compute in all ways that there are and compare: engines, orders, searches, products, translators
    Cross(cross::CrossArgs),
    /// Translate a formula of linear-time logic to a Büchi automaton
    Automaton(automaton::AutomatonArgs),
    /// Run an examination of the Model Checking Contest, with its output lines on standard output
    Mcc(mcc::MccArgs),
    /// Run many examinations of many instances, resume where a run was stopped, compare with expected answers
    Batch(batch::BatchArgs),
    /// Answer the property files of parallel problems of the RERS challenge, as its csv
    Rers(rers::RersArgs),
    /// Write a model in another form: PNML, DOT, Aldebaran's
    Convert(convert::ConvertArgs),
    /// Show the size and structure of a model without exploring it
    Info(info::InfoArgs),
    /// Write a net of a scalable family as PNML
    Generate(generate::GenerateArgs),
    /// Show the syntax of formulas on one screen
    Formulas(syntax::SyntaxArgs),
    /// Show the forms of files that models are read from
    Models(topics::ModelsArgs),
    /// Show the variable orders
    Orders(topics::OrdersArgs),
    /// Show the techniques that can be left out
    Techniques(topics::TechniquesArgs),
    /// Show the examinations of the Model Checking Contest
    Examinations(topics::ExaminationsArgs),
    /// Print the JSON Schema of what --json prints
    Schema(schema::SchemaArgs),
    /// Write a completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Write the manual page
    Man(man::ManArgs),
}

/// What is wrong with a number, in words of the user in place of the library's.
fn number_in_words(error: Error) -> Error {
    let why = match error.source() {
        Some(source) if source.is::<ParseFloatError>() => "expected a number",
        Some(source) => match source.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
            Some(IntErrorKind::Zero) => "expected a number from 1 on",
            Some(IntErrorKind::PosOverflow) => "the number is too large",
            Some(_) => "expected a whole number",
            None => return error,
        },
        None => return error,
    };
    let text = |kind| error.get(kind).map_or_else(String::new, |value: &ContextValue| value.to_string());
    let (value, option) = (text(ContextKind::InvalidValue), text(ContextKind::InvalidArg));
    Args::command().error(ErrorKind::ValueValidation, format!("invalid value '{value}' for '{option}': {why}"))
}

impl Args {
    /// The arguments of the command line. A model without a command is answered with the commands that take it.
    pub(crate) fn read() -> Result<Self, Error> {
        Args::try_parse().map_err(|error| match error.get(ContextKind::InvalidSubcommand) {
            Some(ContextValue::String(file)) if Path::new(file).exists() => {
                let message =
                    format!("`{file}` is no command; try `starset states {file}` or `starset check {file} -f FORMULA`");
                Args::command().error(ErrorKind::InvalidSubcommand, message)
            }
            _ => number_in_words(error),
        })
    }

    /// How much to say on standard error.
    pub(crate) fn loudness(&self) -> console::Loudness {
        match (self.quiet, self.verbose) {
            (true, _) => console::Loudness::Quiet,
            (false, false) => console::Loudness::Normal,
            (false, true) => console::Loudness::Verbose,
        }
    }

    /// When to colour verdicts.
    pub(crate) fn colour(&self) -> Colour {
        self.color
    }

    /// Run the command.
    pub(crate) fn run(&self, console: &mut Console) -> Result<Status, Failure> {
        match &self.command {
            Command::States(args) => states::run(args, console),
            Command::Check(args) => check::run(args, console),
            Command::Certify(args) => certify::run(args, console),
            Command::Satset(args) => check::run_satset(args, console),
            Command::Simulate(args) => simulate::run(args, console),
            Command::Time(args) => time::run(args, console),
            Command::Soundness(args) => soundness::run(args, console),
            Command::Rules(args) => rules::run(args, console),
            Command::Replay(args) => replay::run(args, console),
            Command::Attractors(args) => attractors::run(args, console),
            Command::Combine(args) => combine::run(args, console),
            Command::Cross(args) => cross::run(args, console),
            Command::Automaton(args) => automaton::run(args, console),
            Command::Mcc(args) => mcc::run(args, console),
            Command::Batch(args) => batch::run(args, console),
            Command::Rers(args) => rers::run(args, console),
            Command::Convert(args) => convert::run(args, console),
            Command::Info(args) => info::run(args, console),
            Command::Generate(args) => generate::run(args, console),
            Command::Formulas(_) => syntax::run(console),
            Command::Models(_) => topics::models(console),
            Command::Orders(_) => topics::print_orders(console),
            Command::Techniques(args) => topics::print_techniques(args, console),
            Command::Examinations(_) => topics::print_examinations(console),
            Command::Schema(args) => schema::run(args, console),
            Command::Completions(args) => completions::run(args, console),
            Command::Man(args) => man::run(args, console),
        }
    }
}

//! `--engine`, and `--without` for techniques that are left out.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use starset::decide::{SWITCHES, Settings, Switch, Technique, Ways};
use std::path::PathBuf;

/// Which engines answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Engine {
    /// All ways that there are; whichever is first answers
    Auto,
    /// Decision diagrams alone
    Symbolic,
    /// Search state by state alone
    Explicit,
    /// States as bits, by satisfiability, alone: of programs of SMV, what is asked of all states or runs
    Sat,
    /// Decision diagrams and search, each alone, and compare their answers: status 4 if they differ
    Both,
}

/// The engines but for the comparison of two.
pub(super) fn single_engine() -> impl TypedValueParser<Value = Engine> {
    let names = [Engine::Auto, Engine::Symbolic, Engine::Explicit].map(Engine::name);
    PossibleValuesParser::new(names).try_map(|name| Engine::from_str(&name, false))
}

/// The engine and the switches, as options.
#[derive(Args, Debug)]
pub(crate) struct WaysArgs {
    /// Engines that answer
    #[arg(long, value_enum, default_value = "auto", help_heading = "Engine")]
    pub(crate) engine: Engine,
    #[command(flatten)]
    pub(crate) switches: Switches,
    /// Where engines disagree: the folder for the files that reproduce it
    #[arg(long, value_name = "FOLDER", default_value = ".", hide_default_value = true, hide_short_help = true)]
    #[arg(help_heading = "Engine")]
    pub(crate) reproducers: PathBuf,
}

/// Techniques that are left out.
#[derive(Args, Debug)]
pub(crate) struct Switches {
    /// Techniques to leave out (`starset techniques`)
    ///
    /// Techniques to leave out, separated by commas (`starset help techniques` lists them)
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = technique(), hide_possible_values = true)]
    #[arg(help_heading = "Engine")]
    without: Vec<&'static Switch>,
}

/// A technique of the table by its name.
fn technique() -> impl TypedValueParser<Value = &'static Switch> {
    let names = SWITCHES.iter().map(|switch| PossibleValue::new(switch.name).help(switch.effect));
    PossibleValuesParser::new(names).try_map(|name| Switch::named(&name).ok_or("no technique has this name"))
}

impl Engine {
    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Symbolic => "symbolic",
            Engine::Explicit => "explicit",
            Engine::Sat => "sat",
            Engine::Both => "both",
        }
    }

    /// The way that answered, as a word: the engine where nobody did.
    pub(crate) fn answered_by(self, technique: Technique) -> &'static str {
        if technique == Technique::None { self.name() } else { technique.name() }
    }

    /// The ways that it has.
    pub(crate) fn ways(self) -> Ways {
        match self {
            Engine::Auto => Ways::default(),
            Engine::Symbolic => Ways::SYMBOLIC,
            Engine::Explicit => Ways::EXPLICIT,
            Engine::Sat => Ways::SAT,
            Engine::Both => Ways { diagrams: true, ..Ways::EXPLICIT },
        }
    }
}

impl Switches {
    /// The settings of the engine, without the techniques that are left out.
    pub(crate) fn settings(&self, engine: Engine) -> Settings<'static> {
        let mut settings = Settings { ways: engine.ways(), ..Settings::default() };
        self.without.iter().for_each(|switch| switch.leave_out(&mut settings));
        settings
    }

    /// The switches that are set, as on the command line.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let names: Vec<&str> = self.without.iter().map(|switch| switch.name).collect();
        if names.is_empty() { Vec::new() } else { vec!["--without".to_owned(), names.join(",")] }
    }
}

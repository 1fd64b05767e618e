//! `--engine` and the switches that leave out ways of deciding.

use clap::{Args, ValueEnum};
use starset::decide::{Technique, Ways};
use starset::explicit;
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
    /// Decision diagrams and search, each alone, and compare their answers: status 4 if they differ
    Both,
}

/// The engine and the switches, as options.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine")]
pub(crate) struct WaysArgs {
    /// Which engine answers
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) engine: Engine,
    /// Leave out the initial state, the structure of the net and linear programs
    #[arg(long)]
    no_structure: bool,
    /// Leave out the coverability graph
    #[arg(long)]
    no_coverability: bool,
    /// Leave out random walks
    #[arg(long)]
    no_walks: bool,
    /// Leave out nets reduced for each question, and parts of networks
    #[arg(long)]
    no_reductions: bool,
    /// Leave out search state by state
    #[arg(long)]
    no_search: bool,
    /// Leave out decision diagrams
    #[arg(long)]
    no_diagrams: bool,
    /// Explicit engine: keep the enabled transitions of every state on the stack
    #[arg(long)]
    no_dyn: bool,
    /// Explicit engine: decode states to fire transitions
    #[arg(long)]
    no_drw: bool,
    /// Explicit engine: take edges of the automaton as they come
    #[arg(long)]
    no_hba: bool,
    /// Explicit engine: fire all enabled transitions, not only a stubborn set
    #[arg(long)]
    no_stubborn: bool,
    /// Where engines disagree: the folder for the files that reproduce it
    #[arg(long, value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    pub(crate) reproducers: PathBuf,
}

impl Engine {
    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Symbolic => "symbolic",
            Engine::Explicit => "explicit",
            Engine::Both => "both",
        }
    }

    /// Who answered, as a word: the engine where nobody did.
    pub(crate) fn answered_by(self, technique: Technique) -> &'static str {
        if technique == Technique::None { self.name() } else { technique.name() }
    }

    /// The ways that it has.
    pub(crate) fn ways(self) -> Ways {
        match self {
            Engine::Auto => Ways::default(),
            Engine::Symbolic => Ways::SYMBOLIC,
            Engine::Explicit => Ways::EXPLICIT,
            Engine::Both => Ways { diagrams: true, ..Ways::EXPLICIT },
        }
    }
}

impl WaysArgs {
    /// The ways that take part.
    pub(crate) fn ways(&self) -> Ways {
        let ways = self.engine.ways();
        Ways {
            structure: ways.structure && !self.no_structure,
            coverability: ways.coverability && !self.no_coverability,
            walks: ways.walks && !self.no_walks,
            reductions: ways.reductions && !self.no_reductions,
            search: ways.search && !self.no_search,
            diagrams: ways.diagrams && !self.no_diagrams,
        }
    }

    /// How states are packed for the explicit engine.
    pub(crate) fn encoding(&self) -> explicit::Encoding {
        explicit::Encoding { drw: !self.no_drw, ..explicit::Encoding::default() }
    }

    /// The switches of the explicit engine.
    pub(crate) fn explicit(&self) -> explicit::Options {
        explicit::Options {
            dynamic_fireset: !self.no_dyn,
            heuristic_buchi: !self.no_hba,
            stubborn: !self.no_stubborn,
            ..explicit::Options::default()
        }
    }
}

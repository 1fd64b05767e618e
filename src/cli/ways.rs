//! `--engine` and the switches that leave out ways of deciding.

use clap::{Args, ValueEnum};
use starset::decide::{Ideas, Settings, Technique, Ways};
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
    #[command(flatten)]
    pub(crate) switches: Switches,
    /// Where engines disagree: the folder for the files that reproduce it
    #[arg(long, value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    pub(crate) reproducers: PathBuf,
}

/// What is left out.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine")]
pub(crate) struct Switches {
    /// Leave out the initial state, the structure of the net and linear programs
    #[arg(long)]
    no_structure: bool,
    /// Leave out the coverability graph
    #[arg(long)]
    no_coverability: bool,
    /// Leave out random walks
    #[arg(long)]
    no_walks: bool,
    /// Walks and searches for runs: none that are led to where questions are decided
    #[arg(long)]
    no_leads: bool,
    /// Leave out nets reduced for questions, and parts of networks
    #[arg(long)]
    no_reductions: bool,
    /// Reductions: places that nothing tells apart are not made one
    #[arg(long)]
    no_fusion: bool,
    /// Reductions: count and explore the states of the net itself
    #[arg(long)]
    no_counting: bool,
    /// Reductions: keep all states, however alike
    #[arg(long)]
    no_symmetries: bool,
    /// Reductions: no net is reduced for several questions together
    #[arg(long)]
    no_together: bool,
    /// Coloured nets: do not ask the skeleton, in which tokens have no colours
    #[arg(long)]
    no_skeleton: bool,
    /// Formulas: ask Boolean combinations as a whole, not operand by operand
    #[arg(long)]
    no_operands: bool,
    /// Formulas: do not ask what a marking shows at once in the place of temporal operators below EF and AG
    #[arg(long)]
    no_at_once: bool,
    /// Formulas: where every firing can be undone, do not ask parts that are constants first
    #[arg(long)]
    no_reversible: bool,
    /// Formulas: where every run ends, do not ask of deadlocks what is a matter of these alone
    #[arg(long)]
    no_termination: bool,
    /// Formulas: make automata without what is known of conditions beforehand
    #[arg(long)]
    no_knowledge: bool,
    /// Leave out search state by state
    #[arg(long)]
    no_search: bool,
    /// Out of memory, end: no passes that keep a few bits of each state
    #[arg(long)]
    no_bit_state: bool,
    /// Leave out decision diagrams
    #[arg(long)]
    no_diagrams: bool,
    /// Diagrams: a level for each place, whatever the units
    #[arg(long)]
    no_units: bool,
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

impl Switches {
    /// The ways of an engine that take part.
    pub(crate) fn ways(&self, engine: Engine) -> Ways {
        let ways = engine.ways();
        Ways {
            structure: ways.structure && !self.no_structure,
            coverability: ways.coverability && !self.no_coverability,
            walks: ways.walks && !self.no_walks,
            reductions: ways.reductions && !self.no_reductions,
            search: ways.search && !self.no_search,
            bit_state: ways.bit_state && !self.no_search && !self.no_bit_state,
            diagrams: ways.diagrams && !self.no_diagrams,
        }
    }

    /// The ideas that they make use of.
    pub(crate) fn ideas(&self) -> Ideas {
        Ideas {
            fusion: !self.no_fusion,
            counting: !self.no_counting,
            symmetries: !self.no_symmetries,
            together: !self.no_together,
            units: !self.no_units,
            leads: !self.no_leads,
            skeleton: !self.no_skeleton,
            operands: !self.no_operands,
            at_once: !self.no_at_once,
            reversible: !self.no_reversible,
            termination: !self.no_termination,
            knowledge: !self.no_knowledge,
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

    /// What the engine that is asked has, with all that is left out.
    pub(crate) fn settings(&self, engine: Engine) -> Settings<'static> {
        Settings {
            ways: self.ways(engine),
            ideas: self.ideas(),
            encoding: self.encoding(),
            explicit: self.explicit(),
            ..Settings::default()
        }
    }

    /// The switches that are set, as on the command line.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let all = [
            ("structure", self.no_structure),
            ("coverability", self.no_coverability),
            ("walks", self.no_walks),
            ("leads", self.no_leads),
            ("skeleton", self.no_skeleton),
            ("operands", self.no_operands),
            ("at-once", self.no_at_once),
            ("reversible", self.no_reversible),
            ("termination", self.no_termination),
            ("knowledge", self.no_knowledge),
            ("reductions", self.no_reductions),
            ("fusion", self.no_fusion),
            ("counting", self.no_counting),
            ("symmetries", self.no_symmetries),
            ("together", self.no_together),
            ("search", self.no_search),
            ("bit-state", self.no_bit_state),
            ("diagrams", self.no_diagrams),
            ("units", self.no_units),
            ("dyn", self.no_dyn),
            ("drw", self.no_drw),
            ("hba", self.no_hba),
            ("stubborn", self.no_stubborn),
        ];
        all.into_iter().filter(|switch| switch.1).map(|switch| format!("--no-{}", switch.0)).collect()
    }
}

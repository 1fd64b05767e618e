//! Ways and techniques by which questions are decided, and one table of both.
//!
//! [`SWITCHES`] has a line for each technique that can be left out. Help, completions, documents, the Python package
//! and benches take their names from it. A technique is left out to measure its worth, or to find a fault. Verdicts do
//! not depend on it; without it more questions stay open. Some techniques have a reference in their place, which is
//! simpler and slower: it is there for comparison.

#[cfg(test)]
use super::answer::Technique;
use super::profile::Profile;
use crate::automaton::{Builtin, Translator};
use crate::explicit;
use crate::order::{KnownOrders, Scored};
use crate::symbolic::{ProductKind, Route, Search};
use crate::witness::Effort;

/// The ways that take part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ways {
    /// The initial state, semiflows, effects of transitions, linear programs.
    pub structure: bool,
    /// A coverability graph, where the structure does not prove the net bounded.
    pub coverability: bool,
    /// The reachable set as a decision diagram.
    pub diagrams: bool,
    /// The engine of bits: questions about all reachable states or all runs, by satisfiability.
    pub sat: bool,
    /// Random walks.
    pub walks: bool,
    /// Search state by state.
    pub search: bool,
    /// Passes that keep a few bits of each state, where that is out of memory and nothing else is left.
    pub bit_state: bool,
    /// All of them again on nets reduced for each question, on unbounded nets under a limit, and on parts of networks.
    pub reductions: bool,
}

impl Ways {
    /// None of them.
    pub const NONE: Ways = Ways {
        structure: false,
        coverability: false,
        diagrams: false,
        sat: false,
        walks: false,
        search: false,
        bit_state: false,
        reductions: false,
    };
    /// Decision diagrams alone.
    pub const SYMBOLIC: Ways = Ways { diagrams: true, ..Ways::NONE };
    /// Search state by state alone.
    pub const EXPLICIT: Ways = Ways { search: true, bit_state: true, ..Ways::NONE };

    /// The engine of bits alone.
    pub const SAT: Ways = Ways { sat: true, ..Ways::NONE };

    /// Does any other way than the engine of bits take part?
    pub(super) fn has_others_than_sat(self) -> bool {
        Ways { sat: false, ..self } != Ways::NONE
    }

    /// Those of an engine, by the name that it has on the command line: `auto`, `symbolic`, `explicit`, `sat`.
    pub fn of_engine(name: &str) -> Option<Ways> {
        match name {
            "auto" => Some(Ways::default()),
            "symbolic" => Some(Ways::SYMBOLIC),
            "explicit" => Some(Ways::EXPLICIT),
            "sat" => Some(Ways::SAT),
            _ => None,
        }
    }
}

impl Default for Ways {
    /// All of them.
    fn default() -> Self {
        Ways {
            structure: true,
            coverability: true,
            diagrams: true,
            sat: true,
            walks: true,
            search: true,
            bit_state: true,
            reductions: true,
        }
    }
}

/// Techniques that ways make use of. Each can be left out ([`SWITCHES`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Techniques {
    /// Fusion of equivalent places.
    pub fusion: bool,
    /// Polyhedral count and lift of state spaces.
    pub counting: bool,
    /// Symmetry reduction.
    pub symmetries: bool,
    /// Networks without their mediators, where attractors are asked for.
    pub mediators: bool,
    /// One reduced net for all open questions.
    pub together: bool,
    /// One level for each unit of places.
    pub units: bool,
    /// Guided walks and searches for runs.
    pub guidance: bool,
    /// The skeleton of coloured nets.
    pub skeleton: bool,
    /// Boolean combinations operand by operand.
    pub operands: bool,
    /// State approximation of formulas below `EF` and `AG`.
    pub state_approximation: bool,
    /// Constants of reversible nets.
    pub reversible: bool,
    /// Constants of conditions that can always be met again.
    pub recurring: bool,
    /// Deadlocks of terminating nets.
    pub termination: bool,
    /// Prior knowledge in automata.
    pub knowledge: bool,
    /// Fairness conditions beside automata.
    pub fairness: bool,
    /// CTL on parts of the states, with values that stay open.
    pub partial: bool,
}

impl Default for Techniques {
    /// All of them.
    fn default() -> Self {
        Techniques {
            fusion: true,
            counting: true,
            symmetries: true,
            mediators: true,
            together: true,
            units: true,
            guidance: true,
            skeleton: true,
            operands: true,
            state_approximation: true,
            reversible: true,
            recurring: true,
            termination: true,
            knowledge: true,
            fairness: true,
            partial: true,
        }
    }
}

/// The choices for a task: ways, techniques, orders, seed and switches of the engines.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    /// The ways that take part.
    pub ways: Ways,
    /// The techniques that they make use of.
    pub techniques: Techniques,
    /// Variable orders to try, the most promising first. If there are none, some are chosen.
    pub orders: Vec<Scored>,
    /// The folder of orders that earlier runs found, where they are to be chosen.
    pub known_orders: Option<KnownOrders>,
    /// Seed of whatever is chosen at random.
    pub seed: u64,
    /// The method for the reachable set.
    pub search: Search,
    /// The method for products with automata.
    pub product: ProductKind,
    /// The method for path quantifiers.
    pub route: Route,
    /// The translator of formulas to automata.
    pub translator: &'a dyn Translator,
    /// The encoding of states for explicit search.
    pub encoding: explicit::Encoding,
    /// Switches of explicit search.
    pub explicit: explicit::Options,
    /// Questions and variable orders that may be worked on at the same time; 0 counts as 1.
    pub threads: usize,
    /// This technique claims a run wherever it looks, as if it were broken.
    #[cfg(test)]
    pub(crate) broken: Option<Technique>,
    /// The effort for short runs of witnesses.
    pub effort: Effort,
    /// The record of the time of each step, if one is wanted.
    pub profile: Option<&'a Profile>,
}

impl Default for Settings<'_> {
    /// All ways, chosen automatically, on one thread.
    fn default() -> Self {
        Settings {
            ways: Ways::default(),
            techniques: Techniques::default(),
            orders: Vec::new(),
            known_orders: None,
            seed: 0,
            search: Search::Saturation,
            product: ProductKind::default(),
            route: Route::default(),
            translator: &Builtin,
            encoding: explicit::Encoding::default(),
            explicit: explicit::Options::default(),
            threads: 1,
            #[cfg(test)]
            broken: None,
            effort: Effort::default(),
            profile: None,
        }
    }
}

/// A technique that can be left out.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// Its name on the command line.
    pub name: &'static str,
    /// The part of starset that makes use of it.
    pub part: Part,
    /// The effect of the technique, and what takes its place if that is not nothing.
    pub effect: &'static str,
    /// Authors and year, or the program whose name it has; empty for what has no single source.
    pub source: &'static str,
    /// Makes settings that leave it out.
    leave_out: fn(&mut Settings<'_>),
}

/// Parts of starset that make use of techniques.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Whole ways of deciding.
    Ways,
    /// Smaller nets.
    Reductions,
    /// Simpler formulas and automata.
    Formulas,
    /// Decision diagrams.
    Diagrams,
    /// Search state by state, and walks.
    Search,
}

impl Part {
    /// All of them, in the order of the table.
    pub const ALL: [Part; 5] = [Part::Ways, Part::Reductions, Part::Formulas, Part::Diagrams, Part::Search];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Part::Ways => "Ways",
            Part::Reductions => "Reductions",
            Part::Formulas => "Formulas",
            Part::Diagrams => "Diagrams",
            Part::Search => "Search and walks",
        }
    }
}

/// A line of the table.
const fn line(
    name: &'static str,
    part: Part,
    effect: &'static str,
    source: &'static str,
    leave_out: fn(&mut Settings<'_>),
) -> Switch {
    Switch { name, part, effect, source, leave_out }
}

/// All techniques that can be left out, part by part.
#[rustfmt::skip]
pub const SWITCHES: &[Switch] = &[
    line("structure", Part::Ways, "initial state, semiflows, siphons, linear programs",
        "Murata 1989", |s| s.ways.structure = false),
    line("coverability", Part::Ways, "coverability graph of nets that may be unbounded",
        "Karp and Miller 1969", |s| s.ways.coverability = false),
    line("walks", Part::Ways, "random walks",
        "", |s| s.ways.walks = false),
    line("reductions", Part::Ways, "nets reduced for questions, and parts of networks",
        "Berthelot 1986", |s| s.ways.reductions = false),
    line("search", Part::Ways, "explicit search, state by state",
        "", |s| s.ways = Ways { search: false, bit_state: false, ..s.ways }),
    line("diagrams", Part::Ways, "decision diagrams",
        "Ciardo, Marmorstein and Siminiceanu 2006", |s| s.ways.diagrams = false),
    line("sat", Part::Ways, "states as bits: bounded model checking, IC3",
        "Bradley 2011", |s| s.ways.sat = false),
    line("skeleton", Part::Reductions, "coloured nets: questions to the skeleton, without colours",
        "Findlow 1992", |s| s.techniques.skeleton = false),
    line("fusion", Part::Reductions, "one place for several that nothing tells apart",
        "Autant and Schnoebelen 1992", |s| s.techniques.fusion = false),
    line("counting", Part::Reductions, "state spaces through polyhedral reductions",
        "Berthomieu, Le Botlan and Dal Zilio 2020", |s| s.techniques.counting = false),
    line("symmetries", Part::Reductions, "one state of each orbit of a symmetry",
        "Starke 1991", |s| s.techniques.symmetries = false),
    line("mediators", Part::Reductions, "attractors of logical networks: functions in the place of their variables",
        "Naldi, Remy, Thieffry and Chaouiya 2011", |s| s.techniques.mediators = false),
    line("together", Part::Reductions, "one reduced net for several questions",
        "", |s| s.techniques.together = false),
    line("operands", Part::Formulas, "Boolean combinations operand by operand",
        "", |s| s.techniques.operands = false),
    line("state-approximation", Part::Formulas, "state formulas in place of temporal ones below EF and AG",
        "", |s| s.techniques.state_approximation = false),
    line("reversible", Part::Formulas, "EF and AG as constants in reversible nets",
        "", |s| s.techniques.reversible = false),
    line("recurring", Part::Formulas, "EF c as a constant where tokens can always be led to c",
        "", |s| s.techniques.recurring = false),
    line("termination", Part::Formulas, "questions about deadlocks in terminating nets",
        "", |s| s.techniques.termination = false),
    line("knowledge", Part::Formulas, "facts about propositions folded into automata",
        "Duret-Lutz, Poitrenaud and Thierry-Mieg 2025", |s| s.techniques.knowledge = false),
    line("fairness", Part::Formulas, "fairness conditions beside automata; without, in automata",
        "Kesten, Pnueli and Raviv 1998", |s| s.techniques.fairness = false),
    line("fixpoints", Part::Formulas, "CTL operators by fixpoints of their own; without, by automata",
        "Clarke, Emerson and Sistla 1986", |s| s.route = Route::Automata),
    line("units", Part::Diagrams, "one level for the places of a unit",
        "Pastor and Cortadella 1998", |s| s.techniques.units = false),
    line("components", Part::Diagrams, "products by components of the automaton; without, one fixpoint",
        "Bloem, Ravi and Somenzi 1999", |s| s.product = ProductKind::Plain),
    line("guidance", Part::Search, "walks and searches guided towards a decision",
        "Jensen, Nielsen, Oestergaard and Srba 2016", |s| s.techniques.guidance = false),
    line("partial", Part::Search, "CTL by witnesses in parts of the states, where values may stay open",
        "Bruns and Godefroid 1999", |s| s.techniques.partial = false),
    line("bit-state", Part::Search, "bit-state passes after exhausted memory",
        "Holzmann 1988", |s| s.ways.bit_state = false),
    line("stubborn", Part::Search, "stubborn sets; without, all enabled transitions",
        "Valmari 1990", |s| s.explicit.stubborn = false),
    line("dyn", Part::Search, "dynamic fireset; without, enabled transitions on the stack",
        "He, Wang and Ding 2023", |s| s.explicit.dynamic_fireset = false),
    line("drw", Part::Search, "direct read and write; without, decoded states",
        "He, Wang and Ding 2023", |s| s.encoding.drw = false),
    line("hba", Part::Search, "heuristic order of automaton edges; without, as they come",
        "He, Wang and Ding 2023", |s| s.explicit.heuristic_buchi = false),
];

impl Switch {
    /// The technique of this name.
    pub fn named(name: &str) -> Option<&'static Switch> {
        SWITCHES.iter().find(|switch| switch.name == name)
    }

    /// Leave it out.
    pub fn leave_out(&self, settings: &mut Settings<'_>) {
        (self.leave_out)(settings);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::collections::BTreeSet;

    /// Each technique has a setting of its own.
    #[test]
    fn each_line_leaves_out_something_else() {
        let text = |leave_out: &dyn Fn(&mut Settings<'_>)| {
            let mut settings = Settings::default();
            leave_out(&mut settings);
            format!("{settings:?}")
        };
        let texts: BTreeSet<String> = SWITCHES.iter().map(|switch| text(&|s| switch.leave_out(s))).collect();
        assert_eq!(texts.len(), SWITCHES.len());
        assert!(!texts.contains(&text(&|_| {})));
        let names: BTreeSet<&str> = SWITCHES.iter().map(|switch| switch.name).collect();
        assert_eq!(names.len(), SWITCHES.len());
        assert!(SWITCHES.is_sorted_by_key(|switch| switch.part));
        assert_eq!(Switch::named("units").unwrap().name, "units");
        assert!(Switch::named("unit").is_none());
    }

    /// With all of them left out there is nothing on that could be.
    #[test]
    fn every_switch_of_the_settings_is_in_the_table() {
        let mut settings = Settings::default();
        SWITCHES.iter().for_each(|switch| switch.leave_out(&mut settings));
        assert_eq!(settings.ways, Ways::NONE);
        assert!(!format!("{:?}", settings.techniques).contains("true"), "{:?}", settings.techniques);
    }
}

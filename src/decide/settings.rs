//! The table of techniques that can be left out. Help, completions, documents, the Python package and benches take their
//! names from it.
//!
//! A technique is left out to measure its worth, or to find a fault. Verdicts do not depend on it; without it more questions
//! stay open. Some techniques have a reference in their place, which is simpler and slower: it is there for comparison.

use super::{Settings, Ways};
use crate::symbolic::{ProductKind, Route};

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
    line("skeleton", Part::Reductions, "coloured nets: questions to the skeleton, without colours",
        "Findlow 1992", |s| s.techniques.skeleton = false),
    line("fusion", Part::Reductions, "one place for several that nothing tells apart",
        "Autant and Schnoebelen 1992", |s| s.techniques.fusion = false),
    line("counting", Part::Reductions, "state spaces through polyhedral reductions",
        "Berthomieu, Le Botlan and Dal Zilio 2020", |s| s.techniques.counting = false),
    line("symmetries", Part::Reductions, "one state of each orbit of a symmetry",
        "Starke 1991", |s| s.techniques.symmetries = false),
    line("together", Part::Reductions, "one reduced net for several questions",
        "", |s| s.techniques.together = false),
    line("operands", Part::Formulas, "Boolean combinations operand by operand",
        "", |s| s.techniques.operands = false),
    line("state-approximation", Part::Formulas, "state formulas in place of temporal ones below EF and AG",
        "", |s| s.techniques.state_approximation = false),
    line("reversible", Part::Formulas, "EF and AG as constants in reversible nets",
        "", |s| s.techniques.reversible = false),
    line("termination", Part::Formulas, "questions about deadlocks in terminating nets",
        "", |s| s.techniques.termination = false),
    line("knowledge", Part::Formulas, "facts about propositions folded into automata",
        "Duret-Lutz, Poitrenaud and Thierry-Mieg 2025", |s| s.techniques.knowledge = false),
    line("fixpoints", Part::Formulas, "CTL operators by fixpoints of their own; without, by automata",
        "Clarke, Emerson and Sistla 1986", |s| s.route = Route::Automata),
    line("units", Part::Diagrams, "one level for the places of a unit",
        "Pastor and Cortadella 1998", |s| s.techniques.units = false),
    line("components", Part::Diagrams, "products by components of the automaton; without, one fixpoint",
        "Bloem, Ravi and Somenzi 1999", |s| s.product = ProductKind::Plain),
    line("guidance", Part::Search, "walks and searches guided towards a decision",
        "Jensen, Nielsen, Oestergaard and Srba 2016", |s| s.techniques.guidance = false),
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

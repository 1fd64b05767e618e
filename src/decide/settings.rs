//! How questions are decided: the ways that take part, the techniques that they use, and one table of both.
//!
//! [`SWITCHES`] has a line for each engine, technique and implementation detail that can be left out: its name, what it does,
//! what it is for, and where it comes from. Whatever names them (options, help, documents, measurements) reads this table.

use crate::automaton::{Builtin, Translator};
use crate::explicit;
use crate::order::Scored;
use crate::symbolic::{ProductKind, Route, Search};

/// Which ways take part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ways {
    /// The initial state, semiflows, effects of transitions, linear programs.
    pub structure: bool,
    /// A coverability graph, where the structure does not prove the net bounded.
    pub coverability: bool,
    /// The reachable set as a decision diagram.
    pub diagrams: bool,
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
        walks: false,
        search: false,
        bit_state: false,
        reductions: false,
    };
    /// Decision diagrams alone.
    pub const SYMBOLIC: Ways = Ways { diagrams: true, ..Ways::NONE };
    /// Search state by state alone.
    pub const EXPLICIT: Ways = Ways { search: true, bit_state: true, ..Ways::NONE };
}

impl Default for Ways {
    /// All of them.
    fn default() -> Self {
        Ways {
            structure: true,
            coverability: true,
            diagrams: true,
            walks: true,
            search: true,
            bit_state: true,
            reductions: true,
        }
    }
}

/// Techniques that ways make use of. Each can be left out, to see what it is worth; [`SWITCHES`] says what they do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Techniques {
    /// Fusion of equivalent places.
    pub fusion: bool,
    /// Polyhedral count and lift of state spaces.
    pub counting: bool,
    /// Symmetry reduction.
    pub symmetries: bool,
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
    /// Deadlocks of terminating nets.
    pub termination: bool,
    /// Prior knowledge in automata.
    pub knowledge: bool,
}

impl Default for Techniques {
    /// All of them.
    fn default() -> Self {
        Techniques {
            fusion: true,
            counting: true,
            symmetries: true,
            together: true,
            units: true,
            guidance: true,
            skeleton: true,
            operands: true,
            state_approximation: true,
            reversible: true,
            termination: true,
            knowledge: true,
        }
    }
}

/// How to go about it.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    /// The ways that take part.
    pub ways: Ways,
    /// The techniques that they make use of.
    pub techniques: Techniques,
    /// Variable orders to try, the most promising first. If there are none, some are chosen.
    pub orders: Vec<Scored>,
    /// Seed of whatever is chosen at random.
    pub seed: u64,
    /// How the reachable set is computed.
    pub search: Search,
    /// How products with automata are computed.
    pub product: ProductKind,
    /// How path quantifiers are computed.
    pub route: Route,
    /// Where automata come from.
    pub translator: &'a dyn Translator,
    /// How states are packed for explicit search.
    pub encoding: explicit::Encoding,
    /// Switches of explicit search.
    pub explicit: explicit::Options,
    /// Questions and variable orders that may be worked on at the same time; 0 counts as 1.
    pub threads: usize,
}

impl Default for Settings<'_> {
    /// All ways, chosen automatically, on one thread.
    fn default() -> Self {
        Settings {
            ways: Ways::default(),
            techniques: Techniques::default(),
            orders: Vec::new(),
            seed: 0,
            search: Search::Saturation,
            product: ProductKind::default(),
            route: Route::default(),
            translator: &Builtin,
            encoding: explicit::Encoding::default(),
            explicit: explicit::Options::default(),
            threads: 1,
        }
    }
}

/// Something that can be left out, as a line of [`SWITCHES`].
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// Its name, for machines and options.
    pub name: &'static str,
    /// The sort of thing that it is.
    pub sort: Sort,
    /// What it does.
    pub does: &'static str,
    /// The questions and models that it is for.
    pub purpose: &'static str,
    /// The publications that it comes from; empty if there are none.
    pub source: &'static str,
    off: fn(&mut Settings<'_>),
    is_on: fn(&Settings<'_>) -> bool,
}

/// Sorts of switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A way of deciding: [`Ways`].
    Engine,
    /// Something that ways make use of: [`Techniques`].
    Technique,
    /// A detail of an implementation that is left out for comparison only.
    Comparison,
}

/// Everything that can be left out, engines first.
pub const SWITCHES: &[Switch] = &[
    Switch {
        name: "structure",
        sort: Sort::Engine,
        does: "decides from the initial state, semiflows, effects of transitions and linear programs",
        purpose: "questions without exploration",
        source: "Murata 1989 (state equation)",
        off: |s| s.ways.structure = false,
        is_on: |s| s.ways.structure,
    },
    Switch {
        name: "coverability",
        sort: Sort::Engine,
        does: "builds a coverability graph of a net without structural bounds",
        purpose: "unbounded places",
        source: "Karp and Miller 1969",
        off: |s| s.ways.coverability = false,
        is_on: |s| s.ways.coverability,
    },
    Switch {
        name: "walks",
        sort: Sort::Engine,
        does: "goes on random walks",
        purpose: "existential questions that many states decide",
        source: "",
        off: |s| s.ways.walks = false,
        is_on: |s| s.ways.walks,
    },
    Switch {
        name: "reductions",
        sort: Sort::Engine,
        does: "asks all engines again on nets reduced for the questions, and on parts of networks",
        purpose: "large nets",
        source: "Berthelot 1986; Thierry-Mieg 2020; Clarke et al. 2000 (parts)",
        off: |s| s.ways.reductions = false,
        is_on: |s| s.ways.reductions,
    },
    Switch {
        name: "search",
        sort: Sort::Engine,
        does: "visits states one by one",
        purpose: "verdicts that few states decide, and runs",
        source: "EnPAC: He, Wang and Ding 2023",
        off: |s| (s.ways.search, s.ways.bit_state) = (false, false),
        is_on: |s| s.ways.search,
    },
    Switch {
        name: "bit-state",
        sort: Sort::Engine,
        does: "visits states with few bits for each, once memory is not enough for more",
        purpose: "searches beyond memory",
        source: "Holzmann 1988",
        off: |s| s.ways.bit_state = false,
        is_on: |s| s.ways.bit_state,
    },
    Switch {
        name: "diagrams",
        sort: Sort::Engine,
        does: "computes the reachable set as a decision diagram, and fixpoints in it",
        purpose: "large state spaces, branching time",
        source: "Ciardo, Marmorstein and Siminiceanu 2006 (saturation)",
        off: |s| s.ways.diagrams = false,
        is_on: |s| s.ways.diagrams,
    },
    Switch {
        name: "fusion",
        sort: Sort::Technique,
        does: "makes equivalent places one",
        purpose: "nets of unfoldings",
        source: "Autant and Schnoebelen 1992; Bilgram et al. 2022",
        off: |s| s.techniques.fusion = false,
        is_on: |s| s.techniques.fusion,
    },
    Switch {
        name: "counting",
        sort: Sort::Technique,
        does: "counts and lifts state spaces from those of smaller nets",
        purpose: "numbers of states and bounds",
        source: "Berthomieu, Le Botlan and Dal Zilio 2020; Amat et al. 2021",
        off: |s| s.techniques.counting = false,
        is_on: |s| s.techniques.counting,
    },
    Switch {
        name: "symmetries",
        sort: Sort::Technique,
        does: "keeps one of several states that are symmetric",
        purpose: "replicated components",
        source: "Starke 1991; Schmidt 2000; Emerson and Sistla 1996",
        off: |s| s.techniques.symmetries = false,
        is_on: |s| s.techniques.symmetries,
    },
    Switch {
        name: "together",
        sort: Sort::Technique,
        does: "reduces one net for all open questions together",
        purpose: "many questions about a net",
        source: "",
        off: |s| s.techniques.together = false,
        is_on: |s| s.techniques.together,
    },
    Switch {
        name: "skeleton",
        sort: Sort::Technique,
        does: "asks the skeleton of a coloured net, in which tokens have no colours",
        purpose: "large unfoldings",
        source: "Findlow 1992",
        off: |s| s.techniques.skeleton = false,
        is_on: |s| s.techniques.skeleton,
    },
    Switch {
        name: "operands",
        sort: Sort::Technique,
        does: "asks Boolean combinations operand by operand",
        purpose: "formulas with several quantifiers",
        source: "",
        off: |s| s.techniques.operands = false,
        is_on: |s| s.techniques.operands,
    },
    Switch {
        name: "state-approximation",
        sort: Sort::Technique,
        does: "asks whether a single state decides a formula below EF or AG",
        purpose: "nested formulas that a state decides",
        source: "",
        off: |s| s.techniques.state_approximation = false,
        is_on: |s| s.techniques.state_approximation,
    },
    Switch {
        name: "reversible",
        sort: Sort::Technique,
        does: "replaces EF and AG inside of formulas by constants where every firing can be undone",
        purpose: "nested formulas about reversible nets",
        source: "",
        off: |s| s.techniques.reversible = false,
        is_on: |s| s.techniques.reversible,
    },
    Switch {
        name: "termination",
        sort: Sort::Technique,
        does: "asks of deadlocks alone what they decide where every run ends",
        purpose: "recurrence in terminating nets",
        source: "",
        off: |s| s.techniques.termination = false,
        is_on: |s| s.techniques.termination,
    },
    Switch {
        name: "knowledge",
        sort: Sort::Technique,
        does: "folds facts about states into automata",
        purpose: "LTL",
        source: "Duret-Lutz, Poitrenaud and Thierry-Mieg 2025",
        off: |s| s.techniques.knowledge = false,
        is_on: |s| s.techniques.knowledge,
    },
    Switch {
        name: "guidance",
        sort: Sort::Technique,
        does: "guides walks and searches for runs to where questions are decided",
        purpose: "runs that chance seldom finds",
        source: "Jensen et al. 2016; Jensen, Srba, Ulrik and Virenfeldt 2022",
        off: |s| s.techniques.guidance = false,
        is_on: |s| s.techniques.guidance,
    },
    Switch {
        name: "units",
        sort: Sort::Technique,
        does: "makes each unit of places one level of diagrams",
        purpose: "safe nets of sequential components",
        source: "",
        off: |s| s.techniques.units = false,
        is_on: |s| s.techniques.units,
    },
    Switch {
        name: "stubborn",
        sort: Sort::Technique,
        does: "fires a stubborn set of the enabled transitions",
        purpose: "interleavings of independent transitions",
        source: "Valmari 1990; Peled 1994",
        off: |s| s.explicit.stubborn = false,
        is_on: |s| s.explicit.stubborn,
    },
    Switch {
        name: "dyn",
        sort: Sort::Comparison,
        does: "enumerates enabled transitions one at a time (dynamic fireset)",
        purpose: "memory of depth-first search",
        source: "EnPAC: He, Wang and Ding 2023",
        off: |s| s.explicit.dynamic_fireset = false,
        is_on: |s| s.explicit.dynamic_fireset,
    },
    Switch {
        name: "drw",
        sort: Sort::Comparison,
        does: "fires transitions on packed states without decoding them (direct read and write)",
        purpose: "time of explicit search",
        source: "EnPAC: He, Wang and Ding 2023",
        off: |s| s.encoding.drw = false,
        is_on: |s| s.encoding.drw,
    },
    Switch {
        name: "hba",
        sort: Sort::Comparison,
        does: "takes the edges of an automaton nearest to acceptance first (heuristic Büchi automaton)",
        purpose: "accepting runs",
        source: "EnPAC: He, Wang and Ding 2023",
        off: |s| s.explicit.heuristic_buchi = false,
        is_on: |s| s.explicit.heuristic_buchi,
    },
];

impl Switch {
    /// The switch of this name.
    pub fn find(name: &str) -> Option<&'static Switch> {
        SWITCHES.iter().find(|switch| switch.name == name)
    }

    /// Leave it out.
    pub fn leave_out(&self, settings: &mut Settings<'_>) {
        (self.off)(settings);
    }

    /// Does it take part?
    pub fn is_on(&self, settings: &Settings<'_>) -> bool {
        (self.is_on)(settings)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Each switch takes part by default, turns off what it names and nothing else, and has a name of its own; without any of them
    /// no way and no technique is left.
    #[test]
    fn each_switch_leaves_out_what_it_names() {
        let mut none = Settings::default();
        for switch in SWITCHES {
            let mut settings = Settings::default();
            assert!(switch.is_on(&settings), "{}", switch.name);
            switch.leave_out(&mut settings);
            switch.leave_out(&mut none);
            let off = SWITCHES.iter().filter(|other| !other.is_on(&settings)).map(|other| other.name);
            let expected = if switch.name == "search" { vec!["search", "bit-state"] } else { vec![switch.name] };
            assert_eq!(off.collect::<Vec<_>>(), expected);
            assert_eq!(Switch::find(switch.name).unwrap().does, switch.does);
        }
        assert_eq!(none.ways, Ways::NONE);
        assert!(!format!("{:?}", none.techniques).contains("true"), "{:?}", none.techniques);
    }
}

//! The measures of an automaton.

use super::{Strength, Tgba};
use std::fmt;

/// Sizes and properties of an automaton; prints as one line per measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Locations.
    pub locations: usize,
    /// Edges.
    pub edges: usize,
    /// Acceptance sets.
    pub acceptance_sets: u32,
    /// Propositions that occur in guards.
    pub propositions: usize,
    /// Strongly connected components.
    pub components: usize,
    /// Components that can accept.
    pub accepting_components: usize,
    /// Locations with two edges that can be taken together.
    pub nondeterministic_locations: usize,
    /// Whether every location has an edge for every valuation.
    pub complete: bool,
    /// The greatest strength of an accepting component.
    pub strength: Strength,
    /// Closed under stuttering, where known.
    pub stutter_invariant: Option<bool>,
}

impl Statistics {
    /// Measures an automaton.
    pub fn of(automaton: &Tgba) -> Statistics {
        let mut propositions: Vec<_> = automaton.edges().iter().flat_map(|e| e.guard.support()).collect();
        propositions.sort_unstable();
        propositions.dedup();
        Statistics {
            locations: automaton.location_count(),
            edges: automaton.edges().len(),
            acceptance_sets: automaton.acceptance_sets(),
            propositions: propositions.len(),
            components: automaton.components().len(),
            accepting_components: automaton.components().iter().filter(|c| c.strength.is_accepting()).count(),
            nondeterministic_locations: automaton.nondeterministic_locations(),
            complete: automaton.is_complete(),
            strength: automaton.strength(),
            stutter_invariant: automaton.stutter_invariant(),
        }
    }
}

impl Strength {
    /// The strength as a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Strength::Transient => "transient",
            Strength::Rejecting => "rejecting",
            Strength::Terminal => "terminal",
            Strength::WeakAccepting => "weak",
            Strength::Strong => "strong",
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let yes_no = |b: bool| if b { "yes" } else { "no" };
        writeln!(f, "states             {}", self.locations)?;
        writeln!(f, "edges              {}", self.edges)?;
        writeln!(f, "acceptance sets    {}", self.acceptance_sets)?;
        writeln!(f, "propositions       {}", self.propositions)?;
        writeln!(f, "components         {} ({} accepting)", self.components, self.accepting_components)?;
        writeln!(f, "strength           {}", self.strength.as_str())?;
        match self.nondeterministic_locations {
            0 => writeln!(f, "deterministic      yes")?,
            n => writeln!(f, "deterministic      no ({n} states)")?,
        }
        writeln!(f, "complete           {}", yes_no(self.complete))?;
        writeln!(f, "stutter-invariant  {}", self.stutter_invariant.map_or("unknown", yes_no))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Passes, ltl::Formulas, translate};
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn measures_of_a_response() {
        let mut s = Formulas::new();
        let f = s.parse("G(a -> Fb)").unwrap();
        let automaton = translate(&mut s, f, &Passes::default(), &Budget::unlimited()).unwrap();
        let text = Statistics::of(&automaton).to_string();
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(
            words.join(" "),
            "states 2 edges 4 acceptance sets 1 propositions 2 components 1 (1 accepting) strength strong \
             deterministic yes complete yes stutter-invariant yes"
        );
    }
}

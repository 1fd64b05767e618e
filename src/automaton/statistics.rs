//! The measures of an automaton.

use super::{Strength, Tgba};
use std::collections::BTreeMap;
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
    /// Components of each strength, weakest first; strengths that do not occur are left out.
    pub components_by_strength: Vec<(Strength, usize)>,
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
        let mut by_strength: BTreeMap<Strength, usize> = BTreeMap::new();
        for component in automaton.components() {
            *by_strength.entry(component.strength).or_default() += 1;
        }
        Statistics {
            locations: automaton.location_count(),
            edges: automaton.edges().len(),
            acceptance_sets: automaton.acceptance_sets(),
            propositions: automaton.read().len(),
            components: automaton.components().len(),
            components_by_strength: by_strength.into_iter().collect(),
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
        let parts: Vec<String> =
            self.components_by_strength.iter().map(|(s, count)| format!("{count} {}", s.as_str())).collect();
        writeln!(f, "components         {} ({})", self.components, parts.join(", "))?;
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
            "states 2 edges 4 acceptance sets 1 propositions 2 components 1 (1 strong) strength strong \
             deterministic yes complete yes stutter-invariant yes"
        );
        let f = s.parse("X(a U b)").unwrap();
        let automaton = translate(&mut s, f, &Passes::default(), &Budget::unlimited()).unwrap();
        let text = Statistics::of(&automaton).to_string();
        assert!(text.contains("components         3 (1 transient, 1 rejecting, 1 terminal)\n"), "{text}");
    }
}

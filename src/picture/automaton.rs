//! An automaton as a graph: locations coloured by the strength of their component, guards and acceptance sets on edges.

use super::Graph;
use crate::automaton::{Guard, Marks, Strength, Tgba};

/// An automaton, to be drawn. Components have the colours of [`crate::automaton::dot`]: grey is rejecting, blue weak
/// accepting, green terminal, orange strong. Acceptance sets are in braces.
///
/// ```
/// use starset::automaton::{Builtin, Translator, ltl::Formulas};
/// use starset::budget::Budget;
/// let mut store = Formulas::new();
/// let formula = store.parse("G F a")?;
/// let automaton = Builtin.automaton(&mut store, formula, &Budget::unlimited())?;
/// assert!(starset::picture::automaton(&automaton).svg(100).contains("a {0}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn automaton(automaton: &Tgba) -> Graph {
    let mut graph = Graph::new(automaton.title().unwrap_or("automaton"));
    let strength = |location| automaton.components().iter().find(|part| part.locations.contains(&location));
    for location in automaton.locations() {
        let strength = strength(location).map_or(Strength::Transient, |part| part.strength);
        let colour = match strength {
            Strength::Transient => ["", "first"],
            Strength::Rejecting => ["grey", "grey first"],
            Strength::WeakAccepting => ["blue", "blue first"],
            Strength::Terminal => ["green", "green first"],
            Strength::Strong => ["orange", "orange first"],
        };
        let class = colour[usize::from(location == automaton.initial())];
        let name = automaton.name(location);
        let title = format!("{name} ({})", strength.as_str());
        graph.vertex(&location.0.to_string(), title.trim_start(), class);
    }
    for edge in automaton.edges() {
        let label = format!("{}{}", guard(automaton, &edge.guard), marks(edge.marks));
        graph.edge(edge.source.index(), edge.target.index(), &label);
    }
    graph
}

/// A guard over the names of the propositions.
fn guard(automaton: &Tgba, guard: &Guard) -> String {
    if guard.is_always() {
        return "1".to_owned();
    }
    let cube = |cube: &crate::automaton::Cube| {
        let literals = cube.literals().iter().map(|literal| {
            let name = automaton.propositions().get(literal.prop.index()).map_or("?", String::as_str);
            format!("{}{name}", if literal.positive { "" } else { "!" })
        });
        literals.collect::<Vec<_>>().join(" & ")
    };
    guard.cubes().iter().map(cube).collect::<Vec<_>>().join(" | ")
}

/// Acceptance sets, as in DOT.
fn marks(marks: Marks) -> String {
    if marks.is_empty() { String::new() } else { format!(" {marks:?}") }
}

//! Drawing an automaton in the DOT language of Graphviz.
//!
//! Components are boxes coloured by strength: grey rejecting, blue weak accepting, green terminal, orange
//! strong. Edge labels give the guard over the propositions' names and the acceptance sets.

use super::{Guard, Strength, Tgba};
use std::fmt::Write;

/// The automaton as a DOT document.
pub fn write(automaton: &Tgba) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_to(&mut out, automaton);
    out
}

fn write_to(out: &mut String, automaton: &Tgba) -> std::fmt::Result {
    writeln!(out, "digraph automaton {{")?;
    writeln!(out, "  rankdir=LR;\n  node [shape=circle];")?;
    if let Some(title) = automaton.title() {
        writeln!(out, "  label=\"{}\";\n  labelloc=t;", escaped(title))?;
    }
    writeln!(out, "  start [shape=point];\n  start -> {};", automaton.initial().0)?;
    for (i, component) in automaton.components().iter().enumerate() {
        let colour = match component.strength {
            Strength::Transient => None,
            Strength::Rejecting => Some("gray"),
            Strength::WeakAccepting => Some("blue"),
            Strength::Terminal => Some("green"),
            Strength::Strong => Some("orange"),
        };
        if let Some(colour) = colour {
            writeln!(out, "  subgraph cluster_{i} {{\n    color={colour};")?;
        }
        for location in &component.locations {
            let name = automaton.name(*location);
            let label = if name.is_empty() { location.0.to_string() } else { escaped(name) };
            writeln!(out, "    {} [label=\"{label}\"];", location.0)?;
        }
        if colour.is_some() {
            writeln!(out, "  }}")?;
        }
    }
    for edge in automaton.edges() {
        let guard = escaped(&guard_text(automaton, &edge.guard));
        write!(out, "  {} -> {} [label=\"{guard}", edge.source.0, edge.target.0)?;
        if !edge.marks.is_empty() {
            write!(out, "\\n{:?}", edge.marks)?;
        }
        writeln!(out, "\"];")?;
    }
    writeln!(out, "}}")
}

/// The guard as text over the names of the propositions.
fn guard_text(automaton: &Tgba, guard: &Guard) -> String {
    if guard.is_always() {
        return "1".to_owned();
    }
    let mut text = String::new();
    for (i, cube) in guard.cubes().iter().enumerate() {
        if i > 0 {
            text.push_str(" | ");
        }
        for (j, literal) in cube.literals().iter().enumerate() {
            let name = automaton.propositions().get(literal.prop.index()).map_or("?", String::as_str);
            text.push_str(if j > 0 { " & " } else { "" });
            text.push_str(if literal.positive { "" } else { "!" });
            text.push_str(name);
        }
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Passes, ltl::Formulas, translate};
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn picture_of_an_until() {
        let mut s = Formulas::new();
        let f = s.parse("\"x \\\" y\" U b").unwrap();
        let automaton = translate(&mut s, f, &Passes::default(), &Budget::unlimited()).unwrap();
        let text = write(&automaton);
        assert!(text.starts_with("digraph automaton {\n"), "{text}");
        for part in [
            "  start -> 0;\n",
            "    color=green;\n    1 [label=\"1\"];\n",
            "  0 -> 1 [label=\"b\"];\n",
            "  0 -> 0 [label=\"x \\\" y & !b\"];\n",
            "  1 -> 1 [label=\"1\\n{0}\"];\n",
        ] {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
    }
}

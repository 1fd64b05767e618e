//! Writing an automaton in HOA v1.
//!
//! Generalized Büchi acceptance on edges, explicit labels, one edge a line. The properties that the automaton
//! knows of itself are stated as far as version 1 has names for them: determinism, completeness, stutter invariance,
//! weakness.

use crate::automaton::{Cube, Guard, Strength, Tgba};
use std::fmt::Write;

/// The automaton as a HOA document.
///
/// ```
/// use starset::automaton::{Guard, Marks, Prop, TgbaBuilder, hoa};
/// let mut builder = TgbaBuilder::new(["p"], 0);
/// let q = builder.location("");
/// builder.edge(q, Guard::literal(Prop(0), false), Marks::NONE, q);
/// let text = hoa::write(&builder.build(q).unwrap());
/// assert!(text.starts_with("HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"p\"\nacc-name: all\n"));
/// assert!(text.ends_with("--BODY--\nState: 0\n[!0] 0\n--END--\n"));
/// ```
pub fn write(automaton: &Tgba) -> String {
    let mut out = String::from("HOA: v1\n");
    if let Some(title) = automaton.title() {
        out.push_str("name: ");
        push_quoted(&mut out, title);
        out.push('\n');
    }
    // Writing to a String cannot fail.
    let _ = write_header(&mut out, automaton);
    out.push_str("--BODY--\n");
    let _ = write_body(&mut out, automaton);
    out.push_str("--END--\n");
    out
}

fn write_header(out: &mut String, automaton: &Tgba) -> std::fmt::Result {
    let sets = automaton.acceptance_sets();
    write!(out, "States: {}\nStart: {}\n", automaton.location_count(), automaton.initial().0)?;
    write!(out, "AP: {}", automaton.propositions().len())?;
    for name in automaton.propositions() {
        out.push(' ');
        push_quoted(out, name);
    }
    out.push_str("\nacc-name: ");
    match sets {
        0 => out.push_str("all"),
        1 => out.push_str("Buchi"),
        _ => write!(out, "generalized-Buchi {sets}")?,
    }
    write!(out, "\nAcceptance: {sets} ")?;
    if sets == 0 {
        out.push('t');
    }
    for set in 0..sets {
        write!(out, "{}Inf({set})", if set == 0 { "" } else { "&" })?;
    }
    out.push_str("\nproperties: trans-labels explicit-labels trans-acc");
    if automaton.is_deterministic() {
        out.push_str(" deterministic");
    }
    if automaton.is_complete() {
        out.push_str(" complete");
    }
    if automaton.stutter_invariant() == Some(true) {
        out.push_str(" stutter-invariant");
    }
    if automaton.strength() != Strength::Strong {
        out.push_str(" inherently-weak");
    }
    out.push('\n');
    Ok(())
}

fn write_body(out: &mut String, automaton: &Tgba) -> std::fmt::Result {
    for location in automaton.locations() {
        write!(out, "State: {}", location.0)?;
        let name = automaton.name(location);
        if !name.is_empty() {
            out.push(' ');
            push_quoted(out, name);
        }
        out.push('\n');
        for edge in automaton.edges_from(location) {
            out.push('[');
            push_guard(out, &edge.guard)?;
            write!(out, "] {}", edge.target.0)?;
            let mut separator = " {";
            for set in edge.marks.iter() {
                write!(out, "{separator}{set}")?;
                separator = " ";
            }
            out.push_str(if edge.marks.is_empty() { "\n" } else { "}\n" });
        }
    }
    Ok(())
}

fn push_guard(out: &mut String, guard: &Guard) -> std::fmt::Result {
    if guard.is_always() {
        out.push('t');
        return Ok(());
    }
    if guard.is_never() {
        out.push('f');
    }
    for (i, cube) in guard.cubes().iter().enumerate() {
        if i > 0 {
            out.push_str(" | ");
        }
        push_cube(out, cube)?;
    }
    Ok(())
}

fn push_cube(out: &mut String, cube: &Cube) -> std::fmt::Result {
    for (i, literal) in cube.literals().iter().enumerate() {
        let and = if i > 0 { "&" } else { "" };
        let not = if literal.positive { "" } else { "!" };
        write!(out, "{and}{not}{}", literal.prop.0)?;
    }
    Ok(())
}

/// A double-quoted string with backslash escapes, as the format has them.
fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        if c == '"' || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
}

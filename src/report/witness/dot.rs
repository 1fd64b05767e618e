//! A witness as a picture in the language of Graphviz: a box per marking, an arrow per firing, a frame per run,
//! and a dashed arrow to the run that justifies a part.

use super::{Marked, Names, after, moves, referred, why};
use crate::report::state;
use crate::witness::{End, Witness};
use std::fmt::Write as _;

/// Places shown of one marking.
const PLACES: usize = 12;

/// A graph of the witness with this title.
pub fn dot(witness: &Witness, names: Names<'_>, title: &str) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _infallible = graph(witness, names, title, &mut out);
    out
}

fn graph(witness: &Witness, names: Names<'_>, title: &str, out: &mut String) -> std::fmt::Result {
    writeln!(out, "digraph witness {{\n  rankdir=LR; node [shape=box, fontname=monospace]; compound=true;")?;
    let verdict = names.part(witness.reason.formula, witness.reason.holds);
    let is_finite = witness.runs.first().is_some_and(|run| run.end == End::Final);
    let of = if is_finite { "finite runs".to_owned() } else { format!("{} paths", witness.paths) };
    let label = format!("{title}: {verdict} ({}; {of})", why(&witness.reason));
    writeln!(out, "  label={}; labelloc=t;", quoted(&label))?;
    for (number, run) in witness.runs.iter().enumerate() {
        let label = format!("run {}: {}", number + 1, names.short(run.formula));
        writeln!(out, "  subgraph cluster_{number} {{\n    label={};", quoted(&label))?;
        for (at, position) in run.positions.iter().enumerate() {
            let mut lines = match names.model.terms().assigned {
                true => vec![state::text(names.model, names.symbols, &position.marking, PLACES)],
                false => marked(&names.marked(&position.marking)),
            };
            lines.extend(position.parts.iter().map(|part| format!(": {}", names.part(part.formula, part.holds))));
            let last = at + 1 == run.positions.len();
            let style = match run.end {
                End::Deadlock | End::Final if last => ", peripheries=2",
                _ => "",
            };
            writeln!(out, "    r{number}_{at} [label={}{style}];", quoted(&lines.join("\n")))?;
            if last && run.end == End::Open {
                writeln!(
                    out,
                    "    r{number}_end [label=\"…\", shape=plaintext];\n    r{number}_{at} -> r{number}_end;"
                )?;
            }
        }
        for (step, (from, fired, _)) in moves(run).enumerate() {
            let to = after(run, step);
            let label = quoted(&names.named_step(from, fired));
            writeln!(out, "    r{number}_{step} -> r{number}_{to} [label={label}];")?;
        }
        writeln!(out, "  }}")?;
    }
    for (number, run) in witness.runs.iter().enumerate() {
        for (at, position) in run.positions.iter().enumerate() {
            for other in position.reasons.iter().flat_map(referred) {
                writeln!(out, "  r{number}_{at} -> r{other}_0 [style=dashed, constraint=false];")?;
            }
        }
    }
    writeln!(out, "}}")
}

/// The places that are marked, with an end to them.
fn marked(marked: &[Marked<'_>]) -> Vec<String> {
    let mut lines = vec![marked.iter().take(PLACES).map(Marked::text).collect::<Vec<_>>().join(" ")];
    if marked.len() > PLACES {
        lines.push(format!("… and {} more places", marked.len() - PLACES));
    }
    lines
}

/// A string of the language, its lines left-aligned.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l"))
}

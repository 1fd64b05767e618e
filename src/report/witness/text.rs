//! A witness for people: each run as a list of steps, with what changes and what it is good for.

use super::{Names, between, cut, moves, why};
use crate::formula::{Formula, FormulaId, PathSemantics};
use crate::model::{State, Step};
use crate::report::state;
use crate::witness::{Because, End, Run, Witness, again_and_again};
use std::fmt::Write as _;

/// Places shown of one marking.
const PLACES: usize = 40;

/// The lines of a witness, indented by two columns. The formula that it is of is called as it was `written`, if that is
/// known.
pub fn text(witness: &Witness, names: Names<'_>, written: Option<&str>) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _infallible = lines(witness, names, written, &mut out);
    out.truncate(out.trim_end().len());
    out
}

fn lines(witness: &Witness, names: Names<'_>, written: Option<&str>, out: &mut String) -> std::fmt::Result {
    match &witness.reason.because {
        Because::Run(0) => {}
        _ => writeln!(out, "  {}: {}", names.part(witness.reason.formula, witness.reason.holds), why(&witness.reason))?,
    }
    for (number, run) in witness.runs.iter().enumerate() {
        let many = witness.runs.len() > 1 || !matches!(witness.reason.because, Because::Run(0));
        if many {
            write!(out, "  run {}: ", number + 1)?;
        } else {
            out.push_str("  ");
        }
        let written = written.filter(|_| run.formula == witness.reason.formula);
        one(run, witness.paths, names, written, out)?;
    }
    Ok(())
}

fn one(run: &Run, paths: PathSemantics, names: Names<'_>, written: Option<&str>, out: &mut String) -> std::fmt::Result {
    let steps = match run.fired.len() {
        1 => "1 step".to_owned(),
        n => format!("{n} steps"),
    };
    let verb = if matches!(names.pool[run.formula], Formula::Exists(_)) { "shows" } else { "violates" };
    // `E true` is what a run that an automaton accepts is shown for.
    let what = match (names.pool[run.formula].clone(), written) {
        (_, Some(written)) => cut(written.to_owned()),
        (Formula::Exists(path), _) if names.pool[path] == Formula::True => "a path".to_owned(),
        _ => names.short(run.formula),
    };
    let known = match run.least {
        _ if run.is_shortest() => "shortest".to_owned(),
        0 | 1 => "shortest known".to_owned(),
        least => format!("shortest known, {least} needed"),
    };
    let clocks = match state::scale(names.model) {
        Some(parts) if parts > 1 => format!(", clocks in 1/{parts}"),
        _ => String::new(),
    };
    let of = if run.end == End::Final { "finite runs".to_owned() } else { format!("{paths} paths") };
    writeln!(out, "{verb} {what} ({steps}, {known}, {of}{clocks})")?;
    let width = run.positions.len().to_string().len();
    let parts = run.positions.iter().flat_map(|position| &position.parts);
    let again: Vec<FormulaId> =
        parts.filter_map(|&part| again_and_again(names.pool, part)).map(|met| met.formula).collect();
    let again = names.pool.subformulas(&again);
    let from = if let End::Loop(start) = run.end { start } else { run.positions.len().saturating_sub(1) };
    let moves: Vec<_> = moves(run).collect();
    let step_of = |step: usize| moves.get(step).map_or_else(String::new, |&step| moved(step, names));
    for (at, position) in run.positions.iter().enumerate() {
        if run.end == End::Loop(at) {
            writeln!(out, "    {:>width$}  -- the loop starts here", "")?;
        }
        match at.checked_sub(1) {
            Some(step) => writeln!(out, "    {at:>width$}  {}", step_of(step))?,
            None => writeln!(out, "    {at:>width$}  {}", start(&position.marking, names))?,
        }
        for part in &position.parts {
            let reason = position.reasons.iter().find(|reason| reason.formula == part.formula);
            let because = reason.map(|reason| format!("  [{}]", why(reason))).unwrap_or_default();
            let is_met = at >= from && run.end != End::Open && again.contains(&part.formula);
            let met = if is_met { "  [met here, again and again]" } else { "" };
            writeln!(out, "    {:>width$}    : {}{because}{met}", "", names.part(part.formula, part.holds))?;
        }
    }
    match run.end {
        End::Loop(start) => {
            let step = run.fired.len().saturating_sub(1);
            writeln!(out, "    {:>width$}  {}", "", step_of(step))?;
            writeln!(out, "    {:>width$}  -- back to {start}, for ever", "")
        }
        End::Deadlock if paths == PathSemantics::Stutter => {
            writeln!(out, "    {:>width$}  -- deadlock: the marking repeats for ever", "")
        }
        End::Deadlock => writeln!(out, "    {:>width$}  -- deadlock: the path ends", ""),
        End::Final => {
            let is_dead = run.positions.last().is_some_and(|last| names.model.is_deadlock(&last.marking));
            let deadlock = if is_dead { "deadlock: " } else { "" };
            writeln!(out, "    {:>width$}  -- {deadlock}the run ends here", "")
        }
        End::Open => writeln!(out, "    {:>width$}  -- whatever follows", ""),
    }
}

/// The lines of a run without a purpose: its first state, what each step changes, and whether it ends.
pub fn steps(states: &[State], steps: &[Step], names: Names<'_>) -> String {
    let (Some(first), Some(last)) = (states.first(), states.last()) else { return String::new() };
    let width = states.len().to_string().len();
    let mut out = format!("  {:>width$}  {}\n", 0, start(first, names));
    for (at, step) in (1..).zip(between(states, steps)) {
        let _infallible = writeln!(out, "  {at:>width$}  {}", moved(step, names));
    }
    if names.model.is_deadlock(last) {
        let _infallible = writeln!(out, "  {:>width$}  -- deadlock: the path ends", "");
    }
    out
}

/// The marking that a run starts in.
fn start(first: &State, names: Names<'_>) -> String {
    if names.model.terms().assigned {
        return state::text(names.model, names.symbols, first, PLACES);
    }
    let marked = names.marked(first);
    let mut text = marked.iter().take(PLACES).map(super::Marked::text).collect::<Vec<_>>().join(" ");
    if marked.is_empty() {
        text.push_str("no tokens");
    }
    if marked.len() > PLACES {
        text.push_str(&format!(" … and {} more places (all with --json)", marked.len() - PLACES));
    }
    text
}

/// A transition and what it changes.
fn moved((from, step, to): (&State, Step, &State), names: Names<'_>) -> String {
    let changes = names.changes(from, to);
    let changes: Vec<String> = changes.iter().map(|[place, a, b]| format!(" {place} {a}→{b}")).collect();
    let changes = if changes.is_empty() { " nothing changes".to_owned() } else { changes.join(",") };
    format!("{}: {}", names.named_step(from, step), changes.trim_start())
}

//! A counter machine as a file: what [`super::read`] reads back; or the graph of its states.

use super::{CounterMachine, OnCounter};
use crate::budget::Budget;
use crate::kinds::network::write_graph;
use crate::kinds::{Kind as _, Size, WriteError, Writing};
use crate::model::TransitionSystem;
use std::io::{self, Write};

/// In its own form, or as the graph of its states.
pub(super) fn write(
    machine: &CounterMachine,
    form: &str,
    writing: &Writing,
    budget: &Budget,
    out: &mut dyn Write,
) -> Result<Vec<Size>, WriteError> {
    match form {
        "counters" => {
            write_counters(machine, out)?;
            Ok(machine.sizes())
        }
        "aut" => write_graph(machine, writing, budget, out),
        _ => {
            let forms = &["counters", "aut"];
            Err(WriteError::Form { model: machine.terms().model, form: form.to_owned(), forms })
        }
    }
}

fn write_counters(machine: &CounterMachine, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "machine {}", machine.name())?;
    if let Some(control) = machine.control() {
        writeln!(out, "control {} = {}", control.name, control.states.join(" "))?;
    }
    for counter in machine.counters() {
        writeln!(out, "counter {} = {}", counter.name, counter.initial)?;
    }
    for transition in machine.transitions() {
        write!(out, "{}:", transition.name)?;
        if let (Some((from, to)), Some(control)) = (transition.control, machine.control()) {
            write!(out, " {} -> {}", control.states[from as usize], control.states[to as usize])?;
        }
        let name = |on: &OnCounter| machine.counters()[on.counter].name.as_str();
        let mut tests = Vec::new();
        let mut updates = Vec::new();
        for on in &transition.counters {
            tests.extend((on.least > 0).then(|| format!("{} >= {}", name(on), on.least)));
            tests.extend(on.below.map(|below| format!("{} < {below}", name(on))));
            match on.change {
                0 => {}
                1.. => updates.push(format!("{} += {}", name(on), on.change)),
                _ => updates.push(format!("{} -= {}", name(on), on.change.unsigned_abs())),
            }
        }
        for (word, parts) in [("when", tests), ("do", updates)] {
            if !parts.is_empty() {
                write!(out, " {word} {}", parts.join(", "))?;
            }
        }
        writeln!(out)?;
    }
    out.flush()
}

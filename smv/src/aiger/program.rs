//! A circuit as a program of SMV.

use super::circuit::{Circuit, Literal};
use crate::flat::chained;
use crate::names::Names;
use std::collections::HashMap;
use std::fmt::Write;

/// Names of signals and properties.
struct Writer<'a> {
    circuit: &'a Circuit,
    names: Names,
    /// By variable.
    signals: HashMap<u32, String>,
    outputs: Vec<String>,
}

impl<'a> Writer<'a> {
    /// All signals have names.
    fn new(circuit: &'a Circuit) -> Self {
        let mut writer = Writer { circuit, names: Names::default(), signals: HashMap::new(), outputs: Vec::new() };
        for (number, &input) in circuit.inputs.iter().enumerate() {
            let name = writer.name('i', number);
            writer.signals.insert(input / 2, name);
        }
        for (number, latch) in circuit.latches.iter().enumerate() {
            let name = writer.name('l', number);
            writer.signals.insert(latch.literal / 2, name);
        }
        writer.outputs = (0..circuit.outputs.len()).map(|number| writer.name('o', number)).collect();
        for &(gate, _) in &circuit.gates {
            let name = writer.names.fresh(&format!("a{}", gate / 2));
            writer.signals.insert(gate / 2, name);
        }
        writer
    }

    /// The name of a part: its own, or its letter and number.
    fn name(&mut self, sort: char, number: usize) -> String {
        let own = self.circuit.names.get(&(sort, number));
        let name = own.cloned().unwrap_or_else(|| format!("{sort}{number}"));
        self.names.fresh(&name)
    }

    fn literal(&self, literal: Literal) -> String {
        match literal {
            0 => "FALSE".to_owned(),
            1 => "TRUE".to_owned(),
            _ => {
                let name = self.signals.get(&(literal / 2)).map_or("FALSE", String::as_str);
                if literal % 2 == 1 { format!("!{name}") } else { name.to_owned() }
            }
        }
    }

    /// All of these.
    fn all(&self, literals: &[Literal]) -> String {
        chained(literals.iter().map(|&literal| self.literal(literal)).collect(), " & ")
    }
}

/// A line of the program.
macro_rules! line {
    ($text:expr, $($part:tt)*) => {{
        let _infallible = writeln!($text, $($part)*);
    }};
}

/// The name of the first output.
pub(super) fn first_output(circuit: &Circuit) -> String {
    Writer::new(circuit).outputs.into_iter().next().unwrap_or_default()
}

/// The text.
pub(super) fn text(circuit: &Circuit) -> String {
    let mut writer = Writer::new(circuit);
    let mut text = "MODULE main\n".to_owned();
    for input in &circuit.inputs {
        line!(text, "IVAR {} : boolean;", writer.signals[&(input / 2)]);
    }
    for latch in &circuit.latches {
        line!(text, "VAR {} : boolean;", writer.signals[&(latch.literal / 2)]);
    }
    for (gate, operands) in &circuit.gates {
        line!(text, "DEFINE {} := {};", writer.signals[&(gate / 2)], writer.all(operands));
    }
    for (name, &output) in writer.outputs.iter().zip(&circuit.outputs) {
        line!(text, "DEFINE {name} := {};", writer.literal(output));
    }
    for latch in &circuit.latches {
        let name = &writer.signals[&(latch.literal / 2)];
        if let Some(value) = latch.reset {
            line!(text, "ASSIGN init({name}) := {};", if value { "TRUE" } else { "FALSE" });
        }
        line!(text, "ASSIGN next({name}) := {};", writer.literal(latch.next));
    }
    for &constraint in &circuit.constraints {
        line!(text, "TRANS {};", writer.literal(constraint));
    }
    for &fairness in &circuit.fairness {
        line!(text, "JUSTICE {};", writer.literal(fairness));
    }
    for (number, &bad) in circuit.bad.iter().enumerate() {
        let name = writer.name('b', number);
        match &circuit.constraints[..] {
            [] => line!(text, "INVARSPEC NAME {name} := !({});", writer.literal(bad)),
            constraints => {
                let constraints = writer.all(constraints);
                line!(text, "INVARSPEC NAME {name} := {constraints} -> !({});", writer.literal(bad));
            }
        }
    }
    for (number, literals) in circuit.justice.iter().enumerate() {
        let name = writer.name('j', number);
        let again: Vec<String> = literals.iter().map(|&literal| format!("G F {}", writer.literal(literal))).collect();
        let path = if again.is_empty() { "G TRUE".to_owned() } else { chained(again, " & ") };
        line!(text, "LTLSPEC NAME {name} := !({path});");
    }
    text
}

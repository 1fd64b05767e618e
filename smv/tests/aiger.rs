//! Random and-inverter graphs beside an evaluator of their own: states, bad states, justice; in text and in bytes.

#![allow(clippy::unwrap_used)]

mod circuits;

use circuits::{Drawn, Random};
use starset_smv::{Circuit, Limits, Memory, Stage, System, Value, read};
use std::collections::HashSet;

const LIMITS: Limits = Limits { solutions: 10_000, trials: 1_000_000 };

/// States and pairs of states with a step, as the program has them.
fn of_program(text: &str) -> (HashSet<u32>, HashSet<(u32, u32)>) {
    let mut model = read(text, false).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    let system = System::new(&mut model);
    let code = |values: &[Value]| -> u32 {
        values.iter().enumerate().map(|(at, value)| u32::from(*value == Value::Bool(true)) << at).sum()
    };
    let first = system.first_states(&model, LIMITS).unwrap();
    let mut seen: HashSet<u32> = first.all.iter().map(|state| code(state)).collect();
    let (mut open, mut steps, mut memory) = (first.all, HashSet::new(), Memory::default());
    while let Some(state) = open.pop() {
        for (number, event) in system.events().iter().enumerate() {
            let slot = |variable: &usize| system.state().iter().position(|other| other == variable).unwrap();
            let values = event.reads.iter().map(|variable| state[slot(variable)]);
            for step in system.steps(&model, &mut memory, number, values, LIMITS).unwrap().all {
                let mut next = state.clone();
                event.writes.iter().zip(step).for_each(|(variable, value)| next[slot(variable)] = value);
                steps.insert((code(&state), code(&next)));
                if seen.insert(code(&next)) {
                    open.push(next);
                }
            }
        }
    }
    (seen, steps)
}

#[test]
fn random_circuits_have_the_states_and_steps_of_the_definition() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut sizes, mut constrained) = (HashSet::new(), 0);
    for _ in 0..600 {
        let drawn = Drawn::new(&mut random);
        let text = Circuit::read(&drawn.file(false)).unwrap().program();
        assert_eq!(Circuit::read(&drawn.file(true)).unwrap().program(), text);
        let graph = drawn.graph();
        let steps = graph.iter().flat_map(|(&from, steps)| steps.iter().map(move |(_, to)| (from, *to)));
        assert_eq!(of_program(&text), (graph.keys().copied().collect(), steps.collect()), "{text}");
        sizes.insert(graph.len());
        constrained += usize::from(graph.values().any(Vec::is_empty));
    }
    assert!(sizes.len() > 8 && constrained > 20, "{sizes:?} {constrained}");
}

#[test]
fn faults_have_a_line() {
    for (text, line, expected) in [
        ("", 1, "expected `aag M I L O A`"),
        ("aig 1 1 0", 1, "five to nine numbers"),
        ("aag 1 1 1 0 0\n", 1, "at least I + L + A = 2"),
        ("aig 3 1 1 0 0\n", 1, "is I + L + A = 2, and not 3"),
        ("aag 1 1 0 0 0\n3\n", 2, "an even literal from 2 to 2, not 3"),
        ("aag 1 1 0 1 0\n2\n", 3, "the file ends where the literal of an output should be"),
        ("aag 2 1 0 1 0\n2\n4\n", 3, "the literal 4 is no input, no latch and no gate"),
        ("aag 2 1 1 0 0\n2\n4 2 3\n", 3, "begins with 0, 1, or its own literal 4 for either, not 3"),
        ("aag 2 1 1 0 0\n2\n2 2\n", 3, "defined twice, first in line 2"),
        ("aag 2 0 0 0 2\n2 4 1\n4 2 1\n", 3, "depends on itself"),
        ("aag 1 1 0 0 0\n2\nx\n", 3, "expected a name as `i0 name`"),
        ("aag 1 1 0 0 0\n2\ni1 far\n", 3, "names nothing"),
        ("aag 1 1 0 1 0\n2\n9\n", 3, "above 2 * 1 + 1"),
        ("aig 2 1 0 0 1\n\u{3}", 2, "byte 15: the file ends among its gates"),
        ("aig 2 1 0 0 1\n\u{0}\u{0}", 2, "byte 15: the operands of gate 4 are not below it"),
        ("aag 4000000000 0 0 0 0\n", 1, "more than"),
    ] {
        let fault = Circuit::read(text.as_bytes()).expect_err(text);
        assert_eq!((fault.place.line, fault.stage <= Stage::Assignments), (line, true), "{text:?}: {fault}");
        assert!(fault.message.contains(expected), "{text:?}: {fault}");
    }
}

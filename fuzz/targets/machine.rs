//! B machines, machines of Rodin, and packages of ProB.
//!
//! What is read gives successors of its initial states, and its invariant has a value there, or fails by name.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::budget::Budget;
use starset::kinds::pins::b::{BMachine, Options};
use starset::kinds::pins::{Batch, NextState, Successors};
use std::time::Duration;

fuzz_target!(|text: &str| {
    let budget = Budget::unlimited().with_time(Duration::from_secs(2));
    let options = Options { set_size: 2, initial: 16, loops: 16, budget, warn: None };
    // A machine of Rodin is alone, but for what it has of itself.
    let find = |name: &str| (name == "M.bum").then(|| (name.to_owned(), text.to_owned()));
    let read = if text.starts_with('<') {
        BMachine::parse_event_b("M", &find, &options)
    } else if text.contains("package(") {
        BMachine::parse_package("fuzz.eventb", text, &options)
    } else {
        BMachine::parse("fuzz.mch", text, &|_| None, &options)
    };
    let machine = match read {
        Ok(machine) => machine,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let signature = machine.signature();
    let mut successors = Successors::default();
    for initial in signature.initial.iter().take(2) {
        let short = |row: &[usize]| row.iter().map(|&variable| initial[variable]).collect::<Vec<_>>();
        for (number, group) in signature.groups.iter().enumerate() {
            let values = short(&group.reads);
            let _failed = machine.next(number, &Batch::new(&values, values.len(), 1), &mut successors);
        }
        for (number, label) in signature.labels.iter().enumerate() {
            let _failed = machine.label(number, &short(&label.reads));
        }
        for (variable, &value) in signature.variables.iter().zip(initial) {
            let shown = machine.show(variable.kind, value).into_owned();
            if let Some(again) = machine.read(variable.kind, &shown) {
                assert_eq!(again, value, "{shown}");
            }
        }
    }
});

//! DVE models. What is read gives successors and labels of its initial state; a property process becomes a question, which
//! is printed and parsed as the same formula.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::formula::{Pool, Symbols, parse};
use starset::kinds::pins::dve::{Dve, Watched, compare_moves};
use starset::kinds::pins::{Batch, NextState, PinsModel, Successors};

fuzz_target!(|text: &str| {
    let model = match Dve::read("fuzz.dve", text) {
        Ok(model) => model,
        Err(error) => return assert!(error.place.line > 0 && !error.message.is_empty()),
    };
    let signature = model.signature();
    let initial = &signature.initial[0];
    let short = |row: &[usize]| row.iter().map(|&variable| initial[variable]).collect::<Vec<_>>();
    let mut successors = Successors::default();
    for (number, group) in signature.groups.iter().enumerate() {
        let values = short(&group.reads);
        // A model may fail, by name.
        let _failed = model.next(number, &Batch::new(&values, values.len(), 1), &mut successors);
    }
    if let Err(complaint) = compare_moves(&model, &model, initial) {
        panic!("{complaint}");
    }
    for (number, label) in signature.labels.iter().enumerate() {
        let _failed = model.label(number, &short(&label.reads));
    }
    let Some(watched) = Watched::new(&model) else { return };
    if let Err(complaint) = compare_moves(&watched, &watched, &watched.signature().initial[0]) {
        panic!("{complaint}");
    }
    let mut pool = Pool::new();
    if let (Ok(question), Ok(product)) = (watched.question(&mut pool), PinsModel::new("fuzz", watched.clone())) {
        let symbols = Symbols::of(&product);
        let printed = pool.display(question, &symbols).to_string();
        // Names may be ambiguous, and formulas deeper than those that are read.
        if let Ok(again) = parse(&printed, &symbols, &mut pool) {
            assert_eq!(pool.display(again, &symbols).to_string(), printed);
        }
    }
});

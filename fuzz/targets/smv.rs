//! SMV programs. What is read gives successors and labels of its first states, the same from whole states and from
//! short ones; and what the file asks is a formula of its pool.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::kinds::Purpose;
use starset::kinds::pins::smv::Smv;
use starset::kinds::pins::{Batch, Moves, NextState, PinsError, Successors};

fuzz_target!(|text: &str| {
    let (model, asked) = match Smv::asked("fuzz.smv", text, &[], Purpose::Questions) {
        Ok(model) => model,
        Err(PinsError::Source(error)) => return assert!(error.place.line > 0 && !error.message.is_empty()),
        Err(_) => return,
    };
    for question in &asked.questions.list {
        assert!(asked.questions.pool.has(question.formula));
    }
    let signature = model.signature();
    let Some(initial) = signature.initial.first() else { return };
    let short = |row: &[usize]| row.iter().map(|&variable| initial[variable]).collect::<Vec<_>>();
    let (mut several, mut fails) = (0, false);
    for (number, group) in signature.groups.iter().enumerate() {
        let (values, mut successors) = (short(&group.reads), Successors::default());
        // A model may fail, by name.
        fails |= model.next(number, &Batch::new(&values, values.len(), 1), &mut successors).is_err();
        several += successors.iter().flatten().count();
    }
    let mut moves = Moves::default();
    let whole = model.direct().map(|direct| direct.moves(initial, &mut moves));
    assert_eq!(whole.is_some_and(|moved| moved.is_err()), fails);
    assert!(fails || moves.len() == several);
    for (number, label) in signature.labels.iter().enumerate() {
        let _failed = model.label(number, &short(&label.reads));
    }
});

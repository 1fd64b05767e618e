//! Logical networks in all forms. Errors have a line and a message; what is read has steps of its first state, the same
//! one by one and from the whole state.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::kinds::pins::logical::{Form, Logical, Update};
use starset::kinds::pins::{Batch, Moves, NextState, Successors};

const FORMS: [Form; 5] = [Form::Bnet, Form::BooleanNet, Form::Aeon, Form::Sbml, Form::Ginml];
const UPDATES: [Update; 3] = [Update::Asynchronous, Update::Synchronous, Update::Mixed];

fuzz_target!(|text: &str| {
    for form in FORMS {
        for update in UPDATES {
            let network = match Logical::read("fuzz", text, form, update) {
                Ok(read) => read.network,
                Err(error) => {
                    assert!(error.place.line > 0 && !error.message.is_empty());
                    break;
                }
            };
            let signature = network.signature();
            let initial = &signature.initial[0];
            let (mut several, mut fails) = (0, false);
            for (number, group) in signature.groups.iter().enumerate() {
                let values: Vec<u32> = group.reads.iter().map(|&variable| initial[variable]).collect();
                let mut successors = Successors::default();
                // A mixed update may have too many steps to list them.
                fails |= network.next(number, &Batch::new(&values, values.len(), 1), &mut successors).is_err();
                several += successors.iter().flatten().count();
            }
            let mut moves = Moves::default();
            let whole = network.direct().map(|direct| direct.moves(initial, &mut moves));
            assert_eq!(whole.is_some_and(|moved| moved.is_err()), fails);
            assert!(fails || moves.len() == several);
        }
    }
});

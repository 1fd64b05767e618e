//! Automata in HOA. What is read is written, and what was written is read as the same automaton.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::automaton::hoa;

fuzz_target!(|text: &str| {
    match hoa::read_all(text) {
        Ok(automata) => {
            for automaton in automata {
                let written = hoa::write(&automaton);
                let again = hoa::read(&written).unwrap_or_else(|error| panic!("{written}\n{error}"));
                let again = again.with_stutter_invariance(automaton.stutter_invariant());
                assert_eq!(automaton, again, "{written}");
            }
        }
        Err(error) => assert!(error.line > 0 && !error.message.is_empty()),
    }
});

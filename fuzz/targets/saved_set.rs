//! Saved sets. What is loaded is saved, and what was saved is loaded as the same set.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::budget::Budget;
use starset::mdd::{SavedSet, with_deep_stack};

fn text(saved: &SavedSet) -> Vec<u8> {
    let mut text = Vec::new();
    saved.save(&mut text).expect("a vector takes all that is written");
    text
}

fuzz_target!(|data: &[u8]| {
    // Whoever loads a file gives it a stack for its levels, of which there are no more than lines.
    with_deep_stack(data.len(), || {
        let budget = Budget::unlimited().with_memory(1 << 24);
        match SavedSet::load(data, &budget) {
            Ok(saved) => {
                let first = text(&saved);
                let again = SavedSet::load(first.as_slice(), &budget).expect("what was saved is loaded");
                assert_eq!(text(&again), first);
                let count = |saved: &SavedSet| saved.set.count(&budget).expect("there is no limit on time");
                assert_eq!(count(&saved), count(&again));
                assert_eq!(saved.set.is_empty(), again.set.is_empty());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
});

//! ETF. What is read is written, and what was written is read as the same description; it is a model that can be described.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::budget::Budget;
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::etf::{Etf, describe, read, write};

fuzz_target!(|text: &str| {
    let description = match read("fuzz.etf", text) {
        Ok(description) => description,
        Err(error) => return assert!(error.place.line > 0 && !error.message.is_empty()),
    };
    let written = write(&description);
    let again = read("written.etf", &written).unwrap_or_else(|error| panic!("{written}\n{error}"));
    assert_eq!(description, again, "{written}");
    if let Ok(model) = PinsModel::new("fuzz", Etf::new("fuzz", &description)) {
        let _too_large = describe(&model, 20, &Budget::unlimited());
    }
});

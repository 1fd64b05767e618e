//! Property files of the contest. What is read is printed and parsed as the same formula.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::formula::{Pool, PropertyQuestion, Symbols, parse, read_properties};
use starset::net::NetBuilder;

fuzz_target!(|data: &[u8]| {
    let mut builder = NetBuilder::new("n");
    for place in ["p", "q", "a place"] {
        builder.place(place, 1).expect("the names differ");
    }
    for transition in ["t", "u"] {
        builder.transition(transition).expect("the names differ");
    }
    let symbols = Symbols::new(&builder.build().expect("the net is well formed"));
    let mut pool = Pool::new();
    match read_properties(data, "fuzz", &symbols, &mut pool) {
        Ok(properties) => {
            for property in properties {
                let PropertyQuestion::Formula(formula) = property.query else { continue };
                pool.logic(formula);
                let text = pool.display(formula, &symbols).to_string();
                match parse(&text, &symbols, &mut pool) {
                    Ok(again) => assert_eq!(formula, again, "{text}"),
                    // The parser's limit on nesting is below that of the reader of files.
                    Err(error) => assert!(error.to_string().contains("nest"), "{text}: {error}"),
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

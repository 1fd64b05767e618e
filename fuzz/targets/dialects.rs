//! Formulas of LoLA and queries of TAPAAL. What is read is printed and parsed as the same formula.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::formula::{Dialect, Pool, PropertyQuestion, Symbols, parse, read_dialect};
use starset::net::NetBuilder;

fuzz_target!(|text: &str| {
    let mut builder = NetBuilder::new("n");
    for place in ["p", "q", "a place", "C.r", "a-b", "E"] {
        builder.place(place, 1).expect("the names differ");
    }
    for transition in ["t", "C.u"] {
        builder.transition(transition).expect("the names differ");
    }
    let symbols = Symbols::new(&builder.build().expect("the net is well formed"));
    for dialect in [Dialect::Lola, Dialect::Tapaal] {
        let mut pool = Pool::new();
        let found = match read_dialect(text, "fuzz", dialect, &symbols, &mut pool) {
            Ok(found) => found,
            Err(error) => {
                assert!(error.location.line > 0 && !error.to_string().is_empty());
                continue;
            }
        };
        for property in found {
            let PropertyQuestion::Formula(formula) = property.query else { continue };
            pool.logic(formula);
            let text = pool.display(formula, &symbols).to_string();
            match parse(&text, &symbols, &mut pool) {
                Ok(again) => assert_eq!(formula, again, "{text}"),
                // Ours prints more brackets than there were.
                Err(error) => assert!(error.to_string().contains("nest"), "{text}: {error}"),
            }
        }
    }
});

//! Formulas as text, in both notations. What is parsed is printed and parsed as the same formula.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::formula::{Pool, Symbols, parse, parse_actions};
use starset::model::StateSet;
use starset::net::NetBuilder;

fn symbols() -> Symbols {
    let mut builder = NetBuilder::new("n");
    for place in ["p", "q", "a place"] {
        builder.place(place, 1).expect("the names differ");
    }
    for transition in ["t", "u"] {
        builder.transition(transition).expect("the names differ");
    }
    let mut symbols = Symbols::new(&builder.build().expect("the net is well formed"));
    for name in ["s", "a set"] {
        let set = StateSet::new(name, Vec::new(), Vec::new()).expect("the set has no layers");
        symbols.name_set(set).expect("the names differ");
    }
    symbols
}

fuzz_target!(|text: &str| {
    let net = symbols();
    let actions = Symbols::of_labels(["p", "t", "a label"]);
    let mut pool = Pool::new();
    let parsed = [(parse(text, &net, &mut pool), &net), (parse_actions(text, &actions, &mut pool), &actions)];
    for (formula, symbols) in parsed {
        match formula {
            Ok(formula) => {
                pool.logic(formula);
                let printed = pool.display(formula, symbols).to_string();
                let again = parse(&printed, symbols, &mut pool);
                let again = again.unwrap_or_else(|error| panic!("{printed}: {error}"));
                assert_eq!(formula, again, "{printed}");
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});

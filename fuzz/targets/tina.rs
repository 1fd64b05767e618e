//! Nets of TINA. What is read is written, and what was written is read as a net with the same nodes and arcs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::kinds::net::formats::tina::{read, write};

fuzz_target!(|text: &str| {
    let net = match read(text, "fuzz.net") {
        Ok(net) => net,
        Err(error) => return assert!(error.line > 0 && !error.message.is_empty()),
    };
    let written = write(&net);
    let again = read(&written, "fuzz.net").unwrap_or_else(|error| panic!("{written}\n{error}"));
    assert_eq!((net.places(), net.transitions()), (again.places(), again.transitions()), "{written}");
});

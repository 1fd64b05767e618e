//! Drawings of TINA. What is read is written as `.net`, and what was written is read as a net with the same nodes and arcs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::kinds::net::formats::{ndr, tina};

fuzz_target!(|text: &str| {
    let net = match ndr::read(text, "fuzz.ndr") {
        Ok(net) => net,
        Err(error) => return assert!(error.line > 0 && !error.message.is_empty()),
    };
    let written = tina::write(&net);
    let again = tina::read(&written, "fuzz.net").unwrap_or_else(|error| panic!("{written}\n{error}"));
    assert_eq!((net.places(), net.transitions()), (again.places(), again.transitions()), "{written}");
});

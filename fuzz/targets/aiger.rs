//! And-inverter graphs. What is read is a program that is read, and the flat form of that is read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset_smv::{Circuit, read};

fuzz_target!(|bytes: &[u8]| {
    let circuit = match Circuit::read(bytes) {
        Ok(circuit) => circuit,
        Err(fault) => return assert!(fault.place.line > 0 && !fault.message.is_empty()),
    };
    let text = circuit.program();
    let program = read(&text, false).unwrap_or_else(|fault| panic!("{fault}: {text}"));
    let flat = program.flat();
    let again = read(&flat, false).unwrap_or_else(|fault| panic!("{fault}: {flat}"));
    assert_eq!(again.flat(), flat);
});

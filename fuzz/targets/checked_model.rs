//! Models as the checker of certificates reads them: PNML, networks, programs, tables. Each is read or refused, in bounded
//! time, and its steps lead where they can.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset_checker::{Net, bounded, with_stack};

fuzz_target!(|text: &str| {
    let read = || bounded(text.len(), || Net::read(text)).or_else(|_| bounded(text.len(), || Net::read_unlisted(text)));
    let Ok(net) = with_stack(read).unwrap_or_else(|refused| panic!("{refused}")) else { return };
    let _whichever = net.hash();
    for initial in net.initials() {
        for step in net.steps_at(&initial) {
            assert!(step.label < net.labels.len());
            // What is possible may lead to more tokens than are counted.
            assert!(net.enabled(step, &initial) || net.fire(step, &initial).is_none());
        }
    }
});

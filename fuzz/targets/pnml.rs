//! PNML of both kinds. What is read is written and read back as the same net; coloured nets are unfolded first.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::budget::Budget;
use starset::kinds::net::coloured::{Limits, unfold};
use starset::kinds::net::pnml::{self, Net};
use starset::net::PetriNet;

fn written(net: &PetriNet) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    match pnml::write(net, &mut text) {
        Ok(()) => Some(text),
        // Identifiers with blanks have no place in a section of units.
        Err(error) => {
            assert!(net.nupn().is_some(), "{error}");
            None
        }
    }
}

fn same_again(net: &PetriNet) {
    let Some(text) = written(net) else { return };
    let again = pnml::read(text.as_slice(), "again");
    let again = again.unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&text)));
    assert_eq!(net.places(), again.places());
    assert_eq!(net.transitions(), again.transitions());
    assert_eq!(net.nupn(), again.nupn());
    assert_eq!(written(&again), Some(text));
}

fuzz_target!(|data: &[u8]| {
    match pnml::read_net(data, "fuzz") {
        Ok(Net::Flat(net)) => same_again(&net),
        Ok(Net::Coloured(net)) => {
            let limits = Limits { places: 1_000, transitions: 1_000, arcs: 10_000 };
            let budget = Budget::unlimited().with_work(100_000);
            if let Ok(unfolding) = unfold(&net, &limits, &budget) {
                assert!(unfolding.net.place_count() <= limits.places);
                assert!(unfolding.net.transition_count() <= limits.transitions);
                same_again(&unfolding.net);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

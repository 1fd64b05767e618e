//! Nets and projects of GreatSPN: a text is taken as one or the other, as it begins. What is read is written as PNML and read
//! as the same net.

#![no_main]

use libfuzzer_sys::fuzz_target;
use starset::kinds::net::formats::{gspn, pnpro};
use starset::kinds::net::pnml;

fuzz_target!(|text: &str| {
    let net = match if text.starts_with('<') { pnpro::read(text, "f.PNPRO") } else { gspn::read(text, "f.net") } {
        Ok(net) => net,
        Err(error) => return assert!(error.line > 0 && !error.message.is_empty()),
    };
    let mut written = Vec::new();
    // Identifiers of PNML have fewer characters.
    if pnml::write(&net, &mut written).is_ok() {
        let shown = || String::from_utf8_lossy(&written).into_owned();
        let again = pnml::read(&written[..], "f.pnml").unwrap_or_else(|error| panic!("{}\n{error}", shown()));
        let counts = |net: &starset::net::PetriNet| (net.place_count(), net.transition_count(), net.arc_count());
        assert_eq!(counts(&net), counts(&again), "{}", shown());
    }
});

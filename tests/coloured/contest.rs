//! The coloured instances of the Model Checking Contest sample, where it is at hand.

use crate::shared::shared;
use starset::budget::Budget;
use starset::explicit::{Encoding, Options};
use starset::kinds::Kind;
use starset::kinds::net::coloured::{Limits, Unfolding, unfold};
use starset::kinds::net::pnml::{Net, read_net_path};
use starset::net::PetriNet;
use std::path::Path;

fn unfolded(folder: &Path) -> Unfolding {
    match read_net_path(folder).unwrap() {
        Net::Coloured(net) => unfold(&net, &Limits::default(), &Budget::unlimited()).unwrap(),
        Net::Flat(_) => panic!("{} is not read as a coloured net", folder.display()),
    }
}

/// Families that are in the sample with the same parameter both ways have the same state space.
#[test]
fn coloured_and_flat_twins() {
    let Some(folder) = shared("mcc") else { return };
    let twins = ["AirplaneLD-?-0010", "CSRepetitions-?-02", "DrinkVendingMachine-?-02", "LamportFastMutEx-?-2"];
    let twins = twins.into_iter().chain(["Philosophers-?-000005", "SafeBus-?-03", "TokenRing-?-005"]);
    for twin in twins {
        let coloured = unfolded(&folder.join(twin.replace('?', "COL"))).net;
        let flat = starset::kinds::net::pnml::read_path(&folder.join(twin.replace('?', "PT"))).unwrap();
        let explore = |net: &PetriNet| {
            let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
            let found = engine.explore(&Options::default(), &Budget::unlimited()).unwrap();
            (found.states, found.transitions, found.max_tokens_per_marking)
        };
        assert_eq!(explore(&coloured), explore(&flat), "{twin}");
    }
}

/// The shipped model: five philosophers on a ring of whom no two neighbours eat, of whom there are 11 sets.
#[test]
fn the_shipped_model() {
    let net = unfolded(&Path::new(env!("CARGO_MANIFEST_DIR")).join("models/coloured/philo-5.pnml")).net;
    assert_eq!((net.place_count(), net.transition_count()), (15, 10));
    let graph = crate::reference::explore(&net, 100).unwrap();
    // Five may take forks at first; beside one who eats two others may; who eats may give: 5 + 5·(2+1) + 5·2.
    assert_eq!((graph.states(), graph.transitions(), graph.deadlocks().len()), (11, 30, 0));
    assert!(net.places().iter().any(|place| place.id == "Eat_3"));
}

/// Only what can matter is unfolded.
#[test]
fn sizes_of_unfoldings() {
    let Some(folder) = shared("mcc") else { return };
    let size = |instance: &str| {
        let net = unfolded(&folder.join(instance)).net;
        (net.place_count(), net.transition_count())
    };
    assert_eq!(size("Philosophers-COL-000050"), (250, 250));
    // Of 11³ conceivable bindings, those with i ≠ 0 and x ≠ y, and the 11 of the other transition.
    assert_eq!(size("TokenRing-COL-010"), (121, 10 * 110 + 11));
}

//! Every example of the folder `examples/` runs.

#[path = "../../examples/explicit_search.rs"]
mod explicit_search;
#[path = "../../examples/net.rs"]
mod net;
#[path = "../../examples/network.rs"]
mod network;
#[path = "../../examples/next_state.rs"]
mod next_state;
#[path = "../../examples/sat_set.rs"]
mod sat_set;
#[path = "../../examples/witness.rs"]
mod witness;

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn all_run() {
    explicit_search::main().unwrap();
    net::main().unwrap();
    network::main().unwrap();
    next_state::main().unwrap();
    sat_set::main().unwrap();
    witness::main().unwrap();
}

/// What is not run here is no example: `automata_table` and `zones` make tables of the documentation.
#[test]
fn none_is_forgotten() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let names = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let expected = [
        "automata_table.rs",
        "explicit_search.rs",
        "net.rs",
        "network.rs",
        "next_state.rs",
        "sat_set.rs",
        "witness.rs",
        "zones.rs",
    ];
    assert_eq!(names.collect::<BTreeSet<_>>(), BTreeSet::from(expected.map(String::from)));
}

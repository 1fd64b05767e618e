//! A network: transition systems that synchronise on equal labels, one in each file. Formulas speak of local states and
//! of labels.
//!
//! `cargo run --release --example network`
#![allow(clippy::print_stdout)]

use starset::budget::Budget;
use starset::kinds::{Reading, in_words};
use starset::{Error, Model};

pub(crate) fn main() -> Result<(), Error> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
    let files = ["sender", "receiver"].map(|name| format!("{folder}/{name}.aut"));
    let network = Model::read_with(&files, &Reading::default(), &Budget::unlimited())?;
    println!("{}: {}", network.name(), in_words(&network.kind().sizes()));

    // The receiver may stop after an item; then the sender can produce one more, and nothing else.
    let stuck = network.deadlocks()?;
    for state in &stuck {
        println!("stuck with receiver in {:?}: {state}", state.value("receiver"));
    }
    assert_eq!(stuck, network.satset("receiver = 2 & sender = 1")?);

    // Linear-time formulas over labels; their paths are infinite ones, as networks have them.
    let answer = network.check("G (action(send) -> F action(consume))")?;
    println!("whatever is sent is consumed, if things go on: {:?}", answer.verdict());
    assert_eq!(answer.verdict(), Some(true));

    // The states in which the receiver waits, among all that are reachable.
    let waits = network.satset("receiver = 0")?;
    println!("the receiver waits in {} of {} states", waits.len()?, network.states()?);
    assert!(waits.contains(&network.initial())?);
    assert!(waits.contains(&network.state([("sender", 1), ("receiver", 0)])?)?);
    Ok(())
}

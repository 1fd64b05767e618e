//! Build a net, ask questions about it, and write it as PNML.
//!
//! `cargo run --release --example net`
#![allow(clippy::print_stdout)]

use starset::Model;
use starset::kinds::net::pnml;
use starset::net::{BuildError, NetBuilder, PetriNet};
use std::error::Error;

/// A producer that fills a buffer of so many places, and a consumer that takes two items at once.
fn buffer(places: u64) -> Result<PetriNet, BuildError> {
    let mut b = NetBuilder::new("buffer");
    let (free, full) = (b.place("free", places)?, b.place("full", 0)?);
    let put = b.transition("put")?;
    b.input(free, put, 1)?;
    b.output(put, full, 1)?;
    let take = b.transition("take")?;
    b.input(full, take, 2)?;
    b.output(take, free, 2)?;
    // Nobody takes anything while there is room for two more.
    b.inhibitor(free, take, 2)?;
    b.build()
}

pub(crate) fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let net = buffer(5)?;
    let mut file = Vec::new();
    pnml::write(&net, &mut file)?;
    println!("{}: {} bytes of PNML", net.name(), file.len());

    let model = Model::new(net);
    println!("{} markings, at most {:?} items in the buffer", model.states()?, model.bound(&["full"])?);
    for formula in ["AG #free + #full = 5", "AG EF enabled(take)", "EF (#full = 1 & X #full = 2)", "EF deadlock"] {
        // Every verdict says how it was found, and most come with a run of the net that shows why.
        let answer = model.check(formula)?;
        println!("{formula}: {:?}, by {}", answer.verdict(), answer.technique().name());
        if let Some(run) = answer.witness() {
            println!("{run}");
        }
    }
    assert_eq!(model.check("AG EF enabled(take)")?.verdict(), Some(true));
    assert_eq!(model.bound(&["full"])?, Some(5u32.into()));
    Ok(())
}

//! Sat-sets as values: count them, combine them, look at their states, draw some at random, save them and load them again.
//!
//! `cargo run --release --example sat_set`
#![allow(clippy::print_stdout)]

use starset::{Error, Model};
use std::time::Duration;

pub(crate) fn main() -> Result<(), Error> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/models/philo-5.pnml");
    // Each operation stops after a minute, with an error that says so.
    let model = Model::read(file)?.with_time(Duration::from_secs(60));

    // The first set needs the reachable states, which all sets share from then on.
    let eats = model.satset("#Eat_0 = 1")?;
    let may_eat = model.satset("EF #Eat_0 = 1")?;
    println!(
        "philosopher 0 eats in {} of {} markings, and may eat in {}",
        eats.len()?,
        model.states()?,
        may_eat.len()?
    );

    // Algebra, exact and in the time of the diagrams, not of the states. What is too much, or does not go together, is an
    // error.
    let hungry = (&may_eat - &eats)?;
    let never = (!&may_eat)?;
    assert!(eats.is_subset(&may_eat)?);
    assert_eq!((&(&hungry | &eats)? | &never)?, model.reachable()?);
    assert_eq!(never, model.deadlocks()?);

    // States have names. Iterating finds them one by one; a sample is drawn evenly, whatever the shape of the set.
    for state in &never {
        println!("nothing is left to do: {state}");
    }
    for state in hungry.sample(3, 1)? {
        assert!(hungry.contains(&state)? && state.number("Eat_0") == Some(0));
        println!("not yet: {state}");
    }

    // `starset satset --load` and `starset combine` read such a file, and docs/set-format.md describes it.
    let saved = std::env::temp_dir().join(format!("starset-example-{}.set", std::process::id()));
    hungry.save(&saved)?;
    let loaded = model.load_set(&saved);
    let _left_behind = std::fs::remove_file(&saved);
    assert_eq!(loaded?, hungry);
    Ok(())
}

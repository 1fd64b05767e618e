//! State by state: compile a model once, visit its states, and search for one with a property that no formula says.
//!
//! `cargo run --release --example explicit_search`
#![allow(clippy::print_stdout)]

use starset::Model;
use starset::budget::Budget;
use starset::explicit::{Encoding, Options, View};
use std::error::Error;
use std::time::Duration;

pub(crate) fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let model = Model::read(concat!(env!("CARGO_MANIFEST_DIR"), "/models/kanban-3.pnml"))?;
    let kind = model.kind();
    // All that may take long stops here, with an error that says what was used up.
    let budget = Budget::unlimited().with_time(Duration::from_secs(60)).with_memory(1 << 30);

    // Markings are packed into words; what is compiled serves any number of searches, on any thread.
    let engine = kind.compile(&Encoding::default(), &budget)?;
    let all = engine.explore(&Options::default(), &budget)?;
    println!("{} markings, {} steps, {} deadlocks", all.states, all.transitions, all.deadlocks);
    assert_eq!(model.states()?, all.states.into());

    // Breadth first with one thread, so the path is a shortest one.
    let variables: Vec<_> = kind.variable_ids().collect();
    let marked = |state: View<'_>| variables.iter().filter(|&&v| state.value(v) > 0).count();
    let spread = engine.find(&Options::default(), &budget, &mut |state| marked(state) == 12)?;
    let trace = spread.trace.ok_or("no marking marks twelve places")?;
    for step in &trace.path.prefix {
        println!("  {}", kind.action(step.action));
    }

    // The path is data, and the firing rule of the model replays it.
    let mut state = kind.initial();
    for &step in &trace.path.prefix {
        state = kind.fire(&state, step).ok_or("a step is not possible")?;
    }
    assert_eq!(state, trace.last);
    println!("{} steps, {} markings visited", trace.path.prefix.len(), spread.stats.states);
    Ok(())
}

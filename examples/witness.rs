//! Decide a formula and show why: a run of the net, which has been fired again step by step before it is returned.
//!
//! `cargo run --release --example witness`
#![allow(clippy::print_stdout)]

use starset::budget::Budget;
use starset::decide::{Settings, explore};
use starset::formula::{PathSemantics, Pool, Symbols, parse};
use starset::mdd::with_deep_stack;
use starset::net::{BuildError, NetBuilder, PetriNet};
use starset::report::witness::{Names, text};
use starset::symbolic::Checker;
use starset::witness::{End, explain_by_sets};
use std::error::Error;

/// Two processes that take two locks in opposite order.
fn locks() -> Result<PetriNet, BuildError> {
    let mut b = NetBuilder::new("locks");
    let (a, z) = (b.place("lock_a", 1)?, b.place("lock_z", 1)?);
    for (process, first, second) in [("p", a, z), ("q", z, a)] {
        let idle = b.place(format!("{process}_idle"), 1)?;
        let one = b.place(format!("{process}_has_one"), 0)?;
        let both = b.place(format!("{process}_has_both"), 0)?;
        let steps: [(&str, &[_], &[_]); 3] = [
            ("takes_first", &[idle, first], &[one]),
            ("takes_second", &[one, second], &[both]),
            ("releases", &[both], &[idle, first, second]),
        ];
        for (name, inputs, outputs) in steps {
            let t = b.transition(format!("{process}_{name}"))?;
            inputs.iter().try_for_each(|&place| b.input(place, t, 1))?;
            outputs.iter().try_for_each(|&place| b.output(t, place, 1))?;
        }
    }
    b.build()
}

pub(crate) fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let net = locks()?;
    with_deep_stack(net.place_count(), || {
        let budget = Budget::unlimited();
        let space = explore(&net, &Settings::default(), true, &budget, &|_| ())?;
        println!("{} markings, {} deadlocks", space.states(&budget)?, space.deadlocks(&budget)?.count(&budget)?);

        let (mut pool, symbols) = (Pool::new(), Symbols::new(&net));
        let formula = parse("A G !deadlock", &symbols, &mut pool)?;
        let mut checker = Checker::new(&space.relation, space.set.clone(), PathSemantics::Maximal)?;
        let witness = explain_by_sets(&net, &pool, &mut checker, formula, &budget)?;
        assert!(!witness.reason.holds);
        println!(
            "A G !deadlock is false:\n{}",
            text(&witness, Names { model: &net, pool: &pool, symbols: &symbols }, None)
        );

        // The same as data: each process has taken its first lock.
        let run = &witness.runs[0];
        assert_eq!((run.fired.len(), run.end), (2, End::Deadlock));
        Ok(())
    })
}

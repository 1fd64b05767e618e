//! Load a net, compute Sat(φ), and work with the set: count it, list it, combine it, save it and load it again.
//!
//! `cargo run --release --example sat_set`
#![allow(clippy::print_stdout)]

use starset::budget::Budget;
use starset::decide::{Settings, explore};
use starset::formula::{PathSemantics, Pool, Symbols, parse};
use starset::kinds::net::pnml;
use starset::kinds::to_saved;
use starset::mdd::{SavedSet, with_deep_stack};
use starset::net::PetriNet;
use starset::symbolic::Checker;
use std::error::Error;
use std::path::Path;
use std::time::Duration;

type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

pub(crate) fn main() -> Outcome {
    let net = pnml::read_path(&Path::new(env!("CARGO_MANIFEST_DIR")).join("models/philo-5.pnml"))?;
    // Diagrams are as deep as the net has places.
    with_deep_stack(net.place_count(), || work(&net))
}

fn work(net: &PetriNet) -> Outcome {
    // All that may take long stops here, with an error that says what was used up.
    let budget = Budget::unlimited().with_time(Duration::from_secs(60)).with_memory(1 << 30);
    let space = explore(net, &Settings::default(), true, &budget, &|_| ())?;
    println!("{} reachable markings", space.states(&budget)?);

    // Formulas live in a pool; names are those of the net.
    let (mut pool, symbols) = (Pool::new(), Symbols::new(net));
    let eats = parse("#Eat_0 = 1", &symbols, &mut pool)?;
    let can_eat = parse("EF #Eat_0 = 1", &symbols, &mut pool)?;
    let mut checker = Checker::new(&space.relation, space.set.clone(), PathSemantics::Maximal)?;
    let eats = checker.sat(&pool, eats, &budget)?;
    let can_eat = checker.sat(&pool, can_eat, &budget)?;

    // A verdict is membership of the initial marking.
    let holds = can_eat.contains(space.relation.initial());
    println!("EF #Eat_0 = 1 holds initially: {holds}; in {} markings", can_eat.count(&budget)?);
    assert!(holds);

    // Algebra: the markings in which philosopher 0 does not eat, but may yet.
    let may_yet = can_eat.difference(&eats, &budget)?;
    assert_eq!(may_yet.union(&eats, &budget)?.count(&budget)?, can_eat.count(&budget)?);
    assert!(eats.is_subset(&can_eat, &budget)?);

    // Members by levels of the diagram, in lexicographic order; `lightest` gives them as markings.
    println!("the first member has {} components", may_yet.members().next().map_or(0, |tuple| tuple.len()));
    for marking in space.lightest(&may_yet, &budget)?.take(3) {
        let tokens = net.places().iter().map(|place| place.id.as_str()).zip(marking.as_slice());
        let marked: Vec<_> = tokens.filter(|&(_, &tokens)| tokens > 0).collect();
        println!("  {marked:?}");
    }

    // A file keeps the set; `starset satset --load` and `starset combine` read it.
    let saved = to_saved(net, &space.relation, &can_eat);
    let saved = SavedSet { formula: "EF #Eat_0 = 1".to_owned(), ..saved };
    let mut file = Vec::new();
    saved.save(&mut file)?;
    let loaded = SavedSet::load(file.as_slice(), &budget)?;
    assert_eq!(loaded.set.count(&budget)?, can_eat.count(&budget)?);
    println!("saved in {} bytes", file.len());
    Ok(())
}

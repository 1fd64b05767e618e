//! Diagrams of very many levels: the recursion stays well within the stack that is reserved for it.

use super::{Search, reach};
use num_bigint::BigUint;
use starset::budget::Budget;
use starset::kinds::Kind;
use starset::mdd::{MddManager, with_deep_stack};
use starset::net::NetBuilder;
use starset::symbolic::{count_transitions, deadlocks};

const LEVELS: usize = 50_000;

/// Bytes of the stack of this thread that were touched so far, and its size; Linux only.
fn touched_stack() -> Option<(usize, usize)> {
    let local = 0u8;
    let address = &raw const local as usize;
    let maps = std::fs::read_to_string("/proc/self/smaps").ok()?;
    let mut size = None;
    for line in maps.lines() {
        let first = line.split_ascii_whitespace().next()?;
        if let Some((from, to)) = first.split_once('-')
            && let (Ok(from), Ok(to)) = (usize::from_str_radix(from, 16), usize::from_str_radix(to, 16))
        {
            size = (from..to).contains(&address).then_some(to - from);
        } else if let (Some(size), "Rss:") = (size, first) {
            let kib: usize = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
            return Some((kib << 10, size));
        }
    }
    None
}

/// One token goes round a ring, with every place on a level of its own, and back through the net at once.
#[test]
fn ring() {
    let mut b = NetBuilder::new("ring");
    let places: Vec<_> = (0..LEVELS).map(|i| b.place(format!("p{i}"), u64::from(i == 0)).unwrap()).collect();
    for i in 0..LEVELS {
        let t = b.transition(format!("t{i}")).unwrap();
        b.input(places[i], t, 1).unwrap();
        b.output(t, places[(i + 1) % LEVELS], 1).unwrap();
    }
    let net = b.build().unwrap();
    let relation = net.relation(&places).unwrap();
    let budget = Budget::unlimited();
    let touched = with_deep_stack(LEVELS, || {
        let space = MddManager::new(relation.levels(), &Budget::unlimited().with_memory(1 << 28)).unwrap();
        let set = reach(&relation, &space, Search::Saturation, &budget).unwrap();
        assert_eq!(set.count(&budget).unwrap(), BigUint::from(LEVELS));
        assert_eq!(count_transitions(&relation, &set, &budget).unwrap(), BigUint::from(LEVELS));
        assert!(deadlocks(&relation, &set, &budget).unwrap().is_empty());
        let initial = space.tuple(relation.initial(), &budget).unwrap();
        let rest = set.difference(&initial, &budget).unwrap();
        assert!(rest.is_subset(&set, &budget).unwrap() && rest != set);
        assert!(rest.union(&initial, &budget).unwrap() == set);
        assert!(rest.intersection(&initial, &budget).unwrap().is_empty());
        touched_stack()
    });
    if let Some((touched, size)) = touched {
        eprintln!("{} bytes of stack per level, {} reserved", touched / LEVELS, size / LEVELS);
        assert!(touched < size / 2, "{touched} of {size}");
    }
}

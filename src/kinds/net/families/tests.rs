#![allow(clippy::unwrap_used)]

use super::*;
use crate::reference::explore;

/// The formulas against the nets, marking by marking.
#[test]
fn counts_are_right() {
    let sizes: &[(&str, &[u32])] = &[
        ("philo", &[2, 3, 4, 5, 7]),
        ("phils", &[2, 3, 4, 5, 6]),
        ("kanban", &[1, 2, 3]),
        ("fms", &[1, 2, 3]),
        ("slot", &[2, 3, 4]),
        ("token-ring", &[2, 3, 6, 8]),
        ("batches", &[3, 4, 5, 10, 100]),
        ("readers-writers", &[1, 2, 3, 4, 10]),
    ];
    for &(name, sizes) in sizes {
        let family = family(name).unwrap();
        for &n in sizes {
            let graph = explore(&family.generate(n).unwrap(), 100_000).unwrap();
            assert_eq!(Some(BigUint::from(graph.states())), family.states(n), "{name} {n}");
        }
    }
    for family in FAMILIES {
        assert_eq!(family.formula == "infinite", family.states(5).is_none(), "{}", family.name);
        assert_eq!(sizes.iter().any(|s| s.0 == family.name), family.states(5).is_some(), "{}", family.name);
    }
}

#[test]
fn published_counts() {
    let check = |name: &str, n: u32, expected: &str| {
        assert_eq!(family(name).unwrap().states(n).unwrap().to_string(), expected, "{name} {n}");
    };
    check("kanban", 5, "2546432");
    check("kanban", 50, "10425941194901336");
    check("kanban", 100, "17263002294682342171");
    check("fms", 5, "2895018");
    check("fms", 50, "424025581818265596");
    check("slot", 5, "53856");
    check("slot", 10, "8291791872");
    check("slot", 20, "273199990096465494016");
    check("phils", 10, "1860498");
    check("philo", 20, "3486784401");
    let phils = family("phils").unwrap().states(1000).unwrap().to_string();
    assert_eq!((&phils[..14], phils.len()), ("91816503442594", 627));
}

#[test]
fn the_pipeline_has_no_end() {
    let net = pipeline(1).unwrap();
    assert!(explore(&net, 10_000).is_none());
}

#[test]
fn deadlocks() {
    let count =
        |name: &str, n| explore(&family(name).unwrap().generate(n).unwrap(), 100_000).unwrap().deadlocks().len();
    assert_eq!(count("philo", 4), 2);
    assert_eq!(count("phils", 4), 2);
    assert_eq!(count("batches", 3), 1);
    for name in ["kanban", "fms", "slot", "token-ring", "readers-writers"] {
        assert_eq!(count(name, 3), 0, "{name}");
    }
}

#[test]
fn the_ring_is_unit_safe() {
    let net = token_ring(4).unwrap();
    let graph = explore(&net, 10_000).unwrap();
    for unit in &net.nupn().unwrap().units {
        for marking in &graph.markings {
            assert!(unit.places.iter().map(|&p| marking.tokens(p)).sum::<u64>() <= 1);
        }
    }
}

#[test]
fn sizes_are_checked() {
    let philo = family("philo").unwrap();
    assert_eq!(
        philo.generate(1).unwrap_err().to_string(),
        "philo has sizes from 2 to 1000000, not 1; give one of those"
    );
    assert!(philo.generate(1_000_001).is_err());
    assert!(family("kanban").unwrap().generate(u32::MAX).is_ok());
    assert!(family("nothing").is_none());
    for family in FAMILIES {
        assert!(family.generate(family.minimum).is_ok());
        // Out of range, but called directly: a degenerate net, no panic.
        let _ = (family.net)(0);
        let _ = (family.states)(0);
    }
}

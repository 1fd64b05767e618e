//! Searches by several threads for runs of nets with some hundred states and more, against the search of one thread.
#![allow(clippy::unwrap_used)]

use crate::budget::{Budget, Exhausted};
use crate::explicit::{Encoding, Explicit, Options, check_ltl};
use crate::formula::{Formula, FormulaId, Logic, PathSemantics, Pool, Symbols, parse};
use crate::kinds::Kind;
use crate::kinds::net::families;
use crate::model::{Path, Then};
use crate::net::{NetBuilder, PetriNet};
use crate::random::{FormulaShape, NetShape, formula, net};
use crate::rng::Rng;
use crate::stop_reason::StopReason;
use std::time::Duration;

/// The path is one of the net's.
fn replay(net: &PetriNet, path: &Path) {
    let run = |marking, steps: &[crate::model::Step]| {
        steps.iter().fold(marking, |marking: crate::net::Marking, step| marking.fire(net, step.action).unwrap())
    };
    let last = run(net.initial_marking(), &path.prefix);
    match &path.then {
        Then::Open => (),
        Then::Deadlock => assert_eq!(last.enabled(net).next(), None),
        Then::Cycle(cycle) => assert_eq!(run(last.clone(), cycle), last),
    }
}

/// Do several threads find what one finds? True if the formula holds.
fn agree(
    net: &PetriNet,
    engine: &dyn Explicit<'_>,
    pool: &mut Pool,
    (f, paths): (FormulaId, PathSemantics),
    threads: &[usize],
) -> bool {
    let budget = Budget::unlimited();
    let mut holds = None;
    // It has one search, which finds all states if there is no run.
    let closed = pool.close(f);
    let is_whole = matches!(pool[closed], Formula::Forall(_));
    for stubborn in [false, true] {
        let options = |threads| Options { threads, stubborn, witness: true, ..Options::default() };
        let one = check_ltl(engine, pool, f, paths, &options(1), &budget).unwrap();
        for &threads in threads {
            let found = check_ltl(engine, pool, f, paths, &options(threads), &budget).unwrap();
            let text = pool.display(f, &Symbols::new(net)).to_string();
            assert_eq!(found.holds, one.holds, "{threads} threads, stubborn {stubborn}, {paths}, {text}");
            assert_eq!(found.path.is_some(), one.path.is_some());
            match &found.path {
                Some(path) => replay(net, path),
                None if is_whole && !stubborn => assert_eq!(found.stats.states, one.stats.states),
                None => (),
            }
        }
        assert_eq!(*holds.get_or_insert(one.holds), one.holds);
    }
    holds == Some(true)
}

#[test]
fn random_nets_and_formulas() {
    let shape = NetShape { places: 8, transitions: 10, max_states: 2000, ..NetShape::default() };
    let (mut yes, mut no) = (0, 0);
    for seed in 0..300u64 {
        let mut rng = Rng::new(1000 + seed);
        let net = net(&mut rng, &shape);
        let encoding = Encoding { invariants: seed % 2 == 0, ..Encoding::default() };
        let engine = net.compile(&encoding, &Budget::unlimited()).unwrap();
        let mut pool = Pool::new();
        let size = 2 + seed as usize % 7;
        let f = formula(&mut rng, &net, &FormulaShape { logic: Logic::Ltl, size }, &mut pool);
        for paths in PathSemantics::ALL {
            let holds = agree(&net, &*engine, &mut pool, (f, paths), &[2 + seed as usize % 3]);
            (yes, no) = (yes + u32::from(holds), no + u32::from(!holds));
        }
    }
    assert!(yes > 100 && no > 100, "{yes} true, {no} false");
}

#[test]
fn nets_of_families() {
    let of_each = [
        (
            "philo",
            7,
            ["G F #Eat_0 <= 1", "G (#Eat_0 = 1 -> F #Eat_0 = 0)", "F G !deadlock", "G F (#Eat_0 = 1 | #Eat_1 = 1)"],
        ),
        ("kanban", 2, ["F G #Pout1 <= 2", "G F #Pout1 = 1", "G (#Pm1 = 2 -> F #Pout1 = 2)", "F G #Pm1 <= 1"]),
        ("slot", 3, ["G true", "F deadlock", "G F deadlock", "G !deadlock"]),
    ];
    for (family, size, formulas) in of_each {
        let net = families::family(family).unwrap().generate(size).unwrap();
        let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
        let mut pool = Pool::new();
        for text in formulas {
            let f = parse(text, &Symbols::new(&net), &mut pool).unwrap();
            for paths in [PathSemantics::Stutter, PathSemantics::Infinite] {
                agree(&net, &*engine, &mut pool, (f, paths), &[2, 3, 4]);
            }
        }
    }
}

/// Tokens come one by one into two places, into one of them so many that no short walk tells, and go back together.
fn two_fillings() -> PetriNet {
    let mut b = NetBuilder::new("two");
    for (name, most) in [("a", 1500), ("b", 4)] {
        let (free, full) =
            (b.place(format!("{name}-free"), most).unwrap(), b.place(format!("{name}-full"), 0).unwrap());
        let (put, take) = (b.transition(format!("{name}-put")).unwrap(), b.transition(format!("{name}-take")).unwrap());
        b.input(free, put, 1).unwrap();
        b.output(put, full, 1).unwrap();
        b.input(full, take, most).unwrap();
        b.output(take, free, most).unwrap();
    }
    b.build().unwrap()
}

/// Numbers, sets and paths stay what they are while the encoding grows under all threads.
#[test]
fn the_encoding_grows() {
    let net = two_fillings();
    let encoding = Encoding { invariants: false, ..Encoding::default() };
    for text in [
        "F G #\"a-full\" <= 1500",
        "G F #\"a-full\" = 1499",
        "F G #\"b-full\" <= 3",
        "G (#\"a-full\" = 1500 -> F #\"a-full\" = 0)",
    ] {
        let mut pool = Pool::new();
        let f = parse(text, &Symbols::new(&net), &mut pool).unwrap();
        for threads in [2, 3, 4] {
            // It begins anew each time.
            let engine = net.compile(&encoding, &Budget::unlimited()).unwrap();
            let options = Options { threads, stubborn: false, witness: true, ..Options::default() };
            let found = check_ltl(&*engine, &mut pool, f, PathSemantics::Stutter, &options, &Budget::unlimited());
            let found = found.unwrap();
            assert!(found.stats.growths > 1 || !found.holds, "{text} {:?}", found.stats);
            found.path.iter().for_each(|path| replay(&net, path));
            assert_eq!(agree(&net, &*engine, &mut pool, (f, PathSemantics::Stutter), &[threads]), found.holds);
        }
    }
}

#[test]
fn limits_end_all_threads() {
    let net = families::family("philo").unwrap().generate(12).unwrap();
    let engine = net.compile(&Encoding::default(), &Budget::unlimited()).unwrap();
    let mut pool = Pool::new();
    let f = parse("F G #Eat_0 <= 1", &Symbols::new(&net), &mut pool).unwrap();
    let options = Options { threads: 3, stubborn: false, ..Options::default() };
    let mut search = |budget: &Budget| check_ltl(&*engine, &mut pool, f, PathSemantics::Stutter, &options, budget);
    for memory in [1 << 10, 1 << 16, 1 << 18, 1 << 21] {
        let ended = search(&Budget::unlimited().with_memory(memory));
        assert_eq!(ended.unwrap_err(), StopReason::from(Exhausted::Memory));
    }
    for time in [Duration::ZERO, Duration::from_millis(20)] {
        assert_eq!(search(&Budget::unlimited().with_time(time)).unwrap_err(), StopReason::from(Exhausted::Time));
    }
}

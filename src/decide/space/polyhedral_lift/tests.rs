//! State spaces carried back from smaller nets, against brute force.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::decide::space::polyhedral_count::{tests::drawn_out, tests::with_parts_and_sums};
use crate::decide::task::Task;
use crate::decide::{Recorder, Request, Subject, sat_in};
use crate::model::Groups;
use crate::oracle::{Setting, check};
use crate::random::{FormulaShape, NetShape, Rng, formula, net as plain};
use crate::reference::explore as brute_force;
use crate::symbolic::Route;

/// The whole set is that of all markings; sat-sets in it are those of brute force, and so are the verdicts on the parts
/// that formulas see.
#[test]
fn sets_and_verdicts_are_those_of_the_net() {
    let (mut merged, mut left_out, mut sets, mut seen) = (0, 0, 0, [0, 0]);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let net = with_parts_and_sums(&mut rng, seed % 3 == 0);
        let Some(graph) = brute_force(&net, 1000) else { continue };
        let budget = Budget::unlimited();
        let by_moves = Counting::by_moves(&net, &budget).unwrap();
        let refined = by_moves.refined(&net, &budget);
        merged += usize::from(!by_moves.is_all());
        left_out += usize::from(refined.is_some());
        for smaller in [Some(by_moves), refined].into_iter().flatten() {
            let space = explore(smaller.net(), &Settings::default(), false, &budget, &|_| {}).unwrap();
            let lifting = Lifting { net: &net, smaller: &smaller, space: &space };
            let whole = lifting.whole(&budget).unwrap();
            let tuple = |marking: &crate::net::Marking| whole.relation.tuple_of(marking.as_slice()).unwrap();
            assert_eq!(whole.states(&budget).unwrap(), graph.states().into(), "seed {seed}\n{net:?}\n{smaller:?}");
            assert!(graph.markings.iter().all(|marking| whole.set.contains(&tuple(marking))), "seed {seed}");
            for _ in 0..2 {
                let mut pool = Pool::new();
                let shape = FormulaShape { logic: Logic::Ctl, size: 1 + rng.below(6) };
                let drawn = formula(&mut rng, &net, &shape, &mut pool);
                let paths = PathSemantics::ALL[rng.below(3)];
                let Ok(expected) = check(Setting::new(&graph, &pool, paths), drawn) else { continue };
                let question = Question::formula(&mut pool, drawn, paths, Route::Fixpoints);
                let set = sat_in(&whole, &pool, &question, &Settings::default(), &budget).unwrap();
                let found: Vec<bool> = graph.markings.iter().map(|marking| set.contains(&tuple(marking))).collect();
                assert_eq!(found, expected[&drawn], "seed {seed}\n{net:?}");
                sets += usize::from(found.contains(&true) && found.contains(&false));
            }
            for _ in 0..3 {
                let mut pool = Pool::new();
                let shape = FormulaShape { logic: Logic::Boolean, size: 1 + rng.below(4) };
                let drawn = formula(&mut rng, &net, &shape, &mut pool);
                let Ok(expected) = check(Setting::new(&graph, &pool, PathSemantics::Maximal), drawn) else { continue };
                let Some(holds) = lifting.holds_somewhere(&mut pool, drawn, &budget).unwrap() else { continue };
                assert_eq!(holds, expected[&drawn].contains(&true), "seed {seed}\n{net:?}");
                seen[usize::from(holds)] += usize::from(!smaller.is_all());
            }
            // Who sees nothing has the levels of the smaller net.
            let (cells, _) = lifting.levels(&smaller.parts(|_| false));
            assert_eq!(cells.len(), smaller.net().place_count());
        }
    }
    assert!(merged > 120 && left_out > 150 && sets > 150, "{merged} {left_out} {sets}");
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

/// Reachability formulas are answered without the whole set, unless that is wanted.
#[test]
fn what_is_carried_back_is_what_is_asked() {
    let (mut answered, mut explored) = (0, 0);
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let shape = NetShape { max_states: 25, places: 5, transitions: 5, ..NetShape::default() };
        let small = plain(&mut rng, &shape);
        let net = drawn_out(&mut rng, &small);
        let Some(graph) = brute_force(&net, 1000) else { continue };
        let mut pool = Pool::new();
        let drawn = formula(&mut rng, &net, &FormulaShape { logic: Logic::Boolean, size: 3 }, &mut pool);
        let drawn = if rng.one_in(2) { pool.sometimes(drawn) } else { pool.always(drawn) };
        let Ok(expected) = check(Setting::new(&graph, &pool, PathSemantics::Maximal), drawn) else { continue };
        let question = Question::Formula { formula: drawn, linear: drawn, paths: PathSemantics::Maximal };
        let set = rng.one_in(3);
        let asked = [Request { question, set, witness: false }];
        let groups = Groups::single(&net);
        let kept = Recorder::new(1);
        let subject = Subject { model: &net, groups: &groups, pool: &pool };
        let (settings, budget) = (Settings::default(), Budget::unlimited());
        let board = Board::new(&Task::new(subject, &asked, &settings, &budget, &kept));
        let smaller = Counting::by_moves(&net, &budget).unwrap();
        match on_smaller(&board, &net, &smaller, &Settings::default(), true, &budget).unwrap() {
            Outcome::Answered if !set => answered += 1,
            Outcome::Explored(space) => {
                assert_eq!(space.states(&budget).unwrap(), graph.states().into());
                explored += 1;
            }
            _ => panic!("seed {seed}"),
        }
        if let Some(verdict) = board.verdict_of(0) {
            assert_eq!(verdict, expected[&drawn][0], "seed {seed}");
        }
    }
    assert!(answered > 40 && explored > 40, "{answered} {explored}");
}

/// The condition that decides a formula, if one does.
#[test]
fn conditions_are_those_of_the_formulas() {
    let net = crate::net::NetBuilder::new("none").build().unwrap();
    let symbols = crate::formula::Symbols::new(&net);
    let found = |text: &str| {
        let mut pool = Pool::new();
        let read = crate::formula::parse(text, &symbols, &mut pool).unwrap();
        condition(&mut pool, read).map(|(part, found)| (pool.display(part, &symbols).to_string(), found))
    };
    let [some, negated] = [("deadlock".to_owned(), true), ("!deadlock".to_owned(), false)];
    assert_eq!((found("EF deadlock"), found("AG deadlock")), (Some(some), Some(negated)));
    assert_eq!((found("AF deadlock"), found("EF AG deadlock"), found("deadlock")), (None, None, None));
}

//! Combinations of operands against brute force.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::budget::Budget;
use crate::decide::solver::ByHand;
use crate::decide::{Explained, Recorder};
use crate::formula::Logic;
use crate::model::Groups;
use crate::oracle::{Setting, check};
use crate::random::{FormulaShape, NetShape, Rng, formula, net};
use crate::reference::explore;

/// Operands are answered in any order, some of them not at all; what is put together from that is what brute force says
/// of the whole formula, each is answered once, and nothing is unwanted that a formula without an answer has.
#[test]
fn what_is_put_together_is_right() {
    let (mut split, mut open, mut early) = (0, 0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &NetShape { max_states: 30, ..NetShape::default() });
        let Some(graph) = explore(&net, 200) else { continue };
        let mut pool = Pool::new();
        let paths = PathSemantics::ALL[rng.below(3)];
        let mut expected = Vec::new();
        let mut asked: Vec<Request> = Vec::new();
        for _ in 0..3 {
            let logic = [Logic::Ctl, Logic::Ltl, Logic::CtlStar][rng.below(3)];
            let drawn: Vec<FormulaId> = (0..1 + rng.below(4))
                .map(|_| {
                    let shape = FormulaShape { logic, size: 1 + rng.below(4) };
                    let drawn = formula(&mut rng, &net, &shape, &mut pool);
                    let drawn = pool.close(drawn);
                    if rng.one_in(3) { pool.not(drawn) } else { drawn }
                })
                .collect();
            let whole = if rng.one_in(2) { pool.and(drawn) } else { pool.or(drawn) };
            let Ok(sets) = check(Setting::new(&graph, &pool, paths), whole) else { continue };
            expected.push(sets[&whole][0]);
            asked.push(Question::formula(&mut pool, whole, paths, Default::default()).into());
        }
        let groups = Groups::single(&net);
        let subject = Subject { model: &net, groups: &groups, pool: &pool };
        let kept = Recorder::new(asked.len());
        let by_hand = |&Task { subject, requests: operands, listener, .. }: &Task<'_>| {
            split += usize::from(operands.len() > asked.len());
            let mut order: Vec<usize> = (0..operands.len()).collect();
            rng.shuffle(&mut order);
            for question in order {
                if !listener.is_wanted(question) {
                    early += 1;
                    continue;
                }
                let Question::Formula { formula, linear, paths } = operands[question].question else { unreachable!() };
                let value = |f| check(Setting::new(&graph, subject.pool, paths), f).unwrap()[&f][0];
                assert_eq!(value(formula), value(linear), "seed {seed}");
                let value = match rng.one_in(5) {
                    true => Value::Unknown(StopReason::Unsupported("not today")),
                    false => Value::Verdict(value(formula)),
                };
                listener.answered(Answer { question, value, technique: Technique::Explicit, explored: None });
            }
        };
        let (settings, budget) = (Settings::default(), Budget::unlimited());
        let task = Task::new(subject, &asked, &settings, &budget, &kept);
        Operands.apply(&task, &ByHand(Mutex::new(by_hand)));
        for (heard, expected) in kept.into_recorded().into_iter().zip(expected) {
            match heard.answer.unwrap().value {
                Value::Verdict(verdict) => assert_eq!(verdict, expected, "seed {seed}"),
                value => open += usize::from(matches!(value, Value::Unknown(_))),
            }
        }
    }
    assert!(split > 400 && open > 100 && early > 200, "{split} split, {open} open, {early} not wanted any more");
}

/// With all ways and with any one of them alone: the answers are those of brute force.
#[test]
fn verdicts_of_combinations_are_right() {
    use crate::decide::{Ways, decide};
    let mut decided = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &NetShape { max_states: 30, ..NetShape::default() });
        let Some(graph) = explore(&net, 200) else { continue };
        let mut pool = Pool::new();
        let paths = PathSemantics::ALL[rng.below(3)];
        let parts: Vec<FormulaId> = (0..2 + rng.below(3))
            .map(|_| {
                let logic = [Logic::Reachability, Logic::Ctl, Logic::Ltl][rng.below(3)];
                let drawn = formula(&mut rng, &net, &FormulaShape { logic, size: 3 }, &mut pool);
                pool.close(drawn)
            })
            .collect();
        let whole = if rng.one_in(2) { pool.and(parts) } else { pool.or(parts) };
        let Ok(sets) = check(Setting::new(&graph, &pool, paths), whole) else { continue };
        let asked: [Request; 2] =
            [(); 2].map(|()| Question::formula(&mut pool, whole, paths, Default::default()).into());
        let groups = Groups::single(&net);
        let subject = Subject { model: &net, groups: &groups, pool: &pool };
        let none = Ways::NONE;
        for ways in [
            Ways::default(),
            Ways { reductions: true, search: true, ..none },
            Ways { walks: true, search: true, ..none },
        ] {
            let kept = Recorder::new(2);
            decide(subject, &asked, &Settings { ways, ..Settings::default() }, &Budget::unlimited(), &kept);
            for heard in kept.into_recorded() {
                if let Value::Verdict(verdict) = heard.answer.unwrap().value {
                    assert_eq!(verdict, sets[&whole][0], "seed {seed}, {ways:?}");
                    decided += 1;
                }
            }
        }
    }
    assert!(decided > 1_000, "{decided}");
}

/// A question beside combinations keeps its set and its witness, which come after its answer.
#[test]
fn what_comes_after_an_answer_is_waited_for() {
    use crate::decide::decide;
    use crate::net::NetBuilder;
    let mut b = NetBuilder::new("cycle");
    let [p, q] = [("p", 1), ("q", 0)].map(|(id, tokens)| b.place(id, tokens).unwrap());
    for (id, from, to) in [("go", p, q), ("back", q, p)] {
        let t = b.transition(id).unwrap();
        b.input(from, t, 1).unwrap();
        b.output(t, to, 1).unwrap();
    }
    let net = b.build().unwrap();
    let symbols = crate::formula::Symbols::new(&net);
    let mut pool = Pool::new();
    let [alone, whole] = ["EF #q = 1", "AG EF #p = 1 & !AF AG #q = 1"].map(|text| {
        let formula = crate::formula::parse(text, &symbols, &mut pool).unwrap();
        Question::formula(&mut pool, formula, PathSemantics::Maximal, Default::default())
    });
    let asked = [Request { question: alone, set: false, witness: true }, whole.into()];
    let groups = Groups::single(&net);
    let subject = Subject { model: &net, groups: &groups, pool: &pool };
    let kept = Recorder::new(2);
    decide(subject, &asked, &Settings::default(), &Budget::unlimited(), &kept);
    let heard = kept.into_recorded();
    assert!(heard.iter().all(|heard| heard.answer.as_ref().unwrap().value == Value::Verdict(true)), "{heard:?}");
    assert!(matches!(heard[0].explained, Some(Explained::Witness(_))), "{heard:?}");
    // The same where the answer comes long before the witness.
    let kept = Recorder::new(2);
    let by_hand = |task: &Task<'_>| {
        let board = crate::decide::board::Board::new(task);
        board.verdict(0, true, Technique::Structure);
        assert!(board.wants_witness(0) && board.is_wanted(0) && !board.is_over());
    };
    let (settings, budget) = (Settings::default(), Budget::unlimited());
    Operands.apply(&Task::new(subject, &asked, &settings, &budget, &kept), &ByHand(Mutex::new(by_hand)));
}

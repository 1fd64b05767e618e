//! Limits and cancellation at many moments of all ways: an answer that is right, or none.
//!
//! Which phase a limit falls into (orders, reachable set, sat-set, product, explicit search, witness) depends on the
//! machine, so there are many limits.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::budget::Budget;
use crate::formula::{Pool, Symbols, parse};
use crate::kinds::Kind;
use crate::mdd::{MddManager, with_deep_stack};
use crate::net::PetriNet;
use crate::symbolic::{Checker, Search, reachable_set};
use crate::witness::{Unexplained, explain_by_sets};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

const FORMULAS: [&str; 4] =
    ["A G F #Fork_0 = 1", "AG EF #Fork_0 = 1", "E (G F #Eat_0 = 1 & F G #Eat_1 = 0)", "A G #Fork_0 <= 1"];

fn philosophers() -> (PetriNet, Pool, Vec<Question>) {
    let net = crate::kinds::net::families::family("philo").unwrap().generate(4).unwrap();
    let mut pool = Pool::new();
    let symbols = Symbols::new(&net);
    let ask = |text| Question::Formula(parse(text, &symbols, &mut pool).unwrap(), PathSemantics::Stutter);
    let questions = FORMULAS.map(ask).to_vec();
    (net, pool, questions)
}

/// Calls `test` with budgets that end it at many moments.
fn at_many_moments(mut test: impl FnMut(&str, &Budget)) {
    let room = || Budget::unlimited().with_memory(64 << 20);
    for micros in [0, 300, 1_000, 3_000, 10_000, 30_000, 100_000] {
        test(&format!("{micros} us"), &room().with_time(Duration::from_micros(micros)));
    }
    for kilobytes in [1, 32, 256, 1 << 10, 4 << 10] {
        test(&format!("{kilobytes} KB"), &room().with_memory(kilobytes << 10));
    }
    for micros in [0, 1_000, 5_000, 20_000, 80_000] {
        let flag = Arc::new(AtomicBool::new(micros == 0));
        let set = Arc::clone(&flag);
        let waiting = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(micros));
            set.store(true, Relaxed);
        });
        test(&format!("cancelled after {micros} us"), &room().with_flag(flag));
        waiting.join().unwrap();
    }
}

#[test]
fn limits_leave_right_answers_or_none() {
    let (net, mut pool, questions) = philosophers();
    let budget = Budget::unlimited().with_memory(64 << 20);
    let plan = Plan::everything(&net, 0, &[], &budget);
    let truth = compare(&net, &mut pool, &questions, &plan, &budget);
    assert_eq!(truth.disagreement(), None);
    let (mut stopped, mut answered) = (0, 0);
    at_many_moments(|how, budget| {
        let plan = Plan::everything(&net, 0, &[], budget);
        let mut opinions = compare(&net, &mut pool, &questions, &plan, budget);
        let all = opinions.questions.iter().flatten().chain(&opinions.space);
        let (none, some): (Vec<&Opinion>, Vec<&Opinion>) = all.partition(|opinion| opinion.stopped.is_some());
        assert!(none.iter().all(|opinion| opinion.quantities.is_empty()), "{how}");
        stopped += none.len();
        answered += some.len();
        opinions.space.extend(truth.space.clone());
        opinions.questions.iter_mut().zip(&truth.questions).for_each(|(mine, right)| mine.extend(right.clone()));
        assert_eq!(opinions.disagreement(), None, "{how}");
    });
    assert!(stopped > 30 && answered > 30, "{stopped} {answered}");
}

#[test]
fn limits_leave_witnesses_that_replay_or_none() {
    let (net, mut pool, questions) = philosophers();
    let (mut stopped, mut shown) = (0, 0);
    let order: Vec<PlaceId> = net.place_ids().collect();
    with_deep_stack(net.place_count(), || {
        let relation = net.relation(&order).unwrap();
        at_many_moments(|how, budget| {
            // The set is there; the limit is on what follows.
            let free = Budget::unlimited();
            let Ok(space) = MddManager::new(relation.levels(), budget) else { return };
            let Ok(states) = reachable_set(&relation, &space, Search::Saturation, &free, &mut |_| ()) else { return };
            let mut checker = Checker::new(&relation, states, PathSemantics::Stutter).unwrap();
            for question in &questions {
                let &Question::Formula(formula, _) = question else { continue };
                let formula = pool.close(formula);
                match explain_by_sets(&net, &pool, &mut checker, formula, budget) {
                    Ok(_) => shown += 1,
                    Err(Unexplained::Stopped(_)) => stopped += 1,
                    Err(Unexplained::Broken(broken)) => panic!("{how}: {broken}"),
                }
            }
        });
    });
    assert!(stopped > 8 && shown > 8, "{stopped} {shown}");
}

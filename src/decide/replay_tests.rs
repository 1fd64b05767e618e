//! Answers that rest on runs are given once the runs have been replayed: a technique that claims runs that are none is found out.
#![allow(clippy::unwrap_used)]

use super::{Answer, Global, Listener, Question, Request, Settings, Subject, Technique, Value, Ways, decide};
use crate::budget::Budget;
use crate::cross::{Trial, trial_of_network, trial_of_partitioned};
use crate::formula::{Logic, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::model::Groups;
use crate::oracle::{Setting, check};
use crate::random::{FormulaShape, NetShape, Rng, formula, net};
use crate::reference::explore;
use crate::symbolic::Route;
use crate::witness::Broken;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The record of one question.
#[derive(Default)]
struct Ear {
    answer: Mutex<Option<Value>>,
    unconfirmed: AtomicUsize,
}

impl Listener for Ear {
    fn answered(&self, answer: Answer) {
        *self.answer.lock().unwrap() = Some(answer.value);
    }

    fn unconfirmed(&self, _: usize, _: bool, _: Technique, _: &Broken) {
        self.unconfirmed.fetch_add(1, Relaxed);
    }
}

/// Numbers of verdicts, and of claims that were found out.
#[derive(Default, Debug)]
struct Tally {
    verdicts: usize,
    unconfirmed: usize,
}

/// The verdict where a technique is broken; adds to the tally.
fn ask(
    model: &dyn Kind,
    pool: &Pool,
    question: Question,
    (ways, broken): (Ways, Option<Technique>),
    memory: Option<u64>,
    tally: &mut Tally,
) -> Option<bool> {
    let groups = Groups::single(model);
    let settings = Settings { ways, broken, ..Settings::default() };
    let ear = Ear::default();
    let mut budget = Budget::unlimited().with_time(Duration::from_secs(20));
    if let Some(memory) = memory {
        budget = budget.with_memory(memory);
    }
    decide(Subject { model, groups: &groups, pool }, &[Request::from(question)], &settings, &budget, &ear);
    tally.unconfirmed += ear.unconfirmed.load(Relaxed);
    let Some(Value::Verdict(verdict)) = ear.answer.into_inner().unwrap() else { return None };
    tally.verdicts += 1;
    Some(verdict)
}

/// Without diagrams and structure, which would often be sooner.
const STATE_BY_STATE: Ways = Ways { walks: true, reductions: true, ..Ways::EXPLICIT };

/// The ways in which each technique is asked, and whether memory is short.
const FAULTS: [(Technique, Ways, Option<u64>); 5] = [
    (Technique::RandomWalk, Ways { walks: true, ..Ways::NONE }, None),
    (Technique::RandomWalk, STATE_BY_STATE, None),
    (Technique::Explicit, Ways { bit_state: false, ..Ways::EXPLICIT }, None),
    (Technique::Explicit, STATE_BY_STATE, None),
    (Technique::BitState, Ways::EXPLICIT, Some(250)),
];

#[test]
fn broken_techniques_are_found_out_on_nets() {
    let mut tallies: Vec<Tally> = FAULTS.iter().map(|_| Tally::default()).collect();
    for seed in 0..300u64 {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &NetShape { max_states: 80, ..NetShape::default() });
        let graph = explore(&net, 80).unwrap();
        let mut pool = Pool::new();
        let logic = [Logic::Reachability, Logic::Ctl, Logic::Ltl][seed as usize % 3];
        let size = 1 + rng.below(6);
        let drawn = formula(&mut rng, &net, &FormulaShape { logic, size }, &mut pool);
        let closed = pool.close(drawn);
        let paths = PathSemantics::ALL[seed as usize / 3 % 3];
        let Ok(truth) = check(Setting::new(&graph, &pool, paths), closed) else { continue };
        // Nested quantifiers have no single run.
        if !pool.is_about_runs(closed) {
            continue;
        }
        let expected = truth[&closed][0];
        let question = Question::formula(&mut pool, closed, paths, Route::Fixpoints);
        for ((technique, ways, memory), tally) in FAULTS.into_iter().zip(&mut tallies) {
            for broken in [None, Some(technique)] {
                let said = ask(&net, &pool, question.clone(), (ways, broken), memory, tally);
                assert!(
                    said.is_none_or(|said| said == expected),
                    "seed {seed}, {technique:?} broken: {broken:?}, {paths} paths, {net:?}"
                );
            }
        }
        let dead = !graph.deadlocks().is_empty();
        for (technique, ways, memory) in FAULTS {
            let question = Question::Global(Global::Deadlock);
            let said = ask(&net, &pool, question, (ways, Some(technique)), memory, &mut Tally::default());
            assert!(said.is_none_or(|said| said == dead), "seed {seed}, {technique:?}: deadlock");
        }
    }
    for ((technique, ..), tally) in FAULTS.iter().zip(&tallies) {
        let enough = tally.unconfirmed > 5 && (tally.verdicts > 40 || *technique == Technique::BitState);
        assert!(enough, "{technique:?}: {tally:?} of {tallies:?}");
    }
}

/// Networks and next-state models: beside what diagrams say.
#[test]
fn broken_techniques_are_found_out_on_other_models() {
    let mut tally = Tally::default();
    for seed in 0..300u64 {
        let trial = if seed % 2 == 0 { trial_of_network(seed) } else { trial_of_partitioned(seed) };
        let Trial { model, mut pool, formula, paths, .. } = trial;
        let model = model.model();
        let closed = pool.close(formula);
        if !pool.is_about_runs(closed) {
            continue;
        }
        let question = Question::formula(&mut pool, closed, paths, Route::Fixpoints);
        let mut none = Tally::default();
        let expected = ask(model, &pool, question.clone(), (Ways::SYMBOLIC, None), None, &mut none);
        for threads_of in [Technique::Explicit, Technique::BitState] {
            let memory = (threads_of == Technique::BitState).then_some(250);
            let ways = (Ways::EXPLICIT, Some(threads_of));
            let said = ask(model, &pool, question.clone(), ways, memory, &mut tally);
            assert!(said.is_none() || expected.is_none() || said == expected, "seed {seed}, {threads_of:?}, {paths}");
        }
    }
    assert!(tally.unconfirmed > 10 && tally.verdicts > 30, "{tally:?}");
}

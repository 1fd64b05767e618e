//! Answers that rest on runs are given once the runs have been replayed: a technique that claims runs that are none is
//! found out.
#![allow(clippy::unwrap_used)]

use super::{Answer, Fault, Global, Listener, Question, Request, Settings, Subject, Technique, Value, Ways, decide};
use crate::budget::Budget;
use crate::cross::{Trial, trial_of_network, trial_of_partitioned};
use crate::formula::parse;
use crate::formula::{Logic, PathSemantics, Pool};
use crate::kinds::Kind;
use crate::kinds::net::coloured::{Folded, UnfoldError};
use crate::kinds::net::pnml::{Net, read_net_path};
use crate::model::Groups;
use crate::net::PetriNet;
use crate::oracle::{Setting, check};
use crate::random::{FormulaShape, NetShape, Rng, formula, net};
use crate::reference::{Graph, explore, random};
use crate::symbolic::Route;
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

    fn faulty(&self, _: usize, fault: Fault) {
        assert!(matches!(fault, Fault::Unconfirmed { .. }), "{fault}");
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
    let mut budget = Budget::unlimited().with_time(Duration::from_secs(20));
    if let Some(memory) = memory {
        budget = budget.with_memory(memory);
    }
    ask_with((model, pool), question, (ways, broken), &budget, tally)
}

/// The same within a budget.
fn ask_with(
    (model, pool): (&dyn Kind, &Pool),
    question: Question,
    (ways, broken): (Ways, Option<Technique>),
    budget: &Budget,
    tally: &mut Tally,
) -> Option<bool> {
    let groups = Groups::single(model);
    let settings = Settings { ways, broken, ..Settings::default() };
    let ear = Ear::default();
    decide(Subject { model, groups: &groups, pool }, &[Request::from(question)], &settings, budget, &ear);
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
            let question = Question::Global(Global::Liveness);
            let said = ask(&net, &pool, question, (ways, Some(technique)), memory, &mut Tally::default());
            assert!(said.is_none_or(|said| said == is_live(&graph, &net)), "seed {seed}, {technique:?}: liveness");
        }
    }
    for ((technique, ..), tally) in FAULTS.iter().zip(&tallies) {
        let enough = tally.unconfirmed > 5 && (tally.verdicts > 40 || *technique == Technique::BitState);
        assert!(enough, "{technique:?}: {tally:?} of {tallies:?}");
    }
}

/// From each marking each transition can be enabled again: by definition, on the graph.
fn is_live(graph: &Graph, net: &PetriNet) -> bool {
    (0..graph.states()).all(|from| {
        let (mut seen, mut stack) = (vec![false; graph.states()], vec![from]);
        let mut fired = vec![false; net.transitions().len()];
        while let Some(state) = stack.pop() {
            if !std::mem::replace(&mut seen[state], true) {
                for edge in &graph.edges[state] {
                    fired[edge.0.index()] = true;
                    stack.push(edge.1);
                }
            }
        }
        fired.into_iter().all(|fired| fired)
    })
}

/// An unbounded net is asked under a limit on its tokens: what it says is what the net says in which the place that
/// grows is left out.
#[test]
fn broken_techniques_are_found_out_under_limits() {
    let mut tally = Tally::default();
    for seed in 0..60u64 {
        let mut rng = Rng::new(seed);
        let shape = NetShape { max_states: 30, inhibitors: false, ..NetShape::default() };
        let bounded = net(&mut rng, &shape);
        let mut pool = Pool::new();
        let logic = [Logic::Reachability, Logic::Ltl][seed as usize % 2];
        let size = 2 + rng.below(5);
        let drawn = formula(&mut rng, &bounded, &FormulaShape { logic, size }, &mut pool);
        let closed = pool.close(drawn);
        let (idle, growing) = (with_source(&bounded, false), with_source(&bounded, true));
        let graph = explore(&idle, 30).unwrap();
        let Ok(truth) = check(Setting::new(&graph, &pool, PathSemantics::Maximal), closed) else { continue };
        let question = Question::formula(&mut pool, closed, PathSemantics::Maximal, Route::Fixpoints);
        let ways = Ways { coverability: true, walks: true, search: true, reductions: true, ..Ways::NONE };
        for broken in [Technique::Explicit, Technique::RandomWalk] {
            let subject = (&growing as &dyn Kind, &pool);
            let said = ask_with(subject, question.clone(), (ways, Some(broken)), &little(), &mut tally);
            assert!(said.is_none_or(|said| said == truth[&closed][0]), "seed {seed}, {broken:?}, {growing:?}");
        }
    }
    assert!(tally.unconfirmed > 2 && tally.verdicts > 30, "{tally:?}");
}

/// A budget in which a small net is decided.
fn little() -> Budget {
    Budget::unlimited().with_time(Duration::from_millis(300))
}

/// The net with one more transition, which can always fire; it adds tokens to a place of its own, or does nothing.
fn with_source(net: &PetriNet, grows: bool) -> PetriNet {
    let mut builder = random::copied(net);
    let source = builder.transition("source").unwrap();
    if grows {
        let place = builder.place("grows", 0).unwrap();
        builder.output(source, place, 1).unwrap();
    }
    builder.build().unwrap()
}

/// Walks of a coloured net that is not unfolded: five philosophers.
#[test]
fn broken_walks_are_found_out_on_folded_nets() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/models/coloured/philo-5.pnml");
    let Net::Coloured(net) = read_net_path(file.as_ref()).unwrap() else { panic!("no colours") };
    let why = UnfoldError::TooLarge { what: "transitions", limit: 0, culprit: "take".to_owned() };
    let folded = Folded::new(net, why).unwrap();
    let ways = Ways { walks: true, ..Ways::NONE };
    let mut tally = Tally::default();
    let formulas =
        ["EF #Eat = 3", "AG #Eat <= 2", "EF !enabled(take)", "EF #Eat = 2", "AG enabled(give)", "EF #Fork = 5"];
    for (text, expected) in formulas.into_iter().zip([false, true, true, true, false, true]) {
        let mut pool = Pool::new();
        let formula = parse(text, &folded.symbols(), &mut pool).unwrap();
        let question = Question::formula(&mut pool, formula, PathSemantics::Maximal, Route::Fixpoints);
        for broken in [None, Some(Technique::RandomWalk)] {
            let said = ask_with((&folded, &pool), question.clone(), (ways, broken), &little(), &mut tally);
            assert!(said.is_none_or(|said| said == expected), "{text}, broken: {broken:?}");
        }
    }
    for (global, expected) in [(Global::Deadlock, false), (Global::OneSafe, false), (Global::Liveness, true)] {
        let question = Question::Global(global);
        let said =
            ask_with((&folded, &Pool::new()), question, (ways, Some(Technique::RandomWalk)), &little(), &mut tally);
        assert!(said.is_none_or(|said| said == expected), "{global:?}");
    }
    assert!(tally.unconfirmed > 5 && tally.verdicts >= 4, "{tally:?}");
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

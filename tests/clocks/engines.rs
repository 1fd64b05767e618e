//! Integer time by the engines of the library: the firing rule of the definitions, the packed space on boxes, and the
//! plain explorer count the same states and steps; and files.

use super::nets;
use crate::shared::shared;
use starset::budget::Budget;
use starset::explicit::{Encoding, Options};
use starset::kinds::clocks::markings::Limits;
use starset::kinds::clocks::model::ClockNet;
use starset::kinds::clocks::random::{Shape, net};
use starset::kinds::clocks::scaled::Scaled;
use starset::kinds::clocks::{IntegerNet, NoIntegerNet, integer, line_format};
use starset::kinds::{Kind, Loaded, Reading, WriteError, Writing, in_words, read};
use starset::model::{ActionId, State, Step, TransitionSystem};
use starset::relation::RelationError;
use starset::rng::Rng;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// States, steps, and states without a step, by the definitions.
fn by_definition(model: &IntegerNet) -> (usize, usize, usize) {
    let (mut seen, mut open) = (BTreeSet::from([model.initial()]), vec![model.initial()]);
    let (mut steps, mut stuck) = (0, 0);
    while let Some(state) = open.pop() {
        let before = steps;
        for action in model.action_ids() {
            let next: Option<State> = model.fire(&state, Step::from(action));
            assert_eq!(next.is_some(), model.enables(&state, action));
            let Some(next) = next else { continue };
            assert_eq!(model.step(&state, action, &next), Some(Step::from(action)));
            // What a step changes, and what it does not, is as its row says.
            let row = model.row(action);
            for variable in model.variable_ids() {
                assert!(next.value(variable) == state.value(variable) || row.writes.contains(&variable));
            }
            assert!(row.must_write.iter().all(|variable| row.writes.contains(variable)));
            steps += 1;
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        stuck += usize::from(steps == before);
    }
    (seen.len(), steps, stuck)
}

fn packed(model: &IntegerNet) -> (usize, usize, usize) {
    let budget = Budget::unlimited();
    let engine = model.compile(&Encoding::default(), &budget).unwrap();
    let found = engine.explore(&Options::default(), &budget).unwrap();
    let number = |n: &dyn std::fmt::Display| n.to_string().parse::<usize>().unwrap();
    (number(&found.states), number(&found.transitions), number(&found.deadlocks))
}

/// All three; false if there is no state.
fn agree(net: &ClockNet, what: &str) -> bool {
    let scaled = Scaled::new(net).unwrap();
    let plain = integer::explore(&scaled, &Limits::default()).unwrap();
    let model = match IntegerNet::new(net.clone()) {
        Ok(model) => model,
        Err(NoIntegerNet::Start) => {
            assert_eq!(plain.states, 0, "{what}");
            return false;
        }
        Err(problem) => panic!("{what}: {problem}"),
    };
    let engine = packed(&model);
    assert_eq!((engine.0, engine.1), (plain.states, plain.steps), "{what}");
    assert_eq!(by_definition(&model), engine, "{what}");
    true
}

#[test]
fn random_nets_by_three_explorers() {
    let shape = |closed| Shape { clocks: 2, places: 5, transitions: 7, constant: 3, closed };
    let mut states = 0;
    for seed in 0..nets(1000) {
        let net = net(&mut Rng::new(seed), &shape(seed % 2 == 0));
        states += u32::from(agree(&net, &format!("SEED={seed}\n{}", line_format::write(&net).unwrap())));
    }
    assert!(states > 0);
}

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name)
}

fn load(path: PathBuf) -> Loaded {
    read(&[path], &Reading::default(), &Budget::unlimited()).unwrap()
}

#[test]
fn the_order_stands_still() {
    let loaded = load(model("order.pnwc"));
    let model = &*loaded.model;
    assert_eq!(in_words(&model.sizes()), "9 places, 9 transitions, 2 clocks");
    let budget = Budget::unlimited();
    let engine = model.compile(&Encoding::default(), &budget).unwrap();
    let found = engine.find_deadlock(&Options::default(), &budget).unwrap();
    let path = found.trace.unwrap().path;
    let end = path.prefix.iter().fold(model.initial(), |state, &step| model.fire(&state, step).unwrap());
    assert!(model.is_deadlock(&end));
    let marked = model.variable_ids().filter(|&v| v.index() < 9 && end.value(v) > 0);
    assert_eq!(marked.map(|v| model.variable(v)).collect::<Vec<_>>(), ["approved", "packed"]);
    // Time passes for ever where the order is closed: that is no deadlock.
    let tick = ActionId(9);
    assert_eq!(model.action(tick), "tick");
    let closed: Vec<u64> = model.variable_ids().map(|v| u64::from(model.variable(v) == "closed")).collect();
    assert!(model.enables(&State::new(closed), tick));
}

#[test]
fn diagrams_say_that_they_do_not_know_clocks_yet() {
    let loaded = load(model("order.pnwc"));
    let order: Vec<_> = loaded.model.variable_ids().collect();
    assert!(matches!(loaded.model.relation(&order), Err(RelationError::Unsupported(_))));
    // Variable orders and pictures have a net of who touches whom.
    let net = loaded.model.interactions();
    assert_eq!((net.place_count(), net.transition_count()), (11, 10));
}

#[test]
fn the_shared_nets_by_three_explorers() {
    let Some(folder) = shared("clocks/nets") else { return };
    for name in ["office_hours", "touch", "halfopen", "fischer2_k2", "fischer2_k2_broken", "fischer3_k2"] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.pnwc"))).unwrap();
        assert!(agree(&line_format::read(&text, name).unwrap(), name));
    }
}

#[test]
fn names_that_clash_are_told_apart() {
    let text = "clocks p tick\nplace p init 1 inv p<=2\nplace q\ntrans tick : p -> q when tick>=1/2 reset p";
    let model = IntegerNet::new(line_format::read(text, "names").unwrap()).unwrap();
    let names: Vec<&str> = model.variable_ids().map(|v| model.variable(v)).collect();
    assert_eq!(names, ["p", "q", "p'", "tick'"]);
    let actions: Vec<&str> = model.action_ids().map(|a| model.action(a)).collect();
    assert_eq!((actions, model.scale()), (vec!["tick", "tick''"], 2));
}

#[test]
fn files_are_written_and_read() {
    let loaded = load(model("order.pnwc"));
    let write = |form: &str| {
        let mut out = Vec::new();
        let done = loaded.model.write(form, &Writing::default(), &Budget::unlimited(), &mut out);
        done.map(|sizes| (String::from_utf8(out).unwrap(), in_words(&sizes)))
    };
    let (text, _) = write("pnwc").unwrap();
    let original = std::fs::read_to_string(model("order.pnwc")).unwrap();
    assert_eq!(line_format::read(&text, "a").unwrap(), line_format::read(&original, "b").unwrap());
    let (graph, _) = write("aut").unwrap();
    assert!(graph.starts_with("des (0,"));
    assert!(matches!(write("dot"), Err(WriteError::Form { .. })));

    let refused = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.pnwc");
        std::fs::write(&path, text).unwrap();
        read(&[path], &Reading::default(), &Budget::unlimited()).unwrap_err().to_string()
    };
    let problem = refused("clocks x\nplace p init 1 inv y<=2");
    assert!(problem.contains("bad.pnwc:2:20:"), "{problem}");
    let problem = refused("clocks x\nplace p init 1 inv x>=2");
    assert!(problem.contains("bad.pnwc:") && problem.contains("there is no state"), "{problem}");
    let problem = refused("clocks x\nplace p init 1 inv x<=99999999999");
    assert!(problem.contains("bad.pnwc:") && problem.contains("beyond"), "{problem}");
}

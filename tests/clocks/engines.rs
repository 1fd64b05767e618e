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
use starset::mdd::MddManager;
use starset::model::{ActionId, Standstill, State, Step, TransitionSystem, VariableId};
use starset::relation::RelationError;
use starset::rng::Rng;
use starset::symbolic::{Search, count_transitions, reachable_set, standstills, without};
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

/// States, steps, deadlocks, timelocks and markings by diagrams, and without their clocks.
fn by_diagrams(model: &IntegerNet, order: &[VariableId]) -> [String; 5] {
    let budget = Budget::unlimited();
    let relation = model.relation(order).unwrap();
    let space = MddManager::new(relation.levels(), &budget).unwrap();
    let all = [Search::Saturation, Search::BreadthFirst, Search::Chaining];
    let sets = all.map(|search| reachable_set(&relation, &space, search, &budget, &mut |_| ()).unwrap());
    assert!(sets.iter().all(|set| *set == sets[0]));
    let still = |how| standstills(&relation, &sets[0], how, &budget).unwrap().count(&budget).unwrap().to_string();
    let clocks: Vec<bool> =
        relation.variables_by_level().iter().map(|&v| model.unit(VariableId(v as u32)).is_some()).collect();
    [
        sets[0].count(&budget).unwrap().to_string(),
        count_transitions(&relation, &sets[0], &budget).unwrap().to_string(),
        still(Standstill::Deadlock),
        still(Standstill::Timelock),
        without(&sets[0], &clocks, &budget).unwrap().count(&budget).unwrap().to_string(),
    ]
}

/// The same by looking at each state, by the definitions.
fn by_looking(model: &IntegerNet) -> [String; 5] {
    let (mut seen, mut open) = (BTreeSet::from([model.initial()]), vec![model.initial()]);
    let mut steps = 0;
    while let Some(state) = open.pop() {
        for next in model.action_ids().filter_map(|action| model.fire(&state, Step::from(action))) {
            steps += 1;
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    // Nothing but ticks on all ways from a state; and not for ever.
    let tick = model.tick();
    let still = |how: Standstill| {
        let stands = |state: &&State| {
            let (mut reached, mut open) = (BTreeSet::from([(*state).clone()]), vec![(*state).clone()]);
            let mut ends = false;
            while let Some(state) = open.pop() {
                if model.action_ids().any(|action| Some(action) != tick && model.enables(&state, action)) {
                    return false;
                }
                let next = tick.and_then(|tick| model.fire(&state, tick.into()));
                ends |= next.is_none();
                open.extend(next.filter(|next| reached.insert(next.clone())));
            }
            how == Standstill::Deadlock || ends
        };
        let by_model = seen.iter().filter(|state| model.stands_still(state, how)).count();
        assert_eq!(seen.iter().filter(stands).count(), by_model);
        by_model.to_string()
    };
    let places = model.net().places.len();
    let markings: BTreeSet<&[u64]> = seen.iter().map(|state| &state.as_slice()[..places]).collect();
    let (dead, stopped) = (still(Standstill::Deadlock), still(Standstill::Timelock));
    [seen.len().to_string(), steps.to_string(), dead, stopped, markings.len().to_string()]
}

#[test]
fn diagrams_and_looking_agree() {
    let mut ticking = 0;
    let seeds = super::number("SEED").map_or(0..nets(1000), |seed| seed..seed + 1);
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let shape = Shape { clocks: 3, places: 5, transitions: 7, constant: 3, closed: seed % 2 == 0 };
        let Ok(model) = IntegerNet::new(net(&mut rng, &shape)) else { continue };
        let mut order: Vec<VariableId> = model.variable_ids().collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        let found = by_looking(&model);
        let text = line_format::write(model.net()).unwrap();
        assert_eq!(by_diagrams(&model, &order), found, "SEED={seed}\n{text}");
        let budget = Budget::unlimited();
        let engine = model.compile(&Encoding::default(), &budget).unwrap();
        let explored = engine.explore(&Options::default(), &budget).unwrap();
        let numbers = [explored.states, explored.transitions, explored.deadlocks, explored.markings.unwrap()];
        let [states, steps, dead, stopped, markings] = found;
        assert_eq!(numbers.map(|n| n.to_string()), [states, steps, dead.clone(), markings], "SEED={seed}\n{text}");
        ticking += u32::from(stopped != "0" && stopped != dead);
    }
    assert!(ticking > 0 || super::number("SEED").is_some());
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
    let (states, steps, _) = by_definition(&model);
    assert_eq!((states, steps), (engine.0, engine.1), "{what}");
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
fn the_claim_stands_still() {
    let loaded = load(model("claim.pnwc"));
    let model = &*loaded.model;
    assert_eq!(in_words(&model.sizes()), "8 places, 8 transitions, 2 clocks");
    let budget = Budget::unlimited();
    let engine = model.compile(&Encoding::default(), &budget).unwrap();
    let found = engine.find_deadlock(&Options::default(), &budget).unwrap();
    let path = found.trace.unwrap().path;
    let end = path.prefix.iter().fold(model.initial(), |state, &step| model.fire(&state, step).unwrap());
    // The nearest standstill is the end of the claim; time passes there, so it is no end of a path.
    assert!(model.stands_still(&end, Standstill::Deadlock) && !model.stands_still(&end, Standstill::Timelock));
    assert!(!model.is_deadlock(&end));
    // Time passes for ever where the claim is closed: that is no deadlock.
    let tick = ActionId(8);
    assert_eq!(model.action(tick), "tick");
    let with = |marked: &[&str]| {
        let value = |v: VariableId| u64::from(marked.contains(&model.variable(v)));
        State::new(model.variable_ids().map(value).collect())
    };
    assert!(model.enables(&with(&["closed"]), tick));
    // An accepted claim at the last moment, for which the report is too old.
    let mut values = with(&["accepted", "report"]).as_slice().to_vec();
    (values[8], values[9]) = (12, 20);
    let late = State::new(values);
    assert!(model.is_deadlock(&late) && model.stands_still(&late, Standstill::Timelock));
}

#[test]
fn variable_orders_and_pictures_have_a_net_of_who_touches_whom() {
    let net = load(model("claim.pnwc"));
    let net = net.model.interactions();
    assert_eq!((net.place_count(), net.transition_count()), (10, 9));
}

/// Transitions that touch nothing, that are never possible, and clocks that nothing looks at.
#[test]
fn odd_nets_by_diagrams() {
    for text in [
        "place p init 1\ntrans t : ->\n",
        "clocks x\nplace p init 1\ntrans t : ->\n",
        "clocks x\nplace p init 1 inv x<=2\ntrans t : -> when x>3\ntrans u : p -> p when false\n",
        "clocks x y\nplace p init 2 inv x<=2\nplace q inv false\ntrans t : p -> q\ntrans u : p*2 -> p reset x\n",
        "clocks x\nplace p init 1 inv x<=1 | x>=2\nplace q init 1 inv x<=3\ntrans t : q -> \ntrans u : p -> reset x\n",
    ] {
        let model = IntegerNet::new(line_format::read(text, "odd").unwrap()).unwrap();
        for order in [[0, 1, 2, 3], [3, 2, 1, 0]] {
            let order = order.map(VariableId).into_iter().filter(|v| v.index() < model.variables());
            assert_eq!(by_diagrams(&model, &order.collect::<Vec<_>>()), by_looking(&model), "{text}");
        }
    }
}

/// Thirty deadlines that hang together are too much for the relation, which says so.
#[test]
fn invariants_may_be_too_entangled_for_diagrams() {
    let clocks: Vec<String> = (0..30).map(|i| format!("x{i}")).collect();
    let mut text = format!("clocks {}\n", clocks.join(" "));
    for i in 0..30 {
        text += &format!("place p{i} init 1 inv x{i}<=3 | x{}<=5\n", (i * 7 + 11) % 30);
    }
    let model = IntegerNet::new(line_format::read(&text, "entangled").unwrap()).unwrap();
    let mut order: Vec<VariableId> = model.variable_ids().collect();
    order.reverse();
    assert!(matches!(model.relation(&order), Err(RelationError::Unsupported(_))));
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
    let loaded = load(model("claim.pnwc"));
    let write = |form: &str| {
        let mut out = Vec::new();
        let done = loaded.model.write(form, &Writing::default(), &Budget::unlimited(), &mut out);
        done.map(|sizes| (String::from_utf8(out).unwrap(), in_words(&sizes)))
    };
    let (text, _) = write("pnwc").unwrap();
    let original = std::fs::read_to_string(model("claim.pnwc")).unwrap();
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

//! Boolean networks: the answers of other tools in `../shared/bnet`, and networks at random against their graphs, state
//! by state.

mod candidates;
mod colours;
mod graph;
mod hybrid;
mod levels;
mod mediators;
mod most_permissive;

use crate::cli::{run, starset};
use crate::shared::{shared, table};
use graph::{Graph, Network};
use levels::Levels;
use num_bigint::BigUint;
use serde_json::Value;
use starset::budget::Budget;
use starset::decide::{Settings, StateSpace, explore};
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::logical::{Form, Logical, Named, Update};
use starset::kinds::{Kind, Reading, Writing, read, write};
use starset::mdd::with_deep_stack;
use starset::model::TransitionSystem;
use starset::rng::Rng;
use starset::symbolic::{Attractors, Shape};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

fn update(name: &str) -> Update {
    if name == "sync" { Update::Synchronous } else { Update::Asynchronous }
}

/// The attractors; of small models with and without mediators.
fn found(model: &dyn Kind) -> (StateSpace, Attractors) {
    let budget = Budget::unlimited();
    with_deep_stack(model.variables(), || {
        let mut settings = Settings::default();
        let space = explore(model, &settings, true, &budget, &|_| {}).unwrap();
        let found = space.attractors(model, &settings, &budget).unwrap();
        if model.variables() <= 10 {
            settings.techniques.mediators = false;
            assert_eq!(space.attractors(model, &settings, &budget).unwrap().sizes, found.sizes);
        }
        (space, found)
    })
}

/// `1*4 8*2`, as the tables write sizes.
fn sizes(found: &Attractors) -> String {
    let one = BigUint::from(1u32);
    let all = found.sizes.iter().map(|(size, number)| match *number == one {
        true => size.to_string(),
        false => format!("{size}*{number}"),
    });
    all.collect::<Vec<_>>().join(" ")
}

fn network(file: &str, text: &str) -> Logical {
    Logical::read(file, text, Form::Bnet, Update::Asynchronous).unwrap().network
}

fn read_file(path: PathBuf, update: Update) -> Box<dyn Kind> {
    let reading = Reading { update, ..Reading::default() };
    read(&[path], &reading, &Budget::unlimited()).unwrap().model
}

#[test]
fn attractors_are_those_of_other_tools() {
    let Some(folder) = shared("bnet") else { return };
    let mut compared = 0;
    for row in table(&folder.join("expected.csv")) {
        let path = folder.join("models").join(format!("{}.bnet", row["model"]));
        let quick = row["method"] != "unsolved" && row["variables"].parse::<u32>().unwrap() <= 20;
        if !quick || !path.exists() {
            continue;
        }
        let model = read_file(path, update(&row["semantics"]));
        let (_, found) = found(&*model);
        let by = (&row["model"], &row["semantics"]);
        assert_eq!(sizes(&found), row["sizes"], "{by:?}");
        assert_eq!(found.count().to_string(), row["attractors"], "{by:?}");
        assert_eq!(found.fixed.count(&Budget::unlimited()).unwrap().to_string(), row["fixed_points"], "{by:?}");
        compared += 1;
    }
    assert!(compared >= 100, "{compared}");
}

#[test]
fn basins_are_those_of_another_tool() {
    let Some(folder) = shared("bnet") else { return };
    let budget = Budget::unlimited();
    let mut rows: BTreeMap<(String, String), Vec<[String; 3]>> = BTreeMap::new();
    for row in table(&folder.join("basins.csv")) {
        let basins = [&row["size"], &row["strong_basin"], &row["weak_basin"]].map(String::clone);
        rows.entry((row["model"].clone(), row["semantics"].clone())).or_default().push(basins);
    }
    let mut compared = 0;
    for ((name, semantics), mut expected) in rows {
        let path = folder.join("models").join(format!("{name}.bnet"));
        if !path.exists() {
            continue;
        }
        let model = read_file(path, update(&semantics));
        let (_, found) = found(&*model);
        let mut basins = with_deep_stack(64, || {
            let one = |family: starset::symbolic::Family| {
                let basins = found.basins(&family.states, &budget).unwrap();
                [family.states.count(&budget).unwrap(), basins.strong, basins.weak].map(|number| number.to_string())
            };
            found.list(10_000, &budget).unwrap().into_iter().map(one).collect::<Vec<_>>()
        });
        basins.sort();
        expected.sort();
        assert_eq!(basins, expected, "{name} {semantics}");
        compared += basins.len();
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn sat_sets_are_those_of_other_tools() {
    let Some(folder) = shared("bnet") else { return };
    let mut of: BTreeMap<String, Vec<BTreeMap<String, String>>> = BTreeMap::new();
    for row in table(&folder.join("satsets.csv")) {
        of.entry(row["model"].clone()).or_default().push(row);
    }
    let mut compared = 0;
    for (name, rows) in of {
        let path = folder.join("models").join(format!("{name}.bnet"));
        if !path.exists() {
            continue;
        }
        let ways: [(&str, &[&str]); 3] = [
            ("async_deadlock", &["--paths", "maximal"]),
            ("async_selfloop", &[]),
            ("sync", &["--update", "synchronous"]),
        ];
        for (column, options) in ways {
            let mut command = starset();
            command.arg("satset").arg(&path).args(["--json", "--quiet"]).args(options);
            for row in &rows {
                command.args(["-f", &row["formula"]]);
            }
            let (out, err, status) = run(&mut command);
            assert_eq!(status, 0, "{name} {column}: {err}");
            let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(answers.len(), rows.len(), "{name} {column}");
            for (row, answer) in rows.iter().zip(answers) {
                assert_eq!(answer["satisfying"], row[column].as_str(), "{name} {column} {}", row["formula"]);
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn attractors_are_those_of_graphs() {
    let budget = Budget::unlimited();
    let (mut shapes, mut numbers) = (BTreeMap::new(), BTreeMap::new());
    for seed in 0..2_000 {
        let mut rng = Rng::new(seed);
        let network = Network::random(&mut rng);
        let way = [Update::Asynchronous, Update::Synchronous, Update::Mixed][seed as usize % 3];
        let graph = Graph::new(&network, way);
        let logical = Logical::read("random.bnet", &network.to_string(), Form::Bnet, way).unwrap().network;
        let model = PinsModel::new("random", logical).unwrap();
        let (space, found) = found(&model);
        let about = format!("seed {seed}, {way:?}:\n{network}");
        assert_eq!(space.states(&budget).unwrap(), graph.successors.len().into(), "{about}");
        let steps: usize = graph.successors.iter().map(Vec::len).sum();
        assert_eq!(space.transitions(&budget).unwrap(), steps.into(), "{about}");
        let expected = graph.attractors();
        let mut all = Vec::new();
        for one in found.list(usize::MAX, &budget).unwrap() {
            let number = |tuple: Vec<u32>| network.number(&space.relation.values_of(&tuple));
            let mut states: Vec<usize> = one.states.members().map(number).collect();
            states.sort_unstable();
            let basins = found.basins(&one.states, &budget).unwrap();
            let (weak, strong) = graph.basins(&states);
            assert_eq!((basins.weak, basins.strong), (weak.into(), strong.into()), "{about}");
            let single = states.iter().all(|&state| graph.successors[state].len() == 1);
            let shape = match states.len() {
                1 => Shape::Fixed,
                _ if single => Shape::Cycle,
                _ => Shape::Complex,
            };
            assert_eq!(one.shape, shape, "{about}");
            *shapes.entry(shape).or_insert(0) += 1;
            all.push(states);
        }
        all.sort();
        assert_eq!(all, expected, "{about}");
        assert_eq!(found.count(), expected.len().into(), "{about}");
        let mut sizes: BTreeMap<BigUint, BigUint> = BTreeMap::new();
        expected.iter().for_each(|one| *sizes.entry(one.len().into()).or_default() += 1u32);
        assert_eq!(found.sizes, sizes, "{about}");
        *numbers.entry(expected.len()).or_insert(0) += 1;
    }
    assert!(shapes.len() == 3 && shapes.values().all(|&number| number > 100), "{shapes:?}");
    assert!(numbers.len() > 5, "{numbers:?}");
}

/// The states of each attractor that is found.
fn members(model: &dyn Kind) -> BTreeSet<BTreeSet<Vec<u64>>> {
    let (space, found) = found(model);
    let all = found.list(usize::MAX, &Budget::unlimited()).unwrap();
    assert_eq!(found.count(), all.len().into());
    all.iter().map(|one| one.states.members().map(|tuple| space.relation.values_of(&tuple)).collect()).collect()
}

/// Networks with more variables, of which several influence each other, above others that do.
#[test]
fn asynchronous_attractors_of_larger_networks_are_those_of_graphs() {
    let (mut several, mut cyclic) = (0, 0);
    for seed in 0..200 {
        let network = Network::random_of(7 + seed as usize % 2, &mut Rng::new(seed));
        let graph = Graph::new(&network, Update::Asynchronous);
        let model = PinsModel::new("random", self::network("random.bnet", &network.to_string())).unwrap();
        let numbers = |one: BTreeSet<Vec<u64>>| one.iter().map(|values| network.number(values)).collect();
        let mut all: Vec<BTreeSet<usize>> = members(&model).into_iter().map(numbers).collect();
        all.sort();
        let mut expected: Vec<BTreeSet<usize>> =
            graph.attractors().into_iter().map(|one| one.into_iter().collect()).collect();
        expected.sort();
        assert_eq!(all, expected, "seed {seed}:\n{network}");
        several += usize::from(all.len() > 1);
        cyclic += usize::from(all.iter().any(|one| one.len() > 1));
    }
    assert!(several > 30 && cyclic > 10, "{several} {cyclic}");
}

#[test]
fn attractors_of_several_levels_are_those_of_graphs() {
    let (mut several, mut cyclic) = (0, 0);
    for seed in 0..300 {
        let levels = Levels::random(&mut Rng::new(seed));
        let text = levels.sbml();
        let read = Logical::read("random.sbml", &text, Form::Sbml, Update::Asynchronous).unwrap();
        let model = PinsModel::new("random", read.network).unwrap();
        let expected: BTreeSet<BTreeSet<Vec<u64>>> = levels
            .attractors()
            .into_iter()
            .map(|one| one.into_iter().map(|state| state.into_iter().map(u64::from).collect()).collect())
            .collect();
        assert_eq!(members(&model), expected, "seed {seed}: {text}");
        several += usize::from(expected.len() > 1);
        cyclic += usize::from(expected.iter().any(|one| one.len() > 1));
    }
    assert!(several > 20 && cyclic > 10, "{several} {cyclic}");
}

#[test]
fn networks_are_read_as_their_forms_say() {
    let count = |text: &str| {
        let Named { network, remarks, .. } = Logical::read("x.bnet", text, Form::Bnet, Update::Asynchronous).unwrap();
        (network.variables().map(|(name, _)| name.to_owned()).collect::<Vec<_>>().join(" "), remarks.len())
    };
    for (text, names) in [
        ("targets, factors\na, b\nb, a\n", "a b"),
        ("# first\r\nTargets,Factors\r\n\r\na,\tb\r\ntargets, factors\r\nb, a", "a b"),
        ("a, b # comment\nb, a", "a b"),
        ("targets, a\na, targets", "targets a"),
        ("a, b && !c || d", "a b c d"),
        ("a, b ^ c => d <=> e", "a b c d e"),
        ("a, 0\nb, (1)\nc, b & 1 | false", "a b c"),
        ("_a, 5x\nand, A\na-b, a{1} & α\nn.m:[1], a-b", "_a and a-b n.m:[1] 5x A a{1} α"),
        ("x, x\ny, (y)\nz, z & z", "x y z"),
    ] {
        assert_eq!(count(text), (names.to_owned(), 0), "{text}");
    }
    assert_eq!(count("a, TRUE & b"), ("a b".to_owned(), 1));
    let deep = format!("a, {}b{}", "(!".repeat(100_000), ")".repeat(100_000));
    assert_eq!(count(&deep).0, "a b");
    for (text, place, words) in [
        ("a, b\n// no\n", "2:1", "`#`"),
        ("a, b and c", "1:6", "operators are `!`, `&` and `|`"),
        ("a, ~b", "1:4", "`~` is written `!`"),
        ("a, b * c", "1:6", "`*` is written `&`"),
        ("a, -b", "1:4", "does not begin with `-`"),
        ("a b, c", "1:1", "rename `a b`"),
        ("a, b c", "1:6", "missing before `c`"),
        ("a,", "1:3", "the function after the comma is missing"),
        ("a, b\nb, a\na, b", "3:1", "in line 1"),
        ("a, b,", "1:5", "second comma"),
        ("a, b, 1.0", "1:5", "probabilistic"),
        ("x", "1:1", "`x, x`"),
        ("a, b\rb, a", "1:5", "carriage return"),
        ("a, (b &\nc)", "2:1", "stands on one line"),
        ("a, (b", "1:4", "not closed"),
        ("a, b)", "1:5", "without an opening one"),
        ("a, b; b, a", "1:5", "`;`"),
        ("a/b, c", "1:1", "rename `a/b`"),
        ("true, a", "1:1", "constant"),
        ("", "1:1", "no variable"),
        ("targets, factors\n", "1:1", "no variable"),
        ("a, b & & c", "1:8", "a name, a constant"),
        ("a, !", "1:5", "missing at the end"),
        (", b", "1:1", "the name before the comma"),
    ] {
        let error = Logical::read("x.bnet", text, Form::Bnet, Update::Asynchronous).unwrap_err().to_string();
        assert!(error.starts_with(&format!("x.bnet:{place}: ")) && error.contains(words), "{text:?}: {error}");
    }
}

#[test]
fn operators_bind_as_they_are_said_to() {
    // Equivalent networks have the same transitions.
    let steps = |function: &str| {
        let text = format!("f, {function}\na, a\nb, b\nc, c\nd, d\n");
        let model = PinsModel::new("f", network("f.bnet", &text)).unwrap();
        let (space, _) = found(&model);
        let mut enabled: Vec<Vec<u64>> = space
            .set
            .difference(&space.deadlocks(&Budget::unlimited()).unwrap(), &Budget::unlimited())
            .unwrap()
            .members()
            .map(|tuple| space.relation.values_of(&tuple))
            .collect();
        enabled.sort();
        enabled
    };
    for (short, long) in [
        ("a | b & c", "a | (b & c)"),
        ("a & b ^ c", "a & (b ^ c)"),
        ("!a & b", "(!a) & b"),
        ("!!a ^ b", "(a & !b) | (!a & b)"),
        ("a => b => c", "!a | (!b | c)"),
        ("a | b => c & d", "!(a | b) | (c & d)"),
        ("a <=> b => c", "(a & (!b | c)) | (!a & !(!b | c))"),
    ] {
        assert_eq!(steps(short), steps(long), "{short}");
    }
}

#[test]
fn both_engines_answer_and_agree() {
    let text = "a, !b\nb, a & !c | d\nc, b ^ a\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.bnet");
    std::fs::write(&path, text).unwrap();
    let formulas = ["AG EF a = 1", "E (G F b = 1)", "#d = 1 -> AF c = 1", "EX deadlock"];
    let mut command = starset();
    command.arg("cross").arg(&path);
    for formula in formulas {
        command.args(["-f", formula]);
    }
    let (out, err, status) = run(&mut command);
    assert_eq!(status, 0, "{out}{err}");
    for way in ["asynchronous", "synchronous", "mixed", "most-permissive"] {
        let by = |engine: &str| {
            let mut command = starset();
            command.arg("check").arg(&path).args(["--update", way, "--engine", engine]);
            for formula in formulas {
                command.args(["-f", formula]);
            }
            run(&mut command).0
        };
        let (one, other) = (by("symbolic"), by("explicit"));
        assert!(one == other && one.lines().count() == 4 && !one.contains("unknown"), "{way}: {one}{other}");
    }
}

/// States that others only pass through are not counted, listed or saved, and have no bounds and no steps.
#[test]
fn what_is_passed_through_is_no_state() {
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/models/switch.bnet");
    let ask = |command: &str, more: &[&str]| {
        run(starset().args([command, network, "--update", "most-permissive"]).args(more))
    };
    let (out, err, status) = ask("states", &["--list", "200", "--deadlocks"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("  states                 16\n") && out.contains("deadlocks              2\n"), "{out}");
    assert!(!out.contains("transitions  ") && !out.contains("= 2") && !out.contains("= 3"), "{out}");
    assert_eq!(out.lines().filter(|line| line.contains("left = ")).count(), 17, "{out}");
    let (out, err, status) = ask("states", &["--engine", "explicit"]);
    assert!(status == 3 && out.contains("unknown") && err.contains("passed through"), "{out}{err}");
    let (out, ..) = ask("states", &["--each", "bound"]);
    assert!(out.contains("bound left: 1\n") && out.contains("bound gate: 1\n"), "{out}");
    let (out, err, _) = ask("check", &["-f", "bounds(left) = 1", "-f", "bounds(left, gate) = 2"]);
    assert_eq!(out, "1: true\n2: true\n", "{err}");
    // A file has them alone, and what it names is these.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("left.set");
    let (out, err, _) = ask("satset", &["-f", "left = 1", "--save", file.to_str().unwrap()]);
    assert!(out.starts_with("1: false, holds in 8 of 16 states"), "{out}{err}");
    let (out, err, _) = ask("satset", &["--load", file.to_str().unwrap(), "--list", "20"]);
    assert!(
        out.starts_with("loaded: false, holds in 8 of 16 states") && out.matches("left = 1,").count() == 8,
        "{out}{err}"
    );
    let (out, err, status) = ask("check", &["--compute", "MIN [left = 0, left = 1]"]);
    assert!(out == "1: unknown\n" && status == 3 && err.contains("steps are not counted"), "{out}{err}");
}

/// `%attractors` is the union of all attractors, in both engines and for other models, too.
#[test]
fn attractors_have_a_name_in_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
    for model in ["switch.bnet", "philo-5.pnml", "pipe.dot"].map(|name| format!("{models}/{name}")) {
        let file = folder.path().join("all.set");
        let (_, err, status) = run(starset().args(["attractors", &model, "--save"]).arg(&file));
        assert_eq!(status, 0, "{err}");
        let given = format!("all={}", file.display());
        let (out, err, status) = run(starset().args(["satset", &model, "--set", &given, "-f", "%all <-> %attractors"]));
        assert!(status == 0 && out.starts_with("1: true"), "{model}: {out}{err}");
        let lines = folder.path().join("formulas.ctl");
        std::fs::write(&lines, "AG EF %attractors\nAF %attractors\n").unwrap();
        let by = |engine: &str| run(starset().args(["check", &model, "--engine", engine, "-x"]).arg(&lines)).0;
        let (one, other) = (by("symbolic"), by("explicit"));
        assert!(one == other && one.contains("true") && one.lines().count() == 2, "{model}: {one}{other}");
    }
    // A set that is given under this name counts.
    let philo = format!("{models}/philo-5.pnml");
    let file = folder.path().join("none.set");
    run(starset().args(["satset", &philo, "-f", "false", "--save"]).arg(&file));
    let given = format!("attractors={}", file.display());
    let (out, ..) = run(starset().args(["check", &philo, "--set", &given, "-f", "EF %attractors"]));
    assert_eq!(out, "1: false\n");
}

/// The least subspace that has an attractor and that no step leaves, of all subspaces.
fn least_trap_space(graph: &Graph, variables: usize, attractor: &[usize]) -> (usize, usize) {
    let all = (1 << variables) - 1;
    let mut best: Option<(usize, usize)> = None;
    for mask in 0..=all {
        let values = attractor[0] & mask;
        let inside = |state: usize| state & mask == values;
        let closed = (0..graph.successors.len()).filter(|&state| inside(state));
        let closed = closed.flat_map(|state| &graph.successors[state]).all(|&next| inside(next));
        let fixes_more = best.is_none_or(|(known, _)| mask.count_ones() > known.count_ones());
        if closed && attractor.iter().all(|&state| inside(state)) && fixes_more {
            best = Some((mask, values));
        }
    }
    best.unwrap()
}

#[test]
fn trap_spaces_are_the_least_closed_subspaces() {
    let budget = Budget::unlimited();
    let mut larger = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let network = Network::random(&mut rng);
        let way = [Update::Asynchronous, Update::Synchronous, Update::Mixed][seed as usize % 3];
        let graph = Graph::new(&network, way);
        let variables = graph.successors.len().ilog2() as usize;
        let logical = Logical::read("random.bnet", &network.to_string(), Form::Bnet, way).unwrap().network;
        let model = PinsModel::new("random", logical).unwrap();
        let (space, found) = found(&model);
        for one in found.list(usize::MAX, &budget).unwrap() {
            let number = |tuple: Vec<u32>| network.number(&space.relation.values_of(&tuple));
            let states: Vec<usize> = one.states.members().map(number).collect();
            let (mask, values) = least_trap_space(&graph, variables, &states);
            let fixed = space.trap_space(&found, &one.states, &budget).unwrap();
            let expected: Vec<(usize, u64)> = (0..variables)
                .filter(|variable| mask >> variable & 1 == 1)
                .map(|variable| (variable, (values >> variable & 1) as u64))
                .collect();
            let fixed: Vec<(usize, u64)> =
                fixed.into_iter().map(|(variable, value)| (variable.index(), value)).collect();
            assert_eq!(fixed, expected, "seed {seed}, {way:?}:\n{network}");
            larger += usize::from(1 << (variables - fixed.len()) > states.len());
        }
    }
    assert!(larger > 10, "{larger}");
}

/// What is written is read again with the same steps, and BooleanNet's words mean what signs do.
#[test]
fn networks_are_written_and_read_in_other_words() {
    let budget = Budget::unlimited();
    for seed in 0..200 {
        let network = Network::random(&mut Rng::new(seed)).to_string();
        let words = network.replace(", ", "* = ").replace('&', "and").replace('|', "OR").replace('!', "not ");
        let words = format!("# words\nv0 = v1 = True\n{}", words.replace("v1*", "3: v1 *"));
        let read = |text: &str, form| {
            let network = Logical::read("x", text, form, Update::Asynchronous).unwrap().network;
            PinsModel::new("x", network).unwrap()
        };
        let one = read(&network, Form::Bnet);
        let mut written = Vec::new();
        write(&one, "bnet", &Writing::default(), &budget, &mut written).unwrap();
        let again = read(&String::from_utf8(written).unwrap(), Form::Bnet);
        let about = |model: &PinsModel| {
            let mut pairs = Vec::new();
            for state in model.initial_states() {
                for action in model.action_ids() {
                    pairs.push((state.clone(), model.action(action).to_owned(), model.fire(&state, action.into())));
                }
            }
            let moves = pairs.into_iter().filter(|(_, _, next)| next.is_some());
            moves.collect::<Vec<_>>()
        };
        assert_eq!(about(&again), about(&one), "seed {seed}: {network}");
        let by_name = |model: &PinsModel| {
            let named = |state: &starset::model::State| -> BTreeMap<String, u64> {
                model.variable_ids().map(|v| (model.variable(v).to_owned(), state.value(v))).collect()
            };
            let steps =
                about(model).into_iter().map(|(from, action, to)| (named(&from), action, to.map(|to| named(&to))));
            // Of BooleanNet v1 is there in any case.
            steps
                .map(|(mut from, action, to)| (from.remove("v1"), from, action, to.map(|mut to| (to.remove("v1"), to))))
                .collect::<BTreeSet<_>>()
        };
        let other = read(&words, Form::BooleanNet);
        if network.contains("v1") {
            assert_eq!(by_name(&other), by_name(&one), "seed {seed}: {words}");
        }
    }
    let read = |text: &str| Logical::read("x", text, Form::BooleanNet, Update::Asynchronous);
    for (text, words) in [
        ("A* = B and", "x:1:11: a name or a constant is missing at the end"),
        ("A B", "x:1:1: no `=`"),
        ("A* = B\nA* = C", "x:2:1: `A` has a rule already, in line 1"),
        ("A$* = B", "`A$` is no name"),
        ("# nothing", "no variable"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(words), "{text:?}: {error}");
    }
    assert_eq!(read("A = False\n2: A* = not A").unwrap().notes.len(), 2);
}

#[test]
fn attractors_that_are_too_many_are_counted() {
    // 2^60 settings of inputs; for each of them a fixed point, or a cycle of the two followers.
    let mut text = "x, y & i0 | !i0 & !y\ny, x\n".to_owned();
    (0..60).for_each(|number| text += &format!("i{number}, i{number}\n"));
    let model = PinsModel::new("x", network("x.bnet", &text)).unwrap();
    let (_, found) = found(&model);
    let half = BigUint::from(1u32) << 59;
    assert_eq!(sizes(&found), format!("1*{} 4*{half}", BigUint::from(1u32) << 60));
    assert_eq!(found.shapes[&Shape::Cycle], half);
    assert_eq!(found.list(7, &Budget::unlimited()).unwrap().len(), 7);
}

#[test]
fn networks_of_several_levels_have_the_attractors_of_their_graphs() {
    let Some(folder) = shared("bnet") else { return };
    let mut compared = 0;
    for row in table(&folder.join("multivalued.csv")) {
        for extension in ["sbml", "zginml"] {
            let path = folder.join("models").join(format!("{}.{extension}", row["model"]));
            if !path.exists() {
                continue;
            }
            let about = path.display().to_string();
            for (way, prefix) in [(Update::Asynchronous, ""), (Update::Synchronous, "sync_unit_")] {
                let model = read_file(path.clone(), way);
                assert_eq!(model.variables().to_string(), row["variables"], "{about}");
                let (space, found) = found(&*model);
                assert_eq!(space.states(&Budget::unlimited()).unwrap().to_string(), row["states"], "{about}");
                assert_eq!(sizes(&found), row[&format!("{prefix}sizes")], "{about} {way:?}");
                assert_eq!(found.count().to_string(), row[&format!("{prefix}attractors")], "{about} {way:?}");
                let fixed = found.fixed.count(&Budget::unlimited()).unwrap().to_string();
                assert_eq!(fixed, row["fixed_points"], "{about} {way:?}");
            }
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn other_forms_are_read_as_they_say() {
    let read = |text: &str, form: Form| Logical::read("x", text, form, Update::Asynchronous);
    let steps = |text: &str, form: Form| {
        let model = PinsModel::new("x", read(text, form).unwrap().network).unwrap();
        let (space, found) = found(&model);
        (space.transitions(&Budget::unlimited()).unwrap().to_string(), found.count().to_string())
    };
    let aeon = "# three\n#position:a:1,2\na -> b\nb -| a\nc -?? a\n$a: !b & (c | !c)\n$b: a\n";
    assert_eq!(steps(aeon, Form::Aeon), steps("a, !b\nb, a\nc, c", Form::Bnet));
    let regulators = |count: usize| (0..count).map(|number| format!("r{number} -?? b\n")).collect::<String>();
    let all = (0..12).map(|number| format!("r{number}")).collect::<Vec<_>>().join(", ");
    let calls = ["f", "g", "h"].map(|name| format!("{name}({all})")).join(" | ");
    let (many_calls, one_of_many) = (format!("{}$b: {calls}", regulators(12)), regulators(13));
    for (text, words) in [
        ("a -> b\n$b: !a", "x:2:4: the effect of `a` on `b` has another sign than line 1 says"),
        ("a -> b\nc -? b\n$b: a", "x:3:4: `c` has no effect on `b`, against line 2"),
        ("a -> b\n$b: a & c\nc -> d", "`c` does not regulate `b`: add a line `c -?? b`"),
        (
            "a -> b\nc -> b\n$b: f(a)",
            "whatever the unknown functions are, the effect of `c` on `b` is not that of line 2",
        ),
        ("a -> b\n$b: fa", "x:2:4: whatever the unknown functions are, the effect of `a` on `b` is not that of line 1"),
        ("a -> b\na -| c\n$b: f(a)\n$c: f(a)", "no functions agree with all regulations"),
        ("a -> b\nc -> b\n$b: f(a) & f(a, c)", "x:3:12: the function `f` has 1 arguments before, and 2 here"),
        (&many_calls, "x:13:4: the function is too large, with its unknown functions"),
        (&one_of_many, "x:1:1: an unknown function of 13 arguments has too many values"),
        ("a -> b\n$b: a(a)", "`a` is a variable, and no unknown function"),
        ("a -> b\n$b: f(a", "x:2:5: this bracket is not closed"),
        ("a -> b\n$b: f()", "a name, a constant or an opening bracket is missing"),
        ("a -> b\n$b: (a, a)", "`,` is no operator"),
        ("a -> b\n$b: f((a, a))", "a comma stands between the arguments"),
        ("a -> b\na -| b\n$b: a", "x:2:1: line 1 has a regulation"),
        ("a -> b\n$b: a\n$b: a", "x:3:1: `b` has a function already"),
        ("a.b -> c", "`a.b` is no name"),
        ("1 -?? b\n$b: 1", "x:1:1: `1` is a constant"),
        ("a -> b\n$b:\u{3000}\u{3000}\u{3000}\u{3000}", "x:2:"),
        ("a b", "neither a regulation"),
        ("", "no variable"),
    ] {
        let error = read(text, Form::Aeon).unwrap_err().to_string();
        assert!(error.contains(words), "{text:?}: {error}");
    }
    let sbml = |species: &str, term: &str| {
        format!(
            "<sbml xmlns:q='q'><model><q:listOfQualitativeSpecies>{species}</q:listOfQualitativeSpecies>\
             <q:listOfTransitions><q:transition q:id='t'><q:listOfInputs><q:input q:id='th' q:qualitativeSpecies='a' \
             q:transitionEffect='none' q:thresholdLevel='2'/></q:listOfInputs><q:listOfOutputs><q:output \
             q:qualitativeSpecies='b' q:transitionEffect='assignmentLevel'/></q:listOfOutputs><q:listOfFunctionTerms>\
             <q:defaultTerm q:resultLevel='0'/><q:functionTerm q:resultLevel='1'><math>{term}</math></q:functionTerm>\
             </q:listOfFunctionTerms></q:transition></q:listOfTransitions></model></sbml>"
        )
    };
    let species = "<q:qualitativeSpecies q:id='a' q:maxLevel='2'/><q:qualitativeSpecies q:id='b' q:maxLevel='1'/>";
    let a = |operator: &str| format!("<apply><{operator}/><ci>a</ci><cn type='integer'> 1 </cn></apply>");
    // How many of the levels 0, 1 and 2 satisfy the comparison with 1: with each, b is wrong once.
    for (term, fixed) in [
        (a("geq"), "3"),
        (format!("<apply><not/>{}</apply>", a("leq")), "3"),
        (format!("<apply><or/>{}{}</apply>", a("lt"), a("eq")), "3"),
        ("<apply><geq/><ci>a</ci><ci>th</ci></apply>".to_owned(), "3"),
        (format!("<apply><xor/>{}<false/></apply>", a("neq")), "3"),
        (format!("<apply><implies/>{}{}</apply>", a("gt"), a("gt")), "3"),
    ] {
        assert_eq!(steps(&sbml(species, &term), Form::Sbml), ("3".to_owned(), fixed.to_owned()), "{term}");
    }
    for (species, term, words) in [
        ("<q:qualitativeSpecies q:id='b'/>", a("eq"), "no maxLevel"),
        ("<q:qualitativeSpecies q:id='b' q:maxLevel='1'/>", a("eq"), "no species `a`"),
        (species, "<apply><plus/><ci>a</ci><cn>1</cn></apply>".to_owned(), "`plus` does not go with"),
        (species, "<ci>a</ci>".to_owned(), "one condition"),
        (species, "<piecewise/>".to_owned(), "`<piecewise>` is not read"),
        (species, "<apply><eq/><ci>a</ci><cn>1.5</cn></apply>".to_owned(), "`1.5` is no integer"),
        ("", a("eq"), "no qualitativeSpecies"),
    ] {
        let error = read(&sbml(species, &term), Form::Sbml).unwrap_err().to_string();
        assert!(error.contains(words), "{species} {term}: {error}");
    }
    let ginml = |nodes: &str| format!("<gxl><graph class='regulatory'>{nodes}</graph></gxl>");
    let nodes = "<node id='a' maxvalue='2' input='true'/><node id='b' maxvalue='1'><value val='1'><exp str='FORMULA'/>\
                 </value></node><edge id='a:b' from='a' to='b' effects='1:positive 2:negative'/>";
    for (function, same) in [("a", "geq 1"), ("a:1", "eq 1"), ("a:2", "geq 2"), ("!a:2 & (a | !a)", "leq 1")] {
        let (operator, level) = same.split_once(' ').unwrap();
        let term = format!("<apply><{operator}/><ci>a</ci><cn>{level}</cn></apply>");
        let successors = |text: &str, form| {
            let model = PinsModel::new("x", read(text, form).unwrap().network).unwrap();
            let (space, _) = found(&model);
            let mut still: Vec<Vec<u64>> = space
                .deadlocks(&Budget::unlimited())
                .unwrap()
                .members()
                .map(|tuple| space.relation.values_of(&tuple))
                .collect();
            still.sort();
            still
        };
        let text = ginml(&nodes.replace("FORMULA", &function.replace('&', "&amp;")));
        assert_eq!(successors(&text, Form::Ginml), successors(&sbml(species, &term), Form::Sbml), "{function}");
    }
    for (text, words) in [
        (nodes.replace("FORMULA", "c"), "no edge leads from `c` to `b`"),
        (nodes.replace("FORMULA", "a:3"), "no edge from `a` to `b` begins at level 3"),
        (nodes.replace("FORMULA", "a |"), "in `a |`"),
        (nodes.replace("from='a'", "from='c'"), "no node `c`"),
        (nodes.replace("val='1'", "val='2'").replace("FORMULA", "a"), "its maxvalue is 1"),
        (String::new(), "no node here"),
    ] {
        let error = read(&ginml(&text), Form::Ginml).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

/// The figures of a model's attractors: how many, by shape, and their sizes.
fn figures(text: &str, extension: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("model.{extension}"));
    std::fs::write(&path, text).unwrap();
    let (out, err, status) = run(starset().arg("attractors").arg(&path).arg("--json"));
    assert_eq!(status, 0, "{err}");
    let found: Value = serde_json::from_str(&out).unwrap();
    ["attractors", "fixed_points", "cycles", "complex", "sizes"].map(|name| found[name].clone()).to_vec()
}

/// Of models whose steps need not be deterministic: a step that leads back is no fixed point if others lead away, and one
/// state that only leads back is one.
#[test]
fn attractors_of_other_models() {
    let sizes = |all: &[(u32, u32)]| -> Value {
        all.iter()
            .map(|(size, number)| serde_json::json!({"size": size.to_string(), "number": number.to_string()}))
            .collect()
    };
    let shapes = |fixed: u32, cycles: u32, complex: u32, all: &[(u32, u32)]| -> Vec<Value> {
        let counts = [fixed + cycles + complex, fixed, cycles, complex];
        counts.into_iter().map(|count| Value::from(count.to_string())).chain([sizes(all)]).collect()
    };
    assert_eq!(figures("tr t0 p0 -> p1\ntr t1 p1 -> p1\npl p0 (1)\n", "net"), shapes(1, 0, 0, &[(1, 1)]));
    let program = "MODULE main VAR x : 0..3; TRANS case x = 0 : next(x) in {0, 1}; x = 1 : next(x) = 1;
                   x = 2 : next(x) = 3; TRUE : next(x) = 2; esac;";
    assert_eq!(figures(program, "smv"), shapes(1, 1, 0, &[(1, 1), (2, 1)]));
    let program =
        "MODULE main VAR a : boolean; b : boolean; ASSIGN next(a) := {TRUE, FALSE}; next(b) := {TRUE, FALSE};";
    assert_eq!(figures(program, "smv"), shapes(0, 0, 1, &[(4, 1)]));
    // Steps of many variables, which are no event.
    let program = |choice: &str| {
        let mut rng = Rng::new(3);
        let mut text = format!("MODULE main VAR z : boolean; ASSIGN init(z) := FALSE; next(z) := {choice};\n");
        for variable in 0..14 {
            let [a, b, c, d] = [(); 4].map(|()| rng.below(14));
            text +=
                &format!("VAR x{variable} : boolean; ASSIGN next(x{variable}) := (x{a} & x{b}) xor (x{c} & x{d});\n");
        }
        text
    };
    let found = figures(&program("z ? TRUE : {FALSE, TRUE}"), "smv");
    assert_eq!(found, figures(&program("TRUE"), "smv"));
    assert!(found[0] != "1", "{found:?}");
}

/// The settings of inputs for which a formula holds everywhere are a set; and a page has tables and pictures.
#[test]
fn settings_are_saved_and_attractors_make_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let switch = concat!(env!("CARGO_MANIFEST_DIR"), "/models/switch.bnet");
    let file = folder.path().join("settings.set");
    let asked = ["satset", switch, "-f", "AG EF #left = 0", "--save-settings"];
    let (out, err, status) = run(starset().args(asked).arg(&file));
    assert!(status == 0 && out.contains("all states for 1, some for 2 of 2 settings"), "{out}{err}");
    let (out, ..) =
        run(starset().args(["satset", switch, "--set", &format!("s={}", file.display()), "-f", "%s <-> #signal = 0"]));
    assert!(out.starts_with("1: true"), "{out}");
    let philo = concat!(env!("CARGO_MANIFEST_DIR"), "/models/philo-5.pnml");
    let (_, err, status) = run(starset().args(["satset", philo, "-f", "deadlock", "--save-settings"]).arg(&file));
    assert!(status == 2 && err.contains("no inputs that keep their values"), "{err}");
    let page = folder.path().join("page.html");
    let (_, err, status) = run(starset().args(["attractors", switch, "--basins", "--report"]).arg(&page));
    let text = std::fs::read_to_string(page).unwrap();
    assert_eq!(status, 0, "{err}");
    for part in [
        "<th>left</th><td class=\"number\">0</td><td class=\"number\">0</td><td class=\"number\">1</td>",
        "<td class=\"number unknown\">0 1</td>",
        "<td>3</td><td>cycle</td><td class=\"number\">2</td>",
        "What influences what",
        "Values in the order left, right, gate, signal.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Two fixed points, and two states of a cycle.
    assert_eq!((text.matches("<g class=\"green\">").count(), text.matches("<g class=\"orange\">").count()), (2, 2));
}

/// A variable that is fixed is as one with a constant for its function, in the states where it has this value.
#[test]
fn variables_are_fixed() {
    let mut smaller = 0;
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let text = Network::random_of(4, &mut rng).to_string();
        let (variable, level) = (rng.below(4), rng.below(2) as u32);
        let fixed = [(format!("v{variable}"), level)];
        let network = Logical::read_fixed("x.bnet", &text, Form::Bnet, Update::Asynchronous, &fixed).unwrap().network;
        let found = members(&PinsModel::new("x", network).unwrap());
        let line = |line: &str| match line.starts_with(&format!("v{variable},")) {
            true => format!("v{variable}, {level}\n"),
            false => format!("{line}\n"),
        };
        let constant: String = text.lines().map(line).collect();
        assert_eq!(
            found,
            members(&PinsModel::new("x", self::network("x.bnet", &constant)).unwrap()),
            "seed {seed}: {text}"
        );
        smaller += usize::from(found != members(&PinsModel::new("x", self::network("x.bnet", &text)).unwrap()));
    }
    assert!(smaller > 30, "{smaller}");
    let switch = concat!(env!("CARGO_MANIFEST_DIR"), "/models/switch.bnet");
    let (out, ..) = run(starset().args(["attractors", switch, "--fix", "signal=1", "--fix", "left=0"]));
    assert!(out.contains("  states                 4\n") && out.contains("fixed points         1\n"), "{out}");
    for (arguments, words) in [
        ([switch, "--fix", "signa=1"], "there is no variable `signa` that could be fixed"),
        ([switch, "--fix", "signal=2"], "`signal` has levels up to 1"),
        ([concat!(env!("CARGO_MANIFEST_DIR"), "/models/philo-5.pnml"), "--fix", "a=1"], "logical networks"),
    ] {
        let (_, err, status) = run(starset().arg("attractors").args(arguments));
        assert!(status == 2 && err.contains(words), "{err}");
    }
    assert_eq!(run(starset().args(["attractors", switch, "--fix", "signal"])).2, 2);
}

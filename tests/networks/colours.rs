//! Unknown functions: all functions that fit, one by one, and the colours of AEON.

use super::graph::{Function, Graph, Network};
use super::{found, read_file, update};
use crate::cli::{run, starset};
use crate::shared::{shared, table};
use num_bigint::BigUint;
use serde_json::Value;
use starset::Model;
use starset::budget::Budget;
use starset::decide::{Settings, explore};
use starset::kinds::Kind;
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::logical::{Form, Logical, Update};
use starset::mdd::{Mdd, with_deep_stack};
use starset::rng::Rng;
use starset::symbolic::without;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How many combinations of values some variables have in a set.
fn projected(model: &dyn Kind, set: &Mdd, order: &[usize], kept: impl Fn(&str) -> bool) -> BigUint {
    let left: Vec<bool> =
        order.iter().map(|&variable| !kept(model.variable(starset::model::VariableId(variable as u32)))).collect();
    let budget = Budget::unlimited();
    with_deep_stack(model.variables(), || without(set, &left, &budget).unwrap().count(&budget).unwrap())
}

#[test]
fn colours_are_those_of_aeon() {
    let Some(folder) = shared("bnet") else { return };
    let mut compared = 0;
    for row in table(&folder.join("colours.csv")) {
        let number = |name: &str| row[name].parse::<BigUint>().ok();
        let Some(colours) = number("colours") else { continue };
        let model = read_file(folder.join(format!("models/{}.aeon", row["model"])), Update::Asynchronous);
        let moving: Vec<&str> = model.action_ids().map(|action| model.action(action)).collect();
        let budget = Budget::unlimited();
        let about = &row["model"];
        let Some(fixed) = number("fixed_pairs") else {
            let space = with_deep_stack(model.variables(), || {
                explore(&*model, &Settings::default(), true, &budget, &|_| {}).unwrap()
            });
            assert_eq!(space.states(&budget).unwrap(), colours << moving.len(), "{about}");
            continue;
        };
        let (space, found) = found(&*model);
        assert_eq!(found.settings, colours, "{about}");
        assert_eq!(found.fixed.count(&budget).unwrap(), fixed, "{about}");
        let order = space.relation.variables_by_level();
        let settings = projected(&*model, &found.fixed, &order, |name| !moving.contains(&name));
        assert_eq!(Some(settings), number("fixed_colours"), "{about}");
        let vertices = projected(&*model, &found.fixed, &order, |name| !name.contains('('));
        assert_eq!(Some(vertices), number("fixed_vertices"), "{about}");
        if let (Some(attractors), Some(pairs)) = (number("attractors_over_colours"), number("attractor_pairs")) {
            assert_eq!((found.count(), found.states()), (attractors, pairs), "{about}");
        }
        compared += 1;
    }
    assert!(compared >= 4, "{compared}");
}

/// A variable of a network with unknown functions.
#[derive(Clone)]
struct Unknown {
    /// Its regulators, each with its sign, if that is said, and whether it has an effect for sure.
    regulators: Vec<(usize, Option<bool>, bool)>,
    /// Its function is `f` of these regulators, by place, if that is said.
    shared: Option<[usize; 2]>,
}

impl Unknown {
    fn random(rng: &mut Rng, variables: usize) -> Unknown {
        let mut regulators = Vec::new();
        for from in 0..variables {
            if regulators.len() < 2 && rng.below(2) == 0 {
                let sign = [Some(true), Some(false), None][rng.below(3)];
                regulators.push((from, sign, rng.below(2) == 0));
            }
        }
        let shared = (!regulators.is_empty() && rng.one_in(3)).then(|| [(); 2].map(|()| rng.below(regulators.len())));
        Unknown { regulators, shared }
    }

    /// Does a table do what the regulations say?
    fn admits(&self, table: &dyn Fn(usize) -> bool) -> bool {
        self.regulators.iter().enumerate().all(|(at, &(_, sign, essential))| {
            let low: Vec<usize> = (0..1 << self.regulators.len()).filter(|row| row >> at & 1 == 0).collect();
            let rises = low.iter().any(|&row| !table(row) && table(row | 1 << at));
            let falls = low.iter().any(|&row| table(row) && !table(row | 1 << at));
            let right = match sign {
                Some(true) => !falls,
                Some(false) => !rises,
                None => true,
            };
            right && (!essential || rises || falls)
        })
    }
}

fn text(variables: &[Unknown]) -> String {
    let mut text = String::new();
    for (to, Unknown { regulators, shared }) in variables.iter().enumerate() {
        for &(from, sign, essential) in regulators {
            let sign = sign.map_or('?', |activates| if activates { '>' } else { '|' });
            writeln!(text, "v{from} -{sign}{} v{to}", if essential { "" } else { "?" }).unwrap();
        }
        if let Some([a, b]) = shared {
            writeln!(text, "$v{to}: f(v{}, v{})", regulators[*a].0, regulators[*b].0).unwrap();
        }
        if regulators.is_empty() {
            // Named, so that it is there.
            writeln!(text, "$v{to}: v{to} | !v{to}\nv{to} -?? v{to}").unwrap();
        }
    }
    text
}

/// The networks that are meant, one by one.
fn all_networks(variables: &[Unknown]) -> Vec<Network> {
    let own = |one: &Unknown| if one.shared.is_some() { 0 } else { 1 << one.regulators.len() };
    let mut first = Vec::new();
    let mut rows = if variables.iter().any(|one| one.shared.is_some()) { 4 } else { 0 };
    for one in variables {
        first.push(rows);
        if !one.regulators.is_empty() {
            rows += own(one);
        }
    }
    let mut networks = Vec::new();
    'settings: for setting in 0..1u32 << rows {
        let mut functions = Vec::new();
        for (one, first) in variables.iter().zip(&first) {
            let regulators: Vec<usize> = one.regulators.iter().map(|regulator| regulator.0).collect();
            let holds = |row: usize| match one.shared {
                Some([a, b]) => setting >> ((row >> a & 1) | (row >> b & 1) << 1) & 1 == 1,
                None => setting >> (first + row) & 1 == 1,
            };
            if regulators.is_empty() {
                functions.push(Some(Function::of_table(&[], |_| true)));
                continue;
            }
            if !one.admits(&holds) {
                continue 'settings;
            }
            functions.push(Some(Function::of_table(&regulators, holds)));
        }
        networks.push(Network::of(functions));
    }
    networks
}

#[test]
fn unknown_functions_are_all_that_fit() {
    let folder = tempfile::tempdir().unwrap();
    let (mut none, mut several, mut asked) = (0, 0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let count = 1 + rng.below(3);
        let variables: Vec<Unknown> = (0..count).map(|_| Unknown::random(&mut rng, count)).collect();
        let (text, networks) = (text(&variables), all_networks(&variables));
        let way = update(if seed % 2 == 0 { "async" } else { "sync" });
        let about = format!("seed {seed}, {way:?}:\n{text}");
        let Ok(named) = Logical::read("random.aeon", &text, Form::Aeon, way) else {
            assert!(networks.is_empty(), "{about}");
            none += 1;
            continue;
        };
        let model = PinsModel::new("random", named.network).unwrap();
        let (_, found) = found(&model);
        assert_eq!(found.settings, networks.len().into(), "{about}");
        let mut sizes: BTreeMap<BigUint, BigUint> = BTreeMap::new();
        for network in &networks {
            for one in Graph::new(network, way).attractors() {
                *sizes.entry(one.len().into()).or_default() += 1u32;
            }
        }
        assert_eq!(found.sizes, sizes, "{about}");
        several += usize::from(networks.len() > 1);
        if seed % 20 != 0 || networks.len() > 40 {
            continue;
        }
        // For which of them a formula holds.
        let formula = "AG EF v0 = 1";
        let sizes = networks.iter().map(|network| {
            let logical = Logical::read("one.bnet", &network.to_string(), Form::Bnet, way).unwrap().network;
            let model = Model::new(PinsModel::new("one", logical).unwrap());
            (model.satset(formula).unwrap().len().unwrap(), model.states().unwrap())
        });
        let sizes: Vec<(BigUint, BigUint)> = sizes.collect();
        let path = folder.path().join("random.aeon");
        std::fs::write(&path, &text).unwrap();
        let way = if way == Update::Synchronous { "synchronous" } else { "asynchronous" };
        let mut command = starset();
        command.arg("satset").arg(&path).args(["--update", way, "--json", "-f", formula]);
        let (out, err, status) = run(&mut command);
        assert_eq!(status, 0, "{about}{err}");
        let answer: Value = serde_json::from_str(&out).unwrap();
        let total: BigUint = sizes.iter().map(|(set, _)| set).sum();
        assert_eq!(answer["satisfying"], total.to_string(), "{about}");
        let counted = |which: &dyn Fn(&(BigUint, BigUint)) -> bool| sizes.iter().filter(|one| which(one)).count();
        let [all, some] = [counted(&|(set, states)| set == states), counted(&|(set, _)| *set > BigUint::ZERO)];
        let settings = &answer["settings"];
        if variables.iter().any(|one| !one.regulators.is_empty()) {
            assert_eq!(
                (settings["all"].as_str(), settings["some"].as_str()),
                (Some(&*all.to_string()), Some(&*some.to_string())),
                "{about}"
            );
            asked += 1;
        }
    }
    assert!(none > 20 && several > 150 && asked > 5, "{none}, {several}, {asked}");
}

#[test]
fn regulations_say_how_many_functions_fit() {
    for (text, settings) in [
        ("a -> b\nb -> a", 1u32),
        ("a -? b\nb -> a", 2),
        ("a ->? b\nb -> a", 3),
        ("a -?? b\nb -> a", 4),
        ("a -> b\nc -| b\nb -> a\nb -> c", 2),
        ("a -> b\nb -> a\n$b: f(a) | g(a)", 3),
        ("a -> b\nb -> a\n$b: p & a", 1),
        ("a -?? b\nb -> a\n$b: p & a", 2),
        ("a -?? b\nc -?? b\nb -> a\nb -> c\n$b: f(a & c)", 4),
    ] {
        let network = Logical::read("x", text, Form::Aeon, Update::Asynchronous).unwrap().network;
        let (_, found) = found(&PinsModel::new("x", network).unwrap());
        assert_eq!(found.settings, settings.into(), "{text}");
    }
}

//! The same system in several forms of files.

use super::actions::logic;
use super::reference::networks;
use super::{network, rers, size_of};
use proptest::prelude::*;
use starset::budget::Budget;
use starset::formula::{Naming, PathSemantics, Pool, Symbols, parse};
use starset::kinds::Kind;
use starset::kinds::net::pnml;
use starset::kinds::network::{
    Network, graph_of_net, graph_of_network, of_net, read_aut, read_dot, read_pml, to_net, write_aut, write_dot,
};
use starset::mdd::MddManager;
use starset::net::{PetriNet, PlaceId};
use starset::random::{FormulaShape, Rng, formula_over_steps};
use starset::relation::Relation;
use starset::symbolic::{Checker, Search, reachable_set};
use std::path::Path;

/// An initial state, and edges between named states.
type Shape = (String, Vec<(String, String, String)>);

/// Components, without their names; places have a letter before the number of the state.
fn shape(network: &Network) -> Vec<Shape> {
    let state = |name: &String| name.trim_start_matches('p').to_owned();
    let component = |component: &starset::kinds::network::Component| {
        let name = |index: u32| state(&component.states[index as usize]);
        let edge = |(source, label, target): &(u32, String, u32)| (name(*source), label.clone(), name(*target));
        let mut edges: Vec<_> = component.edges.iter().map(edge).collect();
        edges.sort();
        (name(component.initial), edges)
    };
    network.components().iter().map(component).collect()
}

fn read_net(path: &Path) -> PetriNet {
    pnml::read_path(path).unwrap()
}

/// Every problem that is there in several forms is the same system in each, with the counts of the table.
#[test]
fn problems_in_several_forms() {
    let Some(folder) = rers() else { return };
    let table = std::fs::read_to_string(folder.join("statespace.csv")).unwrap();
    let (mut promela, mut nets) = (0, 0);
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (set, problem) = (fields[0], fields[1]);
        let file = |extension: &str| folder.join(set).join(format!("problem{problem}.{extension}"));
        let dot = network(&file("dot"));
        if let Ok(text) = std::fs::read_to_string(file("pml")) {
            let recovered = read_pml(&text, &format!("problem{problem}.pml")).unwrap();
            assert_eq!(shape(&recovered), shape(&dot), "{line}");
            promela += 1;
        }
        let pnml = folder.join(format!("generated-pnml/{set}-problem{problem}.pnml"));
        if !pnml.exists() {
            continue;
        }
        nets += 1;
        let net = read_net(&pnml);
        assert_eq!(net.transition_count().to_string(), fields[8], "{line}");
        let recovered = of_net(&net, Naming::Either).unwrap();
        assert_eq!(shape(&recovered), shape(&dot), "{line}");
        let counts = size_of(|order| recovered.relation(order).unwrap(), &recovered.skeleton());
        assert_eq!(counts, fields[9..12], "{line}");
        // As a net, with the marking before the start and the step from it.
        let counts = size_of(|order| net.relation(order).unwrap(), &net);
        let one_more = |n: &str| (n.parse::<u128>().unwrap() + 1).to_string();
        assert_eq!(counts, [one_more(fields[9]), one_more(fields[10]), fields[11].to_owned()], "{line}");
    }
    assert_eq!((promela, nets), (8, 11));
}

/// The hand-made systems, with nondeterminism and self-loops among them.
#[test]
fn handmade_systems_in_both_forms() {
    let Some(folder) = rers() else { return };
    for name in ["tiny1", "tiny2", "tiny3", "tiny4"] {
        let dot = network(&folder.join(format!("handmade/{name}.dot")));
        let net = read_net(&folder.join(format!("handmade/{name}.pnml")));
        assert_eq!(shape(&of_net(&net, Naming::Either).unwrap()), shape(&dot), "{name}");
    }
}

/// A model in some form: its relation and its labels.
struct Form {
    relation: Relation,
    symbols: Symbols,
}

impl Form {
    fn of_network(network: &Network) -> Form {
        let order: Vec<PlaceId> = network.skeleton().place_ids().collect();
        let symbols = Symbols::of_labels(network.label_ids().map(|label| network.label(label)));
        Form { relation: network.relation(&order).unwrap(), symbols }
    }

    fn of_net(net: &PetriNet) -> Form {
        let order: Vec<PlaceId> = net.place_ids().collect();
        let symbols = Symbols::new(net).with_labels(Naming::Name);
        Form { relation: net.relation(&order).unwrap(), symbols }
    }

    /// The number of states and of those that satisfy each formula, under each path semantics; nothing of a formula
    /// with a label that this form does not have.
    fn answers(&self, formulas: &[String]) -> (String, Vec<Option<String>>) {
        let budget = Budget::unlimited();
        let space = MddManager::new(self.relation.levels(), &budget).unwrap();
        let states = reachable_set(&self.relation, &space, Search::Saturation, &budget, &mut |_| {}).unwrap();
        let count = |set: &starset::mdd::Mdd| set.count(&budget).unwrap().to_string();
        let mut found = Vec::new();
        for text in formulas {
            for paths in PathSemantics::ALL {
                let mut pool = Pool::new();
                let mut checker = Checker::new(&self.relation, states.clone(), paths).unwrap();
                let formula = parse(text, &self.symbols, &mut pool).ok();
                found.push(formula.map(|formula| count(&checker.sat(&pool, formula, &budget).unwrap())));
            }
        }
        (count(&states), found)
    }
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut text = Vec::new();
    write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// A network that is written and read again is the same, and so is what it answers.
    #[test]
    fn round_trips(network in networks(), seed: u64) {
        let sorted = |network: &Network| shape(network);
        let dot = read_dot(&text(|out| write_dot(&network, out)), "random.dot").unwrap();
        // States are called by component where names repeat.
        let mut named = network.components().to_vec();
        let repeated = named.len() > 1;
        named.iter_mut().filter(|_| repeated).for_each(|component| {
            let name = component.name.clone();
            component.states.iter_mut().for_each(|state| *state = format!("{name}.{state}"));
        });
        let named = Network::new("random", named).unwrap();
        let net = pnml::read(text(|out| pnml::write(&to_net(&network).unwrap(), out)).as_bytes(), "random.pnml").unwrap();
        let again = of_net(&net, Naming::Either).unwrap();
        // An edge that is given twice counts once.
        let once = |mut shapes: Vec<Shape>| {
            shapes.iter_mut().for_each(|shape| shape.1.dedup());
            shapes
        };
        prop_assert_eq!(once(sorted(&again)), once(sorted(&network)));
        prop_assert_eq!(once(sorted(&dot)), once(sorted(&named)));

        let mut rng = Rng::new(seed);
        let symbols = Symbols::of_labels(network.label_ids().map(|label| network.label(label)));
        let formulas: Vec<String> = (0..3).map(|number| {
            let mut pool = Pool::new();
            let shape = FormulaShape { logic: logic(number), size: 3 };
            let formula = formula_over_steps(&mut rng, &network.skeleton(), &shape, true, &mut pool);
            pool.display(formula, &symbols).to_string()
        }).collect();
        let expected = Form::of_network(&network).answers(&formulas);
        prop_assert!(expected.1.iter().all(Option::is_some));
        for form in [Form::of_network(&dot), Form::of_network(&again), Form::of_net(&net)] {
            prop_assert_eq!(&form.answers(&formulas), &expected);
        }
        let budget = Budget::unlimited();
        for graph in [
            graph_of_network(&network, 256, &budget).unwrap(),
            graph_of_net(&net, Naming::Name, 256, &budget).unwrap(),
        ] {
            let graph = read_aut(&[(&text(|out| write_aut(&graph, out)), "random.aut")]).unwrap();
            let (states, found) = Form::of_network(&graph).answers(&formulas);
            prop_assert_eq!(&states, &expected.0);
            // A label that is never taken is not in the graph.
            for (found, expected) in found.iter().zip(&expected.1).filter(|(found, _)| found.is_some()) {
                prop_assert_eq!(found, expected);
            }
        }
    }
}

#[test]
fn graphs_have_a_limit() {
    let network = read_aut(&[("des (0, 2, 3)\n(0, a, 1)\n(1, a, 2)\n", "three.aut")]).unwrap();
    let budget = Budget::unlimited();
    assert_eq!(graph_of_network(&network, 3, &budget).unwrap().states, ["0", "1", "2"]);
    assert!(graph_of_network(&network, 2, &budget).unwrap_err().to_string().contains("more than 2 reachable states"));
}

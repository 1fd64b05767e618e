//! The same system in several forms of files.

use super::{network, rers, size_of};
use starset::formula::Naming;
use starset::lts::{Network, of_net, read_pml};
use starset::net::PetriNet;
use starset::pnml;
use starset::relation::Relation;
use std::path::Path;

/// An initial state, and edges between named states.
type Shape = (String, Vec<(String, String, String)>);

/// Components, without their names; places have a letter before the number of the state.
fn shape(network: &Network) -> Vec<Shape> {
    let state = |name: &String| name.trim_start_matches('p').to_owned();
    let component = |component: &starset::lts::Component| {
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
        let counts = size_of(|order| Relation::of_network(&recovered, order).unwrap(), &recovered.skeleton());
        assert_eq!(counts, fields[9..12], "{line}");
        // As a net, with the marking before the start and the step from it.
        let counts = size_of(|order| Relation::of_net(&net, order).unwrap(), &net);
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

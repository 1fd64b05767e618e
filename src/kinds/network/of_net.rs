//! The network that a net with units is.
//!
//! **Problem.** Networks are also exchanged as Petri nets: one unit (NUPN) per component, one place per state, one
//! transition per label and combination of local edges. As nets they have a variable per place and an event
//! per combination; as networks, a variable per component and an event per label.
//!
//! **Idea.** Read the components off the units and each transition as one edge in each unit that it touches. That is
//! the same system if every transition takes one token from a place of each unit it touches and puts one into a
//! place of each of these units, every unit has one token at first, and the transitions of a label are *all*
//! combinations of the edges with that label, in the same units. All of this is checked; then the markings are
//! the states of the network, and units are safe whatever the file claims. Transitions with the same label and the
//! same arcs are one step.
//!
//! In the files of the RERS challenge one transition without label starts all components at once: it takes a
//! token from a place of every unit that nothing else touches. The network starts after it.

use super::{Component, Network, NetworkError};
use crate::formula::Naming;
use crate::net::{Arc, PetriNet, Transition};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Why a net is not read as a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotANetwork {
    /// There is no unit structure.
    #[error("the net has no units (NUPN), so that its components are not known; use the net as it is")]
    NoUnits,
    /// A unit inside another one that has places.
    #[error("unit {0} has both places and units in it; only units side by side are components")]
    NestedUnits(String),
    /// A place without a unit, or in two.
    #[error("place {0} is not in exactly one unit")]
    Place(String),
    /// A unit without a token, or with several.
    #[error("unit {0} does not have exactly one token at first")]
    Start(String),
    /// A transition that does not move one token within each unit.
    #[error("transition {0} does not move exactly one token within each unit that it touches")]
    Transition(String),
    /// The transitions of a label are not the product of edges.
    #[error(
        "the transitions labelled {0:?} are not all combinations of steps of the units; with --labels id each \
         transition has a label of its own"
    )]
    NotAProduct(String),
    /// The components make no network.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// Edges of one label by unit, and the combinations of them that are transitions.
#[derive(Default)]
struct Synchronisation {
    units: Vec<usize>,
    edges: Vec<FxHashSet<(u32, u32)>>,
    combinations: FxHashSet<Vec<(u32, u32)>>,
}

/// Read the components off the units of a net. `labels` says what the label of a transition is: its display name,
/// its identifier, or its display name and, if it has none, the `label` in an identifier `t_<number>_label`.
///
/// # Errors
/// [`NotANetwork`] if the net is not the net of a network.
pub fn of_net(net: &PetriNet, labels: Naming) -> Result<Network, NotANetwork> {
    let units = Units::of(net)?;
    let mut starts: Vec<Option<u32>> = vec![None; units.names.len()];
    for place in net.place_ids().filter(|&place| net.place(place).initial > 0) {
        let (unit, state) = units.position[place.index()];
        if net.place(place).initial > 1 || starts[unit].replace(state).is_some() {
            return Err(NotANetwork::Start(units.names[unit].clone()));
        }
    }
    let start =
        |(unit, start): (usize, Option<u32>)| start.ok_or_else(|| NotANetwork::Start(units.names[unit].clone()));
    let mut starts: Vec<u32> = starts.into_iter().enumerate().map(start).collect::<Result<_, _>>()?;
    let mut by_label: BTreeMap<&str, Synchronisation> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for transition in net.transitions() {
        let edges = units.edges(transition)?;
        let label = label(transition, labels);
        let synchronisation = by_label.entry(label).or_insert_with(|| {
            order.push(label);
            Synchronisation {
                units: edges.iter().map(|edge| edge.0).collect(),
                edges: vec![FxHashSet::default(); edges.len()],
                combinations: FxHashSet::default(),
            }
        });
        if !edges.iter().map(|edge| &edge.0).eq(&synchronisation.units) {
            return Err(NotANetwork::NotAProduct(label.to_owned()));
        }
        for (known, edge) in synchronisation.edges.iter_mut().zip(&edges) {
            known.insert(edge.1);
        }
        synchronisation.combinations.insert(edges.into_iter().map(|edge| edge.1).collect());
    }
    for (label, synchronisation) in &by_label {
        let all = synchronisation.edges.iter().try_fold(1usize, |all, edges| all.checked_mul(edges.len()));
        if all != Some(synchronisation.combinations.len()) {
            return Err(NotANetwork::NotAProduct((*label).to_owned()));
        }
    }
    // The states before the start, if there is a transition that only starts all components.
    let mut roots = None;
    if let Some(start) = by_label.get("").filter(|start| start.combinations.len() == 1) {
        let edges: Vec<(u32, u32)> = start.edges.iter().flatten().copied().collect();
        let leaves_for_good = |(unit, &(root, first)): (usize, &(u32, u32))| {
            let mut others = by_label.iter().filter(|(label, _)| !label.is_empty()).map(|(_, other)| other);
            let touches = |other: &Synchronisation| {
                let mut pairs = other.units.iter().zip(&other.edges).filter(|(u, _)| **u == unit);
                pairs.any(|(_, edges)| edges.iter().any(|edge| edge.0 == root || edge.1 == root))
            };
            root == starts[unit] && root != first && !others.any(touches)
        };
        if edges.len() == starts.len() && edges.iter().enumerate().all(leaves_for_good) {
            starts = edges.iter().map(|edge| edge.1).collect();
            roots = Some(edges.into_iter().map(|edge| edge.0).collect::<Vec<_>>());
        }
    }
    let mut components: Vec<Component> = Vec::new();
    for (unit, (name, states)) in units.names.into_iter().zip(units.states).enumerate() {
        components.push(Component { name, states, initial: starts[unit], edges: Vec::new() });
    }
    for label in order.into_iter().filter(|label| roots.is_none() || !label.is_empty()) {
        let Some(synchronisation) = by_label.remove(label) else { continue };
        for (unit, edges) in synchronisation.units.into_iter().zip(synchronisation.edges) {
            let mut edges: Vec<(u32, u32)> = edges.into_iter().collect();
            edges.sort_unstable();
            let edges = edges.into_iter().map(|(source, target)| (source, label.to_owned(), target));
            components[unit].edges.extend(edges);
        }
    }
    for (component, root) in components.iter_mut().zip(roots.into_iter().flatten()) {
        let before = |state: u32| state - u32::from(state > root);
        component.states.remove(root as usize);
        component.initial = before(component.initial);
        for edge in &mut component.edges {
            (edge.0, edge.2) = (before(edge.0), before(edge.2));
        }
    }
    Ok(Network::new(net.name(), components)?)
}

/// The label of a transition.
fn label(transition: &Transition, labels: Naming) -> &str {
    let id = transition.id.as_str();
    let inside = || {
        let (number, label) = id.strip_prefix("t_")?.split_once('_')?;
        number.bytes().all(|c| c.is_ascii_digit()).then_some(label)
    };
    match (labels, &transition.name) {
        (Naming::Name | Naming::Either, Some(name)) => name,
        (Naming::Either, None) => inside().unwrap_or(id),
        (Naming::Name, None) | (Naming::Id, _) => id,
    }
}

/// An edge in the unit with this number.
type UnitEdge = (usize, (u32, u32));

/// The units that own places, side by side.
struct Units {
    names: Vec<String>,
    states: Vec<Vec<String>>,
    /// Unit and number in it of each place.
    position: Vec<(usize, u32)>,
}

impl Units {
    fn of(net: &PetriNet) -> Result<Units, NotANetwork> {
        let nupn = net.nupn().ok_or(NotANetwork::NoUnits)?;
        let mut units = Units { names: Vec::new(), states: Vec::new(), position: Vec::new() };
        let mut position: FxHashMap<usize, (usize, u32)> = FxHashMap::default();
        for unit in nupn.units.iter().filter(|unit| !unit.places.is_empty()) {
            if !unit.subunits.is_empty() {
                return Err(NotANetwork::NestedUnits(unit.id.clone()));
            }
            for (&place, number) in unit.places.iter().zip(0..) {
                if position.insert(place.index(), (units.names.len(), number)).is_some() {
                    return Err(NotANetwork::Place(net.place(place).id.clone()));
                }
            }
            units.names.push(unit.id.clone());
            let name = |p: &crate::net::Place| p.name.clone().unwrap_or_else(|| p.id.clone());
            units.states.push(unit.places.iter().map(|&place| name(net.place(place))).collect());
        }
        for place in net.place_ids() {
            let found = position.get(&place.index()).copied();
            units.position.push(found.ok_or_else(|| NotANetwork::Place(net.place(place).id.clone()))?);
        }
        Ok(units)
    }

    /// The edges that a transition is, by unit.
    fn edges(&self, transition: &Transition) -> Result<Vec<UnitEdge>, NotANetwork> {
        let wrong = || NotANetwork::Transition(transition.id.clone());
        let side = |arcs: &[Arc]| {
            let mut side: Vec<(usize, u32)> = arcs.iter().map(|arc| self.position[arc.place.index()]).collect();
            side.sort_unstable();
            let one_each = side.windows(2).all(|pair| pair[0].0 != pair[1].0);
            (one_each && arcs.iter().all(|arc| arc.weight == 1)).then_some(side)
        };
        let (before, after) = (side(&transition.pre).ok_or_else(wrong)?, side(&transition.post).ok_or_else(wrong)?);
        let same_units = before.iter().map(|p| p.0).eq(after.iter().map(|p| p.0));
        if !same_units || !transition.inhibitors.is_empty() || before.is_empty() {
            return Err(wrong());
        }
        Ok(before.iter().zip(&after).map(|(before, after)| (before.0, (before.1, after.1))).collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::net::{NetBuilder, Nupn, PlaceId, Unit};

    /// Identifier, name, edges between places.
    type Case<'a> = (&'a str, &'a str, &'a [(u32, u32)]);

    /// Two units of three places.
    fn net(marked: &[u32], transitions: &[Case<'_>]) -> PetriNet {
        let mut b = NetBuilder::new("n");
        for place in 0..6 {
            b.place(format!("p{place}"), u64::from(marked.contains(&place))).unwrap();
        }
        for &(id, name, edges) in transitions {
            let t = b.transition(id).unwrap();
            if !name.is_empty() {
                b.name_transition(t, name);
            }
            for &(from, to) in edges {
                b.input(PlaceId(from), t, 1).unwrap();
                b.output(t, PlaceId(to), 1).unwrap();
            }
        }
        let unit = |id: &str, places: std::ops::Range<u32>, subunits: &[usize]| Unit {
            id: id.to_owned(),
            places: places.map(PlaceId).collect(),
            subunits: subunits.to_vec(),
        };
        let units = vec![unit("root", 0..0, &[1, 2]), unit("left", 0..3, &[]), unit("right", 3..6, &[])];
        b.set_nupn(Nupn { units, root: 0, safe: true });
        b.build().unwrap()
    }

    const START: Case<'_> = ("t_0_", "", &[(0, 1), (3, 4)]);

    #[test]
    fn the_start_is_left_out_and_labels_are_names() {
        let net = net(&[0, 3], &[START, ("t_1_x", "go", &[(1, 2), (4, 4)]), ("t_2_back", "", &[(2, 1)])]);
        let network = of_net(&net, Naming::Either).unwrap();
        let labels: Vec<&str> = network.label_ids().map(|label| network.label(label)).collect();
        assert_eq!(labels, ["go", "back"]);
        let left = &network.components()[0];
        assert_eq!((left.name.as_str(), left.initial, left.states.len()), ("left", 0, 2));
        assert_eq!(left.states, ["p1", "p2"]);
        assert_eq!(left.edges, [(0, "go".to_owned(), 1), (1, "back".to_owned(), 0)]);
        // By identifier, the start is a step as any other.
        let network = of_net(&net, Naming::Id).unwrap();
        assert!(network.find_label("t_0_").is_some() && network.components()[0].states.len() == 3);
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let go: Case<'_> = ("a", "go", &[(1, 2), (4, 5)]);
        let cases = [
            (vec![0], vec![START], NotANetwork::Start("right".into())),
            (vec![0, 1, 3], vec![START], NotANetwork::Start("left".into())),
            (vec![0, 3], vec![("b", "", &[(0, 4)][..])], NotANetwork::Transition("b".into())),
            (vec![0, 3], vec![go, ("b", "go", &[(2, 1), (5, 4)])], NotANetwork::NotAProduct("go".into())),
            (vec![0, 3], vec![go, ("b", "go", &[(2, 1)])], NotANetwork::NotAProduct("go".into())),
        ];
        for (marked, transitions, expected) in cases {
            let net = net(&marked, &transitions);
            assert_eq!(of_net(&net, Naming::Either).unwrap_err(), expected);
            if let NotANetwork::NotAProduct(_) = expected {
                assert_eq!(of_net(&net, Naming::Id).unwrap().label_count(), 2);
            }
        }
        let mut b = NetBuilder::new("n");
        b.place("p", 1).unwrap();
        assert_eq!(of_net(&b.build().unwrap(), Naming::Name).unwrap_err(), NotANetwork::NoUnits);
    }
}

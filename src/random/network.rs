//! Random networks of transition systems, and random formulas about their steps.
//!
//! Components are drawn edge by edge over few labels, so that labels are shared, block each other, and have several
//! edges in one state. A network is drawn again until it has at most [`NetworkShape::max_states`] reachable states and,
//! half of the time, at least 8.

use super::formula::{modality, rebuilt};
use super::{FormulaShape, Rng, formula};
use crate::budget::Budget;
use crate::formula::{Formula, FormulaId, Pool};
use crate::kinds::network::{Component, Network, graph_of_network};
use crate::net::{PetriNet, TransitionId};

/// Size of the networks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkShape {
    /// At most so many components, and at least one.
    pub components: usize,
    /// At most so many local states of each, and at least one.
    pub states: usize,
    /// At most so many labels, and at least one.
    pub labels: usize,
    /// At most so many edges of each component.
    pub edges: usize,
    /// At most so many reachable states (0 counts as 1).
    pub max_states: usize,
}

impl Default for NetworkShape {
    /// 4 components of 4 local states with 8 edges over 5 labels, 100 states.
    fn default() -> Self {
        NetworkShape { components: 4, states: 4, labels: 5, edges: 8, max_states: 100 }
    }
}

/// A random network of this shape, with components `c0`, `c1`, … and labels `a0`, `a1`, ….
pub fn network(rng: &mut Rng, shape: &NetworkShape) -> Network {
    let most = shape.max_states.max(1);
    loop {
        let least = if rng.one_in(2) { 8.min(most) } else { 1 };
        for _ in 0..50 {
            let components = (0..1 + rng.below(shape.components)).map(|number| component(rng, shape, number)).collect();
            let Ok(network) = Network::new("random", components) else { continue };
            if let Ok(graph) = graph_of_network(&network, most, &Budget::unlimited())
                && graph.states.len() >= least
            {
                return network;
            }
        }
    }
}

fn component(rng: &mut Rng, shape: &NetworkShape, number: usize) -> Component {
    let states = 1 + rng.below(shape.states);
    let edge = |rng: &mut Rng| {
        let label = format!("a{}", rng.below(shape.labels.max(1)));
        (rng.below(states) as u32, label, rng.below(states) as u32)
    };
    Component {
        name: format!("c{number}"),
        // No state is called the same in two components.
        states: (0..states).map(|state| format!("{number}.{state}")).collect(),
        initial: rng.below(states) as u32,
        edges: (0..rng.below(shape.edges + 1)).map(|_| edge(rng)).collect(),
    }
}

/// A random formula about the steps of a net, or of the network that has this net as its skeleton: some of its parts
/// are questions about steps; with `only`, all of its atoms that name places or transitions.
pub fn formula_over_steps(
    rng: &mut Rng,
    net: &PetriNet,
    shape: &FormulaShape,
    only: bool,
    pool: &mut Pool,
) -> FormulaId {
    let plain = formula(rng, net, shape, pool);
    let over_steps = rebuilt(plain, pool, |pool, node| {
        let labels: Vec<TransitionId> =
            (0..1 + rng.below(2)).map(|_| TransitionId(rng.below(net.transition_count().max(1)) as u32)).collect();
        let labels = Some(labels).filter(|_| net.transition_count() > 0);
        match node {
            Formula::Enabled(_) | Formula::Compare(..) if only || rng.one_in(2) => {
                labels.map_or(Formula::False, Formula::Action)
            }
            node => modality(rng, net, node, pool),
        }
    });
    pool.close(over_steps)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::{Logic, Symbols, parse};

    #[test]
    fn networks_are_small_and_varied_and_formulas_print_back() {
        let shape = NetworkShape::default();
        let (mut large, mut branching) = (0, 0);
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let network = network(&mut rng, &shape);
            let states = graph_of_network(&network, 1000, &Budget::unlimited()).unwrap().states.len();
            assert!(states <= shape.max_states);
            large += usize::from(states >= 8);
            let several = |label| network.choices(label).is_some_and(|choices| choices > 1);
            branching += usize::from(network.label_ids().any(several));
            let symbols = Symbols::of_labels(network.label_ids().map(|label| network.label(label)));
            for logic in [Logic::Ctl, Logic::Ltl, Logic::CtlStar] {
                let (mut pool, shape) = (Pool::new(), FormulaShape { logic, size: seed as usize % 8 });
                let f = formula_over_steps(&mut rng, &network.skeleton(), &shape, true, &mut pool);
                let text = pool.display(f, &symbols).to_string();
                let read = parse(&text, &symbols, &mut pool).unwrap();
                assert_eq!(pool.close(read), f, "{text}");
            }
        }
        assert!(large > 80 && branching > 80, "{large} {branching}");
    }
}

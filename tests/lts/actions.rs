//! Formulas about actions on random networks and nets, against brute force, under each path semantics.

use super::reference::{self, networks};
use crate::oracle::{Setting, check};
use crate::reference::{Graph, explore};
use proptest::prelude::*;
use starset::budget::Budget;
use starset::explicit::{Options, Stopped, check_ltl};
use starset::formula::{Formula, FormulaId, Logic, PathSemantics, Pool, Symbols, parse};
use starset::lts::{Network, to_net};
use starset::mdd::MddSpace;
use starset::net::{Marking, PetriNet, PlaceId, TransitionId};
use starset::random::{FormulaShape, NetShape, Rng, formula, net};
use starset::relation::Relation;
use starset::symbolic::{Checker, Search, reachable_set};

/// The graph of a network, with tuples of local states as markings and labels as transitions.
fn graph_of(network: &Network) -> Graph {
    let graph = reference::Graph::of(network);
    let marking = |state: &Vec<u32>| Marking::new(state.iter().map(|&local| u64::from(local)).collect());
    let edges = graph.steps.iter().map(|steps| steps.iter().map(|&(l, to)| (TransitionId(l), to)).collect());
    Graph::new(graph.states.iter().map(marking).collect(), edges.collect())
}

/// A random formula with questions about steps in the place of some of its parts; with `only`, of all atoms.
pub(super) fn about_steps(
    rng: &mut Rng,
    net: &PetriNet,
    shape: &FormulaShape,
    only: bool,
    pool: &mut Pool,
) -> FormulaId {
    let plain = formula(rng, net, shape, pool);
    let mut new = std::collections::HashMap::new();
    let mut last = plain;
    for id in pool.subformulas(&[plain]) {
        let node = pool[id].map(|a| new[&a]);
        let count = 1 + rng.below(2);
        let labels: Vec<TransitionId> =
            (0..count).map(|_| TransitionId(rng.below(net.transition_count().max(1)) as u32)).collect();
        let labels = Some(labels).filter(|_| net.transition_count() > 0);
        let node = match node {
            Formula::Enabled(_) | Formula::Compare(..) if only || rng.one_in(2) => {
                labels.map_or(Formula::False, Formula::Action)
            }
            // ⟨a⟩ and [a] want a state formula: quantify what has become a path formula.
            Formula::Exists(path) if rng.one_in(3) => Formula::Diamond(labels, pool.close(path)),
            Formula::Forall(path) if rng.one_in(3) => Formula::Box(labels, pool.close(path)),
            node => node,
        };
        last = pool.add(node);
        new.insert(id, last);
    }
    pool.close(last)
}

/// The sat-sets of a formula under each semantics, simplified and not, are those of brute force.
fn agree(relation: &Relation, graph: &Graph, pool: &mut Pool, formula: FormulaId) -> Result<(), TestCaseError> {
    let budget = Budget::unlimited();
    let space = MddSpace::new(relation.levels(), &budget).unwrap();
    let states = reachable_set(relation, &space, Search::Saturation, &budget, &mut |_| {}).unwrap();
    for paths in PathSemantics::ALL {
        let expected = check(Setting::new(graph, pool, paths), formula).unwrap().remove(&formula).unwrap();
        let simplified = [formula, pool.simplify(formula, paths), pool.push_quantifiers(formula, paths)];
        for formula in simplified {
            let mut checker = Checker::new(relation, states.clone(), paths).unwrap();
            let initially = checker.holds_initially(pool, formula, &budget).unwrap();
            prop_assert_eq!(initially, expected[0], "{:?} initially", paths);
            let set = checker.sat(pool, formula, &budget).unwrap();
            for (marking, &expected) in graph.markings.iter().zip(&expected) {
                let state = checker.state_of(marking.as_slice()).unwrap();
                prop_assert_eq!(set.contains(&state), expected, "{:?} in {:?}", paths, marking);
            }
        }
    }
    Ok(())
}

/// The explicit engine, where it takes a formula, says in the initial state what brute force says. True if it did.
fn explicitly(net: &PetriNet, symbols: &Symbols, text: &str, graph: &Graph, known: &Symbols) -> bool {
    let (mut pool, mut expected_pool) = (Pool::new(), Pool::new());
    let formula = parse(text, symbols, &mut pool).unwrap();
    let parsed = parse(text, known, &mut expected_pool).unwrap();
    let asked = expected_pool.close(parsed);
    let mut taken = false;
    for paths in PathSemantics::ALL {
        let expected = check(Setting::new(graph, &expected_pool, paths), asked).unwrap().remove(&asked).unwrap()[0];
        for witness in [false, true] {
            let options = Options { witness, ..Options::default() };
            match check_ltl(net, &mut pool, formula, paths, &options, &Budget::unlimited()) {
                Ok(found) => assert_eq!(found.holds, expected, "{paths:?} {text}"),
                Err(Stopped::Unsupported(_)) => continue,
                Err(other) => panic!("{other}"),
            }
            taken = true;
        }
    }
    taken
}

#[test]
fn explicit_search_over_actions() {
    let (mut of_nets, mut of_networks) = (0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let shape = FormulaShape { logic: Logic::Ltl, size: 3 + seed as usize % 3 };
        let net = net(&mut rng, &NetShape::default());
        if let Some(graph) = explore(&net, 60) {
            let mut pool = Pool::new();
            let formula = about_steps(&mut rng, &net, &shape, false, &mut pool);
            let symbols = Symbols::new(&net);
            let text = pool.display(formula, &symbols).to_string();
            let small = is_small(&pool, formula);
            of_nets += u32::from(small && explicitly(&net, &symbols, &text, &graph, &symbols));
        }
        let network = reference::drawn(&mut rng);
        let graph = graph_of(&network);
        let known = Symbols::of_labels(network.label_ids().map(|label| network.label(label)));
        let mut pool = Pool::new();
        let formula = about_steps(&mut rng, &network.skeleton(), &shape, true, &mut pool);
        if graph.states() <= 60 && is_small(&pool, formula) {
            let net = to_net(&network).unwrap();
            let text = pool.display(formula, &known).to_string();
            of_networks += u32::from(explicitly(&net, &Symbols::of_steps(&net), &text, &graph, &known));
        }
    }
    assert!(of_nets > 100 && of_networks > 100, "{of_nets} {of_networks}");
}

pub(super) fn logic(number: u64) -> Logic {
    [Logic::Ctl, Logic::Ltl, Logic::CtlStar][(number % 3) as usize]
}

/// Few enough temporal operators for brute force, of all path formulas of the formula.
fn is_small(pool: &Pool, formula: FormulaId) -> bool {
    let temporal = pool.subformulas(&[formula]).into_iter().filter(|&id| pool[id].is_temporal()).count();
    temporal <= 4
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn networks_and_formulas_over_actions(network in networks(), seed: u64) {
        let graph = graph_of(&network);
        prop_assume!(graph.states() <= 60);
        let skeleton = network.skeleton();
        let order: Vec<PlaceId> = skeleton.place_ids().collect();
        let relation = Relation::of_network(&network, &order).unwrap();
        let mut rng = Rng::new(seed);
        let shape = FormulaShape { logic: logic(seed), size: 4 };
        // A small one is among the first few.
        let (mut pool, formula) = (0..50)
            .find_map(|_| {
                let mut pool = Pool::new();
                let formula = about_steps(&mut rng, &skeleton, &shape, false, &mut pool);
                is_small(&pool, formula).then_some((pool, formula))
            })
            .unwrap();
        agree(&relation, &graph, &mut pool, formula)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(350))]

    #[test]
    fn nets_and_formulas_over_their_transitions(seed: u64) {
        let mut rng = Rng::new(seed);
        let net = net(&mut rng, &NetShape::default());
        if let Some(graph) = explore(&net, 60) {
            let order: Vec<PlaceId> = net.place_ids().collect();
            let relation = Relation::of_net(&net, &order).unwrap();
            let mut pool = Pool::new();
            let shape = FormulaShape { logic: logic(seed), size: 4 };
            let formula = about_steps(&mut rng, &net, &shape, false, &mut pool);
            if is_small(&pool, formula) {
                agree(&relation, &graph, &mut pool, formula)?;
            }
        }
    }
}
